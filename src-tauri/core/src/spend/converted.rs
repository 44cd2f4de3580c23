//! What was spent, brought into one currency: each day at the rate of that day.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;

use super::Period;
use super::spent::{Spent, Traffic, spent, traffic};
use crate::money::{Currency, DayQuote, RateHistory};
use crate::rental::{Billed, Rental};

/// Brings amounts into one currency, by the rates of their days.
pub struct Exchange<'a> {
    to: Currency,
    rates: &'a RateHistory,
    /// Sheets are searched once a day and currency.
    known: BTreeMap<(Currency, NaiveDate), Option<DayQuote>>,
    /// By currency, the rate that stands for days of which none is at hand, and its day.
    later: BTreeMap<Currency, DayQuote>,
}

impl<'a> Exchange<'a> {
    /// Into this currency, by these rates.
    #[must_use]
    pub fn new(to: Currency, rates: &'a RateHistory) -> Self {
        Self { to, rates, known: BTreeMap::new(), later: BTreeMap::new() }
    }

    /// The rate of a day.
    pub fn rate(&mut self, from: Currency, day: NaiveDate) -> Option<Decimal> {
        let (to, rates) = (self.to, self.rates);
        let quote = *self.known.entry((from, day)).or_insert_with(|| rates.quote(day, from, to));
        let quote = quote?;
        if quote.is_later {
            self.later.entry(from).or_insert(quote);
        }
        Some(quote.quoted.rate)
    }

    /// By currency, the rate that stood for days older than every rate at hand.
    #[must_use]
    pub fn later(self) -> BTreeMap<Currency, DayQuote> {
        self.later
    }
}

/// What a rental cost within a period, in another currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// Its meters and its traffic, in the currency asked for.
    pub spent: Spent,
    /// What one unit of its own currency came to on average: for what is told of the whole, such as a bill.
    pub rate: Decimal,
}

/// What a rental cost within a period, as far as that is past at `now`, brought into the currency of `exchange`; the
/// outer `None` where the two do not meet, and what it is in its own currency where no rate is known.
#[must_use]
pub fn converted(
    rental: &Rental,
    period: Period,
    now: DateTime<Utc>,
    exchange: &mut Exchange<'_>,
) -> Option<Result<Converted, Spent>> {
    let whole = spent(rental, period, now)?;
    let own = rental.currency().unwrap_or(Currency::USD);
    if own == exchange.to {
        return Some(Ok(Converted { spent: whole, rate: Decimal::ONE }));
    }
    let mut sum = Spent { unknown: whole.unknown.clone(), ..Spent::default() };
    let (mut left, mut last) = (whole.clone(), None);
    for day in days(rental, period, now) {
        let Some(rate) = exchange.rate(own, day.from.date_naive()) else { return Some(Err(whole)) };
        last = Some(rate);
        let part = Period { from: day.from.max(period.from), to: day.to.min(period.to) };
        let Some(piece) = spent(rental, part, now) else { continue };
        for (sum, left, piece) in [
            (&mut sum.compute, &mut left.compute, piece.compute),
            (&mut sum.disk, &mut left.disk, piece.disk),
            (&mut sum.disk_stopped, &mut left.disk_stopped, piece.disk_stopped),
        ] {
            *sum += piece * rate;
            *left -= piece;
        }
    }
    let Some(last) = last else { return Some(Err(whole)) };
    // What a billing step adds after the last day, and traffic, which is told at the end.
    sum.compute += left.compute * last;
    sum.disk += left.disk * last;
    sum.disk_stopped += left.disk_stopped * last;
    let Traffic { low, high } = whole.traffic;
    sum.traffic = Traffic { low: low * last, high: high.map(|high| high * last) };
    let mean = sum.metered().checked_div(whole.metered()).unwrap_or(last);
    Some(Ok(Converted { spent: sum, rate: mean }))
}

/// The bill of a rental of which no meter ever ran, as of one that failed before it was seen up, in the period in which it
/// ended: beside the bill the desk knows of no costs but the traffic that it tells. The outer `None` for every other
/// rental, the inner one where no rate of the bill's currency is known.
pub(super) fn unmetered<'a>(
    rental: &'a Rental,
    period: Period,
    exchange: &mut Exchange<'_>,
) -> Option<(&'a Billed, Option<Converted>)> {
    let ended = rental.ended_at.filter(|ended| rental.intervals.is_empty() && period.holds(*ended))?;
    let (_, bill) = rental.billed.as_ref()?;
    let converted = exchange.rate(bill.currency, ended.date_naive()).map(|rate| {
        let Traffic { low, high } = traffic(rental, period);
        let traffic = Traffic { low: low * rate, high: high.map(|high| high * rate) };
        Converted { spent: Spent { traffic, ..Spent::default() }, rate }
    });
    Some((bill, converted))
}

/// The days of a period on which a rental had a meter, as far as they are past.
fn days(rental: &Rental, period: Period, now: DateTime<Utc>) -> impl Iterator<Item = Period> + use<> {
    let first = rental.intervals.iter().map(|interval| interval.from).min().unwrap_or(now);
    let runs = rental.intervals.iter().any(|interval| interval.to.is_none());
    let last = rental.intervals.iter().filter_map(|interval| interval.to).max().filter(|_| !runs);
    let to = period.to.min(now).min(last.map_or(period.to, |last| last + chrono::TimeDelta::nanoseconds(1)));
    Period { from: first.max(period.from).min(to), to }.days()
}
