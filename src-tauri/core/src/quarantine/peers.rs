//! What can only be told from the other offers of the same feed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rust_decimal::prelude::ToPrimitive;

use super::Case;
use super::rules::{hourly, is_pod_slice, reason, shown_card};
use crate::feed::ReasonCode;
use crate::money::Currency;
use crate::offer::{Flag, PriceKind, Source};

/// Fewer prices than this have no median worth comparing with.
const QUORUM: usize = 5;

/// Times the card's median from which a price is a mistake, and the share of it from which it is one. Within one
/// feed the widest honest spread seen is ×11 upwards (one T4 in a machine of 64 vCPUs against the smallest T4
/// machine) and 1/16 downwards (deep spot discounts); months read as hours (×730) and cents (×100) lie beyond.
const ABSURD: std::ops::Range<f64> = 0.01..50.0;

/// Outside of this a price is kept and flagged.
const SUSPECT: std::ops::Range<f64> = 0.04..20.0;

/// The first row of an id stays; later ones are set aside.
pub(super) fn mark_duplicates(cases: &mut [Case], origins: &[String]) {
    let mut verdicts = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(cases.len());
    for (index, case) in cases.iter().enumerate().filter(|(_, case)| case.reason.is_none()) {
        match seen.entry(&case.offer.id) {
            Entry::Vacant(free) => {
                free.insert(index);
            }
            Entry::Occupied(taken) => {
                let first = &cases[*taken.get()];
                let price = hourly(case.offer.price.per_hour, case.offer.price.currency);
                let place = &origins[first.row];
                let detail = if first.offer == case.offer {
                    format!("the very same as {place}")
                } else if first.offer.price == case.offer.price {
                    format!("the same offer as {place}, described differently")
                } else {
                    let other = hourly(first.offer.price.per_hour, first.offer.price.currency);
                    format!("the same offer as {place} at {price} instead of {other}")
                };
                verdicts.push((index, detail));
            }
        }
    }
    for (index, detail) in verdicts {
        cases[index].reason = Some(reason(ReasonCode::Duplicate, detail));
    }
}

/// Prices of a card-hour far from the median of that card in that currency. Bids and slices are neither counted nor
/// judged: a floor is no price, and a slice's price does not follow its share.
pub(super) fn mark_outliers(cases: &mut [Case]) {
    let mut groups: HashMap<(String, Currency), Vec<(usize, f64)>> = HashMap::new();
    for (index, case) in cases.iter().enumerate() {
        let offer = &case.offer;
        let comparable = case.reason.is_none()
            && offer.source != Source::Own
            && offer.price.kind != PriceKind::Bid
            && offer.gpu.fraction.is_none()
            && !offer.sells_tokens()
            && !is_pod_slice(offer);
        if let (true, Some(per_card)) = (comparable, offer.per_gpu_hour().to_f64()) {
            let key = (shown_card(offer).to_owned(), offer.price.currency);
            groups.entry(key).or_default().push((index, per_card));
        }
    }
    for ((card, currency), mut prices) in groups.into_iter().filter(|(_, prices)| prices.len() >= QUORUM) {
        let middle = prices.len() / 2;
        let median = prices.select_nth_unstable_by(middle, |a, b| a.1.total_cmp(&b.1)).1.1;
        for (index, per_card) in prices {
            let times = per_card / median;
            let case = &mut cases[index];
            if !ABSURD.contains(&times) {
                let detail = format!(
                    "{} for {}× {card}, the median here is {median:.2} {currency} a card",
                    hourly(case.offer.price.per_hour, currency),
                    case.offer.gpu.count,
                );
                case.reason = Some(reason(ReasonCode::PriceAbsurd, detail));
            } else if !SUSPECT.contains(&times) {
                case.offer.flags.push(Flag::PriceSuspect);
            }
        }
    }
}
