//! The words each column takes, in their one canonical spelling, and the nearest of them to a mistyped one.

use std::str::FromStr;

use super::column::{Column, Fact, Set};
use crate::gpu;
use crate::offer::{Form, Isolation, PriceKind, Source, SupplyState};
use crate::place;
use crate::policy::Policy;

/// Stands for rows that do not say.
pub const UNKNOWN: &str = "unknown";

/// Asks of the seller's country what a zone asks of the machine's: `RU+seller`.
pub const PLUS_SELLER: &str = "+seller";

/// Names that only the rows at hand know: clouds of imported price lists, a team's own servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Clouds and providers beyond the known ones, in lower case.
    pub clouds: Vec<String>,
    /// Residency policies beyond those that come with the desk.
    pub policies: Vec<String>,
}

/// What a word standing alone means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
    /// One value of a column.
    Value(Set, &'static str),
    /// A fact.
    Fact(Fact),
}

const BARE: &[(&str, Bare)] = &[
    ("spot", Bare::Value(Set::Kind, "spot")),
    ("спот", Bare::Value(Set::Kind, "spot")),
    ("on-demand", Bare::Value(Set::Kind, "on-demand")),
    ("ondemand", Bare::Value(Set::Kind, "on-demand")),
    ("reserved", Bare::Value(Set::Kind, "reserved")),
    ("bid", Bare::Value(Set::Kind, "bid")),
    ("instock", Bare::Value(Set::Supply, "in-stock")),
    ("in-stock", Bare::Value(Set::Supply, "in-stock")),
    ("infiniband", Bare::Value(Set::Fabric, "infiniband")),
    ("ib", Bare::Value(Set::Fabric, "infiniband")),
    ("nvlink", Bare::Fact(Fact::Nvlink)),
    ("fabric", Bare::Fact(Fact::Fabric)),
    ("verified", Bare::Fact(Fact::Verified)),
    ("vm", Bare::Value(Set::Form, "vm")),
    ("bare-metal", Bare::Value(Set::Form, "bare-metal")),
    ("container", Bare::Value(Set::Form, "container")),
    ("cluster", Bare::Value(Set::Form, "cluster")),
    ("serverless", Bare::Value(Set::Form, "serverless")),
];

/// Finds a word that may stand alone.
pub(super) fn bare(word: &str) -> Option<Bare> {
    let word = word.to_lowercase();
    BARE.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// The word that, standing alone, asks for one value of a column, where there is one that is shown so.
pub(super) fn bare_for(column: Set, value: &str) -> Option<&'static str> {
    let shown_bare = matches!(column, Set::Kind | Set::Supply | Set::Fabric);
    BARE.iter()
        .find(|(_, meaning)| {
            shown_bare && matches!(meaning, Bare::Value(c, v) if *c == column && *v == value)
        })
        .map(|(word, _)| *word)
}

/// Why a value does not belong to its column: the nearest that does, where one is near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotAValue {
    pub nearest: Option<String>,
}

/// The canonical spelling of a column's value. `quoted` text is taken as it stands by the columns whose values
/// nobody can list.
pub(super) fn canonical(
    column: Set,
    text: &str,
    quoted: bool,
    vocabulary: &Vocabulary,
) -> Result<String, NotAValue> {
    let text = text.trim();
    let unknown_allowed = matches!(
        column,
        Set::Country
            | Set::Zone
            | Set::Seller
            | Set::Vendor
            | Set::Link
            | Set::Fabric
            | Set::Isolation
            | Set::Supply
    );
    if unknown_allowed && text.eq_ignore_ascii_case(UNKNOWN) {
        return Ok(UNKNOWN.to_owned());
    }
    match column {
        Set::Country | Set::Seller => country(text),
        Set::Zone => zone(text),
        Set::Form => listed::<Form>(text, Form::ALL),
        Set::Kind => listed::<PriceKind>(text, PriceKind::ALL),
        Set::Source => listed::<Source>(text, Source::ALL),
        Set::Isolation => listed::<Isolation>(text, Isolation::ALL),
        Set::Supply => listed::<SupplyState>(text, SupplyState::ALL),
        Set::Cloud | Set::Provider => cloud(text, quoted, vocabulary),
        Set::Vendor => vendor(text),
        Set::Link => link(text, quoted),
        Set::Region => Ok(text.to_lowercase()),
        Set::Fabric => fabric(text, quoted),
        Set::Policy => policy(text, quoted, vocabulary),
    }
}

fn listed<T: FromStr + Copy + std::fmt::Display>(text: &str, all: &[T]) -> Result<String, NotAValue> {
    let word = text.replace('_', "-");
    let plain = |word: &str| word.replace('-', "").to_lowercase();
    let found = all.iter().map(ToString::to_string).find(|known| plain(known) == plain(&word));
    found.ok_or_else(|| not_a_value(&word, all.iter().map(ToString::to_string)))
}

