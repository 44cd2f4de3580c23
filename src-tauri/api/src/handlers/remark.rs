//! Remarks: a fixed word with its figures for the window's own sentence, and the English one for the terminal.

use std::collections::BTreeMap;

use crate::rental::Remark;

impl Remark {
    pub(super) fn new(code: &str, weight: &str, text: impl Into<String>) -> Self {
        Self { code: code.to_owned(), text: text.into(), weight: weight.to_owned(), figures: BTreeMap::new() }
    }

    /// Adds a figure or a name.
    pub(super) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.figures.insert(name.to_owned(), value.to_string());
        self
    }
}
