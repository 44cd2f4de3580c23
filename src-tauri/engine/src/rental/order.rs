//! What somebody wants to rent, and what came of it.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Lease, Rental, Spec};
use rust_decimal::Decimal;

/// What somebody wants to rent.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The offer as the person saw it.
    pub offer: Offer,
    /// `vast` or `vast/team`.
    pub account: String,
    /// Name; empty = a free one.
    pub name: String,
    /// How it is to be made.
    pub spec: Spec,
    /// Its limits.
    pub lease: Lease,
    /// Who rents it.
    pub owner: Option<String>,
    /// For what.
    pub project: Option<String>,
    /// The price per hour that is allowed; `None` = the offer's. For a bid it is what is bid.
    pub max_price: Option<Decimal>,
    /// Why it may be rented although the project's residency policy forbids it.
    pub override_policy: Option<String>,
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Written down and asked for; it goes on by itself.
    Requested(Box<Rental>),
    /// The price is higher than allowed; nothing was asked for.
    PriceRose {
        /// Allowed, per hour.
        allowed: Decimal,
        /// Now, per hour.
        now: Decimal,
        /// Of both.
        currency: Currency,
    },
    /// The offer is gone; nothing was made.
    Gone {
        /// In whose words.
        words: String,
        /// Like it, the nearest first.
        nearest: Vec<Offer>,
    },
}
