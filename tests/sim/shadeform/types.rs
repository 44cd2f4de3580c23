//! Types of the clouds behind, each with its regions.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::machine::{Cards, Machine, Service};
use super::super::world::World;
use super::super::{Answer, Shared};
use super::enter;

/// A type of one cloud.
pub struct Type {
    /// The cloud, as Shadeform spells it.
    pub cloud: &'static str,
    /// Shadeform's name.
    pub name: &'static str,
    /// `vm`, `container`, `baremetal`.
    pub form: &'static str,
    /// Whole cents for the whole machine.
    pub cents: u32,
    /// Shadeform's name of the card.
    pub gpu: &'static str,
    pub socket: &'static str,
    pub nvlink: Option<bool>,
    pub count: u32,
    /// GB of each card.
    pub vram: u32,
    /// The card as the driver spells it, and its MiB.
    pub driver: (&'static str, u32),
    pub vcpus: u32,
    pub memory: u32,
    pub storage: u32,
    pub os: &'static [&'static str],
    /// Region, what is shown of it, machines there.
    pub regions: &'static [(&'static str, &'static str, usize)],
}

const CUDA: &[&str] = &["ubuntu22.04_cuda12.4_shade_os", "ubuntu22.04_cuda12.2_shade_os", "ubuntu22.04"];
const A6000: Type = Type {
    cloud: "massedcompute",
    name: "A6000x2",
    form: "vm",
    cents: 114,
    gpu: "A6000",
    socket: "pcie",
    nvlink: None,
    count: 2,
    vram: 48,
    driver: ("NVIDIA RTX A6000", 49_140),
    vcpus: 12,
    memory: 96,
    storage: 512,
    os: CUDA,
    regions: &[("desmoines-usa-1", "US, Des Moines, IA", 2), ("wilmington-usa-1", "US, Wilmington, DE", 0)],
};
const H100: Type = Type {
    cloud: "hyperstack",
    name: "H100_sxm5x8",
    cents: 1_912,
    gpu: "H100",
    socket: "sxm5",
    nvlink: Some(true),
    count: 8,
    vram: 80,
    driver: ("NVIDIA H100 80GB HBM3", 81_559),
    vcpus: 208,
    memory: 1_800,
    storage: 3_200,
    regions: &[("montreal-canada-2", "CA, Montreal", 1), ("MON1", "Toronto, Canana", 0)],
    ..A6000
};

/// Every type. Among them what the list is known for: a company under both of its names, partners without a name, a
/// cloud nobody knows, a region called `any`, memory that nobody filled in, no region at all, a machine without cards.
pub const TYPES: &[Type] = &[
    A6000,
    Type { name: "A6000", cents: 57, count: 1, vcpus: 6, memory: 48, storage: 256, ..A6000 },
    H100,
    Type {
        cloud: "verda",
        name: "H100_sxm5",
        cents: 229,
        count: 1,
        vcpus: 30,
        memory: 120,
        storage: 400,
        regions: &[("helsinki-finland-3", "FI, Helsinki", 2)],
        ..H100
    },
    Type {
        cloud: "datacrunch",
        name: "A100_80Gx2",
        cents: 258,
        gpu: "A100_80G",
        socket: "sxm4",
        count: 2,
        driver: ("NVIDIA A100-SXM4-80GB", 81_920),
        vcpus: 44,
        memory: 240,
        storage: 400,
        regions: &[("helsinki-finland-1", "FI, Helsinki", 2), ("blonduos-iceland-2", "IS, Blönduós", 1)],
        ..H100
    },
    Type {
        cloud: "lambdalabs",
        name: "A100_sxm4",
        cents: 129,
        gpu: "A100",
        socket: "sxm4",
        nvlink: None,
        count: 1,
        vram: 40,
        driver: ("NVIDIA A100-SXM4-40GB", 40_960),
        vcpus: 30,
        memory: 200,
        storage: 512,
        regions: &[("saltlakecity-usa-1", "US, Salt Lake City, UT", 1)],
        ..H100
    },
    Type {
        cloud: "excesssupply",
        name: "H100_sxm5",
        cents: 199,
        count: 1,
        vcpus: 24,
        memory: 180,
        storage: 1_000,
        regions: &[("paris-france-1", "FR, Paris", 1)],
        ..H100
    },
    Type {
        cloud: "nebulous",
        name: "L40S",
        form: "container",
        cents: 89,
        gpu: "L40S",
        driver: ("NVIDIA L40S", 46_068),
        count: 1,
        vram: 0,
        regions: &[("any", "any", 1)],
        ..A6000
    },
    Type {
        cloud: "latitude",
        name: "L40Sx8",
        form: "baremetal",
        cents: 760,
        gpu: "L40S",
        driver: ("NVIDIA L40S", 46_068),
        count: 8,
        regions: &[("london-uk-1", "UK, London", 1)],
        ..A6000
    },
    Type { cloud: "denvr", name: "H200_sxm5x8", cents: 2_640, gpu: "H200", vram: 141, regions: &[], ..H100 },
    Type {
        cloud: "scaleway",
        name: "cpu_4x",
        cents: 12,
        gpu: "",
        count: 0,
        vram: 0,
        regions: &[("paris-france-2", "FR, Paris", 4)],
        ..A6000
    },
];

