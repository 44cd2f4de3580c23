//! How many rows each value of a filter would leave, all other filters standing.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::Board;
use super::columns::{Seller, Setting};
use super::plan::Dimension;
use super::policies::Kept;
use super::scan::Scan;
use super::symbols::{NONE, Symbols};
use super::zones::in_zone;
use crate::offer::{Form, PriceKind, Source, SupplyState};
use crate::place;
use crate::query::{Number, PLUS_SELLER, Query, Set, UNKNOWN, plain};

/// Steps of the VRAM facet, GiB of one card: the sizes cards come in. Each counts the rows with at least that much.
pub const VRAM_STEPS: [u32; 14] = [8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128, 141, 180, 288];

/// The country whose own sellers are told apart in the zone facet: its law asks for both.
const OWN_SELLER: &str = "RU";

/// A filter with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facet {
    /// `gpu vram form zone link fabric cloud kind seller source supply policy`.
    pub key: &'static str,
    /// The most frequent first; VRAM by size, policies in the order of the view.
    pub values: Vec<FacetValue>,
}

/// A value of a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetValue {
    /// What [`crate::query::Edit::Toggle`] takes: a card's canonical name (or the raw name of an unknown one), a word
    /// of the column, `unknown`.
    pub value: String,
    /// Rows that have it.
    pub count: u32,
    /// Whether the query asks for it.
    pub chosen: bool,
}

/// Counts by number.
struct Tally(Vec<u32>);

impl Tally {
    fn new(length: usize) -> Self {
        Self(vec![0; length])
    }

    fn add(&mut self, index: impl Into<u64>, rows: u32) {
        if let Some(count) = self.0.get_mut(index.into() as usize) {
            *count += rows;
        }
    }
}

/// Rows of each variant, seller, setting and country that match, and those that fail only the dimension of the index.
struct Counts {
    all: [Vec<u32>; 4],
    but: [Vec<u32>; FACETS],
}

const FACETS: usize = Dimension::Rest as usize;

/// Where the value of a facet is found: with the variant, the seller, the setting or the country of a profile. Policies
/// look at several of them and are counted by themselves.
const HOLDER: [usize; FACETS] =
    [VARIANT, VARIANT, SETTING, COUNTRY, VARIANT, SETTING, SELLER, SELLER, SELLER, SELLER, SETTING, SETTING];
const VARIANT: usize = 0;
const SELLER: usize = 1;
const SETTING: usize = 2;
const COUNTRY: usize = 3;

impl Counts {
    fn new(board: &Board, scan: &Scan) -> Self {
        let lengths =
            [board.variants.len(), board.sellers.len(), board.settings.len(), board.texts.countries.len()];
        let mut counts = Self {
            all: lengths.map(|length| vec![0; length]),
            but: HOLDER.map(|holder| vec![0; lengths[holder]]),
        };
        let profiles = &board.profiles;
        let holders = [&profiles.variant, &profiles.seller, &profiles.setting, &profiles.country];
        for (profile, (failed, passed)) in scan.failed.iter().zip(&scan.passed).enumerate() {
            if *passed == 0 {
                continue;
            }
            if *failed == 0 {
                for (counts, holder) in counts.all.iter_mut().zip(holders) {
                    counts[holder[profile] as usize] += passed;
                }
            } else if let Some(counts) = counts.but.get_mut(failed.trailing_zeros() as usize) {
                // A profile of which rows pass fails no more than this one dimension.
                let holder = holders[HOLDER[failed.trailing_zeros() as usize]];
                counts[holder[profile] as usize] += passed;
            }
        }
        counts
    }

    /// Rows of each holder of a facet's values, its own filter lifted.
    fn of(&self, dimension: Dimension) -> impl Iterator<Item = u32> {
        let facet = dimension as usize;
        self.all[HOLDER[facet]].iter().zip(&self.but[facet]).map(|(all, but)| all + but)
    }
}

