//! Kinds of trouble, each a test of its own: found by a random schedule, by hand, or told of by users of the clouds.

use std::time::Duration;

use gpudesk_core::rental::{EventKind, MachineState, Rental, State, Who};
use gpudesk_engine::{Desk, Outcome};
use gpudesk_tests::sim::clock::Nanos;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use gpudesk_tests::sim::twist::Twist;
use rust_decimal::Decimal;

use crate::stage::{PROVIDERS, Stage, list_path, order_path};

fn is(state: State) -> impl Fn(&Rental) -> bool {
    move |rental| rental.state == state
}

async fn times(desk: &Desk, id: &str, wanted: impl Fn(&EventKind) -> bool) -> usize {
    desk.rental_events(id).await.unwrap().iter().filter(|event| wanted(&event.kind)).count()
}

/// What still answers by SSH is the machine on its way down.
#[tokio::test]
async fn a_start_asked_while_a_stop_is_finishing_is_done_only_when_the_machine_came_up_anew() {
    for provider in ["vast", "runpod"] {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let rental = stage.ready(&desk, "a").await;
        let id = rental.record.id.clone();
        stage.sim.market.world().pace.stopping = 20_000;
        desk.stop(&id, Who::Person, "").await.unwrap();
        stage.tend_for(&desk, 2).await;
        assert_eq!(stage.machines_of(&rental)[0].phase, Phase::Stopping, "{provider}");
        desk.start_rental(&id, Who::Person).await.unwrap();
        stage.tend_until(&desk, &id, is(State::Ready)).await;
        assert_eq!(stage.machines_of(&rental)[0].starts, 2, "{provider}: it was started anew");
    }
}

/// The stop never arrived: there is nothing to start, and a provider that says so says it for ever.
#[tokio::test]
async fn a_start_after_a_stop_that_never_arrived_ends_in_the_machine_that_always_ran() {
    for provider in ["vast", "runpod"] {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let id = stage.ready(&desk, "a").await.record.id;
        let path = if provider == "vast" { "/api/v0/instances/" } else { "/v2/pods/" };
        let method = if provider == "vast" { "PUT" } else { "POST" };
        stage.sim.arm(Fault::new(path, Kind::LostBefore).method(method));
        desk.stop(&id, Who::Person, "").await.unwrap();
        stage.sim.disarm();
        desk.start_rental(&id, Who::Person).await.unwrap();
        stage.tend_until(&desk, &id, is(State::Ready)).await;
    }
}

#[tokio::test]
async fn a_machine_that_is_gone_is_lost_after_two_full_listings_of_two_programs() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let rental = stage.ready(&stage.desk().await, "a").await;
        let id = rental.record.id.clone();
        stage.time.pass(Duration::from_secs(300));
        stage.befall(rental.remote_id.as_deref().unwrap(), "gone");
        let first = stage.desk().await;
        assert_eq!(first.reconcile().await.unwrap().lost, [""; 0], "{provider}: one listing proves nothing");
        assert_eq!(first.rental(&id).await.unwrap().state, State::Ready);
        drop(first);
        // Another one at once proves no more than the first.
        assert_eq!(stage.desk().await.reconcile().await.unwrap().lost, [""; 0], "{provider}");
        stage.time.pass(Duration::from_secs(20));
        let second = stage.desk().await;
        assert_eq!(second.reconcile().await.unwrap().lost, ["a"], "{provider}");
        let rental = second.rental(&id).await.unwrap();
        assert_eq!(rental.state, State::Lost);
        assert_eq!(times(&second, &id, |kind| matches!(kind, EventKind::Gone { .. })).await, 1);
    }
}

#[tokio::test]
async fn a_machine_that_was_missed_and_is_there_again_has_to_be_missed_twice_again() {
    let stage = Stage::at("vast").await;
    let id = stage.ready(&stage.desk().await, "a").await.record.id;
    stage.time.pass(Duration::from_secs(300));
    for _ in 0..3 {
        stage.sim.arm(Fault::new("/api/v1/instances/", Kind::Twist { twist: Twist::EmptyList, word: None }));
        stage.sim.arm(Fault::new("/api/v0/instances/", Kind::Twist { twist: Twist::EmptyList, word: None }));
        stage.desk().await.reconcile().await.unwrap();
        stage.sim.disarm();
        stage.time.pass(Duration::from_secs(60));
        let desk = stage.desk().await;
        desk.reconcile().await.unwrap();
        assert_eq!(desk.rental(&id).await.unwrap().state, State::Ready);
        stage.time.pass(Duration::from_secs(60));
    }
}

