//! Requests and answers about the desk itself: sources and their health, quarantine, settings, watches, diagnostics.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::offer::{FxDto, OfferDto};

/// A source of offers and how it fares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SourceStatus {
    /// `vast`, `runpod`, `catalogue`, `rates`.
    pub name: String,
    /// Shown name.
    pub title: String,
    /// Its feeds: one for a live source, one a cloud for a catalogue.
    pub feeds: Vec<FeedStatus>,
    /// Whether it is being fetched now.
    pub busy: bool,
    /// Whether it tells nothing before there is an account, and there is none.
    pub needs_account: bool,
}

/// One feed and how it fares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FeedStatus {
    /// `vast`, `catalogue/aws`.
    pub name: String,
    /// Shown name of the provider.
    pub title: String,
    /// `ok`, `stale`, `failed` (old rows are kept), `never`.
    pub state: String,
    /// `live` or `catalogue`.
    pub source: String,
    /// Where the rows come from.
    pub origin: Option<String>,
    /// RFC 3339, when its source said the rows on the board.
    pub as_of: Option<String>,
    /// Seconds since.
    pub age_s: Option<f64>,
    /// RFC 3339, the last try.
    pub tried_at: Option<String>,
    /// RFC 3339, since when it fails.
    pub failing_since: Option<String>,
    /// Offers on the board.
    pub offers: u32,
    /// Rows read at the last success.
    pub rows_read: u32,
    /// Rows that are no GPU.
    pub rows_not_gpu: u32,
    /// Rows in quarantine.
    pub quarantined: u32,
    /// Seconds the last fetch took.
    pub seconds: Option<f64>,
    /// Price changes at the last success.
    pub price_changes: u32,
    /// What went wrong at the last try.
    pub error: Option<ApiError>,
}

/// Which sources to fetch now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RefreshRequest {
    /// Source names; empty = all.
    pub sources: Vec<String>,
}

/// What a refresh did, feed by feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RefreshReport {
    /// One a feed.
    pub feeds: Vec<FeedReport>,
}

/// What the refresh or import of one feed did. `rows_read = rows_used + rows_not_gpu + quarantined`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FeedReport {
    /// Feed.
    pub feed: String,
    /// Rows the source sent.
    pub rows_read: u32,
    /// Rows that became offers.
    pub rows_used: u32,
    /// Offers made of them (a row may give an on-demand and a spot offer).
    pub offers: u32,
    /// Rows that are no GPU.
    pub rows_not_gpu: u32,
    /// Rows in quarantine.
    pub quarantined: u32,
    /// Their reasons with counts, most frequent first.
    pub reasons: Vec<ReasonCount>,
    /// Offers that are new.
    pub added: u32,
    /// Offers that are gone.
    pub removed: u32,
    /// Offers whose price changed.
    pub price_changes: u32,
    /// Offer rows written to the database (0 when nothing changed).
    pub rows_written: u32,
    /// Whether the source said that nothing changed (ETag, version file).
    pub unchanged: bool,
    /// Time taken.
    pub seconds: f64,
    /// Remarks that cost no row.
    pub notes: Vec<String>,
    /// What went wrong; the old offers stay.
    pub error: Option<ApiError>,
}

/// A reason and how often.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ReasonCount {
    /// Fixed word.
    pub code: String,
    /// An example of the detail.
    pub example: String,
    /// Rows.
    pub count: u32,
}

/// A list of quarantined rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct QuarantineRequest {
    /// Only this feed.
    pub feed: Option<String>,
    /// First row.
    pub offset: u32,
    /// Rows wanted.
    pub limit: u32,
}

/// Quarantined rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct QuarantinePage {
    /// All of them.
    pub total: u32,
    /// The window.
    pub rows: Vec<QuarantinedRow>,
}

/// One quarantined row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct QuarantinedRow {
    /// Feed.
    pub feed: String,
    /// Fixed word of the reason.
    pub code: String,
    /// Its figures.
    pub detail: String,
    /// Where the row stood.
    pub origin: String,
    /// The offer as far as it could be read.
    pub offer: Option<OfferDto>,
}

/// What a person chose. Unknown fields of a later version are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// `system`, `dark`, `light`.
    pub theme: String,
    /// `system`, `en`, `ru`.
    pub language: String,
    /// Display currency.
    pub currency: String,
    /// The job last set; null = none.
    pub job: Option<crate::market::JobDto>,
    /// Row height: `normal` or `compact`.
    pub density: String,
    /// Whether the first-run doors were passed.
    pub welcomed: bool,
    /// Whether the sources are fetched by themselves.
    pub auto_refresh: bool,
    /// HTTP proxy, empty = the system's.
    pub proxy: String,
    /// PEM file of an extra certificate authority, empty = none.
    pub ca_file: String,
    /// Base address of the public catalogues, empty = their own.
    pub catalogue_url: String,
    /// What a lease is unless somebody says otherwise.
    pub lease: crate::guard::LeaseDefaults,
    /// Columns of the offers table, in order; empty = default.
    pub columns: Vec<ColumnChoice>,
    /// Ids in the compare tray.
    pub compare: Vec<String>,
    /// The last query line and view.
    pub last_view: Option<crate::market::MarketView>,
    /// What was last planned.
    pub last_plan: Option<crate::plan::PlanRequest>,
    /// What was last compared with buying.
    pub last_buy: Option<crate::buy::BuyRequest>,
    /// Whether the facets panel is folded.
    pub facets_folded: bool,
    /// Whether the details panel is folded.
    pub details_folded: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: "system".into(),
            language: "system".into(),
            currency: "USD".into(),
            job: None,
            density: "normal".into(),
            welcomed: false,
            auto_refresh: true,
            proxy: String::new(),
            ca_file: String::new(),
            catalogue_url: String::new(),
            lease: crate::guard::LeaseDefaults::default(),
            columns: Vec::new(),
            compare: Vec::new(),
            last_view: None,
            last_plan: None,
            last_buy: None,
            facets_folded: false,
            details_folded: false,
        }
    }
}