pub(super) fn count(board: &Board, scan: &Scan, query: &Query, kept: &[Kept]) -> Vec<Facet> {
    let texts = &board.texts;
    let counts = Counts::new(board, scan);
    let tally = |length: usize, dimension: Dimension, number: &dyn Fn(usize) -> u64| {
        let mut tally = Tally::new(length);
        for (holder, rows) in counts.of(dimension).enumerate().filter(|(_, rows)| *rows > 0) {
            tally.add(number(holder), rows);
        }
        tally
    };
    let group = tally(board.groups.len(), Dimension::Gpu, &|v| board.facts[v].group.into());
    let steps = tally(VRAM_STEPS.len() + 1, Dimension::Vram, &|v| {
        let vram = board.variants[v].vram();
        VRAM_STEPS.iter().take_while(|step| **step as f32 <= vram).count() as u64
    });
    let link = tally(texts.links.len(), Dimension::Link, &|v| board.facts[v].link.into());
    let seller = |length, dimension, number: fn(&Seller) -> u64| {
        tally(length, dimension, &|s| number(&board.sellers[s]))
    };
    let cloud = seller(texts.providers.len(), Dimension::Cloud, |seller| seller.cloud.into());
    let kind = seller(PriceKind::ALL.len(), Dimension::Kind, |seller| seller.kind as u64);
    let law = seller(texts.countries.len(), Dimension::Seller, |seller| seller.country.into());
    let source = seller(Source::ALL.len(), Dimension::Source, |seller| seller.source as u64);
    let setting = |length, dimension, number: fn(&Setting) -> u64| {
        tally(length, dimension, &|s| number(&board.settings[s]))
    };
    let form = setting(Form::ALL.len(), Dimension::Form, |setting| setting.form as u64);
    let fabric = setting(texts.fabrics.len(), Dimension::Fabric, |setting| setting.fabric.into());
    let supply = setting(SupplyState::ALL.len(), Dimension::Supply, |setting| setting.supply as u64);
    let country: Vec<u32> = counts.of(Dimension::Zone).collect();
    vec![
        facet("gpu", cards(board, &group, query)),
        Facet { key: "vram", values: vram(&steps, query) },
        facet("form", words(Set::Form, Form::ALL.iter().map(|w| w.word()), &form, query)),
        facet("zone", zones(board, &country, scan, query)),
        facet("link", names(Set::Link, &texts.links, &link, query)),
        facet("fabric", names(Set::Fabric, &texts.fabrics, &fabric, query)),
        facet("cloud", names(Set::Cloud, &texts.providers, &cloud, query)),
        facet("kind", words(Set::Kind, PriceKind::ALL.iter().map(|w| w.word()), &kind, query)),
        facet("seller", names(Set::Seller, &texts.countries, &law, query)),
        facet("source", words(Set::Source, Source::ALL.iter().map(|w| w.word()), &source, query)),
        facet("supply", words(Set::Supply, SupplyState::ALL.iter().map(|w| w.word()), &supply, query)),
        // All of them, also those that keep nothing: that they do is what one wants to see.
        Facet { key: "policy", values: policies(kept, query).collect() },
    ]
}

/// Values that some row has or the query asks for, the most frequent first.
fn facet(key: &'static str, values: impl IntoIterator<Item = FacetValue>) -> Facet {
    let mut values: Vec<FacetValue> =
        values.into_iter().filter(|value| value.count > 0 || value.chosen).collect();
    values.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
    Facet { key, values }
}

fn cards<'a>(board: &'a Board, tally: &'a Tally, query: &'a Query) -> impl Iterator<Item = FacetValue> + 'a {
    let groups = 0..board.groups.len().saturating_sub(1);
    groups.filter_map(move |group| {
        let profiles = board.group_range(group);
        let variant = *board.profiles.variant.get(profiles.clone()).and_then(<[u32]>::first)? as usize;
        let value = board.shown_card(variant);
        let chosen = if board.facts[variant].card.is_some() {
            query.wants_card(value)
        } else {
            query.wants_raw(value)
        };
        Some(FacetValue { value: value.to_owned(), count: tally.0[group], chosen })
    })
}

fn vram(tally: &Tally, query: &Query) -> Vec<FacetValue> {
    let asked = query.at_least(Number::Vram);
    let at_least = |index: usize| tally.0[index + 1..].iter().sum();
    VRAM_STEPS
        .iter()
        .enumerate()
        .map(|(index, step)| FacetValue {
            value: step.to_string(),
            count: at_least(index),
            chosen: asked == Some(Decimal::from(*step)),
        })
        .collect()
}

