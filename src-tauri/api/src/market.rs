//! Requests and answers of the market view and of `gpudesk offers|gpus|compare|price`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::offer::{FxDto, OfferDto};
use crate::policy::{PolicyKept, PolicyVerdict};

/// A job: what a price is turned into a total for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct JobDto {
    /// Hours of machine time.
    pub hours: f64,
    /// Disk held for those hours, GB.
    pub disk_gb: f64,
    /// Traffic out, GB.
    pub egress_gb: f64,
}

/// What the table shows: the query line and everything that orders and prices it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarketView {
    /// The query line.
    pub line: String,
    /// `gpu-hour machine-hour vram tflops bandwidth total age`, or a column: `count vram-size ram vcpu place provider model bandwidth-size`.
    pub sort: String,
    /// Largest first.
    pub descending: bool,
    /// Turns prices into totals.
    pub job: Option<JobDto>,
    /// Display currency, ISO 4217.
    pub currency: String,
    /// Rows that do not say what a filter asks also match.
    pub include_unknown: bool,
    /// Quarantined rows are shown too, flagged.
    pub include_quarantine: bool,
}

/// A window of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarketPageRequest {
    /// What is shown.
    pub view: MarketView,
    /// First row of the window.
    pub offset: u32,
    /// Rows wanted, at most 500.
    pub limit: u32,
    /// Whether to count the facets.
    pub facets: bool,
}

/// The answer to [`MarketPageRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarketPage {
    /// Number of the board this was read from; grows with each refresh.
    pub board: u32,
    /// RFC 3339, when the answer was made.
    pub as_of: String,
    /// Display currency.
    pub currency: String,
    /// Rates used for conversion; null when none are known (prices then stay in their own currency).
    pub fx: Option<FxDto>,
    /// Rows that match.
    pub total: u32,
    /// Rows on the board.
    pub all: u32,
    /// Clouds among the matching rows.
    pub clouds: u32,
    /// Rows in quarantine.
    pub quarantined: u32,
    /// Time the engine took.
    pub took_ms: f64,
    /// The window.
    pub rows: Vec<OfferRow>,
    /// Facets with live counts, each counted under all other filters; empty unless asked.
    pub facets: Vec<Facet>,
    /// Largest VRAM and bandwidth among all matching rows, for the data bars.
    pub max_vram_total_gib: Option<f64>,
    /// See above, GB/s.
    pub max_bandwidth_gb_s: Option<f64>,
    /// What each residency policy would keep and hide under all other filters; empty unless facets are asked.
    pub policies: Vec<PolicyKept>,
}

/// A row of the table: the offer and what only a screen needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferRow {
    /// The offer.
    pub offer: OfferDto,
    /// Shown name of the card: `H100 SXM`, `H100`, or the raw name of an unknown card.
    pub gpu_title: String,
    /// The variant of the card is not said (a family name is shown).
    pub variant_unknown: bool,
    /// Shown name of the provider.
    pub provider_title: String,
    /// Shown name of the cloud, where it differs from the provider.
    pub cloud_title: Option<String>,
    /// Price of a card-hour in the display currency; null without a rate.
    pub per_gpu_hour: Option<String>,
    /// Price of a machine-hour in the display currency.
    pub per_hour: Option<String>,
    /// Lower and upper end of the job's total in the display currency.
    pub total_low: Option<String>,
    /// See above.
    pub total_high: Option<String>,
    /// Seconds since the source said so.
    pub age_s: f64,
    /// Change of the price over 30 days in percent; null without history that long.
    pub change_30d: Option<f64>,
}

/// One filter column with its values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Facet {
    /// `gpu vram form zone link cloud kind seller source supply policy`.
    pub key: String,
    /// Values, the most frequent first (chosen ones always among them).
    pub values: Vec<FacetValue>,
}

/// One value of a facet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FacetValue {
    /// What [`EditRequest`](crate::line::EditRequest) takes.
    pub value: String,
    /// Shown text where it is a name (card, cloud); the window translates fixed words itself.
    pub title: String,
    /// Rows that would match with this value.
    pub count: u32,
    /// Whether the query line asks for it.
    pub chosen: bool,
}

/// Rows grouped by card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GroupsPage {
    /// As in [`MarketPage`].
    pub board: u32,
    /// As in [`MarketPage`].
    pub as_of: String,
    /// Display currency.
    pub currency: String,
    /// Rates used.
    pub fx: Option<FxDto>,
    /// Matching rows.
    pub total: u32,
    /// All rows.
    pub all: u32,
    /// Time taken.
    pub took_ms: f64,
    /// One a card, in the order of the view's sort key: `offers clouds gpu-hour median spot vram-size bandwidth-size model`.
    pub groups: Vec<GpuGroup>,
    /// Facets, counted as in [`MarketPage`]; empty unless asked.
    pub facets: Vec<Facet>,
    /// As in [`MarketPage`].
    pub policies: Vec<PolicyKept>,
}

