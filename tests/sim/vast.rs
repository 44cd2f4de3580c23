//! Vast.ai as far as it answers without a key: `POST /api/v0/bundles/`.
//!
//! Field names, units and defaults as its documentation and clients have them: memory in MB per card, prices per
//! hour of the whole offer, 64 rows unless a limit is sent, unknown filters ignored.

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::Shared;

/// Rows a request without a limit gets.
const DEFAULT_LIMIT: usize = 64;

struct Card {
    name: &'static str,
    ram_mb: u32,
    bandwidth: f64,
    nvlink: f64,
    most: u32,
    per_hour: f64,
}

const CARDS: [Card; 7] = [
    Card { name: "RTX 3090", ram_mb: 24_576, bandwidth: 823.1, nvlink: 0.0, most: 4, per_hour: 0.1733 },
    Card { name: "RTX 4090", ram_mb: 24_564, bandwidth: 857.3, nvlink: 0.0, most: 8, per_hour: 0.3733 },
    Card { name: "RTX 5090", ram_mb: 32_607, bandwidth: 1_512.4, nvlink: 0.0, most: 4, per_hour: 0.5867 },
    Card { name: "A100 SXM4", ram_mb: 81_920, bandwidth: 1_763.0, nvlink: 269.4, most: 8, per_hour: 0.9333 },
    Card { name: "H100 SXM", ram_mb: 81_559, bandwidth: 2_871.5, nvlink: 412.2, most: 8, per_hour: 1.8667 },
    Card { name: "H200", ram_mb: 143_771, bandwidth: 3_867.9, nvlink: 415.0, most: 8, per_hour: 2.6133 },
    // No table knows this one: it must be shown under its own name.
    Card {
        name: "RTX 6090 Proto",
        ram_mb: 49_140,
        bandwidth: 2_104.6,
        nvlink: 0.0,
        most: 2,
        per_hour: 0.9067,
    },
];

/// Places as the hosts write them, the odd ones included.
const PLACES: [Option<&str>; 8] = [
    Some("Sofia, BG"),
    Some("Quebec, CA"),
    Some("Helsinki, FI"),
    Some("Texas, US"),
    Some("Frankfurt, Hesse, DE"),
    Some(", US"),
    Some("Moscow, RU"),
    None,
];

/// The route.
pub fn routes() -> Router<Shared> {
    Router::new().route("/api/v0/bundles/", post(bundles))
}

