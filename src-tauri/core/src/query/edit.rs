//! Changes of a query made by hand elsewhere: a facet's box, a slider, a chip's cross.

use rust_decimal::Decimal;

use super::cards::Holds;
use super::column::{Column, Fact, Number, Set};
use super::value::{self, Bounds};
use super::words::{self, Vocabulary};
use super::{Cards, Query, Term};

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Adds one value of a column, or takes it away where it is asked for.
    Toggle {
        /// Column.
        key: String,
        /// Value.
        value: String,
    },
    /// Sets the lower bound of a number, or clears it.
    AtLeast {
        /// Column.
        key: String,
        /// Lower bound.
        value: Option<Decimal>,
    },
    /// Takes away the term of this number, counted from 0 as in [`Query::chips`].
    Remove(usize),
    /// Takes away every term of a column.
    Clear {
        /// Column.
        key: String,
    },
}

/// A change that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// No such column, or not of the right kind.
    #[error("`{0}` is not a column that can be changed so")]
    Column(String),
    /// The column does not take the value.
    #[error("`{value}` is no value of `{key}`")]
    Value {
        /// Column.
        key: String,
        /// Value.
        value: String,
    },
    /// No such chip.
    #[error("there is no term number {0}")]
    Term(usize),
}

/// A term as a window shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The words of the canonical line that make it.
    pub text: String,
    /// Which column it filters.
    pub key: &'static str,
    /// `:`, `≥`, `<`, … or empty where the value says it all.
    pub op: &'static str,
    /// What is asked.
    pub value: String,
    /// Excludes instead of keeping.
    pub negated: bool,
}

impl Term {
    /// The key of the column it filters: what [`Edit::Clear`] takes and facets are named by.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Gpu { .. } | Self::Raw { .. } => Column::Gpu.name(),
            Self::Set { column, .. } => Column::Set(*column).name(),
            Self::Fact { fact: Fact::Nvlink, .. } => Column::Set(Set::Link).name(),
            Self::Fact { fact: Fact::Fabric, .. } => Column::Set(Set::Fabric).name(),
            Self::Fact { fact: Fact::Verified, .. } => Fact::Verified.word(),
            Self::Number { column, .. } => Column::Number(*column).name(),
            Self::Version { column, .. } => Column::Version(*column).name(),
        }
    }

    fn chip(&self) -> Chip {
        let (op, value, negated) = match self {
            Self::Gpu { cards, negated } => ("", cards.name().to_owned(), *negated),
            Self::Raw { text, negated } => ("", text.clone(), *negated),
            Self::Set { values, negated, .. } => (":", values.join(", "), *negated),
            Self::Fact { fact, negated } => ("", fact.word().to_owned(), *negated),
            Self::Number { column, bounds, currency } => {
                (bounds.sign(), bounds.shown(|v| value::shown(*column, *v, *currency)), false)
            }
            Self::Version { bounds, .. } => (bounds.sign(), bounds.shown(ToString::to_string), false),
        };
        Chip { text: self.to_string(), key: self.key(), op, value, negated }
    }
}

impl Query {
    /// One chip a term, in the order of the line.
    #[must_use]
    pub fn chips(&self) -> Vec<Chip> {
        self.terms.iter().map(Term::chip).collect()
    }

    /// Whether the line asks for this card (by its canonical name).
    #[must_use]
    pub fn wants_card(&self, name: &str) -> bool {
        let wants = |term: &Term| matches!(term, Term::Gpu { cards, negated: false } if cards.hold(name) == Holds::Yes);
        self.terms.iter().any(wants)
    }

    /// Whether the line asks for rows whose raw spelling of the card is this.
    #[must_use]
    pub fn wants_raw(&self, raw: &str) -> bool {
        let raw = raw.to_lowercase();
        self.terms.iter().any(|term| matches!(term, Term::Raw { text, negated: false } if raw.contains(text)))
    }

    /// Whether the line asks for this value of a column.
    #[must_use]
    pub fn wants(&self, wanted: Set, value: &str) -> bool {
        self.terms.iter().any(|term| match term {
            Term::Set { column, values, negated: false } => {
                *column == wanted && values.iter().any(|v| v == value)
            }
            _ => false,
        })
    }

    /// The values the line asks of a column.
    pub fn asked(&self, wanted: Set) -> impl Iterator<Item = &str> {
        self.terms
            .iter()
            .flat_map(move |term| match term {
                Term::Set { column, values, negated: false } if *column == wanted => values.as_slice(),
                _ => &[],
            })
            .map(String::as_str)
    }

    /// Whether the line asks for a value of a column that `text` (without spaces and dashes) begins with.
    #[must_use]
    pub(crate) fn wants_beginning(&self, wanted: Set, text: &str) -> bool {
        self.asked(wanted).any(|value| text.starts_with(&words::plain(value)))
    }

    /// The lower bound asked of a number, where there is one.
    #[must_use]
    pub fn at_least(&self, wanted: Number) -> Option<Decimal> {
        self.terms.iter().find_map(|term| match term {
            Term::Number { column, bounds: Bounds::AtLeast(low) | Bounds::Between(low, _), .. }
                if *column == wanted =>
            {
                Some(*low)
            }
            _ => None,
        })
    }

