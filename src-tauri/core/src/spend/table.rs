//! Spending summed by a key, in one currency.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::converted::{Converted, Exchange, converted, unmetered};
use super::spent::Spent;
use super::{Period, differences, shared};
use crate::money::{Currency, DayQuote, RateHistory};
use crate::rental::{Billed, Rental};
use crate::words::words;

words! {
    /// What spending is summed by.
    By {
        /// Whose account.
        Provider = "provider",
        /// For what.
        Project = "project",
        /// By whom.
        Owner = "owner",
        /// On which card.
        Gpu = "gpu",
        /// Each rental alone.
        Rental = "rental",
    }
}

/// The key of a rental: empty where it has none (no project, no owner, a card nobody named).
#[must_use]
pub fn key_of(rental: &Rental, by: By) -> String {
    let record = &rental.record;
    match by {
        By::Provider => record.provider.clone(),
        By::Project => record.project.clone().unwrap_or_default(),
        By::Owner => record.owner.clone().unwrap_or_default(),
        By::Gpu => record
            .offer
            .as_ref()
            .map(|offer| offer.gpu.model.clone().unwrap_or_else(|| offer.gpu.raw_name.clone()))
            .unwrap_or_default(),
        By::Rental => record.name.clone(),
    }
}

/// Sums of several rentals, exact.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Cards.
    pub compute: Decimal,
    /// Disk while not stopped.
    pub disk: Decimal,
    /// Disk while stopped.
    pub disk_stopped: Decimal,
    /// Traffic out, at least.
    pub traffic_low: Decimal,
    /// Traffic out, at most; `None` = not bounded.
    pub traffic_high: Option<Decimal>,
    /// Whether a rate was not known somewhere, so that the sums are lower bounds.
    pub is_partial: bool,
}

impl Tally {
    fn new() -> Self {
        Self { traffic_high: Some(Decimal::ZERO), ..Self::default() }
    }

    fn add(&mut self, spent: &Spent) {
        self.compute += spent.compute;
        self.disk += spent.disk;
        self.disk_stopped += spent.disk_stopped;
        self.traffic_low += spent.traffic.low;
        self.traffic_high = self.traffic_high.zip(spent.traffic.high).map(|(sum, high)| sum + high);
        self.is_partial |= !spent.unknown.is_empty();
    }

    /// All of it, at least.
    #[must_use]
    pub fn low(&self) -> Decimal {
        self.compute + self.disk + self.disk_stopped + self.traffic_low
    }

    /// All of it, at most; `None` = not bounded.
    #[must_use]
    pub fn high(&self) -> Option<Decimal> {
        let metered = self.compute + self.disk + self.disk_stopped;
        self.traffic_high.filter(|_| !self.is_partial).map(|traffic| metered + traffic)
    }
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it sums: see [`key_of`]. Rentals of one name and different ids stand in one line.
    pub key: String,
    /// The sums, in cents: the lines sum to the total, and the parts to the line.
    pub tally: Tally,
    /// What providers say they billed, for the rentals that lie wholly in the period and were billed, and for those of
    /// which nothing was metered and that ended in it; `None` = none was.
    pub billed: Option<Decimal>,
    /// By how much that differs from the desk's own figures for the same rentals, by kind.
    pub differences: Vec<super::Difference>,
    /// How many rentals.
    pub rentals: usize,
}

/// Spending of a period by a key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Its lines, the dearest first.
    pub rows: Vec<Row>,
    /// The sum of the lines.
    pub total: Tally,
    /// What could not be brought into the currency, for want of a rate: by its own currency, without traffic. Where
    /// nothing was metered, it is what was billed.
    pub unconverted: BTreeMap<Currency, Decimal>,
    /// By currency, the rate that stands for days which are older than every rate at hand.
    pub later: BTreeMap<Currency, DayQuote>,
}

/// Digits of a cent.
const CENTS: u32 = 2;

