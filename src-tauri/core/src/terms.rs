//! What a provider's own pages say for all of its offers, used where an offer does not say.

use std::sync::OnceLock;

use rust_decimal::Decimal;

use crate::embedded::rows;
use crate::money::Currency;
use crate::offer::{Price, PriceKind};
use crate::place::canonical_provider;

const TERMS: &str = include_str!("../data/terms.csv");

/// The dearest list price of traffic to the internet among the known clouds, USD per GB: AWS in Cape Town, first
/// 10 TB (its usual price is 0.09). It bounds the part of a total that an offer and its provider leave unsaid.
pub const UNKNOWN_EGRESS_HIGH_USD_GB: Decimal = Decimal::from_parts(154, 0, 0, false, 3);

/// The dearest list price of a disk among the known clouds, USD per GB and month: Lambda's filesystems, and RunPod's
/// volume disk of a stopped pod. It bounds the part of a total that an offer and its provider leave unsaid.
pub const UNKNOWN_STORAGE_HIGH_USD_GB_MONTH: Decimal = Decimal::from_parts(20, 0, 0, false, 2);

/// Hours in a month where a provider does not say how it reckons one: a twelfth of 8,760.
pub const USUAL_MONTH_HOURS: u32 = 730;

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
    /// Disk while running, per GB and month; an hourly rate is given times [`USUAL_MONTH_HOURS`].
    pub storage_gb_month: Option<Decimal>,
    /// Disk while stopped, per GB and month.
    pub storage_stopped_gb_month: Option<Decimal>,
    /// Traffic out, per GB, beyond any free allowance.
    pub egress_gb: Option<Decimal>,
    /// Traffic in, per GB.
    pub ingress_gb: Option<Decimal>,
    /// The page the facts are from.
    pub source: &'static str,
    /// The month the page was read in or dates from, `YYYY-MM`.
    pub read: &'static str,
}

fn table() -> &'static [Terms] {
    static TABLE: OnceLock<Vec<Terms>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows::<11>(TERMS)
            .into_iter()
            .map(
                |[
                    provider,
                    currency,
                    increment,
                    minimum,
                    month,
                    storage,
                    storage_stopped,
                    egress,
                    ingress,
                    source,
                    read,
                ]| Terms {
                    provider,
                    currency: currency.parse().ok(),
                    increment_s: increment.parse().ok(),
                    minimum_s: minimum.parse().ok(),
                    month_hours: month.parse().ok(),
                    storage_gb_month: storage.parse().ok(),
                    storage_stopped_gb_month: storage_stopped.parse().ok(),
                    egress_gb: egress.parse().ok(),
                    ingress_gb: ingress.parse().ok(),
                    source,
                    read,
                },
            )
            .collect()
    })
}

/// The terms of a provider, by any of its spellings.
#[must_use]
pub fn terms(provider: &str) -> Option<&'static Terms> {
    let name = canonical_provider(provider);
    table().iter().find(|terms| terms.provider == name)
}

/// An on-demand price of `per_hour` for the whole offer, with everything else as the provider's pages say it for all of
/// its offers.
#[must_use]
pub fn list_price(provider: &str, per_hour: Decimal, currency: Currency) -> Price {
    let terms = terms(provider);
    let cost = |of: fn(&Terms) -> Option<Decimal>| terms.and_then(of).map(|cost| cost.normalize());
    Price {
        kind: PriceKind::OnDemand,
        currency,
        per_hour,
        term: None,
        increment_s: terms.and_then(|terms| terms.increment_s),
        minimum_s: terms.and_then(|terms| terms.minimum_s),
        storage_gb_month: cost(|terms| terms.storage_gb_month),
        storage_stopped_gb_month: cost(|terms| terms.storage_stopped_gb_month),
        egress_gb: cost(|terms| terms.egress_gb),
        ingress_gb: cost(|terms| terms.ingress_gb),
        meter: None,
        page: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn a_month_is_what_that_cloud_says() {
        assert_eq!(terms("vast").unwrap().month_hours, Some(720));
        assert_eq!(terms("nebius").unwrap().month_hours, Some(720));
        assert_eq!(terms("aws").unwrap().month_hours, Some(730));
        assert_eq!(terms("runpod").unwrap().month_hours, None, "its pages do not say");
    }

    #[test]
    fn steps_minimums_and_prices_are_the_providers_own() {
        let vultr = terms("vultr").unwrap();
        assert_eq!((vultr.increment_s, vultr.minimum_s), (Some(3600), Some(3600)));
        let runpod = terms("runpod-v5").unwrap();
        assert_eq!(runpod.storage_gb_month, Some(dec("0.10")));
        assert_eq!(runpod.storage_stopped_gb_month, Some(dec("0.20")));
        assert_eq!(runpod.egress_gb, Some(Decimal::ZERO), "said to be free, which is not unknown");
        let scaleway = terms("scaleway").unwrap();
        assert_eq!(scaleway.currency, Some(Currency::EUR));
        assert_eq!(scaleway.storage_gb_month, Some(dec("0.000118") * Decimal::from(USUAL_MONTH_HOURS)));
        let hyperstack = terms("hyperstack").unwrap();
        assert_eq!(hyperstack.storage_gb_month, Some(dec("0.000096774") * Decimal::from(USUAL_MONTH_HOURS)));
        assert_eq!(terms("nebius").unwrap().egress_gb, None);
        assert_eq!(terms("nobody"), None);
    }

    #[test]
    fn the_file_reads_whole_with_sources_and_a_currency_for_every_price() {
        assert_eq!(table().len(), TERMS.lines().count() - 1);
        for terms in table() {
            assert_eq!(canonical_provider(terms.provider), terms.provider);
            assert!(crate::place::provider_title(terms.provider).is_some(), "{}", terms.provider);
            assert!(!terms.source.is_empty() && terms.read.len() == 7, "{}", terms.provider);
            let priced = [
                terms.storage_gb_month,
                terms.storage_stopped_gb_month,
                terms.egress_gb.filter(|price| !price.is_zero()),
            ];
            assert!(priced.iter().all(Option::is_none) || terms.currency.is_some(), "{}", terms.provider);
        }
        // Every cell that is not empty must have been read.
        let cells = rows::<11>(TERMS)
            .iter()
            .flat_map(|row| row[1..9].to_vec())
            .filter(|cell| !cell.is_empty())
            .count();
        let read: usize = table()
            .iter()
            .map(|t| {
                usize::from(t.currency.is_some())
                    + [t.increment_s, t.minimum_s, t.month_hours].iter().flatten().count()
                    + [t.storage_gb_month, t.storage_stopped_gb_month, t.egress_gb, t.ingress_gb]
                        .iter()
                        .flatten()
                        .count()
            })
            .sum();
        assert_eq!(read, cells);
    }

    #[test]
    fn the_bounds_are_above_every_known_price_in_dollars() {
        for terms in table().iter().filter(|terms| terms.currency == Some(Currency::USD)) {
            assert!(
                terms.egress_gb.is_none_or(|price| price <= UNKNOWN_EGRESS_HIGH_USD_GB),
                "{}",
                terms.provider
            );
            let dearest = terms.storage_gb_month.max(terms.storage_stopped_gb_month);
            assert!(
                dearest.is_none_or(|price| price <= UNKNOWN_STORAGE_HIGH_USD_GB_MONTH),
                "{}",
                terms.provider
            );
        }
    }
}
