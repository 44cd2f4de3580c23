//! What Vast.ai says in the body of an answer, and what it means. Errors come with any status, 200 among them.

use serde::Deserialize;
use serde_json::Value;

use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Failure, Literal, redact};

/// The body of an answer.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// `success`, where it stands there.
    pub success: Option<bool>,
    /// The fixed word of an error.
    pub code: String,
    /// The text of it.
    pub words: String,
    /// The instance that was made: it may stand in an error, too.
    pub contract: Option<String>,
}

/// Fields that come in more than one form.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Told<'a> {
    #[serde(borrow)]
    success: Literal<'a>,
    #[serde(borrow)]
    new_contract: Literal<'a>,
}

impl Said {
    /// `None` where the body is no JSON object.
    pub fn of(body: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(body).ok()?;
        let object = value.as_object()?;
        let told: Told<'_> = serde_json::from_slice(body).unwrap_or_default();
        let text = |field: &str| object.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let words: Vec<String> =
            [text("msg"), text("detail")].into_iter().filter(|words| !words.is_empty()).collect();
        let contract = told.new_contract.whole().filter(|id| *id > 0).map(|id| id.to_string());
        Some(Self { success: told.success.flag(), code: text("error"), words: words.join(": "), contract })
    }

    /// What kind of error it is, where the body alone tells.
    fn meaning(&self) -> Option<CloudErrorCode> {
        let words = self.words.to_ascii_lowercase();
        // An unknown key may come with 404.
        if self.code == "auth_error" || words.contains("invalid user key") {
            return Some(CloudErrorCode::BadKey);
        }
        // No fixed code is known for an account that cannot pay.
        let code = self.code.to_ascii_lowercase();
        if ["credit", "insufficient fund", "balance"]
            .iter()
            .any(|word| words.contains(word) || code.contains(word))
        {
            return Some(CloudErrorCode::NoFunds);
        }
        // Limits come under the code of any wrong argument, too.
        if words.contains("limit") && ["reached", "exceed"].iter().any(|word| words.contains(word)) {
            return Some(CloudErrorCode::Quota);
        }
        if code == "no_such_ask" || words.contains("no_such_ask") {
            return Some(CloudErrorCode::OfferGone);
        }
        Some(match code.as_str() {
            "invalid_price" => CloudErrorCode::BidTooLow,
            "no_ssh_key_for_vm" => CloudErrorCode::SshKeyRefused,
            "no_such_instance" | "not_found" => CloudErrorCode::NoSuchMachine,
            "invalid_args" | "invalid_request" => CloudErrorCode::Refused,
            _ => return None,
        })
    }

    /// The error of an answer with a 2xx status that says that it is none.
    pub fn refusal(&self, what: String) -> CloudError {
        let words = match (self.code.is_empty(), self.words.is_empty()) {
            (false, false) => format!("{}: {}", self.code, self.words),
            (true, true) => "success is false, without a reason".to_owned(),
            _ => format!("{}{}", self.code, self.words),
        };
        let code = self.meaning().unwrap_or(CloudErrorCode::Refused);
        self.completed(CloudError::new(code, what, words))
    }

    fn completed(&self, mut error: CloudError) -> CloudError {
        if let Some(remote_id) = &self.contract {
            error.effect = Effect::Made { remote_id: redact::words(remote_id) };
        }
        let hint = match error.code {
            CloudErrorCode::OfferGone => "somebody else took it; choose the nearest offer",
            CloudErrorCode::BidTooLow => "bid more, or rent it on demand",
            CloudErrorCode::NoFunds => "add credit on the billing page of Vast.ai",
            CloudErrorCode::Quota => "end a machine that nobody needs, or ask Vast.ai for a higher limit",
            CloudErrorCode::BadKey => "check the key, or make a new one on the keys page of Vast.ai",
            _ => return error,
        };
        error.hint(hint)
    }
}

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let said = Said::of(&failure.body);
    let mut error = CloudError::from(failure);
    let Some(said) = said else { return error };
    if let Some(code) = said.meaning() {
        let by_status = matches!(error.code, CloudErrorCode::BadKey | CloudErrorCode::Http(_));
        // A 5xx stays trouble of the provider's, and 401 a bad key, whatever the words.
        if !by_status {
            error.code = code;
            error.hint = None;
        }
    }
    said.completed(error)
}
