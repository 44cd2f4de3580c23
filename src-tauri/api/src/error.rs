//! Errors at the edge: one shape, codes that somebody acts on.

use gpudesk_engine::{DeskError, Failure};

use crate::desk::ApiError;
use crate::line::LineError;

impl ApiError {
    pub(crate) fn new(code: &str, what: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code: code.to_owned(), what: what.into(), detail: detail.into(), hint: None, line: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A request or answer that is not of its command's shape: a fault of the caller's or ours.
    #[must_use]
    pub fn wrong_shape(command: &str, error: &serde_json::Error) -> Self {
        Self::new("request-invalid", format!("`{command}`"), error.to_string())
    }

    /// A command that does not exist.
    #[must_use]
    pub fn unknown_command(command: &str) -> Self {
        Self::new("request-invalid", format!("`{command}`"), "there is no such command")
    }

    /// An offer that is not on the board.
    #[must_use]
    pub fn offer_not_found(id: &str) -> Self {
        Self::new("not-found", format!("offer `{id}`"), "it is not on the board")
            .with_hint("It may have been rented meanwhile. `gpudesk offers` lists what there is; `gpudesk refresh` asks again.")
    }

    /// An assumption that is none: `NAME=VALUE` is expected.
    #[must_use]
    pub fn assumption(text: &str) -> Self {
        Self::new("request-invalid", format!("--assume `{text}`"), "it is not of the form NAME=VALUE")
            .with_hint("Write it as training_utilisation=0.4, or as a range: 0.35..0.45.")
    }

    /// Standard output that cannot be written.
    #[must_use]
    pub fn output(error: &std::io::Error) -> Self {
        Self::new("internal", "standard output", error.to_string())
    }

    /// Standard input that cannot be read.
    #[must_use]
    pub fn input(error: &std::io::Error) -> Self {
        Self::new("internal", "standard input", error.to_string())
    }

    pub(crate) fn no_home() -> Self {
        Self::new("settings-invalid", "the data folder", "the system names none")
            .with_hint("Set GPUDESK_HOME to a folder that may be written.")
    }

    /// A query line that does not parse. The message names the word, its place and the nearest known one.
    pub(crate) fn line(error: LineError) -> Self {
        Self {
            code: "query-invalid".to_owned(),
            what: "the query".to_owned(),
            detail: error.message.clone(),
            hint: None,
            line: Some(Box::new(error)),
        }
    }
}

impl ApiError {
    /// An error that was kept beside what it concerns.
    pub(crate) fn of_failure(failure: &Failure) -> Self {
        Self {
            code: failure.code.clone(),
            what: failure.what.clone(),
            detail: failure.detail.clone(),
            hint: failure.hint.clone(),
            line: None,
        }
    }
}

impl From<DeskError> for ApiError {
    fn from(error: DeskError) -> Self {
        let mut shown = Self::new(error.code(), error.what(), error.detail());
        shown.hint = error.hint();
        shown
    }
}
