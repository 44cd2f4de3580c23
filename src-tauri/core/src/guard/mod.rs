//! What a lease asks for now: which warning is due, and when a machine is stopped or ended.
//!
//! The wall clock decides: a desk that slept acts on what is due when it wakes. Each thing that is told has a word of
//! its own that names the limit it is about, so that a new limit is warned of anew and an old one only once.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

pub use crate::rental::Limit;
use crate::rental::{OnExpiry, Rental, RentalTerms, State};
use crate::words::words;

mod parting;
#[cfg(test)]
mod tests;

pub use parting::{Before, MOST_PARTING_S, PARTING_S, before, parts_idle};

/// Minutes before a limit at which it is warned of.
pub const WARNINGS: [i64; 2] = [10, 2];
/// A lease that only tells goes on telling this often.
const TELL_AGAIN: TimeDelta = TimeDelta::hours(1);

/// How a machine has been used lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Idleness {
    /// Minutes up to now in which it did nothing, all of them judged.
    pub minutes: u32,
    /// Whether memory of a card is held meanwhile: then it is told of, and not acted on.
    pub parked: bool,
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// A limit is near.
    Warn {
        /// Which.
        limit: Limit,
        /// The warning: 10 or 2 minutes before.
        minutes: i64,
        /// When the limit is reached.
        at: DateTime<Utc>,
        /// What happens then.
        then: OnExpiry,
        /// Told under this word, once.
        word: String,
    },
    /// A limit is reached and nothing is done but to tell.
    Tell {
        /// Which.
        limit: Limit,
        /// Told under this word, once.
        word: String,
        /// Why nothing else is done.
        why: Only,
    },
    /// A limit is reached: the machine is stopped.
    Stop(Limit),
    /// A limit is reached: the machine is ended.
    End(Limit),
}

words! {
    /// Why a limit that is reached is only told.
    Only {
        /// The lease asks for no more.
        Asked = "asked",
        /// Its cloud has no stop, and nobody allowed its end.
        NoStop = "no-stop",
        /// It stands already; its disk goes on to cost.
        Stands = "stands",
        /// A card's memory is held: something may be waiting in it.
        Parked = "parked",
    }
}

/// When a rental reaches each of its limits if nothing changes, the earliest first.
#[must_use]
pub fn limits(
    rental: &Rental,
    idleness: Option<Idleness>,
    now: DateTime<Utc>,
) -> Vec<(Limit, DateTime<Utc>)> {
    let lease = &rental.lease;
    let time = lease.until.map(|until| (Limit::Time, until));
    let money = lease.max_spend.and_then(|most| Some((Limit::Money, spent_at(rental, most, now)?)));
    let idle = lease.idle_minutes.zip(idleness).filter(|(_, idle)| idle.minutes > 0).map(|(most, idle)| {
        (Limit::Idle, now + TimeDelta::minutes(i64::from(most) - i64::from(idle.minutes)))
    });
    let mut limits: Vec<_> = [time, money, idle].into_iter().flatten().collect();
    limits.sort_by_key(|(_, at)| *at);
    limits
}

/// What is due for a rental now. What was told already is not in it.
#[must_use]
pub fn due(
    rental: &Rental,
    idleness: Option<Idleness>,
    terms: Option<&RentalTerms>,
    now: DateTime<Utc>,
) -> Vec<Due> {
    if rental.is_over() || rental.end_asked() || rental.state == State::Draft {
        return Vec::new();
    }
    let has_stop = terms.is_some_and(|terms| terms.stop.exists);
    let stands = matches!(rental.state, State::Stopped | State::Stopping | State::Preempted);
    let told = |word: &str| rental.told.iter().any(|known| known == word);
    let mut found = Vec::new();
    for (limit, at) in limits(rental, idleness, now) {
        if limit == Limit::Idle && (stands || rental.asked_for().is_some()) {
            continue;
        }
        let key = key(rental, limit, idleness, now);
        let then = rental.lease.on_expiry;
        if at <= now {
            let tell = |why: Only, again: bool| {
                let times = if again { (now - at).num_seconds() / TELL_AGAIN.num_seconds() } else { 0 };
                Due::Tell { limit, word: format!("{limit}-over {key} {times}"), why }
            };
            let parked = limit == Limit::Idle && idleness.is_some_and(|idle| idle.parked);
            found.push(match then {
                _ if parked => tell(Only::Parked, false),
                OnExpiry::Notify => tell(Only::Asked, true),
                OnExpiry::End => Due::End(limit),
                OnExpiry::Stop if stands => tell(Only::Stands, false),
                OnExpiry::Stop if has_stop => Due::Stop(limit),
                OnExpiry::Stop => tell(Only::NoStop, true),
            });
        } else if !(stands && then == OnExpiry::Stop) {
            let near = |minutes: &&i64| at - now <= TimeDelta::minutes(**minutes);
            // The nearest that is due: a desk that woke late does not warn of ten minutes that are no more.
            if let Some(&minutes) = WARNINGS.iter().rev().find(near) {
                found.push(Due::Warn { limit, minutes, at, then, word: format!("{limit}-{minutes} {key}") });
            }
        }
    }
    found.retain(|due| match due {
        Due::Warn { word, .. } | Due::Tell { word, .. } => !told(word),
        Due::Stop(_) | Due::End(_) => true,
    });
    // One act is enough, and an end makes a stop needless.
    if found.iter().any(|due| matches!(due, Due::End(_))) {
        found.retain(|due| !matches!(due, Due::Stop(_)));
    }
    found
}

/// What makes one limit different from the next one of its kind.
fn key(rental: &Rental, limit: Limit, idleness: Option<Idleness>, now: DateTime<Utc>) -> String {
    let text = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
    match limit {
        Limit::Time => rental.lease.until.map(text).unwrap_or_default(),
        Limit::Money => rental.lease.max_spend.map(|most| most.normalize().to_string()).unwrap_or_default(),
        // An idle stretch is named by the quarter of an hour in which it began: samples that are lost at its edge make
        // no new one.
        Limit::Idle => {
            let minutes = i64::from(idleness.map_or(0, |idle| idle.minutes));
            let began = (now.timestamp() - minutes * 60).div_euclid(900) * 900;
            text(DateTime::from_timestamp(began, 0).unwrap_or(now))
        }
    }
}

/// When it will have cost so much at its present rate; `None` where nothing runs or the rate is not known.
fn spent_at(rental: &Rental, most: Decimal, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let left = most - rental.costs(now).total;
    if left <= Decimal::ZERO {
        return Some(now);
    }
    let per_hour = rental.burning().filter(|per_hour| *per_hour > Decimal::ZERO)?;
    let ms = left.checked_mul(Decimal::from(3_600_000))?.checked_div(per_hour)?.to_i64()?;
    // Beyond a century nothing is near.
    (ms < 3_155_760_000_000).then(|| now + TimeDelta::milliseconds(ms))
}
