//! What was spent in a period: the ledger of the rentals, what runs now, what is wasted and what it will come to.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gpudesk_core::money::{Currency, RateHistory, Rates};
use gpudesk_core::rental::{Meter, Rental, State};
use gpudesk_core::spend::{By, Exchange, Forecast, Period, Table, converted, forecast, key_of, spent, table};
use gpudesk_store::Usage;
use rust_decimal::Decimal;

use crate::DeskError;
use crate::desk::Desk;
use crate::savings::{Compared, Saving};

/// Hours in the month that a figure per month is meant for.
const MONTH_HOURS: i64 = 730;
/// A machine is too large where it was measured for so many minutes and never held more of its cards' memory.
const MEASURED_MIN: u32 = 240;
const LARGE_BELOW_PERCENT: f64 = 30.0;
/// Idle time below this is no waste worth a line.
const IDLE_LEAST_MIN: u32 = 30;

/// What one key cost on a day, or will.
#[derive(Debug, Clone, PartialEq)]
pub struct DaySpending {
    /// The day, in UTC.
    pub day: Period,
    /// By key, in the display currency.
    pub spent: BTreeMap<String, Decimal>,
    /// What is to come on it if leases are kept.
    pub to_come: BTreeMap<String, Decimal>,
}

/// What runs now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Burning {
    /// Per hour, in the display currency; `None` where a rate is not known.
    pub per_hour: Option<Decimal>,
    /// Machines of ours.
    pub machines: usize,
    /// Machines that are not ours, as the last comparison found them; `None` before the first one of this run.
    pub unmanaged: Option<usize>,
}

/// Money that does nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Waste {
    /// `idle`, `stopped-disk`, `unmanaged`, `leftover`, `oversize`, `idle-capacity`.
    pub kind: &'static str,
    /// Name of the machine.
    pub name: String,
    /// Rental id; `None` where it is none of ours.
    pub rental: Option<String>,
    /// Account and the provider's id of what is none of ours.
    pub stranger: Option<(String, String)>,
    /// Wasted in the period, in the display currency; `None` = not known.
    pub amount: Option<Decimal>,
    /// What it goes on to cost a month; `None` = not known.
    pub per_month: Option<Decimal>,
    /// Hours of it.
    pub hours: Option<f64>,
    /// Since when.
    pub since: Option<DateTime<Utc>>,
    /// The one thing to do.
    pub remedy: &'static str,
}

/// Spending of a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Spending {
    /// The table.
    pub table: Table,
    /// Share of the measured time in which machines did nothing, by key of a line.
    pub idle: BTreeMap<String, f64>,
    /// The chart.
    pub days: Vec<DaySpending>,
    /// What runs now.
    pub burning: Burning,
    /// What is still to come in the period; `None` once it is past.
    pub to_come: Option<Forecast>,
    /// The dearest first.
    pub waste: Vec<Waste>,
    /// The same work at other offers, the largest saving first.
    pub savings: Vec<Saving>,
    /// The newest rates: each day that is past has its own.
    pub rates: Rates,
}

