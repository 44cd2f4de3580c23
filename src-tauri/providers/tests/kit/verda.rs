//! Verda's list of offers.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{PriceKind, SupplyState};
use gpudesk_providers::http::Secret;
use gpudesk_providers::verda::Verda;
use gpudesk_providers::{OfferSource, SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch_with, kit, offer};

const KEY: &str = r#"{"client_id": "cl13nt", "client_secret": "s3cret-of-it"}"#;

fn token() -> Say {
    ok(&json!({"access_token": "t0ken", "refresh_token": "r", "expires_in": 3600, "token_type": "Bearer"}))
}

fn kind(name: &str, gpu: &str, count: u32, memory: u32, price: &Value, spot: &Value) -> Value {
    json!({
        "id": "u", "instance_type": name, "model": "x", "name": "x", "display_name": null,
        "cpu": {"description": "176 CPU", "number_of_cores": 176}, "memory": {"size_in_gigabytes": 1480},
        "gpu": {"description": gpu, "number_of_gpus": count}, "gpu_memory": {"size_in_gigabytes": memory},
        "storage": {"description": "dynamic"}, "price_per_hour": price, "spot_price": spot, "currency": "usd",
        "p2p": "300 GB/s", "supported_os": ["ubuntu-24.04-cuda-12.8-open"],
    })
}

fn types() -> Value {
    json!([
        kind("8H100.80S.176V", "8x H100 SXM5 80GB", 8, 640, &json!("25.60"), &json!("8.96")),
        kind("2L40S.40V", "2x L40S 48GB", 2, 96, &json!(1.82), &json!("0.64")),
        kind("1Q900.10V", "1x Q900 500GB", 1, 500, &json!("9.00"), &Value::Null),
        kind("CPU.4V.16G", "", 0, 0, &json!("0.03"), &json!("0.01")),
        kind("1V100.6V", "1x NVIDIA Tesla V100 16GB", 1, 16, &json!("free"), &json!("0.05")),
        7,
    ])
}

fn places() -> Value {
    json!([{"code": "FIN-03", "name": "Finland 3", "country_code": "FI"},
           {"code": "ICE-01", "name": "Iceland 1", "country_code": null},
           {"code": "XYZ-01", "name": "?"}])
}

fn stock(place: &str, names: &[&str]) -> Value {
    json!([{"location_code": place, "availabilities": names}])
}

fn disks() -> Value {
    json!([{"type": "HDD", "price": {"price_per_month_per_gb": 0.05, "currency": "usd"}},
           {"type": "NVMe", "price": {"price_per_month_per_gb": 0.2, "cps_per_gb": 1, "currency": "usd"}}])
}

fn script(on_demand: &Value, spot: &Value) -> Vec<Say> {
    vec![token(), ok(&places()), ok(on_demand), ok(spot), ok(&disks()), ok(&types())]
}

async fn fetch(script: Vec<Say>) -> (Result<Fetched, SourceError>, RawServer) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("verda", server.url.as_str());
    let (http, _) = kit();
    (fetch_with(&Verda::new(&config), &http, Some(&Secret::new(KEY))).await, server)
}

