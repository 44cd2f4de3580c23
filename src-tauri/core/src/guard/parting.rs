//! The time that a machine's programs get before a rule stops it.

use chrono::{DateTime, TimeDelta, Utc};

use crate::rental::{Limit, PartingAt, Rental, RentalTerms, State};

/// Seconds that they get unless somebody says otherwise.
pub const PARTING_S: u32 = 60;
/// The most that they can be given, seconds: the machine costs meanwhile.
pub const MOST_PARTING_S: u32 = 600;
/// What reaching the machine may take beside that.
const TO_REACH: TimeDelta = TimeDelta::seconds(30);
/// A time that was given longer ago than this is not the one before this stop: who came back since gets it anew.
const HOLDS: TimeDelta = TimeDelta::minutes(15);

/// What comes before a stop by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// The programs are given their time now, until then at the latest.
    Part(DateTime<Utc>),
    /// They have it.
    Wait,
    /// Nothing: they had it, or there is nobody to be asked.
    Nothing,
}

/// What comes before a rule stops or ends a rental, where its programs are given so many seconds.
#[must_use]
pub fn before(rental: &Rental, terms: Option<&RentalTerms>, seconds: u32, now: DateTime<Utc>) -> Before {
    // A proxy gives a shell to a person and nothing else; what is only booked goes on as it is.
    let reached = rental.state == State::Ready
        && rental.asked_for().is_none()
        && rental.answered
        && rental.ssh.as_ref().is_some_and(|ssh| !ssh.proxy);
    if seconds == 0 || !reached || terms.is_some_and(|terms| terms.booking) {
        return Before::Nothing;
    }
    match of_now(rental, now) {
        Some(parting) => {
            if parting.over || now >= parting.until {
                Before::Nothing
            } else {
                Before::Wait
            }
        }
        None => {
            let seconds = seconds.min(MOST_PARTING_S);
            Before::Part(now + TimeDelta::seconds(i64::from(seconds)) + TO_REACH)
        }
    }
}

/// The time that was given before this stop.
fn of_now(rental: &Rental, now: DateTime<Utc>) -> Option<&PartingAt> {
    rental.parting.as_ref().filter(|parting| parting.since <= now && now < parting.until + HOLDS)
}

/// Whether a stop for idleness goes on whatever is measured meanwhile: programs that were told to end may write down
/// what they have, and that is no work.
#[must_use]
pub fn parts_idle(rental: &Rental, now: DateTime<Utc>) -> bool {
    of_now(rental, now).is_some_and(|parting| parting.limit == Limit::Idle)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{at, lease, running, terms};
    use super::*;
    use crate::rental::{EventKind, OnExpiry, SshAddress, Verification, Who};

    /// A machine that somebody is in, and what happened after.
    fn used(proxy: bool, more: Vec<(i64, EventKind)>) -> Rental {
        let ssh = SshAddress::new("203.0.113.7", 22, "root", proxy).unwrap();
        let verification: Verification =
            serde_json::from_value(serde_json::json!({"ok": true, "differs": [], "unknown": []})).unwrap();
        let up = [EventKind::Address { ssh }, EventKind::Answered, EventKind::Verified { verification }];
        running(lease(OnExpiry::Stop), up.into_iter().map(|kind| (1, kind)).chain(more).collect())
    }

    fn begun(minute: i64, until: i64) -> (i64, EventKind) {
        (minute, EventKind::PartingBegun { limit: Limit::Idle, why: String::new(), until: at(until) })
    }

    fn over(minute: i64) -> (i64, EventKind) {
        (minute, EventKind::PartingOver { parting: None, words: None })
    }

    fn at_480(rental: &Rental) -> Before {
        before(rental, Some(&terms(true)), 60, at(480))
    }

    #[test]
    fn programs_get_their_time_once_before_each_stop() {
        let time = Before::Part(at(480) + TimeDelta::seconds(90));
        assert_eq!(at_480(&used(false, vec![])), time);
        assert_eq!(at_480(&used(false, vec![begun(479, 481)])), Before::Wait, "whichever desk gave it");
        assert_eq!(at_480(&used(false, vec![begun(479, 481), over(480)])), Before::Nothing);
        assert_eq!(
            at_480(&used(false, vec![begun(478, 480)])),
            Before::Nothing,
            "nobody said that it is over"
        );
        assert_eq!(at_480(&used(false, vec![begun(463, 465), over(464)])), time, "of another stop");
        assert_eq!(at_480(&used(false, vec![begun(490, 491)])), time, "a clock that was set back");
        let most = before(&used(false, vec![]), Some(&terms(true)), 86_400, at(480));
        assert_eq!(most, Before::Part(at(480) + TimeDelta::seconds(630)));
    }

    #[test]
    fn whoever_wants_it_to_go_on_is_asked_anew() {
        let by = Who::Person;
        let renewed = EventKind::LeaseSet { lease: lease(OnExpiry::Stop), by };
        for kind in [renewed, EventKind::Kept { by }] {
            let rental = used(false, vec![begun(478, 482), (479, kind), over(479)]);
            assert!(matches!(at_480(&rental), Before::Part(_)), "{rental:?}");
        }
    }

    #[test]
    fn what_programs_do_in_their_time_is_no_work() {
        let idle = |minute, more| parts_idle(&used(false, more), at(minute));
        assert!(!idle(480, vec![]));
        assert!(idle(480, vec![begun(479, 481)]) && idle(482, vec![begun(479, 481), over(480)]));
        assert!(!idle(500, vec![begun(479, 481)]), "long ago");
        assert!(!idle(480, vec![begun(479, 481), (480, EventKind::Kept { by: Who::Person })]));
    }

    #[test]
    fn where_nobody_can_be_asked_the_stop_waits_for_nothing() {
        assert_eq!(at_480(&used(true, vec![])), Before::Nothing, "a proxy");
        assert_eq!(at_480(&running(lease(OnExpiry::Stop), vec![])), Before::Nothing, "it never answered");
        let rental = used(false, vec![]);
        assert_eq!(before(&rental, Some(&terms(true)), 0, at(480)), Before::Nothing, "no time is given");
        let booking = RentalTerms { booking: true, ..terms(true) };
        assert_eq!(before(&rental, Some(&booking), 60, at(480)), Before::Nothing, "it goes on as it is");
        let stop = EventKind::StopAsked { by: Who::Person, why: String::new() };
        assert_eq!(at_480(&used(false, vec![(479, stop)])), Before::Nothing);
    }
}
