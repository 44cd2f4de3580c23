//! Leases are kept: warned of, acted on, told once, by whichever desk looks first.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::activity::{Card, Input, Reading};
use gpudesk_core::money::Currency;
use gpudesk_core::rental::{EventKind, Lease, OnExpiry, Rental, State, Who};
use gpudesk_core::spend::{Budget, BudgetScope, By, Hard, Period, PeriodKind};
use gpudesk_engine::{BudgetError, Desk, DeskError, Event, GuardAct, Order, Outcome};
use rust_decimal::Decimal;

use crate::stage::{PROVIDERS, Stage};

const MINUTE: Duration = Duration::from_secs(60);

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn lease(until: Option<DateTime<Utc>>, on_expiry: OnExpiry) -> Lease {
    Lease { until, max_spend: None, idle_minutes: None, on_expiry }
}

/// A machine with this lease, ready.
async fn rented(stage: &Stage, desk: &Desk, lease: Lease) -> Rental {
    let order = Order { lease, ..stage.order(stage.offer().await, "a") };
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    stage.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ready).await
}

async fn told(desk: &Desk, id: &str) -> Vec<String> {
    let events = desk.rental_events(id).await.unwrap();
    let told = events.into_iter().filter_map(|event| match event.kind {
        EventKind::Told { what } => Some(what),
        _ => None,
    });
    told.collect()
}

fn whats(acts: &[GuardAct]) -> Vec<&'static str> {
    acts.iter().map(|act| act.what).collect()
}

#[tokio::test]
async fn a_deadline_is_warned_of_and_kept_whoever_looks() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let until = stage.time.truth() + TimeDelta::hours(2);
        let rental = rented(&stage, &desk, lease(Some(until), OnExpiry::End)).await;
        let id = rental.record.id.clone();
        let other = stage.desk().await;
        let mut heard = desk.events();
        let to = |at: DateTime<Utc>| stage.time.pass((at - stage.time.truth()).to_std().unwrap());
        to(until - TimeDelta::minutes(11));
        assert_eq!(desk.guard_round().await.unwrap().acts, [], "{provider}");
        to(until - TimeDelta::minutes(10));
        assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["warned"], "{provider}");
        assert_eq!(other.guard_round().await.unwrap().acts, [], "{provider}: told already");
        to(until - TimeDelta::seconds(110));
        assert_eq!(whats(&other.guard_round().await.unwrap().acts), ["warned"], "{provider}");
        assert_eq!(desk.guard_round().await.unwrap().acts, []);
        to(until);
        assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["ended"], "{provider}");
        assert_eq!(other.guard_round().await.unwrap().acts, []);
        let ended = stage.tend_until(&desk, &id, |rental| rental.state == State::Ended).await;
        let asked = desk.rental_events(&id).await.unwrap().into_iter().find_map(|event| match event.kind {
            EventKind::EndAsked { by, why } => Some((by, why)),
            _ => None,
        });
        let (by, why) = asked.unwrap();
        assert_eq!(by, Who::Desk);
        assert!(why.starts_with("its lease ran out at 2026-11-30"), "{why}");
        assert_eq!(told(&desk, &ended.record.id).await.len(), 2, "{provider}: two warnings");
        let mut words = Vec::new();
        while let Ok(event) = heard.try_recv() {
            if let Event::Told { what, .. } = event {
                words.push(what);
            }
        }
        words.sort();
        assert_eq!(
            words,
            ["ended", "lease-ended", "lease-soon"],
            "{provider}: the other desk told the second"
        );
    }
}

#[tokio::test]
async fn a_desk_that_slept_through_the_deadline_acts_when_it_wakes() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    let until = stage.time.truth() + TimeDelta::hours(2);
    let rental = rented(&stage, &desk, lease(Some(until), OnExpiry::Stop)).await;
    stage.time.pass(Duration::from_secs(40 * 3600));
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["stopped"]);
    stage.tend_until(&desk, &rental.record.id, |rental| rental.state == State::Stopped).await;
    // It stands, and its disk goes on to cost: that is told once.
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["told"]);
    stage.time.pass(Duration::from_secs(20 * 3600));
    assert_eq!(desk.guard_round().await.unwrap().acts, []);
}

