//! Hyperstack's list of offers.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{PriceKind, SupplyState};
use gpudesk_providers::http::Secret;
use gpudesk_providers::hyperstack::Hyperstack;
use gpudesk_providers::{OfferSource, SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{KEY, decimal, ok};
use crate::support::{RawServer, Say, fetch_with, kit, offer};

fn line(name: &str, value: &Value, start: &Value, end: &Value) -> Value {
    json!({"id": 1, "name": name, "value": value, "original_value": 9, "discount_applied": true, "start_time": start, "end_time": end})
}

fn book() -> Value {
    let open = &Value::Null;
    json!([
        line("H100-80G-PCIe", &json!(2.5), &json!("2024-01-01T00:00:00"), &json!("2026-01-01T00:00:00")),
        line("H100-80G-PCIe", &json!("1.90"), &json!("2026-01-01T00:00:00"), open),
        line("H100-80G-PCIe", &json!(1.1), &json!("2027-01-01T00:00:00Z"), open),
        line("h100 80g sxm5", &json!(3.2), open, open),
        line("H100-80G-PCIe-NVLink", &json!(2.6), open, open),
        line("RTX-A6000", &json!(0.5), open, open),
        line("RTX-A6000-spot", &json!(0.4), open, open),
        line("vCPU", &json!(0.01), open, open),
        7,
    ])
}

fn flavor(name: &str, gpu: &str, count: u32, stock: &Value, region: &str) -> Value {
    json!({"id": 91, "name": name, "display_name": null, "region_name": region, "cpu": 252, "ram": 1440.5, "disk": 100,
           "ephemeral": 6500, "gpu": gpu, "gpu_count": count, "stock_available": stock, "features": {}, "labels": []})
}

fn flavors() -> Value {
    let yes = json!(true);
    let mut labelled = flavor("n3-RTX-A6000x2", "RTX-A6000", 2, &yes, "CANADA-1");
    labelled["labels"] = json!([{"id": 1, "label": "Spot"}]);
    json!({"status": true, "data": [
        {"gpu": "H100-80G-PCIe", "region_name": "CANADA-1", "flavors": [
            flavor("n3-H100x8", "H100-80G-PCIe", 8, &yes, "CANADA-1"),
            flavor("n3-H100x4", "H100-80G-PCIe", 4, &yes, "CANADA-1"),
            flavor("n3-H100x2", "H100-80G-PCIe", 2, &json!(false), "CANADA-1"),
            flavor("n3-H100x3", "H100-80G-PCIe", 3, &yes, "CANADA-1"),
        ]},
        {"gpu": "H100-80G-SXM5", "region_name": "NORWAY-1", "flavors": [
            flavor("n3-H100-SXM5x8", "H100-80G-SXM5", 8, &Value::Null, "NORWAY-1"),
            flavor("n3-H100-NVLinkx8", "H100-80G-PCIe-NVLink", 8, &yes, "NORWAY-1"),
        ]},
        {"gpu": "RTX-A6000", "region_name": "CANADA-1", "flavors": [
            flavor("n3-RTX-A6000x1", "RTX-A6000", 1, &yes, "CANADA-1"), labelled,
            flavor("n3-L40x1-spot", "L40", 1, &yes, "US-1"),
        ]},
        {"gpu": "Q900-500G", "region_name": "MARS-1", "flavors": [
            flavor("n9-Q900x1", "Q900-500G", 1, &yes, "MARS-1"), 7,
        ]},
        {"gpu": "", "region_name": "CANADA-1", "flavors": [flavor("n1-cpu-small", "", 0, &yes, "CANADA-1")]},
    ]})
}

fn stocks() -> Value {
    json!({"stocks": [{"region": "CANADA-1", "stock-type": "GPU", "models": [
        {"model": "H100-80G-PCIe", "available": "10+", "planned_7_days": "0", "configurations": {"1x": 21, "2x": 10, "4x": 0, "8x": 2}},
        {"model": "RTX-A6000", "available": "0", "configurations": {"1x": 0}},
    ]}]})
}

fn regions() -> Value {
    json!({"regions": [{"id": 1, "name": "CANADA-1", "country": "Canada", "green_status": "GREEN"},
                       {"id": 2, "name": "NORWAY-1", "country": "Norway"}, {"id": 3, "name": "US-1", "country": "USA"}]})
}

async fn fetch(script: Vec<Say>) -> (Result<Fetched, SourceError>, RawServer) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("hyperstack", server.url.as_str());
    let (http, _) = kit();
    (fetch_with(&Hyperstack::new(&config), &http, Some(&Secret::new(KEY))).await, server)
}