/// Sums what rentals cost within a period, as far as it is past; each day at its own rate.
#[must_use]
pub fn table<'a>(
    rentals: impl IntoIterator<Item = &'a Rental>,
    period: Period,
    by: By,
    (currency, rates): (Currency, &RateHistory),
    now: DateTime<Utc>,
) -> Table {
    let mut groups: BTreeMap<String, Row> = BTreeMap::new();
    let mut unconverted: BTreeMap<Currency, Decimal> = BTreeMap::new();
    let mut exchange = Exchange::new(currency, rates);
    for rental in rentals {
        let own = rental.currency().unwrap_or(Currency::USD);
        let (Converted { spent, rate }, own, bill) = match converted(rental, period, now, &mut exchange) {
            Some(Ok(converted)) => (converted, own, bill_within(rental, period)),
            Some(Err(spent)) => {
                *unconverted.entry(own).or_default() += spent.metered();
                continue;
            }
            // What no meter of the desk counted and was billed all the same.
            None => {
                let Some((bill, nothing)) = unmetered(rental, period, &mut exchange) else { continue };
                let Some(nothing) = nothing else {
                    *unconverted.entry(bill.currency).or_default() += bill.total;
                    continue;
                };
                (nothing, bill.currency, Some(bill))
            }
        };
        let key = key_of(rental, by);
        let row = groups.entry(key.clone()).or_insert_with(|| Row {
            key,
            tally: Tally::new(),
            billed: None,
            differences: Vec::new(),
            rentals: 0,
        });
        row.rentals += 1;
        row.tally.add(&spent);
        // A bill in another currency than the offer's is compared at the rate of the last day.
        let bill = bill.and_then(|bill| match bill.currency == own {
            true => Some(bill.clone()),
            false => {
                let theirs = exchange.rate(bill.currency, rental.ended_at?.date_naive())?;
                Some(bill.at(theirs.checked_div(rate)?, own))
            }
        });
        if let Some(bill) = bill {
            *row.billed.get_or_insert_default() += bill.total * rate;
            for found in differences(rental, &bill) {
                let amount = found.amount * rate;
                match row.differences.iter_mut().find(|known| known.kind == found.kind) {
                    Some(known) => known.amount += amount,
                    None => row.differences.push(super::Difference { amount, ..found }),
                }
            }
        }
    }
    let mut rows: Vec<Row> = groups.into_values().collect();
    rows.sort_by(|a, b| b.tally.low().cmp(&a.tally.low()).then_with(|| a.key.cmp(&b.key)));
    round(&mut rows);
    let total = rows.iter().fold(Tally::new(), |sum, row| sum.and(&row.tally));
    Table { rows, total, unconverted, later: exchange.later() }
}

/// What a rental was billed, where all of it lies in the period.
fn bill_within(rental: &Rental, period: Period) -> Option<&Billed> {
    let whole =
        rental.record.created_at >= period.from && rental.ended_at.is_some_and(|ended| ended < period.to);
    rental.billed.as_ref().filter(|_| whole).map(|(_, bill)| bill)
}

impl Tally {
    fn and(mut self, other: &Self) -> Self {
        self.compute += other.compute;
        self.disk += other.disk;
        self.disk_stopped += other.disk_stopped;
        self.traffic_low += other.traffic_low;
        self.traffic_high = self.traffic_high.zip(other.traffic_high).map(|(a, b)| a + b);
        self.is_partial |= other.is_partial;
        self
    }
}

/// Lines in cents that sum to the cents of their sum, each of parts that sum to it.
fn round(rows: &mut [Row]) {
    let exact: Vec<Decimal> = rows.iter().map(|row| row.tally.low()).collect();
    for (row, low) in rows.iter_mut().zip(shared(&exact, CENTS)) {
        let tally = &mut row.tally;
        // What rounding took from the line is taken from its largest part.
        let mut parts = [tally.compute, tally.disk, tally.disk_stopped, tally.traffic_low];
        let off = low - parts.iter().sum::<Decimal>();
        if let Some(largest) = parts.iter_mut().max() {
            *largest += off;
        }
        let spare = tally.traffic_high.map(|high| (high - tally.traffic_low).round_dp(CENTS));
        let [compute, disk, disk_stopped, traffic] =
            <[Decimal; 4]>::try_from(shared(&parts, CENTS)).unwrap_or_default();
        (tally.compute, tally.disk, tally.disk_stopped, tally.traffic_low) =
            (compute, disk, disk_stopped, traffic);
        tally.traffic_high = spare.map(|spare| traffic + spare);
        row.billed = row.billed.map(|billed| billed.round_dp(CENTS));
        for difference in &mut row.differences {
            difference.amount = difference.amount.round_dp(CENTS);
        }
        row.differences.retain(|difference| !difference.amount.is_zero());
    }
}
