//! What a word of the query line selects, and the nearest known word to a mistyped one.

use super::table::ModelId;

/// The cards a query word stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The word to show in a chip: the canonical name of the card or family.
    pub name: &'static str,
    /// Every model it selects, in table order.
    pub models: Vec<ModelId>,
    /// Every family all of whose candidates it selects (an `H100` of unknown variant matches `h100`).
    pub families: Vec<&'static str>,
}

impl Selection {
    /// Whether an offer whose card has this canonical name (model or family) is selected.
    #[must_use]
    pub fn matches(&self, canonical: &str) -> bool {
        self.families.iter().any(|f| *f == canonical)
            || self.models.iter().filter_map(|id| super::table().get(usize::from(id.0))).any(|m| m.name == canonical)
    }
}

/// What `h100`, `4090`, `a100-80` or `rtx pro 6000` selects; `None` where it is no card.
#[must_use]
pub fn search_word(text: &str) -> Option<Selection> {
    let _ = text;
    None
}

/// The known model, family or alias nearest to a mistyped word, if one is near enough to propose.
#[must_use]
pub fn nearest(word: &str) -> Option<&'static str> {
    let _ = word;
    None
}
