//! TensorDock's list of hosts.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::SupplyState;
use gpudesk_providers::tensordock::TensorDock;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok};
use crate::support::{RawServer, Say, fetch, kit, offer};

fn host(country: &str, ports: &Value, gpu: &Value) -> Value {
    json!({"location": {"city": "Chubbuck", "region": "Idaho", "country": country},
           "networking": {"ports": ports},
           "specs": {"cpu": {"amount": 21, "price": 0.003}, "ram": {"amount": 101, "price": 0.002},
                     "storage": {"amount": 2900, "price": 0.00005}, "gpu": gpu},
           "status": {"online": true, "listed": true}})
}

async fn read(say: Say) -> Result<Fetched, SourceError> {
    let server = RawServer::start(vec![say]).await;
    let mut config = SourceConfig::default();
    config.set_address("tensordock", server.url.as_str());
    let (http, _) = kit();
    fetch(&TensorDock::new(&config), &http).await
}

#[tokio::test]
async fn a_price_has_parts_and_a_size_fits_the_host() {
    let cards = json!({"geforcertx4090-pcie-24gb": {"amount": 4, "price": 0.37, "vram": 24},
                       "rtxa6000-pcie-48gb": {"amount": "1", "price": "0.45"}});
    let fetched = read(ok(
        &json!({"success": true, "hostnodes": {"h1": host("United States", &json!([20029]), &cards)}}),
    ))
    .await
    .unwrap();
    let one = offer(&fetched, "tensordock:h1-geforcertx4090-pcie-24gb-x1");
    // 0.37 + 8 × 0.003 + 32 × 0.002
    assert_eq!((one.price.per_hour, one.vcpu, one.ram_gib), (decimal("0.458"), Some(8.0), Some(32.0)));
    assert_eq!(one.price.storage_gb_month, Some(decimal("0.0365")), "0.00005 an hour, times 730");
    assert_eq!((one.gpu.model.as_deref(), one.gpu.vram_gib), (Some("RTX 4090"), Some(24.0)));
    assert_eq!(one.gpu.raw_name, "geforcertx4090-pcie-24gb");
    assert_eq!(
        (one.place.country.as_deref(), one.place.region.as_deref()),
        (Some("US"), Some("Chubbuck, Idaho, United States"))
    );
    let four = offer(&fetched, "tensordock:h1-geforcertx4090-pcie-24gb-x4");
    // 4 × 0.37 + 20 × 0.003 + 96 × 0.002: the host has 21 vCPUs and 101 GB, in steps of 2 and 8.
    assert_eq!((four.price.per_hour, four.vcpu, four.ram_gib), (decimal("1.732"), Some(20.0), Some(96.0)));
    let a6000 = offer(&fetched, "tensordock:h1-rtxa6000-pcie-48gb-x1");
    assert_eq!(
        (a6000.gpu.model.as_deref(), a6000.gpu.vram_gib),
        (Some("RTX A6000"), Some(48.0)),
        "numbers as text"
    );
    assert_eq!(fetched.offers.len(), 4, "1, 2 and 4 of one card, 1 of the other");
}

#[tokio::test]
async fn no_card_no_port_and_no_known_country_are_told() {
    let card = |amount: u32| json!({"h100-sxm5-80gb": {"amount": amount, "price": 2.25, "vram": 80}});
    let mut hidden = host("Netherlands", &json!([1]), &card(1));
    hidden["status"]["online"] = json!(false);
    let fetched = read(ok(&json!({"hostnodes": {
        "sold": host("Netherlands", &json!([1]), &card(0)),
        "shut": host("USA", &json!([]), &card(1)),
        "off": hidden,
        "far": host("Atlantis", &json!([1]), &card(1)),
        "plain": host("Netherlands", &json!([1]), &json!({})),
        "odd": 7,
        "partial": {"specs": {"gpu": card(1)}}}})))
    .await
    .unwrap();
    let of = |host: &str| offer(&fetched, &format!("tensordock:{host}-h100-sxm5-80gb-x1"));
    for host in ["sold", "shut", "off"] {
        assert_eq!(of(host).supply.state, SupplyState::OutOfStock, "{host}");
    }
    assert_eq!((of("far").place.country.as_deref(), of("far").supply.state), (None, SupplyState::InStock));
    assert_eq!(
        (of("sold").place.country.as_deref(), of("shut").place.country.as_deref()),
        (Some("NL"), Some("US"))
    );
    assert_eq!(of("far").gpu.model.as_deref(), Some("H100 SXM"));
    let mut codes: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    codes.sort();
    assert_eq!(codes, [ReasonCode::Unreadable, ReasonCode::IncompletePrice]);
    assert_eq!(fetched.rows_not_gpu, 1);
}

