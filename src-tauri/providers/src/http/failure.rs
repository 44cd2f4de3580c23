//! From what went wrong to an error a person can act on, and to whether trying again may help.

use std::error::Error as _;
use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::answer::{is_html, without_bom};
use super::retry::{retry_after, retry_delay};
use crate::cloud::Effect;
use crate::source::{SourceError, SourceErrorCode};

/// An answer that is not 2xx.
#[derive(Debug)]
pub struct Refusal<'a> {
    /// What was being done.
    pub what: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: &'a HeaderMap,
    /// The beginning of the body.
    pub body: &'a [u8],
    /// The time of the answer.
    pub now: DateTime<Utc>,
}

/// A call that failed, with what the other side answered, if it did.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What went wrong.
    pub error: SourceError,
    /// The HTTP status, where there was a whole head of an answer.
    pub status: Option<u16>,
    /// The beginning of the body of an answer that is not 2xx.
    pub body: Vec<u8>,
    /// Whether the other side may have acted on the call.
    pub effect: Effect,
}

impl Failure {
    /// A failure before anything was sent.
    pub(crate) fn unsent(error: SourceError) -> Self {
        Self { error, status: None, body: Vec::new(), effect: Effect::Nothing }
    }
}

/// One failed try.
pub(super) struct Try {
    pub verdict: Verdict,
    pub status: Option<u16>,
    pub body: Vec<u8>,
    pub effect: Effect,
}

impl Try {
    /// A try that ended without an answer. Only before the connection stands is it sure that nothing was sent.
    pub(super) fn without_answer(verdict: Verdict, sent: bool) -> Self {
        let effect = if sent { Effect::Unclear } else { Effect::Nothing };
        Self { verdict, status: None, body: Vec::new(), effect }
    }

    /// A try that was answered with an error. A refusal (4xx) did nothing; a request that the server did not get to
    /// its end (408) and trouble of its own (5xx) may have; and a redirect (3xx) is also what services answer that have
    /// acted and show elsewhere what came of it.
    pub(super) fn refused(verdict: Verdict, status: u16, body: Vec<u8>) -> Self {
        let effect = match status {
            408 => Effect::Unclear,
            400..=499 => Effect::Nothing,
            _ => Effect::Unclear,
        };
        Self { verdict, status: Some(status), body, effect }
    }

    /// A try that was answered with a success that cannot be read.
    pub(super) fn unreadable(verdict: Verdict, status: u16) -> Self {
        Self { verdict, status: Some(status), body: Vec::new(), effect: Effect::Unclear }
    }

    pub(super) fn into_failure(self) -> Failure {
        let Self { verdict, status, body, effect } = self;
        let (Verdict::Fail(error) | Verdict::Retry { error, .. }) = verdict;
        Failure { error, status, body, effect }
    }
}

/// What to do about a failure.
#[derive(Debug)]
pub enum Verdict {
    /// Trying again may help; the error is for when it does not.
    Retry {
        /// The wait the provider asked for.
        after: Option<Duration>,
        /// The error if no try is left.
        error: SourceError,
    },
    /// Trying again is of no use.
    Fail(SourceError),
}

impl Refusal<'_> {
    /// The wait that the provider asks for: in the header for it, or in the body.
    #[must_use]
    pub fn asked(&self) -> Option<Duration> {
        let header = self.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        header.and_then(|value| retry_after(value, self.now)).or_else(|| retry_delay(self.body))
    }

    /// An error of this refusal, with the provider's words, and with the time from when on it may be tried again where
    /// the provider says so.
    #[must_use]
    pub fn error(&self, code: SourceErrorCode) -> SourceError {
        let words = said(self.body);
        let detail = if words.is_empty() {
            format!("HTTP {}", self.status)
        } else {
            format!("HTTP {}: {words}", self.status)
        };
        let mut error = SourceError::new(code, self.what, detail);
        error.retry_at = self.asked().and_then(|wait| later(self.now, wait));
        error
    }

    /// The general rules: 429 and 5xx are tried again, everything else is final.
    #[must_use]
    pub fn judge(&self) -> Verdict {
        let again = |code| Verdict::Retry { after: self.asked(), error: self.error(code) };
        match StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR) {
            StatusCode::TOO_MANY_REQUESTS => again(SourceErrorCode::RateLimited),
            StatusCode::REQUEST_TIMEOUT => again(SourceErrorCode::Timeout),
            status if status.is_server_error() => again(SourceErrorCode::ProviderDown),
            StatusCode::NOT_FOUND | StatusCode::GONE => Verdict::Fail(self.error(SourceErrorCode::Gone)),
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => Verdict::Fail(
                self.error(SourceErrorCode::Network)
                    .hint("the proxy wants a user and password: set them in its address"),
            ),
            status if status.is_client_error() => Verdict::Fail(self.error(SourceErrorCode::ProviderRefused)),
            _ => Verdict::Fail(self.error(SourceErrorCode::BadAnswer)),
        }
    }
}

