//! The calls of one account, and what their errors mean.

use serde_json::Value;

use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Base, Failure, Http, KeyIn, Pace, Secret, redact};

pub(super) const TITLE: &str = "Shadeform";

/// The address of the API; the paths have its version (<https://docs.shadeform.ai/api-reference/authentication>).
pub(super) const ADDRESS: &str = "https://api.shadeform.ai";

/// The header of the key.
pub(super) const KEY_IN: KeyIn = KeyIn::Header("x-api-key");

/// No limit is documented; this is one of our own, far above what watching needs.
pub(super) const PACE: Pace = Pace::per_minute("shadeform", 120);

/// The account of a key.
pub(super) fn account(http: Http, base: Base, key: Secret) -> Account {
    Account::at(TITLE, http, base, key).key_in(KEY_IN)
}

/// Reads a path below the version.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, &format!("/v1{path}"), PACE).await.map_err(refused)
}

/// A body that is an error, whatever its status: its fixed code and its words.
pub(super) struct Said {
    pub code: String,
    pub words: String,
}

impl Said {
    /// `None` where the body is no error.
    pub fn of(body: &[u8]) -> Option<Self> {
        let told: Value = serde_json::from_slice(body).ok()?;
        let text = |field: &str| told[field].as_str().map(str::trim).filter(|text| !text.is_empty());
        let words: Vec<&str> = ["error", "message"].into_iter().filter_map(text).collect();
        let code = text("error_code").unwrap_or_default();
        (!code.is_empty() || !words.is_empty())
            .then(|| Self { code: code.to_owned(), words: words.join(": ") })
    }

    /// What the code says, or where there is none the words; they alone tell of money and limits.
    fn meaning(&self) -> Option<CloudErrorCode> {
        if self.code == "OUT_OF_STOCK" {
            return Some(CloudErrorCode::NoCapacity);
        }
        let text = format!("{} {}", self.code, self.words).to_ascii_lowercase();
        let says = |list: &[&str]| list.iter().any(|word| text.contains(word));
        if says(&["insufficient balance", "insufficient fund", "insufficient credit", "wallet", "payment"]) {
            return Some(CloudErrorCode::NoFunds);
        }
        if says(&["quota", "limit reached", "limit exceeded"]) {
            return Some(CloudErrorCode::Quota);
        }
        says(&["out of stock", "no capacity", "not enough capacity"]).then_some(CloudErrorCode::NoCapacity)
    }

    /// The error of an answer that calls itself a success.
    pub fn refusal(&self, what: String) -> CloudError {
        let code = self.meaning().unwrap_or(CloudErrorCode::Refused);
        let words = match (self.code.is_empty(), self.words.is_empty()) {
            (false, false) => format!("{}: {}", self.code, self.words),
            _ => format!("{}{}", self.code, self.words),
        };
        // Only a lack of stock is known to mean that nothing was made.
        let effect = if code == CloudErrorCode::NoCapacity { Effect::Nothing } else { Effect::Unclear };
        hinted(CloudError::new(code, what, words)).with_effect(effect)
    }
}

/// The error of a failed call. 409 stands for a lack of stock and for other faults; the code in the body tells.
pub(super) fn refused(failure: Failure) -> CloudError {
    let status = failure.status;
    let said = Said::of(&failure.body);
    let mut error = CloudError::from(failure);
    let Some(said) = said else { return error };
    let meaning = said.meaning();
    match (status, meaning) {
        (Some(401 | 403 | 404 | 429), _) => {}
        // A lack of stock is a refusal, also with a status that speaks of trouble.
        (_, Some(CloudErrorCode::NoCapacity)) => {
            error.code = CloudErrorCode::NoCapacity;
            error.effect = Effect::Nothing;
        }
        (Some(400 | 402 | 409 | 422), Some(code)) => error.code = code,
        (Some(409), None) => error.code = CloudErrorCode::Refused,
        _ => {}
    }
    if !said.code.is_empty() {
        error.detail = redact::words(&format!("{} ({})", error.detail, said.code));
    }
    hinted(error)
}

fn hinted(error: CloudError) -> CloudError {
    match error.code {
        CloudErrorCode::NoCapacity => error.hint("choose another region or another cloud behind Shadeform"),
        CloudErrorCode::NoFunds => error.hint("top up the wallet on the billing page of Shadeform"),
        CloudErrorCode::Quota => error.hint("ask Shadeform for a higher limit, or end what is not needed"),
        _ => error,
    }
}
