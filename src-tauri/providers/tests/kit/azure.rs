//! Azure's price list: every kind of row that stands between the prices of machines, and pages that go wrong.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Flag, Form, PriceKind, Source, SupplyState};
use gpudesk_providers::azure::Azure;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch, kit, now, offer};

fn row(size: &str, price: &Value, meter: &str, product: &str, kind: &str) -> Value {
    json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
           "armRegionName": "westeurope", "location": "EU West", "effectiveStartDate": "2025-03-01T00:00:00Z",
           "meterName": meter, "productName": product, "skuName": meter, "serviceName": "Virtual Machines",
           "serviceFamily": "Compute", "unitOfMeasure": "1 Hour", "type": kind, "armSkuName": size})
}

fn with(mut row: Value, name: &str, value: Value) -> Value {
    row[name] = value;
    row
}

const H100: &str = "Standard_ND96isr_H100_v5";
const PRODUCT: &str = "Virtual Machines NDsr H100 v5 Series";

fn page(items: &[Value], next: &Value) -> Say {
    ok(&json!({"BillingCurrency": "USD", "Items": items, "NextPageLink": next, "Count": items.len()}))
}

async fn read(script: Vec<Say>) -> (Result<Fetched, SourceError>, Vec<String>) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("azure", server.url.as_str());
    let (http, _) = kit();
    let fetched = fetch(&Azure::of_regions(&config, vec!["westeurope"]), &http).await;
    (
        fetched,
        server.requests().iter().map(|text| text.lines().next().unwrap_or_default().to_owned()).collect(),
    )
}

async fn read_one(items: &[Value]) -> Fetched {
    read(vec![page(items, &Value::Null)]).await.0.unwrap()
}

#[tokio::test]
async fn prices_are_told_apart_by_type_and_text_and_never_by_which_comes_last() {
    let plain = |price: f64, meter: &str| row(H100, &json!(price), meter, PRODUCT, "Consumption");
    let fetched = read_one(&[
        plain(98.32, "ND96isr H100 v5"),
        plain(30.5, "ND96isr H100 v5 Spot"),
        plain(19.66, "ND96isr H100 v5 Low Priority"),
        row(H100, &json!(102.7), "ND96isr H100 v5", &format!("{PRODUCT} Windows"), "Consumption"),
        row(H100, &json!(40.1), "ND96isr H100 v5 Spot", &format!("{PRODUCT} Windows"), "Consumption"),
        row(H100, &json!(88.0), "ND96isr H100 v5", PRODUCT, "DevTestConsumption"),
        with(
            row(H100, &json!(516_000), "ND96isr H100 v5", PRODUCT, "Reservation"),
            "reservationTerm",
            json!("1 Year"),
        ),
        with(
            row(H100, &json!(1_051_200), "ND96isr H100 v5", PRODUCT, "Reservation"),
            "reservationTerm",
            json!("3 Years"),
        ),
        with(plain(60.0, "ND96isr H100 v5"), "effectiveStartDate", json!("2026-12-01T00:00:00Z")),
        with(plain(55.0, "ND96isr H100 v5"), "tierMinimumUnits", json!(1000.0)),
    ])
    .await;
    let stem = "azure:standard_nd96isr_h100_v5-x8-westeurope-80g";
    let price = |kind: &str| offer(&fetched, &format!("{stem}-{kind}")).price.per_hour;
    assert_eq!(fetched.offers.len(), 4);
    assert_eq!(price("on-demand"), decimal("98.32"));
    assert_eq!(price("spot"), decimal("30.5"));
    // The price is that of the whole term: 8,760 hours, and 26,280.
    assert_eq!(price("reserved-12-months"), decimal("58.904109589"));
    assert_eq!(price("reserved-36-months"), decimal("40"));
    let on_demand = offer(&fetched, &format!("{stem}-on-demand"));
    assert_eq!(
        (on_demand.gpu.model.as_deref(), on_demand.gpu.count),
        (Some("H100 SXM"), 8),
        "the name says 96: vCPUs"
    );
    assert_eq!((on_demand.source, on_demand.supply.state), (Source::Live, SupplyState::Unknown));
    assert_eq!(
        (on_demand.place.country.as_deref(), on_demand.place.seller.as_deref()),
        (Some("NL"), Some("US"))
    );
    assert_eq!(on_demand.fabric.as_deref(), Some("InfiniBand 3200 Gb/s"));
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (10, 4, 6));
    let told = fetched.notes.join("\n");
    for what in
        ["2 of Windows", "1 of low priority", "1 for development", "1 not in force yet", "1 of larger"]
    {
        assert!(told.contains(what), "{what}: {told}");
    }
    assert!(told.contains("indicative"));
}

