//! The deadline in a machine's own tags follows the lease, and never the other way round.

use chrono::TimeDelta;
use gpudesk_core::rental::{EventKind, Lease, OnExpiry, Rental, State};
use gpudesk_engine::{Desk, Order, Outcome};
use gpudesk_tests::sim::fault::{Fault, Kind};

use crate::stage::Stage;

/// A machine with a lease of eight hours, ready.
async fn rented(stage: &Stage, desk: &Desk) -> Rental {
    let until = Some(stage.time.truth() + TimeDelta::hours(8));
    let lease = Lease { until, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify };
    let order = Order { lease, ..stage.order(stage.offer().await, "a") };
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    stage.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ready).await
}

/// What the market has of its deadline.
fn tagged(stage: &Stage, rental: &Rental) -> String {
    let tags = stage.machines_of(rental)[0].request["tags"].clone();
    let tags = tags.as_array().unwrap().iter().filter_map(|tag| tag.as_str()?.strip_prefix("gpudesk_until_"));
    tags.collect::<Vec<_>>().join(" ")
}

/// What happened to its tags.
async fn story(desk: &Desk, rental: &Rental) -> Vec<&'static str> {
    let events = desk.rental_events(&rental.record.id).await.unwrap();
    let told = events.iter().filter_map(|event| match event.kind {
        EventKind::Retagged { .. } => Some("renewed"),
        EventKind::RetagFailed { .. } => Some("failed"),
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn the_deadline_in_the_tags_is_renewed_with_the_lease() {
    let stage = Stage::at("vultr").await;
    let desk = stage.desk().await;
    let rental = rented(&stage, &desk).await;
    assert_eq!(tagged(&stage, &rental), "2026-11-30T17-00-00Z");
    desk.extend(&rental.record.id, 2.0).await.unwrap();
    assert_eq!(tagged(&stage, &rental), "2026-11-30T19-00-00Z");
    let unlimited = Lease { until: None, ..rental.lease.clone() };
    desk.set_lease(&rental.record.id, unlimited).await.unwrap();
    assert_eq!(tagged(&stage, &rental), "none");
    assert_eq!(story(&desk, &rental).await, ["renewed", "renewed"]);
    // A lease that changes in other ways has nothing to say there.
    let watched = Lease { until: None, idle_minutes: Some(30), ..rental.lease.clone() };
    desk.set_lease(&rental.record.id, watched).await.unwrap();
    desk.reconcile().await.unwrap();
    assert_eq!(story(&desk, &rental).await, ["renewed", "renewed"]);
}

#[tokio::test]
async fn tags_that_cannot_be_renewed_hold_up_no_extension_and_are_tried_again() {
    let stage = Stage::at("vultr").await;
    let desk = stage.desk().await;
    let rental = rented(&stage, &desk).await;
    let refused = Kind::Status { status: 503, retry_after: None };
    stage.sim.arm(Fault::new("/v2/instances/", refused).method("PATCH"));
    let extended = desk.extend(&rental.record.id, 2.0).await.unwrap();
    assert_eq!(extended.lease.until, rental.lease.until.map(|until| until + TimeDelta::hours(2)));
    for _ in 0..3 {
        desk.reconcile().await.unwrap();
    }
    assert_eq!(story(&desk, &rental).await, ["failed"], "the same reason is told once");
    assert_eq!(tagged(&stage, &rental), "2026-11-30T17-00-00Z");
    stage.sim.disarm();
    let other = stage.desk().await;
    other.reconcile().await.unwrap();
    assert_eq!(tagged(&stage, &rental), "2026-11-30T19-00-00Z", "by whichever desk compares next");
    assert_eq!(story(&desk, &rental).await, ["failed", "renewed"]);
}

#[tokio::test]
async fn where_tags_cannot_be_changed_nothing_is_tried() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    let rental = rented(&stage, &desk).await;
    desk.extend(&rental.record.id, 2.0).await.unwrap();
    desk.reconcile().await.unwrap();
    assert_eq!(story(&desk, &rental).await, [""; 0]);
}
