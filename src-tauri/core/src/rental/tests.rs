use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::*;

mod residency;
mod standing;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::<Utc>::UNIX_EPOCH + TimeDelta::seconds(1_800_000_000 + seconds)
}

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn terms() -> RentalTerms {
    RentalTerms {
        idempotency: Idempotency::OfferOnce,
        list_lag: Duration::from_secs(5),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(2),
        between_launches: Duration::from_secs(5),
        bills_from: BillsFrom::Running,
        disk_billed_apart: true,
        disk: Some(DiskRange { least: 8, usual: 40 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: None,
        },
        ..RentalTerms::plain()
    }
}

fn record(price: serde_json::Value) -> Record {
    let offer = serde_json::from_value(serde_json::json!({
        "id": "vast:1", "provider": "nobody", "cloud": "vast", "source": "live", "name": "1", "form": "container",
        "isolation": "shared-host", "gpu": {"count": 1, "raw_name": "RTX 4090"}, "price": price,
        "supply": {"state": "in-stock"},
    }))
    .unwrap();
    let lease = Lease { until: None, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify };
    Record {
        id: "01".to_owned(),
        token: "gpudesk-01".to_owned(),
        name: "a".to_owned(),
        provider: "nobody".to_owned(),
        account: String::new(),
        offer: Some(offer),
        spec: None,
        owner: None,
        project: None,
        lease,
        created_at: at(0),
    }
}

fn plain() -> Record {
    record(serde_json::json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60"}))
}

fn seen(state: MachineState) -> EventKind {
    EventKind::Seen { state, word: state.word().to_owned(), detail: None, since: None }
}

fn requested() -> EventKind {
    EventKind::Requested {
        per_hour: dec("3.60"),
        disk_per_hour: Some(dec("0.036")),
        disk_stopped_per_hour: Some(dec("0.072")),
    }
}

fn placed() -> EventKind {
    EventKind::Placed { remote_id: "7".to_owned(), found: false, since: None }
}

fn asked(kind: &str) -> EventKind {
    match kind {
        "stop" => EventKind::StopAsked { by: Who::Person, why: String::new() },
        "start" => EventKind::StartAsked { by: Who::Person },
        _ => EventKind::EndAsked { by: Who::Person, why: String::new() },
    }
}

fn verified() -> EventKind {
    EventKind::Verified {
        verification: Verification { ok: true, differs: vec![], unknown: vec![], place: None, policy: None },
    }
}

fn gone(since: Option<i64>) -> EventKind {
    EventKind::Gone { since: since.map(at), proof: "two full listings".to_owned() }
}

fn fold(events: Vec<(i64, EventKind)>) -> Rental {
    let events: Vec<Event> = events.into_iter().map(|(s, kind)| Event { at: at(s), kind }).collect();
    Rental::of(plain(), &events, Some(&terms()))
}

/// To the hour-long run that the tests of money start from: placed at 0 s, running from 100 s on, ready at 120 s.
fn ready() -> Vec<(i64, EventKind)> {
    vec![
        (0, requested()),
        (0, EventKind::LaunchSent { attempt: 1 }),
        (0, placed()),
        (100, seen(MachineState::Running)),
        (110, EventKind::Answered),
        (120, verified()),
    ]
}

#[test]
fn a_life_goes_through_its_states_in_order() {
    let events = [
        ready(),
        vec![
            (200, asked("stop")),
            (210, seen(MachineState::Running)),
            (220, seen(MachineState::Stopped)),
            (300, asked("start")),
            (310, seen(MachineState::Stopped)),
            (320, seen(MachineState::Running)),
            (330, EventKind::Answered),
            (340, verified()),
            (400, asked("end")),
            (410, seen(MachineState::Running)),
            (420, gone(None)),
        ],
    ]
    .concat();
    use State::*;
    let expected = [
        Requested,
        Requested,
        Provisioning,
        Booting,
        Verifying,
        Ready,
        Stopping,
        Stopping,
        Stopped,
        Starting,
        Starting,
        Starting,
        Verifying,
        Ready,
        Ending,
        Ending,
        Ended,
    ];
    let states: Vec<State> = (1..=events.len()).map(|n| fold(events[..n].to_vec()).state).collect();
    assert_eq!(states, expected);
    let rental = fold(events);
    assert_eq!((rental.ready_at, rental.ended_at), (Some(at(120)), Some(at(420))));
    assert_eq!(rental.state_since, at(420));
    assert!(rental.is_over());
}

#[test]
fn meters_run_as_the_terms_say() {
    let events = [
        ready(),
        vec![
            (3700, asked("stop")),
            (3700, seen(MachineState::Stopped)),
            (7300, asked("end")),
            (7300, EventKind::Accepted { what: "end".to_owned() }),
            (7330, gone(None)),
        ],
    ]
    .concat();
    let costs = fold(events).costs(at(99_999));
    // Cards 1 h, disk 3,700 s running and 1 h stopped; the end counts from when the provider took it.
    assert_eq!(costs.parts[&Meter::Compute], dec("3.60"));
    assert_eq!(costs.parts[&Meter::Storage], dec("0.037"));
    assert_eq!(costs.parts[&Meter::StorageStopped], dec("0.072"));
    assert_eq!(costs.total, dec("3.709"));
    assert!(costs.unknown.is_empty());
}

#[test]
fn a_provider_that_bills_from_the_order_is_billed_from_the_order_and_through_a_stop() {
    let mut rules = terms();
    rules.bills_from = BillsFrom::Order;
    rules.disk_billed_apart = false;
    rules.stop.ends_compute = false;
    let events: Vec<Event> = [
        ready(),
        vec![
            (1000, asked("stop")),
            (1000, seen(MachineState::Stopped)),
            (3600, asked("end")),
            (3600, gone(None)),
        ],
    ]
    .concat()
    .into_iter()
    .map(|(s, kind)| Event { at: at(s), kind })
    .collect();
    let costs = Rental::of(plain(), &events, Some(&rules)).costs(at(4000));
    assert_eq!(costs.parts.len(), 1);
    assert_eq!(costs.total, dec("3.60"));
}

#[test]
fn a_step_and_a_minimum_are_billed_once_a_stretch_even_where_the_rate_changes() {
    let price = serde_json::json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60", "increment_s": 60,
        "minimum_s": 300});
    let run = |seconds: i64, rate: Option<(i64, &str)>| {
        let mut events = ready();
        if let Some((when, rate)) = rate {
            events.push((100 + when, EventKind::Rate { per_hour: dec(rate), since: None }));
        }
        events.push((100 + seconds, gone(None)));
        let events: Vec<Event> = events.into_iter().map(|(s, kind)| Event { at: at(s), kind }).collect();
        Rental::of(record(price.clone()), &events, Some(&terms())).costs(at(9999)).parts[&Meter::Compute]
    };
    assert_eq!(run(10, None), dec("0.30"), "the minimum");
    assert_eq!(run(301, None), dec("0.36"), "the next step");
    assert_eq!(run(600, None), dec("0.60"), "exact");
    // 300 s at 3.60, 1 s at 7.20 and 59 s to the step at 7.20.
    assert_eq!(run(301, Some((300, "7.20"))), dec("0.42"));
}

