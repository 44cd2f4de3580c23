//! Vultr's list of offers.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Form, Isolation, PriceKind, SupplyState};
use gpudesk_providers::vultr::Vultr;
use gpudesk_providers::{OfferSource, SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch, kit, offer};

fn meta(total: usize, next: &str) -> Value {
    json!({"total": total, "links": {"next": next, "prev": ""}})
}

fn plans() -> Value {
    let vm = |id: &str, gpu: &str, vram: u32, hour: &Value, places: &Value| {
        json!({"id": id, "vcpu_count": 16, "ram": 184_320, "disk": 1200, "disk_count": 1, "bandwidth": 10_240, "monthly_cost": 1219,
               "hourly_cost": hour, "type": "vcg", "gpu_type": gpu, "gpu_vram_gb": vram, "locations": places})
    };
    let mut month_only = vm("vcg-a40-x", "NVIDIA_A40", 48, &Value::Null, &json!(["fra"]));
    month_only["monthly_cost"] = json!(1250);
    json!([
        vm("vcg-l40s-16c-180g-48vram", "NVIDIA_L40S", 48, &json!(1.671), &json!(["fra", "ewr", ""])),
        vm("vcg-a100-1c-6g-4vram", "NVIDIA_A100", 4, &json!(0.123), &json!(["ewr"])),
        vm("vcg-h100-8", "NVIDIA_H100", 640, &json!(19.12), &json!([])),
        month_only,
        vm("vcg-free", "NVIDIA_A16", 16, &json!(0), &json!(["fra"])),
        {"id": "vc2-1c-1gb", "vcpu_count": 1, "ram": 1024, "disk": 25, "monthly_cost": 0, "hourly_cost": 0, "type": "vc2", "locations": ["fra"]},
    ])
}

fn metal() -> Value {
    json!([
        {"id": "vbm-256c-2048gb-8-mi300x-gpu", "cpu_count": 128, "cpu_threads": 256, "ram": 2_321_924, "disk": "3576", "disk_count": 8,
         "monthly_cost": 11773.44, "hourly_cost": 17.52, "monthly_cost_preemptible": 9891.84, "hourly_cost_preemptible": 14.72,
         "type": "NVMe", "locations": ["ord"]},
        {"id": "vbm-112c-2048gb-8-h100-gpu", "cpu_threads": 224, "ram": 2_097_152, "disk": 960, "disk_count": 2, "monthly_cost": 16074.24,
         "type": "NVMe", "locations": ["sea"]},
        {"id": "vbm-9c-99gb-16-q900-gpu", "cpu_threads": 9, "ram": 1024, "disk": 1, "hourly_cost": 50, "type": "NVMe", "locations": ["fra"]},
        {"id": "vbm-4c-32gb", "cpu_threads": 8, "ram": 32_768, "disk": 240, "monthly_cost": 120, "hourly_cost": 0.179, "type": "SSD", "locations": ["fra"]},
    ])
}

fn regions() -> Value {
    json!([{"id": "fra", "city": "Frankfurt", "country": "DE", "continent": "Europe"}, {"id": "ewr", "country": "US"},
           {"id": "ord", "country": "US"}, {"id": "xyz", "country": "ZZ"}])
}

async fn read(script: Vec<Say>) -> (Result<Fetched, SourceError>, RawServer) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("vultr", server.url.as_str());
    let (http, _) = kit();
    (fetch(&Vultr::new(&config), &http).await, server)
}

fn lists() -> Vec<Say> {
    vec![
        ok(&json!({"plans": plans(), "meta": meta(6, "")})),
        ok(&json!({"plans_metal": metal(), "meta": meta(4, "")})),
        ok(&json!({"regions": regions(), "meta": meta(4, "")})),
    ]
}

fn stock() -> Say {
    // The same for every region: what counts is which plan is asked for where.
    ok(
        &json!({"available_plans": ["vcg-l40s-16c-180g-48vram", "vbm-112c-2048gb-8-h100-gpu"], "available_vpc_only_plans": ["vcg-a40-x"]}),
    )
}

