//! RunPod's keyless GraphQL against a server on loopback.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::{Form, SupplyState};
use gpudesk_providers::http::Secret;
use gpudesk_providers::runpod::RunPod;
use gpudesk_providers::{SourceConfig, SourceErrorCode};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::{RawServer, Say, fetch, kit, offer};

const DIRECTORY: &str = include_str!("../fixtures/runpod-directory.json");
const SWEDEN: &str = include_str!("../fixtures/runpod-EU-SE-1.json");

fn runpod(address: &str) -> RunPod {
    let mut config = SourceConfig::default();
    config.set_address("runpod_graphql", address);
    RunPod::new(&config)
}

fn decimal(text: &str) -> rust_decimal::Decimal {
    text.parse().unwrap()
}

/// The place a query asks for: a data centre's id or a country's code; empty for the directory.
fn asked(request: &Request) -> String {
    let body: Value = request.body_json().unwrap();
    let query = body["query"].as_str().unwrap();
    ["dataCenterId: \"", "countryCode: \""]
        .iter()
        .find_map(|name| Some(query.split_once(name)?.1.split_once('"')?.0.to_owned()))
        .unwrap_or_default()
}

async fn server(answer: impl Fn(&str) -> ResponseTemplate + Send + Sync + 'static) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/graphql"))
        .respond_with(move |request: &Request| answer(&asked(request)))
        .mount(&server)
        .await;
    server
}

fn ok(body: impl Into<String>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body.into(), "application/json")
}

fn one(id: &str, price: f64) -> String {
    let lowest =
        json!({"stockStatus": "High", "uninterruptablePrice": price, "minVcpu": 16, "minMemory": 62});
    json!({"data": {"gpuTypes": [{"id": id, "x1": lowest, "x2": null, "x4": null, "x8": null}]}}).to_string()
}

fn odd(place: &str) -> ResponseTemplate {
    match place {
        "" => ok(DIRECTORY),
        "EU-SE-1" => ok(SWEDEN),
        "US-DE-1" => ok(one("NVIDIA GeForce RTX 4090", 0.71)),
        "SE" => ok(one("NVIDIA GeForce RTX 4090", 0.34)),
        // The card is not in the Community cloud, whatever the answer says.
        "XX" => ok(one("NVIDIA H100 80GB HBM3", 1.99)),
        other => panic!("asked for {other}"),
    }
}

#[tokio::test]
async fn rows_are_normalised() {
    let server = server(odd).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    insta::assert_json_snapshot!("offers", fetched.offers);
    insta::assert_json_snapshot!("notes", fetched.notes);
}

#[tokio::test]
async fn every_odd_entry_is_set_aside_or_told() {
    let server = server(odd).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    let reasons: Vec<_> = fetched
        .quarantined
        .iter()
        .map(|row| (row.origin.as_str(), row.reason.code, row.reason.detail.as_str()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("gpuTypes entry 11", ReasonCode::Unreadable, "the entry has no id"),
            (
                "NVIDIA RTX A4500 x1, secure EU-SE-1",
                ReasonCode::Duplicate,
                "the same offer as NVIDIA RTX A4500 x1, secure EU-SE-1, described differently"
            ),
            ("NVIDIA L4 x1, secure EU-SE-1", ReasonCode::PriceImpossible, "price is 0"),
        ]
    );
    assert_eq!(fetched.rows_not_gpu, 1, "the entry `unknown`");
    assert!(fetched.notes.iter().any(|note| note.ends_with("NVIDIA A5000 Ada")), "{:?}", fetched.notes);
    // All sizes of one place in one question: the directory and four places.
    assert_eq!(server.received_requests().await.unwrap().len(), 5);
}

#[tokio::test]
async fn price_is_per_card_times_cards_once_and_memory_is_of_the_pod() {
    let server = server(odd).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    let eight = offer(&fetched, "runpod:NVIDIA H100 80GB HBM3x8-secure-EU-SE-1");
    assert_eq!(eight.price.per_hour, decimal("23.92"));
    assert_eq!((eight.vcpu, eight.ram_gib), (Some(160.0), Some(2008.0)));
    assert_eq!((eight.gpu.model.as_deref(), eight.gpu.vram_gib), (Some("H100 SXM"), Some(80.0)));
    assert_eq!(eight.gpu.raw_name, "NVIDIA H100 80GB HBM3");
    assert_eq!((eight.supply.state, eight.supply.count), (SupplyState::InStock, None));
    assert_eq!(eight.price.storage_gb_month, Some(decimal("0.1")));
    assert_eq!(eight.price.storage_stopped_gb_month, Some(decimal("0.2")));
    assert_eq!(eight.price.egress_gb, Some(decimal("0")));
}

