//! Instance types with their regions, regions, images.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::machine::{Cards, Machine, Service};
use super::super::world::World;
use super::super::{Answer, Shared, enter};
use super::{V1, data};

/// A kind of machine.
pub struct Type {
    /// Its name.
    pub name: &'static str,
    /// The card in words.
    pub gpu: &'static str,
    /// The card as its driver spells it.
    driver: &'static str,
    /// MiB of one card.
    mib: u32,
    /// Cards.
    pub cards: u32,
    /// US cents an hour.
    pub cents: u32,
    vcpus: u32,
    memory: u32,
    storage: u32,
    /// Where it can be had, and how many at a time.
    pub regions: &'static [(&'static str, usize)],
}

/// Every type, the sold out and the cardless ones too.
pub const TYPES: [Type; 8] = [
    Type {
        name: "gpu_8x_h100_sxm5",
        gpu: "H100 (80 GB SXM5)",
        driver: "NVIDIA H100 80GB HBM3",
        mib: 81_559,
        cards: 8,
        cents: 3_192,
        vcpus: 208,
        memory: 1_800,
        storage: 22_528,
        regions: &[("us-east-1", 1), ("europe-central-1", 1)],
    },
    Type {
        name: "gpu_1x_h100_sxm5",
        gpu: "H100 (80 GB SXM5)",
        driver: "NVIDIA H100 80GB HBM3",
        mib: 81_559,
        cards: 1,
        cents: 429,
        vcpus: 26,
        memory: 225,
        storage: 2_816,
        regions: &[("us-east-1", 3)],
    },
    Type {
        name: "gpu_1x_h100_pcie",
        gpu: "H100 (80 GB PCIe)",
        driver: "NVIDIA H100 PCIe",
        mib: 81_559,
        cards: 1,
        cents: 329,
        vcpus: 26,
        memory: 225,
        storage: 1_024,
        regions: &[("us-west-3", 2)],
    },
    Type {
        name: "gpu_1x_gh200",
        gpu: "GH200 (96 GB)",
        driver: "NVIDIA GH200 480GB",
        mib: 97_871,
        cards: 1,
        cents: 229,
        vcpus: 64,
        memory: 432,
        storage: 4_096,
        regions: &[("us-east-3", 2)],
    },
    Type {
        name: "gpu_1x_a100_sxm4",
        gpu: "A100 (40 GB SXM4)",
        driver: "NVIDIA A100-SXM4-40GB",
        mib: 40_960,
        cards: 1,
        cents: 199,
        vcpus: 30,
        memory: 200,
        storage: 512,
        regions: &[("us-west-2", 2), ("asia-northeast-1", 1)],
    },
    Type {
        name: "gpu_1x_a10",
        gpu: "A10 (24 GB PCIe)",
        driver: "NVIDIA A10",
        mib: 23_028,
        cards: 1,
        cents: 129,
        vcpus: 30,
        memory: 200,
        storage: 1_400,
        regions: &[("us-east-1", 4), ("us-west-1", 4)],
    },
    Type {
        name: "gpu_8x_b200_sxm6",
        gpu: "B200 (180 GB SXM6)",
        driver: "NVIDIA B200",
        mib: 183_359,
        cards: 8,
        cents: 5_352,
        vcpus: 208,
        memory: 2_900,
        storage: 22_528,
        regions: &[],
    },
    Type {
        name: "cpu_4x_general",
        gpu: "N/A",
        driver: "",
        mib: 0,
        cards: 0,
        cents: 20,
        vcpus: 4,
        memory: 16,
        storage: 64,
        regions: &[("us-east-1", 4)],
    },
];

/// Regions and what they say of themselves.
pub const REGIONS: [(&str, &str); 7] = [
    ("us-east-1", "Virginia, USA"),
    ("us-west-1", "California, USA"),
    ("us-west-2", "Arizona, USA"),
    ("us-west-3", "Utah, USA"),
    ("us-east-3", "Washington DC, USA"),
    ("europe-central-1", "Germany"),
    ("asia-northeast-1", "Osaka, Japan"),
];

/// A region with its description.
pub fn region(name: &str) -> Value {
    let described = REGIONS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    json!({ "name": name, "description": described })
}

/// A type as it is shown.
pub fn shown(kind: &Type, factor: f64) -> Value {
    let description = match kind.cards {
        0 => "4x CPU General (16 GiB)".to_owned(),
        cards => format!("{cards}x {}", kind.gpu),
    };
    json!({
        "name": kind.name, "description": description, "gpu_description": kind.gpu,
        "price_cents_per_hour": cents(kind, factor),
        "specs": {
            "vcpus": kind.vcpus, "memory_gib": kind.memory, "storage_gib": kind.storage, "gpus": kind.cards,
        },
    })
}

/// The price in whole cents.
pub fn cents(kind: &Type, factor: f64) -> i64 {
    (f64::from(kind.cents) * factor).round() as i64
}

/// The cards of a machine of this type.
pub fn cards(kind: &Type) -> Cards {
    Cards { name: kind.driver.to_owned(), count: kind.cards, memory_mib: kind.mib, watts: 700 }
}

/// Whether a region has this type now.
pub fn has(kind: &Type, place: &str, world: &World) -> bool {
    if world.sold_out.contains(kind.name) || world.sold_out.contains(&format!("{}/{place}", kind.name)) {
        return false;
    }
    let taken = |m: &&Machine| {
        m.service == Service::Lambda
            && m.holds_cards()
            && m.facts["type"] == kind.name
            && m.facts["region"] == place
    };
    let most = kind.regions.iter().find(|(name, _)| *name == place).map_or(0, |(_, most)| *most);
    world.machines.iter().filter(taken).count() < most
}

/// Every type.
pub async fn types(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let factor = market.factor();
    let (world, _, _) = enter(&market, &headers, V1, false)?;
    let map: Map<String, Value> = TYPES
        .iter()
        .map(|kind| {
            let regions: Vec<Value> = kind
                .regions
                .iter()
                .filter(|(name, _)| has(kind, name, &world))
                .map(|(name, _)| region(name))
                .collect();
            let row =
                json!({ "instance_type": shown(kind, factor), "regions_with_capacity_available": regions });
            (kind.name.to_owned(), row)
        })
        .collect();
    Ok(data(map).into_response())
}

/// Every region.
pub async fn regions(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, V1, false)?);
    let rows: Vec<Value> = REGIONS.iter().map(|(name, _)| region(name)).collect();
    Ok(data(rows).into_response())
}

/// The families of images, one image of each in each region.
pub const FAMILIES: [(&str, &str); 3] =
    [("lambda-stack-24-04", "24.4.1"), ("lambda-stack-22-04", "22.4.5"), ("ubuntu-lts", "24.04.01")];

/// Images.
pub async fn images(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, V1, false)?);
    let mut rows = Vec::new();
    for (r, (place, _)) in REGIONS.iter().enumerate() {
        for (f, (family, version)) in FAMILIES.iter().enumerate() {
            let architecture = if *place == "us-east-3" { "arm64" } else { "x86_64" };
            rows.push(json!({
                "id": format!("43336648-096d-4cba-9aa2-{r:06}{f:06}"), "name": format!("{family}-{version}"),
                "description": format!("{family} {version}"), "family": family, "version": version,
                "architecture": architecture, "region": region(place),
                "created_time": "2026-09-01T00:00:00Z", "updated_time": "2026-09-01T00:00:00Z",
            }));
        }
    }
    Ok(data(rows).into_response())
}
