//! Leases, spending and budgets from a terminal.

use rust_decimal::Decimal;
use serde_json::Value;

use crate::renting::{machines, market, rent, says, stocked};

fn dec(value: &Value) -> Decimal {
    value.as_str().unwrap_or_else(|| panic!("{value} is no amount")).parse().unwrap()
}

#[tokio::test]
async fn a_lease_that_ran_out_is_kept_by_one_round_of_the_guard() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "runpod").await;
    let line = ["rent", &offer, "--name", "train-a", "--hours", "0.0000003", "--on-expiry", "end", "--json"];
    let rented = desk.run_with(&line).await;
    assert_eq!(rented.code, 0, "{}", rented.err);
    let report = desk.json("guard --once").await;
    let acts: Vec<(&str, &str)> = report["acts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| (act["name"].as_str().unwrap(), act["what"].as_str().unwrap()))
        .collect();
    assert_eq!(acts, [("train-a", "ended")], "{report:#}");
    let story = desk.run("events train-a").await;
    assert!(story.out.contains("End asked for by desk: its lease ran out at"), "{}", story.out);
    let again = desk.json("guard --once").await;
    assert_eq!(again["acts"].as_array().unwrap().len(), 0, "{again:#}");
}

#[tokio::test]
async fn a_lease_is_set_anew_and_a_machine_is_kept() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "runpod").await;
    let rented = rent(&desk, &offer).await.json();
    assert_eq!(rented["lease"]["on_expiry"], "stop", "a stop ends the bill of the cards there");
    let lease =
        &desk.json("lease train-a --hours 2 --max-spend 20 --idle 30m --on-expiry end").await["lease"];
    assert_eq!(
        (&lease["max_spend"], &lease["idle_minutes"], &lease["on_expiry"]),
        (&"20".into(), &30.into(), &"end".into())
    );
    let lease = &desk.json("lease train-a --idle 0").await["lease"];
    assert_eq!((&lease["idle_minutes"], &lease["max_spend"]), (&Value::Null, &"20".into()), "the rest stays");
    desk.json("keep train-a").await;
    assert!(desk.run("events train-a").await.out.contains("Kept by person"));
    says(&desk.run("lease train-a --max-spend -3").await, 2, "no amount above 0");
    says(&desk.run("lease train-a --hours -1").await, 2, "-1 hours cannot be");
    says(&desk.run("keep nobody").await, 3, "no rental");
}

#[tokio::test]
async fn spending_is_told_in_the_contracts_shape_and_sums() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "runpod").await;
    let empty = desk.json("spend").await;
    assert_eq!((&empty["rows"], &empty["total"]["low"]), (&Value::Array(vec![]), &"0.00".into()));
    desk.run_with(&["rent", &offer, "--name", "train-a", "--project", "chat", "--owner", "ann", "--json"])
        .await;
    for by in ["provider", "project", "owner", "gpu", "rental"] {
        let page = desk.json(&format!("spend --by {by}")).await;
        assert_eq!(page["by"], by);
        let rows = page["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{page:#}");
        let row = &rows[0];
        let parts = ["compute", "disk", "disk_stopped"].map(|part| dec(&row[part])).iter().sum::<Decimal>();
        assert_eq!(parts + dec(&row["traffic"]["low"]), dec(&row["total"]["low"]));
        assert_eq!(row["total"], page["total"]);
        assert!(row["idle_share"].is_null() && row["billed"].is_null(), "nothing was measured or billed");
        assert!(row["difference"].as_array().unwrap().is_empty());
        let key = match by {
            "provider" => "runpod",
            "project" => "chat",
            "owner" => "ann",
            "rental" => "train-a",
            _ => row["key"].as_str().unwrap(),
        };
        assert_eq!(row["key"], key);
        assert!(dec(&page["burning_per_hour"]) > Decimal::ZERO);
        assert!(page["waste"].is_array());
    }
    let csv = desk.run("spend --csv").await;
    assert_eq!(csv.code, 0, "{}", csv.err);
    assert!(csv.out.starts_with("from,to,by,key,title,currency,compute,"), "{}", csv.out);
    assert_eq!(csv.out.lines().count(), 3, "head, one line, the sum");
    says(&desk.run("spend --from tomorrow").await, 2, "`tomorrow` is no day");
    says(&desk.run("spend --from 2026-02-01 --to 2026-01-01").await, 2, "before it begins");
    says(&desk.run("spend --from 2016-02-01 --to 2026-01-01").await, 2, "longer than four years");
    assert_eq!(desk.run("spend --by moon").await.code, 2);
    assert_eq!(desk.run("spend --csv --json").await.code, 2);
    let past = desk.json("spend --from 2020-01-01 --to 2020-01-31").await;
    assert_eq!((&past["rows"], &past["forecast"]), (&Value::Array(vec![]), &Value::Null));
    let page = desk.run("spend --page").await;
    assert!(page.err.contains("reports/spend-"), "{}", page.err);
}

#[tokio::test]
async fn a_budget_that_blocks_refuses_a_launch_and_says_which() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "runpod").await;
    let list = desk.json("budget set team --amount 0.01 --hard block --at 50,100").await;
    assert_eq!(
        (&list[0]["scope"], &list[0]["thresholds"], &list[0]["spent"]),
        (&"team".into(), &serde_json::json!([50, 100]), &"0.00".into())
    );
    let refused = rent(&desk, &offer).await;
    says(&refused, 5, "budget `team`");
    assert_eq!(machines(&sim), 0, "nothing was asked of the provider");
    // No bank has told a rate yet: whether it would be passed cannot be told, and then it is not allowed.
    desk.json("budget set team --amount 100000 --currency EUR --hard block").await;
    says(&rent(&desk, &offer).await, 5, "an exchange rate is missing");
    assert_eq!(machines(&sim), 0, "nothing was asked of the provider");
    desk.json("budget set team --amount 100000 --currency USD --hard block").await;
    assert_eq!(rent(&desk, &offer).await.code, 0);
    says(&desk.run("budget set x --amount -1").await, 2, "more than 0");
    says(&desk.run("budget set x --amount much").await, 2, "`much` is no amount");
    says(&desk.run("budget set Bad_Name --amount 1").await, 2, "no name of a budget");
    says(&desk.run("budget remove nobody").await, 3, "none of that name");
    assert_eq!(desk.json("budget remove team").await.as_array().unwrap().len(), 0);
}
