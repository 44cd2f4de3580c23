//! One plain life at each cloud.

use std::time::Duration;

use gpudesk_core::rental::{Rental, State, Who};
use gpudesk_engine::Outcome;
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
