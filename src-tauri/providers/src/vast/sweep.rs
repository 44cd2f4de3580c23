//! Seeing the whole market although the search has no pages: bands that come back full are split until none is.

use std::collections::HashSet;

use gpudesk_core::offer::PriceKind;
use gpudesk_core::quarantine::Row;
use rust_decimal::{Decimal, RoundingStrategy};

use super::api::{Band, LIMIT, WHAT, rows, search};
use super::map::{self, Mapped};
use crate::http::{Base, Http};
use crate::source::{SourceError, SourceErrorCode};

/// The most searches of one refresh: six minutes at the allowed pace. The market of 2026 takes four to eight.
const MOST_SEARCHES: u32 = 60;

/// Ranges of cards for a band whose rows all have one price.
const CARDS: [(u32, u32); 6] = [(0, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, u32::MAX)];

/// All rows of the market.
#[derive(Default)]
pub(super) struct Market {
    mapped: Vec<Mapped>,
    seen: HashSet<(PriceKind, String)>,
}

impl Market {
    pub(super) fn is_empty(&self) -> bool {
        self.mapped.is_empty()
    }

    /// The rows, the cheapest first: of two asks for the same cards of the same machine the cheaper one stays.
    pub(super) fn into_rows(mut self) -> impl Iterator<Item = Row> {
        self.mapped.sort_by(|a, b| a.rank().cmp(&b.rank()));
        self.mapped.into_iter().map(|mapped| mapped.row)
    }

    /// Takes the rows of one answer. Bands overlap at their edges and the market moves in between, so an ask that an
    /// earlier answer had is passed over; one that stands twice in the same answer is the provider's mistake and stays
    /// for the quarantine to tell. Rows that say to be of the other kind belong to the other search.
    fn take(&mut self, kind: PriceKind, answer: Vec<Mapped>) -> usize {
        let mut fresh = HashSet::new();
        let before = self.mapped.len();
        for mapped in answer.into_iter().filter(|mapped| !mapped.of_other_kind) {
            let known = mapped.ask.as_ref().is_some_and(|ask| self.seen.contains(&(kind, ask.clone())));
            if !known {
                fresh.extend(mapped.ask.clone());
                self.mapped.push(mapped);
            }
        }
        self.seen.extend(fresh.into_iter().map(|ask| (kind, ask)));
        self.mapped.len() - before
    }
}

/// Reads the whole market: on demand and bids, verified hosts and others.
pub(super) async fn market(http: &Http, base: &Base) -> Result<Market, SourceError> {
    let mut market = Market::default();
    let mut todo = Vec::new();
    for kind in [PriceKind::Bid, PriceKind::OnDemand] {
        for verified in [false, true] {
            todo.push(Band { kind, verified, from: None, below: None, cards: None });
        }
    }
    let mut searches = 0;
    while let Some(band) = todo.pop() {
        searches += 1;
        if searches > MOST_SEARCHES {
            return Err(SourceError::new(
                SourceErrorCode::TooLarge,
                WHAT,
                format!("not all of the market was seen in {MOST_SEARCHES} searches"),
            )
            .hint("the offers at hand stay in use; refresh again later"));
        }
        let answer = search(http, base, &band).await?;
        let text = answer.json_text();
        let rows = rows(&answer, &text, http.now())?;
        let count = rows.len();
        let mapped: Vec<Mapped> =
            rows.iter().enumerate().map(|(index, row)| map::ask(row.get(), index, band.kind)).collect();
        let prices: Vec<Option<Decimal>> = mapped.iter().map(|mapped| mapped.sorted_by).collect();
        let fresh = market.take(band.kind, mapped);
        if is_full(count) && fresh > 0 {
            todo.extend(split(&band, &prices));
        }
    }
    Ok(market)
}

/// Whether an answer of so many rows may have left some out. Beside our own limit the server may have one that it
/// does not tell (64 is its default): a suspiciously round number is looked behind.
fn is_full(count: usize) -> bool {
    count >= LIMIT || count >= 64 && (count.is_power_of_two() || count.is_multiple_of(100))
}

/// The bands to ask for after a full answer. Rows sorted as asked need only what follows them; where the server did
/// not sort, both halves are asked anew. Nothing where it cannot be split any further.
///
/// Bounds are widened to six digits: they come back through binary numbers on both sides, and a row lost at an edge
/// would be lost for good, while a row seen twice is counted once.
fn split(band: &Band, prices: &[Option<Decimal>]) -> Vec<Band> {
    let sorted = prices.is_sorted() && prices.iter().all(Option::is_some);
    let mut known: Vec<Decimal> = prices.iter().flatten().copied().collect();
    known.sort_unstable();
    let pivot = if sorted { known.last() } else { known.get(known.len() / 2) };
    let Some(pivot) = pivot else { return Vec::new() };
    let from = pivot.round_dp_with_strategy(6, RoundingStrategy::ToNegativeInfinity);
    let below = pivot.round_dp_with_strategy(6, RoundingStrategy::ToPositiveInfinity);
    if band.from.is_none_or(|already| from > already) {
        let mut next = vec![Band { from: Some(from), ..band.clone() }];
        if !sorted && band.below.is_none_or(|already| below < already) {
            next.push(Band { below: Some(below), ..band.clone() });
        }
        return next;
    }
    match band.cards {
        None => CARDS.iter().map(|cards| Band { cards: Some(*cards), ..band.clone() }).collect(),
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(from: Option<&str>) -> Band {
        Band {
            kind: PriceKind::OnDemand,
            verified: true,
            from: from.map(|text| text.parse().unwrap()),
            below: None,
            cards: None,
        }
    }

    fn prices(list: &[&str]) -> Vec<Option<Decimal>> {
        list.iter().map(|text| text.parse().ok()).collect()
    }

    #[test]
    fn sorted_rows_are_continued_from_the_last_price() {
        let next = split(&band(Some("0.1")), &prices(&["0.1", "0.2", "0.3"]));
        assert_eq!(next, [band(Some("0.3"))]);
    }

    #[test]
    fn unsorted_rows_are_asked_anew_in_halves() {
        let next = split(&band(None), &prices(&["0.3", "0.1", "0.2"]));
        let below = Band { below: Some("0.2".parse().unwrap()), ..band(None) };
        assert_eq!(next, [band(Some("0.2")), below]);
    }

    #[test]
    fn bounds_are_widened_so_that_binary_numbers_lose_no_row() {
        let next = split(&band(None), &prices(&["0.29009999999999997", "0.1"]));
        let below = Band { below: Some("0.2901".parse().unwrap()), ..band(None) };
        assert_eq!(next, [band(Some("0.290099")), below]);
    }

    #[test]
    fn rows_of_one_price_are_split_by_cards_and_then_no_further() {
        let next = split(&band(Some("0.1")), &prices(&["0.1", "0.1"]));
        assert_eq!(next.iter().filter_map(|band| band.cards).collect::<Vec<_>>(), CARDS);
        assert!(split(&next[0], &prices(&["0.1", "0.1"])).is_empty());
        assert!(split(&band(None), &[None]).is_empty());
    }

    #[test]
    fn round_numbers_of_rows_are_looked_behind() {
        assert!([64, 100, 128, 500, 1000, 5000, 7013].into_iter().all(is_full));
        assert!(![0, 1, 32, 63, 65, 999, 1023].into_iter().any(is_full));
    }
}
