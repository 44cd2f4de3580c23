//! What a word of the query line selects, and the nearest known word to a mistyped one.

use std::sync::OnceLock;

use super::resolve::{exact, keys};
use super::table::{self, Card, Model, ModelId};
use super::words::{Key, Words};

/// The cards a query word stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// What the chip shows: the card's or family's name, or the word itself where it is only a beginning.
    pub name: String,
    /// Every model it selects, in table order.
    pub models: Vec<ModelId>,
    /// Every family all of whose candidates it selects (an `H100` of unknown variant matches `h100`).
    pub families: Vec<&'static str>,
}

impl Selection {
    fn of(name: String, mut models: Vec<ModelId>) -> Self {
        models.sort_unstable();
        models.dedup();
        let families = table::families()
            .iter()
            .filter(|family| family.members.iter().all(|id| models.contains(id)))
            .map(|family| family.name)
            .collect();
        Self { name, models, families }
    }

    /// Whether an offer whose card has this canonical name (model or family) is selected.
    #[must_use]
    pub fn matches(&self, canonical: &str) -> bool {
        self.families.contains(&canonical)
            || table::model(canonical).is_some_and(|model| self.models.binary_search(&model.id).is_ok())
    }
}

/// What `h100`, `4090`, `a100-80`, `mi300` or `rtx pro 6000` selects; `None` where it is no card.
///
/// A full name selects the card with its other sizes and forms (`v100` all V100, `rtx4090` the rebuilt 48 GB one too,
/// not the 4090 D); `h100-sxm` that card alone. Anything else selects every card whose name begins so.
#[must_use]
pub fn search_word(text: &str) -> Option<Selection> {
    let key = Key::of(text);
    let bare = key.bytes();
    let plain = Words::of(text).without_filler();
    // A maker's name alone is no card.
    if plain.is_empty() || text.bytes().any(|byte| matches!(byte, b':' | b'<' | b'>' | b'=' | b',')) {
        return None;
    }
    let tried = [key, plain, prefixed("rtx", bare), prefixed("gtx", bare)];
    if let Some(ids) = tried.iter().find_map(|key| exact(key, None)).map(|meaning| meaning.models.as_slice())
        && let Some(card) = card_of(ids)
    {
        let mut models = ids.to_vec();
        models
            .extend(table::table().iter().filter(|model| is_variant(card.name(), model.name)).map(|m| m.id));
        return Some(Selection::of(card.name().to_owned(), models));
    }
    if bare.len() < 3 {
        return None;
    }
    let begins = |key: &Key| -> Vec<ModelId> {
        keys()
            .filter(|(name, _)| name.starts_with(key.bytes()))
            .flat_map(|(_, m)| m.models.iter().copied())
            .collect()
    };
    let models = tried.iter().map(begins).find(|models| !models.is_empty())?;
    Some(Selection::of(text.trim().to_ascii_uppercase(), models))
}

fn prefixed(prefix: &str, bare: &[u8]) -> Key {
    Key::of(&format!("{prefix}{}", String::from_utf8_lossy(bare)))
}

fn card_of(ids: &[ModelId]) -> Option<Card> {
    match ids {
        [only] => table::by_id(*only).map(Card::Model),
        _ => table::families().iter().find(|family| family.members == ids).map(Card::Family),
    }
}

/// Whether `name` is the card `of` in another size, form or rebuild: `V100 16GB FHHL` of `V100`.
fn is_variant(of: &str, name: &str) -> bool {
    name.strip_prefix(of).and_then(|rest| rest.strip_prefix(' ')).is_some_and(|rest| {
        rest.split(' ').all(|word| {
            matches!(word, "SXM" | "PCIe" | "NVL" | "FHHL" | "(modified)")
                || word.strip_suffix("GB").is_some_and(|size| size.bytes().all(|b| b.is_ascii_digit()))
        })
    })
}

/// The known card nearest to a mistyped word, as one word that [`search_word`] takes (`rtx-4090`); `None` where
/// nothing is near enough to propose.
#[must_use]
pub fn nearest(word: &str) -> Option<&'static str> {
    let key = Key::of(word);
    let typed = key.bytes();
    let most = match typed.len() {
        0..=2 => return None,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    };
    proposals()
        .iter()
        .flat_map(|proposal| proposal.keys.iter().map(move |key| (key, proposal.text)))
        .map(|(key, text)| (distance(typed, key), usize::MAX - same_start(typed, key), text))
        .filter(|(far, _, _)| *far <= most)
        .min_by_key(|(far, start, text)| (*far, *start, text.len()))
        .map(|(_, _, text)| text)
}

/// How many letters two words begin alike: people rarely miss the first one.
fn same_start(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

struct Proposal {
    text: &'static str,
    keys: Vec<Vec<u8>>,
}

fn proposals() -> &'static [Proposal] {
    static PROPOSALS: OnceLock<Vec<Proposal>> = OnceLock::new();
    PROPOSALS.get_or_init(|| {
        let names =
            table::families().iter().map(|f| f.name).chain(table::table().iter().map(|m: &Model| m.name));
        names
            .map(|name| {
                let text: &'static str =
                    name.replace(['(', ')'], "").replace(' ', "-").to_ascii_lowercase().leak();
                let full = Key::of(name).bytes().to_vec();
                // People leave out the line: 4090 for RTX 4090.
                let short = [b"rtx".as_slice(), b"gtx"].iter().find_map(|line| full.strip_prefix(*line));
                let keys = short.map(<[u8]>::to_vec).into_iter().chain([full.clone()]).collect();
                Proposal { text, keys }
            })
            .collect()
    })
}

/// Edits from one word to the other: insert, delete, replace, swap of neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1; width];
        for (j, y) in b.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (at(&last, j + 1) + 1).min(at(&row, j) + 1).min(at(&last, j) + usize::from(x != y));
            if i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x) {
                best = best.min(at(&before, j - 1) + 1);
            }
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = best;
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(a.len())
}
