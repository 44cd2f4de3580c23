//! Requests and answers about buying instead of renting.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::offer::FxDto;

/// A figure that somebody gives, as typed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyGiven {
    /// `price`, `running`, `watts`, `draw`, `pue`, `kwh`, `place`, `people`, `capital`, `resale`, `term`, `rent`,
    /// `reserved`, `spot`, `utilisation`.
    pub name: String,
    /// `30000`, `30%@18m` (resale), `18m` (term), `8%` (capital, draw, utilisation). What it may be instead may follow
    /// a colon: `30000:27000..33000`.
    pub value: String,
}

/// What is compared. What is not given comes from tables and from the board, or is missing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct BuyRequest {
    /// Model of the GPU table; null = none is named.
    pub gpu: Option<String>,
    /// Cards.
    pub count: u32,
    /// Where the power is bought: a country, a part of one such as `US-TX`, or `EU`; null = power is not reckoned apart.
    pub country: Option<String>,
    /// An offer whose price is the rent that is compared with; null = the market's.
    pub offer: Option<String>,
    /// Display currency, and that of all money given.
    pub currency: String,
    /// The figures that are given.
    pub given: Vec<BuyGiven>,
}

/// A figure that the answer is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyInput {
    /// As in [`BuyGiven`].
    pub name: String,
    /// What is reckoned with; null = not known. A share of one where `unit` is a share.
    pub value: Option<String>,
    /// `money/card`, `money/card/month`, `money/month`, `money/card/hour`, `money/kWh`, `W`, `share`, `share/year`,
    /// `factor`, `months`.
    pub unit: String,
    /// The least it may be; null = it is taken as certain.
    pub low: Option<String>,
    /// The most.
    pub high: Option<String>,
    /// Where the value is from: `given`, `table`, `board`, `offer`, `assumed`, `missing`.
    pub origin: String,
    /// The same in words, with its date.
    pub source: String,
    /// Whether `low` and `high` are the desk's usual ones, not given.
    pub usual_range: bool,
}

/// The break-even over all that is assumed. Null where there is none within a month, or within the term.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyBand {
    /// Share of the month, where everything speaks for owning.
    pub low: Option<f64>,
    /// The same where everything speaks against it.
    pub high: Option<f64>,
    /// Hours a month.
    pub low_hours: Option<f64>,
    /// Hours a month.
    pub high_hours: Option<f64>,
    /// Months of use at the given utilisation.
    pub low_months: Option<u32>,
    /// Months of use at the given utilisation.
    pub high_months: Option<u32>,
}

/// Costs of an hour that is used, at a share of all hours; null where nothing is used, or a price is not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyPoint {
    /// Share of all hours.
    pub utilisation: f64,
    /// Owning.
    pub owned_per_hour: Option<String>,
    /// Renting by the hour.
    pub rent_per_hour: Option<String>,
    /// Renting for a term: paid for all hours.
    pub reserved_per_hour: Option<String>,
    /// Renting by the hour what may be taken away.
    pub spot_per_hour: Option<String>,
}

/// A part of a month of owning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyPart {
    /// `depreciation`, `capital`, `power`, `place`, `people`, `running`.
    pub name: String,
    /// Of all cards.
    pub amount: String,
}

/// What one figure alone does to the break-even.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuySwing {
    /// Which figure.
    pub name: String,
    /// Its least; of the resale the share left at the end of the term.
    pub low: String,
    /// Its most.
    pub high: String,
    /// Hours of rent a month that owning costs at its least, also where a month has not so many.
    pub low_hours: Option<f64>,
    /// The same at its most.
    pub high_hours: Option<f64>,
}

/// Another way to rent, and where owning meets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyAgainst {
    /// `on-demand`, `reserved`, `spot`.
    pub kind: String,
    /// Price of a card-hour.
    pub per_hour: String,
    /// Hours a month from which on owning is cheaper; null = never. Of `reserved`, which is paid for whole months, 0 =
    /// always.
    pub hours: Option<f64>,
}

/// Renting against owning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyAnswer {
    /// When it was reckoned, RFC 3339.
    pub as_of: String,
    /// Of all money.
    pub currency: String,
    /// By which rates; null = none was needed or there is none.
    pub fx: Option<FxDto>,
    /// The model.
    pub gpu: Option<String>,
    /// Cards.
    pub count: u32,
    /// What a month of owning all cards costs; null = something is missing.
    pub monthly_cost_owned: Option<String>,
    /// Hours of use a month, of each card, from which on owning is cheaper; null = see `reason`.
    pub break_even_hours_per_month: Option<f64>,
    /// The same as a share of the month.
    pub break_even_utilisation: Option<f64>,
    /// Hours of rent that a month of owning costs, also where a month has not so many.
    pub needed_hours: Option<f64>,
    /// Why there is no break-even, in words.
    pub reason: Option<String>,
    /// The same as a word: `beyond-a-month`, `rent-is-nothing`, `missing`.
    pub reason_code: Option<String>,
    /// Hours of a month.
    pub month_hours: u32,
    /// Over all that is assumed; null = something is missing.
    pub band: Option<BuyBand>,
    /// Share of all hours that is used; null = it was not said.
    pub utilisation: Option<f64>,
    /// Months of use at it until owning, with a sale then, has cost no more than renting; null = not within the term,
    /// or no utilisation was said.
    pub break_even_months: Option<u32>,
    /// What is left of the price at the end of the term.
    pub resale_share: Option<f64>,
    /// What a month is made of.
    pub parts: Vec<BuyPart>,
    /// Everything that was put in, with where it is from.
    pub inputs: Vec<BuyInput>,
    /// Names of what has to be said before anything can be reckoned.
    pub missing: Vec<String>,
    /// Costs of an hour that is used.
    pub curve: Vec<BuyPoint>,
    /// What moves the answer, the most first.
    pub sensitivity: Vec<BuySwing>,
    /// Ways to rent.
    pub against: Vec<BuyAgainst>,
}

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyModel {
    /// Its name.
    pub name: String,
    /// Whether a public source states what it costs to buy.
    pub priced: bool,
}

/// A price of power that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyPlace {
    /// Its code.
    pub place: String,
    /// English name.
    pub name_en: String,
    /// Russian name.
    pub name_ru: String,
    /// Price of a kWh.
    pub per_kwh: String,
    /// Its currency.
    pub currency: String,
    /// Year or month that it is of.
    pub dated: String,
}

/// What there is to choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyChoices {
    /// Models of the GPU table, those with a known price first.
    pub models: Vec<BuyModel>,
    /// Prices of power.
    pub places: Vec<BuyPlace>,
}

/// A report on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BuyReportRequest {
    /// As for the comparison.
    pub buy: BuyRequest,
    /// `csv` or `html` (a page to print).
    pub form: String,
    /// Language of the page: `en`, `ru`.
    pub language: String,
    /// Whether the desk opens it once it is written.
    pub open: bool,
}
