//! How many rows each value of a filter would leave, all other filters standing.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::plan::{Dimension, Plan};
use super::scan::Scan;
use super::symbols::{NONE, Symbols};
use super::view::View;
use super::{Board, Facts};
use crate::board::columns::{Profile, Texts};
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
    /// `gpu vram form zone link fabric cloud kind seller source supply`.
    pub key: &'static str,
    /// The most frequent first; VRAM by size.
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
    fn add(&mut self, index: usize, rows: u32) {
        if let Some(count) = self.0.get_mut(index) {
            *count += rows;
        }
    }
}

/// One tally a facet.
struct Tallies {
    group: Tally,
    vram: Tally,
    form: Tally,
    country: Tally,
    with_seller: Vec<WithSeller>,
    link: Tally,
    fabric: Tally,
    cloud: Tally,
    kind: Tally,
    seller: Tally,
    source: Tally,
    supply: Tally,
}

/// A zone that is asked of the place and of the seller.
struct WithSeller {
    value: String,
    /// By country.
    inside: Vec<bool>,
    count: u32,
}

fn with_seller(texts: &Texts, query: &Query) -> Vec<WithSeller> {
    let mut zones = vec![OWN_SELLER];
    zones.extend(query.asked(Set::Zone).filter_map(|asked| asked.strip_suffix(PLUS_SELLER)));
    zones.dedup();
    let zone = |zone: &str| WithSeller {
        value: format!("{zone}{PLUS_SELLER}"),
        inside: in_zone(&texts.countries, zone),
        count: 0,
    };
    zones.into_iter().map(zone).collect()
}

/// Whether each country lies in a zone.
fn in_zone(countries: &Symbols, zone: &str) -> Vec<bool> {
    countries.table(false, |iso2| place::zone_matches(zone, iso2).unwrap_or(false))
}

pub(super) fn count(board: &Board, plan: &Plan<'_>, scan: &Scan, view: &View<'_>) -> Vec<Facet> {
    let texts = &board.texts;
    let tally = |length: usize| Tally(vec![0; length]);
    let groups = board.facts.last().map_or(0, |facts| facts.group as usize + 1);
    let mut tallies = Tallies {
        group: tally(groups),
        vram: tally(VRAM_STEPS.len() + 1),
        form: tally(Form::ALL.len()),
        country: tally(texts.countries.len()),
        with_seller: with_seller(texts, view.query),
        link: tally(texts.links.len()),
        fabric: tally(texts.fabrics.len()),
        cloud: tally(texts.providers.len()),
        kind: tally(PriceKind::ALL.len()),
        seller: tally(texts.countries.len()),
        source: tally(Source::ALL.len()),
        supply: tally(SupplyState::ALL.len()),
    };
    for (index, (profile, facts)) in board.profiles.iter().zip(&board.facts).enumerate() {
        let (failed, rows) = (plan.failed[index], scan.passed[index]);
        if rows > 0 && failed.count_ones() <= 1 {
            add(&mut tallies, profile, facts, failed, rows);
        }
    }
    shown(board, &tallies, view.query)
}

fn add(tallies: &mut Tallies, profile: &Profile, facts: &Facts, failed: u16, rows: u32) {
    let counts = |dimension: Dimension| failed == 0 || failed == dimension as u16;
    if counts(Dimension::Gpu) {
        tallies.group.add(facts.group as usize, rows);
    }
    if counts(Dimension::Vram) {
        let vram = f32::from_bits(profile.vram);
        let steps = VRAM_STEPS.iter().take_while(|step| **step as f32 <= vram).count();
        tallies.vram.add(steps, rows);
    }
    if counts(Dimension::Form) {
        tallies.form.add(profile.form as usize, rows);
    }
    if counts(Dimension::Zone) {
        tallies.country.add(profile.country as usize, rows);
        for zone in &mut tallies.with_seller {
            if zone.inside[profile.country as usize] && zone.inside[profile.seller as usize] {
                zone.count += rows;
            }
        }
    }
    if counts(Dimension::Link) {
        tallies.link.add(facts.link as usize, rows);
    }
    if counts(Dimension::Fabric) {
        tallies.fabric.add(profile.fabric as usize, rows);
    }
    if counts(Dimension::Cloud) {
        tallies.cloud.add(profile.cloud as usize, rows);
    }
    if counts(Dimension::Kind) {
        tallies.kind.add(profile.kind as usize, rows);
    }
    if counts(Dimension::Seller) {
        tallies.seller.add(profile.seller as usize, rows);
    }
    if counts(Dimension::Source) {
        tallies.source.add(profile.source as usize, rows);
    }
    if counts(Dimension::Supply) {
        tallies.supply.add(profile.supply as usize, rows);
    }
}