/// One card in the market.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GpuGroup {
    /// Shown name.
    pub gpu: String,
    /// The query word that selects just this group.
    pub word: String,
    /// Vendor.
    pub vendor: Option<String>,
    /// VRAM of a card, GiB.
    pub vram_gib: Option<f64>,
    /// Bandwidth, GB/s.
    pub bandwidth_gb_s: Option<f64>,
    /// Dense BF16 TFLOPS.
    pub bf16_tflops: Option<f64>,
    /// Link.
    pub link: Option<String>,
    /// Lowest price of a card-hour, display currency.
    pub from: Option<String>,
    /// Median price of a card-hour.
    pub median: Option<String>,
    /// Lowest spot price of a card-hour.
    pub spot_from: Option<String>,
    /// Offers.
    pub offers: u32,
    /// Offers known to be in stock.
    pub in_stock: u32,
    /// Clouds that have it.
    pub clouds: Vec<String>,
    /// Lowest price of each of the last days, oldest first; empty without history.
    pub days: Vec<DayPoint>,
}

/// One day of a card's market.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DayPoint {
    /// ISO date.
    pub day: String,
    /// Lowest price of a card-hour in USD.
    pub from: f64,
    /// Median price.
    pub median: f64,
}

/// One offer in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferDetailsRequest {
    /// Offer.
    pub id: String,
    /// Job, if totals are wanted.
    pub job: Option<JobDto>,
    /// Display currency.
    pub currency: String,
}

/// The answer to [`OfferDetailsRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferDetails {
    /// The row.
    pub row: OfferRow,
    /// Where the figures come from: `Vast, POST /bundles/`, `Azure price list of 2026-06-18`.
    pub origin: String,
    /// City, where known.
    pub city: Option<String>,
    /// Memory kind of the card (`HBM3`).
    pub memory_type: Option<String>,
    /// Architecture of the card.
    pub architecture: Option<String>,
    /// Board power, W.
    pub tdp_w: Option<f64>,
    /// Price changes, oldest first.
    pub history: Vec<PricePoint>,
    /// Why it is in quarantine, if it is.
    pub quarantine: Option<String>,
    /// The command that shows the same.
    pub command: String,
    /// The part's amounts in the display currency, same keys as `offer.total.parts`.
    pub parts: Option<PartsShown>,
    /// What each residency policy says of it.
    pub policies: Vec<PolicyVerdict>,
}

/// Parts of the job's total in the display currency; null where not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PartsShown {
    /// Machine hours.
    pub compute: Option<String>,
    /// Disk.
    pub storage: Option<String>,
    /// Traffic out.
    pub egress: Option<String>,
}

/// One price of an offer, from then on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PricePoint {
    /// RFC 3339.
    pub at: String,
    /// Whole offer per hour, its own currency.
    pub per_hour: String,
    /// Currency.
    pub currency: String,
}

/// Offers side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CompareRequest {
    /// Two to six ids.
    pub ids: Vec<String>,
    /// Job.
    pub job: Option<JobDto>,
    /// Display currency.
    pub currency: String,
}

/// The answer to [`CompareRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// As in [`MarketPage`].
    pub as_of: String,
    /// Display currency.
    pub currency: String,
    /// Rates used.
    pub fx: Option<FxDto>,
    /// One a column, in the order asked.
    pub columns: Vec<OfferRow>,
    /// Ids that are no longer offered.
    pub gone: Vec<String>,
    /// The lines of the comparison.
    pub lines: Vec<CompareLine>,
}

/// One line of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CompareLine {
    /// Which fact: `per_gpu_hour`, `vram_total_gib`, `country`, …
    pub key: String,
    /// Its value in each column as it would be shown without translation; null where not said.
    pub values: Vec<Option<String>>,
    /// Whether the columns differ.
    pub differs: bool,
    /// Columns that are best (several on a tie); empty where best has no meaning.
    pub best: Vec<u32>,
}

/// Rows to be copied as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyRequest {
    /// The view the rows stand in (currency, job).
    pub view: MarketView,
    /// These rows; empty = all that match, at most 5,000.
    pub ids: Vec<String>,
    /// `text`, `csv`, `json`, `command`.
    pub format: String,
}

/// Text for the clipboard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyText {
    /// The text.
    pub text: String,
    /// Rows in it.
    pub rows: u32,
}

/// The request of `gpudesk offers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferListRequest {
    /// What is listed.
    pub view: MarketView,
    /// The first so many; null = all.
    pub limit: Option<u32>,
}

/// The same list with what only people read: names, and amounts in the display currency.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferTable {
    /// Display currency.
    pub currency: String,
    /// Rates used; null when none are known.
    pub fx: Option<FxDto>,
    /// Rows that match.
    pub total: u32,
    /// Time taken.
    pub took_ms: f64,
    /// The rows.
    pub rows: Vec<OfferRow>,
}

/// The request of `gpudesk import skypilot`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportRequest {
    /// CSV files, or folders of them.
    pub paths: Vec<String>,
}

/// The whole list of `gpudesk offers --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferList {
    /// RFC 3339.
    pub as_of: String,
    /// Display currency.
    pub currency: String,
    /// Rates used; null when none are known.
    pub fx: Option<FxDto>,
    /// Rows that match (the list may be shorter by `--limit`).
    pub total: u32,
    /// Time taken.
    pub took_ms: f64,
    /// The offers.
    pub offers: Vec<OfferDto>,
}
