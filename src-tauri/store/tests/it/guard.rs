//! How machines were used, budgets, and what was told.

use gpudesk_core::activity::{Activity, Minute, Why};
use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Event, EventKind, Lease, OnExpiry, Record};
use gpudesk_core::spend::{Budget, BudgetScope, Hard, PeriodKind};
use gpudesk_store::{NewNotice, Sent, Standing, Store, Usage, Which};

use crate::support::{at, desk};

async fn rental(store: &Store, id: &str, finished: Option<i64>) {
    let record = Record {
        id: id.to_owned(),
        token: format!("gpudesk-{}", id.to_lowercase()),
        name: id.to_lowercase(),
        provider: "vast".to_owned(),
        account: String::new(),
        offer: None,
        spec: None,
        owner: None,
        project: None,
        lease: Lease { until: None, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify },
        created_at: at(0),
    };
    let made = [Event { at: at(0), kind: EventKind::Told { what: "made".to_owned() } }];
    let over = finished.is_some();
    let standing = Standing { remote_id: None, over, settled: over, finished: finished.map(at) };
    store.add_rental(&record, &made, standing).await.unwrap();
}

fn minute(number: i64, activity: Activity, util: Option<f64>, vram: Option<f64>) -> Minute {
    Minute { minute: number, samples: 12, activity, why: Why::Quiet, util_percent: util, vram_percent: vram }
}

#[tokio::test]
async fn a_minute_is_kept_once_and_counted_in_its_hour() {
    let desk = desk().await;
    let store = &desk.store;
    rental(store, "01A", None).await;
    let hour = 500_000;
    for (offset, activity, util, vram) in [
        (0, Activity::Working, Some(90.0), Some(40.0)),
        (1, Activity::Idle, Some(0.0), None),
        (2, Activity::Parked, Some(0.0), Some(55.0)),
        (3, Activity::Unknown, None, Some(10.0)),
    ] {
        let one = minute(hour * 60 + offset, activity, util, vram);
        store.add_activity("01A", &one).await.unwrap();
        // Another program that watches the same machine.
        store
            .add_activity("01A", &minute(hour * 60 + offset, Activity::Working, Some(100.0), None))
            .await
            .unwrap();
    }
    let kept = store.activity_since("01A", hour * 60 + 1).await.unwrap();
    assert_eq!(
        kept.iter().map(|m| m.activity).collect::<Vec<_>>(),
        [Activity::Idle, Activity::Parked, Activity::Unknown]
    );
    let usage = store.usage_of_hours(hour, hour + 1).await.unwrap();
    assert_eq!(
        usage["01A"],
        Usage {
            working: 1,
            idle: 1,
            parked: 1,
            unknown: 1,
            util_percent: Some(30.0),
            vram_percent: Some(55.0)
        }
    );
    assert!(store.usage_of_hours(hour + 1, hour + 2).await.unwrap().is_empty());
}

#[tokio::test]
async fn minutes_are_kept_for_two_days_and_hours_for_good() {
    let desk = desk().await;
    rental(&desk.store, "01A", None).await;
    let old = minute(1_000_000, Activity::Idle, Some(0.0), None);
    desk.store.add_activity("01A", &old).await.unwrap();
    let late = minute(1_000_000 + 2 * 24 * 60 + 1, Activity::Working, Some(50.0), None);
    desk.store.add_activity("01A", &late).await.unwrap();
    assert_eq!(desk.store.activity_since("01A", 0).await.unwrap(), [late]);
    let usage = desk.store.usage_of_hours(0, 1_000_000).await.unwrap();
    assert_eq!((usage["01A"].idle, usage["01A"].working), (1, 1));
}

#[tokio::test]
async fn a_month_reads_no_rental_that_was_over_before_it() {
    let desk = desk().await;
    rental(&desk.store, "01A", Some(10)).await;
    rental(&desk.store, "01B", Some(20)).await;
    rental(&desk.store, "01C", None).await;
    let ids = |moment| async move {
        let rows = desk.store.rentals(Which::Since(at(moment))).await.unwrap();
        rows.into_iter().map(|row| row.record.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(20).await, ["01B", "01C"]);
}

fn budget(name: &str, amount: i64) -> Budget {
    Budget {
        name: name.to_owned(),
        scope: BudgetScope::Team,
        of: String::new(),
        period: PeriodKind::Month,
        amount: amount.into(),
        currency: Currency::USD,
        thresholds: vec![50],
        hard: Hard::Tell,
    }
}

#[tokio::test]
async fn a_threshold_is_marked_once_a_period() {
    let desk = desk().await;
    let store = &desk.store;
    store.set_budget(&budget("b", 1), at(0)).await.unwrap();
    store.set_budget(&budget("a", 1), at(0)).await.unwrap();
    store.set_budget(&budget("a", 2), at(1)).await.unwrap();
    assert_eq!(store.budgets().await.unwrap(), [budget("a", 2), budget("b", 1)]);
    assert!(store.mark_budget("a", at(0), 50, at(5)).await.unwrap());
    assert!(!store.mark_budget("a", at(0), 50, at(6)).await.unwrap());
    assert!(store.mark_budget("a", at(100), 50, at(101)).await.unwrap(), "the next period");
    assert!(store.mark_budget("a", at(0), 80, at(8)).await.unwrap());
    let mut marks = store.budget_marks("a", at(0)).await.unwrap();
    marks.sort_unstable();
    assert_eq!(marks, [50, 80]);
    assert_eq!(store.budget_marks("b", at(0)).await.unwrap(), [0; 0], "of another budget");
    assert!(store.remove_budget("a").await.unwrap());
    assert!(!store.remove_budget("a").await.unwrap());
    assert!(!store.mark_budget("a", at(0), 50, at(7)).await.unwrap(), "made anew it tells nothing twice");
}

#[tokio::test]
async fn a_notice_is_written_down_once_and_has_one_sender_at_a_time() {
    let desk = desk().await;
    let store = &desk.store;
    let notice = |key: &'static str, mail, webhook| NewNotice {
        subject: "01A",
        key,
        kind: "lease",
        name: "train-a",
        text: "ends",
        at: at(0),
        mail,
        webhook,
    };
    assert!(store.add_notice(notice("a", true, true)).await.unwrap());
    assert!(!store.add_notice(notice("a", true, true)).await.unwrap());
    assert!(store.add_notice(notice("b", false, false)).await.unwrap());
    let mine = store.notices_to_send(at(1), at(4)).await.unwrap();
    assert_eq!(mine.len(), 1, "what goes by no way is not sent");
    assert!(store.notices_to_send(at(2), at(5)).await.unwrap().is_empty(), "somebody is at it");
    let again = store.notices_to_send(at(4), at(7)).await.unwrap();
    assert_eq!((again[0].id, again[0].tries), (mine[0].id, 1), "whoever had it never said what came of it");
    store.notice_sent(mine[0].id, Sent::Done, Sent::Again, at(10)).await.unwrap();
    assert!(store.notices_to_send(at(9), at(12)).await.unwrap().is_empty());
    let rest = store.notices_to_send(at(10), at(13)).await.unwrap();
    assert_eq!((rest[0].mail, rest[0].webhook), (false, true));
    store.notice_sent(mine[0].id, Sent::Done, Sent::GivenUp, at(20)).await.unwrap();
    assert!(store.notices_to_send(at(30), at(33)).await.unwrap().is_empty());
}
