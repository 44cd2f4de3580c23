//! The market by card.

use rust_decimal::Decimal;

use super::Board;
use super::plan::Plan;
use super::scan::Scan;
use super::view::View;
use crate::gpu::Card;
use crate::money::{Currency, from_nanos};
use crate::offer::{PriceKind, SupplyState};
use crate::query::word_for_card;

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

/// Prices of one group while its rows are read, as bits: of numbers above 0 they have the same order.
#[derive(Default)]
struct Prices {
    firm: Vec<u64>,
    /// Of slices and bids.
    other: Vec<u64>,
    spot: Option<u64>,
    /// Clouds of the group, by their symbols.
    clouds: Vec<bool>,
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
        let mut prices = Prices { clouds: vec![false; self.texts.providers.len()], ..Prices::default() };
        let numbers = 0..self.groups.len().saturating_sub(1);
        let mut groups: Vec<Group> =
            numbers.filter_map(|number| self.group(number, &scan, &factors, &mut prices)).collect();
        groups.sort_unstable_by(|a, b| {
            a.from
                .is_none()
                .cmp(&b.from.is_none())
                .then(a.from.cmp(&b.from))
                .then_with(|| a.name.cmp(&b.name))
        });
        let total = groups.iter().map(|group| group.offers).sum();
        Groups { currency, total, all: self.visible(view), groups }
    }

    fn group(&self, number: usize, scan: &Scan, factors: &[f64], prices: &mut Prices) -> Option<Group> {
        prices.firm.clear();
        prices.other.clear();
        prices.spot = None;
        prices.clouds.fill(false);
        let (mut offers, mut in_stock) = (0, 0);
        let profiles = self.group_range(number);
        let first = profiles.start;
        for profile in profiles.filter(|profile| scan.failed[*profile] == 0 && scan.passed[*profile] > 0) {
            let seller = self.profiles.seller[profile] as usize;
            let setting = self.profiles.setting[profile] as usize;
            offers += scan.passed[profile];
            if self.settings[setting].supply == SupplyState::InStock {
                in_stock += scan.passed[profile];
            }
            prices.clouds[self.sellers[seller].cloud as usize] = true;
            self.read_prices(profile, scan, factors[seller], prices);
        }
        if offers == 0 {
            return None;
        }
        let clouds = prices.clouds.iter().enumerate().filter(|(_, seen)| **seen);
        let mut clouds: Vec<String> =
            clouds.map(|(cloud, _)| self.texts.providers.get(cloud as u32).to_owned()).collect();
        clouds.sort_unstable();
        let compared = if prices.firm.is_empty() { &mut prices.other } else { &mut prices.firm };
        let variant = self.profiles.variant[first] as usize;
        let name = self.shown_card(variant);
        Some(Group {
            name: name.to_owned(),
            card: self.facts[variant].card,
            word: word_for_card(name),
            from: compared.iter().min().map(|price| money(f64::from_bits(*price))),
            median: median(compared).map(money),
            spot_from: prices.spot.map(|price| money(f64::from_bits(price))),
            offers,
            in_stock,
            clouds,
        })
    }

    fn read_prices(&self, profile: usize, scan: &Scan, factor: f64, prices: &mut Prices) {
        if factor.is_nan() {
            return;
        }
        let kind = self.sellers[self.profiles.seller[profile] as usize].kind;
        let whole = self.variants[self.profiles.variant[profile] as usize].fraction().is_nan();
        let into = if whole && kind != PriceKind::Bid { &mut prices.firm } else { &mut prices.other };
        let before = into.len();
        let range = self.profiles.range(profile);
        let price = |per_card: &f64| (per_card * factor).max(0.0).to_bits();
        match &scan.keep {
            Some(keep) => {
                let kept = keep[range.clone()].iter().zip(&self.rows.per_card[range]);
                into.extend(kept.filter(|(keep, _)| **keep).map(|(_, per_card)| price(per_card)));
            }
            None => into.extend(self.rows.per_card[range].iter().map(price)),
        }
        if whole && kind == PriceKind::Spot {
            // Prices of a profile grow.
            prices.spot = into.get(before).copied().into_iter().chain(prices.spot).min();
        }
    }
}

/// Nano-units as an amount.
fn money(nanos: f64) -> Decimal {
    from_nanos(nanos.round() as i64)
}

/// The middle one, or the mean of the two in the middle.
fn median(prices: &mut [u64]) -> Option<f64> {
    if prices.is_empty() {
        return None;
    }
    let middle = prices.len() / 2;
    let is_even = prices.len().is_multiple_of(2);
    let (below, upper, _) = prices.select_nth_unstable(middle);
    let upper = f64::from_bits(*upper);
    let lower = if is_even { below.iter().max() } else { None };
    Some(lower.map_or(upper, |lower| (f64::from_bits(*lower) + upper) / 2.0))
}
