//! A call that changes something on the other side.

use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;

use super::call::{Call, KeyIn, Limits};
use super::pace::Pace;
use super::redact::Secret;
use crate::source::SourceError;

/// A call that makes, changes or ends something. Unlike a [`Call`] it is repeated only where it surely did nothing:
/// when no connection came about, and after a 429. It follows no redirect.
#[derive(Debug, Clone)]
pub struct Change {
    pub(super) call: Call,
    /// Whether it may have done something even when it was answered with a 429.
    pub(super) is_order: bool,
}

impl Change {
    /// A change without a body. `what` names it in errors: `Vast.ai launch`.
    #[must_use]
    pub fn new(what: impl Into<String>, method: Method, url: Url) -> Self {
        let mut call = Call::get(what, url);
        call.method = method;
        Self::of(call.expecting("JSON"))
    }

    /// This call as one that changes something.
    #[must_use]
    pub fn of(call: Call) -> Self {
        Self { call, is_order: false }
    }

    /// A unary gRPC that changes something, see [`Call::rpc`].
    #[must_use]
    pub fn rpc(what: impl Into<String>, url: Url, message: &[u8]) -> Self {
        Self::of(Call::rpc(what, url, message))
    }

    /// As an order: something that costs money is made by each one that arrives. A limiter in front of the service may
    /// let a call through and answer 429 all the same, so whoever sends it again looks first.
    #[must_use]
    pub fn order(self) -> Self {
        Self { is_order: true, ..self }
    }

    /// A header of this call.
    #[must_use]
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self { call: self.call.header(name, value), ..self }
    }

    /// With a plain text for a body.
    #[must_use]
    pub fn text(mut self, body: &str) -> Self {
        self.call.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        self.call.body = Some(body.as_bytes().to_vec());
        self
    }

    /// With a JSON body.
    #[must_use]
    pub fn json(mut self, body: &Value) -> Self {
        self.call.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.call.body = Some(body.to_string().into_bytes());
        self
    }

    /// See [`Call::bearer`].
    ///
    /// # Errors
    /// As there.
    pub fn bearer(self, key: &Secret) -> Result<Self, SourceError> {
        self.keyed(KeyIn::Bearer, key)
    }

    /// See [`Call::keyed`].
    ///
    /// # Errors
    /// As there.
    pub fn keyed(self, place: KeyIn, key: &Secret) -> Result<Self, SourceError> {
        Ok(Self { call: self.call.keyed(place, key)?, ..self })
    }

    /// See [`Call::of_account`].
    #[must_use]
    pub fn of_account(self, key: &Secret) -> Self {
        Self { call: self.call.of_account(key), ..self }
    }

    /// See [`Call::pace`].
    #[must_use]
    pub fn pace(self, pace: Pace) -> Self {
        Self { call: self.call.pace(pace), ..self }
    }

    /// Limits other than the kit's.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { call: self.call.limits(limits), ..self }
    }
}
