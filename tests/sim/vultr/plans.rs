//! Plans, regions and stock, which answer without a key.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::machine::{Cards, Service};
use super::super::world::World;
use super::super::{Answer, Shared};
use super::{missing, page};

/// A plan.
pub struct Plan {
    /// Its id.
    pub id: &'static str,
    /// Whether it is bare metal.
    pub metal: bool,
    /// `NVIDIA_L40S`; empty where there is no field for it.
    gpu: &'static str,
    /// GB of all cards together, as the plan says it.
    vram: u32,
    /// The cards as the machine itself reports them: driver's name, number, MiB of each.
    inside: (&'static str, u32, u32),
    cpus: u32,
    ram: u32,
    disk: (u32, u32),
    /// Dollars an hour and a month, and an hour of a preemptible one.
    pub prices: (f64, f64, Option<f64>),
    kind: &'static str,
    /// Where it may be, and how many are there.
    regions: &'static [(&'static str, usize)],
}

/// Every plan, the sold out and the cardless ones too.
pub const PLANS: [Plan; 8] = [
    Plan {
        id: "vcg-l40s-16c-180g-48vram",
        metal: false,
        gpu: "NVIDIA_L40S",
        vram: 48,
        inside: ("NVIDIA L40S", 1, 46_068),
        cpus: 16,
        ram: 184_320,
        disk: (1_200, 1),
        prices: (1.671, 1_219.0, None),
        kind: "vcg",
        regions: &[("fra", 5), ("ewr", 2)],
    },
    Plan {
        id: "vcg-a100-1c-6g-4vram",
        metal: false,
        gpu: "NVIDIA_A100",
        vram: 4,
        inside: ("GRID A100D-4C", 1, 4_096),
        cpus: 1,
        ram: 6_144,
        disk: (70, 1),
        prices: (0.123, 90.0, None),
        kind: "vcg",
        regions: &[("ewr", 20)],
    },
    Plan {
        id: "vcg-a100-24c-240g-160vram",
        metal: false,
        gpu: "NVIDIA_A100",
        vram: 160,
        inside: ("NVIDIA A100-SXM4-80GB", 2, 81_920),
        cpus: 24,
        ram: 245_760,
        disk: (1_400, 1),
        prices: (4.795, 3_500.0, None),
        kind: "vcg",
        regions: &[("ewr", 1)],
    },
    Plan {
        id: "vcg-a40-24c-120g-48vram",
        metal: false,
        gpu: "",
        vram: 0,
        inside: ("NVIDIA A40", 1, 46_068),
        cpus: 24,
        ram: 122_880,
        disk: (1_400, 1),
        prices: (1.712, 1_250.0, None),
        kind: "vdm",
        regions: &[],
    },
    Plan {
        id: "vc2-1c-0.5gb-free",
        metal: false,
        gpu: "",
        vram: 0,
        inside: ("", 0, 0),
        cpus: 1,
        ram: 512,
        disk: (10, 1),
        prices: (0.0, 0.0, None),
        kind: "vc2",
        regions: &[("fra", 99)],
    },
    Plan {
        id: "vbm-112c-2048gb-8-h100-gpu",
        metal: true,
        gpu: "",
        vram: 0,
        inside: ("NVIDIA H100 80GB HBM3", 8, 81_559),
        cpus: 224,
        ram: 2_097_152,
        disk: (960, 2),
        prices: (23.92, 16_074.24, Some(18.4)),
        kind: "NVMe",
        regions: &[("sea", 1)],
    },
    Plan {
        id: "vbm-256c-2048gb-8-mi300x-gpu",
        metal: true,
        gpu: "",
        vram: 0,
        inside: ("AMD Instinct MI300X", 8, 196_592),
        cpus: 256,
        ram: 2_321_924,
        disk: (3_576, 8),
        prices: (17.52, 11_773.44, Some(14.72)),
        kind: "NVMe",
        regions: &[("ord", 0)],
    },
    Plan {
        id: "vbm-4c-32gb",
        metal: true,
        gpu: "",
        vram: 0,
        inside: ("", 0, 0),
        cpus: 8,
        ram: 32_768,
        disk: (240, 2),
        prices: (0.179, 120.0, None),
        kind: "SSD",
        regions: &[("fra", 9)],
    },
];

