//! Requests and answers about spending: what was spent, what is wasted, what it will come to.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::offer::FxDto;

/// An amount that is not known to the cent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RangeDto {
    /// At least.
    pub low: String,
    /// At most; null = not bounded.
    pub high: Option<String>,
}

/// Which spending.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendRequest {
    /// `provider`, `project`, `owner`, `gpu`, `rental`.
    pub by: String,
    /// The first day, `YYYY-MM-DD`; null = the first of this month. Days are those of UTC.
    pub from: Option<String>,
    /// The last day; null = the last of the month of `from`.
    pub to: Option<String>,
    /// Display currency.
    pub currency: String,
}

/// One line of the table. Amounts are in the display currency, in cents; the lines sum to the total.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendRow {
    /// What it sums: a provider's word, a project, an owner, a card, a rental's name; empty = none was said.
    pub key: String,
    /// Shown name of it.
    pub title: String,
    /// Cards.
    pub compute: String,
    /// Disk while not stopped.
    pub disk: String,
    /// Disk while stopped.
    pub disk_stopped: String,
    /// Traffic out.
    pub traffic: RangeDto,
    /// All of it.
    pub total: RangeDto,
    /// Share of the measured time in which its machines did nothing; null = nothing was measured.
    pub idle_share: Option<f64>,
    /// What providers say they billed, for its rentals that lie wholly in the period, and for those of which nothing was
    /// metered and that ended in it; null = none told.
    pub billed: Option<String>,
    /// By how much that differs from the desk's own figures, by kind; empty = it does not, or nothing was billed.
    pub difference: Vec<SpendDifference>,
    /// How many rentals.
    pub rentals: u32,
    /// Whether a rate is not known somewhere, so that the figures are lower bounds.
    pub partial: bool,
}

/// A reason for a difference, and what it comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendDifference {
    /// `traffic`, `stopped-disk`, `disk`, `price-change`, `rounding`, `tax`, `unexplained`.
    pub kind: String,
    /// What the provider billed more; negative = less.
    pub amount: String,
}

/// Money that does nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WasteDto {
    /// `idle`, `stopped-disk`, `unmanaged`, `leftover`, `oversize`, `idle-capacity`.
    pub kind: String,
    /// Name of the machine, disk or address.
    pub name: String,
    /// Rental id; null where it is none of ours.
    pub rental: Option<String>,
    /// Account, for what is none of ours.
    pub account: Option<String>,
    /// The provider's id, for what is none of ours.
    pub remote_id: Option<String>,
    /// What it wasted in the period, in the display currency; null = not known.
    pub amount: Option<String>,
    /// What it goes on to cost a month if nothing is done; null = not known, "0" = nothing.
    pub per_month: Option<String>,
    /// Hours that were idle, or in which it stood; null = not known.
    pub hours: Option<f64>,
    /// Since when, RFC 3339; null = not known.
    pub since: Option<String>,
    /// The one thing to do: `stop`, `end`, `lease`, `unmanaged` (see, adopt or end), `review`, `smaller`, `book`.
    pub remedy: String,
}

/// The same work elsewhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SavingDto {
    /// `spot` or `elsewhere`.
    pub kind: String,
    /// The rental's name.
    pub name: String,
    /// Rental id.
    pub rental: String,
    /// The offer that would have done.
    pub offer: String,
    /// Shown: `8× H100 SXM · Verda FI`.
    pub title: String,
    /// How much less the period would have cost, in the display currency, at that offer's price now.
    pub amount: String,
    /// Hours that are compared.
    pub hours: f64,
    /// What the other offer risks and the rented machine did not: `taken-back`, `shared-host`, `private-host`,
    /// `other-country`, `not-in-stock`.
    pub risks: Vec<String>,
}

/// What one key cost on a day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DayAmount {
    /// A row's key.
    pub key: String,
    /// In the display currency, to a hundredth of a cent.
    pub amount: String,
}

/// A day of the chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendDay {
    /// `YYYY-MM-DD`, in UTC.
    pub date: String,
    /// What was spent, by key; only keys that cost something.
    pub spent: Vec<DayAmount>,
    /// What is to come on it if leases are kept, by key; empty for days that are past.
    pub to_come: Vec<DayAmount>,
}

/// An amount that could not be converted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MoneyDto {
    /// Of `amount`.
    pub currency: String,
    /// How much.
    pub amount: String,
}

/// A rate that stands for days before its own, for want of theirs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RateLater {
    /// Of which currency amounts were converted by it.
    pub currency: String,
    /// Whose rate.
    pub source: String,
    /// Its day.
    pub date: String,
}