#[tokio::test]
async fn plans_of_both_kinds_make_offers_without_a_key() {
    let mut script = lists();
    script.push(stock());
    let (fetched, server) = read(script).await;
    let fetched = fetched.unwrap();
    let mut lines: Vec<String> =
        server.requests().iter().map(|text| text.lines().next().unwrap().replace(" HTTP/1.1", "")).collect();
    assert_eq!(
        lines[..3],
        [
            "GET /v2/plans?type=all&per_page=500",
            "GET /v2/plans-metal?per_page=500",
            "GET /v2/regions?per_page=500"
        ]
    );
    lines[3..].sort();
    let asked = ["ewr", "fra", "ord", "sea"].map(|place| format!("GET /v2/regions/{place}/availability"));
    assert_eq!(lines[3..], asked);
    assert!(!server.requests()[0].contains("authorization"));
    assert_eq!(
        (fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu, fetched.quarantined.len()),
        (10, 7, 2, 1)
    );
    assert_eq!(
        fetched.quarantined[0].reason.code,
        ReasonCode::PriceImpossible,
        "a free plan would win every sort"
    );

    let l40s = offer(&fetched, "vultr:vcg-l40s-16c-180g-48vram@fra-on-demand");
    assert_eq!((l40s.price.per_hour, l40s.gpu.model.as_deref()), (decimal("1.671"), Some("L40S")));
    assert_eq!((l40s.form, l40s.isolation, l40s.ram_gib), (Form::Vm, Isolation::Vm, Some(180.0)));
    assert_eq!((l40s.place.country.as_deref(), l40s.place.seller.as_deref()), (Some("DE"), Some("US")));
    assert_eq!(
        (l40s.supply.state, l40s.price.increment_s, l40s.price.minimum_s),
        (SupplyState::InStock, Some(3600), Some(3600))
    );
    assert_eq!(
        fetched.offers.iter().filter(|offer| offer.name == l40s.name).count(),
        2,
        "a place without a name is none"
    );

    let slice = offer(&fetched, "vultr:vcg-a100-1c-6g-4vram@ewr-on-demand");
    assert_eq!((slice.form, slice.gpu.count, slice.gpu.vram_gib), (Form::Fraction, 1, Some(4.0)));
    assert_eq!((slice.gpu.fraction, slice.supply.state), (Some(0.05), SupplyState::OutOfStock));

    let nowhere = offer(&fetched, "vultr:vcg-h100-8@none-on-demand");
    assert_eq!(
        (nowhere.supply.state, nowhere.gpu.count, nowhere.gpu.vram_gib),
        (SupplyState::OutOfStock, 8, Some(80.0))
    );
    let month = offer(&fetched, "vultr:vcg-a40-x@fra-on-demand");
    assert_eq!(month.price.per_hour, decimal("1.712329"), "a month of a machine with cards has 730 hours");

    let h100 = offer(&fetched, "vultr:vbm-112c-2048gb-8-h100-gpu@sea-on-demand");
    assert_eq!(h100.price.per_hour, decimal("23.92"), "a month of bare metal has 672 hours");
    assert_eq!((h100.form, h100.isolation), (Form::BareMetal, Isolation::DedicatedHost));
    assert_eq!((h100.gpu.count, h100.disk.included_gb, h100.vcpu), (8, Some(1920.0), Some(224.0)));
    assert_eq!(
        h100.place.country.as_deref(),
        Some("US"),
        "known by our table where the list of regions lacks it"
    );

    let amd = offer(&fetched, "vultr:vbm-256c-2048gb-8-mi300x-gpu@ord-spot");
    assert_eq!((amd.price.kind, amd.price.per_hour), (PriceKind::Spot, decimal("14.72")));
    assert_eq!((amd.supply.state, amd.disk.included_gb), (SupplyState::Unknown, Some(28_608.0)));
    let unknown = offer(&fetched, "vultr:vbm-9c-99gb-16-q900-gpu@fra-on-demand");
    assert_eq!((unknown.gpu.model.as_deref(), unknown.gpu.vram_gib, unknown.gpu.count), (None, None, 16));
    assert_eq!(unknown.gpu.raw_name, "vbm-9c-99gb-16-q900-gpu", "shown under its own name");
}

