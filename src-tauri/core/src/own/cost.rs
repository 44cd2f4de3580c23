//! What a thing of one's own costs by the month, and by the hour it could be used.

use chrono::{Months, NaiveDate};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::buy::{Curve, lost_per_month};
use crate::money::Currency;
use crate::terms::USUAL_MONTH_HOURS;

/// What a server cost and costs. What nobody said is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnCost {
    /// Of every amount here.
    pub currency: Currency,
    /// What it was bought for.
    pub price: Option<Decimal>,
    /// When.
    pub bought: Option<NaiveDate>,
    /// What is left of the price, and when; `None` = nobody said, and the desk's cautious curve is assumed.
    pub resale: Option<Curve>,
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
    /// What it costs by the month on this day, reckoned as for a purchase that is sold at the last stated age. Once it
    /// is older, the loss has been paid for and nobody said what it goes on losing: only running it costs.
    ///
    /// # Errors
    /// [`CostUnknown`]: an unknown part is no 0.
    pub fn per_month(&self, today: NaiveDate) -> Result<Decimal, CostUnknown> {
        let price = self.price.ok_or(CostUnknown::Price)?;
        let running = self.running.ok_or(CostUnknown::Running)?;
        let resale = self.resale();
        let term = resale.stated_months();
        let written_off = self
            .bought
            .and_then(|bought| bought.checked_add_months(Months::new(term)))
            .is_some_and(|end| today >= end);
        Ok(if written_off { running } else { lost_per_month(price, resale.share(term), term) + running })
    }

    /// What is taken to be left of the price, by its age.
    #[must_use]
    pub fn resale(&self) -> Curve {
        self.resale.clone().unwrap_or_else(Curve::hard)
    }

    /// What an hour of it costs on this day, used or not: the month's cost over the month's 730 hours.
    ///
    /// # Errors
    /// [`CostUnknown`].
    pub fn per_hour(&self, today: NaiveDate) -> Result<Decimal, CostUnknown> {
        Ok(self.per_month(today)? / Decimal::from(USUAL_MONTH_HOURS))
    }
}