#[tokio::test]
async fn types_places_and_kinds_of_price_make_offers() {
    let on_demand = stock("FIN-03", &["8H100.80S.176V", "1R800.20V"]);
    let (fetched, server) = fetch(script(&on_demand, &stock("ICE-01", &["8H100.80S.176V"]))).await;
    let fetched = fetched.unwrap();
    let lines: Vec<String> =
        server.requests().iter().map(|text| text.lines().next().unwrap().replace(" HTTP/1.1", "")).collect();
    assert_eq!(
        lines,
        [
            "POST /v1/oauth2/token",
            "GET /v1/locations",
            "GET /v1/instance-availability?is_spot=false",
            "GET /v1/instance-availability?is_spot=true",
            "GET /v1/volume-types",
            "GET /v1/instance-types?currency=usd",
        ]
    );
    assert!(server.requests()[1].contains("authorization: Bearer t0ken"));
    assert!(!server.requests()[1].contains("s3cret"));
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (7, 3, 1));

    let here = offer(&fetched, "verda:8H100.80S.176V@FIN-03-on-demand");
    assert_eq!((here.price.per_hour, here.per_gpu_hour()), (decimal("25.6"), decimal("3.2")));
    assert_eq!((here.gpu.model.as_deref(), here.gpu.vram_gib), (Some("H100 SXM"), Some(80.0)));
    assert_eq!((here.gpu.count, here.gpu.link.as_deref()), (8, None), "its NVLink stands in the table");
    assert_eq!((here.place.country.as_deref(), here.place.seller.as_deref()), (Some("FI"), Some("FI")));
    assert_eq!(here.price.storage_gb_month, Some(decimal("0.2")), "the disk is priced apart, by the month");
    assert_eq!(
        here.price.storage_stopped_gb_month,
        Some(decimal("0.2")),
        "and costs the same without a machine"
    );
    assert_eq!(
        (here.disk.included_gb, here.price.egress_gb, here.price.increment_s),
        (Some(0.0), None, None)
    );
    assert_eq!(here.supply.state, SupplyState::InStock);

    let spot = offer(&fetched, "verda:8H100.80S.176V@FIN-03-spot");
    assert_eq!((spot.price.kind, spot.price.per_hour), (PriceKind::Spot, decimal("8.96")));
    assert_eq!(spot.supply.state, SupplyState::OutOfStock, "what is not listed is not there");
    let ice = offer(&fetched, "verda:8H100.80S.176V@ICE-01-spot");
    assert_eq!((ice.supply.state, ice.place.country.as_deref()), (SupplyState::InStock, Some("IS")));
    assert_eq!(offer(&fetched, "verda:8H100.80S.176V@XYZ-01-on-demand").place.country, None, "never guessed");

    let pair = offer(&fetched, "verda:2L40S.40V@FIN-03-on-demand");
    assert_eq!(
        (pair.price.per_hour, pair.gpu.vram_gib),
        (decimal("1.82"), Some(48.0)),
        "a price as a number"
    );
    assert_eq!(pair.gpu.link.as_deref(), Some("300 GB/s peer to peer"));
    let unknown = offer(&fetched, "verda:1Q900.10V@FIN-03-on-demand");
    assert_eq!((unknown.gpu.model.as_deref(), unknown.gpu.raw_name.as_str()), (None, "Q900 500GB"));
    assert!(!fetched.offers.iter().any(|offer| offer.id.starts_with("verda:1Q900.10V@FIN-03-spot")));

    let reasons: Vec<(ReasonCode, &str)> =
        fetched.quarantined.iter().map(|row| (row.reason.code, row.origin.as_str())).collect();
    assert_eq!(
        reasons,
        [
            (ReasonCode::PriceImpossible, "instance type 1V100.6V"),
            (ReasonCode::Unreadable, "instance type number 6"),
            (ReasonCode::PriceMissing, "instance type 1R800.20V"),
        ],
        "what is in stock and in no price list is told"
    );
}

#[tokio::test]
async fn two_equal_lists_of_stock_say_nothing_of_spot() {
    let same = stock("FIN-03", &["8H100.80S.176V"]);
    let fetched = fetch(script(&same, &same)).await.0.unwrap();
    let state = |id: &str| offer(&fetched, id).supply.state;
    assert_eq!(state("verda:8H100.80S.176V@FIN-03-on-demand"), SupplyState::InStock);
    assert_eq!(state("verda:8H100.80S.176V@FIN-03-spot"), SupplyState::Unknown);
}

#[tokio::test]
async fn offers_stand_without_the_price_of_a_disk() {
    let none = json!([]);
    let mut script = script(&none, &none);
    script[4] = Say::http("404 Not Found", &[], r#"{"code":"not_found","message":"gone"}"#);
    let fetched = fetch(script).await.0.unwrap();
    let here = offer(&fetched, "verda:8H100.80S.176V@FIN-03-on-demand");
    assert_eq!((here.price.storage_gb_month, here.supply.state), (None, SupplyState::OutOfStock));
    assert!(fetched.notes.iter().any(|note| note.contains("disks")), "{:?}", fetched.notes);
}

#[tokio::test]
async fn odd_answers_replace_nothing() {
    let none = json!([]);
    for (at, answer) in [
        (5, ok(&json!([]))),
        (5, ok(&json!({"instance_types": []}))),
        (5, ok(&Value::Null)),
        (1, ok(&Value::Null)),
        (2, ok(&json!({"error": "x"}))),
        (5, Say::http("200 OK", &[], "<html><title>Sign in</title></html>")),
    ] {
        let mut script = script(&none, &none);
        script[at] = answer;
        let error = fetch(script).await.0.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::BadAnswer, "{error}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_told_without_repeating_it() {
    let words = json!({"code": "unauthorized_request", "message": "no client s3cret-of-it"});
    let (failed, server) = fetch(vec![Say::http("400 Bad Request", &[], words.to_string())]).await;
    let error = failed.unwrap_err();
    assert_eq!((error.code, server.requests().len()), (SourceErrorCode::ProviderRefused, 1));
    assert!(!format!("{error:?}").contains("s3cret-of-it"), "{error:?}");
    assert!(error.hint.unwrap().contains("client id and secret"));

    let mut config = SourceConfig::default();
    config.set_address("verda", "http://127.0.0.1:9");
    let (http, _) = kit();
    let error = fetch_with(&Verda::new(&config), &http, Some(&Secret::new("one-text"))).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Config);
    assert!(error.hint.unwrap().contains("client_id"));
    assert!(Verda::new(&config).needs_key());
}
