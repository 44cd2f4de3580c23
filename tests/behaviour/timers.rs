//! The clouds' own timers: what is set reads back, moves, goes away, and ends the machine in time.

use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};
use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::OwnTimer;
use gpudesk_providers::cloud::{Cloud, CloudErrorCode, Effect, Look};
use gpudesk_tests::sim::world::Timers;

use crate::stage::{Stage, everywhere};

const MARK: &str = "gpudesk-01timers";

const HOUR: Duration = Duration::from_secs(3600);

/// A machine that is up, launched with this timer.
async fn up(at: &Stage, cloud: &dyn Cloud, end_at: Option<DateTime<Utc>>) -> String {
    let mut order = at.order(cloud, at.offer(PriceKind::OnDemand).await, MARK);
    order.end_at = end_at;
    let made = cloud.launch(&order).await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
    cloud.admit(&made.remote_id, &order.spec).await.unwrap();
    at.until_up(cloud, &made.remote_id).await;
    made.remote_id
}

async fn told(at: &Stage, cloud: &dyn Cloud, id: &str) -> Option<DateTime<Utc>> {
    match cloud.look(id).await.unwrap() {
        Look::There(machine) => machine.timer,
        Look::Absent => panic!("{}: absent", at.name()),
    }
}

fn reads_back(cloud: &dyn Cloud) -> bool {
    cloud.terms().own_timer == OwnTimer::ReadsBack
}

#[tokio::test]
async fn a_timer_that_reads_back_is_kept_moved_and_taken_away() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let now = at.now().trunc_subsecs(0);
        let (soon, later) = (now + 2 * HOUR, now + 4 * HOUR);
        let id = up(at, &*cloud, Some(soon)).await;
        if !reads_back(&*cloud) {
            assert_eq!(told(at, &*cloud, &id).await, None, "{}: told of a timer it has not", at.name());
            let error = cloud.set_timer(&id, Some(later)).await.expect_err(at.name());
            assert_eq!((error.code, error.effect), (CloudErrorCode::Unsupported, Effect::Nothing));
            return;
        }
        assert_eq!(told(at, &*cloud, &id).await, Some(soon), "{}: set by the order", at.name());
        for to in [Some(later), None, Some(soon), Some(later)] {
            cloud.set_timer(&id, to).await.unwrap_or_else(|e| panic!("{}: timer: {e}", at.name()));
            assert_eq!(told(at, &*cloud, &id).await, to, "{}", at.name());
        }
        at.pass(3 * HOUR);
        assert_eq!(at.really(), 1, "{}: the earlier date no longer holds", at.name());
        at.pass(HOUR);
        at.until_gone(&*cloud, &id).await;
        assert_eq!(at.really(), 0, "{}", at.name());
        let bill = at.sim.bill(&id);
        at.pass(HOUR);
        assert_eq!(at.sim.bill(&id), bill, "{}: billed after its timer", at.name());
        let error = cloud.set_timer(&id, Some(later + HOUR)).await.expect_err(at.name());
        assert_eq!(error.code, CloudErrorCode::NoSuchMachine, "{}: {error}", at.name());
    })
    .await;
}

#[tokio::test]
async fn a_machine_without_a_timer_tells_of_none() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = up(at, &*cloud, None).await;
        assert_eq!(told(at, &*cloud, &id).await, None, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn a_timer_that_was_accepted_and_lost_does_not_read_back() {
    everywhere(async |at| {
        let cloud = at.cloud();
        if !reads_back(&*cloud) {
            return;
        }
        at.sim.market.world().timers = Timers::Lost;
        let soon = at.now().trunc_subsecs(0) + HOUR;
        let id = up(at, &*cloud, Some(soon)).await;
        assert_eq!(told(at, &*cloud, &id).await, None, "{}: lost at the order", at.name());
        cloud.set_timer(&id, Some(soon)).await.unwrap_or_else(|e| panic!("{}: accepted: {e}", at.name()));
        assert_eq!(told(at, &*cloud, &id).await, None, "{}: lost at the change", at.name());
        at.pass(2 * HOUR);
        assert_eq!(at.really(), 1, "{}: it ended nothing", at.name());
    })
    .await;
}