/// `now` and a wait; `None` beyond the calendar.
fn later(now: DateTime<Utc>, wait: Duration) -> Option<DateTime<Utc>> {
    now.checked_add_signed(chrono::Duration::from_std(wait).ok()?)
}

/// The words in an error body: those that stand in the text fields for them, or the body itself. Of an HTML page
/// nothing but its title is worth showing.
pub(super) fn said(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if is_html(body) {
        return match tag_text(&text, "title") {
            Some(title) => format!("an HTML page, “{}”", title.trim()),
            None => "an HTML page".to_owned(),
        };
    }
    told(body).unwrap_or_else(|| text.into_owned())
}

/// The words in the text fields that APIs put them in; `None` where the body is no JSON with such a field.
pub(super) fn told(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_str(&String::from_utf8_lossy(without_bom(body))).ok()?;
    let mut parts: Vec<&str> = Vec::new();
    for field in ["error", "Error", "msg", "message", "Message", "title", "detail"] {
        match &value[field] {
            Value::String(words) if !words.is_empty() => parts.push(words),
            Value::Object(inner) => {
                let words = inner.get("message").or_else(|| inner.get("Message"));
                parts.extend(words.and_then(Value::as_str));
            }
            _ => {}
        }
    }
    // A list of what is wrong, each a text or an object with one.
    for told in value["errors"].as_array().into_iter().flatten() {
        let words = ["message", "detail", "msg", "title"].iter().find_map(|field| told[*field].as_str());
        parts.extend(words.or(told.as_str()).filter(|words| !parts.contains(words)));
    }
    (!parts.is_empty()).then(|| parts.join(": "))
}

fn tag_text<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let lower = text.to_ascii_lowercase();
    let start = lower.find(&format!("<{tag}>"))? + tag.len() + 2;
    let end = start + lower[start..].find('<')?;
    text.get(start..end)
}

/// A failure below HTTP: no connection, a broken certificate, a cut line.
pub(super) fn transport(what: &str, error: &reqwest::Error) -> Verdict {
    let chain = causes(error);
    if error.is_builder() || error.is_redirect() {
        let code = if error.is_builder() { SourceErrorCode::Config } else { SourceErrorCode::BadAnswer };
        return Verdict::Fail(SourceError::new(code, what, chain));
    }
    if error.is_timeout() {
        let error =
            SourceError::new(SourceErrorCode::Timeout, what, format!("no connection in time: {chain}"));
        return Verdict::Retry { after: None, error };
    }
    let error = SourceError::new(SourceErrorCode::Network, what, &chain);
    if chain.to_ascii_lowercase().contains("certificate") {
        return Verdict::Fail(
            error.hint(
                "if your network inspects TLS, set its CA file; otherwise do not trust this connection",
            ),
        );
    }
    Verdict::Retry { after: None, error: error.hint("check the network, the proxy and the base address") }
}

/// A body that stopped before its end, or does not unpack.
pub(super) fn broken_body(what: &str, bytes: u64, error: &reqwest::Error) -> Verdict {
    let detail = format!("the answer breaks off after {bytes} bytes: {}", causes(error));
    Verdict::Retry { after: None, error: SourceError::new(SourceErrorCode::BadAnswer, what, detail) }
}

/// The messages of an error and its causes without the address (it may carry a key), each said once.
fn causes(error: &reqwest::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !parts.iter().any(|part| part.contains(&text)) {
            parts.push(text);
        }
        next = cause.source();
    }
    if parts.is_empty() { "request failed".to_owned() } else { parts.join(": ") }
}
