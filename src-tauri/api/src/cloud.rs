//! What a cloud can and how it fares, as the accounts view shows it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::desk::ApiError;

/// One part of a key that has several; the parts travel as one JSON object under these names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeyField {
    /// Its name in the object.
    pub name: String,
    /// As the provider's own page calls it.
    pub title: String,
    /// Whether it is hidden while it is typed.
    pub secret: bool,
    /// Whether the key is useless without it.
    pub required: bool,
    /// What one looks like; may be empty.
    pub example: String,
}

/// A right that a key may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeyScope {
    /// In the provider's own spelling.
    pub name: String,
    /// What it is good for: `offers`, `watch`, `rent`, `ssh-keys`, `balance`, `usage`, `leftovers`.
    pub allows: Vec<String>,
    /// Whether renting is impossible without it.
    pub needed: bool,
    /// The page that grants it.
    pub page: String,
}

/// A published limit of calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallRate {
    /// What is limited: `all calls`, `launch`.
    pub what: String,
    /// So many calls.
    pub calls: u32,
    /// In so many seconds.
    pub per_s: f64,
    /// The page that says so.
    pub page: String,
}

/// How the offers of a cloud fare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CloudHealth {
    /// `ok`, `stale`, `failed` (old rows are kept), `never`, `needs-account`.
    pub state: String,
    /// RFC 3339, when its offers were last read.
    pub refreshed_at: Option<String>,
    /// Seconds since then.
    pub age_s: Option<f64>,
    /// Offers at hand.
    pub offers: u32,
    /// Rows of the last answer.
    pub rows_read: u32,
    /// Of these, rows that are no GPU and were skipped.
    pub rows_not_gpu: u32,
    /// Of these, rows kept aside with a reason.
    pub quarantined: u32,
    /// Whether the provider last said that it was asked too often.
    pub rate_limited: bool,
    /// Why the last read failed.
    pub error: Option<ApiError>,
}