/// Whoever ends a machine waits for the receipt: also in a program that has just started.
#[tokio::test]
async fn an_end_is_confirmed_within_seconds_of_its_coming_true() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let rental = stage.ready(&stage.desk().await, "a").await;
        stage.time.pass(Duration::from_secs(3_600));
        let desk = stage.desk().await;
        desk.end(&rental.record.id, Who::Person, "").await.unwrap();
        stage.tend_until(&desk, &rental.record.id, is(State::Ended)).await;
        // RunPod says that it is gone when it is still on its way out.
        let gone = stage.machines_of(&rental)[0].ended.unwrap_or(Nanos::MAX);
        let late = stage.sim.market.clock.now().saturating_sub(gone).max(0);
        let late = Duration::from_nanos(u64::try_from(late).unwrap());
        println!("{provider}: confirmed {late:?} after it was gone");
        assert!(late <= Duration::from_secs(5), "{provider}: {late:?}");
    }
}

/// The provider said yes and did nothing, and could not be asked again for a while: until the call that was carried
/// out, the machine was billed.
#[tokio::test]
async fn an_end_that_had_to_be_asked_twice_is_billed_until_the_second_time() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    let rental = stage.ready(&desk, "a").await;
    let id = rental.record.id.clone();
    stage.time.pass(Duration::from_secs(3_600));
    stage.sim.arm(Fault::new("/v2/pods/", Kind::Empty).method("DELETE").times(1));
    desk.end(&id, Who::Person, "").await.unwrap();
    assert!(desk.rental(&id).await.unwrap().accepted_at.is_some());
    stage.sim.arm(Fault::new("/v2/pods", Kind::Status { status: 503, retry_after: None }).method("GET"));
    while stage.machines_of(&rental)[0].ended.is_none() {
        stage.tend_for(&desk, 1).await;
    }
    stage.sim.disarm();
    let ended = stage.tend_until(&desk, &id, is(State::Ended)).await;
    let bill = Decimal::new(stage.machines_of(&rental)[0].bill(None, stage.sim.market.clock.now()), 9);
    let desk_says = ended.costs(desk.now()).total;
    assert!((desk_says - bill).abs() < Decimal::new(5, 3), "bill {bill}, desk {desk_says}");
}

/// It was gone, and is there at the second look.
#[tokio::test]
async fn a_machine_that_is_there_again_after_its_end_is_ended_again() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let rental = stage.ready(&desk, "a").await;
        let id = rental.record.id.clone();
        desk.end(&id, Who::Person, "").await.unwrap();
        stage.tend_until(&desk, &id, is(State::Ended)).await;
        stage.time.pass(Duration::from_secs(60));
        stage.befall(rental.remote_id.as_deref().unwrap(), "online");
        stage.time.pass(Duration::from_secs(60));
        stage.tend_until(&desk, &id, is(State::Ending)).await;
        stage.tend_until(&desk, &id, is(State::Ended)).await;
        let machine = &stage.machines_of(&rental)[0];
        assert!(matches!(machine.phase, Phase::Ending | Phase::Gone), "{provider}: {:?}", machine.phase);
    }
}

#[tokio::test]
async fn two_programs_that_end_the_same_rental_write_its_end_down_once() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let one = stage.desk().await;
        let id = stage.ready(&one, "a").await.record.id;
        let two = stage.desk().await;
        let (a, b) = tokio::join!(one.end(&id, Who::Person, ""), two.end(&id, Who::Person, ""));
        a.and(b).unwrap();
        for _ in 0..120 {
            stage.time.pass(Duration::from_millis(500));
            let (a, b) = tokio::join!(one.tend(), two.tend());
            a.and(b).unwrap();
        }
        assert_eq!(one.rental(&id).await.unwrap().state, State::Ended);
        assert_eq!(times(&one, &id, |kind| matches!(kind, EventKind::Gone { .. })).await, 1, "{provider}");
        assert_eq!(
            times(&one, &id, |kind| matches!(kind, EventKind::EndAsked { .. })).await,
            1,
            "{provider}"
        );
    }
}

#[tokio::test]
async fn a_status_that_is_null_or_unknown_changes_nothing_and_is_shown() {
    for provider in PROVIDERS {
        for twist in [Twist::NullStatus, Twist::UnknownStatus] {
            let stage = Stage::at(provider).await;
            let desk = stage.desk().await;
            let id = stage.ready(&desk, "a").await.record.id;
            let burning = desk.rental(&id).await.unwrap().burning();
            for path in [list_path(provider), "/api/v0/instances/"] {
                stage.sim.arm(Fault::new(path, Kind::Twist { twist, word: None }).method("GET"));
            }
            stage.tend_for(&desk, 30).await;
            let rental = desk.rental(&id).await.unwrap();
            let stands = (rental.state, rental.seen, rental.burning());
            assert_eq!(stands, (State::Ready, Some(MachineState::Unknown), burning), "{provider} {twist:?}");
            assert_eq!(rental.detail.as_deref(), Some("where it stands is not told"), "{provider} {twist:?}");
            stage.sim.disarm();
            stage.tend_for(&desk, 30).await;
            let rental = desk.rental(&id).await.unwrap();
            assert_eq!(
                (rental.state, rental.seen),
                (State::Ready, Some(MachineState::Running)),
                "{provider}"
            );
        }
    }
}

