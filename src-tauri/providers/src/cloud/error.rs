//! Why a cloud did not do what it was asked to, and whether it may have done it all the same.

use chrono::{DateTime, Utc};

use crate::source::{SourceError, SourceErrorCode};

/// What a caller does about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CloudErrorCode {
    /// No connection, a cut line, a time-out, trouble of the provider's own, too many requests, a broken answer, an
    /// address or setting of ours: as when reading offers.
    Http(SourceErrorCode),
    /// The key is wrong, revoked or empty.
    BadKey,
    /// The key is right and may not do this.
    Forbidden,
    /// The account cannot pay.
    NoFunds,
    /// The account itself is not in order: inactive, no billing address, not verified.
    AccountNotReady,
    /// A limit of the account.
    Quota,
    /// This place has none now.
    NoCapacity,
    /// The offer no longer exists.
    OfferGone,
    /// The bid is under the market.
    BidTooLow,
    /// The SSH key was refused.
    SshKeyRefused,
    /// Something in our request was refused; asking again the same way is useless.
    Refused,
    /// There is no such machine.
    NoSuchMachine,
    /// Not possible in the machine's present state.
    Conflict,
    /// This cloud cannot do that at all.
    Unsupported,
}

impl CloudErrorCode {
    /// The fixed word of the code.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Http(code) => code.word(),
            Self::BadKey => "bad-key",
            Self::Forbidden => "forbidden",
            Self::NoFunds => "no-funds",
            Self::AccountNotReady => "account-not-ready",
            Self::Quota => "quota",
            Self::NoCapacity => "no-capacity",
            Self::OfferGone => "offer-gone",
            Self::BidTooLow => "bid-too-low",
            Self::SshKeyRefused => "ssh-key-refused",
            Self::Refused => "provider-refused",
            Self::NoSuchMachine => "no-such-machine",
            Self::Conflict => "conflict",
            Self::Unsupported => "unsupported",
        }
    }
}

/// What the failed call did at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Surely nothing: it never arrived, or was clearly refused.
    Nothing,
    /// Not known: cut, late, or a 5xx. Look before doing anything.
    Unclear,
    /// It made a machine all the same and named it in its error.
    Made {
        /// Its id.
        remote_id: String,
    },
}

/// Why a call failed: what happened, to what, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {detail}")]
pub struct CloudError {
    /// What to do about it.
    pub code: CloudErrorCode,
    /// What was being done, to what: `Vast.ai launch`.
    pub what: String,
    /// What happened, with the provider's own words, at most 300 characters, without secrets or control characters.
    pub detail: String,
    /// What to do next.
    pub hint: Option<String>,
    /// From when on it may be tried again, where the provider said so.
    pub retry_at: Option<DateTime<Utc>>,
    /// What the call did.
    pub effect: Effect,
}

impl CloudError {
    /// An error of a call that did nothing; `detail` is cleaned and shortened.
    #[must_use]
    pub fn new(code: CloudErrorCode, what: impl Into<String>, detail: impl AsRef<str>) -> Self {
        Self {
            code,
            what: what.into(),
            detail: crate::http::redact::words(detail.as_ref()),
            hint: None,
            retry_at: None,
            effect: Effect::Nothing,
        }
    }

    /// The same error with what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error of an order: what is missing then is something the order names, not a machine.
    #[must_use]
    pub fn of_order(self) -> Self {
        let code = match self.code {
            CloudErrorCode::NoSuchMachine => CloudErrorCode::Refused,
            code => code,
        };
        Self { code, ..self }
    }

    /// The same error of a call that may have done, or did, something.
    #[must_use]
    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }
}

impl From<CloudError> for SourceError {
    /// A failure of a call of an account, where offers were read with it.
    fn from(error: CloudError) -> Self {
        let code = match error.code {
            CloudErrorCode::Http(code) => code,
            CloudErrorCode::NoSuchMachine => SourceErrorCode::Gone,
            _ => SourceErrorCode::ProviderRefused,
        };
        Self { code, what: error.what, detail: error.detail, hint: error.hint, retry_at: error.retry_at }
    }
}

impl From<SourceError> for CloudError {
    /// A failure of a call that only asked: nothing was done.
    fn from(error: SourceError) -> Self {
        Self {
            code: CloudErrorCode::Http(error.code),
            what: error.what,
            detail: error.detail,
            hint: error.hint,
            retry_at: error.retry_at,
            effect: Effect::Nothing,
        }
    }
}
