//! Vast.ai: offers (`POST /api/v0/bundles/`, no key needed) and the life of an instance.
//!
//! Field names, units and defaults as its documentation and clients have them: memory in MB per card, prices per
//! hour of the whole offer, 64 rows unless a limit is sent, unknown filters ignored.

mod keys;
mod ledger;
mod life;
mod rent;
mod show;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, delete, get, post, put};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::machine::Service;
use super::refusal;
use super::seller::{Billing, FROM_ORDER, Paths, RUNNING, STANDING, Seller, Sent};
use super::world::World;
use super::{Answer, Shared, lock};

/// Rows a request without a limit gets.
const DEFAULT_LIMIT: usize = 64;
/// GB of disk inside `dph_total` unless asked otherwise.
const DEFAULT_DISK: f64 = 8.0;
/// Hours in a month of storage.
const MONTH_HOURS: f64 = 720.0;

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

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Vast,
        name: "vast",
        addresses: &["GPUDESK_VAST_URL"],
        key_variable: "GPUDESK_VAST_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse: refusal::vast,
        // Cards only while active, the disk until destroyed.
        billing: Billing {
            cards: RUNNING,
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: 1,
            prepaid: true,
        },
        user: "root",
        paths: Paths { list: "/api/v1/instances/", launch: ("PUT", "/api/v0/asks/") },
        shares_port: true,
    }
}

/// The routes, each with and without the slash at its end.
pub fn routes() -> Router<Shared> {
    let table: [(&str, MethodRouter<Shared>); 17] = [
        ("/api/v0/bundles", post(bundles)),
        ("/api/v0/search/asks", put(search)),
        ("/api/v0/asks/{id}", put(rent::rent)),
        ("/api/v0/instances", get(life::all)),
        ("/api/v0/instances/{id}", get(life::one).put(life::change).delete(life::destroy)),
        ("/api/v0/instances/bid_price/{id}", put(life::bid)),
        ("/api/v0/instances/reboot/{id}", put(life::reboot)),
        ("/api/v0/instances/recycle/{id}", put(life::reboot)),
        ("/api/v0/instances/{id}/ssh", get(keys::of_instance).post(keys::attach)),
        ("/api/v0/instances/{id}/ssh/{key}", delete(keys::detach)),
        ("/api/v0/ssh", get(keys::all).post(keys::add)),
        ("/api/v0/ssh/{id}", delete(keys::remove)),
        ("/api/v0/users/current", get(ledger::user)),
        ("/api/v0/charges", get(ledger::charges)),
        ("/api/v0/instances/pending-price-increases", get(ledger::rises)),
        ("/api/v0/instances/accept-price-increase", put(ledger::accept_rise)),
        ("/api/v0/instances/reject-price-increase", put(ledger::reject_rise)),
    ];
    let mut router = Router::new();
    for (path, methods) in table {
        router = router.route(path, methods.clone()).route(&format!("{path}/"), methods);
    }
    // Without the slash this path is Lambda's.
    router
        .route("/api/v1/instances/", get(life::page))
        .route("/api/v1/invoices", get(ledger::invoices))
        .route("/api/v1/invoices/", get(ledger::invoices))
}

/// The newer search: the same filters inside `q`.
async fn search(State(market): State<Shared>, body: axum::body::Bytes) -> Answer {
    let body = super::document(&body);
    Ok(found(&market, &body["q"]).into_response())
}

async fn bundles(State(market): State<Shared>, body: axum::body::Bytes) -> Answer {
    Ok(found(&market, &super::document(&body)).into_response())
}