impl Desk {
    /// Spending of a period by a key, in one currency.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn spending(&self, period: Period, by: By, currency: Currency) -> Result<Spending, DeskError> {
        let (now, history) = (self.now(), self.rate_history(period).await?);
        let rates = history.newest();
        // What runs now is looked at whatever the period.
        let rentals = self.rentals_since(period.from.min(now)).await?;
        let hour = |moment: DateTime<Utc>| moment.timestamp().div_euclid(3600);
        let usage = self.store().usage_of_hours(hour(period.from), hour(period.to)).await?;
        let books = Books {
            rentals: &rentals,
            usage: &usage,
            period,
            by,
            currency,
            rates: &rates,
            history: &history,
            now,
        };
        let mut waste = books.waste();
        waste.extend(self.idle_capacity(period, currency, &rates).await?);
        let mut burning = books.burning();
        let mut unmanaged = 0;
        let ignored = self.store().ignored().await?;
        for (account, machine) in self.strangers_known() {
            if ignored.contains(&(account.clone(), machine.remote_id.clone())) {
                continue;
            }
            let Some(per_hour) = machine.per_hour.filter(|rate| !rate.is_zero()) else { continue };
            unmanaged += 1;
            let rate =
                rates.quote(machine.currency.unwrap_or(Currency::USD), currency).map(|q| per_hour * q.rate);
            burning.per_hour = burning.per_hour.zip(rate).map(|(sum, rate)| sum + rate);
            let since = machine.created_at.map(|at| at.max(period.from));
            let hours = since.map(|since| hours_between(since, now.min(period.to)));
            waste.push(Waste {
                kind: "unmanaged",
                name: machine.name.clone().unwrap_or_else(|| machine.remote_id.clone()),
                rental: None,
                stranger: Some((account, machine.remote_id)),
                amount: rate.zip(hours).map(|(rate, hours)| rate * hours),
                per_month: rate.map(|rate| rate * Decimal::from(MONTH_HOURS)),
                hours: hours.and_then(|hours| hours.try_into().ok()),
                since: machine.created_at,
                remedy: "unmanaged",
            });
        }
        burning.unmanaged = self.reconciled_at().map(|_| unmanaged);
        for (account, left) in self.left_behind() {
            let rate = rates.quote(left.currency, currency);
            let per_month = left.per_month.zip(rate).map(|(own, quoted)| own * quoted.rate);
            if per_month.is_some_and(|cost| cost.is_zero()) {
                continue;
            }
            waste.push(Waste {
                kind: "leftover",
                name: left.name.clone().unwrap_or_else(|| format!("{} {}", left.what, left.remote_id)),
                rental: None,
                stranger: Some((account, left.remote_id)),
                // Since when it stands is not told.
                amount: None,
                per_month,
                hours: None,
                since: None,
                remedy: "review",
            });
        }
        waste.sort_by_key(|waste| std::cmp::Reverse((waste.amount, waste.per_month)));
        let compared = Compared { rentals: &rentals, period, currency, rates: &rates, now };
        let savings = self.savings(&compared).await?;
        Ok(Spending {
            table: table(&rentals, period, by, (currency, &history), now),
            idle: books.idle_shares(),
            days: books.days(),
            burning,
            to_come: (period.to > now).then(|| books.to_come(period)),
            waste,
            savings,
            rates,
        })
    }
}

fn hours_between(from: DateTime<Utc>, to: DateTime<Utc>) -> Decimal {
    Decimal::from((to - from).num_seconds().max(0)) / Decimal::from(3600)
}

/// The days in which a rental can have cost something or may yet.
fn within<'a>(rental: &Rental, days: &'a mut [DaySpending]) -> &'a mut [DaySpending] {
    let Some(first) = rental.intervals.iter().map(|interval| interval.from).min() else { return &mut [] };
    let runs = !rental.is_over() || rental.intervals.iter().any(|interval| interval.to.is_none());
    let last = rental.intervals.iter().filter_map(|interval| interval.to).max().filter(|_| !runs);
    let from = days.partition_point(|day| day.day.to <= first);
    let to = last.map_or(days.len(), |last| days.partition_point(|day| day.day.from <= last));
    days.get_mut(from..to.max(from)).unwrap_or_default()
}

/// The rentals of a period and how they are looked at.
struct Books<'a> {
    rentals: &'a [Rental],
    usage: &'a BTreeMap<String, Usage>,
    period: Period,
    by: By,
    currency: Currency,
    /// Of now, for what is still to come and what goes on.
    rates: &'a Rates,
    /// Of each day, for what was spent.
    history: &'a RateHistory,
    now: DateTime<Utc>,
}

