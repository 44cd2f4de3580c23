//! The market by card.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::plan::Plan;
use super::scan::Scan;
use super::view::View;
use super::{Board, Factors};
use crate::gpu::Card;
use crate::money::{Currency, from_nanos};
use crate::offer::{PriceKind, SupplyState};
use crate::query::{Edit, Query};

/// One card in the market.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Canonical name of the card or family, or the provider's own of a card that is not in the table.
    pub name: String,
    /// The card of the table.
    pub card: Option<Card>,
    /// A query line that selects just these rows' cards.
    pub word: String,
    /// Lowest price of a card-hour. Slices count only where no whole card is offered, bids only where nothing has a
    /// firm price.
    pub from: Option<Decimal>,
    /// Median of the same prices.
    pub median: Option<Decimal>,
    /// Lowest spot price of a whole card.
    pub spot_from: Option<Decimal>,
    /// Matching offers.
    pub offers: u32,
    /// Those known to be in stock.
    pub in_stock: u32,
    /// Clouds that have them, by name.
    pub clouds: Vec<String>,
}

/// The market by card.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The currency of the prices: the view's, or USD where there is no rate to it.
    pub currency: Currency,
    /// Matching rows.
    pub total: u32,
    /// Rows that could match.
    pub all: u32,
    /// The cheapest first; without a price last.
    pub groups: Vec<Group>,
}

/// Prices of one group while its rows are read.
#[derive(Default)]
struct Prices {
    firm: Vec<f64>,
    /// Of slices and bids.
    other: Vec<f64>,
    spot: Option<f64>,
}

impl Board {
    /// Matching rows gathered by card. Sort and direction of the view are not looked at.
    #[must_use]
    pub fn groups(&self, view: &View<'_>) -> Groups {
        let plan = Plan::new(self, view, false);
        let scan = Scan::new(self, &plan, false);
        let has_rate = self.rates.quote(Currency::USD, view.currency).is_some();
        let currency = if has_rate { view.currency } else { Currency::USD };
        let factors = self.factors(currency);
        let mut groups = Vec::new();
        let mut prices = Prices::default();
        let mut start = 0;
        while start < self.profiles.len() {
            let number = self.facts[start].group;
            let length = self.facts[start..].partition_point(|facts| facts.group == number);
            groups.extend(self.group(&plan, &scan, &factors, start..start + length, &mut prices));
            start += length;
        }
        groups.sort_unstable_by(|a: &Group, b| {
            a.from
                .is_none()
                .cmp(&b.from.is_none())
                .then(a.from.cmp(&b.from))
                .then_with(|| a.name.cmp(&b.name))
        });
        Groups {
            currency,
            total: groups.iter().map(|group| group.offers).sum(),
            all: if view.include_quarantine { self.len() } else { self.len() - self.quarantined() },
            groups,
        }
    }

    fn group(
        &self,
        plan: &Plan<'_>,
        scan: &Scan,
        factors: &Factors,
        profiles: std::ops::Range<usize>,
        prices: &mut Prices,
    ) -> Option<Group> {
        prices.firm.clear();
        prices.other.clear();
        prices.spot = None;
        let (mut offers, mut in_stock, mut clouds) = (0, 0, BTreeSet::new());
        let first = profiles.start;
        for index in profiles {
            let passed = scan.passed[index];
            if plan.failed[index] != 0 || passed == 0 {
                continue;
            }
            let profile = &self.profiles[index];
            offers += passed;
            in_stock += if profile.supply == SupplyState::InStock { passed } else { 0 };
            clouds.insert(profile.cloud);
            self.read_prices(index, scan, factors.of(profile.currency), prices);
        }
        if offers == 0 {
            return None;
        }
        let compared = if prices.firm.is_empty() { &mut prices.other } else { &mut prices.firm };
        let card = self.facts[first].card;
        let name = self.shown_card(&self.facts[first], &self.profiles[first]);
        let toggle = Edit::Toggle { key: "gpu".to_owned(), value: name.to_owned() };
        let word = Query::default().edit(&toggle).map(|query| query.to_string()).unwrap_or_default();
        let mut clouds: Vec<String> =
            clouds.into_iter().map(|cloud| self.texts.providers.get(cloud).to_owned()).collect();
        clouds.sort_unstable();
        Some(Group {
            name: name.to_owned(),
            card,
            word,
            from: compared.iter().copied().min_by(f64::total_cmp).map(money),
            median: median(compared).map(money),
            spot_from: prices.spot.map(money),
            offers,
            in_stock,
            clouds,
        })
    }

    fn read_prices(&self, index: usize, scan: &Scan, factor: f64, prices: &mut Prices) {
        if factor.is_nan() {
            return;
        }
        let profile = &self.profiles[index];
        let whole = f32::from_bits(profile.fraction).is_nan();
        let firm = whole && profile.kind != PriceKind::Bid;
        let into = if firm { &mut prices.firm } else { &mut prices.other };
        let before = into.len();
        let range = self.range(index);
        let price =
            |row: usize| self.rows.per_hour[row] as f64 / f64::from(self.rows.count[row].max(1)) * factor;
        match &scan.keep {
            Some(keep) => into.extend(range.filter(|row| keep[*row]).map(price)),
            None => into.extend(range.map(price)),
        }
        if whole && profile.kind == PriceKind::Spot {
            let lowest = into[before..].iter().copied().chain(prices.spot).min_by(f64::total_cmp);
            prices.spot = lowest;
        }
    }
}

/// Nano-units as an amount.
fn money(nanos: f64) -> Decimal {
    from_nanos(nanos.round() as i64)
}

/// The middle one, or the mean of the two in the middle.
fn median(prices: &mut [f64]) -> Option<f64> {
    let middle = prices.len() / 2;
    if prices.is_empty() {
        return None;
    }
    let is_even = prices.len().is_multiple_of(2);
    let (below, upper, _) = prices.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    let lower = if is_even { below.iter().copied().max_by(f64::total_cmp) } else { None };
    Some(lower.map_or(upper, |lower| (lower + upper) / 2.0))
}
