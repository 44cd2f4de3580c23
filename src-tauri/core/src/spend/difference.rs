//! By how much a provider's bill differs from the desk's own figures, and why.

use rust_decimal::Decimal;

use crate::rental::{Billed, Meter, Rental};
use crate::words::words;

words! {
    /// Why a bill and the desk differ.
    DifferenceKind {
        /// Traffic, of which the desk knows only by the bill.
        Traffic = "traffic",
        /// The disk while stopped, at a rate that was not known or is billed otherwise.
        StoppedDisk = "stopped-disk",
        /// The disk while it runs.
        Disk = "disk",
        /// The rate changed while it ran.
        PriceChange = "price-change",
        /// Billing steps, and the moments a provider does not tell.
        Rounding = "rounding",
        /// Tax: a whole percentage on top of everything else.
        Tax = "tax",
        /// Nothing of these.
        Unexplained = "unexplained",
    }
}

/// One reason and what it comes to: what the provider billed more than the desk reckoned, negative where less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Why.
    pub kind: DifferenceKind,
    /// In the currency of the figures it stands beside.
    pub amount: Decimal,
}

/// A step where none is known, in seconds: providers that tell none bill by the minute at most.
const USUAL_STEP_S: u32 = 60;
/// Sales taxes that clouds put on a bill, in percent: Russia's 20 and 22, the EU's from 17 (Luxembourg) to 27 (Hungary).
const TAXES: std::ops::RangeInclusive<i64> = 17..=27;

/// Why a bill differs from what the meters of a rental come to. The reasons sum to the whole difference.
#[must_use]
pub fn differences(rental: &Rental, bill: &Billed) -> Vec<Difference> {
    let ended = rental.ended_at.unwrap_or(rental.state_since);
    let costs = rental.costs(ended);
    let ours = |kind| costs.parts.get(&kind).copied().unwrap_or_default();
    let mut found = Vec::new();
    let mut add = |kind, amount: Decimal| {
        if !amount.is_zero() {
            found.push(Difference { kind, amount });
        }
    };
    let traffic = bill.traffic.unwrap_or_default();
    add(DifferenceKind::Traffic, traffic);
    let mut rest = bill.total - costs.total - traffic;
    if let Some(tax) = tax(rental, rest, costs.total) {
        add(DifferenceKind::Tax, tax);
        return found;
    }
    if let Some(storage) = bill.storage {
        let disk = storage - ours(Meter::Storage) - ours(Meter::StorageStopped);
        let stood = rental.intervals.iter().any(|interval| interval.kind == Meter::StorageStopped);
        add(if stood { DifferenceKind::StoppedDisk } else { DifferenceKind::Disk }, disk);
        rest -= disk;
    }
    let kind = if rest.abs() <= rounding(rental) {
        DifferenceKind::Rounding
    } else if rates(rental) > 1 {
        DifferenceKind::PriceChange
    } else {
        DifferenceKind::Unexplained
    };
    add(kind, rest);
    found
}

/// The difference as a tax: a whole percentage of what the desk reckoned, for want of a smaller reason.
fn tax(rental: &Rental, rest: Decimal, ours: Decimal) -> Option<Decimal> {
    let percent = rest.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(ours)?;
    let whole = percent.round();
    // A bill of a few cents is within its own rounding of any percentage.
    let exact = (percent - whole).abs() <= Decimal::new(5, 2);
    let likely = TAXES.contains(&i64::try_from(whole).ok()?);
    (exact && likely && rest.abs() > rounding(rental)).then_some(rest)
}

/// How many rates its cards were billed at.
fn rates(rental: &Rental) -> usize {
    let mut rates: Vec<_> =
        rental.intervals.iter().filter(|i| i.kind == Meter::Compute).map(|i| i.per_hour).collect();
    rates.sort_unstable();
    rates.dedup();
    rates.len()
}

/// What steps and untold moments may come to: two steps at each edge of each stretch, and a cent.
fn rounding(rental: &Rental) -> Decimal {
    let step = rental.billing_step().0.unwrap_or(USUAL_STEP_S).max(1);
    let seconds: Decimal = rental
        .intervals
        .iter()
        .filter_map(|interval| interval.per_hour)
        .map(|rate| rate * Decimal::from(4 * step) / Decimal::from(3600))
        .sum();
    seconds + Decimal::new(1, 2)
}
