//! The query line: how it is read, and changed by hand elsewhere.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A query line to be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LineRequest {
    /// The line.
    pub line: String,
}

/// A query line, read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ParsedLine {
    /// The same query in its shortest spelling.
    pub canonical: String,
    /// One chip a term.
    pub chips: Vec<Chip>,
    /// What is wrong with it, if anything.
    pub error: Option<LineError>,
}

/// A term of the query as a chip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Chip {
    /// The words of the line that make it; removing it is [`Edit::Remove`].
    pub text: String,
    /// Which column it filters: a facet key, or `count ram vcpu price cuda …`.
    pub key: String,
    /// `:`, `≥`, `<`, … or empty for a bare word.
    pub op: String,
    /// What stands after the operator.
    pub value: String,
    /// Excludes instead of keeping.
    pub negated: bool,
}

/// Why a line does not parse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LineError {
    /// The word.
    pub word: String,
    /// Its first character, counted in characters.
    pub at: u32,
    /// The nearest known word.
    pub nearest: Option<String>,
    /// English sentence for terminals and logs.
    pub message: String,
}

/// A change of the query line made by hand elsewhere: facet, chip, slider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EditRequest {
    /// The line before.
    pub line: String,
    /// What to change.
    pub edit: Edit,
}

/// What to change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Edit {
    /// Add or remove one value of a set filter.
    Toggle {
        /// Facet key.
        key: String,
        /// Value.
        value: String,
    },
    /// Set or clear a numeric filter.
    AtLeast {
        /// Column (`vram`, `count`, `ram`, …).
        key: String,
        /// Lower bound; null clears it.
        value: Option<f64>,
    },
    /// Remove the chip of this number.
    Remove {
        /// Counted from 0.
        index: u32,
    },
    /// Clear a whole column.
    Clear {
        /// Column.
        key: String,
    },
}
