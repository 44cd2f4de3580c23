//! What many offers of one tariff have in common for a job.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

use super::Job;
use super::cost::{Cost, Mark, Part, Parts};
use crate::money::{Currency, Rates};
use crate::offer::{Offer, PriceKind};
use crate::terms::{
    self, Terms, UNKNOWN_EGRESS_HIGH_USD_GB, UNKNOWN_STORAGE_HIGH_USD_GB_MONTH, USUAL_MONTH_HOURS,
};

/// The coarsest billing step of any cloud we know; what an unknown one is at most.
pub(super) const COARSEST_STEP_S: u32 = 3600;

/// How time is billed, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff<'a> {
    /// Who bills.
    pub provider: &'a str,
    /// Kind of price.
    pub kind: PriceKind,
    /// The currency of all figures.
    pub currency: Currency,
    /// Term of a reserved price.
    pub term: Option<&'a str>,
    /// Billing step, seconds.
    pub increment_s: Option<u32>,
    /// Least billed time, seconds.
    pub minimum_s: Option<u32>,
}

/// What an offer says of disk and traffic.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Extras {
    /// Disk, per GB and month.
    pub storage_gb_month: Option<Decimal>,
    /// Traffic out, per GB.
    pub egress_gb: Option<Decimal>,
    /// Disk inside the price, GB.
    pub included_gb: Option<f64>,
}

impl<'a> From<&'a Offer> for Tariff<'a> {
    fn from(offer: &'a Offer) -> Self {
        let price = &offer.price;
        Self {
            provider: &offer.provider,
            kind: price.kind,
            currency: price.currency,
            term: price.term.as_deref(),
            increment_s: price.increment_s,
            minimum_s: price.minimum_s,
        }
    }
}

impl From<&Offer> for Extras {
    fn from(offer: &Offer) -> Self {
        Self {
            storage_gb_month: offer.price.storage_gb_month,
            egress_gb: offer.price.egress_gb,
            included_gb: offer.disk.included_gb,
        }
    }
}

/// What a unit costs where the offer does not say, in the tariff's currency.
#[derive(Debug, Clone, Copy)]
struct Unsaid {
    /// By the provider's general terms.
    general: Option<Decimal>,
    /// At the dearest cloud.
    dearest: Decimal,
}

impl Unsaid {
    /// So many units, at what the offer says for one.
    fn part(self, units: Decimal, said: Option<Decimal>) -> Option<Part> {
        Some(match (said, self.general) {
            _ if units.is_zero() => Part::exact(Decimal::ZERO, Mark::Said),
            (Some(each), _) => Part::exact(units.checked_mul(each)?, Mark::Said),
            (None, Some(each)) => Part::exact(units.checked_mul(each)?, Mark::Assumed),
            (None, None) => Part::at_most(units.checked_mul(self.dearest)?),
        })
    }

    fn high(self) -> Option<f64> {
        self.general.unwrap_or(self.dearest).to_f64()
    }
}

/// A job at a tariff: from here a total needs only an offer's own figures.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    job: Job,
    /// Billed seconds.
    seconds: Part,
    /// The same in months of the provider.
    months: Decimal,
    storage: Unsaid,
    egress: Unsaid,
    to_usd: Decimal,
}

/// The upper ends of a [`Frame`] as plain numbers, to order many offers by.
#[derive(Debug, Clone, Copy)]
pub struct HighEnd {
    /// USD a unit of price per hour adds to the total.
    pub per_hour: f64,
    disk_gb: f64,
    months_usd: f64,
    egress_usd: f64,
    storage: f64,
    egress: f64,
}

impl HighEnd {
    /// USD of disk and traffic, from what the offer says of them in its currency.
    #[must_use]
    pub fn rest(
        &self,
        storage_gb_month: Option<f64>,
        egress_gb: Option<f64>,
        included_gb: Option<f64>,
    ) -> f64 {
        let disk_gb = (self.disk_gb - included_gb.unwrap_or_default()).max(0.0);
        disk_gb * self.months_usd * storage_gb_month.unwrap_or(self.storage)
            + self.egress_usd * egress_gb.unwrap_or(self.egress)
    }
}

