//! The cards a word of the query stands for.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words::plain;
use crate::gpu::{self, Card, ModelId, Selection};

/// Some cards of the GPU table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cards {
    /// Every card a word selects: `h100` is all H100s.
    Word(Selection),
    /// Just the card (or the family of unknown variant) of this canonical name.
    Exactly(&'static str),
}

/// Whether something holds: providers do not always say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// No.
    No,
    /// Not said.
    Unknown,
    /// Yes.
    Yes,
}

impl From<Option<bool>> for Holds {
    fn from(said: Option<bool>) -> Self {
        said.map_or(Self::Unknown, |yes| if yes { Self::Yes } else { Self::No })
    }
}

impl Holds {
    /// The answer to the opposite question.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }

    /// Turned round when `negated`.
    #[must_use]
    pub fn negate_if(self, negated: bool) -> Self {
        if negated { self.opposite() } else { self }
    }
}

impl Cards {
    /// What a person's word selects; `None` where it is no card. The beginning of a name counts only where it ends
    /// with a whole number: `mi300` may mean the MI300X, but `h10` is a mistyped H100 and not a wish for all of them.
    #[must_use]
    pub fn word(text: &str) -> Option<Self> {
        let selection = gpu::search_word(text)?;
        let typed = plain(text);
        let cut = typed.ends_with(|c: char| c.is_ascii_digit())
            && gpu::card(&selection.name).is_none()
            && names(&selection.models).any(|name| {
                let name = plain(name);
                ["", "rtx", "gtx"].iter().any(|line| {
                    name.strip_prefix(&format!("{line}{typed}"))
                        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                })
            });
        (!cut).then_some(Self::Word(selection))
    }

    /// The card or family of a canonical name, in any case.
    #[must_use]
    pub fn exactly(name: &str) -> Option<Self> {
        let typed = plain(name);
        let known = || gpu::table().iter().map(|m| m.name).chain(gpu::families().iter().map(|f| f.name));
        gpu::card(name)
            .map(Card::name)
            .or_else(|| known().find(|name| plain(name) == typed))
            .map(Self::Exactly)
    }

    /// The shortest spelling of just this card: a plain word where one selects nothing else.
    #[must_use]
    pub fn only(name: &str) -> Option<Self> {
        let exactly = Self::exactly(name)?;
        let model = gpu::model(exactly.name());
        let word = Self::word(&slug(exactly.name())).filter(|cards| match (cards, model) {
            (Self::Word(selection), Some(model)) => {
                selection.models == [model.id]
                    && selection.families.is_empty()
                    && selection.name == model.name
            }
            _ => false,
        });
        Some(word.unwrap_or(exactly))
    }

    /// What a chip shows.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Word(selection) => &selection.name,
            Self::Exactly(name) => name,
        }
    }

    /// Whether a row with this canonical card is meant. Unknown for a family of which only some candidates are meant,
    /// and for a card the table does not know.
    #[must_use]
    pub fn hold(&self, canonical: &str) -> Holds {
        if gpu::card(canonical).is_none() {
            return Holds::Unknown;
        }
        let meant = match self {
            Self::Word(selection) => selection.matches(canonical),
            Self::Exactly(name) => *name == canonical,
        };
        if meant {
            return Holds::Yes;
        }
        let candidates = gpu::family(canonical).map(|family| family.members.as_slice()).unwrap_or_default();
        let possible = match self {
            Self::Word(selection) => candidates.iter().any(|id| selection.models.contains(id)),
            Self::Exactly(name) => names(candidates).any(|candidate| candidate == *name),
        };
        if possible { Holds::Unknown } else { Holds::No }
    }

    /// The single cards it stands for.
    pub fn members(&self) -> impl Iterator<Item = &'static str> {
        let ids: Vec<ModelId> = match self {
            Self::Word(selection) => selection.models.clone(),
            Self::Exactly(name) => {
                gpu::card(name).into_iter().flat_map(Card::members).map(|m| m.id).collect()
            }
        };
        names(&ids).collect::<Vec<_>>().into_iter()
    }

    /// As typed into a line.
    pub(super) fn typed(&self) -> String {
        match self {
            Self::Word(selection) => {
                let word = slug(&selection.name);
                match Self::word(&word) {
                    Some(Self::Word(again)) if again == *selection => word,
                    _ => format!("gpu:{}", super::quote(&selection.name)),
                }
            }
            Self::Exactly(name) => format!("gpu={}", super::quote(name)),
        }
    }
}

fn names(ids: &[ModelId]) -> impl Iterator<Item = &'static str> {
    ids.iter().filter_map(|id| gpu::table().get(usize::from(id.0))).map(|model| model.name)
}

fn slug(name: &str) -> String {
    name.replace(['(', ')'], "").replace(' ', "-").to_lowercase()
}

/// A query that selects just the rows of a card: of the table by its canonical name, or else by the provider's own.
#[must_use]
pub fn word_for_card(name: &str) -> String {
    static KNOWN: OnceLock<HashMap<&'static str, String>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let names = gpu::table().iter().map(|m| m.name).chain(gpu::families().iter().map(|f| f.name));
        names.filter_map(|name| Some((name, Cards::only(name)?.typed()))).collect()
    });
    known.get(name).cloned().unwrap_or_else(|| format!("raw:{}", super::quote(&name.to_lowercase())))
}
