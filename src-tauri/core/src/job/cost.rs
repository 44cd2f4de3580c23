//! The total of a job as a range.

use rust_decimal::Decimal;

use super::Job;
use super::quote::{Extras, Frame, Tariff};
use crate::money::Rates;
use crate::offer::Offer;

/// The parts of a total, in the order of [`Parts`].
pub const PART_NAMES: [&str; 3] = ["compute", "storage", "egress"];

/// How a part of a total is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// By the offer.
    Said,
    /// From what the provider says of all its offers, or from a floor.
    Assumed,
    /// Not at all: it widens the total.
    Unknown,
}

impl Mark {
    /// The word for JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Assumed => "assumed",
            Self::Unknown => "unknown",
        }
    }
}

/// One value for each part of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Parts<T> {
    /// Machine hours, with rounding and minimum.
    pub compute: T,
    /// Disk for those hours.
    pub storage: T,
    /// Traffic out.
    pub egress: T,
}

impl<T: Copy> Parts<T> {
    pub(super) fn map<U>(self, change: impl Fn(T) -> U) -> Parts<U> {
        Parts { compute: change(self.compute), storage: change(self.storage), egress: change(self.egress) }
    }

    /// The three in the order of [`PART_NAMES`].
    #[must_use]
    pub fn list(self) -> [T; 3] {
        [self.compute, self.storage, self.egress]
    }
}

/// A total in one currency. With nothing unknown, `low`, `high` and the sum of the parts are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amounts {
    /// Lower end: unknown parts cost nothing.
    pub low: Decimal,
    /// Upper end, by which totals are compared: unknown parts cost what the dearest cloud asks.
    pub high: Decimal,
    /// Each part; `None` where it is not known.
    pub parts: Parts<Option<Decimal>>,
}

/// What a job costs at an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Machine hours that are billed, with rounding and minimum (the upper end where the step is unknown).
    pub hours: Decimal,
    /// In USD.
    pub usd: Amounts,
    /// In the currency of the offer.
    pub own: Amounts,
    /// How each part is known.
    pub marks: Parts<Mark>,
}

impl Cost {
    /// Names of the parts that are not known.
    #[must_use]
    pub fn unknown(&self) -> Vec<&'static str> {
        let parts = PART_NAMES.into_iter().zip(self.marks.list());
        parts.filter(|(_, mark)| *mark == Mark::Unknown).map(|(name, _)| name).collect()
    }
}

/// A part apart from the price per hour: lower and upper end in the offer's currency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub low: Decimal,
    pub high: Decimal,
    pub mark: Mark,
}

impl Part {
    pub(super) fn exact(amount: Decimal, mark: Mark) -> Self {
        Self { low: amount, high: amount, mark }
    }

    pub(super) fn at_most(high: Decimal) -> Self {
        Self { low: Decimal::ZERO, high, mark: Mark::Unknown }
    }

    pub(super) fn times(self, rate: Decimal) -> Option<Self> {
        Some(Self { low: self.low.checked_mul(rate)?, high: self.high.checked_mul(rate)?, mark: self.mark })
    }
}

impl Parts<Part> {
    pub(super) fn amounts(self) -> Amounts {
        Amounts {
            low: self.list().iter().map(|part| part.low).sum(),
            high: self.list().iter().map(|part| part.high).sum(),
            parts: self.map(|part| (part.mark != Mark::Unknown).then_some(part.high)),
        }
    }
}

/// The total of a job at an offer; `None` where none can be given: the currency has no rate, a reserved price does not
/// tell its term, or the figures outgrow a decimal.
#[must_use]
pub fn cost(offer: &Offer, job: &Job, rates: &Rates) -> Option<Cost> {
    Frame::new(&Tariff::from(offer), job, rates)?.cost(&Extras::from(offer), offer.price.per_hour)
}