#[tokio::test]
async fn each_cloud_has_its_own_price_and_place() {
    let server = server(odd).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    let community = offer(&fetched, "runpod:NVIDIA GeForce RTX 4090x1-community-SE");
    assert_eq!((community.price.per_hour, community.place.country.as_deref()), (decimal("0.34"), Some("SE")));
    let secure = offer(&fetched, "runpod:NVIDIA GeForce RTX 4090x1-secure-EU-SE-1");
    assert_eq!((secure.price.per_hour, secure.place.country.as_deref()), (decimal("0.69"), Some("SE")));
    let delaware = offer(&fetched, "runpod:NVIDIA GeForce RTX 4090x1-secure-US-DE-1");
    assert_eq!(delaware.place.country.as_deref(), Some("US"));
    assert_eq!(delaware.place.seller.as_deref(), Some("US"));
    assert!(!fetched.offers.iter().any(|offer| offer.id.contains("community-XX")));
}

#[tokio::test]
async fn a_slice_is_not_its_whole_card() {
    let server = server(odd).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    let slice =
        offer(&fetched, "runpod:NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gbx1-secure-EU-SE-1");
    assert_eq!(slice.form, Form::Fraction);
    assert_eq!((slice.gpu.fraction, slice.gpu.vram_gib, slice.gpu.count), (Some(0.25), Some(24.0), 1));
    assert_eq!(slice.gpu.model.as_deref(), Some("RTX PRO 6000 Blackwell Server"));
    // Two of them are more than RunPod rents as one pod.
    assert!(!fetched.offers.iter().any(|offer| offer.id.contains("MIG 1g.24gbx2")));
}

#[tokio::test]
async fn errors_beside_data_cost_only_what_they_are_about() {
    let server = server(|place| match place {
        "US-DE-1" => {
            ok(json!({"data": null, "errors": [{"message": "data center is\u{7} busy"}]}).to_string())
        }
        "EU-SE-1" => {
            let mut body: Value = serde_json::from_str(SWEDEN).unwrap();
            body["errors"] = json!([{"message": "one card could not be priced", "path": ["gpuTypes", 3]}]);
            ok(body.to_string())
        }
        _ => odd(place),
    })
    .await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    assert!(fetched.offers.iter().any(|offer| offer.id.ends_with("-secure-EU-SE-1")));
    assert!(!fetched.offers.iter().any(|offer| offer.id.ends_with("-secure-US-DE-1")));
    assert!(fetched.notes.contains(&"secure EU-SE-1: one card could not be priced".to_owned()));
    let left_out = "secure US-DE-1 did not answer (data center is busy); it is left out";
    assert!(fetched.notes.contains(&left_out.to_owned()), "{:?}", fetched.notes);
}

#[tokio::test]
async fn a_place_that_falls_silent_keeps_its_last_rows() {
    let broken = Arc::new(AtomicBool::new(false));
    let now_broken = Arc::clone(&broken);
    let server = server(move |place| match place {
        "EU-SE-1" if now_broken.load(Ordering::Relaxed) => ok("{\"data\": {\"gpuTypes\": ["),
        "SE" if now_broken.load(Ordering::Relaxed) => ok("<html><title>Cloud</title>"),
        _ => odd(place),
    })
    .await;
    let source = runpod(&server.uri());
    let before = fetch(&source, &kit().0).await.unwrap();
    broken.store(true, Ordering::Relaxed);
    let after = fetch(&source, &kit().0).await.unwrap();
    assert_eq!(before.offers, after.offers);
    assert!(after.notes.iter().any(|note| note.contains("its rows are of 09:00 UTC")), "{:?}", after.notes);
    // A desk that has just been started has nothing to fill the gaps with, and half a market is no answer.
    let error = fetch(&runpod(&server.uri()), &kit().0).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
}

#[tokio::test]
async fn the_end_of_the_keyless_list_is_told() {
    for status in ["410 Gone", "404 Not Found"] {
        let server = RawServer::start(vec![Say::http(status, &[], "")]).await;
        let error = fetch(&runpod(server.url.as_str()), &kit().0).await.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::Gone);
        assert_eq!(
            error.hint.as_deref(),
            Some("RunPod ended its keyless price list; add a key to see RunPod")
        );
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_used_up_limit_ends_the_sweep_at_once() {
    let places = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&places);
    let many: Vec<Value> = (1..=40).map(|n| json!({"id": format!("US-TX-{n}")})).collect();
    let server = server(move |place| {
        if place.is_empty() {
            let mut body: Value = serde_json::from_str(DIRECTORY).unwrap();
            body["data"]["dataCenters"] = json!(many);
            return ok(body.to_string());
        }
        counted.fetch_add(1, Ordering::Relaxed);
        ResponseTemplate::new(429).insert_header("retry-after", "600")
    })
    .await;
    let error = fetch(&runpod(&server.uri()), &kit().0).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::RateLimited);
    assert_eq!(error.retry_at, Some("2026-11-30T09:10:00Z".parse().unwrap()));
    assert!(places.load(Ordering::Relaxed) <= 8, "{places:?}");
}

