//! Offers of the suppliers.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::machine::{Machine, Service};
use super::super::world::World;
use super::super::{Answer, Shared};
use super::{enter, unprocessable};

/// The cards that filters and orders may name.
const CARDS: [&str; 7] =
    ["CPU_NODE", "A100_80GB", "H100_80GB", "H200_141GB", "RTX4090_24GB", "L40S_48GB", "GH200_96GB"];

/// An offer.
pub struct Row {
    pub id: &'static str,
    pub gpu: &'static str,
    pub socket: &'static str,
    pub supplier: &'static str,
    pub region: Option<&'static str>,
    pub center: Option<&'static str>,
    pub country: Option<&'static str>,
    pub count: u32,
    pub memory: u32,
    /// Usual disk, price of a GB and hour, whether it is inside.
    pub disk: Option<(u32, f64, bool)>,
    pub vcpus: u32,
    pub ram: u32,
    pub stock: &'static str,
    pub community: bool,
    pub price: Option<f64>,
    pub currency: &'static str,
    pub spot: Option<bool>,
    pub prepaid: Option<u32>,
    /// The card as the driver spells it, and its MiB.
    pub driver: (&'static str, u32),
    /// Machines there.
    pub most: usize,
}

const RUNPOD: Row = Row {
    id: "NVIDIA A100 80GB PCIe",
    gpu: "A100_80GB",
    socket: "PCIe",
    supplier: "runpod",
    region: None,
    center: Some("EUR-IS-1"),
    country: Some("IS"),
    count: 1,
    memory: 80,
    disk: Some((80, 0.00014, false)),
    vcpus: 16,
    ram: 125,
    stock: "High",
    community: false,
    price: Some(1.64),
    currency: "USD",
    spot: None,
    prepaid: None,
    driver: ("NVIDIA A100 80GB PCIe", 81_920),
    most: 4,
};
const HYPERSTACK: Row = Row {
    id: "n3-H100x8",
    gpu: "H100_80GB",
    socket: "PCIe",
    supplier: "hyperstack",
    region: Some("canada"),
    center: Some("CANADA-1"),
    country: Some("CA"),
    count: 8,
    disk: Some((750, 0.0, true)),
    vcpus: 252,
    ram: 1_440,
    stock: "Low",
    price: Some(15.2),
    driver: ("NVIDIA H100 PCIe", 81_559),
    most: 1,
    ..RUNPOD
};

/// Every offer. Among them what the list is known for: one id for several offers, hidden suppliers, a country that is
/// wrong or missing, a price that is none, another currency, a term that is charged at once, a machine without cards.
pub const ROWS: &[Row] = &[
    RUNPOD,
    Row { count: 2, price: Some(3.28), ram: 250, ..RUNPOD },
    Row {
        community: true,
        center: None,
        country: Some("DE"),
        price: Some(0.34),
        id: "NVIDIA GeForce RTX 4090",
        gpu: "RTX4090_24GB",
        memory: 24,
        driver: ("NVIDIA GeForce RTX 4090", 24_564),
        ..RUNPOD
    },
    HYPERSTACK,
    Row {
        count: 1,
        price: Some(1.9),
        vcpus: 31,
        ram: 180,
        disk: Some((100, 0.0, true)),
        most: 2,
        ..HYPERSTACK
    },
    Row {
        supplier: "datacrunch",
        id: "1A100.22V",
        center: Some("FIN-01"),
        country: Some("FI"),
        region: Some("eu_north"),
        socket: "SXM4",
        price: Some(1.29),
        driver: ("NVIDIA A100-SXM4-80GB", 81_920),
        ..RUNPOD
    },
    Row {
        supplier: "datacrunch",
        id: "1A100.22V_SPOT",
        center: Some("FIN-01"),
        country: Some("FI"),
        region: Some("eu_north"),
        socket: "SXM4",
        price: Some(0.65),
        spot: Some(true),
        driver: ("NVIDIA A100-SXM4-80GB", 81_920),
        ..RUNPOD
    },
    Row {
        supplier: "lambdalabs",
        id: "gpu_1x_gh200",
        gpu: "GH200_96GB",
        memory: 96,
        socket: "SXM5",
        center: Some("me-west-1"),
        country: Some("IS"),
        region: Some("middle_east"),
        price: Some(1.49),
        disk: None,
        driver: ("NVIDIA GH200 480GB", 97_871),
        ..RUNPOD
    },
    Row {
        supplier: "dc_roan",
        id: "h100-sxm-8",
        socket: "SXM5",
        center: Some("a3111bd4-550a-47d0-838a-0a52bff2ae3f"),
        country: Some("US"),
        region: Some("united_states"),
        price: Some(17.6),
        driver: ("NVIDIA H100 80GB HBM3", 81_559),
        ..HYPERSTACK
    },
    Row {
        supplier: "nebius",
        id: "gpu-h200-sxm",
        gpu: "H200_141GB",
        memory: 141,
        socket: "SXM5",
        center: Some("eu-west1"),
        country: None,
        region: Some("eu_west"),
        price: Some(28.0),
        currency: "EUR",
        stock: "Unavailable",
        ..HYPERSTACK
    },
    Row {
        supplier: "primecompute",
        id: "prime-h100-720",
        socket: "SXM5",
        center: None,
        country: Some("US"),
        price: Some(14.0),
        prepaid: Some(720),
        driver: ("NVIDIA H100 80GB HBM3", 81_559),
        ..HYPERSTACK
    },
    Row {
        supplier: "cloudofmystery",
        id: "l40s",
        gpu: "L40S_48GB",
        memory: 48,
        center: None,
        country: None,
        region: Some("eu_west"),
        price: Some(0.79),
        driver: ("NVIDIA L40S", 46_068),
        ..RUNPOD
    },
    Row { supplier: "akash", id: "unpriced", price: None, ..RUNPOD },
    Row {
        supplier: "cudocompute",
        id: "cpu",
        gpu: "CPU_NODE",
        count: 0,
        memory: 0,
        price: Some(0.2),
        ..RUNPOD
    },
];

/// What the whole of an offer costs an hour, with the usual disk where that is not inside.
pub fn per_hour(row: &Row, factor: f64, disk_gb: f64) -> f64 {
    let disk = row.disk.filter(|(_, _, inside)| !inside).map_or(0.0, |(_, unit, _)| unit * disk_gb);
    base(row, factor).unwrap_or_default() + disk
}

fn base(row: &Row, factor: f64) -> Option<f64> {
    row.price.map(|price| (price * factor * 1e6).round() / 1e6)
}

/// Whether there is one left.
pub fn has(row: &Row, world: &World) -> bool {
    let center = row.center.unwrap_or_default();
    let names = [row.id.to_owned(), format!("{}/{}", row.supplier, row.id), format!("{}/{center}", row.id)];
    let taken = |m: &&Machine| {
        m.service == Service::Prime
            && m.holds_cards()
            && m.facts["supplier"] == row.supplier
            && m.facts["cloudId"] == row.id
            && m.facts["gpuCount"] == row.count
    };
    row.stock != "Unavailable"
        && names.iter().all(|name| !world.sold_out.contains(name))
        && world.machines.iter().filter(taken).count() < row.most
}

/// The images of every offer.
pub const IMAGES: [&str; 3] = ["ubuntu_22_cuda_12", "cuda_12_4_pytorch_2_6", "cuda_12_6_pytorch_2_7"];

fn shown(row: &Row, factor: f64, world: &World) -> Value {
    let price = base(row, factor);
    let disk = row.disk.map_or(json!({}), |(usual, unit, inside)| {
        json!({
            "minCount": usual, "defaultCount": usual, "maxCount": 2_000, "pricePerUnit": unit, "step": 1,
            "defaultIncludedInPrice": inside, "additionalInfo": null,
        })
    });
    let stock = if has(row, world) { row.stock } else { "Unavailable" };
    json!({
        "cloudId": row.id, "gpuType": row.gpu, "socket": row.socket, "provider": row.supplier, "region": row.region,
        "dataCenter": row.center, "country": row.country, "gpuCount": row.count, "gpuMemory": row.memory, "disk": disk,
        "sharedDisk": {}, "vcpu": { "defaultCount": row.vcpus }, "memory": { "defaultCount": row.ram },
        "internetSpeed": null, "interconnect": null, "interconnectType": null, "provisioningTime": 2,
        "stockStatus": stock, "security": security(row),
        "prices": {
            "onDemand": price.filter(|_| !row.community), "communityPrice": price.filter(|_| row.community),
            "isVariable": null, "currency": row.currency,
        },
        "images": IMAGES, "isSpot": row.spot, "prepaidTime": row.prepaid,
    })
}

/// The word of an offer's market.
pub fn security(row: &Row) -> &'static str {
    if row.community { "community_cloud" } else { "secure_cloud" }
}

