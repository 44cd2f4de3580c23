//! What is put in: each figure with what it may be instead, and one assignment of all of them.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::curve::{MOST_MONTHS, Resale};
use crate::words::words;

words! {
    /// A figure that the answer is made of.
    Input {
        /// Price of one card, in money.
        Price = "price",
        /// What running one card costs a month beside all else here, in money.
        Running = "running",
        /// Power of one card, W.
        Watts = "watts",
        /// How much of that power it draws on average, as a share.
        Draw = "draw",
        /// Power of the whole site for each unit that reaches the machines (power usage effectiveness).
        Pue = "pue",
        /// Price of a kWh, in money.
        Kwh = "kwh",
        /// Place, rack or hosting a month, for all cards, in money.
        Place = "place",
        /// People a month, for all cards, in money.
        People = "people",
        /// Cost of capital, as a share a year.
        Capital = "capital",
        /// The curve of what is left of the price.
        Resale = "resale",
        /// For how long it is kept, months.
        Term = "term",
        /// Rent of one card for an hour that it is compared with, in money.
        Rent = "rent",
    }
}

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Money for one card.
    MoneyPerCard,
    /// Money for one card and month.
    MoneyPerCardMonth,
    /// Money for all cards and a month.
    MoneyPerMonth,
    /// Money for one card and hour.
    MoneyPerCardHour,
    /// Money for a kWh.
    MoneyPerKwh,
    /// W.
    Watts,
    /// A share of one.
    Share,
    /// A share of one, a year.
    SharePerYear,
    /// A plain factor.
    Factor,
    /// Months.
    Months,
}

/// A figure that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given} is not within {least} to {most}")]
pub struct OutOfRange {
    /// Which.
    pub input: Input,
    /// What was given.
    pub given: Decimal,
    /// The least that can be.
    pub least: Decimal,
    /// The most.
    pub most: Decimal,
}

impl Input {
    /// What it is measured in.
    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::Price => Unit::MoneyPerCard,
            Self::Running => Unit::MoneyPerCardMonth,
            Self::Place | Self::People => Unit::MoneyPerMonth,
            Self::Rent => Unit::MoneyPerCardHour,
            Self::Kwh => Unit::MoneyPerKwh,
            Self::Watts => Unit::Watts,
            Self::Draw | Self::Resale => Unit::Share,
            Self::Capital => Unit::SharePerYear,
            Self::Pue => Unit::Factor,
            Self::Term => Unit::Months,
        }
    }

    /// What is possible at all, from the least to the most. Wide, so that every currency fits; within it nothing that
    /// is reckoned here overflows.
    #[must_use]
    pub fn bounds(self) -> (Decimal, Decimal) {
        let whole = |n: i64| Decimal::from(n);
        match self {
            Self::Price | Self::Running | Self::Place | Self::People => (Decimal::ZERO, whole(1_000_000_000)),
            Self::Rent | Self::Kwh | Self::Watts => (Decimal::ZERO, whole(1_000_000)),
            Self::Draw | Self::Resale | Self::Capital => (Decimal::ZERO, Decimal::ONE),
            Self::Pue => (Decimal::ONE, whole(5)),
            Self::Term => (Decimal::ONE, Decimal::from(MOST_MONTHS)),
        }
    }

    /// The figure, if it can be.
    ///
    /// # Errors
    /// When it is outside [`Input::bounds`].
    pub fn checked(self, given: Decimal) -> Result<Decimal, OutOfRange> {
        let (least, most) = self.bounds();
        if (least..=most).contains(&given) {
            Ok(given)
        } else {
            Err(OutOfRange { input: self, given, least, most })
        }
    }

    /// What a figure may be instead, where nobody said: an assumption of ours, named as such wherever it is shown.
    /// Prices of hardware and rents a tenth either way, costs of running it a fifth, the site's overhead a seventh, the
    /// cost of capital two points, and a card may draw down to three fifths of its power.
    #[must_use]
    pub fn usual(self, value: Decimal) -> Figure {
        let within = |low: Decimal, high: Decimal| {
            let (least, most) = self.bounds();
            Figure { value, low: low.clamp(least, value.max(least)), high: high.clamp(value.min(most), most) }
        };
        let part = |percent: i64| value * Decimal::new(percent, 2);
        match self {
            Self::Price | Self::Rent => within(value - part(10), value + part(10)),
            Self::Running | Self::Place | Self::People | Self::Kwh => {
                within(value - part(20), value + part(20))
            }
            Self::Pue => within(value - part(15), value + part(15)),
            Self::Draw => within(value.min(Decimal::new(6, 1)), value),
            Self::Capital if value.is_zero() => Figure::sure(value),
            Self::Capital => within(value - Decimal::new(2, 2), value + Decimal::new(2, 2)),
            Self::Watts | Self::Resale | Self::Term => Figure::sure(value),
        }
    }
}

/// A figure and what it may be instead: `low <= value <= high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// What is reckoned with.
    pub value: Decimal,
    /// The least it may be.
    pub low: Decimal,
    /// The most.
    pub high: Decimal,
}

impl Figure {
    /// One that is certain.
    #[must_use]
    pub fn sure(value: Decimal) -> Self {
        Self { value, low: value, high: value }
    }

    /// Whether it may be something else.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.low != self.high
    }
}

/// Which of the resale curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The least that may be left.
    Least,
    /// As stated.
    Stated,
    /// The most that may be left.
    Most,
}

/// Everything that is assumed about owning cards instead of renting them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    /// Cards; at least one.
    pub count: u32,
    /// The figures; one that is not here is no part of the cost. Of [`Input::Resale`] the curve stands below.
    pub figures: BTreeMap<Input, Figure>,
    /// What is left of the price.
    pub resale: Resale,
}

/// One assignment of all that is assumed.
#[derive(Debug, Clone, PartialEq)]
pub struct Case<'a> {
    /// Cards.
    pub count: u32,
    figures: BTreeMap<Input, Decimal>,
    resale: &'a Resale,
    side: Side,
}

impl Deal {
    /// Everything as it is assumed to be.
    #[must_use]
    pub fn stated(&self) -> Case<'_> {
        Case {
            count: self.count.max(1),
            figures: self.figures.iter().map(|(input, figure)| (*input, figure.value)).collect(),
            resale: &self.resale,
            side: Side::Stated,
        }
    }

    /// For how long it is kept, months.
    #[must_use]
    pub fn months(&self) -> u32 {
        self.stated().months()
    }
}

impl Case<'_> {
    /// A figure; nothing where it is no part of the cost.
    #[must_use]
    pub fn figure(&self, input: Input) -> Decimal {
        self.figures.get(&input).copied().unwrap_or_default()
    }

    /// For how long it is kept, months; at least one.
    #[must_use]
    pub fn months(&self) -> u32 {
        u32::try_from(self.figure(Input::Term)).unwrap_or(1).clamp(1, MOST_MONTHS)
    }

    /// The share of the price that a sale brings at this age.
    #[must_use]
    pub fn share(&self, months: u32) -> Decimal {
        match self.side {
            Side::Least => self.resale.least(months),
            Side::Stated => self.resale.stated.share(months),
            Side::Most => self.resale.most(months),
        }
    }

    /// The same with another figure.
    #[must_use]
    pub fn with(mut self, input: Input, value: Decimal) -> Self {
        self.figures.insert(input, value);
        self
    }

    /// The same with another resale curve.
    #[must_use]
    pub fn on(mut self, side: Side) -> Self {
        self.side = side;
        self
    }
}