#[tokio::test]
async fn the_card_of_a_size_is_the_table_s_and_a_part_of_one_stays_a_part() {
    let one =
        |size: &str, price: f64| row(size, &json!(price), "x", "Virtual Machines x Series", "Consumption");
    let fetched = read_one(&[
        one("Standard_NC40ads_H100_v5", 6.98),
        one("Standard_NV6ads_A10_v5", 0.454),
        one("Standard_NC80adis_H100_v5", 0.0),
        one("Standard_NC999ads_Z1_v9", 5.0),
        one("", 5.0),
        with(one("Standard_NC4as_T4_v3", 0.5), "unitOfMeasure", json!("1/Month")),
        with(one("Standard_NC8as_T4_v3", 0.5), "currencyCode", json!("EUR")),
    ])
    .await;
    let nvl = offer(&fetched, "azure:standard_nc40ads_h100_v5-x1-westeurope-94g-on-demand");
    assert_eq!(
        (nvl.gpu.model.as_deref(), nvl.gpu.vram_gib, nvl.gpu.count),
        (Some("H100 NVL"), Some(94.0), 1)
    );
    let sixth = offer(&fetched, "azure:standard_nv6ads_a10_v5-x0.167-westeurope-4g-on-demand");
    assert_eq!((sixth.form, sixth.gpu.vram_gib), (Form::Fraction, Some(4.0)));
    let codes: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    for code in [ReasonCode::PriceImpossible, ReasonCode::CountImpossible, ReasonCode::Unreadable] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    assert_eq!((fetched.offers.len(), fetched.quarantined.len()), (2, 5));
}

#[tokio::test]
async fn of_two_prices_of_one_thing_the_plain_product_s_stands() {
    let at = |price: f64, product: &str| row(H100, &json!(price), "ND96isr H100 v5", product, "Consumption");
    for items in [
        [at(47.0, "ND H100 v5 Cloud Services"), at(98.32, PRODUCT)],
        [at(98.32, PRODUCT), at(47.0, "ND H100 v5 Cloud Services")],
        [at(99.0, PRODUCT), at(98.32, "Virtual Machines NDsr H100 v5 Series 2")],
    ] {
        let fetched = read_one(&items).await;
        assert_eq!(fetched.offers[0].price.per_hour, decimal("98.32"), "{items:?}");
        assert_eq!(fetched.offers[0].price.kind, PriceKind::OnDemand);
        assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::Duplicate, "the other is kept aside");
        assert!(!fetched.offers[0].flags.contains(&Flag::PriceSuspect));
    }
}

#[tokio::test]
async fn pages_are_followed_at_the_address_the_list_began_at() {
    let item = |size: &str| row(size, &json!(3.6), "x", "Virtual Machines x Series", "Consumption");
    let next = json!("https://elsewhere.example/api/retail/prices?$filter=x&$skip=1000");
    let (fetched, lines) = read(vec![
        page(&[item("Standard_NC24ads_A100_v4")], &next),
        Say::http("429 Too Many Requests", &[], "{}"),
        page(&[], &json!("https://elsewhere.example/api/retail/prices?$filter=x&$skip=2000")),
        page(&[item("Standard_NC4as_T4_v3")], &Value::Null),
    ])
    .await;
    assert_eq!(fetched.unwrap().offers.len(), 2, "a page that was refused once is asked for again");
    assert!(
        lines[0].starts_with(
            "GET /api/retail/prices?currencyCode=USD&%24filter=serviceName+eq+%27Virtual+Machines%27"
        ),
        "{lines:?}"
    );
    assert!(lines[0].contains("armRegionName+eq+%27westeurope%27"), "{lines:?}");
    assert_eq!(lines[1..3], ["GET /api/retail/prices?$filter=x&$skip=1000 HTTP/1.1"; 2]);
    assert_eq!(lines[3], "GET /api/retail/prices?$filter=x&$skip=2000 HTTP/1.1");
}

#[tokio::test]
async fn a_busy_service_is_not_asked_for_every_region() {
    let busy = Say::http("429 Too Many Requests", &["retry-after: 5"], "{}");
    let server = RawServer::start(vec![busy]).await;
    let mut config = SourceConfig::default();
    config.set_address("azure", server.url.as_str());
    let (http, time) = kit();
    let error = fetch(&Azure::new(&config), &http).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::RateLimited);
    assert_eq!(error.retry_at, Some(now() + chrono::TimeDelta::seconds(5)));
    // Four regions at once, four tries each; the first that gives up ends the walk.
    assert!(server.requests().len() <= 16, "{}", server.requests().len());
    assert!(time.waits().len() <= 12, "{:?}", time.waits());
}

