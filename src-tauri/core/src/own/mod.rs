//! Servers of the team's own: what one costs, what was read of it, whether it can be had, and the offers that follow.
//!
//! A server is described once by a person (what it cost, where it stands); its cards, links and driver are read from
//! it and never typed. A booking takes whole cards or slices of it, and nobody else gets those until it ends.

mod booking;
mod cost;
mod facts;
mod offers;
#[cfg(test)]
mod tests;

pub use booking::{Booking, Want, pick, utilisation};
pub use cost::{CostUnknown, OwnCost};
pub use facts::{HostAddress, HostCard, HostFacts, HostSlice, SliceShare};
pub use offers::offers;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::offer::Place;
use crate::words::words;

/// The name under which servers of the team's own stand among providers.
pub const PROVIDER: &str = "own";

words! {
    /// Whether a server can be had, as its last check found it.
    Health {
        /// It answers and all of its cards do.
        Ok = "ok",
        /// Nobody answers there.
        Unreachable = "unreachable",
        /// SSH answers and lets nobody in.
        Denied = "denied",
        /// Its host key was never accepted on this computer.
        HostKeyUnknown = "host-key-unknown",
        /// It shows another host key than the one that was accepted.
        HostKeyChanged = "host-key-changed",
        /// There is no driver for its cards, or it is not loaded.
        NoDriver = "no-driver",
        /// The driver was updated under the running system.
        DriverMismatch = "driver-mismatch",
        /// A card fell off the bus, or fewer answer than before.
        CardLost = "card-lost",
        /// The driver is there and finds no card.
        NoCards = "no-cards",
        /// It was reached and did not tell.
        NotTold = "not-told",
    }
}

/// A server of the team's own, as a person described it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnHost {
    /// Its name in the person's SSH configuration.
    pub alias: String,
    /// What it costs.
    pub cost: OwnCost,
    /// Where it stands (`region` in the person's words), and the country of the team (`seller`).
    pub place: Place,
    /// Whose it is.
    pub owner: Option<String>,
    /// Since when it is known here.
    pub added_at: DateTime<Utc>,
}

/// A name that may be given to `ssh` as a destination: letters, digits, `.`, `_` and `-`, no hyphen first, at most 64.
/// Whatever it says, it is no option and nothing to a shell.
#[must_use]
pub fn is_alias(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
