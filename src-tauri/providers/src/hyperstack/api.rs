//! The address of the API, how often it may be asked, its envelope, and what its errors mean.

use serde_json::Value;

use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Failure, KeyIn, Pace};
use crate::source::SourceErrorCode;

/// As in errors and lists.
pub(super) const TITLE: &str = "Hyperstack";

/// The address of the API; the paths have its version (<https://docs.hyperstack.cloud/docs/api-reference/>).
pub(super) const ADDRESS: &str = "https://infrahub-api.nexgencloud.com";

/// 500 calls a minute and address (<https://docs.hyperstack.cloud/docs/api-reference/>).
pub(super) const PACE: Pace = Pace::per_minute("hyperstack", 500);

/// Where the key goes.
pub(super) const KEY: KeyIn = KeyIn::Header("api_key");

/// Reads `path` below the version (it may carry a query). A success may carry `"status": false`.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    let answer = account.get(doing, &format!("/v1{path}"), PACE).await.map_err(refused)?;
    believed(account, doing, answer)
}

/// The answer, unless it says itself that it is none.
pub(super) fn believed(account: &Account, doing: &str, answer: Answer) -> Result<Answer, CloudError> {
    let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if told["status"] != Value::Bool(false) {
        return Ok(answer);
    }
    let words = told["message"].as_str().unwrap_or("refused without a word");
    let unclear = account.error(CloudErrorCode::Http(SourceErrorCode::ProviderRefused), doing, words);
    let mut error = meant(unclear.with_effect(Effect::Unclear), told["error_reason"].as_str());
    if !matches!(error.code, CloudErrorCode::Http(_)) {
        error.effect = Effect::Nothing;
    }
    Err(error)
}

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    meant(CloudError::from(failure), told["error_reason"].as_str())
}

/// Reads reason and words. The status 400 stands for no money, no stock and a broken rule alike.
fn meant(mut error: CloudError, reason: Option<&str>) -> CloudError {
    use CloudErrorCode::{
        BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, NoSuchMachine, Quota, Refused, Unsupported,
    };
    let words = error.detail.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    let refusal =
        matches!(error.code, Refused | Conflict | Forbidden | Http(SourceErrorCode::ProviderRefused));
    error.code = match reason {
        _ if refusal && says(&["insufficient balance", "insufficient credit", "add credit", "top up"]) => {
            NoFunds
        }
        _ if refusal && says(&["quota", "limit exceeded", "limit reached"]) => Quota,
        _ if refusal
            && says(&["out of stock", "no stock", "not enough stock", "capacity", "no valid host"]) =>
        {
            NoCapacity
        }
        _ if refusal && says(&["hibernat"]) && says(&["not support", "cannot", "not allowed"]) => Unsupported,
        Some("unauthorized") => BadKey,
        Some("forbidden") => Forbidden,
        Some("not_found") => NoSuchMachine,
        Some("already_exist" | "not_allowed") => Conflict,
        Some("bad_request") if refusal => Refused,
        Some("server_error") => {
            error.effect = Effect::Unclear;
            Http(SourceErrorCode::ProviderDown)
        }
        _ => error.code,
    };
    let hint = match error.code {
        NoFunds => "add credit on the billing page of Hyperstack",
        Quota => "ask Hyperstack for a higher limit",
        NoCapacity => "choose another region, another flavor or fewer cards",
        Unsupported => {
            "this flavor cannot hibernate, and a plain shutdown is billed in full: end the machine instead"
        }
        _ => return error,
    };
    error.hint(hint)
}