fn script() -> Vec<Say> {
    vec![ok(&book()), ok(&stocks()), ok(&regions()), ok(&flavors())]
}

#[tokio::test]
async fn flavors_prices_and_stock_make_offers() {
    let (fetched, server) = fetch(script()).await;
    let fetched = fetched.unwrap();
    for request in server.requests() {
        assert!(request.contains(&format!("api_key: {KEY}")) && !request.contains("Bearer"), "{request}");
    }
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (12, 8, 1));

    let eight = offer(&fetched, "hyperstack:n3-H100x8@CANADA-1-on-demand");
    assert_eq!(
        (eight.price.per_hour, eight.per_gpu_hour()),
        (decimal("15.2"), decimal("1.9")),
        "the line that holds now"
    );
    assert_eq!((eight.gpu.model.as_deref(), eight.gpu.vram_gib), (Some("H100 PCIe"), Some(80.0)));
    assert_eq!((eight.supply.state, eight.supply.count), (SupplyState::InStock, Some(2)));
    assert_eq!((eight.place.country.as_deref(), eight.place.seller.as_deref()), (Some("CA"), Some("GB")));
    assert_eq!(
        (eight.disk.included_gb, eight.disk.max_gb, eight.ram_gib),
        (Some(100.0), Some(6600.0), Some(1440.5))
    );
    assert_eq!((eight.price.increment_s, eight.price.egress_gb), (Some(60), Some(decimal("0"))));

    let supply = |id: &str| (offer(&fetched, id).supply.state, offer(&fetched, id).supply.count);
    let some = (SupplyState::InStock, None);
    assert_eq!(
        supply("hyperstack:n3-H100x4@CANADA-1-on-demand"),
        some,
        "the flavor is believed, not the 0 of the list"
    );
    assert_eq!(supply("hyperstack:n3-H100x2@CANADA-1-on-demand"), (SupplyState::OutOfStock, Some(0)));
    assert_eq!(supply("hyperstack:n3-H100x3@CANADA-1-on-demand"), some, "a size that the list does not have");
    assert_eq!(supply("hyperstack:n3-H100-SXM5x8@NORWAY-1-on-demand"), (SupplyState::Unknown, None));

    let sxm = offer(&fetched, "hyperstack:n3-H100-SXM5x8@NORWAY-1-on-demand");
    assert_eq!(
        (sxm.price.per_hour, sxm.gpu.model.as_deref()),
        (decimal("25.6"), Some("H100 SXM")),
        "two spellings of one name"
    );
    assert_eq!(sxm.place.country.as_deref(), Some("NO"));
    let bridged = offer(&fetched, "hyperstack:n3-H100-NVLinkx8@NORWAY-1-on-demand");
    assert_eq!(
        (bridged.price.per_hour, bridged.gpu.model.as_deref()),
        (decimal("20.8"), Some("H100 PCIe")),
        "never merged"
    );
    assert_eq!(bridged.gpu.link.as_deref(), Some("NVLink bridge"));

    let one = offer(&fetched, "hyperstack:n3-RTX-A6000x1@CANADA-1-on-demand");
    assert_eq!((one.price.per_hour, one.gpu.vram_gib), (decimal("0.5"), Some(48.0)), "memory from the table");
    let spot = offer(&fetched, "hyperstack:n3-RTX-A6000x2@CANADA-1-spot");
    assert_eq!((spot.price.kind, spot.price.per_hour), (PriceKind::Spot, decimal("0.8")));

    let reasons: Vec<(ReasonCode, &str)> =
        fetched.quarantined.iter().map(|row| (row.reason.code, row.origin.as_str())).collect();
    assert_eq!(
        reasons,
        [
            (ReasonCode::PriceMissing, "flavor n3-L40x1-spot in US-1"),
            (ReasonCode::PriceMissing, "flavor n9-Q900x1 in MARS-1"),
            (ReasonCode::Unreadable, "flavor number 11"),
        ],
        "a price that is not in the book is unknown, and never the usual one"
    );
}