#[tokio::test]
async fn what_is_no_whole_list_replaces_nothing() {
    let item = row(H100, &json!(98.32), "x", PRODUCT, "Consumption");
    let own = json!("https://prices.azure.com/api/retail/prices?$skip=1");
    let item = std::slice::from_ref(&item);
    let loops = vec![page(item, &own), page(item, &own)];
    for (script, code) in [
        (loops, SourceErrorCode::BadAnswer),
        (vec![page(&[], &Value::Null)], SourceErrorCode::BadAnswer),
        (vec![ok(&json!({"Error": {"Code": "BadRequest", "Message": "no"}}))], SourceErrorCode::BadAnswer),
        (
            vec![Say::http(
                "400 Bad Request",
                &[],
                r#"{"Error":{"Code":"BadRequest","Message":"Invalid OData"}}"#,
            )],
            SourceErrorCode::ProviderRefused,
        ),
        (vec![page(item, &own), Say::http("404 Not Found", &[], "{}")], SourceErrorCode::Gone),
        (vec![Say::http("200 OK", &[], "<html><body>sign in</body></html>")], SourceErrorCode::BadAnswer),
    ] {
        let error = read(script).await.0.unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.what.contains("Azure"), "{error}");
    }
}

#[tokio::test]
async fn a_price_of_a_kind_that_nobody_knows_is_no_price_on_demand() {
    let of = |kind: Value| with(row(H100, &json!(12.5), "ND96isr H100 v5", PRODUCT, ""), "type", kind);
    let good = row(H100, &json!(98.32), "ND96isr H100 v5", PRODUCT, "Consumption");
    let odd = [of(json!("SavingsPlan")), of(Value::Null), of(json!(3)), good];
    let fetched = read_one(&odd).await;
    assert_eq!(fetched.offers.len(), 1);
    assert_eq!(fetched.offers[0].price.per_hour, decimal("98.32"));
    let told: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.detail.as_str()).collect();
    assert!(told.contains(&"a price of the kind `SavingsPlan`"), "{told:?}");
    assert_eq!(told.len(), 3);
}

#[tokio::test]
async fn one_odd_row_costs_only_itself() {
    let good = || row(H100, &json!(98.32), "ND96isr H100 v5", PRODUCT, "Consumption");
    let dollars = row(H100, &json!("$15.00"), "ND96isr H100 v5", PRODUCT, "Consumption");
    let text = with(good(), "retailPrice", json!("98.32"));
    for odd in [json!(null), json!("x"), json!([]), json!({"retailPrice": {"value": 1}}), dollars] {
        let fetched = read_one(&[odd.clone(), text.clone()]).await;
        assert_eq!(fetched.offers.len(), 1, "{odd}");
        assert_eq!(fetched.offers[0].price.per_hour, decimal("98.32"), "a number as text is one: {odd}");
        assert_eq!(fetched.quarantined.len(), 1, "{odd}");
    }
}

#[tokio::test]
async fn a_list_that_moved_while_it_was_read_says_so() {
    let of = |size: &str| row(size, &json!(3.6), "x", "Virtual Machines x Series", "Consumption");
    let (one, two, three) =
        (of("Standard_NC24ads_A100_v4"), of("Standard_NC4as_T4_v3"), of("Standard_NC8as_T4_v3"));
    let next = json!("https://prices.azure.com/api/retail/prices?$skip=2");
    let moved =
        vec![page(&[one.clone(), two.clone()], &next), page(&[two.clone(), three.clone()], &Value::Null)];
    let fetched = read(moved).await.0.unwrap();
    assert_eq!(fetched.offers.len(), 3);
    let told = "rows that stood on two pages, so that as many others may be missing: 1";
    assert!(fetched.notes.iter().any(|note| note == told), "{:?}", fetched.notes);
    let still = vec![page(&[one, two], &next), page(&[three], &Value::Null)];
    let fetched = read(still).await.0.unwrap();
    assert!(!fetched.notes.iter().any(|note| note.contains("two pages")), "{:?}", fetched.notes);
}

#[tokio::test]
async fn what_stands_there_instead_of_the_list_is_told() {
    let said = ok(&json!({"Error": {"Code": "BadRequest", "Message": "Invalid OData"}}));
    let error = read(vec![said]).await.0.unwrap_err();
    assert_eq!(error.detail, "JSON without `Items`: Invalid OData");
}
