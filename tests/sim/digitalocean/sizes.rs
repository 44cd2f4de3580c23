//! Sizes and regions.

use axum::Json;
use axum::extract::{Query as Asked, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::kind::Kind;
use super::super::{Answer, Shared};
use super::{Query, SERVICE, let_in, page};

/// Every size with cards, and one without.
pub const KINDS: [Kind; 6] = [
    kind(
        "gpu-h200x1-141gb",
        "nvidia_h200",
        ("NVIDIA H200", 143_771, 141),
        (1, 34_400),
        (24, 240, 720),
        &[("nyc2", 2), ("atl1", 1)],
    ),
    kind(
        "gpu-h100x8-640gb",
        "nvidia_h100",
        ("NVIDIA H100 80GB HBM3", 81_559, 80),
        (8, 239_200),
        (160, 1920, 2046),
        &[("tor1", 1)],
    ),
    kind(
        "gpu-l40sx1-48gb",
        "nvidia_l40s",
        ("NVIDIA L40S", 46_068, 48),
        (1, 15_700),
        (8, 64, 500),
        &[("tor1", 3)],
    ),
    kind(
        "gpu-4000adax1-20gb",
        "nvidia_rtx4000_ada",
        ("NVIDIA RTX 4000 Ada Generation", 20_475, 20),
        (1, 7_600),
        (8, 32, 500),
        &[("tor1", 3), ("ams3", 2)],
    ),
    kind(
        "gpu-mi300x8-1536gb",
        "amd_mi300x",
        ("AMD Instinct MI300X", 196_592, 192),
        (8, 159_200),
        (160, 1920, 2046),
        &[],
    ),
    kind("s-1vcpu-1gb", "", ("", 0, 0), (0, 74), (1, 1, 25), &[("ams3", 99)]),
];

const fn kind(
    name: &'static str,
    gpu: &'static str,
    (driver, mib, gib): (&'static str, u32, u32),
    (cards, price): (u32, i64),
    (vcpus, memory, disk): (u32, u32, u32),
    places: &'static [(&'static str, usize)],
) -> Kind {
    Kind { name, gpu, driver, mib, gib, cards, price, vcpus, memory, disk, places }
}

/// The cards as this service tells them: the memory of all of them together.
pub fn gpu_info(kind: &Kind) -> Value {
    json!({ "count": kind.cards, "model": kind.gpu, "vram": { "amount": kind.gib * kind.cards, "unit": "gib" } })
}

/// A size as it is listed.
pub fn shown(kind: &Kind, factor: f64, regions: &[&str]) -> Value {
    let price = kind.number(factor);
    let mut row = json!({
        "slug": kind.name, "memory": kind.memory * 1024, "vcpus": kind.vcpus, "disk": kind.disk, "transfer": 15.0,
        "price_hourly": price, "price_monthly": price * 744.0, "regions": regions, "available": true,
        "description": "GPU", "networking_throughput": 10_000,
        "disk_info": [{ "type": "local", "size": { "amount": kind.disk, "unit": "gib" } }],
    });
    if kind.cards > 0 {
        row["gpu_info"] = gpu_info(kind);
        row["disk_info"] = json!([
            { "type": "local", "size": { "amount": kind.disk, "unit": "gib" } },
            { "type": "scratch", "size": { "amount": 5120, "unit": "gib" } },
        ]);
    }
    row
}

/// Every size.
pub async fn sizes(State(market): State<Shared>, Asked(query): Asked<Query>, headers: HeaderMap) -> Answer {
    let factor = market.factor();
    let (world, _, _) = let_in(&market, &headers, false)?;
    let rows = KINDS
        .iter()
        .map(|kind| {
            let regions: Vec<&str> = kind
                .places
                .iter()
                .map(|(place, _)| *place)
                .filter(|place| kind.has(SERVICE, place, &world))
                .collect();
            shown(kind, factor, &regions)
        })
        .collect();
    page("sizes", rows, &query)
}

/// Every region.
pub async fn regions(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(let_in(&market, &headers, false)?);
    let rows: Vec<Value> = ["nyc2", "atl1", "tor1", "ams3"]
        .iter()
        .map(|slug| json!({ "slug": slug, "name": slug, "available": true, "features": [], "sizes": [] }))
        .collect();
    Ok(Json(json!({ "regions": rows, "links": {}, "meta": { "total": rows.len() } })).into_response())
}