impl Frame {
    /// `None` where no total can be given: the currency has no rate, or a reserved price does not tell its term.
    #[must_use]
    pub fn new(tariff: &Tariff<'_>, job: &Job, rates: &Rates) -> Option<Self> {
        let to_usd = rates.quote(tariff.currency, Currency::USD)?.rate;
        let general = terms::terms(tariff.provider);
        let seconds = billed(tariff, general, job)?;
        let month_hours = general.and_then(|general| general.month_hours).unwrap_or(USUAL_MONTH_HOURS);
        let unsaid = |figure: fn(&Terms) -> Option<Decimal>, dearest: Decimal| {
            let general = general.and_then(|general| {
                let amount = figure(general)?;
                // Nothing is nothing in any currency.
                if amount.is_zero() {
                    Some(amount)
                } else {
                    rates.convert(amount, general.currency?, tariff.currency)
                }
            });
            Some(Unsaid { general, dearest: rates.convert(dearest, Currency::USD, tariff.currency)? })
        };
        Some(Self {
            job: *job,
            seconds,
            months: seconds.high.checked_div(Decimal::from(month_hours) * Decimal::from(3600))?,
            storage: unsaid(|general| general.storage_gb_month, UNKNOWN_STORAGE_HIGH_USD_GB_MONTH)?,
            egress: unsaid(|general| general.egress_gb, UNKNOWN_EGRESS_HIGH_USD_GB)?,
            to_usd,
        })
    }

    /// The total at a price per hour. `None` where the figures outgrow a decimal.
    #[must_use]
    pub fn cost(&self, extras: &Extras, per_hour: Decimal) -> Option<Cost> {
        let hour = Decimal::from(3600);
        let included = extras.included_gb.and_then(Decimal::from_f64).unwrap_or_default();
        let gb_months = (self.job.disk_gb - included).max(Decimal::ZERO).checked_mul(self.months)?;
        let compute = Part {
            low: per_hour.checked_mul(self.seconds.low)? / hour,
            high: per_hour.checked_mul(self.seconds.high)? / hour,
            mark: self.seconds.mark,
        };
        let storage = self.storage.part(gb_months, extras.storage_gb_month)?;
        let egress = self.egress.part(self.job.egress_gb, extras.egress_gb)?;
        let own = Parts { compute, storage, egress };
        let usd = own.map(|part| part.times(self.to_usd));
        Some(Cost {
            hours: self.seconds.high / hour,
            usd: Parts { compute: usd.compute?, storage: usd.storage?, egress: usd.egress? }.amounts(),
            own: own.amounts(),
            marks: own.map(|part| part.mark),
        })
    }

    /// The upper ends as plain numbers.
    #[must_use]
    pub fn high_end(&self) -> Option<HighEnd> {
        let to_usd = self.to_usd.to_f64()?;
        Some(HighEnd {
            per_hour: self.seconds.high.to_f64()? / 3600.0 * to_usd,
            disk_gb: self.job.disk_gb.to_f64()?,
            months_usd: self.months.to_f64()? * to_usd,
            egress_usd: self.job.egress_gb.to_f64()? * to_usd,
            storage: self.storage.high()?,
            egress: self.egress.high()?,
        })
    }
}

/// Seconds that are billed. Whoever reserves pays for the whole term.
fn billed(tariff: &Tariff<'_>, general: Option<&Terms>, job: &Job) -> Option<Part> {
    let wanted = job.hours.checked_mul(Decimal::from(3600))?;
    let step =
        tariff.increment_s.or(general.and_then(|general| general.increment_s)).filter(|step| *step > 0);
    let mut minimum =
        Decimal::from(tariff.minimum_s.or(general.and_then(|general| general.minimum_s)).unwrap_or_default());
    if tariff.kind == PriceKind::Reserved {
        let month = general.and_then(|general| general.month_hours).unwrap_or(USUAL_MONTH_HOURS);
        minimum = minimum.max(term_seconds(tariff.term?, month)?);
    }
    let rounded = |step: u32| {
        let step = Decimal::from(step);
        (wanted / step).ceil() * step
    };
    let low = step.map_or(wanted, rounded).max(minimum);
    let high = rounded(step.unwrap_or(COARSEST_STEP_S)).max(minimum);
    let mark = if low != high {
        Mark::Unknown
    } else if tariff.kind == PriceKind::Bid || (high != wanted && tariff.increment_s.is_none()) {
        Mark::Assumed
    } else {
        Mark::Said
    };
    Some(Part { low, high, mark })
}

/// `12 months`, `1 year`, `30 days` in seconds.
pub(super) fn term_seconds(term: &str, month_hours: u32) -> Option<Decimal> {
    let term = term.trim();
    let end = term.find(|c: char| !c.is_ascii_digit())?;
    let number: u32 = term[..end].parse().ok().filter(|number| *number > 0)?;
    let unit = term[end..].trim_start_matches([' ', '-']).to_lowercase();
    let hours = match unit.trim_end_matches('s') {
        "year" | "y" => 12 * month_hours,
        "month" | "mo" | "m" => month_hours,
        "week" | "w" => 168,
        "day" | "d" => 24,
        "hour" | "h" => 1,
        _ => return None,
    };
    Decimal::from(number).checked_mul(Decimal::from(hours))?.checked_mul(Decimal::from(3600))
}