#[tokio::test]
async fn more_time_at_the_last_moment_is_more_time() {
    let stage = Stage::at("vast").await;
    let desk = stage.desk().await;
    let until = stage.time.truth() + TimeDelta::hours(2);
    let rental = rented(&stage, &desk, lease(Some(until), OnExpiry::End)).await;
    let id = &rental.record.id;
    stage.time.pass((until - stage.time.truth()).to_std().unwrap());
    desk.extend(id, 1.0).await.unwrap();
    assert_eq!(desk.guard_round().await.unwrap().acts, []);
    stage.time.pass(50 * MINUTE);
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["warned"], "of the new end");
    stage.time.pass(10 * MINUTE);
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["ended"]);
}

#[tokio::test]
async fn a_stop_where_there_is_none_is_told_each_hour_and_ends_nothing() {
    let stage = Stage::at("lambda").await;
    let desk = stage.desk().await;
    let until = stage.time.truth() + TimeDelta::hours(2);
    let rental = rented(&stage, &desk, lease(Some(until), OnExpiry::Stop)).await;
    stage.time.pass((until - stage.time.truth()).to_std().unwrap());
    let mut acts = Vec::new();
    for _ in 0..18 {
        acts.extend(whats(&desk.guard_round().await.unwrap().acts));
        stage.time.pass(10 * MINUTE);
    }
    assert_eq!(acts, ["told", "told", "told"], "three hours");
    assert_eq!(desk.rental(&rental.record.id).await.unwrap().state, State::Ready);
}

#[tokio::test]
async fn a_deadline_that_the_provider_refuses_is_kept_all_the_same() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    let until = stage.time.truth() + TimeDelta::hours(1);
    let rental = rented(&stage, &desk, lease(Some(until), OnExpiry::End)).await;
    stage.time.pass((until - stage.time.truth()).to_std().unwrap());
    let refused = gpudesk_tests::sim::fault::Kind::Status { status: 503, retry_after: None };
    stage.sim.arm(gpudesk_tests::sim::fault::Fault::new("/v2/pods/", refused).method("DELETE"));
    desk.guard_round().await.unwrap();
    stage.tend_for(&desk, 300).await;
    assert_eq!(desk.rental(&rental.record.id).await.unwrap().state, State::Ending);
    stage.sim.disarm();
    stage.tend_until(&desk, &rental.record.id, |rental| rental.state == State::Ended).await;
    // It says that it is gone when it is still on its way out.
    stage.time.pass(MINUTE);
    stage.tend_for(&desk, 1).await;
    assert!(stage.machines_of(&rental)[0].ended.is_some());
}

#[tokio::test]
async fn money_ends_it_before_time_does() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    let limit = Lease { max_spend: Some(dec("11")), ..lease(None, OnExpiry::End) };
    let rental = rented(&stage, &desk, limit).await;
    // 5.52 and the disk an hour: 11 after a little less than two hours.
    stage.time.pass(Duration::from_secs(7_000));
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["warned"]);
    stage.time.pass(Duration::from_secs(200));
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["ended"]);
    let spent = desk.rental(&rental.record.id).await.unwrap().costs(desk.now()).total;
    assert!(spent >= dec("11") && spent < dec("11.1"), "{spent}");
}

/// A reading of a machine that does nothing, or of one that computes.
fn reading(at: DateTime<Utc>, util: f64, memory: f64) -> Reading {
    Reading {
        cards: vec![Card {
            util_percent: Some(util),
            memory_used_mib: Some(memory),
            memory_total_mib: Some(24_000.0),
            divided: false,
        }],
        load_1m: Some(0.01),
        cores: Some(8),
        net_bytes: Some(0),
        disk_bytes: Some(0),
        boot_id: Some("1".to_owned()),
        input: Input::NoSession,
        ..Reading::unknown(at)
    }
}

async fn measure(
    stage: &Stage,
    desk: &Desk,
    id: &str,
    minutes: u32,
    util: f64,
    memory: f64,
) -> Vec<&'static str> {
    let mut acts = Vec::new();
    for _ in 0..minutes {
        for _ in 0..12 {
            stage.time.pass(Duration::from_secs(5));
            desk.take_reading(id, reading(desk.now(), util, memory)).await.unwrap();
        }
        acts.extend(whats(&desk.guard_round().await.unwrap().acts));
    }
    acts
}

