//! What a thing of one's own costs by the month, and by the hour it could be used.

use std::fmt;
use std::str::FromStr;

use chrono::{Months, NaiveDate};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::money::Currency;
use crate::terms::USUAL_MONTH_HOURS;

/// What is left of a price, and when: `30%@18m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resale {
    /// Percent of the price, 0 to 100.
    pub percent: Decimal,
    /// After so many months.
    pub months: u32,
}

impl Resale {
    /// The team's cautious assumption where nobody says otherwise: 30 % left after 18 months.
    #[must_use]
    pub fn usual() -> Self {
        Self { percent: Decimal::from(30), months: 18 }
    }
}

/// A text that is no resale value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no resale value: write the percent that is left and the months, such as 30%@18m")]
pub struct NotAResale(pub String);

impl FromStr for Resale {
    type Err = NotAResale;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || NotAResale(text.to_owned());
        let (percent, months) = text.trim().split_once('@').ok_or_else(wrong)?;
        let percent: Decimal = percent.trim().trim_end_matches('%').trim().parse().map_err(|_| wrong())?;
        let months: u32 = months.trim().trim_end_matches(['m', 'M']).trim().parse().map_err(|_| wrong())?;
        let possible =
            percent >= Decimal::ZERO && percent <= Decimal::ONE_HUNDRED && (1..=600).contains(&months);
        if possible { Ok(Self { percent, months }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Resale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%@{}m", self.percent.normalize(), self.months)
    }
}

/// What owning costs by the month: the value that is lost, spread evenly over the months, and what running takes
/// (power, place, people), all in one currency.
#[must_use]
pub fn per_month(price: Decimal, resale: Resale, running: Decimal) -> Decimal {
    let lost = price * (Decimal::ONE - resale.percent / Decimal::ONE_HUNDRED);
    lost / Decimal::from(resale.months.max(1)) + running
}

/// What a server cost and costs. What nobody said is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCost {
    /// Of every amount here.
    pub currency: Currency,
    /// What it was bought for.
    pub price: Option<Decimal>,
    /// When.
    pub bought: Option<NaiveDate>,
    /// What is left of the price, and when; `None` = nobody said, and the usual is assumed.
    pub resale: Option<Resale>,
    /// Power, place and people by the month.
    pub running: Option<Decimal>,
}

/// Why a server's cost is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostUnknown {
    /// Nobody said what it was bought for.
    Price,
    /// Nobody said what running it takes.
    Running,
}

impl OwnCost {
    /// What it costs by the month on this day. Once the months of the resale value have passed since it was bought,
    /// its value is taken to stay there: only running it costs.
    ///
    /// # Errors
    /// [`CostUnknown`]: an unknown part is no 0.
    pub fn per_month(&self, today: NaiveDate) -> Result<Decimal, CostUnknown> {
        let price = self.price.ok_or(CostUnknown::Price)?;
        let running = self.running.ok_or(CostUnknown::Running)?;
        let resale = self.resale();
        let written_off = self
            .bought
            .and_then(|bought| bought.checked_add_months(Months::new(resale.months)))
            .is_some_and(|end| today >= end);
        Ok(if written_off { running } else { per_month(price, resale, running) })
    }

    /// What is taken to be left of the price, and when.
    #[must_use]
    pub fn resale(&self) -> Resale {
        self.resale.unwrap_or_else(Resale::usual)
    }

    /// What an hour of it costs on this day, used or not: the month's cost over the month's 730 hours.
    ///
    /// # Errors
    /// [`CostUnknown`].
    pub fn per_hour(&self, today: NaiveDate) -> Result<Decimal, CostUnknown> {
        Ok(self.per_month(today)? / Decimal::from(USUAL_MONTH_HOURS))
    }
}
