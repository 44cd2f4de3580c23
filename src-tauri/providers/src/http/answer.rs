//! A whole answer, and what it can be read as.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;

use super::failure::{Failure, said, told};
use super::literal::quote_non_numbers;
use super::redact::Secret;
use crate::cloud::Effect;
use crate::source::{SourceError, SourceErrorCode};

/// An answer with a 2xx status, complete and within its limit, and no HTML page.
#[derive(Debug, Clone)]
pub struct Answer {
    pub(super) what: String,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The `ETag`, to ask with next time.
    pub etag: Option<String>,
    /// The `X-Total-Count`: rows of a list over all its pages.
    pub total: Option<u64>,
    /// The `X-Subject-Token`: what Keystone gives out.
    pub subject_token: Option<Secret>,
    /// The `Content-Type` as sent; it is not trusted for anything but the character set.
    pub content_type: Option<String>,
}

impl Answer {
    /// The body as text: UTF-8 without its byte order mark; bytes that are no UTF-8 become `�`.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(without_bom(&self.body))
    }

    /// The body as JSON text, to be read with [`Answer::parse`]: as [`Answer::text`], with `NaN` and its like quoted.
    #[must_use]
    pub fn json_text(&self) -> String {
        match self.text() {
            Cow::Borrowed(text) => quote_non_numbers(text).into_owned(),
            Cow::Owned(text) => match quote_non_numbers(&text) {
                Cow::Borrowed(_) => text,
                Cow::Owned(quoted) => quoted,
            },
        }
    }

    /// Reads the text of this answer as JSON, whatever content type was sent.
    ///
    /// # Errors
    /// [`SourceErrorCode::BadAnswer`] with the place where the reading stopped.
    pub fn parse<'a, T: Deserialize<'a>>(&self, text: &'a str) -> Result<T, SourceError> {
        serde_json::from_str(text).map_err(|error| {
            let bytes = self.body.len();
            let detail = match error.classify() {
                Category::Eof if text.trim().is_empty() => "the answer is empty".to_owned(),
                Category::Eof => format!("the JSON breaks off after {bytes} bytes: {error}"),
                Category::Data => format!("the JSON has another shape than expected: {error}"),
                Category::Syntax | Category::Io => format!("not JSON: {error}"),
            };
            SourceError::new(SourceErrorCode::BadAnswer, &self.what, detail)
        })
    }

    /// The refusal that the body tells of in spite of its 2xx status: an `error`, a list of `errors`, or a problem
    /// document (RFC 9457). Its own status says whether something may have been done; without one that is not clear.
    #[must_use]
    pub fn refusal(&self) -> Option<Failure> {
        let value: Value = serde_json::from_slice(without_bom(&self.body)).ok()?;
        let told = match &value["error"] {
            Value::String(words) => !words.is_empty(),
            Value::Object(error) => !error.is_empty(),
            _ => false,
        };
        let listed = value["errors"].as_array().is_some_and(|errors| !errors.is_empty());
        let kind = self.content_type.as_deref().unwrap_or_default();
        if !(told || listed || kind.contains("problem+json")) {
            return None;
        }
        let status = value["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        let status = status.filter(|status| (400..600).contains(status));
        let effect = match status {
            Some(400..=499) => Effect::Nothing,
            _ => Effect::Unclear,
        };
        let error = SourceError::new(SourceErrorCode::ProviderRefused, &self.what, said(&self.body));
        Some(Failure { error, status, body: self.body.clone(), effect })
    }

    /// An error about JSON that lacks what was asked for, with the words that stand there instead.
    #[must_use]
    pub fn lacks(&self, field: &str) -> SourceError {
        self.bad(match told(&self.body) {
            Some(words) => format!("JSON without `{field}`: {words}"),
            None => format!("JSON without `{field}`"),
        })
    }

    /// An error about this answer.
    #[must_use]
    pub fn bad(&self, detail: impl AsRef<str>) -> SourceError {
        SourceError::new(SourceErrorCode::BadAnswer, &self.what, detail)
    }
}

pub(super) fn without_bom(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// Whether a body is an HTML page: error pages, sign-in pages of hotel networks, bot checks.
pub(super) fn is_html(body: &[u8]) -> bool {
    let mut rest = without_bom(body).trim_ascii_start();
    // A comment or an XML declaration may stand before the first tag of a page.
    while rest.starts_with(b"<!--") {
        match rest.windows(3).position(|end| end == b"-->") {
            Some(at) => rest = rest[at + 3..].trim_ascii_start(),
            None => return false,
        }
    }
    let start = rest[..rest.len().min(16)].to_ascii_lowercase();
    [b"<!doctype html".as_slice(), b"<html", b"<head", b"<body", b"<title", b"<center"]
        .iter()
        .any(|tag| start.starts_with(tag))
}