fn found(market: &Shared, body: &Value) -> Json<Value> {
    let bid = body["type"] == "bid";
    let disk = body["allocated_storage"].as_f64().unwrap_or(DEFAULT_DISK);
    let mut world = lock(&market.world);
    world.settle(market.clock.now());
    let mut rows: Vec<Value> =
        offers(market.factor(), bid, disk, &world).into_iter().filter(|row| matches(row, body)).collect();
    rows.sort_by(|a, b| {
        a["dph_total"].as_f64().unwrap_or(0.0).total_cmp(&b["dph_total"].as_f64().unwrap_or(0.0))
    });
    let limit = body["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(DEFAULT_LIMIT);
    rows.truncate(limit);
    Json(json!({ "offers": rows }))
}

/// Every offer: each machine sells 1, 2, 4 … of its cards, overlapping.
fn offers(factor: f64, bid: bool, disk: f64, world: &World) -> Vec<Value> {
    let mut rows = Vec::new();
    for (c, card) in CARDS.iter().enumerate() {
        for (p, place) in PLACES.iter().enumerate() {
            let machine = 20_000 + 100 * c + p;
            let free = free_cards(card, machine as u64, world);
            let mut count = 1;
            while count <= free {
                rows.push(offer(card, *place, machine, p, count, factor, bid, disk, world));
                count *= 2;
            }
        }
    }
    rows.retain(|row| row["id"].as_u64().is_some_and(|id| !world.taken.contains(&id)));
    rows
}

/// How many cards of a machine nobody has; none where the machine was told to be sold out.
fn free_cards(card: &Card, machine: u64, world: &World) -> u32 {
    if world.sold_out.contains(&machine.to_string()) || world.sold_out.contains(card.name) {
        return 0;
    }
    let held: u32 = world
        .machines
        .iter()
        .filter(|m| m.service == Service::Vast && m.facts["machine_id"] == machine && m.holds_cards())
        .map(|m| m.cards.count)
        .sum();
    card.most.saturating_sub(held)
}

#[expect(clippy::too_many_arguments, reason = "a row of a table has as many sides")]
fn offer(
    card: &Card,
    place: Option<&str>,
    machine: usize,
    p: usize,
    count: u32,
    factor: f64,
    bid: bool,
    allocated_disk: f64,
    world: &World,
) -> Value {
    // Hosts ask what they like: a few percent up or down by machine.
    let host = 1.0 + 0.03 * (p as f64) - 0.05;
    let full = card.per_hour * f64::from(count) * host * factor;
    let price = if bid { full * 0.45 } else { full };
    let storage = 0.15 + 0.01 * p as f64;
    let generation = world.generations.get(&(machine as u64)).copied().unwrap_or(0);
    let id = 31_000_000 + generation * 1_000_000 + machine as u64 * 10 + u64::from(count);
    json!({
        "id": id, "ask_contract_id": id, "bundle_id": id, "machine_id": machine, "host_id": 900 + p,
        "gpu_name": card.name, "num_gpus": count, "gpu_frac": f64::from(count) / f64::from(card.most),
        "gpu_ram": card.ram_mb, "gpu_total_ram": card.ram_mb * count, "gpu_mem_bw": card.bandwidth,
        "bw_nvlink": card.nvlink, "pcie_bw": 22.9, "pci_gen": 4.0, "gpu_lanes": 16,
        "cpu_cores": 64, "cpu_cores_effective": 64.0 * f64::from(count) / f64::from(card.most),
        "cpu_ram": 257_654, "disk_space": 812.4, "disk_bw": 3_120.5,
        "dph_base": price, "dph_total": price + storage * allocated_disk / MONTH_HOURS,
        "storage_cost": storage, "storage_total_cost": storage * allocated_disk / MONTH_HOURS,
        "inet_up_cost": 0.003, "inet_down_cost": 0.002, "inet_up": 712.0, "inet_down": 812.0,
        "min_bid": full * 0.45, "is_bid": bid,
        "reliability2": 0.9931 - 0.01 * p as f64,
        "verification": if p == 5 { "unverified" } else { "verified" },
        "verified": p != 5,
        "cuda_max_good": 12.8, "driver_version": "570.86.10", "duration": 1_728_000.0, "geolocation": place,
        "rentable": true, "rented": false, "vms_enabled": false, "external": false,
        "cpu_arch": "amd64", "compute_cap": 890, "static_ip": true, "direct_port_count": 100,
        "dlperf": 74.1 * f64::from(count), "total_flops": 82.6 * f64::from(count), "cpu_name": "EPYC 7763", "gpu_arch": "nvidia", "hosting_type": u32::from(p.is_multiple_of(2)),
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

/// Whether a row passes these filters and no others.
fn matches_only(row: &Value, filters: &Value) -> bool {
    let filters = filters.as_object();
    filters.into_iter().flatten().all(|(key, filter)| passes(&row[key.as_str()], filter))
}

fn passes(value: &Value, filter: &Value) -> bool {
    let Some(operators) = filter.as_object() else { return true };
    operators.iter().all(|(operator, bound)| {
        let compare = || number(value).zip(number(bound));
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

/// JSON tells `1` from `1.0` and from `"1"`; the market does not.
fn same(a: &Value, b: &Value) -> bool {
    a == b || number(a).zip(number(b)).is_some_and(|(a, b)| (a - b).abs() < f64::EPSILON)
}

/// A number, also one in quotes: the vendor's own client sends every bound of a filter as text.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_sells_its_cards_in_overlapping_parts() {
        let rows = offers(1.0, false, DEFAULT_DISK, &World::default());
        let counts: Vec<_> =
            rows.iter().filter(|r| r["machine_id"] == 20_100).map(|r| r["num_gpus"].as_u64()).collect();
        assert_eq!(counts, [Some(1), Some(2), Some(4), Some(8)]);
    }

    #[test]
    fn filters_and_defaults_are_the_servers() {
        let rows = offers(1.0, false, DEFAULT_DISK, &World::default());
        let count = |body: Value| rows.iter().filter(|row| matches(row, &body)).count();
        // 7 cards in 8 places make 3+4+3+4+4+4+2 offers a place; one place in eight is unverified.
        assert_eq!(count(json!({"verified": {}})), 24 * 8);
        assert_eq!(count(json!({})), 24 * 7);
        assert_eq!(count(json!({"gpu_name": {"in": ["H100 SXM"]}, "num_gpus": {"gte": 4}})), 2 * 7);
        assert_eq!(count(json!({"gpu_name": {"eq": "H100 SXM"}, "num_gpus": {"gte": "4"}})), 2 * 7);
        assert_eq!(count(json!({"num_gpus": {"eq": "8"}})), 4 * 7);
        assert_eq!(count(json!({"no_such_field": {"eq": 1}})), 24 * 7);
    }
}
