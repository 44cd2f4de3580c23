//! The query line: one text that a person types, a facet edits and a chip shows.
//!
//! A line is a list of terms that must all hold: bare words (`h100`, `x8`, `spot`, `nvlink`), numbers
//! (`vram>=80`, `price<3`, `count:4..8`), words of a column (`country:de,fi`, `-cloud:vast`). Several cards, and
//! several values of one column, mean any of them. A row that does not say what a term asks fails it, also a negated
//! one, unless the view includes the unknown.

mod cards;
mod column;
mod edit;
mod lex;
mod parse;
mod value;
mod words;

use std::fmt;

use rust_decimal::Decimal;

pub use cards::{Cards, Holds, word_for_card};
pub use column::{Column, Fact, Number, Set, Versioned};
pub use edit::{Chip, Edit, EditError};
pub use parse::{ParseError, parse, parse_with};
pub use value::{Bounds, Version};
pub use words::{PLUS_SELLER, UNKNOWN, Vocabulary};
pub(crate) use words::{nearest, plain};

use crate::money::Currency;

/// One thing a row must have.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// One of the wanted cards (all positive card terms together mean any of them), or none of these.
    Gpu {
        /// Which.
        cards: Cards,
        /// Excludes them.
        negated: bool,
    },
    /// A card whose own spelling at the provider contains this, in lower case. Counts as one more wanted card.
    Raw {
        /// Part of the spelling.
        text: String,
        /// Excludes them.
        negated: bool,
    },
    /// One of these values, or none of these.
    Set {
        /// Which column.
        column: Set,
        /// In canonical spelling.
        values: Vec<String>,
        /// Excludes them.
        negated: bool,
    },
    /// A fact that must be known to hold, or known not to.
    Fact {
        /// Which.
        fact: Fact,
        /// Must not hold.
        negated: bool,
    },
    /// A number within bounds.
    Number {
        /// Which column.
        column: Number,
        /// In the unit of the column.
        bounds: Bounds<Decimal>,
        /// The currency of a price, where the line names one; else the view's.
        currency: Option<Currency>,
    },
    /// A version within bounds.
    Version {
        /// Which column.
        column: Versioned,
        /// Bounds.
        bounds: Bounds<Version>,
    },
}

/// A query line, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    terms: Vec<Term>,
}

impl Query {
    /// The terms in the order of the line.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether it asks for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds a term; values of a column already asked for join them, a repeated term changes nothing.
    fn add(&mut self, term: Term) {
        if self.terms.contains(&term) {
            return;
        }
        if let Term::Set { column, values, negated } = &term {
            let same = self.terms.iter_mut().find_map(|known| match known {
                Term::Set { column: c, values, negated: n } if c == column && n == negated => Some(values),
                _ => None,
            });
            let mut fresh: Vec<String> = Vec::new();
            for value in values {
                if !fresh.contains(value) && !same.as_ref().is_some_and(|known| known.contains(value)) {
                    fresh.push(value.clone());
                }
            }
            match same {
                Some(known) => known.extend(fresh),
                None => self.terms.push(Term::Set { column: *column, values: fresh, negated: *negated }),
            }
            return;
        }
        self.terms.push(term);
    }
}

impl fmt::Display for Query {
    /// The canonical line: read back, it gives the same query.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, term) in self.terms.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gpu { cards, negated } => write!(f, "{}{}", minus(*negated), cards.typed()),
            Self::Raw { text, negated } => write!(f, "{}raw:{}", minus(*negated), quote(text)),
            Self::Fact { fact, negated } => write!(f, "{}{}", minus(*negated), fact.word()),
            Self::Set { column, values, negated } => {
                if let [value] = values.as_slice()
                    && let Some(word) = words::bare_for(*column, value)
                {
                    return write!(f, "{}{word}", minus(*negated));
                }
                let values: Vec<String> = values.iter().map(|value| typed_value(*column, value)).collect();
                write!(f, "{}{}:{}", minus(*negated), Column::Set(*column), values.join(","))
            }
            Self::Number { column: Number::Count, bounds: Bounds::Exactly(count), .. }
                if is_times(*count) =>
            {
                write!(f, "x{}", count.normalize())
            }
            Self::Number { column, bounds, currency } => {
                let typed = bounds.typed(|value| value::shown(*column, *value, *currency));
                write!(f, "{}{typed}", Column::Number(*column))
            }
            Self::Version { column, bounds } => {
                write!(f, "{}{}", Column::Version(*column), bounds.typed(ToString::to_string))
            }
        }
    }
}

/// Whether `x8` can say it.
fn is_times(count: Decimal) -> bool {
    count.is_integer() && count >= Decimal::ZERO && count <= Decimal::from(u32::MAX)
}

fn minus(negated: bool) -> &'static str {
    if negated { "-" } else { "" }
}

/// A value as typed: in quotes where it would not be read back without.
fn typed_value(column: Set, value: &str) -> String {
    let bare = words::canonical(column, value, false, &Vocabulary::default());
    if is_plain(value) && bare.as_deref() == Ok(value) { value.to_owned() } else { quote_always(value) }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '"') || lex::is_operator(c))
}

/// A text as typed, in quotes only where it needs them.
fn quote(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quote_always(text) }
}

fn quote_always(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests;
