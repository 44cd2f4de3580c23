//! A new desk without a network: the market is there, and a question is answered.

use crate::support::{Desk, amount};

#[tokio::test]
async fn a_new_desk_shows_thousands_of_offers_and_says_how_old_they_are() {
    let desk = Desk::offline();
    let answer = desk.json("offers --limit 5").await;
    assert!(answer["total"].as_u64().unwrap() > 2_000, "{}", answer["total"]);
    for offer in answer["offers"].as_array().unwrap() {
        assert_eq!(offer["source"], "catalogue");
        assert!(offer["seen_at"].as_str().unwrap() < "2026-12", "{offer:#}");
        assert_eq!(offer["supply"]["state"], "unknown", "a price list is not stock");
    }
}

#[tokio::test]
async fn eight_h100_in_the_eea_with_nvlink_for_48_hours_are_found_cheapest_first() {
    let desk = Desk::offline();
    let answer = desk.json("offers h100 x8 zone:eea nvlink --sort total --job 48h,500GB,200GB").await;
    let offers = answer["offers"].as_array().unwrap();
    assert!(!offers.is_empty());
    for offer in offers {
        assert_eq!(offer["gpu"]["count"], 8, "{offer:#}");
        assert!(offer["gpu"]["model"].as_str().unwrap().starts_with("H100"), "{offer:#}");
        assert!(offer["gpu"]["link"].as_str().unwrap().starts_with("NV"), "{offer:#}");
        assert!(offer["place"]["zones"].as_array().unwrap().iter().any(|zone| zone == "EEA"), "{offer:#}");
    }
    let totals: Vec<f64> =
        offers.iter().filter(|o| !o["total"].is_null()).map(|o| amount(&o["total"]["usd"])).collect();
    assert!(!totals.is_empty());
    assert!(totals.is_sorted(), "{totals:?}");
}

#[tokio::test]
async fn without_rates_prices_stay_in_their_own_currency() {
    let desk = Desk::offline();
    let answer = desk.json("offers cloud:aws country:cn --limit 3").await;
    assert_eq!(answer["fx"], serde_json::Value::Null);
    let offers = answer["offers"].as_array().unwrap();
    assert!(!offers.is_empty());
    for offer in offers {
        assert_eq!(offer["price"]["currency"], "CNY");
        assert_eq!(offer["price"]["per_gpu_hour_usd"], serde_json::Value::Null);
    }
}

#[tokio::test]
async fn the_tables_for_people_have_the_same_rows() {
    let desk = Desk::offline();
    let table = desk.run("offers h100 x8 --limit 7").await;
    assert_eq!(table.code, 0, "{}", table.err);
    assert_eq!(table.out.lines().filter(|line| line.contains("H100")).count(), 7, "{}", table.out);
    let groups = desk.run("gpus h100").await;
    assert!(groups.out.contains("H100"), "{}", groups.out);
}
