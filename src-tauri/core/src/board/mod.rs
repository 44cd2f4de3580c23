//! The board: every offer at hand as an immutable snapshot in columns, which answers a query in well under a frame.
//!
//! It is built once after each refresh ([`BoardBuilder`]) and swapped whole. A [`View`] asks for a page of rows with
//! facets ([`Board::page`]) or for the market by card ([`Board::groups`]). Quarantined rows stand on it too, hidden
//! unless asked for.

mod build;
mod columns;
mod facets;
mod groups;
mod page;
mod plan;
mod rank;
mod scan;
mod symbols;
mod view;
mod zones;

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{DateTime, Utc};

use columns::{Billing, Profile, Rows, Texts};
use symbols::Symbol;

pub use build::BoardBuilder;
pub use facets::{Facet, FacetValue, VRAM_STEPS};
pub use groups::{Group, Groups};
pub use page::Page;
pub use view::{Sort, UnknownSort, View};

use crate::feed::FeedName;
use crate::gpu::Card;
use crate::money::{Currency, Rates};
use crate::offer::Offer;
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

/// What follows from a profile and is asked again and again.
#[derive(Debug, Clone, Copy)]
struct Facts {
    /// First row; the next profile's first row ends it.
    start: u32,
    /// The card of the GPU table, where it is one.
    card: Option<Card>,
    /// GB/s of one card.
    bandwidth: f32,
    /// Dense BF16 TFLOPS of what is rented of one card.
    tflops: f32,
    /// Text of the link between cards.
    link: Symbol,
    nvlink: Holds,
    /// Most cards of any row.
    most_cards: u32,
    /// Rows of the same card, or of the same raw name where the card is not known, have the same number here.
    group: u32,
}

/// All offers at hand.
#[derive(Debug)]
pub struct Board {
    profiles: Vec<Profile>,
    facts: Vec<Facts>,
    billings: Vec<Billing>,
    rows: Rows,
    texts: Texts,
    /// All ids, one after the other, and where each begins.
    ids: String,
    id_starts: Vec<u32>,
    /// Rows in the order of their ids, and the place of each row in it.
    by_id: Vec<u32>,
    id_ranks: Vec<u32>,
    feeds: Vec<FeedMeta>,
    currencies: Vec<Currency>,
    rates: Rates,
    quarantined: u32,
    left_out: u32,
}

impl Board {
    /// Rows on the board, quarantined ones included.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.rows.count.len() as u32
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.count.is_empty()
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

    /// The offer of a row, made again; `None` where there is no such row. Figures kept as `f32` come back with seven
    /// digits, prices with nine decimals.
    #[must_use]
    pub fn offer(&self, row: u32) -> Option<Offer> {
        let index = usize::try_from(row).ok().filter(|index| *index < self.rows.count.len())?;
        let profile = self.profiles.get(self.profile_of(row))?;
        let billing = self.billings.get(self.rows.billing[index] as usize)?;
        Some(columns::offer(index, self.id(row)?, profile, billing, &self.rows, &self.texts))
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
        self.feeds.get(self.profiles.get(self.profile_of(row))?.feed as usize)
    }

    /// Whether a row is in quarantine.
    #[must_use]
    pub fn is_quarantined(&self, row: u32) -> bool {
        self.profiles.get(self.profile_of(row)).is_some_and(|profile| profile.quarantined)
    }

    /// Names of clouds and providers on the board, for [`crate::query::parse_with`].
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        let names: BTreeSet<Symbol> = self.profiles.iter().flat_map(|p| [p.provider, p.cloud]).collect();
        Vocabulary {
            clouds: names.into_iter().map(|name| self.texts.providers.get(name).to_owned()).collect(),
        }
    }

    /// Bytes on the heap, by the capacities of the columns.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let words = self.id_starts.capacity() + self.by_id.capacity() + self.id_ranks.capacity();
        words * size_of::<u32>()
            + self.ids.capacity()
            + self.rows.heap_bytes()
            + self.texts.heap_bytes()
            + self.profiles.capacity() * size_of::<Profile>()
            + self.facts.capacity() * size_of::<Facts>()
            + self.billings.capacity() * size_of::<Billing>()
    }

    /// The canonical name of a card, or the provider's own where the table does not know it.
    fn shown_card<'a>(&'a self, facts: &Facts, profile: &Profile) -> &'a str {
        match facts.card {
            Some(card) => card.name(),
            None => self.texts.raws.get(profile.raw),
        }
    }

    fn profile_of(&self, row: u32) -> usize {
        self.facts.partition_point(|facts| facts.start <= row).saturating_sub(1)
    }

    /// Rows of a profile.
    fn range(&self, profile: usize) -> Range<usize> {
        let start = self.facts[profile].start as usize;
        let end = self.facts.get(profile + 1).map_or(self.rows.count.len(), |next| next.start as usize);
        start..end
    }

    /// What one unit of each currency of the board is worth in another; `None` without a rate.
    fn factors(&self, to: Currency) -> Factors {
        Factors(self.currencies.iter().map(|from| (*from, self.factor(*from, to))).collect())
    }

    fn factor(&self, from: Currency, to: Currency) -> f64 {
        use rust_decimal::prelude::ToPrimitive;
        self.rates.quote(from, to).and_then(|quoted| quoted.rate.to_f64()).unwrap_or(f64::NAN)
    }
}

/// Conversion of the few currencies on a board into one; NaN without a rate.
struct Factors(Vec<(Currency, f64)>);

impl Factors {
    fn of(&self, currency: Currency) -> f64 {
        self.0.iter().find(|(known, _)| *known == currency).map_or(f64::NAN, |(_, factor)| *factor)
    }
}

#[cfg(test)]
mod tests;