/// The price in whole cents.
pub fn cents(kind: &Type, factor: f64) -> i64 {
    (f64::from(kind.cents) * factor).round() as i64
}

/// What a machine of this type is made of.
pub fn configuration(kind: &Type) -> Value {
    let mut row = json!({
        "memory_in_gb": kind.memory, "storage_in_gb": kind.storage, "vcpus": kind.vcpus, "num_gpus": kind.count,
        "gpu_type": kind.gpu, "interconnect": kind.socket, "vram_per_gpu_in_gb": kind.vram, "gpu_manufacturer": "nvidia",
    });
    if let Some(nvlink) = kind.nvlink {
        row["nvlink"] = nvlink.into();
    }
    row
}

/// The cards of a machine of this type.
pub fn cards(kind: &Type) -> Cards {
    Cards { name: kind.driver.0.to_owned(), count: kind.count, memory_mib: kind.driver.1, watts: 350 }
}

/// Whether a region has this type now.
pub fn has(kind: &Type, region: &str, world: &World) -> bool {
    let names =
        [kind.name.to_owned(), format!("{}/{}", kind.cloud, kind.name), format!("{}/{region}", kind.name)];
    if names.iter().any(|name| world.sold_out.contains(name)) {
        return false;
    }
    let taken = |m: &&Machine| {
        m.service == Service::Shadeform
            && m.holds_cards()
            && m.facts["cloud"] == kind.cloud
            && m.facts["type"] == kind.name
            && m.facts["region"] == region
    };
    let most = kind.regions.iter().find(|(name, _, _)| *name == region).map_or(0, |(_, _, most)| *most);
    world.machines.iter().filter(taken).count() < most
}

fn row(kind: &Type, factor: f64, world: &World) -> Value {
    let regions: Vec<Value> = kind
        .regions
        .iter()
        .map(|(region, shown, _)| json!({ "region": region, "available": has(kind, region, world), "display_name": shown }))
        .collect();
    let mut configuration = configuration(kind);
    configuration["os_options"] = json!(kind.os);
    // The live answer repeats the configuration beside itself.
    let mut row = configuration.clone();
    row["configuration"] = configuration;
    row["cloud"] = kind.cloud.into();
    row["shade_instance_type"] = kind.name.into();
    row["cloud_instance_type"] = format!("gpu_{}x_{}", kind.count, kind.gpu.to_lowercase()).into();
    row["deployment_type"] = kind.form.into();
    row["hourly_price"] = cents(kind, factor).into();
    row["availability"] = regions.into();
    row["boot_time"] = json!({ "min_boot_in_sec": 180, "max_boot_in_sec": 420 });
    row
}

/// Filters of the list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filters {
    cloud: Option<String>,
    region: Option<String>,
    num_gpus: Option<String>,
    gpu_type: Option<String>,
    shade_instance_type: Option<String>,
    available: Option<bool>,
    sort: Option<String>,
}

impl Filters {
    fn keep(&self, row: &Value) -> bool {
        let same =
            |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|wanted| row[name] == *wanted);
        let at =
            |test: &dyn Fn(&Value) -> bool| row["availability"].as_array().into_iter().flatten().any(test);
        same(&self.cloud, "cloud")
            && same(&self.gpu_type, "gpu_type")
            && same(&self.shade_instance_type, "shade_instance_type")
            && self.num_gpus.as_ref().is_none_or(|count| count.parse().ok() == row["num_gpus"].as_u64())
            && self.region.as_ref().is_none_or(|region| at(&|place| place["region"] == *region))
            && self.available.is_none_or(|wanted| at(&|place| place["available"] == wanted))
    }
}

/// Every type.
pub async fn types(
    State(market): State<Shared>,
    Query(filters): Query<Filters>,
    headers: HeaderMap,
) -> Answer {
    let factor = market.factor();
    let (world, _, _) = enter(&market, &headers, false)?;
    let mut rows: Vec<Value> = TYPES.iter().map(|kind| row(kind, factor, &world)).collect();
    rows.retain(|row| filters.keep(row));
    if filters.sort.as_deref() == Some("price") {
        rows.sort_by_key(|row| row["hourly_price"].as_i64());
    }
    Ok(Json(json!({ "instance_types": rows })).into_response())
}