/// Spending of a period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendPage {
    /// When it was reckoned, RFC 3339.
    pub as_of: String,
    /// Display currency.
    pub currency: String,
    /// The newest rates; null = none was needed or there is none. Each day that is past is converted by its own.
    pub fx: Option<FxDto>,
    /// Rates that stand for days which are older than every rate at hand.
    pub fx_later: Vec<RateLater>,
    /// First day.
    pub from: String,
    /// Last day.
    pub to: String,
    /// What rows sum.
    pub by: String,
    /// The lines, the dearest first.
    pub rows: Vec<SpendRow>,
    /// Their sum.
    pub total: RangeDto,
    /// What runs now costs an hour, ours and what is known not to be ours; null where a rate or an exchange rate is
    /// not known.
    pub burning_per_hour: Option<String>,
    /// Machines of ours that cost something now.
    pub burning: u32,
    /// Machines that are not ours and cost something now; null before the accounts were looked into.
    pub burning_unmanaged: Option<u32>,
    /// Accounts that could not be looked into: what burns there and is not ours is in no figure.
    pub blind: Vec<String>,
    /// What the whole period will have cost; null once it is past.
    pub forecast: Option<RangeDto>,
    /// The chart, day by day.
    pub days: Vec<SpendDay>,
    /// Money that does nothing, the dearest first.
    pub waste: Vec<WasteDto>,
    /// What `waste` comes to in the period, in the display currency.
    pub waste_total: String,
    /// The same work elsewhere, the largest saving first.
    pub savings: Vec<SavingDto>,
    /// What could not be brought into the display currency, and is in no other figure.
    pub unconverted: Vec<MoneyDto>,
}

/// A budget and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BudgetDto {
    /// Its name.
    pub name: String,
    /// `team`, `project`, `owner`.
    pub scope: String,
    /// Which project or owner; empty for the team's.
    pub of: String,
    /// `week`, `month`.
    pub period: String,
    /// How much.
    pub amount: String,
    /// Of `amount` and `spent`.
    pub currency: String,
    /// Percentages at which it is told.
    pub thresholds: Vec<u16>,
    /// `tell`, `block`, `end`.
    pub hard: String,
    /// First day of the period now.
    pub from: String,
    /// Last day of it.
    pub to: String,
    /// Spent so far; null where it cannot be brought into its currency.
    pub spent: Option<String>,
    /// Share of the amount, 1 = all of it.
    pub share: Option<f64>,
    /// What the period will have cost.
    pub forecast: Option<RangeDto>,
    /// The day on which it is used up at the present rate, `YYYY-MM-DD`; null = not in this period.
    pub used_up: Option<String>,
}

/// A budget, new or changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BudgetSetRequest {
    /// Its name: small letters, digits and `-`.
    pub name: String,
    /// `team`, `project`, `owner`.
    pub scope: String,
    /// Which project or owner; empty for the team's.
    pub of: String,
    /// `week`, `month`.
    pub period: String,
    /// How much, decimal.
    pub amount: String,
    /// Of the amount.
    pub currency: String,
    /// Percentages at which it is told; empty = 50, 80, 100.
    pub thresholds: Vec<u16>,
    /// `tell`, `block`, `end`.
    pub hard: String,
}

/// One budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BudgetRequest {
    /// Its name.
    pub name: String,
}

/// What a launch would do to budgets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BudgetEffectRequest {
    /// The offer's id.
    pub offer: String,
    /// For what; null = nothing.
    pub project: Option<String>,
    /// Disk in GB; null = the usual.
    pub disk_gb: Option<u32>,
    /// Hours of its lease; null = the desk's default.
    pub hours: Option<f64>,
}

/// What a launch would do to one budget, in the budget's currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BudgetEffect {
    /// The budget.
    pub name: String,
    /// How much it is.
    pub amount: String,
    /// Of all amounts here.
    pub currency: String,
    /// Spent and, by the leases of what runs, still to be spent in its period; null = cannot be brought into its currency.
    pub before: Option<String>,
    /// The same with the launch.
    pub after: Option<String>,
    /// Whether the launch would pass it.
    pub passes: bool,
    /// Whether the launch is refused for it.
    pub blocks: bool,
}

/// A month's report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendReportRequest {
    /// As for the page.
    pub spend: SpendRequest,
    /// `csv` or `html` (a page to print).
    pub form: String,
    /// Whether the desk opens it once it is written.
    pub open: bool,
}

/// Where a report was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SpendReport {
    /// The file.
    pub path: String,
}