fn shown(board: &Board, tallies: &Tallies, query: &Query) -> Vec<Facet> {
    let texts = &board.texts;
    vec![
        facet("gpu", cards(board, &tallies.group, query)),
        Facet { key: "vram", values: vram(&tallies.vram, query) },
        facet("form", words(Set::Form, Form::ALL.iter().map(|w| w.word()), &tallies.form, query)),
        facet("zone", zones(board, tallies, query)),
        facet("link", names(Set::Link, &texts.links, &tallies.link, query)),
        facet("fabric", names(Set::Fabric, &texts.fabrics, &tallies.fabric, query)),
        facet("cloud", names(Set::Cloud, &texts.providers, &tallies.cloud, query)),
        facet("kind", words(Set::Kind, PriceKind::ALL.iter().map(|w| w.word()), &tallies.kind, query)),
        facet("seller", names(Set::Seller, &texts.countries, &tallies.seller, query)),
        facet("source", words(Set::Source, Source::ALL.iter().map(|w| w.word()), &tallies.source, query)),
        facet(
            "supply",
            words(Set::Supply, SupplyState::ALL.iter().map(|w| w.word()), &tallies.supply, query),
        ),
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
    let mut last = None;
    let firsts = board.facts.iter().zip(&board.profiles).filter(move |(facts, _)| {
        let first = last != Some(facts.group);
        last = Some(facts.group);
        first
    });
    firsts.map(move |(facts, profile)| {
        let count = tally.0[facts.group as usize];
        let value = board.shown_card(facts, profile);
        let chosen = if facts.card.is_some() { query.wants_card(value) } else { query.wants_raw(value) };
        FacetValue { value: value.to_owned(), count, chosen }
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

/// Countries gathered into the widest zone of each, zones the query asks for besides, and those that are not known.
fn zones(board: &Board, tallies: &Tallies, query: &Query) -> Vec<FacetValue> {
    let countries = &board.texts.countries;
    let mut zones: BTreeMap<&str, u32> = BTreeMap::new();
    for (symbol, count) in tallies.country.0.iter().enumerate().skip(1) {
        if let Some(zone) = place::zones(countries.get(symbol as u32)).first() {
            *zones.entry(zone.0).or_default() += count;
        }
    }
    let mut values: Vec<(String, u32)> =
        zones.into_iter().map(|(zone, count)| (zone.to_owned(), count)).collect();
    values.push((UNKNOWN.to_owned(), tallies.country.0.first().copied().unwrap_or(0)));
    values.extend(tallies.with_seller.iter().map(|zone| (zone.value.clone(), zone.count)));
    for asked in query.asked(Set::Zone) {
        if !values.iter().any(|(value, _)| value == asked) {
            let inside = in_zone(countries, asked);
            let count = tallies
                .country
                .0
                .iter()
                .zip(inside)
                .filter(|(_, inside)| *inside)
                .map(|(count, _)| count)
                .sum();
            values.push((asked.to_owned(), count));
        }
    }
    let chosen = |value: &str| query.wants(Set::Zone, value);
    values.into_iter().map(|(value, count)| FacetValue { chosen: chosen(&value), value, count }).collect()
}