/// What an hour costs in dollars.
pub fn hour(plan: &Plan, factor: f64) -> f64 {
    (plan.prices.0 * factor * 1e3).round() / 1e3
}

/// The cards of a machine of this plan.
pub fn cards(plan: &Plan) -> Cards {
    let (name, count, memory_mib) = plan.inside;
    Cards { name: name.to_owned(), count, memory_mib, watts: 350 }
}

/// Whether a region has this plan now.
pub fn has(plan: &Plan, region: &str, world: &World) -> bool {
    if world.sold_out.contains(plan.id) || world.sold_out.contains(&format!("{}/{region}", plan.id)) {
        return false;
    }
    let most = plan.regions.iter().find(|(name, _)| *name == region).map_or(0, |(_, most)| *most);
    let taken = world.machines.iter().filter(|m| {
        m.service == Service::Vultr
            && m.ended.is_none()
            && m.facts["plan"] == plan.id
            && m.facts["region"] == region
    });
    taken.count() < most
}

fn shown(plan: &Plan, factor: f64) -> Value {
    let regions: Vec<&str> = plan.regions.iter().map(|(name, _)| *name).collect();
    let mut row = json!({
        "id": plan.id, "ram": plan.ram, "disk": plan.disk.0, "disk_count": plan.disk.1, "bandwidth": 10_240,
        "monthly_cost": plan.prices.1 * factor, "hourly_cost": hour(plan, factor), "type": plan.kind, "locations": regions,
    });
    if plan.metal {
        row["cpu_count"] = (plan.cpus / 2).into();
        row["cpu_threads"] = plan.cpus.into();
        row["cpu_model"] = "EPYC 9534".into();
    } else {
        row["vcpu_count"] = plan.cpus.into();
    }
    if let Some(preemptible) = plan.prices.2 {
        row["hourly_cost_preemptible"] = (preemptible * factor).into();
    }
    if !plan.gpu.is_empty() {
        row["gpu_type"] = plan.gpu.into();
        row["gpu_vram_gb"] = plan.vram.into();
    }
    row
}

/// The plans of virtual machines.
pub async fn plans(State(market): State<Shared>, Query(query): Query<Map<String, Value>>) -> Answer {
    let factor = market.factor();
    let kind = query.get("type").and_then(Value::as_str).unwrap_or("all");
    let listed = PLANS.iter().filter(|plan| !plan.metal && (kind == "all" || plan.kind == kind));
    Ok(page("plans", listed.map(|plan| shown(plan, factor)).collect(), &query))
}

/// The plans of bare metal.
pub async fn metal(State(market): State<Shared>, Query(query): Query<Map<String, Value>>) -> Answer {
    let factor = market.factor();
    let listed = PLANS.iter().filter(|plan| plan.metal);
    Ok(page("plans_metal", listed.map(|plan| shown(plan, factor)).collect(), &query))
}

/// Regions with their countries' codes.
const REGIONS: [(&str, &str, &str); 4] = [
    ("ewr", "New Jersey", "US"),
    ("fra", "Frankfurt", "DE"),
    ("ord", "Chicago", "US"),
    ("sea", "Seattle", "US"),
];

/// Whether there is such a region.
pub fn is_region(id: &str) -> bool {
    REGIONS.iter().any(|(known, ..)| *known == id)
}

/// Every region.
pub async fn regions(Query(query): Query<Map<String, Value>>) -> Answer {
    let rows = REGIONS
        .iter()
        .map(|(id, city, country)| {
            json!({ "id": id, "city": city, "country": country, "continent": "", "options": ["ddos_protection"] })
        })
        .collect();
    Ok(page("regions", rows, &query))
}

/// What a region has now.
pub async fn availability(State(market): State<Shared>, Path(id): Path<String>) -> Answer {
    if !is_region(&id) {
        return Err(missing("region"));
    }
    let world = market.world();
    let plans: Vec<&str> = PLANS.iter().filter(|plan| has(plan, &id, &world)).map(|plan| plan.id).collect();
    Ok(Json(json!({ "available_plans": plans })).into_response())
}
