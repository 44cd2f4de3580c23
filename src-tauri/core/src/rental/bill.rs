//! What a rental costs: which meter ran from when to when, and what that comes to.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use serde::{Deserialize, Serialize};

use super::{Rental, RentalTerms};
use crate::money::Currency;
use crate::offer::Offer;
use crate::terms::{self, USUAL_MONTH_HOURS};
use crate::words::words;

words! {
    /// What is billed by time.
    Meter {
        /// The machine with its cards.
        Compute = "compute",
        /// The disk of a machine that is not stopped.
        Storage = "storage",
        /// The disk of a stopped machine.
        StorageStopped = "storage-stopped",
    }
}

/// One meter running at one rate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// Which meter.
    pub kind: Meter,
    /// From when.
    pub from: DateTime<Utc>,
    /// Until when; `None` = it still runs.
    pub to: Option<DateTime<Utc>>,
    /// Per hour; `None` = not known.
    pub per_hour: Option<Decimal>,
}

impl Interval {
    /// The part of it before a moment; `None` where it began later.
    fn before(&self, moment: DateTime<Utc>) -> Option<Self> {
        let to = Some(self.to.map_or(moment, |to| to.min(moment)));
        (self.from < moment).then(|| Self { to, ..self.clone() })
    }

    /// How long it ran until `now`, never less than nothing (a clock may be set back).
    fn ms(&self, now: DateTime<Utc>) -> i64 {
        (self.to.unwrap_or(now) - self.from).num_milliseconds().max(0)
    }

    /// What it comes to by `now`, without billing step and minimum; `None` where the rate is not known.
    #[must_use]
    pub fn amount(&self, now: DateTime<Utc>) -> Option<Decimal> {
        charge(self.per_hour?, self.ms(now))
    }
}

/// Costs of a rental, in the currency of its offer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Costs {
    /// By meter; a part with an unknown stretch holds what is known of it.
    pub parts: BTreeMap<Meter, Decimal>,
    /// Sum of what is known.
    pub total: Decimal,
    /// Meters of which something is not known, so that the total is a lower bound.
    pub unknown: Vec<Meter>,
}

/// What a provider says it billed for a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Billed {
    /// All of it.
    pub total: Decimal,
    /// Cards; `None` = not told apart, as in the other parts.
    pub compute: Option<Decimal>,
    /// Disk.
    pub storage: Option<Decimal>,
    /// Traffic.
    pub traffic: Option<Decimal>,
    /// Of all of these.
    pub currency: Currency,
}

impl Billed {
    /// Two lines of a bill for the same machine. A part that one of them does not tell is not known for both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let sum = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).map(|(a, b)| a.saturating_add(b));
        Self {
            total: self.total.saturating_add(other.total),
            compute: sum(self.compute, other.compute),
            storage: sum(self.storage, other.storage),
            traffic: sum(self.traffic, other.traffic),
            currency: self.currency,
        }
    }

    /// The same in another currency, of which one unit of its own is worth `rate`.
    #[must_use]
    pub fn at(&self, rate: Decimal, currency: Currency) -> Self {
        let worth = |amount: Option<Decimal>| amount.map(|amount| amount * rate);
        Self {
            total: self.total * rate,
            compute: worth(self.compute),
            storage: worth(self.storage),
            traffic: worth(self.traffic),
            currency,
        }
    }
}

/// Disk per hour, running and stopped, of so many GB at an offer, by what the offer or else its provider says.
/// `None` = not known; nothing where the disk is inside the price. What is inside the price of a machine that runs may
/// be billed once it stands: the included disk is, then.
#[must_use]
pub fn disk_rates(
    offer: &Offer,
    disk_gb: Option<u32>,
    rules: &RentalTerms,
) -> (Option<Decimal>, Option<Decimal>) {
    if !rules.bills_standing_disk() {
        return (Some(Decimal::ZERO), Some(Decimal::ZERO));
    }
    let general = terms::terms(&offer.provider);
    let month = Decimal::from(general.and_then(|t| t.month_hours).unwrap_or(USUAL_MONTH_HOURS));
    let asked = disk_gb.map(Decimal::from).or_else(|| rules.disk.map(|range| Decimal::from(range.usual)));
    let included = offer.disk.included_gb.and_then(Decimal::from_f64);
    let billed = if rules.disk_billed_apart {
        asked.map(|gb| (gb - included.unwrap_or_default()).max(Decimal::ZERO))
    } else {
        included
    };
    let same_money =
        |price: &Decimal, t: &terms::Terms| price.is_zero() || t.currency == Some(offer.price.currency);
    let rate = |gb: Option<Decimal>, said: Option<Decimal>, usual: fn(&terms::Terms) -> Option<Decimal>| {
        let usual = general.and_then(|t| usual(t).filter(|price| same_money(price, t)));
        gb?.checked_mul(said.or(usual)?)?.checked_div(month)
    };
    let kept = billed.map(|gb| (gb - Decimal::from(rules.wiped_gb)).max(Decimal::ZERO));
    let running = match rules.disk_billed_apart {
        true => rate(billed, offer.price.storage_gb_month, |t| t.storage_gb_month),
        false => Some(Decimal::ZERO),
    };
    let stopped = match rules.stop.disk_billed {
        Some(false) => Some(Decimal::ZERO),
        _ => rate(kept, offer.price.storage_stopped_gb_month, |t| t.storage_stopped_gb_month),
    };
    (running, stopped)
}

