//! The clouds: regions, flavors, and where their prices are told.

use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::super::kind::Kind;
use super::super::machine::Service;
use super::super::{Answer, Refused, Shared};
use super::{Query, enter, page};

/// One cloud.
pub struct Cloud {
    /// Its word.
    pub service: Service,
    /// Its name in commands.
    pub name: &'static str,
    /// The path of the sign-in.
    pub identity: &'static str,
    /// Where it has machines.
    pub regions: &'static [&'static str],
    /// What it offers.
    pub kinds: &'static [Kind],
    /// Whether flavors say their cards.
    pub tells_specs: bool,
    /// Whether servers boot from a volume.
    pub from_volume: bool,
    /// The tag of what may be taken back.
    pub spot: Option<&'static str>,
    /// Whether a network gives public addresses itself.
    pub public_network: bool,
    /// The currency of its prices.
    pub currency: &'static str,
    /// Seconds that count whole once begun.
    pub increment_s: i64,
}

const fn kind(
    (name, gpu): (&'static str, &'static str),
    (driver, mib, gib): (&'static str, u32, u32),
    (cards, price): (u32, i64),
    (vcpus, memory, disk): (u32, u32, u32),
    places: &'static [(&'static str, usize)],
) -> Kind {
    Kind { name, gpu, driver, mib, gib, cards, price, vcpus, memory, disk, places }
}

const T4: (&str, u32, u32) = ("Tesla T4", 15_360, 16);
const L4: (&str, u32, u32) = ("NVIDIA L4", 23_034, 24);
const H100: (&str, u32, u32) = ("NVIDIA H100 PCIe", 81_559, 80);
const NONE: (&str, u32, u32) = ("", 0, 0);

/// Selectel.
pub const SELECTEL: Cloud = Cloud {
    service: Service::Selectel,
    name: "selectel",
    identity: "/identity/v3/auth/tokens",
    regions: &["ru-7", "ru-9"],
    kinds: &[
        kind(("GL3.4-32768-0-1GPU", ""), T4, (1, 900_000), (4, 32, 0), &[("ru-7", 4)]),
        kind(("GL3.8-65536-0-2GPU", ""), T4, (2, 1_800_000), (8, 64, 0), &[("ru-9", 2)]),
        // A line whose card nobody knows, and one without a price.
        kind(
            ("GL11.8-65536-0-1GPU", ""),
            ("NVIDIA L4", 23_034, 24),
            (1, 1_500_000),
            (8, 64, 0),
            &[("ru-9", 2)],
        ),
        kind(("GL12.8-65536-0-1GPU", ""), NONE, (1, 0), (8, 64, 0), &[("ru-7", 1)]),
        kind(("SL1.1-1024", ""), NONE, (0, 0), (1, 1, 8), &[("ru-7", 9), ("ru-9", 9)]),
    ],
    tells_specs: false,
    from_volume: true,
    spot: Some("preemptible"),
    public_network: false,
    currency: "RUB",
    increment_s: 3600,
};

/// VK Cloud.
pub const VK: Cloud = Cloud {
    service: Service::Vk,
    name: "vk",
    identity: "/v3/auth/tokens",
    regions: &["RegionOne"],
    kinds: &[
        kind(("GPU2-16-72-L4-1", ""), L4, (1, 1_100_000), (16, 72, 0), &[("RegionOne", 3)]),
        kind(
            ("GPU3-16-112-L40S-1", ""),
            ("NVIDIA L40S", 46_068, 48),
            (1, 1_900_000),
            (16, 112, 0),
            &[("RegionOne", 1)],
        ),
        kind(
            ("GPU1A-32-96-A100-1", ""),
            ("NVIDIA A100-PCIE-40GB", 40_960, 40),
            (1, 2_100_000),
            (32, 96, 0),
            &[("RegionOne", 1)],
        ),
        kind(
            ("vGPU-2-8-L4-1Q", ""),
            ("NVIDIA L4-1Q", 1_024, 1),
            (1, 120_000),
            (2, 8, 0),
            &[("RegionOne", 9)],
        ),
        kind(("STD3-2-8", ""), NONE, (0, 0), (2, 8, 0), &[("RegionOne", 9)]),
    ],
    from_volume: true,
    spot: None,
    increment_s: 60,
    ..SELECTEL
};

/// immers.cloud.
pub const IMMERS: Cloud = Cloud {
    service: Service::Immers,
    name: "immers",
    identity: "/v3/auth/tokens",
    regions: &["default"],
    kinds: &[
        kind(
            ("rtx3090-1.8.32.160", ""),
            ("NVIDIA GeForce RTX 3090", 24_576, 24),
            (1, 800_000),
            (8, 32, 160),
            &[("default", 3)],
        ),
        kind(
            ("teslaa100-1.16.128.160", ""),
            ("NVIDIA A100 80GB PCIe", 81_920, 80),
            (1, 2_200_000),
            (16, 128, 160),
            &[("default", 1)],
        ),
        kind(("cpu.2.4.40", ""), NONE, (0, 0), (2, 4, 40), &[("default", 9)]),
    ],
    from_volume: false,
    spot: None,
    increment_s: 1,
    ..SELECTEL
};

/// OVHcloud.
pub const OVH: Cloud = Cloud {
    service: Service::Ovh,
    name: "ovh",
    identity: "/v3/auth/tokens",
    regions: &["GRA11", "UK1"],
    kinds: &[
        kind(("l4-90", "L4"), L4, (1, 7_500), (22, 90, 400), &[("GRA11", 3)]),
        kind(("h100-380", "H100"), H100, (1, 28_000), (30, 380, 200), &[("GRA11", 2), ("UK1", 1)]),
        kind(
            ("t2-180", "V100S"),
            ("Tesla V100S-PCIE-32GB", 32_768, 32),
            (4, 60_000),
            (60, 180, 50),
            &[("GRA11", 1)],
        ),
        kind(("b3-8", ""), NONE, (0, 0), (2, 8, 50), &[("GRA11", 9), ("UK1", 9)]),
    ],
    from_volume: false,
    spot: None,
    public_network: true,
    currency: "EUR",
    ..SELECTEL
};

