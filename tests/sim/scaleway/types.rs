//! Types of machines by zone, and what is in stock.

use axum::Json;
use axum::extract::{Path, Query as Asked, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::kind::Kind;
use super::super::{Answer, Shared};
use super::{Query, SERVICE, let_in, page};

/// Types, of which one has no card.
pub const KINDS: [Kind; 6] = [
    kind(
        "L4-1-24G",
        "L4",
        ("NVIDIA L4", 23_034, 24),
        (1, 7_875),
        (8, 48),
        &[("fr-par-2", 2), ("fr-par-1", 1), ("pl-waw-2", 2)],
    ),
    kind("L40S-1-48G", "L40S", ("NVIDIA L40S", 46_068, 48), (1, 14_700), (8, 96), &[("fr-par-2", 2)]),
    kind(
        "H100-1-80G",
        "H100-PCIe",
        ("NVIDIA H100 PCIe", 81_559, 80),
        (1, 27_300),
        (24, 240),
        &[("fr-par-2", 2), ("pl-waw-2", 1)],
    ),
    kind(
        "H100-SXM-8-80G",
        "H100-SXM",
        ("NVIDIA H100 80GB HBM3", 81_559, 80),
        (8, 230_280),
        (128, 960),
        &[("fr-par-2", 1)],
    ),
    kind(
        "B300-SXM-8-288G",
        "B300-SXM",
        ("NVIDIA B300 SXM6 AC", 275_040, 288),
        (8, 600_000),
        (224, 3840),
        &[("fr-par-2", 0)],
    ),
    kind("DEV1-S", "", ("", 0, 0), (0, 88), (2, 2), &[("fr-par-1", 9), ("fr-par-2", 9), ("nl-ams-1", 9)]),
];

const fn kind(
    name: &'static str,
    gpu: &'static str,
    (driver, mib, gib): (&'static str, u32, u32),
    (cards, price): (u32, i64),
    (vcpus, memory): (u32, u32),
    places: &'static [(&'static str, usize)],
) -> Kind {
    Kind { name, gpu, driver, mib, gib, cards, price, vcpus, memory, disk: 0, places }
}

const GIB: u64 = 1_073_741_824;

fn shown(kind: &Kind, factor: f64) -> Value {
    let price = kind.number(factor);
    let cards = kind.cards > 0;
    json!({
        "hourly_price": price, "monthly_price": price * 730.0, "alt_names": [], "mig_profile": null,
        "gpu": if cards { json!(kind.cards) } else { Value::Null },
        "gpu_info": if cards {
            json!({ "gpu_manufacturer": "NVIDIA", "gpu_name": kind.gpu, "gpu_memory": u64::from(kind.gib) * GIB })
        } else { Value::Null },
        "ncpus": kind.vcpus, "ram": u64::from(kind.memory) * GIB, "arch": "x86_64", "baremetal": false,
        "volumes_constraint": { "min_size": 0, "max_size": 0 }, "per_volume_constraint": { "l_ssd": { "min_size": 0, "max_size": 0 } },
        "scratch_storage_max_size": 0, "block_bandwidth": 1_073_741_824, "end_of_service": false,
        "network": { "sum_internet_bandwidth": 2_500_000_000_u64, "interfaces": [], "ipv6_support": true },
        "capabilities": { "block_storage": true, "boot_types": ["local"] },
    })
}

fn here(zone: &str) -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(move |kind| kind.places.iter().any(|(place, _)| *place == zone))
}

fn map(rows: Vec<(String, Value)>) -> Map<String, Value> {
    rows.into_iter().collect()
}

/// The types of a zone: a map, not a list.
pub async fn types(
    State(market): State<Shared>,
    Path(zone): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let factor = market.factor();
    drop(let_in(&market, &headers, false)?);
    let rows = here(&zone).map(|kind| (kind.name.to_owned(), shown(kind, factor))).collect();
    let (rows, head) = page(rows, &query)?;
    Ok((head, Json(json!({ "servers": map(rows) }))).into_response())
}

/// What is in stock.
pub async fn availability(
    State(market): State<Shared>,
    Path(zone): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (world, _, _) = let_in(&market, &headers, false)?;
    let rows = here(&zone)
        .map(|kind| {
            let word = if kind.has(SERVICE, &zone, &world) { "available" } else { "shortage" };
            (kind.name.to_owned(), json!({ "availability": word }))
        })
        .collect();
    let (rows, head) = page(rows, &query)?;
    Ok((head, Json(json!({ "servers": map(rows) }))).into_response())
}