fn charge(per_hour: Decimal, ms: i64) -> Option<Decimal> {
    per_hour.checked_mul(Decimal::from(ms))?.checked_div(Decimal::from(3_600_000))
}

/// Milliseconds that are billed beyond those used: up to the next step, and at least the least.
fn padding(ms: i64, step_s: Option<u32>, least_s: Option<u32>) -> i64 {
    let step = i64::from(step_s.unwrap_or(0)) * 1000;
    let least = i64::from(least_s.unwrap_or(0)) * 1000;
    let long = ms.max(least);
    let billed = if step > 0 { (long + step - 1) / step * step } else { long };
    billed - ms
}

impl Rental {
    /// Costs until `now`. A stretch of the machine's running is billed in the provider's steps and minimum, where
    /// they are known; disk by the millisecond.
    #[must_use]
    pub fn costs(&self, now: DateTime<Utc>) -> Costs {
        self.costs_of(&self.intervals, now)
    }

    /// What it had cost by a moment that is past: costs until one moment less those until an earlier one are what was
    /// spent between them, so that periods that follow each other sum to the whole. A billing step or minimum belongs
    /// to the moment at which it was begun.
    #[must_use]
    pub fn costs_before(&self, moment: DateTime<Utc>) -> Costs {
        let intervals: Vec<Interval> = self.intervals.iter().filter_map(|i| i.before(moment)).collect();
        self.costs_of(&intervals, moment)
    }

    fn costs_of(&self, intervals: &[Interval], now: DateTime<Utc>) -> Costs {
        let mut costs = Costs::default();
        for interval in intervals {
            match interval.amount(now) {
                Some(amount) => *costs.parts.entry(interval.kind).or_default() += amount,
                None if costs.unknown.contains(&interval.kind) => {}
                None => costs.unknown.push(interval.kind),
            }
        }
        let padded = self.padding_of(intervals, now);
        if !padded.is_zero() {
            *costs.parts.entry(Meter::Compute).or_default() += padded;
        }
        if self.storage_unknown && !costs.unknown.contains(&Meter::Storage) {
            costs.unknown.push(Meter::Storage);
        }
        costs.total = costs.parts.values().sum();
        costs
    }

    /// The billing step and the least time of its provider, in seconds, where known.
    #[must_use]
    pub fn billing_step(&self) -> (Option<u32>, Option<u32>) {
        let Some(offer) = &self.record.offer else { return (None, None) };
        let general = terms::terms(&offer.provider);
        let step = offer.price.increment_s.or(general.and_then(|t| t.increment_s));
        (step, offer.price.minimum_s.or(general.and_then(|t| t.minimum_s)))
    }

    /// What the billing step and the minimum add, at the last rate of each stretch.
    fn padding_of(&self, intervals: &[Interval], now: DateTime<Utc>) -> Decimal {
        let (step, least) = self.billing_step();
        let mut total = Decimal::ZERO;
        let mut runs = intervals.iter().filter(|i| i.kind == Meter::Compute).peekable();
        let mut ms = 0;
        while let Some(interval) = runs.next() {
            ms += interval.ms(now);
            // A new rate splits an interval; the stretch goes on.
            if runs.peek().is_some_and(|next| interval.to == Some(next.from)) {
                continue;
            }
            let extra = interval.per_hour.and_then(|rate| charge(rate, padding(ms, step, least)));
            total += extra.unwrap_or_default();
            ms = 0;
        }
        total
    }
}
