//! The total of a job as a range.

use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::Job;
use crate::money::{Currency, Rates};
use crate::offer::{Offer, PriceKind};
use crate::terms::{
    self, Terms, UNKNOWN_EGRESS_HIGH_USD_GB, UNKNOWN_STORAGE_HIGH_USD_GB_MONTH, USUAL_MONTH_HOURS,
};

/// The parts of a total, in the order of [`Parts`].
pub const PART_NAMES: [&str; 3] = ["compute", "storage", "egress"];

/// The coarsest billing step of any cloud we know; what an unknown one is at most.
const COARSEST_STEP_S: u32 = 3600;

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
    fn map<U>(self, change: impl Fn(T) -> U) -> Parts<U> {
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

/// Everything about an offer that a total depends on, except its price per hour.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceTerms<'a> {
    /// Who bills.
    pub provider: &'a str,
    /// Kind of price.
    pub kind: PriceKind,
    /// The currency of the figures here.
    pub currency: Currency,
    /// Term of a reserved price.
    pub term: Option<&'a str>,
    /// Billing step, seconds.
    pub increment_s: Option<u32>,
    /// Least billed time, seconds.
    pub minimum_s: Option<u32>,
    /// Disk, per GB and month.
    pub storage_gb_month: Option<Decimal>,
    /// Traffic out, per GB.
    pub egress_gb: Option<Decimal>,
    /// Disk inside the price, GB.
    pub included_gb: Option<f64>,
}

impl<'a> From<&'a Offer> for PriceTerms<'a> {
    fn from(offer: &'a Offer) -> Self {
        let price = &offer.price;
        Self {
            provider: &offer.provider,
            kind: price.kind,
            currency: price.currency,
            term: price.term.as_deref(),
            increment_s: price.increment_s,
            minimum_s: price.minimum_s,
            storage_gb_month: price.storage_gb_month,
            egress_gb: price.egress_gb,
            included_gb: offer.disk.included_gb,
        }
    }
}

/// A part apart from the price per hour: lower and upper end in the offer's currency.
#[derive(Debug, Clone, Copy)]
struct Part {
    low: Decimal,
    high: Decimal,
    mark: Mark,
}

impl Part {
    fn exact(amount: Decimal, mark: Mark) -> Self {
        Self { low: amount, high: amount, mark }
    }

    fn at_most(high: Decimal) -> Self {
        Self { low: Decimal::ZERO, high, mark: Mark::Unknown }
    }

    fn times(self, rate: Decimal) -> Option<Self> {
        Some(Self { low: self.low.checked_mul(rate)?, high: self.high.checked_mul(rate)?, mark: self.mark })
    }
}

impl Parts<Part> {
    fn amounts(self) -> Amounts {
        Amounts {
            low: self.list().iter().map(|part| part.low).sum(),
            high: self.list().iter().map(|part| part.high).sum(),
            parts: self.map(|part| (part.mark != Mark::Unknown).then_some(part.high)),
        }
    }
}

/// A job worked out for some [`PriceTerms`]: from here on a total is one multiplication away.
#[derive(Debug, Clone, Copy)]
pub struct Quote {
    /// Billed seconds.
    seconds: Part,
    storage: Part,
    egress: Part,
    to_usd: Decimal,
}

