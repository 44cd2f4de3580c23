//! The word on a machine, from its minutes.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::limits::STALE_MINUTES;
use super::minute::{first_after, number};
use super::reading::mean;
use super::{Activity, Minute, Why};

/// What can be said of a machine now.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What it does, by its newest minute. [`Activity::Idle`] alone is no ground for a stop: see [`Self::is_due`].
    pub state: Activity,
    /// Why.
    pub why: Why,
    /// For how many minutes it has been idle up to now, missing ones included.
    pub idle_minutes: u32,
    /// For how many it has been idle or parked.
    pub quiet_minutes: u32,
    /// What came before that inside the window, so that it is not full: work, or what could not be judged; `None`
    /// where nothing did.
    pub before: Option<Why>,
    /// The window that was asked for, minutes.
    pub window_minutes: u32,
    /// What was measured in the minutes counted, or in the window where none is.
    pub measured: Measured,
}

/// What was measured, for the words after a stop.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// Minutes with enough readings.
    pub minutes: u32,
    /// Mean use of the cards, percent; `None` = not known.
    pub util_percent: Option<f64>,
    /// The most memory in use, percent; `None` = not known.
    pub vram_percent: Option<f64>,
}

impl Verdict {
    /// For how long there was no work, minutes: with `parked`, held memory counts as none.
    #[must_use]
    pub fn minutes(&self, parked: bool) -> u32 {
        if parked { self.quiet_minutes } else { self.idle_minutes }
    }

    /// Whether there was no work for the whole window: the machine may be stopped.
    #[must_use]
    pub fn is_due(&self, parked: bool) -> bool {
        self.window_minutes > 0 && self.minutes(parked) >= self.window_minutes
    }

    /// Minutes until then, if nothing happens, for warnings beforehand; `None` while the machine works or cannot be
    /// judged.
    #[must_use]
    pub fn minutes_left(&self, parked: bool) -> Option<u32> {
        let minutes = self.minutes(parked);
        (minutes > 0).then(|| self.window_minutes.saturating_sub(minutes))
    }

    /// Why it cannot be judged; `None` where it can.
    #[must_use]
    pub fn cannot(&self) -> Option<Why> {
        (self.state == Activity::Unknown).then_some(self.why)
    }
}

/// Judges a machine by its minutes, in any order.
///
/// Idle are the minutes back from the newest one in which nothing worked and everything was known, for as long as nine
/// in ten of them are there: a laptop that slept, or a line that was cut, makes no idle time. What lies before `since`
/// (the later of 15 minutes after the machine was ready, the last "keep", and the end of the last copy) does not count,
/// nor does a minute from after `now`, which a clock set back leaves behind.
#[must_use]
pub fn judge(minutes: &[Minute], window_minutes: u32, now: DateTime<Utc>, since: DateTime<Utc>) -> Verdict {
    let first = first_after(since);
    let this = number(now);
    let mut known: BTreeMap<i64, &Minute> = BTreeMap::new();
    for minute in minutes.iter().filter(|minute| minute.minute < this && minute.why != Why::TooFew) {
        // A minute that went by twice (a clock set back) is what the busier of the two was.
        let busier = known.get(&minute.minute).is_none_or(|other| rank(minute) > rank(other));
        if busier {
            known.insert(minute.minute, minute);
        }
    }
    let window = i64::from(window_minutes);
    let newest = known.last_key_value().map(|(_, minute)| *minute);
    let Some(newest) = newest.filter(|newest| this - newest.minute <= STALE_MINUTES) else {
        return Verdict {
            state: Activity::Unknown,
            why: Why::TooFew,
            idle_minutes: 0,
            quiet_minutes: 0,
            before: None,
            window_minutes,
            measured: measured(known.range(this - window..).map(|(_, minute)| *minute)),
        };
    };
    let ends = (newest.minute, first);
    let idle = run(&known, ends, window, |minute| minute.activity == Activity::Idle);
    let quiet = run(&known, ends, window, Minute::is_quiet);
    let longest = if idle.minutes > 0 { &idle } else { &quiet };
    let from = if longest.minutes > 0 { longest.from } else { newest.minute + 1 - window };
    Verdict {
        state: newest.activity,
        why: newest.why,
        idle_minutes: idle.minutes,
        quiet_minutes: quiet.minutes,
        before: longest.ended_by.filter(|_| longest.minutes > 0 && i64::from(longest.minutes) < window),
        window_minutes,
        measured: measured(known.range(from..).map(|(_, minute)| *minute)),
    }
}

/// How far from rest a minute is.
fn rank(minute: &Minute) -> u8 {
    match minute.activity {
        Activity::Idle => 0,
        Activity::Parked => 1,
        Activity::Unknown => 2,
        Activity::Working => 3,
    }
}

/// Minutes without a break up to the newest one.
struct Run {
    from: i64,
    minutes: u32,
    ended_by: Option<Why>,
}

/// The run of minutes that `belongs`, back to `first` at most. A tenth of the window may be missing in it.
fn run(
    known: &BTreeMap<i64, &Minute>,
    (newest, first): (i64, i64),
    window: i64,
    belongs: impl Fn(&Minute) -> bool,
) -> Run {
    let mut run = Run { from: newest + 1, minutes: 0, ended_by: None };
    let mut missing = 0;
    for (number, minute) in known.range(first.min(newest)..=newest).rev() {
        missing += run.from - number - 1;
        if missing > window / 10 {
            run.ended_by = Some(Why::TooFew);
            break;
        }
        if *number < first || !belongs(minute) {
            run.ended_by = (*number >= first).then_some(minute.why);
            break;
        }
        run.from = *number;
    }
    run.minutes = u32::try_from(newest + 1 - run.from).unwrap_or(u32::MAX);
    run
}

fn measured<'a>(minutes: impl Iterator<Item = &'a Minute>) -> Measured {
    let minutes: Vec<&Minute> = minutes.collect();
    let utils: Vec<f64> = minutes.iter().filter_map(|minute| minute.util_percent).collect();
    Measured {
        minutes: u32::try_from(minutes.len()).unwrap_or(u32::MAX),
        util_percent: mean(&utils),
        vram_percent: minutes.iter().filter_map(|minute| minute.vram_percent).reduce(f64::max),
    }
}
