//! One plain life at each cloud.

use std::time::Duration;

use gpudesk_core::rental::{Event, EventKind, Rental, State, Who};
use gpudesk_engine::Outcome;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use rust_decimal::Decimal;

use crate::stage::{PROVIDERS, Stage};

#[tokio::test]
async fn a_rental_lives_from_launch_to_receipt() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let order = stage.order(stage.offer().await, "plain");
        let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
        let id = rental.record.id;
        let ready = |state: State| move |rental: &Rental| rental.state == state;
        stage.tend_until(&desk, &id, ready(State::Ready)).await;
        stage.time.pass(Duration::from_secs(3_600));
        if provider != "lambda" {
            desk.stop(&id, Who::Person, "a pause").await.unwrap();
            stage.tend_until(&desk, &id, ready(State::Stopped)).await;
            stage.time.pass(Duration::from_secs(3_600));
            desk.start_rental(&id, Who::Person).await.unwrap();
            stage.tend_until(&desk, &id, ready(State::Ready)).await;
        } else {
            assert_eq!(desk.stop(&id, Who::Person, "").await.unwrap_err().code(), "unsupported");
        }
        desk.end(&id, Who::Person, "done").await.unwrap();
        let ended = stage.tend_until(&desk, &id, ready(State::Ended)).await;
        for minutes in [3, 31] {
            stage.time.pass(Duration::from_secs(minutes * 60));
            desk.tend().await.unwrap();
        }
        let rental = desk.rental(&id).await.unwrap();
        assert_eq!(rental.looks, [2, 30], "{provider}");
        let remote_id = ended.remote_id.unwrap();
        let bill = Decimal::new(stage.sim.bill(&remote_id).unwrap(), 9);
        let costs = rental.costs(desk.now());
        // Ten seconds of a look's distance at each of the ends that are not told.
        let off = (costs.total - bill).abs();
        assert!(off < Decimal::new(3, 2), "{provider}: {off} off: {:#?}", rental.intervals);
        let receipt = desk.receipt(&id).await.unwrap().unwrap();
        assert!(
            receipt.markdown.contains("looked again 30 minutes after the end: gone"),
            "{}",
            receipt.markdown
        );
    }
}

/// Programs that run once and end, as by a timer of the system: none of them lives long enough to wait for anything.
#[tokio::test]
async fn an_end_that_was_taken_and_not_carried_out_is_asked_for_again_by_the_next_program() {
    let stage = Stage::at("runpod").await;
    let rental = stage.ready(&stage.desk().await, "a").await;
    stage.sim.arm(Fault::new("/v2/pods/", Kind::Empty).method("DELETE").times(1));
    let ends = || stage.sim.requests().iter().filter(|request| request.starts_with("DELETE ")).count();
    let desk = stage.desk().await;
    desk.end(&rental.record.id, Who::Person, "").await.unwrap();
    desk.tend().await.unwrap();
    let ended = desk.rental(&rental.record.id).await.unwrap();
    assert!(ended.accepted_at.is_some() && ends() == 1, "{ended:?}");

    stage.time.pass(Duration::from_secs(30));
    stage.desk().await.tend().await.unwrap();
    assert_eq!(ends(), 1, "it may be on its way yet");
    stage.time.pass(Duration::from_secs(31));
    stage.desk().await.tend().await.unwrap();
    assert_eq!(ends(), 2, "a minute is over, and it is there as before");
    stage.time.pass(Duration::from_secs(30));
    stage.desk().await.tend().await.unwrap();
    assert!(stage.machines_of(&rental).iter().all(|machine| machine.phase == Phase::Gone));
}

/// The same with a cloud that never does it: whoever looks after five minutes says so, once.
#[tokio::test]
async fn what_is_not_confirmed_is_told_once_by_whichever_program_looks() {
    let stage = Stage::at("runpod").await;
    let rental = stage.ready(&stage.desk().await, "a").await;
    stage.sim.arm(Fault::new("/v2/pods/", Kind::Empty).method("DELETE"));
    stage.desk().await.end(&rental.record.id, Who::Person, "").await.unwrap();
    let mut told = Vec::new();
    for _ in 0..8 {
        let desk = stage.desk().await;
        desk.tend().await.unwrap();
        let events = desk.rental_events(&rental.record.id).await.unwrap();
        let is_it = |event: &Event| matches!(&event.kind, EventKind::Told { what } if what.starts_with("not-confirmed end "));
        told.push(events.iter().filter(|event| is_it(event)).count());
        stage.time.pass(Duration::from_secs(90));
    }
    assert_eq!((told[0], told[3], told[7]), (0, 0, 1), "{told:?}");
}