#[tokio::test]
async fn answers_that_are_none_say_why() {
    for (body, code, words) in [
        (
            r#"{"errors":[{"message":"Cannot query field"}]}"#,
            SourceErrorCode::ProviderRefused,
            "Cannot query field",
        ),
        (r#"{"errors":[{}]}"#, SourceErrorCode::ProviderRefused, "an error without a message"),
        (
            r#"{"data":{"gpuTypes":null},"errors":[{"message":"down"}]}"#,
            SourceErrorCode::ProviderRefused,
            "down",
        ),
        (r#"{"data":{"gpuTypes":[]}}"#, SourceErrorCode::BadAnswer, "without the list"),
        (
            r#"{"data":{"gpuTypes":[{"id":"NVIDIA L4","memoryInGb":24,"secureCloud":true,"communityCloud":true}],"dataCenters":[{"id":"EU-SE-1"}],"countryCodes":null}}"#,
            SourceErrorCode::BadAnswer,
            "without the list of `countryCodes`",
        ),
        (
            r#"{"data":{"gpuTypes":[{"id":"NVIDIA L4","memoryInGb":24,"secureCloud":true}],"dataCenters":null,"countryCodes":["SE"]}}"#,
            SourceErrorCode::BadAnswer,
            "without the list of `dataCenters`",
        ),
        (r#"{"hello":1}"#, SourceErrorCode::BadAnswer, "without `data`"),
        ("<!doctype html><title>Access denied</title>", SourceErrorCode::BadAnswer, "Access denied"),
        (r#"{"data":{"gpu"#, SourceErrorCode::BadAnswer, "breaks off"),
    ] {
        let server = RawServer::start(vec![Say::http("200 OK", &[], body)]).await;
        let error = fetch(&runpod(server.url.as_str()), &kit().0).await.unwrap_err();
        assert_eq!(error.code, code, "{body}");
        assert!(error.detail.contains(words), "{}", error.detail);
    }
}

/// The same cards by the catalogue with a key.
fn catalog(request: &Request) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_bytes(catalog_body(request))
}

fn catalog_body(request: &Request) -> Vec<u8> {
    let query: std::collections::BTreeMap<_, _> = request.url.query_pairs().into_owned().collect();
    let one_card = query["count"] == "1";
    let stock = if one_card { "HIGH" } else { "NONE" };
    json!({"gpus": [{
        "id": "NVIDIA  RTX A4500", "name": "RTX A4500", "pool": null, "manufacturer": "NVIDIA", "memory": 20, "secure": true,
        "community": true, "price": {"secure": 0.25, "community": 0.19}, "maxCount": {"secure": 2, "community": 1},
        "availability": stock, "dataCenters": [{"id": "EU-SE-1", "name": "x", "availability": stock}]}, {
        "id": "NVIDIA A5000 Ada", "name": "retired", "pool": null, "manufacturer": "NVIDIA", "memory": 32, "secure": false,
        "community": false, "price": {"secure": 0, "community": 0}, "maxCount": {"secure": 8, "community": 8}}]})
    .to_string()
    .into_bytes()
}

/// The same with entries that are none: of another shape, without an id, with an id that a terminal would obey.
fn odd_catalog(request: &Request) -> ResponseTemplate {
    let mut odd: Value = serde_json::from_slice(&catalog_body(request)).unwrap();
    let evil = json!({"id": "\u{1b}[31mL4\u{202e}", "secure": true, "price": {"secure": 0.4}});
    odd["gpus"].as_array_mut().unwrap().extend([json!("x"), json!([]), json!({"memory": 24}), evil]);
    ResponseTemplate::new(200).set_body_json(odd)
}

async fn with_key(
    graphql: impl Fn(&str) -> ResponseTemplate + Send + Sync + 'static,
) -> Result<gpudesk_core::feed::Fetched, gpudesk_providers::SourceError> {
    with_key_and(catalog, graphql).await
}

async fn with_key_and(
    catalog: impl Fn(&Request) -> ResponseTemplate + Send + Sync + 'static,
    graphql: impl Fn(&str) -> ResponseTemplate + Send + Sync + 'static,
) -> Result<gpudesk_core::feed::Fetched, gpudesk_providers::SourceError> {
    let server = server(graphql).await;
    Mock::given(method("GET"))
        .and(path("/v2/catalog/gpus"))
        .and(wiremock::matchers::header("authorization", "Bearer a-key"))
        .respond_with(catalog)
        .mount(&server)
        .await;
    let mut config = SourceConfig::default();
    config.set_address("runpod", &server.uri());
    config.set_address("runpod_graphql", &server.uri());
    let (http, _) = kit();
    crate::support::fetch_with(&RunPod::new(&config), &http, Some(&Secret::new("a-key"))).await
}

fn a4500(place: &str) -> ResponseTemplate {
    let listed = json!({"id": "NVIDIA RTX A4500", "memoryInGb": 20, "secureCloud": true, "communityCloud": true,
        "securePrice": 0.25, "communityPrice": 0.19, "maxGpuCount": 2});
    match place {
        "" => ok(json!({"data": {"gpuTypes": [listed], "dataCenters": [{"id": "EU-SE-1"}], "countryCodes": ["SE"]}}).to_string()),
        "SE" => ok(one("NVIDIA RTX A4500", 0.19)),
        _ => ok(one("NVIDIA RTX A4500", 0.25)),
    }
}

#[tokio::test]
async fn with_a_key_the_same_things_keep_their_ids() {
    let keyless = server(a4500).await;
    let (http, _) = kit();
    let before = fetch(&runpod(&keyless.uri()), &http).await.unwrap();
    let after = with_key(a4500).await.unwrap();
    for id in ["runpod:NVIDIA RTX A4500x1-secure-EU-SE-1", "runpod:NVIDIA RTX A4500x1-community-SE"] {
        let (before, after) = (offer(&before, id), offer(&after, id));
        assert_eq!((before.price.per_hour, &before.place), (after.price.per_hour, &after.place), "{id}");
        assert_eq!(before.gpu.model, after.gpu.model);
    }
    let two = offer(&after, "runpod:NVIDIA RTX A4500x2-secure-EU-SE-1");
    assert_eq!((two.supply.state, two.price.per_hour), (SupplyState::OutOfStock, decimal("0.5")));
    assert!(after.offers.iter().all(|offer| offer.gpu.count <= 2 && !offer.name.contains("A5000")));
}

#[tokio::test]
async fn with_a_key_an_odd_entry_costs_only_itself() {
    let (all, odd) = (with_key(a4500).await.unwrap(), with_key_and(odd_catalog, a4500).await.unwrap());
    assert_eq!(all.offers, odd.offers);
    // Each number of cards is a question of its own.
    let bad = odd.quarantined.iter().filter(|row| row.reason.code == ReasonCode::Unreadable);
    let bad: Vec<String> = bad.map(|row| format!("{}: {}", row.origin, row.reason.detail)).collect();
    assert_eq!(bad.len(), 16, "{bad:#?}");
    for entry in [
        "gpus entry 3: no object: \"x\"",
        "gpus entry 4: no object: []",
        "gpus entry 5: the entry has no id",
        "gpus entry 6: its id is none: too long, or with characters that are not printed",
    ] {
        assert!(bad.iter().any(|row| row == entry), "{entry} is not in {bad:#?}");
    }
}

#[tokio::test]
async fn an_odd_entry_of_a_place_costs_only_itself() {
    let place = |place: &str| match place {
        "SE" => ok(json!({"data": {"gpuTypes": ["x", {"id": "NVIDIA RTX A4500", "x1": {
            "stockStatus": "High", "uninterruptablePrice": 0.19, "minVcpu": 8, "minMemory": 31}}]}})
        .to_string()),
        place => a4500(place),
    };
    let server = server(place).await;
    let fetched = fetch(&runpod(&server.uri()), &kit().0).await.unwrap();
    offer(&fetched, "runpod:NVIDIA RTX A4500x1-community-SE");
    assert_eq!(fetched.quarantined[0].origin, "community SE gpuTypes entry 1");
}

#[tokio::test]
async fn with_a_key_the_end_of_graphql_costs_only_the_countries() {
    let fetched = with_key(|_| ResponseTemplate::new(410)).await.unwrap();
    let anywhere = offer(&fetched, "runpod:NVIDIA RTX A4500x1-community-any");
    assert_eq!(
        (anywhere.price.per_hour, &anywhere.place.country, &anywhere.place.region),
        (decimal("0.19"), &None, &None)
    );
    assert!(fetched.notes.iter().any(|note| note.contains("without their country")));
    assert!(with_key(|_| ResponseTemplate::new(500)).await.is_err(), "trouble that passes is not the end");
}
