//! What a fetch or an import of one feed did.

use std::collections::BTreeMap;

use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_store::Replaced;

use crate::DeskError;

/// What became of one feed.
#[derive(Debug)]
pub struct FeedReport {
    /// Which feed.
    pub feed: FeedName,
    /// How long it took, fetching and storing.
    pub seconds: f64,
    /// How it ended.
    pub result: Result<Done, DeskError>,
}

/// A feed that answered.
#[derive(Debug)]
pub enum Done {
    /// The source said that nothing changed.
    Unchanged,
    /// It tells nothing without the key of an account, and there is none: it was not asked.
    NoAccount,
    /// New rows were stored. `rows_read = rows_used + rows_not_gpu + quarantined`.
    Stored {
        /// Rows the source sent.
        rows_read: u64,
        /// Rows that became offers.
        rows_used: u64,
        /// Offers made of them.
        offers: u64,
        /// Rows that are no GPU.
        rows_not_gpu: u64,
        /// Rows in quarantine.
        quarantined: u64,
        /// Their reasons, most frequent first.
        reasons: Vec<ReasonCount>,
        /// Remarks that cost no row.
        notes: Vec<String>,
        /// What the store did.
        replaced: Replaced,
    },
}

/// A reason and how many rows it kept out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonCount {
    /// Why.
    pub code: ReasonCode,
    /// The detail of the first such row.
    pub example: String,
    /// Rows.
    pub count: u64,
}

impl Done {
    pub(crate) fn stored(fetched: &Fetched, replaced: Replaced) -> Self {
        Self::Stored {
            rows_read: fetched.rows_read,
            rows_used: fetched.rows_used,
            offers: fetched.offers.len() as u64,
            rows_not_gpu: fetched.rows_not_gpu,
            quarantined: fetched.quarantined.len() as u64,
            reasons: reasons(fetched),
            notes: fetched.notes.clone(),
            replaced,
        }
    }
}

fn reasons(fetched: &Fetched) -> Vec<ReasonCount> {
    let mut by_code: BTreeMap<ReasonCode, ReasonCount> = BTreeMap::new();
    for row in &fetched.quarantined {
        by_code
            .entry(row.reason.code)
            .or_insert_with(|| ReasonCount {
                code: row.reason.code,
                example: format!("{}: {}", row.origin, row.reason.detail),
                count: 0,
            })
            .count += 1;
    }
    let mut counts: Vec<ReasonCount> = by_code.into_values().collect();
    counts.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    counts
}
