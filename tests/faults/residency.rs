//! A launch under a residency policy, and the place read back after it.

use gpudesk_core::offer::Offer;
use gpudesk_core::policy::{OnBreach, Policy, Reason, Verdict};
use gpudesk_core::rental::{EventKind, Rental, State};
use gpudesk_engine::{Desk, DeskError, Event, Order, Outcome, PolicyError};
use serde_json::json;

use crate::stage::Stage;

/// A policy by which machines stand in one country, for the project `clients`.
async fn under(desk: &Desk, country: &str, on_breach: OnBreach) {
    let policy = Policy {
        name: "at-home".to_owned(),
        title: "At home".to_owned(),
        place: vec![country.parse().unwrap()],
        seller: vec!["US".parse().unwrap()],
        certificates: Vec::new(),
        isolation: Vec::new(),
        on_breach,
    };
    desk.set_policy(policy).await.unwrap();
    desk.set_project_policy("Clients", Some("at-home")).await.unwrap();
}

fn in_country(mut offer: Offer, country: Option<&str>) -> Offer {
    offer.place.country = country.map(str::to_owned);
    offer.place.seller = Some("US".to_owned());
    offer
}

/// An order for that project, which a slip of the hand does not take out of it.
async fn order(stage: &Stage, country: Option<&str>) -> Order {
    let mut order = stage.order(in_country(stage.offer().await, country), "a");
    order.project = Some("clients".to_owned());
    order
}

fn refusal(outcome: Result<Outcome, DeskError>) -> Vec<Reason> {
    match outcome {
        Err(DeskError::Policy(PolicyError::Blocked { reasons, .. })) => reasons,
        other => panic!("{other:?}"),
    }
}

async fn launched(desk: &Desk, order: Order) -> Rental {
    match desk.launch(order).await.unwrap() {
        Outcome::Requested(rental) => *rental,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_launch_that_a_policy_forbids_asks_nothing_of_the_provider() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    under(&desk, "DE", OnBreach::Block).await;
    for (country, code) in [(Some("US"), "place-elsewhere"), (None, "place-unknown")] {
        let reasons = refusal(desk.launch(order(&stage, country).await).await);
        assert_eq!(reasons.iter().map(Reason::code).collect::<Vec<_>>(), [code]);
    }
    let mut blank = order(&stage, Some("US")).await;
    blank.override_policy = Some("  ".to_owned());
    refusal(desk.launch(blank).await);
    assert!(stage.sim.market.world().machines.is_empty());
    assert!(desk.rentals(true).await.unwrap().is_empty());
    // Another project is under no policy.
    let mut other = order(&stage, Some("US")).await;
    other.project = Some("play".to_owned());
    launched(&desk, other).await;
}

#[tokio::test]
async fn a_written_override_stays_in_the_record_and_the_receipt() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    under(&desk, "DE", OnBreach::Block).await;
    let mut order = order(&stage, Some("US")).await;
    order.override_policy = Some(" synthetic data only ".to_owned());
    let id = launched(&desk, order).await.record.id;
    let rental = stage.tend_until(&desk, &id, |rental| rental.state == State::Ready).await;
    let override_of = ("at-home".to_owned(), "synthetic data only".to_owned());
    assert_eq!(rental.overrides, [override_of]);
    let events = desk.rental_events(&id).await.unwrap();
    let at = |wanted: fn(&EventKind) -> bool| events.iter().position(|event| wanted(&event.kind)).unwrap();
    let sent = at(|kind| matches!(kind, EventKind::LaunchSent { .. }));
    assert!(at(|kind| matches!(kind, EventKind::PolicyChecked { .. })) < sent);
    assert!(at(|kind| matches!(kind, EventKind::Override { .. })) < sent);
    // What was known before the launch is no news after it.
    assert_eq!(rental.new_breaches().count(), 0);
    assert!(!rental.told.contains(&"policy-broken".to_owned()));
    desk.end(&id, gpudesk_core::rental::Who::Person, "").await.unwrap();
    stage.tend_until(&desk, &id, Rental::is_over).await;
    let receipt = desk.receipt(&id).await.unwrap().unwrap();
    assert!(receipt.markdown.contains("`At home`, blocked"), "{}", receipt.markdown);
    assert!(receipt.markdown.contains("Overridden: `synthetic data only`"), "{}", receipt.markdown);
    assert_eq!(receipt.json["policy"]["overridden"], "synthetic data only");
}

#[tokio::test]
async fn a_machine_made_elsewhere_than_offered_is_told_of() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    under(&desk, "US", OnBreach::Block).await;
    let mut heard = desk.events();
    let rental = launched(&desk, order(&stage, Some("US")).await).await;
    assert_eq!(rental.judgement.as_ref().map(|judgement| judgement.verdict), Some(Verdict::Allowed));
    for machine in &mut stage.sim.market.world().machines {
        machine.facts["region"] = json!("europe-central-1");
    }
    let id = rental.record.id;
    let rental = stage.tend_until(&desk, &id, |rental| rental.state == State::Ready).await;
    assert_eq!(rental.new_breaches().map(Reason::code).collect::<Vec<_>>(), ["place-elsewhere"]);
    assert_eq!(rental.place.as_ref().and_then(|place| place.country.as_deref()), Some("DE"));
    let told = std::iter::from_fn(|| heard.try_recv().ok())
        .find_map(|event| match event {
            Event::Told { what, text, .. } if what == "policy-broken" => Some(text),
            _ => None,
        })
        .unwrap();
    assert!(told.contains("At home") && told.contains("DE"), "{told}");
}

#[tokio::test]
async fn a_policy_that_warns_lets_it_go_on_and_says_why() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    under(&desk, "DE", OnBreach::Warn).await;
    let rental = launched(&desk, order(&stage, Some("US")).await).await;
    let judgement = rental.judgement.unwrap();
    assert_eq!((judgement.verdict, judgement.breaches().count()), (Verdict::Warned, 1));
    assert!(rental.overrides.is_empty());
}