#[tokio::test]
async fn an_idle_machine_is_warned_of_kept_and_stopped_with_what_was_measured() {
    let stage = Stage::at("vast").await;
    let desk = stage.desk().await;
    let limit = Lease { idle_minutes: Some(30), ..lease(None, OnExpiry::Stop) };
    let rental = rented(&stage, &desk, limit).await;
    let id = rental.record.id.clone();
    assert_eq!(measure(&stage, &desk, &id, 30, 90.0, 20_000.0).await, [""; 0], "it works");
    assert_eq!(measure(&stage, &desk, &id, 25, 0.0, 0.0).await, ["warned"]);
    desk.keep_rental(&id).await.unwrap();
    assert_eq!(measure(&stage, &desk, &id, 29, 0.0, 0.0).await, ["warned", "warned"], "its time began anew");
    assert_eq!(measure(&stage, &desk, &id, 3, 0.0, 0.0).await, ["stopped"]);
    stage.tend_until(&desk, &id, |rental| rental.state == State::Stopped).await;
    let why = desk.rental_events(&id).await.unwrap().into_iter().find_map(|event| match event.kind {
        EventKind::StopAsked { by: Who::Desk, why } => Some(why),
        _ => None,
    });
    assert_eq!(
        why.as_deref(),
        Some("it did nothing for 30 min: cards 0 % on average, 0 % of their memory at most")
    );
}

#[tokio::test]
async fn memory_that_is_held_is_told_once_and_stops_nothing() {
    let stage = Stage::at("vast").await;
    let desk = stage.desk().await;
    let limit = Lease { idle_minutes: Some(20), ..lease(None, OnExpiry::End) };
    let rental = rented(&stage, &desk, limit).await;
    let id = rental.record.id.clone();
    measure(&stage, &desk, &id, 16, 50.0, 20_000.0).await;
    let acts = measure(&stage, &desk, &id, 60, 0.0, 20_000.0).await;
    assert_eq!(acts.iter().filter(|what| **what == "told").count(), 1, "{acts:?}");
    assert!(!acts.contains(&"ended"), "{acts:?}");
    assert_eq!(desk.rental(&id).await.unwrap().state, State::Ready);
}

fn budget(amount: &str, hard: Hard) -> Budget {
    Budget {
        name: "chat".to_owned(),
        scope: BudgetScope::Project,
        of: "Chat".to_owned(),
        period: PeriodKind::Month,
        amount: dec(amount),
        currency: Currency::USD,
        thresholds: vec![50, 100],
        hard,
    }
}

async fn rented_for(
    stage: &Stage,
    desk: &Desk,
    name: &str,
    project: &str,
    hours: i64,
) -> Result<Rental, DeskError> {
    let until = stage.time.truth() + TimeDelta::hours(hours);
    let order = Order {
        lease: lease(Some(until), OnExpiry::Stop),
        project: Some(project.to_owned()),
        ..stage.order(stage.offer().await, name)
    };
    let Outcome::Requested(rental) = desk.launch(order).await? else { panic!("no order") };
    Ok(stage.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ready).await)
}

#[tokio::test]
async fn a_budget_tells_each_threshold_once_a_period_and_blocks_a_launch() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    // 5.53 an hour: two hours are 11.06.
    desk.set_budget(budget("20", Hard::Block)).await.unwrap();
    rented_for(&stage, &desk, "a", "chat ", 2).await.unwrap();
    let blocked = rented_for(&stage, &desk, "b", "CHAT", 2).await.unwrap_err();
    assert_eq!(blocked.code(), "budget-blocked");
    let DeskError::Budget(BudgetError::Blocked { after, amount, .. }) = blocked else { panic!("{blocked}") };
    assert!(after > dec("22") && after < dec("22.3") && amount == dec("20"), "{after}");
    assert_eq!(stage.sim.market.world().machines.len(), 1, "nothing was asked of the provider");
    rented_for(&stage, &desk, "c", "other", 2).await.unwrap();
    let mut acts = Vec::new();
    for minute in 0..200 {
        acts.extend(desk.guard_round().await.unwrap().acts.into_iter().filter(|act| act.what == "budget"));
        desk.tend().await.unwrap();
        stage.time.pass(MINUTE);
        if minute == 150 {
            desk.set_budget(budget("11", Hard::Block)).await.unwrap();
        }
    }
    let told: Vec<&str> =
        acts.iter().filter_map(|act| act.why.rsplit_once('(')).map(|(_, why)| why).collect();
    assert_eq!(told, ["50 %)", "100 %)"]);
    // Another desk tells nothing again, and neither does the budget once it is set anew.
    let other = stage.desk().await;
    other.set_budget(budget("15", Hard::Block)).await.unwrap();
    assert_eq!(other.guard_round().await.unwrap().acts.iter().filter(|act| act.what == "budget").count(), 0);
}

