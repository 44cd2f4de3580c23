//! CUDO Compute's list of machine types.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{PriceKind, SupplyState};
use gpudesk_providers::cudo::Cudo;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch, kit, offer};

fn machine(center: &str, name: &str, gpu: &str, id: &str, free: u32) -> Value {
    let mut row = json!({"dataCenterId": center, "machineType": name, "gpuModel": gpu, "gpuModelId": id,
        "gpuPriceHr": {"value": "0.45"}, "vcpuPriceHr": {"value": "0.0021"}, "memoryGibPriceHr": {"value": "0.0028"},
        "minStorageGibPriceHr": {"value": "0.00013"}, "ipv4PriceHr": {"value": "0.004"}, "minVcpu": 2,
        "minMemoryGib": "4", "minVcpuPerGpu": 1, "maxVcpuPerGpu": 12, "minVcpuPerMemoryGib": 0.25,
        "maxVcpuPerMemoryGib": 1});
    if free > 0 {
        row["maxGpuFree"] = json!(free);
        row["totalGpuFree"] = json!(31);
    }
    row
}

fn lists(types: &[Value]) -> Vec<Say> {
    vec![
        ok(&json!({"machineTypes": types})),
        ok(&json!({"gpuModels": [{"id": "a6000", "modelName": "RTX A6000", "memoryGib": 48},
                                 {"id": "l40s-c", "modelName": "L40S (compute mode)", "memoryGib": 48}]})),
        ok(
            &json!({"dataCenters": [{"id": "se-smedjebacken-1", "supplierName": "Hydro Partner", "ipv4Free": 3},
                                   {"id": "no-luster-1", "supplierName": "CUDO", "ipv4Free": 0}]}),
        ),
    ]
}

async fn read(script: Vec<Say>) -> Result<Fetched, SourceError> {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("cudo", server.url.as_str());
    let (http, _) = kit();
    fetch(&Cudo::new(&config), &http).await
}

#[tokio::test]
async fn a_price_is_the_sum_of_its_parts_for_a_size_within_the_limits() {
    let mut narrow = machine("gb-london-1", "genoa-h100", "H100 SXM", "h100", 1);
    narrow["maxVcpuPerGpu"] = json!(4);
    narrow["minVcpuPerMemoryGib"] = json!(0.5);
    let fetched = read(lists(&[machine("se-smedjebacken-1", "epyc-a6000", "RTX A6000", "a6000", 4), narrow]))
        .await
        .unwrap();
    let one = offer(&fetched, "cudo:epyc-a6000-x1@se-smedjebacken-1-on-demand");
    // 0.45 + 8 × 0.0021 + 32 × 0.0028 + 0.004
    assert_eq!(one.price.per_hour, decimal("0.5604"));
    assert_eq!((one.vcpu, one.ram_gib), (Some(8.0), Some(32.0)));
    // 0.00013 a GiB and hour, times 730, per GB.
    assert_eq!(one.price.storage_gb_month, Some(decimal("0.088382512")));
    assert_eq!(one.price.storage_stopped_gb_month, one.price.storage_gb_month, "bills until it is deleted");
    assert_eq!((one.gpu.model.as_deref(), one.gpu.vram_gib), (Some("RTX A6000"), Some(48.0)));
    assert_eq!((one.cloud.as_str(), one.place.country.as_deref()), ("hydro-partner", Some("SE")));
    assert_eq!(one.place.seller, None, "a partner nobody knows leaves the seller open");
    let four = offer(&fetched, "cudo:epyc-a6000-x4@se-smedjebacken-1-on-demand");
    assert_eq!(four.price.per_hour, decimal("2.2296"), "one address, whatever the cards");
    assert_eq!(
        fetched.offers.len(),
        4,
        "1, 2 and 4 cards of one host, not the 31 of the centre, and one H100"
    );
    let narrow = offer(&fetched, "cudo:genoa-h100-x1@gb-london-1-on-demand");
    assert_eq!((narrow.vcpu, narrow.ram_gib), (Some(4.0), Some(8.0)));
    assert_eq!((narrow.place.country.as_deref(), narrow.place.seller.as_deref()), (Some("GB"), Some("GB")));
}

#[tokio::test]
async fn free_cards_without_an_address_and_no_free_cards_are_no_supply() {
    let fetched = read(lists(&[
        machine("no-luster-1", "epyc-a6000", "RTX A6000", "a6000", 2),
        machine("se-smedjebacken-1", "epyc-l40s", "L40S (compute mode)", "l40s-c", 0),
        json!({"dataCenterId": "no-luster-1", "machineType": "epyc-rome", "vcpuPriceHr": {"value": "0.002"}}),
    ]))
    .await
    .unwrap();
    for id in ["cudo:epyc-a6000-x1@no-luster-1-on-demand", "cudo:epyc-l40s-x1@se-smedjebacken-1-on-demand"] {
        let offer = offer(&fetched, id);
        assert_eq!((offer.supply.state, offer.supply.count), (SupplyState::OutOfStock, Some(0)), "{id}");
    }
    let l40s = offer(&fetched, "cudo:epyc-l40s-x1@se-smedjebacken-1-on-demand");
    assert_eq!(
        (l40s.gpu.model.as_deref(), l40s.gpu.raw_name.as_str()),
        (Some("L40S"), "L40S (compute mode)")
    );
    assert_eq!(fetched.rows_not_gpu, 1);
}

