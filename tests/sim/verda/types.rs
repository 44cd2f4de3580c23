//! Types, places, stock, and what a disk costs.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::machine::{Cards, Service};
use super::super::world::World;
use super::super::{Answer, Shared};
use super::{enter, invalid};

/// A kind of machine.
pub struct Type {
    /// Its name.
    pub name: &'static str,
    /// Cards in words, with their number.
    gpu: &'static str,
    /// The card as its driver spells it.
    driver: &'static str,
    /// MiB of one card.
    mib: u32,
    /// GB of one card.
    gb: u32,
    /// Cards.
    pub cards: u32,
    vcpus: u32,
    memory: u32,
    /// US cents an hour, on demand and as spot.
    pub cents: (u32, u32),
    p2p: &'static str,
    /// Where it can be had, and how many at a time on demand and as spot.
    places: &'static [(&'static str, usize, usize)],
}

/// Every type, the sold out and the cardless ones too.
pub const TYPES: [Type; 6] = [
    Type {
        name: "8H100.80S.176V",
        gpu: "8x H100 SXM5 80GB",
        driver: "NVIDIA H100 80GB HBM3",
        mib: 81_559,
        gb: 80,
        cards: 8,
        vcpus: 176,
        memory: 1_480,
        cents: (2_560, 896),
        p2p: "900 GB/s",
        places: &[("FIN-03", 1, 0)],
    },
    Type {
        name: "1H100.80S.30V",
        gpu: "1x H100 SXM5 80GB",
        driver: "NVIDIA H100 80GB HBM3",
        mib: 81_559,
        gb: 80,
        cards: 1,
        vcpus: 30,
        memory: 120,
        cents: (320, 112),
        p2p: "",
        places: &[("FIN-01", 2, 3), ("FIN-03", 4, 0)],
    },
    Type {
        name: "2L40S.40V",
        gpu: "2x L40S 48GB",
        driver: "NVIDIA L40S",
        mib: 46_068,
        gb: 48,
        cards: 2,
        vcpus: 40,
        memory: 120,
        cents: (182, 64),
        p2p: "50 GB/s",
        places: &[("FIN-01", 3, 3)],
    },
    Type {
        name: "1V100.6V",
        gpu: "1x NVIDIA Tesla V100 16GB",
        driver: "Tesla V100-SXM2-16GB",
        mib: 16_384,
        gb: 16,
        cards: 1,
        vcpus: 6,
        memory: 23,
        cents: (14, 5),
        p2p: "",
        places: &[("FIN-01", 9, 9), ("ICE-01", 9, 9)],
    },
    Type {
        name: "8B300.270S.240V",
        gpu: "8x B300 SXM6 262GB",
        driver: "NVIDIA B300 SXM6 AC",
        mib: 275_040,
        gb: 262,
        cards: 8,
        vcpus: 240,
        memory: 2_200,
        cents: (4_952, 1_980),
        p2p: "1.8 TB/s",
        places: &[],
    },
    Type {
        name: "CPU.4V.16G",
        gpu: "",
        driver: "",
        mib: 0,
        gb: 0,
        cards: 0,
        vcpus: 4,
        memory: 16,
        cents: (3, 1),
        p2p: "",
        places: &[("FIN-01", 99, 99)],
    },
];

/// The images every type takes.
pub const IMAGES: [&str; 3] = [
    "ubuntu-24.04-cuda-12.8-open",
    "ubuntu-24.04-cuda-12.8-open-docker",
    "ubuntu-24.04-cuda-13.0-open-docker",
];

/// USD for a GB of the usual disk and month.
pub fn disk_price() -> f64 {
    0.2
}

/// What an hour costs in dollars.
pub fn hour(kind: &Type, spot: bool, factor: f64) -> f64 {
    let cents = if spot { kind.cents.1 } else { kind.cents.0 };
    (f64::from(cents) * factor).round() / 100.0
}

/// The cards of a machine of this type.
pub fn cards(kind: &Type) -> Cards {
    Cards { name: kind.driver.to_owned(), count: kind.cards, memory_mib: kind.mib, watts: 700 }
}

/// The part of a machine that tells its cards.
pub fn gpu(kind: &Type) -> Value {
    json!({ "description": kind.gpu, "number_of_gpus": kind.cards })
}

