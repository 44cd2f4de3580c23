//! The board: every offer at hand as an immutable snapshot in columns, which answers a query in well under a frame.
//!
//! It is built once after each refresh ([`BoardBuilder`]) and swapped whole. A [`View`] asks for a page of rows with
//! facets ([`Board::page`]) or for the market by card ([`Board::groups`]). Quarantined rows stand on it too, hidden
//! unless asked for.
//!
//! What rows share is kept once: a card in a variant, a seller with its terms, a setting, a country. A query is
//! answered for each of those few first, as bits of the filters it fails; a profile then fails the bits of its four
//! together, and with it all of its rows. Figures of single rows are looked at only where the query asks for them.

mod build;
mod columns;
mod costs;
mod facets;
mod groups;
mod machines;
mod offer;
mod page;
mod plan;
mod policies;
mod rank;
mod scan;
mod sizes;
mod symbols;
mod view;
mod weigh;
mod zones;

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{DateTime, Utc};
use rust_decimal::prelude::ToPrimitive;

use columns::{Billing, Period, Profiles, Rows, Seller, Setting, Texts, Variant};
use symbols::Symbol;

pub use build::BoardBuilder;
pub use facets::{Facet, FacetValue, VRAM_STEPS};
pub use groups::{Group, Groups};
pub use page::Page;
pub use policies::Kept;
pub use view::{Sort, UnknownSort, View};
pub use weigh::{Ask, Choice, LeftOut, Ranking};

use crate::feed::FeedName;
use crate::gpu::Card;
use crate::money::{Currency, Rates};
use crate::query::{Holds, Vocabulary};

/// What the board knows of the feed a row came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedMeta {
    /// Its name.
    pub name: FeedName,
    /// Said to people: `Azure price list, 2026-06-18`.
    pub origin: String,
    /// When the source said it.
    pub as_of: DateTime<Utc>,
}

/// What the GPU table adds to a variant.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// The card, where the table knows it.
    card: Option<Card>,
    /// GB/s of one card.
    bandwidth: f32,
    /// Dense BF16 TFLOPS of what is rented of one card.
    tflops: f32,
    /// Text of the link between cards.
    link: Symbol,
    nvlink: Holds,
    /// Number of the stretch of profiles with this card (or this raw name, where the card is not known).
    group: u32,
}

/// All offers at hand.
#[derive(Debug)]
pub struct Board {
    rows: Rows,
    profiles: Profiles,
    variants: Vec<Variant>,
    /// One a variant.
    facts: Vec<Facts>,
    sellers: Vec<Seller>,
    settings: Vec<Setting>,
    periods: Vec<Period>,
    billings: Vec<Billing>,
    texts: Texts,
    /// First profile of each group, and the number of all profiles.
    groups: Vec<u32>,
    /// All ids, one after the other, and where each begins.
    ids: String,
    id_starts: Vec<u32>,
    /// Rows in the order of their ids, and the place of each row in it.
    by_id: Vec<u32>,
    id_ranks: Vec<u32>,
    feeds: Vec<FeedMeta>,
    rates: Rates,
    quarantined: u32,
    /// Serverless rows that are not in quarantine.
    serverless: u32,
    left_out: u32,
}

impl Board {
    /// Rows on the board, quarantined ones included.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// Rows in quarantine.
    #[must_use]
    pub fn quarantined(&self) -> u32 {
        self.quarantined
    }

    /// Catalogue rows that stay away because their provider has live ones.
    #[must_use]
    pub fn left_out(&self) -> u32 {
        self.left_out
    }

    /// The rates prices are converted by.
    #[must_use]
    pub fn rates(&self) -> &Rates {
        &self.rates
    }

    /// The feeds rows came from.
    #[must_use]
    pub fn feeds(&self) -> &[FeedMeta] {
        &self.feeds
    }

    /// The id of a row.
    #[must_use]
    pub fn id(&self, row: u32) -> Option<&str> {
        let start = *self.id_starts.get(row as usize)? as usize;
        let end = *self.id_starts.get(row as usize + 1)? as usize;
        self.ids.get(start..end)
    }

    /// The row of an id. Where a quarantined row repeats the id, the good one is found.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<u32> {
        let first = self.by_id.partition_point(|row| self.id(*row).is_some_and(|known| known < id));
        let same = self.by_id.get(first..)?.iter().take_while(|row| self.id(**row) == Some(id));
        same.copied().min_by_key(|row| self.is_quarantined(*row))
    }

    /// The feed a row came from.
    #[must_use]
    pub fn feed_of(&self, row: u32) -> Option<&FeedMeta> {
        self.feeds.get(self.seller_of(row)?.feed as usize)
    }

    /// Whether a row is in quarantine.
    #[must_use]
    pub fn is_quarantined(&self, row: u32) -> bool {
        self.seller_of(row).is_some_and(|seller| seller.quarantined)
    }

    /// Names of clouds and providers on the board, for [`crate::query::parse_with`]. Of policies it knows nothing.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        let names: BTreeSet<Symbol> =
            self.sellers.iter().flat_map(|seller| [seller.provider, seller.cloud]).collect();
        Vocabulary {
            clouds: names.into_iter().map(|name| self.texts.providers.get(name).to_owned()).collect(),
            policies: Vec::new(),
        }
    }

    /// Bytes on the heap, by the capacities of the columns.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let words = self.id_starts.capacity() + self.by_id.capacity() + self.id_ranks.capacity();
        words * size_of::<u32>()
            + self.ids.capacity()
            + self.rows.heap_bytes()
            + self.profiles.heap_bytes()
            + self.texts.heap_bytes()
            + self.variants.capacity() * (size_of::<Variant>() + size_of::<Facts>())
            + self.sellers.capacity() * size_of::<Seller>()
            + self.settings.capacity() * size_of::<Setting>()
            + self.periods.capacity() * size_of::<Period>()
            + self.billings.capacity() * size_of::<Billing>()
    }

    /// Rows that a view can match: without the quarantined ones unless it sees them, without the serverless ones
    /// unless it asks for them.
    fn visible(&self, view: &View<'_>) -> u32 {
        let quarantined = if view.include_quarantine { 0 } else { self.quarantined };
        let serverless = if view.asks_for_serverless() { 0 } else { self.serverless };
        self.len() - quarantined - serverless
    }

    fn seller_of(&self, row: u32) -> Option<&Seller> {
        self.sellers.get(*self.profiles.seller.get(self.profiles.of(row))? as usize)
    }

    /// The canonical name of a card, or the provider's own where the table does not know it.
    fn shown_card(&self, variant: usize) -> &str {
        match self.facts[variant].card {
            Some(card) => card.name(),
            None => self.texts.raws.get(self.variants[variant].raw),
        }
    }

    /// Profiles of a group.
    fn group_range(&self, group: usize) -> Range<usize> {
        self.groups[group] as usize..self.groups[group + 1] as usize
    }

    /// What a unit of each seller's currency is worth in another; NaN without a rate.
    fn factors(&self, to: Currency) -> Vec<f64> {
        let mut known: Vec<(Currency, f64)> = Vec::new();
        let mut factor = |from: Currency| match known.iter().find(|(currency, _)| *currency == from) {
            Some((_, factor)) => *factor,
            None => {
                let factor =
                    self.rates.quote(from, to).and_then(|quoted| quoted.rate.to_f64()).unwrap_or(f64::NAN);
                known.push((from, factor));
                factor
            }
        };
        self.sellers.iter().map(|seller| factor(seller.currency)).collect()
    }
}

#[cfg(test)]
mod tests;