/// No list is believed so much that an order would be sent twice.
#[tokio::test]
async fn an_order_without_an_answer_is_not_repeated_though_full_lists_lack_it() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let (path, method) = order_path(provider);
        stage.sim.arm(Fault::new(path, Kind::LostAfter).method(method));
        stage.cloud.lie(true);
        let order = stage.order(stage.offer().await, "a");
        let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
        let id = rental.record.id.clone();
        let failed = stage.tend_until(&desk, &id, is(State::Failed)).await;
        assert!(failed.is_over());
        stage.sim.disarm();
        stage.cloud.lie(false);
        // Its name is free, and somebody takes it.
        let again = stage.ready(&desk, "a").await;
        assert_eq!(desk.reconcile().await.unwrap().found, ["a"], "{provider}");
        let ended = stage.tend_until(&desk, &id, is(State::Ended)).await;
        let machines = stage.machines_of(&ended);
        assert_eq!(machines.len(), 1, "{provider}");
        assert!(matches!(machines[0].phase, Phase::Ending | Phase::Gone), "{provider}");
        assert_eq!(desk.rental("a").await.unwrap().record.id, again.record.id);
        assert_eq!(desk.rental("a").await.unwrap().state, State::Ready);
    }
}

#[tokio::test]
async fn an_outbid_machine_is_preempted_and_comes_back_by_itself() {
    let stage = Stage::at("vast").await;
    let desk = stage.desk().await;
    let (offer, bid) = stage.bid().await.unwrap();
    let mut order = stage.order(offer, "a");
    order.max_price = Some(bid);
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    let id = rental.record.id;
    let ready = stage.tend_until(&desk, &id, is(State::Ready)).await;
    assert_eq!(ready.per_hour, Some(bid));
    let machine = ready.remote_id.clone().unwrap();
    stage.befall(&machine, "outbid");
    let out = stage.tend_until(&desk, &id, is(State::Preempted)).await;
    assert!(out.burning().unwrap() < bid, "only the disk is billed");
    stage.befall(&machine, "outbid_over");
    stage.tend_until(&desk, &id, is(State::Ready)).await;
    // A stop of our own is none of theirs.
    desk.stop(&id, Who::Person, "").await.unwrap();
    stage.tend_until(&desk, &id, is(State::Stopped)).await;
    stage.tend_for(&desk, 60).await;
    assert_eq!(desk.rental(&id).await.unwrap().state, State::Stopped);
}

/// The provider answers an error and keeps a stopped machine, whose disk it bills.
#[tokio::test]
async fn a_bid_that_is_too_low_leaves_no_machine_behind_whether_its_answer_comes_or_not() {
    for lost in [false, true] {
        let stage = Stage::at("vast").await;
        let desk = stage.desk().await;
        let (offer, bid) = stage.bid().await.unwrap();
        let mut order = stage.order(offer, "a");
        order.max_price = Some(bid);
        stage.cloud.bid_lower();
        if lost {
            stage.sim.arm(Fault::new("/api/v0/asks/", Kind::LostAfter).method("PUT").times(1));
        }
        let launched = desk.launch(order).await;
        assert_eq!(launched.is_ok(), lost, "{launched:?}");
        let id = desk.rentals(true).await.unwrap()[0].record.id.clone();
        if lost {
            // What was found stands still and costs its disk: that is told, and a person decides.
            let found = stage.tend_until(&desk, &id, is(State::Preempted)).await;
            assert!(found.burning() > Some(Decimal::ZERO));
            desk.end(&id, Who::Person, "").await.unwrap();
        }
        let ended = stage.tend_until(&desk, &id, is(State::Ended)).await;
        let machines = stage.machines_of(&ended);
        assert_eq!((machines.len(), machines[0].phase), (1, Phase::Gone));
    }
}

#[tokio::test]
async fn what_the_provider_billed_is_read_after_the_end_and_stands_in_the_receipt() {
    for provider in ["vast", "runpod"] {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let rental = stage.ready(&desk, "a").await;
        let id = rental.record.id.clone();
        stage.time.pass(Duration::from_secs(5_000));
        desk.end(&id, Who::Person, "").await.unwrap();
        stage.tend_until(&desk, &id, is(State::Ended)).await;
        for minutes in [3, 30] {
            stage.time.pass(Duration::from_secs(minutes * 60));
            desk.tend().await.unwrap();
        }
        let bill = Decimal::new(stage.sim.bill(rental.remote_id.as_deref().unwrap()).unwrap(), 9);
        let (_, billed) = desk.rental(&id).await.unwrap().billed.unwrap();
        assert_eq!(billed.total.round_dp(2), bill.round_dp(2), "{provider}");
        assert_eq!(times(&desk, &id, |kind| matches!(kind, EventKind::Billed { .. })).await, 1, "told once");
        let receipt = desk.receipt(&id).await.unwrap().unwrap();
        assert!(receipt.markdown.contains("The provider billed"), "{}", receipt.markdown);
        assert_eq!(receipt.json["billed"]["currency"], "USD", "{}", receipt.json);
    }
}