impl Quote {
    /// `None` where no total can be given: the currency has no rate, or a reserved price does not tell its term.
    #[must_use]
    pub fn new(terms: &PriceTerms<'_>, job: &Job, rates: &Rates) -> Option<Self> {
        let to_usd = rates.quote(terms.currency, Currency::USD)?.rate;
        let general = terms::terms(terms.provider);
        let seconds = billed(terms, general, job)?;
        let months = {
            let hours = general.and_then(|general| general.month_hours).unwrap_or(USUAL_MONTH_HOURS);
            seconds.high.checked_div(Decimal::from(hours) * Decimal::from(3600))?
        };
        let in_currency = |usd: Decimal| rates.convert(usd, Currency::USD, terms.currency);
        let by_general = |figure: fn(&Terms) -> Option<Decimal>| {
            let general = general?;
            let amount = figure(general)?;
            // Nothing is nothing in any currency.
            if amount.is_zero() {
                Some(amount)
            } else {
                rates.convert(amount, general.currency?, terms.currency)
            }
        };
        let part = |amount: Decimal, said: Option<Decimal>, general: Option<Decimal>, dearest: Decimal| {
            Some(match (said, general) {
                _ if amount.is_zero() => Part::exact(Decimal::ZERO, Mark::Said),
                (Some(each), _) => Part::exact(amount.checked_mul(each)?, Mark::Said),
                (None, Some(each)) => Part::exact(amount.checked_mul(each)?, Mark::Assumed),
                (None, None) => Part::at_most(amount.checked_mul(in_currency(dearest)?)?),
            })
        };
        let included = terms.included_gb.and_then(Decimal::from_f64).unwrap_or_default();
        let gb_months = (job.disk_gb - included).max(Decimal::ZERO).checked_mul(months)?;
        let storage = part(
            gb_months,
            terms.storage_gb_month,
            by_general(|general| general.storage_gb_month),
            UNKNOWN_STORAGE_HIGH_USD_GB_MONTH,
        )?;
        let egress = part(
            job.egress_gb,
            terms.egress_gb,
            by_general(|general| general.egress_gb),
            UNKNOWN_EGRESS_HIGH_USD_GB,
        )?;
        Some(Self { seconds, storage, egress, to_usd })
    }

    /// The total at a price per hour. `None` where the figures outgrow a decimal.
    #[must_use]
    pub fn cost(&self, per_hour: Decimal) -> Option<Cost> {
        let hour = Decimal::from(3600);
        let compute = Part {
            low: per_hour.checked_mul(self.seconds.low)? / hour,
            high: per_hour.checked_mul(self.seconds.high)? / hour,
            mark: self.seconds.mark,
        };
        let own = Parts { compute, storage: self.storage, egress: self.egress };
        let usd = [own.compute, own.storage, own.egress].map(|part| part.times(self.to_usd));
        let [Some(compute), Some(storage), Some(egress)] = usd else { return None };
        Some(Cost {
            hours: self.seconds.high / hour,
            usd: Parts { compute, storage, egress }.amounts(),
            own: own.amounts(),
            marks: own.map(|part| part.mark),
        })
    }

    /// The upper end in USD as `per_hour × .0 + .1`, for sorting many offers of the same terms.
    #[must_use]
    pub fn high_usd(&self) -> Option<(Decimal, Decimal)> {
        let hours = self.seconds.high / Decimal::from(3600);
        let rest = self.storage.high.checked_add(self.egress.high)?;
        Some((hours.checked_mul(self.to_usd)?, rest.checked_mul(self.to_usd)?))
    }
}

/// The total of a job at an offer; `None` where none can be given (see [`Quote::new`]).
#[must_use]
pub fn cost(offer: &Offer, job: &Job, rates: &Rates) -> Option<Cost> {
    Quote::new(&PriceTerms::from(offer), job, rates)?.cost(offer.price.per_hour)
}

/// Seconds that are billed. Whoever reserves pays for the whole term.
fn billed(terms: &PriceTerms<'_>, general: Option<&Terms>, job: &Job) -> Option<Part> {
    let wanted = job.hours.checked_mul(Decimal::from(3600))?;
    let step = terms.increment_s.or(general.and_then(|general| general.increment_s)).filter(|step| *step > 0);
    let mut minimum =
        Decimal::from(terms.minimum_s.or(general.and_then(|general| general.minimum_s)).unwrap_or_default());
    if terms.kind == PriceKind::Reserved {
        let month = general.and_then(|general| general.month_hours).unwrap_or(USUAL_MONTH_HOURS);
        minimum = minimum.max(term_seconds(terms.term?, month)?);
    }
    let rounded = |step: u32| {
        let step = Decimal::from(step);
        (wanted / step).ceil() * step
    };
    let low = step.map_or(wanted, rounded).max(minimum);
    let high = rounded(step.unwrap_or(COARSEST_STEP_S)).max(minimum);
    let mark = if low != high {
        Mark::Unknown
    } else if terms.kind == PriceKind::Bid || (high != wanted && terms.increment_s.is_none()) {
        Mark::Assumed
    } else {
        Mark::Said
    };
    Some(Part { low, high, mark })
}

/// `12 months`, `1 year`, `30 days` in seconds.
fn term_seconds(term: &str, month_hours: u32) -> Option<Decimal> {
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