#[tokio::test]
async fn every_card_of_the_price_list_is_in_the_table() {
    let names = [
        ("B300-288G-SXM6", "B300 SXM", 288.0),
        ("B200-180G-SXM6", "B200 SXM", 180.0),
        ("H200-141G-SXM5", "H200 SXM", 141.0),
        ("H100-80G-SXM5", "H100 SXM", 80.0),
        ("H100-80G-PCIe-NVLink", "H100 PCIe", 80.0),
        ("H100-80G-PCIe", "H100 PCIe", 80.0),
        ("RTX-PRO6000-SE", "RTX PRO 6000 Blackwell Server", 96.0),
        ("A100-80G-SXM4", "A100 80GB SXM", 80.0),
        ("A100-80G-PCIe", "A100 80GB PCIe", 80.0),
        ("A100-80G-PCIe-NVLink", "A100 80GB PCIe", 80.0),
        ("L40", "L40", 48.0),
        ("RTX-A6000", "RTX A6000", 48.0),
        ("RTX-A4000", "RTX A4000", 16.0),
    ];
    let lines: Vec<Value> =
        names.iter().map(|(name, ..)| line(name, &json!(1.5), &Value::Null, &Value::Null)).collect();
    let rows: Vec<Value> =
        names.iter().map(|(name, ..)| flavor(&format!("n-{name}"), name, 1, &json!(true), "US-1")).collect();
    let (fetched, _) = fetch(vec![
        ok(&json!(lines)),
        ok(&stocks()),
        ok(&regions()),
        ok(&json!({"status": true, "data": [{"flavors": rows}]})),
    ])
    .await;
    let fetched = fetched.unwrap();
    for (name, model, vram) in names {
        let row = offer(&fetched, &format!("hyperstack:n-{name}@US-1-on-demand"));
        assert_eq!((row.gpu.model.as_deref(), row.gpu.vram_gib), (Some(model), Some(vram)), "{name}");
        assert_eq!(row.place.country.as_deref(), Some("US"));
    }
}

#[tokio::test]
async fn offers_stand_without_stock_and_regions() {
    let broken = || {
        Say::http(
            "400 Bad Request",
            &[],
            r#"{"status": false, "message": "oh", "error_reason": "bad_request"}"#,
        )
    };
    let (fetched, _) = fetch(vec![ok(&book()), broken(), broken(), ok(&flavors())]).await;
    let fetched = fetched.unwrap();
    let eight = offer(&fetched, "hyperstack:n3-H100x8@CANADA-1-on-demand");
    assert_eq!((eight.supply.state, eight.supply.count), (SupplyState::InStock, None));
    assert_eq!(eight.place.country.as_deref(), Some("CA"));
    assert_eq!(fetched.notes.iter().filter(|note| note.contains("could not be read")).count(), 2);
}

#[tokio::test]
async fn odd_answers_replace_nothing() {
    for (at, answer, code) in [
        (3, ok(&json!({"status": true, "data": []})), SourceErrorCode::BadAnswer),
        (3, ok(&json!({"status": true})), SourceErrorCode::BadAnswer),
        (3, ok(&json!({"status": false, "message": "maintenance"})), SourceErrorCode::ProviderRefused),
        (0, ok(&json!({"status": true})), SourceErrorCode::BadAnswer),
        (
            0,
            Say::http(
                "401 Unauthorized",
                &[],
                r#"{"status": false, "message": "Unauthorized", "error_reason": "unauthorized"}"#,
            ),
            SourceErrorCode::ProviderRefused,
        ),
    ] {
        let mut script = script();
        script[at] = answer;
        let error = fetch(script).await.0.unwrap_err();
        assert_eq!(error.code, code, "{error}");
    }
    assert!(Hyperstack::new(&SourceConfig::default()).needs_key());
}

#[tokio::test]
async fn a_group_that_cannot_be_read_costs_only_itself() {
    for odd in [Value::Null, json!("x"), json!([])] {
        let mut told = flavors();
        told["data"].as_array_mut().unwrap().insert(1, odd.clone());
        let (fetched, _) = fetch(vec![ok(&book()), ok(&stocks()), ok(&regions()), ok(&told)]).await;
        let fetched = fetched.unwrap();
        assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (13, 8, 1), "{odd}");
        let group = fetched.quarantined.iter().find(|row| row.origin.contains("group")).unwrap();
        assert_eq!(
            (group.origin.as_str(), group.reason.code),
            ("group of flavors number 2", ReasonCode::Unreadable)
        );
    }
    let mut some = stocks();
    some["stocks"].as_array_mut().unwrap().insert(0, Value::Null);
    some["stocks"][1]["models"].as_array_mut().unwrap().insert(0, Value::Null);
    let (fetched, _) = fetch(vec![ok(&book()), ok(&some), ok(&regions()), ok(&flavors())]).await;
    let fetched = fetched.unwrap();
    let eight = offer(&fetched, "hyperstack:n3-H100x8@CANADA-1-on-demand");
    assert_eq!(eight.supply.count, Some(2), "the stock beside an odd entry is read");
}
