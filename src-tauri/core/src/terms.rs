//! What a provider's own pages say for all of its offers, used where an offer does not say.

use rust_decimal::Decimal;

use crate::money::Currency;

/// The general terms of one provider. What its pages do not say is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Our name of the provider.
    pub provider: &'static str,
    /// The currency of the figures here.
    pub currency: Option<Currency>,
    /// Billing step in seconds.
    pub increment_s: Option<u32>,
    /// Least billed time in seconds.
    pub minimum_s: Option<u32>,
    /// Hours in a month by this provider's own reckoning (720 at Vast, 730 at AWS).
    pub month_hours: Option<u32>,
    /// Disk while running, per GB and month.
    pub storage_gb_month: Option<Decimal>,
    /// Disk while stopped, per GB and month.
    pub storage_stopped_gb_month: Option<Decimal>,
    /// Traffic out, per GB.
    pub egress_gb: Option<Decimal>,
    /// Traffic in, per GB.
    pub ingress_gb: Option<Decimal>,
    /// Usual time from order to login in seconds, as stated.
    pub boot_s: Option<u32>,
    /// What stopping does to the bill, in a sentence.
    pub stop: Option<&'static str>,
    /// The page the facts are from.
    pub source: &'static str,
    /// When the page was read, `YYYY-MM-DD` or `YYYY-MM`.
    pub read: &'static str,
}

/// The terms of a provider.
#[must_use]
pub fn terms(provider: &str) -> Option<&'static Terms> {
    let _ = provider;
    None
}
