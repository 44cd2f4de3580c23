//! What one rental cost within a stretch of time.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::Period;
use crate::money::{Currency, kept};
use crate::rental::{Billed, Costs, Interval, Meter, Rental};

/// Traffic out, which no provider tells before its bill: a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// At least.
    pub low: Decimal,
    /// At most; `None` = traffic costs, and how much there was is not known.
    pub high: Option<Decimal>,
}

/// What one rental cost within a stretch of time, in the currency of its offer, to nano-units.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spent {
    /// Cards, with billing step and minimum.
    pub compute: Decimal,
    /// Disk while not stopped.
    pub disk: Decimal,
    /// Disk while stopped.
    pub disk_stopped: Decimal,
    /// Traffic out.
    pub traffic: Traffic,
    /// Meters of which something is not known: the figures are a lower bound then.
    pub unknown: Vec<Meter>,
}

impl Spent {
    /// Everything but traffic.
    #[must_use]
    pub fn metered(&self) -> Decimal {
        self.compute + self.disk + self.disk_stopped
    }

    /// Whether nothing was spent and nothing is open.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.metered().is_zero()
            && self.unknown.is_empty()
            && self.traffic.low.is_zero()
            && self.traffic.high.is_none_or(|high| high.is_zero())
    }
}

/// What a rental cost within a period, as far as that is past at `now`; `None` where the two do not meet.
///
/// Costs before one moment less those before an earlier one: however a life is cut, its pieces sum to the whole, to
/// the last digit.
#[must_use]
pub fn spent(rental: &Rental, period: Period, now: DateTime<Utc>) -> Option<Spent> {
    if period.from >= now {
        // Nothing is spent before it happens.
        return None;
    }
    let (from, to) = (period.from, period.to.min(now));
    let meets = |interval: &Interval| {
        interval.from < to && interval.to.is_none_or(|end| end > from || end == interval.from)
    };
    if !rental.intervals.iter().any(meets) {
        return None;
    }
    let (late, early) = (rental.costs_before(to), rental.costs_before(from));
    let part = |kind| kept(part(&late, kind)) - kept(part(&early, kind));
    let in_it =
        |kind: &Meter| rental.intervals.iter().any(|i| i.kind == *kind && i.per_hour.is_none() && meets(i));
    let storage_unknown = |kind: &Meter| *kind == Meter::Storage && rental.storage_unknown;
    let unknown: Vec<Meter> =
        late.unknown.iter().copied().filter(|kind| in_it(kind) || storage_unknown(kind)).collect();
    Some(Spent {
        compute: part(Meter::Compute),
        disk: part(Meter::Storage),
        disk_stopped: part(Meter::StorageStopped),
        traffic: traffic(rental, period),
        unknown,
    })
}

fn part(costs: &Costs, kind: Meter) -> Decimal {
    costs.parts.get(&kind).copied().unwrap_or_default()
}

/// Traffic out: as billed, in the period in which the rental ended; else nothing where it is free, and otherwise not
/// bounded.
pub(super) fn traffic(rental: &Rental, period: Period) -> Traffic {
    let same_money = |bill: &&Billed| bill.currency == rental.currency().unwrap_or(Currency::USD);
    let bill = rental.billed.as_ref().map(|(_, bill)| bill).filter(same_money);
    if let Some(billed) = bill.and_then(|bill| bill.traffic) {
        let here = rental.ended_at.is_none_or(|ended| period.holds(ended));
        let amount = if here { kept(billed) } else { Decimal::ZERO };
        return Traffic { low: amount, high: Some(amount) };
    }
    let price = rental.record.offer.as_ref().and_then(|offer| {
        let general = || crate::terms::terms(&offer.provider).and_then(|terms| terms.egress_gb);
        offer.price.egress_gb.or_else(general)
    });
    let free = price.is_some_and(|price| price.is_zero());
    Traffic { low: Decimal::ZERO, high: free.then_some(Decimal::ZERO) }
}