/// Filters and the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filters {
    #[serde(default = "first")]
    page: usize,
    #[serde(default = "super::hundred")]
    page_size: usize,
    gpu_type: Option<String>,
    gpu_count: Option<u32>,
    socket: Option<String>,
    security: Option<String>,
    data_center_id: Option<String>,
    cloud_id: Option<String>,
}

fn first() -> usize {
    1
}

/// A page of offers.
pub async fn gpus(
    State(market): State<Shared>,
    Query(filters): Query<Filters>,
    headers: HeaderMap,
) -> Answer {
    let factor = market.factor();
    let (world, _, _) = enter(&market, &headers, false)?;
    if filters.page == 0 || filters.page_size == 0 || filters.page_size > 100 {
        return Err(unprocessable("page_size", "must be between 1 and 100"));
    }
    if filters.gpu_type.as_deref().is_some_and(|name| !CARDS.contains(&name)) {
        return Err(unprocessable("gpu_type", "value is not a valid enumeration member"));
    }
    let same = |wanted: &Option<String>, has: &str| wanted.as_deref().is_none_or(|wanted| wanted == has);
    let rows: Vec<Value> = ROWS
        .iter()
        .filter(|row| {
            same(&filters.gpu_type, row.gpu) && filters.gpu_count.is_none_or(|count| count == row.count)
        })
        .filter(|row| same(&filters.socket, row.socket) && same(&filters.cloud_id, row.id))
        .filter(|row| same(&filters.security, security(row)))
        .filter(|row| same(&filters.data_center_id, row.center.unwrap_or_default()))
        .map(|row| shown(row, factor, &world))
        .collect();
    let total = rows.len();
    let page: Vec<Value> =
        rows.into_iter().skip((filters.page - 1) * filters.page_size).take(filters.page_size).collect();
    Ok(Json(json!({ "items": page, "totalCount": total })).into_response())
}

/// Clusters and network disks: nobody offers any.
pub async fn none(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(Json(json!({ "items": [], "totalCount": 0 })).into_response())
}