async fn bundles(State(market): State<Shared>, Json(body): Json<Value>) -> Json<Value> {
    let bid = body["type"] == "bid";
    let mut rows: Vec<Value> =
        offers(market.factor(), bid).into_iter().filter(|row| matches(row, &body)).collect();
    rows.sort_by(|a, b| {
        a["dph_total"].as_f64().unwrap_or(0.0).total_cmp(&b["dph_total"].as_f64().unwrap_or(0.0))
    });
    let limit = body["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT);
    rows.truncate(limit);
    Json(json!({ "offers": rows }))
}

/// Every offer: each machine sells 1, 2, 4 … of its cards, overlapping.
fn offers(factor: f64, bid: bool) -> Vec<Value> {
    let mut rows = Vec::new();
    for (c, card) in CARDS.iter().enumerate() {
        for (p, place) in PLACES.iter().enumerate() {
            let machine = 20_000 + 100 * c + p;
            let mut count = 1;
            while count <= card.most {
                rows.push(offer(card, *place, machine, p, count, factor, bid));
                count *= 2;
            }
        }
    }
    rows
}

fn offer(
    card: &Card,
    place: Option<&str>,
    machine: usize,
    p: usize,
    count: u32,
    factor: f64,
    bid: bool,
) -> Value {
    // Hosts ask what they like: a few percent up or down by machine.
    let host = 1.0 + 0.03 * (p as f64) - 0.05;
    let full = card.per_hour * f64::from(count) * host * factor;
    let price = if bid { full * 0.45 } else { full };
    let storage = 0.15 + 0.01 * p as f64;
    let allocated_disk = 8.0;
    let id = 31_000_000 + machine * 10 + count as usize;
    json!({
        "id": id, "machine_id": machine, "host_id": 900 + p,
        "gpu_name": card.name, "num_gpus": count, "gpu_frac": f64::from(count) / f64::from(card.most),
        "gpu_ram": card.ram_mb, "gpu_total_ram": card.ram_mb * count, "gpu_mem_bw": card.bandwidth,
        "bw_nvlink": card.nvlink, "pcie_bw": 22.9, "pci_gen": 4.0, "gpu_lanes": 16,
        "cpu_cores": 64, "cpu_cores_effective": 64.0 * f64::from(count) / f64::from(card.most),
        "cpu_ram": 257_654, "disk_space": 812.4, "disk_bw": 3_120.5,
        "dph_base": price, "dph_total": price + storage * allocated_disk / 720.0,
        "storage_cost": storage,
        "inet_up_cost": 0.003, "inet_down_cost": 0.002, "inet_up": 712.0, "inet_down": 812.0,
        "min_bid": full * 0.45, "is_bid": bid,
        "reliability2": 0.9931 - 0.01 * p as f64,
        "verification": if p == 5 { "unverified" } else { "verified" },
        "verified": p != 5,
        "cuda_max_good": 12.8, "driver_version": "570.86.10", "duration": 1_728_000.0, "geolocation": place,
        "rentable": true, "rented": false, "vms_enabled": false, "external": false,
        "cpu_arch": "amd64", "gpu_arch": "nvidia", "hosting_type": u32::from(p.is_multiple_of(2)),
    })
}

/// Whether a row passes the filters of the body, with the server's own defaults.
fn matches(row: &Value, body: &Value) -> bool {
    let empty = Map::new();
    let filters = body.as_object().unwrap_or(&empty);
    let defaults = [
        ("verified", json!({"eq": true})),
        ("rentable", json!({"eq": true})),
        ("rented", json!({"eq": false})),
    ];
    defaults
        .iter()
        .filter(|(key, _)| !filters.contains_key(*key))
        .all(|(key, filter)| passes(&row[*key], filter))
        && filters
            .iter()
            .filter(|(key, _)| row.get(*key).is_some())
            .all(|(key, filter)| passes(&row[key], filter))
}

fn passes(value: &Value, filter: &Value) -> bool {
    let Some(operators) = filter.as_object() else { return true };
    operators.iter().all(|(operator, bound)| {
        let compare = || value.as_f64().zip(bound.as_f64());
        match operator.as_str() {
            "eq" => same(value, bound),
            "neq" => !same(value, bound),
            "gt" => compare().is_some_and(|(a, b)| a > b),
            "gte" => compare().is_some_and(|(a, b)| a >= b),
            "lt" => compare().is_some_and(|(a, b)| a < b),
            "lte" => compare().is_some_and(|(a, b)| a <= b),
            "in" => bound.as_array().is_some_and(|list| list.iter().any(|one| same(value, one))),
            "notin" => !bound.as_array().is_some_and(|list| list.iter().any(|one| same(value, one))),
            _ => true,
        }
    })
}

/// JSON tells `1` from `1.0`; the market does not.
fn same(a: &Value, b: &Value) -> bool {
    a == b || a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() < f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_sells_its_cards_in_overlapping_parts() {
        let rows = offers(1.0, false);
        let counts: Vec<_> =
            rows.iter().filter(|r| r["machine_id"] == 20_100).map(|r| r["num_gpus"].as_u64()).collect();
        assert_eq!(counts, [Some(1), Some(2), Some(4), Some(8)]);
    }

    #[test]
    fn filters_and_defaults_are_the_servers() {
        let rows = offers(1.0, false);
        let count = |body: Value| rows.iter().filter(|row| matches(row, &body)).count();
        // 7 cards in 8 places make 3+4+3+4+4+4+2 offers a place; one place in eight is unverified.
        assert_eq!(count(json!({"verified": {}})), 24 * 8);
        assert_eq!(count(json!({})), 24 * 7);
        assert_eq!(count(json!({"gpu_name": {"in": ["H100 SXM"]}, "num_gpus": {"gte": 4}})), 2 * 7);
        assert_eq!(count(json!({"no_such_field": {"eq": 1}})), 24 * 7);
    }
}
