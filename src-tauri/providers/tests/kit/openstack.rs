//! Offers of clouds that are OpenStack: flavors from them, prices from elsewhere.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_providers::http::Secret;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode, registry};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::openstack_stage::{Stage, key, token};
use crate::support::{fetch_with, kit};

const FLAVORS: &str = "/compute/ru-7/v2.1/flavors/detail";

async fn offers(provider: &str, server: &MockServer, prices: &str) -> Result<Fetched, SourceError> {
    let mut config = SourceConfig::default();
    config.set_address(provider, &server.uri());
    config.set_address(&format!("{provider}_prices"), prices);
    let source = registry(&config).into_iter().find(|source| source.name() == provider).unwrap();
    let (http, _) = kit();
    fetch_with(&*source, &http, Some(&Secret::new(key(provider)))).await
}

fn flavors() -> Value {
    let flavor =
        |id: &str, name: &str| json!({ "id": id, "name": name, "vcpus": 4, "ram": 32768, "disk": 0 });
    json!({ "flavors": [
        flavor("3021", "GL3.4-32768-0-1GPU"), flavor("3032", "GL8.8-65536-0-1GPU"), flavor("1", "SL1.1-1024"),
        "no flavor",
    ] })
}

#[tokio::test]
async fn a_sheet_in_a_file_or_at_an_address_prices_the_flavors() {
    let sheet = "item,name,price,currency,as_of\nflavor,3021,90,RUB,2026-11-01\nflavor,x,no,RUB,\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("selectel.csv");
    std::fs::write(&file, sheet).unwrap();
    let stage = Stage::of("selectel").await;
    stage.on("GET", FLAVORS, 200, flavors()).await;
    for at in ["/prices.csv", "/team/selectel.csv"] {
        let answer = ResponseTemplate::new(200).set_body_string(sheet);
        Mock::given(method("GET")).and(path(at)).respond_with(answer).mount(&stage.server).await;
    }
    let elsewhere = format!("{}/team/selectel.csv", stage.server.uri());
    for prices in
        [file.to_str().unwrap(), &format!("file://{}", file.display()), &stage.server.uri(), &elsewhere]
    {
        let fetched = offers("selectel", &stage.server, prices).await.unwrap();
        assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (4, 1, 1), "{prices}");
        let reasons: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
        assert_eq!(reasons, [ReasonCode::PriceMissing, ReasonCode::Unreadable]);
        assert_eq!(fetched.offers[0].id, "selectel:GL3.4-32768-0-1GPU-ru-7");
        assert!(fetched.origin.ends_with("prices of the team's sheet of 2026-11-01"), "{}", fetched.origin);
        assert_eq!(fetched.notes.iter().filter(|note| note.starts_with("price sheet, line 3: ")).count(), 1);
    }
}

#[tokio::test]
async fn a_sheet_that_cannot_be_read_is_an_error_and_none_at_all_is_not() {
    let stage = Stage::of("selectel").await;
    stage.on("GET", FLAVORS, 200, flavors()).await;
    let error = offers("selectel", &stage.server, "/no/such/sheet.csv").await.unwrap_err();
    assert_eq!((error.code, error.hint.is_some()), (SourceErrorCode::Config, true));
    let fetched = offers("selectel", &stage.server, "").await.unwrap();
    assert_eq!(
        (fetched.offers.len(), fetched.quarantined.len()),
        (0, 3),
        "kept, and not offered for nothing"
    );
}

#[tokio::test]
async fn ovhs_prices_are_its_catalogues() {
    let stage = Stage::with("ovh", &["GRA11", "UK1"], &[]).await;
    // A key of its own form.
    let server = &stage.server;
    let login = token(server, &["GRA11", "UK1"], "t0ken");
    Mock::given(method("POST"))
        .and(path("/v3/auth/tokens"))
        .respond_with(login)
        .with_priority(1)
        .mount(server)
        .await;
    for region in ["GRA11", "UK1"] {
        let flavors = json!([{ "id": region, "name": "h100-380", "vcpus": 30, "ram": 389120, "disk": 200 }]);
        stage
            .on("GET", &format!("/compute/{region}/v2.1/flavors/detail"), 200, json!({ "flavors": flavors }))
            .await;
    }
    let catalogue = json!({ "locale": { "currencyCode": "EUR" }, "addons": [
        { "planCode": "h100-380.consumption", "pricings": [{ "price": 280_000_000, "description": "hour" }],
          "blobs": { "technical": { "gpu": { "model": "H100", "number": 1 } } } },
        { "planCode": 7 }, "odd",
    ] });
    stage.on("GET", "/v1/order/catalog/public/cloud", 200, catalogue).await;
    let fetched = offers_of_ovh(server).await.unwrap();
    let told: Vec<_> = fetched
        .offers
        .iter()
        .map(|offer| {
            let place = &offer.place;
            (offer.price.per_hour.to_string(), place.country.clone().unwrap(), place.seller.clone().unwrap())
        })
        .collect();
    let row = |country: &str| ("2.8".to_owned(), country.to_owned(), "FR".to_owned());
    assert_eq!(told, [row("FR"), row("GB")]);
    assert_eq!(fetched.offers[0].price.egress_gb.unwrap().to_string(), "0", "said to be free");
    let asked = server.received_requests().await.unwrap();
    let query = asked.iter().find(|request| request.url.path().starts_with("/v1/order")).unwrap().url.query();
    assert_eq!(query, Some("ovhSubsidiary=FR"));
    stage
        .once(
            "GET",
            "/v1/order/catalog/public/cloud",
            ResponseTemplate::new(200).set_body_json(json!({ "addons": [] })),
        )
        .await;
    let error = offers_of_ovh(server).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer, "without a currency nothing is a price");
}

async fn offers_of_ovh(server: &MockServer) -> Result<Fetched, SourceError> {
    let mut config = SourceConfig::default();
    config.set_address("ovh", &server.uri());
    config.set_address("ovh_prices", &server.uri());
    let source = registry(&config).into_iter().find(|source| source.name() == "ovh").unwrap();
    let (http, _) = kit();
    let key = json!({ "username": "user-1", "password": "hush", "project_id": "p1" }).to_string();
    fetch_with(&*source, &http, Some(&Secret::new(key))).await
}

#[tokio::test]
async fn one_region_out_of_order_does_not_cost_the_others() {
    let stage = Stage::with("selectel", &["ru-7", "ru-9"], &[]).await;
    stage.on("GET", FLAVORS, 200, flavors()).await;
    stage.on("GET", "/compute/ru-9/v2.1/flavors/detail", 503, json!({})).await;
    let fetched = offers("selectel", &stage.server, "").await.unwrap();
    assert_eq!(fetched.rows_read, 4);
    assert!(fetched.notes.iter().any(|note| note.contains("ru-9")), "{:?}", fetched.notes);
}