/// A column of the offers table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ColumnChoice {
    /// Which.
    pub key: String,
    /// Shown or not.
    pub shown: bool,
    /// Width in px; null = its own.
    pub width: Option<f64>,
}

/// The rates at hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RatesInfo {
    /// Sheets known, newest of each bank.
    pub sheets: Vec<FxDto>,
    /// Currencies that can be shown.
    pub currencies: Vec<String>,
}

/// A standing question: tell me when a match appears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Watch {
    /// Number.
    pub id: u32,
    /// The query line.
    pub line: String,
    /// RFC 3339.
    pub created_at: String,
    /// The best match when it last looked, by price of a card-hour in USD; null = nothing matched.
    pub best_usd: Option<String>,
    /// Offers that match now.
    pub matches: u32,
    /// RFC 3339, when it last told.
    pub told_at: Option<String>,
}

/// A new watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WatchAddRequest {
    /// The query line; a price or stock limit in it is the condition (`h100 x8 price<2 instock`).
    pub line: String,
}

/// Which watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WatchRemoveRequest {
    /// Number.
    pub id: u32,
}

/// What a person may send to somebody who helps. Holds no secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Diagnostics {
    /// Version of the app.
    pub version: String,
    /// Operating system and architecture.
    pub platform: String,
    /// Data folder.
    pub home: String,
    /// Database file and its size in bytes.
    pub database: String,
    /// Size in bytes.
    pub database_bytes: f64,
    /// Schema version.
    pub schema: u32,
    /// Offers on the board.
    pub offers: u32,
    /// Memory of the board in bytes.
    pub board_bytes: f64,
    /// The system's SSH client, or null where there is none.
    pub ssh: Option<String>,
    /// Environment variables that change where data or requests go (names only of those set).
    pub overrides: Vec<String>,
}

/// An error as it crosses the boundary: codes are acted on, texts are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ApiError {
    /// `query-invalid not-found network provider-refused rate-limited bad-answer database settings-invalid too-large timeout internal`.
    pub code: String,
    /// What was being done, to what.
    pub what: String,
    /// The other side's words, shortened, without secrets.
    pub detail: String,
    /// What to do next.
    pub hint: Option<String>,
    /// For `query-invalid`: the word and its neighbour.
    pub line: Option<Box<crate::line::LineError>>,
}

/// Something happened. Small: ids and names, never tables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// The board was swapped: everything read from it is stale.
    BoardChanged {
        /// Its number.
        board: u32,
    },
    /// A source began or ended a fetch.
    SourceChanged {
        /// Source name.
        source: String,
    },
    /// A watch found something.
    WatchHit {
        /// Watch number.
        id: u32,
        /// Its line.
        line: String,
        /// The offer.
        offer: String,
        /// Shown name: `8× H100 SXM · Verda`.
        title: String,
        /// Card-hour in USD.
        usd: String,
    },
    /// Settings were changed (by this or another window).
    SettingsChanged,
    /// A residency policy, or which holds for a project, was changed.
    PoliciesChanged,
    /// A budget was changed, or a threshold of one was reached.
    BudgetsChanged,
    /// A server of the team's own was added, removed, looked at, booked or let go.
    HostsChanged,
    /// Where notices go was changed.
    NoticesChanged,
    /// A rental, or a machine that is not ours, changed.
    RentalsChanged {
        /// Rental id; empty = any of them.
        rental: String,
    },
    /// An account was added, removed or asked.
    AccountsChanged,
    /// A port forward or a copy changed.
    ForwardsChanged,
    /// The desk moved to the practice market or back: everything is stale.
    PracticeChanged {
        /// On or off.
        on: bool,
    },
    /// Something that a person should be told even when looking elsewhere. Told once.
    Told {
        /// Rental id.
        rental: String,
        /// Its name.
        name: String,
        /// Fixed word: `ready`, `failed`, `lost`, `preempted`, `ended`, `not-confirmed`, `differs`, `price-rise`,
        /// `still-there`, `policy-broken`.
        what: String,
        /// In English, one line.
        text: String,
        /// Whether the system shows it, too.
        system: bool,
    },
    /// The app was asked to open something: a `gpudesk://` link.
    OpenLink {
        /// The link.
        link: String,
    },
}