#[test]
fn unknown_rates_stay_unknown_and_never_become_nothing() {
    let events: Vec<Event> = [
        (0, EventKind::Adopted { remote_id: "7".to_owned(), per_hour: None }),
        (10, seen(MachineState::Running)),
    ]
    .map(|(s, kind)| Event { at: at(s), kind })
    .to_vec();
    let rental = Rental::of(plain(), &events, Some(&terms()));
    assert_eq!(rental.costs(at(3600)).unknown, [Meter::Storage, Meter::Compute]);
    assert_eq!(rental.burning(), None);
    let unknown = Rental::of(plain(), &events, None);
    assert!(unknown.costs(at(3600)).unknown.contains(&Meter::Storage), "no terms, no word on the disk");
}

#[test]
fn an_unclear_launch_is_not_over_until_it_is_clear() {
    let mut events = vec![(0, requested()), (0, EventKind::LaunchSent { attempt: 1 })];
    assert!(fold(events.clone()).unclear, "killed while the call was out");
    events.push((30, EventKind::LaunchUnclear { words: "timed out".to_owned() }));
    events.push((60, EventKind::Failed { reason: "no answer".to_owned() }));
    assert!(!fold(events.clone()).is_over());
    events.push((
        70,
        EventKind::LaunchRefused { code: "offer-gone".to_owned(), words: String::new(), retry_at: None },
    ));
    let rental = fold(events);
    assert!(rental.is_over() && rental.intervals.is_empty());
}

#[test]
fn what_was_taken_for_gone_and_is_there_again_was_never_free() {
    let mut events = ready();
    events.push((200, gone(None)));
    assert_eq!(fold(events.clone()).state, State::Lost);
    events.push((3700, seen(MachineState::Running)));
    let rental = fold(events);
    assert_eq!(rental.state, State::Booting);
    assert_eq!(rental.costs(at(3700)).parts[&Meter::Compute], dec("3.60"));

    let ended = [ready(), vec![(200, asked("end")), (210, gone(None))]].concat();
    let looked = [ended, vec![(330, EventKind::LookedAgain { minutes: 2, there: true })]].concat();
    let rental = fold(looked);
    assert_eq!((rental.state, rental.ended_at), (State::Ending, None));
    assert_eq!((rental.asked_for(), rental.asked_at), (Some("end"), Some(at(330))), "it is ended again");
}

