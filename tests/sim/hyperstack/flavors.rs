//! Flavors, their stock, their prices, and the regions.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::machine::{Cards, Service};
use super::super::world::World;
use super::super::{Answer, Shared};
use super::{done, enter};

/// A size of machine in a region.
pub struct Flavor {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub region: &'static str,
    /// The model, empty for a machine without cards.
    pub gpu: &'static str,
    /// The card as its driver spells it.
    driver: &'static str,
    mib: u32,
    /// Cards.
    pub cards: u32,
    cpu: u32,
    ram: f64,
    /// GB of the root disk.
    pub disk: u32,
    ephemeral: u32,
    /// How many at a time.
    most: usize,
    /// Whether it may hibernate.
    pub hibernates: bool,
}

/// Every flavor, the sold out and the cardless ones too.
pub const FLAVORS: [Flavor; 7] = [
    Flavor {
        name: "n3-H100x8",
        region: "CANADA-1",
        gpu: "H100-80G-PCIe",
        driver: "NVIDIA H100 PCIe",
        mib: 81_559,
        cards: 8,
        cpu: 252,
        ram: 1440.0,
        disk: 100,
        ephemeral: 6_500,
        most: 1,
        hibernates: true,
    },
    Flavor {
        name: "n3-H100x1",
        region: "CANADA-1",
        gpu: "H100-80G-PCIe",
        driver: "NVIDIA H100 PCIe",
        mib: 81_559,
        cards: 1,
        cpu: 28,
        ram: 180.0,
        disk: 100,
        ephemeral: 750,
        most: 4,
        hibernates: true,
    },
    Flavor {
        name: "n3-H100-SXM5x8",
        region: "NORWAY-1",
        gpu: "H100-80G-SXM5",
        driver: "NVIDIA H100 80GB HBM3",
        mib: 81_559,
        cards: 8,
        cpu: 192,
        ram: 1800.0,
        disk: 100,
        ephemeral: 32_000,
        most: 0,
        hibernates: true,
    },
    Flavor {
        name: "n3-RTX-A6000x1",
        region: "NORWAY-1",
        gpu: "RTX-A6000",
        driver: "NVIDIA RTX A6000",
        mib: 49_140,
        cards: 1,
        cpu: 28,
        ram: 58.5,
        disk: 100,
        ephemeral: 0,
        most: 9,
        hibernates: true,
    },
    Flavor {
        name: "n3-RTX-A6000x1-spot",
        region: "CANADA-1",
        gpu: "RTX-A6000",
        driver: "NVIDIA RTX A6000",
        mib: 49_140,
        cards: 1,
        cpu: 28,
        ram: 58.5,
        disk: 100,
        ephemeral: 0,
        most: 9,
        hibernates: true,
    },
    Flavor {
        name: "n2-L40x1-big-root",
        region: "US-1",
        gpu: "L40",
        driver: "NVIDIA L40",
        mib: 46_068,
        cards: 1,
        cpu: 28,
        ram: 58.0,
        disk: 825,
        ephemeral: 0,
        most: 2,
        hibernates: false,
    },
    Flavor {
        name: "n1-cpu-small",
        region: "CANADA-1",
        gpu: "",
        driver: "",
        mib: 0,
        cards: 0,
        cpu: 4,
        ram: 4.0,
        disk: 100,
        ephemeral: 0,
        most: 99,
        hibernates: false,
    },
];

/// USD for a card and hour by the name in the price book, which is not always the flavor's.
const PRICES: [(&str, f64); 7] = [
    ("H100-80G-PCIe", 1.90),
    ("h100-80g-sxm5", 3.20),
    ("RTX-A6000", 0.50),
    ("RTX-A6000-spot", 0.40),
    ("L40", 1.00),
    ("vCPU", 0.01),
    ("Public IP", 0.006_720_43),
];

/// USD for a GB of disk and hour.
pub const DISK: f64 = 0.000_096_774;

