//! A machine from its order to its end.

use std::time::Duration;

use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::MachineState;
use gpudesk_providers::cloud::{CloudErrorCode, Look};
use gpudesk_tests::sim::machine::Phase;
use rust_decimal::Decimal;

use crate::stage::{Stage, everywhere};

const MARK: &str = "gpudesk-01behaviour";

#[tokio::test]
async fn a_machine_is_made_found_entered_stopped_started_and_ended() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, MARK).await;
        let found = at.marked(&*cloud, MARK).await;
        assert_eq!(found.len(), 1, "{}: {found:?}", at.name());
        assert_eq!(found[0].remote_id, id, "{}: found by its mark", at.name());
        let up = at.until_up(&*cloud, &id).await;
        assert_eq!(up.token.as_deref(), Some(MARK), "{}", at.name());
        assert_eq!(up.ssh[0].user, cloud.terms().ssh.user, "{}", at.name());
        assert!(up.per_hour.is_none_or(|rate| rate > Decimal::ZERO), "{}: {up:?}", at.name());
        assert!(!up.spot, "{}: on demand", at.name());
        if cloud.terms().stop.exists {
            stop_and_start(at, &id).await;
        } else {
            let error = cloud.stop(&id).await.expect_err(at.name());
            assert_eq!(error.code, CloudErrorCode::Unsupported, "{}: {error}", at.name());
        }
        end(at, &id).await;
    })
    .await;
}

async fn stop_and_start(at: &Stage, id: &str) {
    let cloud = at.cloud();
    let state = |wanted| {
        move |machine: Option<&gpudesk_core::rental::Machine>| machine.is_some_and(|m| m.state == wanted)
    };
    cloud.stop(id).await.unwrap_or_else(|e| panic!("{}: stop: {e}", at.name()));
    at.until(&*cloud, id, state(MachineState::Stopped)).await;
    let burns = at.sim.market.world().machines.iter().any(|m| m.id == id && m.burning() > 0);
    let billed = cloud.terms().stop.disk_billed == Some(true) || !cloud.terms().stop.ends_compute;
    assert!(!burns || billed, "{}: a stopped machine that is billed must say so", at.name());
    cloud.start(id).await.unwrap_or_else(|e| panic!("{}: start: {e}", at.name()));
    let again = at.until_up(&*cloud, id).await;
    assert_eq!(again.token.as_deref(), Some(MARK), "{}: the mark outlives a stop", at.name());
}

async fn end(at: &Stage, id: &str) {
    let cloud = at.cloud();
    cloud.end(id).await.unwrap_or_else(|e| panic!("{}: end: {e}", at.name()));
    cloud.end(id).await.unwrap_or_else(|e| panic!("{}: end of what is ending: {e}", at.name()));
    at.until_gone(&*cloud, id).await;
    cloud.end(id).await.unwrap_or_else(|e| panic!("{}: end of what is gone: {e}", at.name()));
    assert!(at.marked(&*cloud, MARK).await.is_empty(), "{}: gone from the list", at.name());
    assert_eq!(at.really(), 0, "{}", at.name());
    let leftovers = cloud.leftovers().await.unwrap_or_else(|e| panic!("{}: leftovers: {e}", at.name()));
    assert!(leftovers.is_empty(), "{}: nothing that was not asked for stays: {leftovers:?}", at.name());
    let bill = at.sim.bill(id);
    at.pass(Duration::from_secs(3600));
    assert_eq!(at.sim.bill(id), bill, "{}: billed after its end", at.name());
}

#[tokio::test]
async fn every_kind_of_price_it_rents_by_can_be_rented() {
    everywhere(async |at| {
        let cloud = at.cloud();
        for (n, kind) in [PriceKind::Spot, PriceKind::Bid].into_iter().enumerate() {
            if !cloud.terms().rents(kind) {
                continue;
            }
            let mark = format!("gpudesk-01kind{n}");
            let order = at.order(&*cloud, at.offer(kind).await, &mark);
            let id =
                cloud.launch(&order).await.unwrap_or_else(|e| panic!("{}: {kind}: {e}", at.name())).remote_id;
            let up = at.until_up(&*cloud, &id).await;
            assert!(up.spot, "{}: {kind} may be taken back", at.name());
            cloud.end(&id).await.unwrap();
            at.until_gone(&*cloud, &id).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_word_nobody_knows_is_kept() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, MARK).await;
        at.until_up(&*cloud, &id).await;
        let now = at.sim.market.clock.now();
        let what = serde_json::json!({ "do": "word", "word": "levitating" });
        at.sim.market.world().befall(&id, &what, now).unwrap();
        let Look::There(machine) = cloud.look(&id).await.unwrap() else { panic!("{}: absent", at.name()) };
        assert_eq!(machine.state, MachineState::Unknown, "{}: {}", at.name(), machine.word);
        // A cloud whose words are numbers tells one that nobody knows.
        let kept = ["levitating", "77"].iter().any(|word| machine.word.to_lowercase().contains(word));
        assert!(kept, "{}: {}", at.name(), machine.word);
    })
    .await;
}

#[tokio::test]
async fn a_machine_gone_by_itself_is_absent_or_ended() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, MARK).await;
        at.until_up(&*cloud, &id).await;
        let now = at.sim.market.clock.now();
        at.sim.market.world().befall(&id, &serde_json::json!({ "do": "gone" }), now).unwrap();
        at.until_gone(&*cloud, &id).await;
        let gone = at.sim.market.world().machines.iter().all(|m| m.id != id || m.phase == Phase::Gone);
        assert!(gone, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn an_id_that_is_none_is_absent_and_cannot_climb_out_of_its_path() {
    everywhere(async |at| {
        let cloud = at.cloud();
        for id in ["../../x", "a/b", "", "%2e%2e"] {
            let error = cloud.end(id).await.expect_err(at.name());
            assert_eq!(error.code, CloudErrorCode::NoSuchMachine, "{}: `{id}` {error}", at.name());
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_billed_is_told_where_it_says_so() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let from = at.now();
        let id = at.launched(&*cloud, MARK).await;
        at.until_up(&*cloud, &id).await;
        at.pass(Duration::from_secs(2 * 3600));
        cloud.end(&id).await.unwrap();
        at.until_gone(&*cloud, &id).await;
        at.pass(Duration::from_secs(2 * 3600));
        let usage = cloud.usage(from, at.now()).await.unwrap_or_else(|e| panic!("{}: usage: {e}", at.name()));
        assert_eq!(usage.is_some(), cloud.terms().tells_usage, "{}", at.name());
        if let Some(usage) = usage {
            let ours: Decimal = usage.iter().filter(|row| row.is_of(&id, MARK)).map(|row| row.total).sum();
            let bill = Decimal::new(at.sim.bill(&id).unwrap(), 9);
            // Bills are of whole cents, hours or days.
            let off = (ours - bill).abs();
            assert!(off <= bill * Decimal::new(2, 2) + Decimal::new(2, 2), "{}: {bill} {usage:?}", at.name());
            assert!(ours > Decimal::ZERO, "{}: {usage:?}", at.name());
        }
    })
    .await;
}
