//! Orders that are answered in one way and carried out in another: one machine for each, whoever asks.

use std::time::Duration;

use chrono::TimeDelta;
use gpudesk_core::rental::{EventKind, State};
use gpudesk_engine::{Clock as _, DeskError, Outcome};
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use serde_json::json;

use crate::stage::{PROVIDERS, Stage, order_path};

/// A limiter or a redirect in front of the service may have let the order through.
#[tokio::test]
async fn an_order_that_was_carried_out_and_answered_otherwise_makes_one_machine() {
    for provider in PROVIDERS {
        for status in [301, 302, 307, 308, 408, 429, 500, 503] {
            let stage = Stage::at(provider).await;
            let (path, method) = order_path(provider);
            stage.sim.arm(Fault::new(path, Kind::DoneBut { status }).method(method).times(3));
            let desk = stage.desk().await;
            let Outcome::Requested(rental) =
                desk.launch(stage.order(stage.offer().await, "a")).await.unwrap()
            else {
                panic!("{provider} {status}: refused");
            };
            // Each round by a program that has just started.
            for _ in 0..8 {
                let desk = stage.desk().await;
                stage.tend_for(&desk, 15).await;
            }
            let desk = stage.desk().await;
            let rental = desk.rental(&rental.record.id).await.unwrap();
            assert_eq!(stage.machines_of(&rental).len(), 1, "{provider} {status}");
            assert_eq!(rental.state, State::Ready, "{provider} {status}: {:?}", rental.reason);
        }
    }
}

/// RunPod's 5xx may have made a pod: what it says of its stock is believed once a list has been read.
#[tokio::test]
async fn an_offer_that_is_gone_is_told_as_gone_once_nothing_is_found() {
    for status in [500, 503] {
        let sold_out = |done| {
            let (path, method) = order_path("runpod");
            Fault::new(path, Kind::SoldOut { status, done }).method(method).times(1)
        };
        let stage = Stage::at("runpod").await;
        stage.sim.arm(sold_out(false));
        let outcome = stage.desk().await.launch(stage.order(stage.offer().await, "a")).await.unwrap();
        let words = match outcome {
            Outcome::Gone { words, .. } => words,
            other => panic!("{status}: {other:?}"),
        };
        assert!(words.contains("no longer any instances"), "{words}");
        assert_eq!(stage.sim.market.world().machines.len(), 0);
        let asked: Vec<String> = stage.sim.asked().into_iter().map(|asked| asked.request).collect();
        let order = asked.iter().position(|request| request.starts_with("POST /v2/pods")).unwrap();
        let looks = asked[order..].iter().filter(|request| request.starts_with("GET /v2/pods")).count();
        assert_eq!(looks, 1, "looked for before it was said: {asked:?}");

        // It made one all the same.
        stage.sim.arm(sold_out(true));
        let outcome = stage.desk().await.launch(stage.order(stage.offer().await, "b")).await.unwrap();
        let rental = match outcome {
            Outcome::Requested(rental) => rental,
            other => panic!("{status}: {other:?}"),
        };
        assert!(rental.remote_id.is_some());
        assert_eq!(stage.machines_of(&rental).len(), 1);

        // It made one, and the list did not show it: the order has failed, and what appears is ended.
        stage.sim.arm(sold_out(true));
        stage.cloud.lie(true);
        let outcome = stage.desk().await.launch(stage.order(stage.offer().await, "c")).await.unwrap();
        assert!(matches!(outcome, Outcome::Gone { .. }), "{outcome:?}");
        stage.cloud.lie(false);
        let desk = stage.desk().await;
        desk.reconcile().await.unwrap();
        stage.tend_for(&desk, 60).await;
        let left: Vec<_> = stage.sim.market.world().machines.iter().map(|m| m.phase).collect();
        assert!(matches!(left[..], [kept, Phase::Gone] if kept != Phase::Gone), "{status}: {left:?}");
    }
}

/// "Come back in an hour" holds for the next program, too; and nobody waits an hour for an order.
#[tokio::test]
async fn an_order_that_is_put_off_is_not_sent_before_its_time_by_another_program() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let (path, method) = order_path(provider);
        let sent = || {
            let begins = format!("{method} {path}");
            stage.sim.asked().iter().filter(|asked| asked.request.starts_with(&begins)).count()
        };
        let busy = |seconds| Kind::Status { status: 429, retry_after: Some(seconds) };
        stage.sim.arm(Fault::new(path, busy(40)).method(method).times(1));
        let outcome = stage.desk().await.launch(stage.order(stage.offer().await, "a")).await.unwrap();
        assert!(matches!(outcome, Outcome::Requested(_)), "{provider}");
        for _ in 0..7 {
            stage.time.pass(Duration::from_secs(5));
            stage.desk().await.tend().await.unwrap();
        }
        assert_eq!(sent(), 1, "{provider}: 35 of 40 seconds have passed");
        for _ in 0..4 {
            stage.time.pass(Duration::from_secs(5));
            stage.desk().await.tend().await.unwrap();
        }
        assert_eq!(sent(), 2, "{provider}");

        stage.sim.arm(Fault::new(path, busy(7_200)).method(method).times(1));
        let refused = stage.desk().await.launch(stage.order(stage.offer().await, "b")).await;
        assert!(refused.is_err(), "{provider}: two hours are longer than anybody waits");
        let b = stage.desk().await.rental("b").await;
        assert!(b.is_err() || b.is_ok_and(|b| b.state == State::Failed), "{provider}");
    }
}

/// The program may end with the error, and nobody may be there to tend what was made.
#[tokio::test]
async fn what_was_made_in_error_is_ended_at_once() {
    let stage = Stage::at("vast").await;
    let (offer, bid) = stage.bid().await.unwrap();
    stage.cloud.bid_lower();
    let mut order = stage.order(offer, "a");
    order.max_price = Some(bid);
    assert!(stage.desk().await.launch(order).await.is_err());
    let made = stage.sim.market.world().machines.iter().map(|machine| machine.phase).collect::<Vec<_>>();
    assert!(matches!(made[..], [Phase::Ending | Phase::Gone]), "{made:?}");
}

/// The host takes its machine back at the end of its offer, whatever was agreed with us.
#[tokio::test]
async fn a_lease_ends_before_the_offer_does() {
    let stage = Stage::at("vast").await;
    let offer = stage.offer().await;
    // The practice market's offers last twenty days.
    let account = stage.order(offer.clone(), "asks").account;
    let told = stage.desk().await.offer_end(&account, &offer).await.unwrap().expect("it ends");
    let left = told - stage.time.now();
    assert!(left > TimeDelta::days(19) && left <= TimeDelta::days(20), "{left}");
    for (days, stands) in [(21, false), (19, true)] {
        let mut order = stage.order(offer.clone(), &format!("for-{days}"));
        order.lease.until = Some(stage.time.now() + TimeDelta::days(days));
        let desk = stage.desk().await;
        let outcome = desk.launch(order).await;
        assert_eq!(outcome.is_ok(), stands, "{days} days: {outcome:?}");
        if let Err(error) = outcome {
            assert!(matches!(error, DeskError::Rental(_)), "{error}");
            assert_eq!(error.code(), "refused");
        }
    }
    assert_eq!(stage.sim.market.world().machines.len(), 1);
}

#[tokio::test]
async fn the_event_of_a_refusal_is_read_as_it_was_written_before_there_was_a_time() {
    let kind: EventKind =
        serde_json::from_value(json!({"event": "launch-refused", "code": "x", "words": "y"})).unwrap();
    assert!(matches!(kind, EventKind::LaunchRefused { retry_at: None, .. }));
}