#[tokio::test]
async fn terms_are_offers_of_their_own_and_a_missing_part_is_no_total() {
    let term = |term: &str, gpu: &Value| {
        json!({"commitmentTerm": term, "gpuPriceHr": gpu, "vcpuPriceHr": {"value": "0.001"},
               "memoryGibPriceHr": {"value": "0.002"}})
    };
    let mut year = machine("se-smedjebacken-1", "epyc-a6000", "RTX A6000", "a6000", 1);
    year["prices"] = json!([
        term("COMMITMENT_TERM_NONE", &json!({"value": "9"})),
        term("COMMITMENT_TERM_12_MONTHS", &json!({"value": "0.3"})),
        term("COMMITMENT_TERM_36_MONTHS", &json!({})),
        term("COMMITMENT_TERM_FOREVER", &json!({"value": "0.1"})),
    ]);
    let mut partial = machine("se-smedjebacken-1", "epyc-x", "RTX A6000", "a6000", 1);
    partial["ipv4PriceHr"] = json!({});
    let fetched = read(lists(&[year, partial])).await.unwrap();
    let year = offer(&fetched, "cudo:epyc-a6000-x1@se-smedjebacken-1-reserved-12-months");
    // 0.3 + 8 × 0.001 + 32 × 0.002 + 0.004
    assert_eq!((year.price.per_hour, year.price.kind), (decimal("0.376"), PriceKind::Reserved));
    assert_eq!(year.price.term.as_deref(), Some("12 months"));
    assert_eq!(fetched.offers.len(), 2);
    assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::IncompletePrice, "absent is not zero");
    assert!(fetched.quarantined[0].reason.detail.contains("the address"));
}

#[tokio::test]
async fn without_the_lists_beside_it_the_offers_are_less_and_still_offers() {
    let types =
        ok(&json!({"machineTypes": [machine("se-smedjebacken-1", "epyc-a6000", "RTX A6000", "a6000", 1)]}));
    let closed = Say::http("401 Unauthorized", &[], r#"{"code":16,"message":"no key"}"#);
    let fetched = read(vec![types, closed.clone(), closed]).await.unwrap();
    let one = offer(&fetched, "cudo:epyc-a6000-x1@se-smedjebacken-1-on-demand");
    assert_eq!((one.cloud.as_str(), one.gpu.vram_gib), ("cudo", Some(48.0)), "the card's own size");
    assert_eq!(one.supply.state, SupplyState::InStock);
    assert!(fetched.notes.iter().any(|note| note.contains("no key")), "{:?}", fetched.notes);
    for script in [vec![ok(&json!({"machineTypes": []}))], vec![ok(&json!({"code": 5, "message": "gone"}))]] {
        assert_eq!(read(script).await.unwrap_err().code, SourceErrorCode::BadAnswer);
    }
}

#[tokio::test]
async fn an_odd_part_costs_only_what_it_is_about() {
    let row = || machine("se-smedjebacken-1", "epyc-a6000", "RTX A6000", "a6000", 1);
    let id = "cudo:epyc-a6000-x1@se-smedjebacken-1-on-demand";
    let with = |name: &str, value: Value| {
        let mut row = row();
        row[name] = value;
        row
    };
    // The disk is no part of the price, and an amount may stand bare.
    for (name, value) in [
        ("minStorageGibPriceHr", json!("?")),
        ("gpuPriceHr", json!("0.45")),
        ("gpuPriceHr", json!({"value": "$0.45"})),
        ("prices", json!(7)),
    ] {
        let fetched = read(lists(&[with(name, value.clone())])).await.unwrap();
        assert_eq!(offer(&fetched, id).price.per_hour, decimal("0.5604"), "{name}: {value}");
    }
    let fetched = read(lists(&[with("gpuModel", json!(""))])).await.unwrap();
    assert_eq!(offer(&fetched, id).gpu.raw_name, "a6000", "the id of the model tells the same");
    let fetched = read(lists(&[with("maxGpuFree", json!("many"))])).await.unwrap();
    assert_eq!(offer(&fetched, id).supply.state, SupplyState::Unknown, "not told in a number");
    for (price, code) in [
        (json!({"value": "€0.45"}), ReasonCode::IncompletePrice),
        (json!({"units": "1"}), ReasonCode::IncompletePrice),
        (json!([0.45]), ReasonCode::IncompletePrice),
        (json!({"value": "0"}), ReasonCode::PriceImpossible),
    ] {
        let other = machine("gb-london-1", "genoa-h100", "H100 SXM", "h100", 1);
        let fetched = read(lists(&[with("gpuPriceHr", price.clone()), other])).await.unwrap();
        assert_eq!(fetched.offers.len(), 1, "{price}");
        assert_eq!(fetched.quarantined[0].reason.code, code, "{price}");
    }
}

#[tokio::test]
async fn a_term_in_another_unit_is_not_taken_for_months() {
    let mut row = machine("se-smedjebacken-1", "epyc-a6000", "RTX A6000", "a6000", 1);
    let term = |term: &str| {
        json!({"commitmentTerm": term, "gpuPriceHr": {"value": "0.3"}, "vcpuPriceHr": {"value": "0.001"},
               "memoryGibPriceHr": {"value": "0.002"}})
    };
    row["prices"] =
        json!([term("COMMITMENT_TERM_2_YEARS"), term("COMMITMENT_TERM_1_MONTH"), term("COMMITMENT_TERM_3")]);
    let fetched = read(lists(&[row])).await.unwrap();
    let terms: Vec<_> = fetched.offers.iter().map(|offer| offer.price.term.as_deref()).collect();
    assert_eq!(terms, [None, Some("1 months")]);
}

#[tokio::test]
async fn an_error_inside_a_200_is_told() {
    let error = read(vec![ok(&json!({"code": 8, "message": "slow down"}))]).await.unwrap_err();
    assert_eq!(error.detail, "JSON without `machineTypes`: slow down");
}
