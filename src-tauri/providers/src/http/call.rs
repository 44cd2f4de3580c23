//! One call, described: where, how, within which limits.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::failure::{Refusal, Verdict};
use super::pace::{Lane, Pace};
use super::redact::Secret;
use super::retry::Retry;
use crate::source::{SourceError, SourceErrorCode};

/// The limits of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest silence while waiting for the answer or for more of it.
    pub idle: Duration,
    /// The whole call, repeats and waits between them included (waiting for the provider's pace is not).
    pub total: Duration,
    /// The most bytes of the answer, counted after decompression.
    pub max_bytes: u64,
    /// How often it is tried.
    pub retry: Retry,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(20),
            total: Duration::from_secs(90),
            max_bytes: 64 * 1024 * 1024,
            retry: Retry::default(),
        }
    }
}

/// Where a service wants the key of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyIn {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// A header of its own, named in lower case, that holds nothing but the key.
    Header(&'static str),
}

/// A call that changes nothing on the other side and may therefore be repeated.
#[derive(Debug, Clone)]
pub struct Call {
    pub(super) what: String,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Vec<u8>>,
    pub(super) expects: &'static str,
    pub(super) limits: Option<Limits>,
    pub(super) paces: Vec<Pace>,
    pub(super) lane: Lane,
    pub(super) explain: Option<fn(&Refusal<'_>) -> Option<Verdict>>,
    /// Whether it is a gRPC.
    pub(super) rpc: bool,
}

impl Call {
    /// A GET. `what` names it in errors: `Vast.ai offers`.
    #[must_use]
    pub fn get(what: impl Into<String>, url: Url) -> Self {
        Self {
            what: what.into(),
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: None,
            expects: "data",
            limits: None,
            paces: Vec::new(),
            lane: None,
            explain: None,
            rpc: false,
        }
    }

    /// A POST that only asks (a search, a GraphQL query), with a JSON body.
    #[must_use]
    pub fn ask(what: impl Into<String>, url: Url, body: &serde_json::Value) -> Self {
        let mut call = Self::get(what, url);
        call.method = Method::POST;
        call.headers.insert(reqwest::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        call.body = Some(body.to_string().into_bytes());
        call
    }

    /// A POST that only asks, with a body of any kind; its content type is a header of the call.
    #[must_use]
    pub fn post(what: impl Into<String>, url: Url, body: Vec<u8>) -> Self {
        let mut call = Self::get(what, url);
        call.method = Method::POST;
        call.body = Some(body);
        call
    }

    /// The account the call is for, where its key goes into no header as it is: the paces of the call are that
    /// account's own.
    #[must_use]
    pub fn of_account(mut self, key: &Secret) -> Self {
        self.lane = Some(key.lane());
        self
    }

    /// A POST that only asks, with a form for a body.
    #[must_use]
    pub fn form(what: impl Into<String>, url: Url, fields: &[(&str, &str)]) -> Self {
        let mut call = Self::get(what, url);
        call.method = Method::POST;
        call.headers.insert(
            reqwest::header::CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        call.body = Some(body.into_bytes());
        call
    }

    /// A unary gRPC that only asks: `message` as it is encoded; so is the body of the answer.
    #[must_use]
    pub fn rpc(what: impl Into<String>, url: Url, message: &[u8]) -> Self {
        let mut call = Self::get(what, url);
        super::rpc::dress(&mut call, message);
        call
    }

    /// What the answer should be, for the message when it is an HTML page instead: `JSON`, `a CSV file`.
    #[must_use]
    pub fn expecting(mut self, noun: &'static str) -> Self {
        self.expects = noun;
        self
    }

    /// Limits other than the kit's.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// A pace of the provider that this call keeps to. A call may have several.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.paces.push(pace);
        self
    }

    /// The key of the account the call is for, sent as `Authorization: Bearer`. The paces of the call are that
    /// account's own.
    ///
    /// # Errors
    /// [`SourceErrorCode::Config`] where the key is empty or holds what no header may hold. The message does not
    /// repeat it.
    pub fn bearer(self, key: &Secret) -> Result<Self, SourceError> {
        self.keyed(KeyIn::Bearer, key)
    }

    /// The same with the key where the service wants it.
    ///
    /// # Errors
    /// As [`Call::bearer`].
    pub fn keyed(mut self, place: KeyIn, key: &Secret) -> Result<Self, SourceError> {
        let bare = key.expose().trim();
        let (name, text) = match place {
            KeyIn::Bearer => (AUTHORIZATION, format!("Bearer {bare}")),
            KeyIn::Header(name) => (HeaderName::from_static(name), bare.to_owned()),
        };
        let mut value = HeaderValue::from_str(&text).ok().filter(|_| !bare.is_empty()).ok_or_else(|| {
            SourceError::new(
                SourceErrorCode::Config,
                &self.what,
                "the key is empty, or holds characters that no key has",
            )
            .hint("copy the key again from the provider's page, without line breaks")
        })?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self.lane = Some(key.lane());
        Ok(self)
    }

    /// A header of this call.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The provider's own reading of an answer that is not 2xx; where it gives `None` the general rules hold.
    #[must_use]
    pub fn explain(mut self, explain: fn(&Refusal<'_>) -> Option<Verdict>) -> Self {
        self.explain = Some(explain);
        self
    }
}
