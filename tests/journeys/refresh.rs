//! Fetching: rows come in, sums hold, what did not change is not written, what changed becomes history.

use gpudesk_tests::sim::Sim;
use serde_json::Value;

use crate::support::{Desk, amount, feed};

fn sums_hold(report: &Value) {
    for feed in report["feeds"].as_array().unwrap() {
        let count = |key: &str| feed[key].as_u64().unwrap();
        let sum = count("rows_used") + count("rows_not_gpu") + count("quarantined");
        assert_eq!(count("rows_read"), sum, "{feed:#}");
    }
}

#[tokio::test]
async fn every_source_comes_in_and_live_rows_stand_before_catalogue_rows() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    let report = desk.json("refresh").await;
    sums_hold(&report);
    for name in ["vast", "runpod", "catalogue/aws", "catalogue/lambda", "rates/ecb", "rates/cbr"] {
        let feed = feed(&report, name);
        assert_eq!(feed["error"], Value::Null, "{feed:#}");
        assert!(feed["rows_used"].as_u64().unwrap() > 0, "{feed:#}");
    }
    // All of Vast's 24 offers in 8 places, on demand and as a bid: the 64 rows of a call without a limit are not all.
    assert_eq!(desk.count("cloud:vast on-demand").await, 192);
    assert_eq!(desk.count("cloud:vast bid").await, 192);
    assert_eq!(desk.count("cloud:vast source:catalogue").await, 0);
    let unknown = desk.json("offers cloud:vast on-demand --limit 500").await;
    let raw = |name: &str| {
        unknown["offers"].as_array().unwrap().iter().filter(|o| o["gpu"]["raw_name"] == name).count()
    };
    assert_eq!(raw("RTX 6090 Proto"), 16, "a card that no table knows is kept under its own name");
}

#[tokio::test]
async fn rates_convert_and_are_dated() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh rates vast").await;
    let dollars = desk.json("offers cloud:vast on-demand --limit 1").await;
    let euros = desk.json("offers cloud:vast on-demand --limit 1 --currency EUR").await;
    assert_eq!(euros["fx"]["source"], "ECB");
    assert_eq!(euros["fx"]["date"], "2026-11-27");
    assert_eq!(euros["currency"], "EUR");
    assert_eq!(dollars["offers"][0]["id"], euros["offers"][0]["id"]);
}

#[tokio::test]
async fn what_did_not_change_is_not_written_and_what_changed_is_history() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    let first = desk.json("refresh vast").await;
    assert_eq!(feed(&first, "vast")["added"], 384);
    let second = desk.json("refresh vast").await;
    assert_eq!(feed(&second, "vast")["rows_written"], 0, "{second:#}");
    assert_eq!(feed(&second, "vast")["price_changes"], 0);

    let before = desk.json("offers cloud:vast on-demand --limit 1").await;
    let id = before["offers"][0]["id"].as_str().unwrap().to_owned();
    let was = amount(&before["offers"][0]["price"]["per_hour"]);
    sim.set_factor(1.25);
    let third = desk.json("refresh vast").await;
    assert_eq!(feed(&third, "vast")["price_changes"], 384);
    let price = desk.run_with(&["price", &id, "--json"]).await.json();
    let history = price["history"].as_array().unwrap();
    assert_eq!(history.len(), 2, "{price:#}");
    assert!((amount(&history[0]["per_hour"]) - was).abs() < 1e-9);
    assert!((amount(&history[1]["per_hour"]) - 1.25 * was).abs() < 1e-6, "{price:#}");
}

#[tokio::test]
async fn a_catalogue_that_did_not_change_is_not_downloaded_again() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh catalogue").await;
    let archives = |sim: &Sim| sim.requests().iter().filter(|line| line.ends_with("catalog.zip")).count();
    let first = archives(&sim);
    assert!(first > 0);
    let again = desk.json("refresh catalogue").await;
    assert_eq!(archives(&sim), first);
    for name in ["catalogue/aws", "catalogue/lambda"] {
        assert_eq!(feed(&again, name)["unchanged"], true, "{again:#}");
    }
}

#[tokio::test]
async fn a_source_nobody_knows_is_named() {
    let sim = Sim::start().await.unwrap();
    let ran = Desk::at(&sim).run("refresh vasst").await;
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("vasst") && ran.err.contains("vast"), "{}", ran.err);
    assert!(sim.requests().is_empty());
}
