//! How long a machine may live, and what happens then.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// What happens when a lease runs out.
    OnExpiry {
        /// Tell its owner, and go on telling.
        Notify = "notify",
        /// Stop the machine, where its cloud can.
        Stop = "stop",
        /// End it.
        End = "end",
    }
}

words! {
    /// Which limit of a lease.
    Limit {
        /// Until when.
        Time = "time",
        /// How much money.
        Money = "money",
        /// How long without work.
        Idle = "idle",
    }
}

/// The limits of one rental. Whichever is reached first counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Until when, by the wall clock; `None` = no limit of time.
    pub until: Option<DateTime<Utc>>,
    /// The most it may cost, in the currency of its offer.
    pub max_spend: Option<Decimal>,
    /// Minutes without work after which it is idle.
    pub idle_minutes: Option<u32>,
    /// What happens then.
    pub on_expiry: OnExpiry,
}