impl Books<'_> {
    fn rate(&self, rental: &Rental) -> Option<Decimal> {
        Some(self.rates.quote(rental.currency().unwrap_or(Currency::USD), self.currency)?.rate)
    }

    /// By key, the share of measured minutes in which nothing was done.
    fn idle_shares(&self) -> BTreeMap<String, f64> {
        let mut minutes: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for rental in self.rentals {
            if let Some(usage) = self.usage.get(&rental.record.id) {
                let sums = minutes.entry(key_of(rental, self.by)).or_default();
                sums.0 += usage.idle + usage.parked;
                sums.1 += usage.idle + usage.parked + usage.working;
            }
        }
        let share = |(key, (idle, all)): (String, (u32, u32))| {
            (all > 0).then(|| (key, f64::from(idle) / f64::from(all)))
        };
        minutes.into_iter().filter_map(share).collect()
    }

    fn days(&self) -> Vec<DaySpending> {
        let mut days: Vec<DaySpending> = self
            .period
            .days()
            .map(|day| DaySpending { day, spent: BTreeMap::new(), to_come: BTreeMap::new() })
            .collect();
        let mut exchange = Exchange::new(self.currency, self.history);
        for rental in self.rentals {
            let Some(rate) = self.rate(rental) else { continue };
            let key = key_of(rental, self.by);
            for day in within(rental, &mut days) {
                let part =
                    Period { from: day.day.from.max(self.period.from), to: day.day.to.min(self.period.to) };
                if let Some(Ok(own)) = converted(rental, part, self.now, &mut exchange)
                    && !own.spent.metered().is_zero()
                {
                    *day.spent.entry(key.clone()).or_default() += own.spent.metered();
                }
                if !rental.is_over() && part.to > self.now {
                    let until = |to| forecast(rental, Period { from: part.from, to }, self.now).low;
                    let more = until(part.to) - until(part.from.max(self.now));
                    if !more.is_zero() {
                        *day.to_come.entry(key.clone()).or_default() += more * rate;
                    }
                }
            }
        }
        days
    }

    fn to_come(&self, period: Period) -> Forecast {
        let mut sum = Forecast::default();
        for rental in self.rentals {
            if let Some(rate) = self.rate(rental) {
                let more = forecast(rental, period, self.now);
                sum.low += more.low * rate;
                sum.high += more.high * rate;
            }
        }
        sum
    }

    fn burning(&self) -> Burning {
        let mut burning = Burning { per_hour: Some(Decimal::ZERO), ..Burning::default() };
        for rental in self.rentals.iter().filter(|rental| !rental.is_over()) {
            let rate = rental.burning().zip(self.rate(rental)).map(|(own, rate)| own * rate);
            if rate.is_none_or(|rate| !rate.is_zero()) {
                burning.machines += 1;
            }
            burning.per_hour = burning.per_hour.zip(rate).map(|(sum, rate)| sum + rate);
        }
        burning
    }

    fn waste(&self) -> Vec<Waste> {
        let mut found = Vec::new();
        for rental in self.rentals {
            let rate = self.rate(rental);
            let of = |kind, remedy| Waste {
                kind,
                name: rental.record.name.clone(),
                rental: Some(rental.record.id.clone()),
                stranger: None,
                amount: None,
                per_month: None,
                hours: None,
                since: None,
                remedy,
            };
            if let Some(usage) = self.usage.get(&rental.record.id) {
                let idle = usage.idle + usage.parked;
                if idle >= IDLE_LEAST_MIN {
                    let hours = Decimal::from(idle) / Decimal::from(60);
                    let remedy = if rental.is_over() { "lease" } else { "stop" };
                    found.push(Waste {
                        amount: rental.per_hour.zip(rate).map(|(own, rate)| own * rate * hours),
                        hours: Some(f64::from(idle) / 60.0),
                        ..of("idle", remedy)
                    });
                }
                let measured = usage.working + usage.idle + usage.parked;
                let is_large = usage.vram_percent.is_some_and(|most| most <= LARGE_BELOW_PERCENT);
                if is_large && measured >= MEASURED_MIN && usage.working > 0 {
                    found
                        .push(Waste { hours: Some(f64::from(measured) / 60.0), ..of("oversize", "smaller") });
                }
            }
            if !rental.is_over() && matches!(rental.state, State::Stopped | State::Preempted) {
                let open =
                    |i: &&gpudesk_core::rental::Interval| i.kind == Meter::StorageStopped && i.to.is_none();
                let Some(interval) = rental.intervals.iter().find(open) else { continue };
                let stood = Period { from: self.period.from.max(interval.from), to: self.period.to };
                let amount = spent(rental, stood, self.now).map(|spent| spent.disk_stopped);
                let per_hour = interval.per_hour.filter(|rate| !rate.is_zero());
                if interval.per_hour.is_none() || per_hour.is_some() {
                    found.push(Waste {
                        amount: amount.filter(|_| per_hour.is_some()).zip(rate).map(|(own, rate)| own * rate),
                        per_month: per_hour
                            .zip(rate)
                            .map(|(own, rate)| own * rate * Decimal::from(MONTH_HOURS)),
                        hours: hours_between(stood.from, self.now).try_into().ok(),
                        since: Some(interval.from),
                        ..of("stopped-disk", "end")
                    });
                }
            }
        }
        found
    }
}