#[test]
fn a_start_is_none_before_the_machine_was_down_or_the_provider_took_it() {
    let asked_early = [ready(), vec![(200, asked("stop")), (210, asked("start"))]].concat();
    assert!(!fold(asked_early.clone()).starts_anew(), "what answers may be on its way down");
    for then in [
        seen(MachineState::Stopped),
        seen(MachineState::Booting),
        EventKind::Accepted { what: "start".to_owned() },
    ] {
        assert!(fold([asked_early.clone(), vec![(220, then)]].concat()).starts_anew());
    }
    let running = |since: i64| EventKind::Seen {
        state: MachineState::Running,
        word: "running".to_owned(),
        detail: None,
        since: Some(at(since)),
    };
    let told = [ready(), vec![(130, running(90)), (200, asked("stop")), (210, asked("start"))]].concat();
    assert!(!fold([told.clone(), vec![(220, running(90))]].concat()).starts_anew());
    assert!(fold([told, vec![(220, running(215))]].concat()).starts_anew(), "by the provider's clock");
    let down =
        [ready(), vec![(200, asked("stop")), (210, seen(MachineState::Stopped)), (300, asked("start"))]];
    assert!(fold(down.concat()).starts_anew());
}

#[test]
fn a_missing_machine_is_missed_from_the_first_time_on_until_it_is_seen() {
    let missed = [ready(), vec![(200, EventKind::Missed), (260, EventKind::Missed)]].concat();
    assert_eq!(fold(missed.clone()).missed_at, Some(at(200)));
    assert_eq!(fold(missed.clone()).state, State::Ready);
    for word in [MachineState::Running, MachineState::Unknown] {
        assert_eq!(fold([missed.clone(), vec![(300, seen(word))]].concat()).missed_at, None);
    }
}

#[test]
fn an_end_told_twice_ended_it_the_first_time() {
    let once = [ready(), vec![(3700, asked("end")), (3700, gone(None))]].concat();
    let twice = [once.clone(), vec![(9000, gone(None))]].concat();
    let (once, twice) = (fold(once), fold(twice));
    assert_eq!((twice.ended_at, twice.costs(at(9999))), (Some(at(3700)), once.costs(at(9999))));
}

#[test]
fn lines_of_a_bill_add_up_and_a_part_that_one_does_not_tell_is_not_known() {
    let bill = |total: &str, traffic: Option<&str>| Billed {
        total: dec(total),
        compute: Some(dec("1")),
        storage: None,
        traffic: traffic.map(dec),
        currency: crate::money::Currency::USD,
    };
    let sum = bill("1.5", Some("0.5")).and(bill("1.25", None));
    assert_eq!((sum.total, sum.compute, sum.traffic), (dec("2.75"), Some(dec("2")), None));
    let told = [ready(), vec![(4000, EventKind::Billed { bill: sum.clone() })]].concat();
    assert_eq!(fold(told).billed, Some((at(4000), sum)));
}

#[test]
fn a_word_nobody_knows_and_a_silent_host_change_nothing_but_are_seen() {
    for word in [MachineState::Offline, MachineState::Unknown] {
        let rental = fold([ready(), vec![(200, seen(word))]].concat());
        assert_eq!((rental.state, rental.seen), (State::Ready, Some(word)));
        assert_eq!(rental.burning(), Some(dec("3.636")));
    }
}

#[test]
fn a_preempted_machine_costs_its_disk_and_is_lost_when_it_vanishes() {
    let mut events = ready();
    events.push((200, seen(MachineState::Preempted)));
    events.push((200, seen(MachineState::Preempted)));
    let rental = fold(events.clone());
    assert_eq!((rental.state, rental.burning()), (State::Preempted, Some(dec("0.072"))));
    assert_eq!(rental.taken_back, 1, "however often it is seen so");
    events.push((300, gone(None)));
    assert_eq!(fold(events).state, State::Lost);
}

#[test]
fn meters_never_run_backwards_when_a_clock_does() {
    let rental = fold([ready(), vec![(50, asked("end")), (60, gone(None))]].concat());
    assert!(rental.intervals.iter().all(|i| i.to.unwrap() >= i.from));
    assert!(rental.costs(at(0)).total >= Decimal::ZERO);
}

#[test]
fn disk_rates_use_the_providers_month_and_say_when_they_do_not_know() {
    let mut offer = plain().offer.unwrap();
    assert_eq!(disk_rates(&offer, Some(720), &terms()), (None, None), "nobody says a price");
    offer.price.storage_gb_month = Some(dec("0.2"));
    offer.provider = "vast".to_owned();
    let (running, stopped) = disk_rates(&offer, Some(720), &terms());
    assert_eq!(running, Some(dec("0.2")), "720 GB in a month of 720 h");
    assert_eq!(stopped, None, "the stopped price is not said");
    let free = RentalTerms {
        disk_billed_apart: false,
        stop: StopTerms { disk_billed: Some(false), ..terms().stop },
        ..terms()
    };
    assert_eq!(disk_rates(&offer, Some(720), &free), (Some(Decimal::ZERO), Some(Decimal::ZERO)));
}