#[tokio::test]
async fn pages_are_followed_by_their_token_and_a_lost_one_is_an_error() {
    let page =
        |rows: &[Value], total: usize, next: &str| ok(&json!({"plans": rows, "meta": meta(total, next)}));
    let all = plans();
    let rows = all.as_array().unwrap();
    let mut script = vec![page(&rows[..3], 6, "bmV4dA=="), page(&rows[3..], 6, "")];
    script.extend(lists().into_iter().skip(1));
    script.push(stock());
    let (fetched, server) = read(script).await;
    assert_eq!(fetched.unwrap().rows_read, 10);
    assert!(
        server.requests()[1].starts_with("GET /v2/plans?type=all&per_page=500&cursor=bmV4dA%3D%3D HTTP/1.1")
    );
    for script in [vec![page(&rows[..3], 6, "")], vec![page(&rows[..3], 6, "again")]] {
        let error = read(script).await.0.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::BadAnswer);
    }
}

#[tokio::test]
async fn a_region_that_cannot_be_asked_has_unknown_stock() {
    let mut script = lists();
    script.push(Say::http("404 Not Found", &[], r#"{"error": "Invalid region", "status": 404}"#));
    let fetched = read(script).await.0.unwrap();
    assert_eq!(
        offer(&fetched, "vultr:vcg-l40s-16c-180g-48vram@fra-on-demand").supply.state,
        SupplyState::Unknown
    );
    assert!(
        fetched.notes.iter().any(|note| note.contains("regions whose stock could not be read: 4")),
        "{:?}",
        fetched.notes
    );
}

#[tokio::test]
async fn odd_answers_replace_nothing() {
    for answer in [
        ok(&json!({"meta": meta(0, "")})),
        ok(&json!([])),
        Say::http("200 OK", &[], "<html><title>Just a moment</title></html>"),
        Say::http("200 OK", &[], "{\"plans\": [{\"id\": \"v"),
    ] {
        assert_eq!(read(vec![answer]).await.0.unwrap_err().code, SourceErrorCode::BadAnswer);
    }
    let empty = |name: &str| ok(&json!({name: [], "meta": meta(0, "")}));
    let (failed, _) = read(vec![empty("plans"), empty("plans_metal"), empty("regions")]).await;
    assert_eq!(failed.unwrap_err().code, SourceErrorCode::BadAnswer);
    assert!(!Vultr::new(&SourceConfig::default()).needs_key());
}

#[tokio::test]
async fn an_order_on_demand_that_is_not_taken_is_out_of_stock() {
    let mut plan = plans()[0].clone();
    plan["deploy_ondemand"] = json!(false);
    let script = vec![
        ok(&json!({"plans": [plan], "meta": meta(1, "")})),
        ok(&json!({"plans_metal": [], "meta": meta(0, "")})),
        ok(&json!({"regions": regions(), "meta": meta(4, "")})),
        stock(),
    ];
    let fetched = read(script).await.0.unwrap();
    assert_eq!(
        offer(&fetched, "vultr:vcg-l40s-16c-180g-48vram@fra-on-demand").supply.state,
        SupplyState::OutOfStock
    );
}

#[tokio::test]
async fn plans_do_not_wait_for_the_regions_and_an_empty_list_may_be_null() {
    let mut script = lists();
    script[2] = Say::http("200 OK", &[], "{\"regions\": null}");
    script.extend([stock(), stock(), stock(), stock()]);
    let (fetched, _) = read(script).await;
    let fetched = fetched.unwrap();
    assert!(!fetched.offers.is_empty());
    assert!(
        fetched.notes.iter().any(|note| note.contains("the regions could not be read")),
        "{:?}",
        fetched.notes
    );

    let mut script = lists();
    script[1] = ok(&json!({"plans_metal": null, "meta": meta(0, "")}));
    script.extend([stock(), stock(), stock(), stock()]);
    let (fetched, _) = read(script).await;
    assert!(
        fetched.unwrap().offers.iter().all(|offer| offer.name.starts_with('v')),
        "the machines are there"
    );

    let mut script = lists();
    script[1] = ok(&json!({"plans_metal": null, "meta": meta(4, "")}));
    assert!(read(script).await.0.is_err(), "four rows that are not there are no empty list");
}