/// Whether a place has this type now.
pub fn has(kind: &Type, place: &str, spot: bool, world: &World) -> bool {
    if world.sold_out.contains(kind.name) || world.sold_out.contains(&format!("{}/{place}", kind.name)) {
        return false;
    }
    let most = kind.places.iter().find(|(name, ..)| *name == place);
    let most = most.map_or(0, |(_, on_demand, as_spot)| if spot { *as_spot } else { *on_demand });
    let taken = world.machines.iter().filter(|m| {
        m.service == Service::Verda
            && m.holds_cards()
            && m.facts["type"] == kind.name
            && m.facts["place"] == place
            && (m.facts["spot"] == spot)
    });
    taken.count() < most
}

/// Every type with its prices as texts.
pub async fn types(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let factor = market.factor();
    drop(enter(&market, &headers, false)?);
    let currency = query.get("currency").and_then(Value::as_str).unwrap_or("usd");
    if currency != "usd" && currency != "eur" {
        return Err(invalid("currency must be usd or eur"));
    }
    let rows: Vec<Value> = TYPES
        .iter()
        .map(|kind| {
            json!({
                "id": format!("0a000000-0000-4000-8000-{:012}", kind.cents.0), "instance_type": kind.name,
                "model": kind.gpu.split_whitespace().nth(1), "name": kind.gpu, "display_name": null,
                "cpu": { "description": format!("{} CPU", kind.vcpus), "number_of_cores": kind.vcpus },
                "gpu": gpu(kind), "memory": { "description": "", "size_in_gigabytes": kind.memory },
                "gpu_memory": { "description": "", "size_in_gigabytes": kind.gb * kind.cards },
                "storage": { "description": "dynamic" }, "price_per_hour": format!("{:.2}", hour(kind, false, factor)),
                "spot_price": format!("{:.2}", hour(kind, true, factor)), "dynamic_price": "9.99", "max_dynamic_price": "9.99",
                "serverless_price": null, "serverless_spot_price": null, "currency": currency, "manufacturer": "NVIDIA",
                "p2p": kind.p2p, "supported_os": IMAGES, "best_for": [], "deploy_warning": null, "description": "",
            })
        })
        .collect();
    Ok(Json(rows).into_response())
}

/// Places.
const PLACES: [(&str, &str, &str); 3] =
    [("FIN-01", "Finland 1", "FI"), ("FIN-03", "Finland 3", "FI"), ("ICE-01", "Iceland 1", "IS")];

/// Whether there is such a place.
pub fn is_place(code: &str) -> bool {
    PLACES.iter().any(|(known, ..)| *known == code)
}

/// Every place.
pub async fn locations(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    let rows: Vec<Value> = PLACES
        .iter()
        .map(|(code, name, iso)| json!({ "code": code, "name": name, "country_code": iso }))
        .collect();
    Ok(Json(rows).into_response())
}

fn asks_spot(query: &Map<String, Value>) -> bool {
    query.get("is_spot").and_then(Value::as_str) == Some("true")
}

/// What can be had where: on demand, unless spot is asked for.
pub async fn availability(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, _, _) = enter(&market, &headers, false)?;
    let spot = asks_spot(&query);
    let rows: Vec<Value> = PLACES
        .iter()
        .map(|(place, ..)| {
            let names: Vec<&str> =
                TYPES.iter().filter(|kind| has(kind, place, spot, &world)).map(|kind| kind.name).collect();
            json!({ "location_code": place, "availabilities": names })
        })
        .collect();
    Ok(Json(rows).into_response())
}

/// Whether one type can be had: a bare word.
pub async fn one_availability(
    State(market): State<Shared>,
    Path(name): Path<String>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, _, _) = enter(&market, &headers, false)?;
    let Some(kind) = TYPES.iter().find(|kind| kind.name == name) else {
        return Err(invalid("Invalid instance type"));
    };
    let place = query.get("location_code").and_then(Value::as_str);
    let spot = asks_spot(&query);
    let there = match place {
        Some(place) => has(kind, place, spot, &world),
        None => PLACES.iter().any(|(place, ..)| has(kind, place, spot, &world)),
    };
    Ok(there.to_string().into_response())
}

/// Kinds of disks.
pub async fn volume_types(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    let row = |kind: &str, price: f64| {
        json!({ "type": kind, "price": { "price_per_month_per_gb": price, "cps_per_gb": 0.0, "currency": "usd" },
                "is_shared_fs": false, "iops": "" })
    };
    Ok(Json(json!([row("HDD", 0.05), row("NVMe", disk_price())])).into_response())
}