    /// The query after a change.
    ///
    /// # Errors
    /// [`EditError`] where column, value or chip does not exist.
    pub fn edit(&self, edit: &Edit) -> Result<Self, EditError> {
        let mut query = self.clone();
        match edit {
            Edit::Toggle { key, value } => query.toggle(key, value)?,
            Edit::AtLeast { key, value } => match Column::find(key) {
                Some(Column::Number(column)) => query.set_at_least(column, *value),
                _ => return Err(EditError::Column(key.clone())),
            },
            Edit::Remove(index) if *index < query.terms.len() => {
                query.terms.remove(*index);
            }
            Edit::Remove(index) => return Err(EditError::Term(*index)),
            Edit::Clear { key } => query.clear(key)?,
        }
        Ok(query)
    }

    fn clear(&mut self, key: &str) -> Result<(), EditError> {
        let name = if key == Fact::Verified.word() {
            Fact::Verified.word()
        } else {
            Column::find(key).map(Column::name).ok_or_else(|| EditError::Column(key.to_owned()))?
        };
        self.terms.retain(|term| term.key() != name && !matches!((term, name), (Term::Raw { .. }, "raw")));
        Ok(())
    }

    fn toggle(&mut self, key: &str, value: &str) -> Result<(), EditError> {
        let no_value = || EditError::Value { key: key.to_owned(), value: value.to_owned() };
        if let Some(words::Bare::Fact(fact)) = words::bare(key).filter(|_| Column::find(key).is_none()) {
            self.toggle_term(Term::Fact { fact, negated: false });
            return Ok(());
        }
        match Column::find(key).ok_or_else(|| EditError::Column(key.to_owned()))? {
            Column::Gpu => self.toggle_card(value),
            Column::Raw => self.toggle_term(Term::Raw { text: value.to_lowercase(), negated: false }),
            Column::Number(column) => {
                let (amount, _) = value::number(column, value).ok_or_else(no_value)?;
                let again = self.at_least(column) == Some(amount);
                self.set_at_least(column, (!again).then_some(amount));
            }
            Column::Version(_) => return Err(EditError::Column(key.to_owned())),
            Column::Set(column) => {
                let value =
                    words::canonical(column, value, true, &Vocabulary::default()).map_err(|_| no_value())?;
                self.toggle_value(column, value);
            }
        }
        Ok(())
    }

    fn toggle_term(&mut self, term: Term) {
        match self.terms.iter().position(|known| *known == term) {
            Some(index) => {
                self.terms.remove(index);
            }
            None => self.add(term),
        }
    }

    /// Takes the card out of what the words select, splitting a family's word into the rest of its members; or adds it.
    fn toggle_card(&mut self, name: &str) {
        let Some(only) = Cards::only(name) else {
            return self.toggle_term(Term::Raw { text: name.to_lowercase(), negated: false });
        };
        let name = only.name().to_owned();
        if !self.wants_card(&name) {
            // Asking for an excluded card ends its exclusion.
            self.terms.retain(|t| !matches!(t, Term::Gpu { cards, negated: true } if cards.name() == name));
            return self.add(Term::Gpu { cards: only, negated: false });
        }
        for term in std::mem::take(&mut self.terms) {
            match &term {
                Term::Gpu { cards, negated: false } if cards.hold(&name) == Holds::Yes => {
                    let rest = cards.members().filter(|member| *member != name);
                    let rest: Vec<&str> = if cards.name() == name { Vec::new() } else { rest.collect() };
                    for cards in rest.into_iter().filter_map(Cards::only) {
                        self.add(Term::Gpu { cards, negated: false });
                    }
                }
                _ => self.add(term),
            }
        }
    }

    fn toggle_value(&mut self, wanted: Set, value: String) {
        let was_wanted = self.wants(wanted, &value);
        for term in &mut self.terms {
            if let Term::Set { column, values, .. } = term
                && *column == wanted
            {
                values.retain(|known| *known != value);
            }
        }
        self.terms.retain(|term| !matches!(term, Term::Set { values, .. } if values.is_empty()));
        if !was_wanted {
            self.add(Term::Set { column: wanted, values: vec![value], negated: false });
        }
    }

    fn set_at_least(&mut self, wanted: Number, value: Option<Decimal>) {
        let mut place = None;
        let mut index = 0;
        self.terms.retain_mut(|term| {
            let keep = match term {
                Term::Number { column, bounds, .. } if *column == wanted => match bounds {
                    Bounds::AtLeast(_) | Bounds::Above(_) | Bounds::Exactly(_) => {
                        place.get_or_insert(index);
                        false
                    }
                    Bounds::Between(_, high) => {
                        *bounds = Bounds::AtMost(*high);
                        true
                    }
                    Bounds::AtMost(_) | Bounds::Below(_) => true,
                },
                _ => true,
            };
            index += usize::from(keep);
            keep
        });
        if let Some(low) = value {
            let term =
                Term::Number { column: wanted, bounds: Bounds::AtLeast(low.normalize()), currency: None };
            self.terms.insert(place.unwrap_or(self.terms.len()), term);
        }
    }
}
