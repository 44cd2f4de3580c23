//! What the work of a period would have cost elsewhere and on spot, by price lists with known prices.

use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;
use gpudesk_core::money::Currency;
use gpudesk_core::policy::{OnBreach, Policy};
use gpudesk_core::spend::{By, Period};
use gpudesk_engine::{Desk, Outcome, Saving};
use rust_decimal::Decimal;

use crate::stage::Stage;

/// Cheaper and dearer A10s, two of them, and another card.
const LIST: &str = "\
InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice
one.cheap,A10,1,8,32,0.25,us-ashburn-1,A10,0.10
one.dear,A10,1,8,32,9.00,us-ashburn-1,A10,
two.cheap,A10,2,8,32,0.12,us-ashburn-1,A10,0.02
other.card,A100-80GB,1,8,32,0.02,us-ashburn-1,A100-80GB,0.01
";

/// A machine with one A10 that runs for ten hours, for a project.
async fn ten_hours(stage: &Stage, project: Option<&str>) -> Desk {
    let desk = begun(stage, project).await;
    stage.time.pass(Duration::from_secs(36_000));
    desk
}

/// A machine with one A10 that is ready, for a project.
async fn begun(stage: &Stage, project: Option<&str>) -> Desk {
    let desk = stage.desk().await;
    let list: PathBuf = stage.home.path().join("oci.csv");
    std::fs::write(&list, LIST).unwrap();
    desk.import_skypilot(vec![list]).await.unwrap();
    let mut order = stage.order(stage.offer().await, "a");
    order.offer.gpu.model = Some("A10".to_owned());
    order.offer.place.country = Some("US".to_owned());
    order.project = project.map(str::to_owned);
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    let id = rental.record.id;
    stage.tend_until(&desk, &id, |rental| rental.state.word() == "ready").await;
    desk
}

async fn savings(desk: &Desk) -> Vec<Saving> {
    let now = desk.now();
    let period = Period { from: now - TimeDelta::days(1), to: now + TimeDelta::days(1) };
    desk.spending(period, By::Rental, Currency::USD).await.unwrap().savings
}

#[tokio::test]
async fn the_same_cards_are_found_cheaper_elsewhere_and_on_spot() {
    let stage = Stage::at("lambda").await;
    let desk = ten_hours(&stage, None).await;
    let rental = &desk.rentals(true).await.unwrap()[0];
    let paid = rental.costs(desk.now()).total;
    let found = savings(&desk).await;
    let said: Vec<(&str, &str, &[&str])> =
        found.iter().map(|s| (s.kind, s.offer.name.as_str(), s.risks.as_slice())).collect();
    // A price list is no stock; Lambda's machine stands in the same country.
    let (spot, elsewhere): (&[&str], &[&str]) = (&["taken-back", "not-in-stock"], &["not-in-stock"]);
    assert_eq!(said, [("spot", "one.cheap", spot), ("elsewhere", "one.cheap", elsewhere)]);
    for (saving, price) in found.iter().zip([Decimal::new(10, 2), Decimal::new(25, 2)]) {
        assert!((10.0..10.2).contains(&saving.hours), "{}", saving.hours);
        let hours = Decimal::from_f64_retain(saving.hours).unwrap();
        let off = (saving.amount - (paid - price * hours)).abs();
        // Costs go by the millisecond and the seller's step, hours by the second.
        assert!(off < Decimal::new(2, 2), "{saving:?}: {off} off, {paid} paid");
    }
}

#[tokio::test]
async fn what_the_projects_policy_forbids_is_no_saving() {
    let stage = Stage::at("lambda").await;
    let desk = ten_hours(&stage, Some("clients")).await;
    assert_eq!(savings(&desk).await.len(), 2, "the project is under no policy yet");
    for (country, left) in [("US", 2), ("FI", 0)] {
        let policy = Policy {
            name: "at-home".to_owned(),
            title: "At home".to_owned(),
            place: vec![country.parse().unwrap()],
            seller: Vec::new(),
            certificates: Vec::new(),
            isolation: Vec::new(),
            on_breach: OnBreach::Block,
        };
        desk.set_policy(policy).await.unwrap();
        desk.set_project_policy("clients", Some("at-home")).await.unwrap();
        assert_eq!(savings(&desk).await.len(), left, "under {country}");
    }
}

#[tokio::test]
async fn minutes_are_not_compared() {
    let stage = Stage::at("lambda").await;
    let desk = begun(&stage, None).await;
    stage.time.pass(Duration::from_secs(3_000));
    assert_eq!(savings(&desk).await, [], "most of it is the least time that is billed");
    stage.time.pass(Duration::from_secs(900));
    assert_eq!(savings(&desk).await.len(), 2);
}