fn words<'a>(
    column: Set,
    words: impl Iterator<Item = &'static str> + 'a,
    tally: &'a Tally,
    query: &'a Query,
) -> impl Iterator<Item = FacetValue> + 'a {
    words.zip(&tally.0).map(move |(word, count)| FacetValue {
        value: word.to_owned(),
        count: *count,
        chosen: query.wants(column, word),
    })
}

fn names<'a>(
    column: Set,
    symbols: &'a Symbols,
    tally: &'a Tally,
    query: &'a Query,
) -> impl Iterator<Item = FacetValue> + 'a {
    let begins = matches!(column, Set::Link | Set::Fabric);
    tally.0.iter().enumerate().map(move |(symbol, count)| {
        let value = if symbol == NONE as usize { UNKNOWN } else { symbols.get(symbol as u32) };
        let chosen = query.wants(column, value)
            || (begins && symbol != NONE as usize && query.wants_beginning(column, &plain(value)));
        FacetValue { value: value.to_owned(), count: *count, chosen }
    })
}

/// Rows that break none of each policy.
fn policies<'a>(kept: &'a [Kept], query: &'a Query) -> impl Iterator<Item = FacetValue> + 'a {
    kept.iter().map(|one| FacetValue {
        value: one.policy.clone(),
        count: one.rows,
        chosen: query.wants(Set::Policy, &one.policy),
    })
}

/// Countries gathered into the widest zone of each, zones the query asks for besides, and those that are not known.
fn zones(board: &Board, by_country: &[u32], scan: &Scan, query: &Query) -> Vec<FacetValue> {
    let countries = &board.texts.countries;
    let mut zones: BTreeMap<&str, u32> = BTreeMap::new();
    for (symbol, count) in by_country.iter().enumerate().skip(1) {
        if let Some(zone) = place::zones(countries.get(symbol as u32)).first() {
            *zones.entry(zone.0).or_default() += count;
        }
    }
    let mut values: Vec<(String, u32)> =
        zones.into_iter().map(|(zone, count)| (zone.to_owned(), count)).collect();
    values.push((UNKNOWN.to_owned(), by_country.first().copied().unwrap_or(0)));
    values.push((format!("{OWN_SELLER}{PLUS_SELLER}"), with_seller(board, by_country, scan, OWN_SELLER)));
    for asked in query.asked(Set::Zone) {
        if !values.iter().any(|(value, _)| value == asked) {
            let count = match asked.strip_suffix(PLUS_SELLER) {
                Some(zone) => with_seller(board, by_country, scan, zone),
                None => {
                    let inside = countries.table(false, |iso2| in_zone(asked, iso2));
                    by_country.iter().zip(inside).filter(|(_, inside)| *inside).map(|(count, _)| count).sum()
                }
            };
            values.push((asked.to_owned(), count));
        }
    }
    let chosen = |value: &str| query.wants(Set::Zone, value);
    values.into_iter().map(|(value, count)| FacetValue { chosen: chosen(&value), value, count }).collect()
}

/// Rows whose place and whose seller both lie in a zone.
fn with_seller(board: &Board, by_country: &[u32], scan: &Scan, zone: &str) -> u32 {
    let inside = board.texts.countries.table(false, |iso2| in_zone(zone, iso2));
    // Most markets have no row there at all: then there is nothing to count.
    if !by_country.iter().zip(&inside).any(|(count, inside)| *inside && *count > 0) {
        return 0;
    }
    let sellers: Vec<bool> = board.sellers.iter().map(|seller| inside[seller.country as usize]).collect();
    let profiles = board.profiles.country.iter().zip(&board.profiles.seller);
    let counted =
        profiles.zip(scan.failed.iter().zip(&scan.passed)).filter(|((country, seller), (failed, _))| {
            *failed & !Dimension::Zone.bit() == 0 && inside[**country as usize] && sellers[**seller as usize]
        });
    counted.map(|(_, (_, passed))| passed).sum()
}