#[tokio::test]
async fn an_error_inside_a_200_is_one() {
    let error = read(ok(&json!({"success": false, "error": "Hostnode unavailable", "status": 400})))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, error.detail.as_str()),
        (SourceErrorCode::ProviderRefused, "Hostnode unavailable")
    );
    for empty in [json!({"success": true, "hostnodes": {}}), json!({"success": true})] {
        assert_eq!(read(ok(&empty)).await.unwrap_err().code, SourceErrorCode::BadAnswer);
    }
}

#[tokio::test]
async fn an_odd_part_of_a_host_costs_only_itself() {
    let cards = json!({"geforcertx4090-pcie-24gb": {"amount": 1, "price": 0.37, "vram": 24}, "rtxa6000-pcie-48gb": null});
    for part in ["location", "networking", "status"] {
        let mut odd = host("United States", &json!([20029]), &cards);
        odd[part] = Value::Null;
        let fetched = read(ok(&json!({"success": true, "hostnodes": {"h1": odd}}))).await.unwrap();
        let one = offer(&fetched, "tensordock:h1-geforcertx4090-pcie-24gb-x1");
        assert_eq!(one.price.per_hour, decimal("0.458"), "{part}");
    }
    let mut odd = host("United States", &json!([20029]), &cards);
    odd["specs"]["storage"] = Value::Null;
    let fetched = read(ok(&json!({"success": true, "hostnodes": {"h1": odd}}))).await.unwrap();
    assert_eq!(offer(&fetched, "tensordock:h1-geforcertx4090-pcie-24gb-x1").price.storage_gb_month, None);
}

#[tokio::test]
async fn a_host_whose_cards_are_not_told_is_not_one_without_cards() {
    let cards = json!({"rtxa6000-pcie-48gb": {"amount": 1, "price": 0.45}});
    let plain = || host("United States", &json!([20029]), &cards);
    for odd in [json!(null), json!(7), json!([{"name": "x"}]), json!("none")] {
        let mut silent = plain();
        silent["specs"]["gpu"] = odd.clone();
        let hosts = json!({"hostnodes": {"h1": silent, "h2": plain()}});
        let fetched = read(ok(&hosts)).await.unwrap();
        assert_eq!((fetched.rows_not_gpu, fetched.offers.len()), (0, 1), "{odd}");
        assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::Unreadable, "{odd}");
        assert!(fetched.quarantined[0].origin.contains("h1"), "{odd}");
    }
    let (mut bare, mut empty) = (plain(), plain());
    bare["specs"] = json!(null);
    empty["specs"]["gpu"] = json!([]);
    let fetched = read(ok(&json!({"hostnodes": {"h1": bare, "h2": empty, "h3": plain()}}))).await.unwrap();
    assert_eq!((fetched.rows_not_gpu, fetched.quarantined.len(), fetched.offers.len()), (1, 1, 1));
}

#[tokio::test]
async fn what_stands_around_a_card_is_no_price_of_it() {
    for (price, code) in [
        (json!(0), ReasonCode::PriceImpossible),
        (json!("€0.45"), ReasonCode::IncompletePrice),
        (json!(-1), ReasonCode::IncompletePrice),
    ] {
        let cards = json!({"rtxa6000-pcie-48gb": {"amount": 1, "price": price.clone()},
                           "geforcertx4090-pcie-24gb": {"amount": 1, "price": "0.37"}});
        let hosts = json!({"hostnodes": {"h1": host("United States", &json!([1]), &cards)}});
        let fetched = read(ok(&hosts)).await.unwrap();
        assert_eq!(fetched.offers.len(), 1, "{price}");
        assert_eq!(fetched.quarantined[0].reason.code, code, "{price}");
    }
}