/// What an hour of the whole machine costs in dollars.
pub fn hour(flavor: &Flavor, factor: f64) -> f64 {
    let name =
        if flavor.name.ends_with("-spot") { format!("{}-spot", flavor.gpu) } else { flavor.gpu.to_owned() };
    let price =
        PRICES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)).map_or(0.0, |(_, price)| *price);
    priced(price, factor) * f64::from(flavor.cards)
}

fn priced(price: f64, factor: f64) -> f64 {
    (price * factor * 1e6).round() / 1e6
}

/// The cards of a machine of this flavor.
pub fn cards(flavor: &Flavor) -> Cards {
    Cards { name: flavor.driver.to_owned(), count: flavor.cards, memory_mib: flavor.mib, watts: 350 }
}

/// How many of this flavor are there now.
pub fn left(flavor: &Flavor, world: &World) -> usize {
    let sold_out = &world.sold_out;
    if sold_out.contains(flavor.name) || sold_out.contains(&format!("{}/{}", flavor.name, flavor.region)) {
        return 0;
    }
    let taken = world
        .machines
        .iter()
        .filter(|m| m.service == Service::Hyperstack && m.holds_cards() && m.facts["flavor"] == flavor.name);
    flavor.most.saturating_sub(taken.count())
}

/// A flavor as it is shown.
pub fn shown(flavor: &Flavor) -> Value {
    let features = if flavor.hibernates { json!({}) } else { json!({ "no_hibernation": true }) };
    json!({
        "id": 91, "name": flavor.name, "cpu": flavor.cpu, "ram": flavor.ram, "disk": flavor.disk,
        "ephemeral": flavor.ephemeral, "gpu": flavor.gpu, "gpu_count": flavor.cards, "features": features, "labels": [],
    })
}

/// Every flavor by card and region.
pub async fn flavors(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, _, _) = enter(&market, &headers, false)?;
    let groups: Vec<Value> = FLAVORS
        .iter()
        .map(|flavor| {
            let mut row = shown(flavor);
            row["display_name"] = Value::Null;
            row["region_name"] = flavor.region.into();
            row["stock_available"] = (left(flavor, &world) > 0).into();
            json!({ "gpu": flavor.gpu, "region_name": flavor.region, "flavors": [row] })
        })
        .collect();
    Ok(done(json!({ "data": groups })))
}

/// Stock by card: numbers as texts, and machines of each size.
pub async fn stocks(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, _, _) = enter(&market, &headers, false)?;
    let rows: Vec<Value> = REGIONS
        .iter()
        .map(|(region, _)| {
            let here = FLAVORS.iter().filter(|flavor| flavor.region == *region && flavor.cards > 0);
            let models: Vec<Value> = here
                .map(|flavor| {
                    let sizes: Map<String, Value> =
                        [(format!("{}x", flavor.cards), left(flavor, &world).into())].into_iter().collect();
                    json!({ "model": flavor.gpu, "available": "10+", "planned_7_days": "0", "planned_30_days": "0",
                            "planned_100_days": "0", "configurations": sizes })
                })
                .collect();
            json!({ "region": region, "stock-type": "GPU", "models": models })
        })
        .collect();
    Ok(done(json!({ "stocks": rows })))
}

/// The price book: a bare list.
pub async fn prices(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let factor = market.factor();
    drop(enter(&market, &headers, false)?);
    let rows: Vec<Value> = PRICES
        .iter()
        .enumerate()
        .map(|(n, (name, price))| {
            json!({ "id": n, "name": name, "value": priced(*price, factor), "original_value": price, "discount_applied": false,
                    "start_time": "2024-01-01T00:00:00", "end_time": null })
        })
        .collect();
    Ok(Json(rows).into_response())
}

/// Regions and the countries' names.
pub const REGIONS: [(&str, &str); 3] =
    [("CANADA-1", "Canada"), ("NORWAY-1", "Norway"), ("US-1", "United States")];

/// Every region.
pub async fn regions(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    let rows: Vec<Value> = REGIONS
        .iter()
        .enumerate()
        .map(|(n, (name, country))| {
            json!({ "id": n, "name": name, "country": country, "description": "", "features": {}, "green_status": "GREEN" })
        })
        .collect();
    Ok(done(json!({ "regions": rows })))
}
