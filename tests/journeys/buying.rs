//! Rent or buy from a terminal.

use serde_json::{Value, json};

use crate::renting::{market, says, stocked};
use crate::support::{Desk, amount};

const DEAL: &str = "buy --price 30000 --running 266 --rent 2.50 --resale 30%@18m";

/// The value of an input of this name.
fn input<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let inputs = answer["inputs"].as_array().unwrap();
    inputs.iter().find(|input| input["name"] == name).unwrap_or_else(|| panic!("no {name} in {answer:#}"))
}

/// The contract's own figures, without a network and without a market.
#[tokio::test]
async fn the_known_checks_are_answered_in_the_contracts_shape() {
    let desk = Desk::offline();
    let answer = desk.json(DEAL).await;
    assert_eq!(answer["monthly_cost_owned"], "1432.67");
    assert_eq!(answer["break_even_hours_per_month"], json!(573.1));
    assert_eq!(answer["break_even_utilisation"], json!(0.785));
    assert_eq!((&answer["month_hours"], &answer["reason"]), (&json!(730), &Value::Null));
    let (low, high) = (&answer["band"]["low"], &answer["band"]["high"]);
    assert!(low.as_f64().unwrap() < 0.785 && 0.785 < high.as_f64().unwrap(), "{answer:#}");
    let curve = answer["curve"].as_array().unwrap();
    let at = |used: f64| curve.iter().find(|point| point["utilisation"] == json!(used)).unwrap();
    assert_eq!(at(0.0)["owned_per_hour"], Value::Null, "no use divides by nothing");
    assert_eq!(at(1.0)["owned_per_hour"], "1.962557", "1432.67 over 730 hours");
    assert_eq!(at(0.1)["rent_per_hour"], "2.5");
    assert_eq!(input(&answer, "price")["source"], "given");
    assert_eq!(input(&answer, "price")["usual_range"], json!(true), "a tenth either way is ours");
    let long = desk.json(&DEAL.replace("18m", "36m")).await;
    assert_eq!(long["break_even_utilisation"], json!(0.465), "47 % where it keeps its value twice as long");
    let kept = desk.json(&format!("{DEAL} --term 36m")).await;
    assert_eq!(kept["resale_share"], json!(0.09), "30 % of 30 % after twice the time");
    let eight = desk.json(&format!("{DEAL} --count 8")).await;
    assert_eq!(eight["monthly_cost_owned"], "11461.33", "eight times 1432.6667");
    assert_eq!(eight["break_even_hours_per_month"], json!(573.1));
    let shown = desk.run(DEAL).await;
    assert!(shown.out.contains("from 573.1 of 730 hours a month on, 79 %"), "{}", shown.out);
}

#[tokio::test]
async fn what_never_pays_and_what_cannot_be_say_why() {
    let desk = Desk::offline();
    let never = desk.json(&DEAL.replace("2.50", "1")).await;
    assert_eq!(
        (&never["break_even_hours_per_month"], &never["break_even_utilisation"]),
        (&Value::Null, &Value::Null)
    );
    assert!(never["reason"].as_str().unwrap().contains("1432.7 hours"), "{never:#}");
    let free = desk.json(&DEAL.replace("2.50", "0")).await;
    assert_eq!(free["reason_code"], "rent-is-nothing");
    says(&desk.run(&DEAL.replace("30000", "-5")).await, 2, "`-5`");
    says(&desk.run(&DEAL.replace("30%@18m", "130%@18m")).await, 2, "`130%@18m`");
    says(&desk.run(&format!("{DEAL} --term 0")).await, 2, "term: `0`");
    says(&desk.run(&format!("{DEAL} --capital 200%")).await, 2, "capital: `200%`");
    says(&desk.run(&DEAL.replace("266", "much")).await, 2, "running: `much`");
    says(&desk.run("buy --price 30000 --rent 2.50").await, 2, "--running");
    says(&desk.run("buy --running 266 --rent 2.50").await, 2, "--price");
    assert_eq!(desk.run(&format!("{DEAL} --count 0")).await.code, 2);
    assert_eq!(desk.run(&format!("{DEAL} --csv --json")).await.code, 2);
}

#[tokio::test]
async fn a_model_brings_its_power_its_price_and_its_rents() {
    let sim = market().await;
    let (desk, _) = stocked(&sim, "runpod").await;
    let answer = desk.json("buy --gpu h100-sxm --country us-tx --utilisation 100%").await;
    assert_eq!(answer["gpu"], "H100 SXM");
    assert_eq!(
        (&input(&answer, "price")["value"], &input(&answer, "price")["origin"]),
        (&json!("30000"), &json!("table"))
    );
    assert_eq!(input(&answer, "watts")["value"], "700");
    assert!(input(&answer, "kwh")["source"].as_str().unwrap().contains("EIA"), "{answer:#}");
    let rent = input(&answer, "rent");
    assert!(rent["source"].as_str().unwrap().starts_with("median of "), "{answer:#}");
    assert!(amount(&rent["value"]) > 0.0);
    let power = answer["parts"].as_array().unwrap().iter().find(|part| part["name"] == "power").unwrap();
    assert_eq!(power["amount"], "69.41", "0.7 kW × 1.54 × 730 h × 0.0882");
    says(&desk.run("buy --gpu h100").await, 2, "several cards");
    says(&desk.run("buy --gpu h100-sxm --country ZZ").await, 2, "`ZZ`");
    says(&desk.run("buy --price 1 --running 1 --offer runpod:none").await, 3, "runpod:none");
}

#[tokio::test]
async fn the_comparison_is_written_for_spreadsheets_and_for_signing() {
    let desk = Desk::offline();
    let csv = desk.run(&format!("{DEAL} --csv")).await;
    assert_eq!(csv.code, 0, "{}", csv.err);
    assert!(csv.out.starts_with("kind,name,value,unit,low,high,utilisation,"), "{}", csv.out);
    assert!(csv.out.contains("answer,monthly_cost_owned,1432.67,USD/month"), "{}", csv.out);
    assert_eq!(csv.out.lines().filter(|line| line.starts_with("curve,")).count(), 51);
    let page = desk.run(&format!("{DEAL} --page")).await;
    assert!(page.err.contains("reports/rent-or-buy-cards-"), "{}", page.err);
    let folder = desk.home().join("reports");
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(
        text.contains("573 h</b> (79 %)") && text.contains("<svg") && !text.contains("<script"),
        "{text}"
    );
}
