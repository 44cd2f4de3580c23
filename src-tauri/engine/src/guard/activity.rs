//! Whether machines work: readings become judged minutes, which are kept and judged over a lease's window.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::activity::{Minutes, Reading, Verdict, judge};
use gpudesk_core::guard::{Idleness, Limit, limits};
use gpudesk_core::rental::{OnExpiry, Rental, State};

use crate::DeskError;
use crate::desk::Desk;

/// A machine's first minutes are set-up: it is never idle in them.
const FIRST_MINUTES: TimeDelta = TimeDelta::minutes(15);
/// The window of a rental whose lease lets it idle: for what is shown only.
const SHOWN_WINDOW_MIN: u32 = 30;
/// For how long before its window a machine's idle time is still counted.
const SHOWN_BEFORE_MIN: i64 = 60;

/// Readings of each machine that have not become a minute yet.
#[derive(Default)]
pub(crate) struct Measured(Mutex<BTreeMap<String, Minutes>>);

impl Measured {
    /// Forgets machines that are no more.
    pub fn keep_only(&self, rentals: &[Rental]) {
        let there: BTreeSet<&str> = rentals.iter().map(|rental| rental.record.id.as_str()).collect();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|rental, _| there.contains(rental.as_str()));
    }
}

/// Whether a machine works, and what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityNow {
    /// What was judged.
    pub verdict: Verdict,
    /// When the lease acts on it if nothing changes; `None` = it will not.
    pub acts_at: Option<DateTime<Utc>>,
}

impl ActivityNow {
    pub(super) fn idleness(&self) -> Option<Idleness> {
        let Verdict { idle_minutes: idle, quiet_minutes: quiet, window_minutes: window, .. } = self.verdict;
        if idle == 0 && quiet == 0 {
            return None;
        }
        // Held memory is what stands in the way of a stop only once the window is full with it.
        let parked = idle == 0 || (quiet >= window && idle < window);
        Some(Idleness { minutes: if parked { quiet } else { idle }, parked })
    }

    /// What was measured, in one line.
    pub(super) fn measured(&self) -> String {
        let minutes = self.verdict.idle_minutes;
        let gpudesk_core::activity::Measured { util_percent, vram_percent, .. } = &self.verdict.measured;
        let figure =
            |of: &Option<f64>| of.map_or_else(|| "–".to_owned(), |percent| format!("{percent:.0} %"));
        format!(
            "it did nothing for {minutes} min: cards {} on average, {} of their memory at most",
            figure(util_percent),
            figure(vram_percent)
        )
    }
}

impl Desk {
    fn is_copying(&self, rental: &Rental) -> bool {
        let of =
            |copy: &crate::CopyInfo| copy.rental == rental.record.id || copy.rental == rental.record.name;
        self.copies().iter().any(|copy| of(copy) && copy.state == crate::CopyState::Running)
    }

    pub(crate) fn measured(&self) -> &Measured {
        &self.inner().measured
    }

    /// Takes a reading of a machine: whoever measures it hands it in here.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn take_reading(&self, rental: &str, reading: Reading) -> Result<(), DeskError> {
        let minute = {
            let mut open = self.measured().0.lock().unwrap_or_else(PoisonError::into_inner);
            open.entry(rental.to_owned()).or_default().push(reading)
        };
        match minute {
            Some(minute) => Ok(self.store().add_activity(rental, &minute).await?),
            None => Ok(()),
        }
    }

    /// Whether a rental works now; `None` where it cannot run, or was never measured.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn activity_now(&self, rental: &Rental) -> Result<Option<ActivityNow>, DeskError> {
        if rental.state != State::Ready || rental.asked_for().is_some() {
            return Ok(None);
        }
        let now = self.now();
        let window = rental.lease.idle_minutes.unwrap_or(SHOWN_WINDOW_MIN);
        let first = (now.timestamp().div_euclid(60)) - i64::from(window) - SHOWN_BEFORE_MIN;
        let minutes = self.store().activity_since(&rental.record.id, first).await?;
        if minutes.is_empty() {
            return Ok(None);
        }
        let set_up = rental.state_since.max(rental.ready_at.unwrap_or(rental.state_since)) + FIRST_MINUTES;
        let copied = if self.is_copying(rental) { Some(now) } else { None };
        let since = [Some(set_up), rental.kept_at, copied].into_iter().flatten().max().unwrap_or(set_up);
        let verdict = judge(&minutes, window, now, since);
        let mut activity = ActivityNow { verdict, acts_at: None };
        let idleness = activity.idleness().filter(|idle| !idle.parked);
        if rental.lease.on_expiry != OnExpiry::Notify {
            let idle = limits(rental, idleness, now).into_iter().find(|(limit, _)| *limit == Limit::Idle);
            activity.acts_at = idle.map(|(_, at)| at);
        }
        Ok(Some(activity))
    }
}