#[tokio::test]
async fn a_budget_that_ends_leaves_ten_minutes_and_warns() {
    let stage = Stage::at("runpod").await;
    let desk = stage.desk().await;
    let ours = rented_for(&stage, &desk, "a", "chat", 100).await.unwrap();
    let theirs = rented_for(&stage, &desk, "b", "other", 100).await.unwrap();
    stage.time.pass(Duration::from_secs(2 * 3600));
    desk.set_budget(budget("10", Hard::End)).await.unwrap();
    let acts = desk.guard_round().await.unwrap().acts;
    assert_eq!(whats(&acts), ["budget", "shortened", "warned"]);
    let lease = desk.rental(&ours.record.id).await.unwrap().lease;
    assert_eq!(lease.until, Some(desk.now() + TimeDelta::minutes(10)));
    assert_eq!(lease.on_expiry, OnExpiry::Stop, "a stop ends the bill of the cards here");
    stage.time.pass(10 * MINUTE);
    assert_eq!(whats(&desk.guard_round().await.unwrap().acts), ["stopped"]);
    stage.tend_until(&desk, &ours.record.id, |rental| rental.state == State::Stopped).await;
    assert_eq!(desk.rental(&theirs.record.id).await.unwrap().state, State::Ready);
}

#[tokio::test]
async fn what_was_spent_is_what_the_market_billed_however_it_is_cut() {
    for provider in PROVIDERS {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let rental = stage.ready(&desk, "a").await;
        stage.time.pass(Duration::from_secs(20 * 3600));
        desk.end(&rental.record.id, Who::Person, "").await.unwrap();
        stage.tend_until(&desk, &rental.record.id, |rental| rental.state == State::Ended).await;
        let now = desk.now();
        let bill = stage.machines_of(&rental)[0].bill(None, stage.sim.market.clock.now());
        let month = Period::around(PeriodKind::Month, "2026-11-30T12:00:00Z".parse().unwrap());
        let next = Period::around(PeriodKind::Month, month.to);
        assert!(next.holds(now), "the month ended meanwhile");
        let mut sum = Decimal::ZERO;
        for period in [month, next] {
            sum += desk.spending(period, By::Provider, Currency::USD).await.unwrap().table.total.low();
        }
        let off = (sum - Decimal::new(bill, 9)).abs();
        assert!(off <= dec("0.02"), "{provider}: {sum}, billed {}", Decimal::new(bill, 9));
        let whole = Period { from: month.from, to: next.to };
        let days = desk.spending(whole, By::Rental, Currency::USD).await.unwrap().days;
        let of_days: Decimal = days.iter().flat_map(|day| day.spent.values()).sum();
        assert!((of_days - sum).abs() <= dec("0.02"), "{provider}: {of_days} by the day");
    }
}

#[tokio::test]
async fn a_machine_brings_its_deadline_along_where_it_can_stop_itself_and_takes_a_text() {
    for (provider, on_expiry, brings) in [
        ("vast", OnExpiry::End, true),
        ("vast", OnExpiry::Stop, true),
        ("vast", OnExpiry::Notify, false),
        // It takes a text and gives a machine nothing to stop itself by.
        ("lambda", OnExpiry::End, false),
    ] {
        let stage = Stage::at(provider).await;
        let desk = stage.desk().await;
        let until = stage.time.truth() + TimeDelta::hours(2);
        let rental = rented(&stage, &desk, lease(Some(until), on_expiry)).await;
        let request = &stage.machines_of(&rental)[0].request;
        let text = request["onstart"].as_str().or(request["user_data"].as_str()).unwrap_or_default();
        assert_eq!(!text.is_empty(), brings, "{provider} {on_expiry}: {text}");
        if brings {
            assert!(text.starts_with("#!/bin/sh\n"), "{text}");
            assert!(text.contains(&until.timestamp().to_string()), "{text}");
            assert!(text.contains("CONTAINER_API_KEY"), "only the machine's own key may be used: {text}");
        }
    }
}