/// A cloud nobody has heard of.
pub const OPENSTACK: Cloud = Cloud {
    service: Service::Openstack,
    name: "openstack",
    identity: "/v3/auth/tokens",
    regions: &["RegionOne"],
    kinds: &[
        kind(("g1.l4", "l4"), L4, (1, 6_000), (8, 32, 100), &[("RegionOne", 4)]),
        kind(("g1.h100.2", "h100"), H100, (2, 52_000), (32, 256, 0), &[("RegionOne", 1)]),
        kind(("m1.small", ""), NONE, (0, 0), (1, 2, 20), &[("RegionOne", 9)]),
    ],
    tells_specs: true,
    from_volume: false,
    spot: None,
    currency: "EUR",
    increment_s: 60,
    ..SELECTEL
};

/// A flavor's id in a region: the same flavor has other ones elsewhere.
pub fn id_of(kind: &Kind, region: &str) -> String {
    let number: usize = kind.name.bytes().chain(region.bytes()).map(usize::from).sum();
    (3000 + number % 6000).to_string()
}

/// The flavor of this id in a region.
pub fn by_id(cloud: &Cloud, region: &str, id: &str) -> Option<&'static Kind> {
    let here = |kind: &&Kind| kind.places.iter().any(|(place, _)| *place == region);
    cloud.kinds.iter().filter(here).find(|kind| id_of(kind, region) == id)
}

/// The flavor's extra specs.
pub fn specs(cloud: &Cloud, kind: &Kind) -> Value {
    match cloud.tells_specs && kind.cards > 0 {
        true => {
            json!({ "pci_passthrough:alias": format!("{}:{}", kind.gpu, kind.cards), "hw:cpu_policy": "dedicated" })
        }
        false => json!({}),
    }
}

/// Refuses a region that the cloud does not have.
pub fn known(cloud: &Cloud, region: &str) -> Result<(), Refused> {
    match cloud.regions.contains(&region) {
        true => Ok(()),
        false => Err(StatusCode::NOT_FOUND.into_response().into()),
    }
}

/// The flavors of a region.
pub async fn flavors(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    drop(enter(&market, cloud, &headers, false)?);
    let here = cloud.kinds.iter().filter(|kind| kind.places.iter().any(|(place, _)| *place == region));
    let rows = here
        .map(|kind| {
            json!({
                "id": id_of(kind, &region), "name": kind.name, "vcpus": kind.vcpus, "ram": kind.memory * 1024,
                "disk": kind.disk, "OS-FLV-EXT-DATA:ephemeral": 0, "swap": 0, "rxtx_factor": 1.0, "description": null,
                "OS-FLV-DISABLED:disabled": false, "os-flavor-access:is_public": kind.cards == 0,
                "extra_specs": specs(cloud, kind), "links": [],
            })
        })
        .collect();
    Ok(page("flavors", rows, &query))
}

/// The sheet of prices that a team keeps.
pub async fn sheet(State(market): State<Shared>, Extension(cloud): Extension<&'static Cloud>) -> Answer {
    let factor = market.factor();
    let mut lines = vec!["item,name,region,kind,price,currency,gpu,gpus,as_of".to_owned()];
    for kind in cloud.kinds.iter().filter(|kind| kind.price > 0) {
        let (name, price, currency) = (kind.name, kind.number(factor), cloud.currency);
        lines.push(format!("flavor,{name},,,{price},{currency},,,2026-11-01"));
        if cloud.spot.is_some() {
            lines.push(format!("flavor,{name},,spot,{:.4},{currency},,,2026-11-01", price * 0.3));
        }
    }
    lines.push(format!("disk,,,,12,{},,,2026-11-01", cloud.currency));
    Ok(([(header::CONTENT_TYPE, "text/csv")], lines.join("\n")).into_response())
}

/// The public catalogue of OVHcloud.
pub async fn catalogue(State(market): State<Shared>, Extension(cloud): Extension<&'static Cloud>) -> Answer {
    let factor = market.factor();
    let addons = cloud.kinds.iter().flat_map(|kind| {
        let price = kind.cost(factor) * 10_000;
        let gpu = match kind.cards {
            0 => Value::Null,
            cards => json!({ "model": kind.gpu, "number": cards, "memory": { "size": kind.gib } }),
        };
        let blobs = json!({ "tags": ["active"], "technical": { "cpu": { "cores": kind.vcpus }, "gpu": gpu } });
        [
            json!({ "planCode": format!("{}.consumption", kind.name), "invoiceName": kind.name, "blobs": blobs,
                    "pricings": [{ "price": price, "description": "Hourly consumption", "intervalUnit": "hour" }] }),
            json!({ "planCode": format!("{}.monthly.postpaid", kind.name), "invoiceName": kind.name, "blobs": blobs,
                    "pricings": [{ "price": price * 400, "description": "Monthly", "intervalUnit": "month" }] }),
        ]
    });
    let addons: Vec<Value> = addons.collect();
    let plans = json!([{ "planCode": "project", "addonFamilies": [{ "name": "instance", "addons": [] }] }]);
    Ok(Json(json!({
        "catalogId": 1, "locale": { "currencyCode": cloud.currency, "subsidiary": "FR", "taxRate": 20 },
        "plans": plans, "addons": addons,
    }))
    .into_response())
}
