//! Residency zones of a row's place, and of its seller where a query asks for both.

use super::columns::Profile;
use super::symbols::Symbols;
use crate::place;
use crate::query::{Holds, PLUS_SELLER, UNKNOWN};

/// Which zones each country lies in, of those a query asks for.
pub(super) struct Zones {
    place: Vec<(u32, bool)>,
    seller: Vec<(u32, bool)>,
    plain: u32,
    unknown: Holds,
}

impl Zones {
    pub(super) fn new(values: &[String], countries: &Symbols, unknown: Holds) -> Self {
        let words: Vec<(&str, bool)> = values
            .iter()
            .filter(|value| *value != UNKNOWN)
            .take(32)
            .map(|value| match value.strip_suffix(PLUS_SELLER) {
                Some(word) => (word, true),
                None => (value.as_str(), false),
            })
            .collect();
        let bits = |wanted: &dyn Fn(&(&str, bool)) -> bool| {
            words
                .iter()
                .enumerate()
                .filter(|(_, word)| wanted(word))
                .fold(0u32, |bits, (index, _)| bits | 1 << index)
        };
        let in_zones =
            |iso2: &str| (bits(&|(word, _)| place::zone_matches(word, iso2).unwrap_or(false)), true);
        let table = countries.table((0, false), in_zones);
        Self { seller: table.clone(), place: table, plain: bits(&|(_, plus)| !plus), unknown }
    }

    pub(super) fn hold(&self, profile: &Profile) -> Holds {
        let (place, place_said) = self.place[profile.country as usize];
        let (seller, seller_said) = self.seller[profile.seller as usize];
        if !place_said {
            return self.unknown;
        }
        if place & (seller | self.plain) != 0 {
            return Holds::Yes;
        }
        // The place is right, and only the seller's country is not said.
        if place & !self.plain != 0 && !seller_said { Holds::Unknown } else { Holds::No }
    }
}
