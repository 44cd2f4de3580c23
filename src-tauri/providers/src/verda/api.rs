//! The address of the API, how often it is asked, and what its errors mean.

use serde_json::Value;

use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Failure, Pace, redact};

/// As in errors and lists.
pub(super) const TITLE: &str = "Verda";

/// The address of the API; the paths have its version (<https://api.verda.com/v1/docs>).
pub(super) const ADDRESS: &str = "https://api.verda.com";

/// No rate is published; the service answers 429 with `Retry-After` where it is too much. Two calls a second are our
/// own choice.
pub(super) const PACE: Pace = Pace::per_minute("verda", 120);

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    let code = told["code"].as_str().unwrap_or_default().to_owned();
    meant(CloudError::from(failure), &code)
}

/// The error of one item of an action that was answered with success as a whole.
pub(super) fn item_refused(what: String, status: Option<u64>, words: &str) -> CloudError {
    let code = match status {
        Some(401) => CloudErrorCode::BadKey,
        Some(404) => CloudErrorCode::NoSuchMachine,
        _ => CloudErrorCode::Refused,
    };
    let mut error = CloudError::new(code, what, words);
    if status.is_none_or(|status| status >= 500) {
        error.effect = Effect::Unclear;
    }
    meant(error, "")
}

/// Reads code and words. A lack of cards is `service_unavailable` with status 503, which elsewhere means an outage.
fn meant(mut error: CloudError, code: &str) -> CloudError {
    use CloudErrorCode::{BadKey, Conflict, Forbidden, NoCapacity, NoFunds, NoSuchMachine, Quota, Refused};
    let words = error.detail.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    let (meaning, hint) = match code {
        "service_unavailable" | "" if says(&["not enough resources", "no capacity", "out of stock"]) => {
            error.effect = Effect::Nothing;
            (NoCapacity, "choose another place, another type, or spot")
        }
        "insufficient_funds" => (NoFunds, "top the account up on the billing page of Verda"),
        "unauthorized_request" => (BadKey, "check client id and secret, or make new ones"),
        "not_found" => (NoSuchMachine, ""),
        _ if says(&["invalid instance id", "instance not found"]) => (NoSuchMachine, ""),
        // While it is being set up it cannot be ended, and a transition cannot be stopped or started.
        "forbidden_action" | "" if says(&["provisioning", "can't", "cannot"]) => {
            (Conflict, "not possible in its present state; it is billed meanwhile: ask again shortly")
        }
        "forbidden_action" if says(&["quota", "limit"]) => (Quota, "ask Verda for a higher limit"),
        "forbidden_action" => (Forbidden, ""),
        _ if says(&["operating system is not valid"]) => (Refused, "choose an image that this type supports"),
        _ if says(&["quota", "limit of"]) => (Quota, "ask Verda for a higher limit"),
        _ => (error.code, ""),
    };
    error.code = meaning;
    if !hint.is_empty() {
        error.hint = Some(hint.to_owned());
    }
    if !code.is_empty() {
        error.detail = redact::words(&format!("{} ({code})", error.detail));
    }
    error
}
