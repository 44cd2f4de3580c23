//! The time that a machine's programs are given before a rule stops it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Limit;
use crate::words::words;

words! {
    /// How the person's own `before-stop` ended.
    HookEnd {
        /// It did what it had to.
        Done = "done",
        /// It could not be run, or ended with an error.
        Failed = "failed",
        /// It went on beyond its time and was ended.
        Killed = "killed",
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parting {
    /// Programs on its cards that were asked to end.
    pub asked: u32,
    /// Those of them that ended in time.
    pub ended: u32,
    /// How the person's `before-stop` ended; `None` = there is none.
    pub hook: Option<HookEnd>,
}

/// A parting that has begun under the present lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartingAt {
    /// Which limit was reached.
    pub limit: Limit,
    /// Why it is stopped, as it was told then.
    pub why: String,
    /// When.
    pub since: DateTime<Utc>,
    /// When it is over at the latest.
    pub until: DateTime<Utc>,
    /// Whether it is over already.
    pub over: bool,
}

impl PartingAt {
    pub(super) fn begun(limit: Limit, why: &str, since: DateTime<Utc>, until: DateTime<Utc>) -> Self {
        Self { limit, why: why.to_owned(), since, until, over: false }
    }
}
