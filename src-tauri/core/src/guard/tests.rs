use super::*;
use crate::rental::{Event, EventKind, Lease, MachineState, Record, StopTerms};

pub(super) fn at(minutes: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::minutes(minutes)
}

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub(super) fn lease(then: OnExpiry) -> Lease {
    Lease { until: Some(at(480)), max_spend: None, idle_minutes: None, on_expiry: then }
}

pub(super) fn terms(exists: bool) -> RentalTerms {
    let stop = StopTerms { exists, ends_compute: exists, ..RentalTerms::plain().stop };
    RentalTerms { stop, ..RentalTerms::plain() }
}

/// A machine that runs since minute 0 at 6 an hour, and what happened after.
pub(super) fn running(lease: Lease, more: Vec<(i64, EventKind)>) -> Rental {
    let record: Record = serde_json::from_value(serde_json::json!({
        "id": "01", "token": "gpudesk-01", "name": "a", "provider": "nobody", "account": "", "offer": null,
        "spec": null, "owner": null, "project": null, "lease": lease, "created_at": at(0),
    }))
    .unwrap();
    let seen = |state: MachineState| EventKind::Seen {
        state,
        word: state.word().to_owned(),
        detail: None,
        since: None,
    };
    let first = vec![
        (0, EventKind::Adopted { remote_id: "7".to_owned(), per_hour: Some(dec("6")) }),
        (0, seen(MachineState::Running)),
    ];
    let all = first.into_iter().chain(more).map(|(minute, kind)| Event { at: at(minute), kind });
    Rental::of(record, &all.collect::<Vec<_>>(), Some(&terms(true)))
}

fn told(word: &str) -> EventKind {
    EventKind::Told { what: word.to_owned() }
}

fn words_of(due: &[Due]) -> Vec<String> {
    due.iter()
        .map(|due| match due {
            Due::Warn { word, .. } | Due::Tell { word, .. } => word.clone(),
            Due::Stop(limit) => format!("stop {limit}"),
            Due::End(limit) => format!("end {limit}"),
        })
        .collect()
}

#[test]
fn a_deadline_is_warned_of_twice_and_then_kept() {
    let until = "2024-10-04T08:00:00Z";
    assert_eq!(at(480).to_rfc3339_opts(SecondsFormat::Secs, true), until);
    let rental = running(lease(OnExpiry::End), vec![]);
    let due_at = |minute| words_of(&due(&rental, None, Some(&terms(true)), at(minute)));
    assert_eq!(due_at(469), [""; 0]);
    assert_eq!(due_at(470), [format!("time-10 {until}")]);
    assert_eq!(due_at(478), [format!("time-2 {until}")], "late for the first: only the second");
    assert_eq!(due_at(480), ["end time"]);
    assert_eq!(due_at(4800), ["end time"], "a desk that slept acts when it wakes");
    let warned = running(lease(OnExpiry::End), vec![(470, told(&format!("time-10 {until}")))]);
    assert_eq!(words_of(&due(&warned, None, Some(&terms(true)), at(471))), [""; 0]);
}

#[test]
fn more_time_is_warned_of_anew() {
    let later = Lease { until: Some(at(540)), ..lease(OnExpiry::End) };
    let by = crate::rental::Who::Person;
    let rental = running(
        lease(OnExpiry::End),
        vec![(470, told("time-10 2024-10-04T08:00:00Z")), (471, EventKind::LeaseSet { lease: later, by })],
    );
    let due_at = |minute| words_of(&due(&rental, None, Some(&terms(true)), at(minute)));
    assert_eq!(due_at(480), [""; 0]);
    assert_eq!(due_at(530), ["time-10 2024-10-04T09:00:00Z"]);
}

#[test]
fn a_stop_where_there_is_none_ends_nothing_and_goes_on_telling() {
    let rental = running(lease(OnExpiry::Stop), vec![]);
    assert_eq!(words_of(&due(&rental, None, Some(&terms(true)), at(480))), ["stop time"]);
    let none = |minute| words_of(&due(&rental, None, Some(&terms(false)), at(minute)));
    assert_eq!(none(480), ["time-over 2024-10-04T08:00:00Z 0"]);
    assert_eq!(none(600), ["time-over 2024-10-04T08:00:00Z 2"]);
}

#[test]
fn a_lease_that_only_tells_does_nothing_else() {
    let rental = running(lease(OnExpiry::Notify), vec![(480, told("time-over 2024-10-04T08:00:00Z 0"))]);
    assert_eq!(words_of(&due(&rental, None, Some(&terms(true)), at(500))), [""; 0]);
    assert_eq!(
        words_of(&due(&rental, None, Some(&terms(true)), at(541))),
        ["time-over 2024-10-04T08:00:00Z 1"]
    );
}

#[test]
fn money_is_a_limit_of_its_own() {
    let limit = Lease { until: None, max_spend: Some(dec("12")), ..lease(OnExpiry::End) };
    let rental = running(limit, vec![]);
    // 6 an hour: 12 after 120 minutes.
    let due_at = |minute| words_of(&due(&rental, None, Some(&terms(true)), at(minute)));
    assert_eq!(due_at(100), [""; 0]);
    assert_eq!(due_at(110), ["money-10 12"]);
    assert_eq!(due_at(118), ["money-2 12"]);
    assert_eq!(due_at(120), ["end money"]);
}

#[test]
fn idleness_acts_after_its_minutes_and_parked_memory_is_only_told() {
    let limit = Lease { until: None, idle_minutes: Some(30), ..lease(OnExpiry::Stop) };
    let rental = running(limit, vec![]);
    let due_at = |minutes, parked| {
        let idle = Idleness { minutes, parked };
        words_of(&due(&rental, Some(idle), Some(&terms(true)), at(300)))
    };
    assert_eq!(due_at(0, false), [""; 0]);
    assert_eq!(due_at(19, false), [""; 0]);
    assert_eq!(due_at(20, false), ["idle-10 2024-10-04T04:30:00Z"]);
    assert_eq!(due_at(28, false), ["idle-2 2024-10-04T04:30:00Z"]);
    assert_eq!(due_at(30, false), ["stop idle"]);
    assert_eq!(due_at(30, true), ["idle-over 2024-10-04T04:30:00Z 0"]);
    assert_eq!(words_of(&due(&rental, None, Some(&terms(true)), at(300))), [""; 0], "unknown is not idle");
}

#[test]
fn what_stands_is_not_stopped_again_and_what_is_being_ended_is_left() {
    let stop = EventKind::StopAsked { by: crate::rental::Who::Desk, why: String::new() };
    let stopped = EventKind::Seen {
        state: MachineState::Stopped,
        word: "stopped".to_owned(),
        detail: None,
        since: None,
    };
    let rental = running(lease(OnExpiry::Stop), vec![(480, stop), (481, stopped)]);
    assert_eq!(
        words_of(&due(&rental, None, Some(&terms(true)), at(500))),
        ["time-over 2024-10-04T08:00:00Z 0"],
        "its disk goes on to cost"
    );
    let end = EventKind::EndAsked { by: crate::rental::Who::Person, why: String::new() };
    let ending = running(lease(OnExpiry::End), vec![(470, end)]);
    assert_eq!(words_of(&due(&ending, None, Some(&terms(true)), at(500))), [""; 0]);
}

#[test]
fn two_limits_at_once_end_it_once() {
    let both = Lease { max_spend: Some(dec("1")), ..lease(OnExpiry::End) };
    let rental = running(both, vec![]);
    let ends = due(&rental, None, Some(&terms(true)), at(481));
    assert!(ends.iter().all(|due| matches!(due, Due::End(_))), "{ends:?}");
}
