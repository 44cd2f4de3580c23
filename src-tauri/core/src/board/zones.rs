//! Residency zones of a row's place, and of its seller where a query asks for both.

use super::symbols::{Symbol, Symbols};
use crate::place;
use crate::query::{Holds, PLUS_SELLER, UNKNOWN};

/// Which of the zones a query asks for each country lies in, as bits; `None` for a country that is not said.
pub(super) struct Zones {
    by_country: Vec<Option<u32>>,
    /// Zones that ask for the place only.
    plain: u32,
    /// The answer where the place is not said.
    unknown: Holds,
    ask_sellers: bool,
}

impl Zones {
    /// More zones than bits are not asked for: there are not so many areas of law.
    pub(super) fn new(values: &[String], countries: &Symbols, unknown: Holds) -> Self {
        let zones = values.iter().filter(|value| *value != UNKNOWN).take(u32::BITS as usize);
        let zones: Vec<(&str, bool)> = zones
            .map(|value| match value.strip_suffix(PLUS_SELLER) {
                Some(zone) => (zone, true),
                None => (value.as_str(), false),
            })
            .collect();
        let bits = |wanted: &dyn Fn(&str, bool) -> bool| {
            let wanted = zones.iter().enumerate().filter(|(_, (zone, plus))| wanted(zone, *plus));
            wanted.fold(0u32, |bits, (index, _)| bits | 1 << index)
        };
        Self {
            by_country: countries.table(None, |iso2| Some(bits(&|zone, _| in_zone(zone, iso2)))),
            plain: bits(&|_, plus| !plus),
            unknown,
            ask_sellers: zones.iter().any(|(_, plus)| *plus),
        }
    }

    pub(super) fn ask_sellers(&self) -> bool {
        self.ask_sellers
    }

    /// The answer for each country, where no zone asks for the seller.
    pub(super) fn of_places(&self) -> impl Iterator<Item = Holds> {
        self.by_country.iter().map(|bits| bits.map_or(self.unknown, |bits| Holds::from(Some(bits != 0))))
    }

    pub(super) fn hold(&self, country: Symbol, seller: Symbol) -> Holds {
        let Some(place) = self.by_country[country as usize] else { return self.unknown };
        let seller = self.by_country[seller as usize];
        if place & (seller.unwrap_or(0) | self.plain) != 0 {
            return Holds::Yes;
        }
        // The place is right, and only the seller's country is not said.
        if place & !self.plain != 0 && seller.is_none() { Holds::Unknown } else { Holds::No }
    }
}

/// Whether a country lies in a zone; no country lies in a zone that does not exist.
pub(super) fn in_zone(zone: &str, iso2: &str) -> bool {
    place::zone_matches(zone, iso2).unwrap_or(false)
}
