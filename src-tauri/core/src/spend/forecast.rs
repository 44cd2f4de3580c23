//! What a period will have cost when it is over.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::Period;
use crate::rental::{OnExpiry, Rental};

/// What a rental will still cost until a moment, in its own currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forecast {
    /// If leases that stop or end something do so.
    pub low: Decimal,
    /// If everything that runs now runs on.
    pub high: Decimal,
}

/// What a rental will cost from now to the end of a period. What is not known of its rates is not in it.
#[must_use]
pub fn forecast(rental: &Rental, period: Period, now: DateTime<Utc>) -> Forecast {
    if rental.is_over() || period.to <= now {
        return Forecast::default();
    }
    let per_hour: Decimal =
        rental.intervals.iter().filter(|i| i.to.is_none()).filter_map(|i| i.per_hour).sum();
    let between = |from: DateTime<Utc>, until: DateTime<Utc>| {
        Decimal::from((until - from).num_milliseconds().max(0)) / Decimal::from(3_600_000)
    };
    // What is still to come before the period begins is none of it.
    let begins = period.from.max(now);
    let hours = |until| between(begins, until);
    let ends = rental.lease.until.filter(|_| rental.lease.on_expiry != OnExpiry::Notify);
    let until = ends.unwrap_or(period.to).min(rental.ends_at.unwrap_or(period.to)).min(period.to);
    let mut low = per_hour * hours(until);
    if let Some(most) = rental.lease.max_spend.filter(|_| rental.lease.on_expiry != OnExpiry::Notify) {
        let before = rental.costs(now).total + per_hour * between(now, begins);
        low = low.min((most - before).max(Decimal::ZERO));
    }
    Forecast { low, high: per_hour * hours(period.to) }
}
