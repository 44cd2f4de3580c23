//! A tariff as plain numbers, for jobs of any length: to order a hundred thousand offers by before the exact sums are
//! made of the best few.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::quote::{COARSEST_STEP_S, Tariff, term_seconds};
use crate::money::{Currency, Rates};
use crate::offer::PriceKind;
use crate::terms::{
    self, Terms, UNKNOWN_EGRESS_HIGH_USD_GB, UNKNOWN_STORAGE_HIGH_USD_GB_MONTH, USUAL_MONTH_HOURS,
};

/// How a tariff bills, in USD.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    step_s: f64,
    minimum_s: f64,
    month_s: f64,
    /// USD for a unit of the tariff's currency.
    to_usd: f64,
    /// What a GB and month of disk cost where the offer does not say, USD.
    storage: f64,
    /// The same of a GB of traffic.
    egress: f64,
}

/// What an offer says of disk and traffic, in its own currency.
#[derive(Debug, Clone, Copy, Default)]
pub struct Besides {
    /// Disk, per GB and month.
    pub storage: Option<f64>,
    /// Traffic out, per GB.
    pub egress: Option<f64>,
    /// Disk inside the price, GB.
    pub included_gb: Option<f64>,
}

impl Rule {
    /// `None` where no total can be given, as in [`super::Frame::new`].
    #[must_use]
    pub fn new(tariff: &Tariff<'_>, rates: &Rates) -> Option<Self> {
        let to_usd = rates.quote(tariff.currency, Currency::USD)?.rate.to_f64()?;
        let general = terms::terms(tariff.provider);
        let step = tariff.increment_s.or(general.and_then(|general| general.increment_s));
        let month_hours = general.and_then(|general| general.month_hours).unwrap_or(USUAL_MONTH_HOURS);
        let minimum = tariff.minimum_s.or(general.and_then(|general| general.minimum_s)).unwrap_or_default();
        let mut minimum_s = f64::from(minimum);
        if tariff.kind == PriceKind::Reserved {
            minimum_s = minimum_s.max(term_seconds(tariff.term?, month_hours)?.to_f64()?);
        }
        let unsaid = |figure: fn(&Terms) -> Option<Decimal>, dearest: Decimal| {
            let known = general.and_then(|general| {
                let amount = figure(general)?;
                if amount.is_zero() {
                    Some(amount)
                } else {
                    rates.convert(amount, general.currency?, Currency::USD)
                }
            });
            known.unwrap_or(dearest).to_f64()
        };
        Some(Self {
            step_s: f64::from(step.filter(|step| *step > 0).unwrap_or(COARSEST_STEP_S)),
            minimum_s,
            month_s: f64::from(month_hours) * 3600.0,
            to_usd,
            storage: unsaid(|general| general.storage_gb_month, UNKNOWN_STORAGE_HIGH_USD_GB_MONTH)?,
            egress: unsaid(|general| general.egress_gb, UNKNOWN_EGRESS_HIGH_USD_GB)?,
        })
    }

    /// The upper end of the total in USD: so many hours at a price in the tariff's currency, so much disk and traffic.
    #[must_use]
    pub fn high(&self, hours: f64, per_hour: f64, disk_gb: f64, egress_gb: f64, said: &Besides) -> f64 {
        let seconds = ((hours * 3600.0 / self.step_s).ceil() * self.step_s).max(self.minimum_s);
        let disk_gb = (disk_gb - said.included_gb.unwrap_or_default()).max(0.0);
        let storage = said.storage.map_or(self.storage, |each| each * self.to_usd);
        let egress = said.egress.map_or(self.egress, |each| each * self.to_usd);
        per_hour * self.to_usd * seconds / 3600.0
            + disk_gb * storage * seconds / self.month_s
            + egress_gb * egress
    }

    /// An amount of the tariff's currency in USD.
    #[must_use]
    pub fn usd(&self, amount: f64) -> f64 {
        amount * self.to_usd
    }
}