fn country(text: &str) -> Result<String, NotAValue> {
    let lower = text.to_lowercase();
    let in_russian = || place::countries().iter().find(|c| c.name_ru.to_lowercase() == lower).copied();
    if let Some(country) = place::country(text).or_else(|| place::country_named(text)).or_else(in_russian) {
        return Ok(country.iso2.to_owned());
    }
    let names = place::countries().iter().flat_map(|c| [(c.name_en, c.iso2), (c.name_ru, c.iso2)]);
    let near = names.filter_map(|(name, iso2)| Some((closeness(&lower, &name.to_lowercase())?, iso2)));
    Err(NotAValue { nearest: near.min().map(|(_, iso2)| iso2.to_owned()) })
}

fn zone(text: &str) -> Result<String, NotAValue> {
    let lower = text.to_lowercase();
    let (word, plus) = match lower.strip_suffix(PLUS_SELLER) {
        Some(word) => (word, PLUS_SELLER),
        None => (lower.as_str(), ""),
    };
    if place::zone_matches(word, "DE").is_err() {
        return Err(not_a_value(word, place::zone_words().iter().map(|zone| (*zone).to_owned())));
    }
    let known = place::zone_words().iter().find(|zone| zone.eq_ignore_ascii_case(word));
    Ok(format!("{}{plus}", known.map_or_else(|| word.to_uppercase(), |zone| (*zone).to_owned())))
}

fn cloud(text: &str, quoted: bool, vocabulary: &Vocabulary) -> Result<String, NotAValue> {
    let lower = text.to_lowercase();
    let ours = place::canonical_provider(&lower);
    if quoted || place::provider_title(ours).is_some() || vocabulary.clouds.iter().any(|known| known == ours)
    {
        return Ok(ours.to_owned());
    }
    if vocabulary.clouds.contains(&lower) {
        return Ok(lower);
    }
    let known = place::providers().map(ToOwned::to_owned);
    Err(not_a_value(&lower, known.chain(vocabulary.clouds.iter().cloned())))
}

fn policy(text: &str, quoted: bool, vocabulary: &Vocabulary) -> Result<String, NotAValue> {
    if let Some(name) = Policy::built_in_name(text) {
        return Ok(name.to_owned());
    }
    let lower = text.to_lowercase();
    if let Some(name) = vocabulary.policies.iter().find(|name| plain(name) == plain(&lower)) {
        return Ok(name.clone());
    }
    if quoted {
        return Ok(lower);
    }
    let known = Policy::built_in().into_iter().map(|policy| policy.name);
    Err(not_a_value(&lower, known.chain(vocabulary.policies.iter().cloned())))
}

fn vendor(text: &str) -> Result<String, NotAValue> {
    let mut known: Vec<&str> = gpu::table().iter().map(|model| model.vendor).collect();
    known.sort_unstable();
    known.dedup();
    match known.iter().find(|vendor| vendor.eq_ignore_ascii_case(text)) {
        Some(vendor) => Ok((*vendor).to_owned()),
        None => Err(not_a_value(text, known.iter().map(|vendor| (*vendor).to_owned()))),
    }
}

fn link(text: &str, quoted: bool) -> Result<String, NotAValue> {
    let typed = plain(text);
    let links = || gpu::table().iter().filter_map(|model| model.link).map(|link| link.text);
    if quoted || (!typed.is_empty() && links().any(|link| plain(link).starts_with(&typed))) {
        return Ok(text.to_lowercase());
    }
    Err(not_a_value(text, links().filter_map(|link| link.split(' ').next()).map(ToOwned::to_owned)))
}

/// Networks between boxes that providers name.
const FABRICS: [&str; 6] = ["infiniband", "roce", "efa", "spectrum-x", "slingshot", "ethernet"];

fn fabric(text: &str, quoted: bool) -> Result<String, NotAValue> {
    let lower = text.to_lowercase();
    if lower == "ib" {
        return Ok("infiniband".to_owned());
    }
    let first = lower.split(' ').next().unwrap_or_default();
    if quoted || FABRICS.contains(&first) {
        return Ok(lower);
    }
    Err(not_a_value(&lower, FABRICS.iter().map(|name| (*name).to_owned())))
}

/// A name without what people spell differently: case, spaces, dashes.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn not_a_value(typed: &str, known: impl IntoIterator<Item = String>) -> NotAValue {
    NotAValue { nearest: nearest(typed, known) }
}

/// The nearest word that may stand alone.
pub(super) fn nearest_bare(typed: &str) -> Option<String> {
    nearest(typed, BARE.iter().map(|(word, _)| (*word).to_owned()))
}

/// The nearest column.
pub(super) fn nearest_column(typed: &str) -> Option<String> {
    nearest(typed, Column::names().map(ToOwned::to_owned))
}

/// The nearest of some words, if one is near enough to propose.
pub(crate) fn nearest(typed: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let typed = typed.to_lowercase();
    let near = known.into_iter().filter_map(|word| Some((closeness(&typed, &word.to_lowercase())?, word)));
    near.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, word)| word)
}

/// Edits from one word to the other, or `None` where they have too little in common: a third of the letters may
/// differ, at least one.
fn closeness(typed: &str, known: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (typed.chars().collect(), known.chars().collect());
    let most = (a.len().max(b.len()) / 3).max(1);
    if a.len() < 2 || a.len().abs_diff(b.len()) > most {
        return None;
    }
    Some(edits(&a, &b)).filter(|edits| *edits <= most)
}

/// Insertions, deletions, replacements and swaps of neighbours.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}
