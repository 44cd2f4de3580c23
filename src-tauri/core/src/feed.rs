//! A feed: one list of offers that is fetched, replaced and judged as a whole.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::offer::Offer;

/// The name of a feed: `vast`, `runpod`, `catalogue/aws`. The part before `/` is the source that fetches it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FeedName(pub String);

impl FeedName {
    /// The source that fetches this feed: the part before the first `/`.
    #[must_use]
    pub fn source(&self) -> &str {
        self.0.split('/').next().unwrap_or(&self.0)
    }
}

impl std::fmt::Display for FeedName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A row that is kept out of the table, with the reason a person can read. It can be listed and counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quarantined {
    /// Why, in a whole phrase: `price is 0`, `200 GiB of VRAM on a card with 80`.
    pub reason: Reason,
    /// Where the row stood, for a person to find it: `aws.csv line 1841`, `ask 31881234`.
    pub origin: String,
    /// The offer as far as it could be read; `None` where nothing could be made of the row.
    pub offer: Option<Offer>,
}

/// Why a row is not in the table. `code` groups and translates; `detail` holds the row's own figures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Reason {
    /// Short fixed word, see [`crate::quarantine`].
    pub code: ReasonCode,
    /// The figures: `per hour 1433.9 for 1× H100 SXM, median 2.40`.
    pub detail: String,
}

/// The kinds of reasons for which a row is kept out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// No price at all.
    PriceMissing,
    /// Zero, negative, or not a number.
    PriceImpossible,
    /// Off by the 730 of hour and month, the 100 of cents, or further from its kind than any market.
    PriceAbsurd,
    /// VRAM that the card cannot have.
    VramContradictsModel,
    /// No such number of cards.
    CountImpossible,
    /// The very same row stood before.
    Duplicate,
    /// The row could not be read.
    Unreadable,
    /// A part of the price is missing and no total can be given (an accelerator without its host).
    IncompletePrice,
    /// The price held until a day that is past.
    Expired,
}

/// What one fetch of one feed brought. The three counts sum to the rows the source sent:
/// `rows_read = rows_used + rows_not_gpu + quarantined.len()`.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// Which feed.
    pub feed: FeedName,
    /// Said to people: `SkyPilot catalogue v8`, `dstack catalogue 20261130-1234`, `Vast, POST /bundles/`.
    pub origin: String,
    /// When the source said it (a price list's own date where it has one, else the time of the call).
    pub as_of: DateTime<Utc>,
    /// The offers. One row may give two (on demand and spot).
    pub offers: Vec<Offer>,
    /// Rows kept out, each with its reason.
    pub quarantined: Vec<Quarantined>,
    /// Rows the source sent.
    pub rows_read: u64,
    /// Rows that became one or more offers.
    pub rows_used: u64,
    /// Rows that are no GPU at all (plain machines, host machines of accelerators, FPGAs).
    pub rows_not_gpu: u64,
    /// Things worth telling that cost no row: unknown models kept, countries not known.
    pub notes: Vec<String>,
}
