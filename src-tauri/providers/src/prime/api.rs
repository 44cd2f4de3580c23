//! The calls of one account, and what their errors mean.

use serde_json::Value;

use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Failure, Pace, redact};

pub(super) const TITLE: &str = "Prime Intellect";

/// The address of the API (<https://docs.primeintellect.ai/api-reference>).
pub(super) const ADDRESS: &str = "https://api.primeintellect.ai";

/// No limit is documented, though 429 occurs; this is one of our own.
pub(super) const PACE: Pace = Pace::per_minute("prime", 60);

/// Reads a path below the version. Paths that end in a slash are sent so: without it the service redirects, and a
/// redirected order may be lost.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, &format!("/api/v1{path}"), PACE).await.map_err(refused)
}

/// The words of an error, in any of the three forms it comes in: `errors` with the parameters, `detail` as a text,
/// `detail` as a list of places and messages. Empty where the body is no error.
pub(super) fn words(body: &[u8]) -> String {
    let told: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut words: Vec<String> = Vec::new();
    for error in told["errors"].as_array().into_iter().flatten() {
        words.push(join(&text(&error["param"]), &text(&error["details"])));
    }
    match &told["detail"] {
        Value::String(detail) => words.push(detail.clone()),
        Value::Array(details) => words.extend(details.iter().map(|detail| {
            let place = detail["loc"].as_array().into_iter().flatten().filter_map(Value::as_str);
            join(&place.collect::<Vec<_>>().join("."), &text(&detail["msg"]))
        })),
        _ => {}
    }
    words.retain(|part| !part.trim().is_empty());
    words.join("; ")
}

fn join(place: &str, message: &str) -> String {
    if place.is_empty() || message.is_empty() {
        format!("{place}{message}")
    } else {
        format!("{place}: {message}")
    }
}

/// What only the words tell.
fn meaning(words: &str) -> Option<CloudErrorCode> {
    let words = words.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    // No code stands for it; these are the words that were seen.
    if says(&["no capacity", "insufficient capacity", "not enough capacity", "out of stock", "sold out"])
        || says(&["not available", "no longer available", "unavailable", "no available", "no instances"])
    {
        return Some(CloudErrorCode::NoCapacity);
    }
    if says(&["insufficient funds", "insufficient balance", "balance is too low", "payment required"]) {
        return Some(CloudErrorCode::NoFunds);
    }
    says(&["quota", "limit reached", "limit exceeded", "maximum number of"]).then_some(CloudErrorCode::Quota)
}

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let status = failure.status;
    let said = words(&failure.body);
    let mut error = CloudError::from(failure);
    if !said.is_empty() {
        error.detail = redact::words(&format!("HTTP {}: {said}", status.unwrap_or_default()));
    }
    match (status, meaning(&said)) {
        (Some(400 | 409 | 422), Some(code)) => error.code = code,
        // `Service unavailable` alone is trouble; with a card or a place in it, it would be a lack of them.
        (Some(500 | 503), Some(CloudErrorCode::NoCapacity)) if !is_trouble(&said) => {
            error.code = CloudErrorCode::NoCapacity;
            error.effect = Effect::Nothing;
        }
        _ => {}
    }
    hinted(error)
}

fn is_trouble(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["service unavailable", "temporarily unavailable", "service is unavailable"]
        .iter()
        .any(|w| words.contains(w))
}

/// The error of a success that says that it is none: what was asked may have been done.
pub(super) fn refusal(what: String, said: &str) -> CloudError {
    let code = meaning(said).unwrap_or(CloudErrorCode::Refused);
    let effect = if code == CloudErrorCode::NoCapacity { Effect::Nothing } else { Effect::Unclear };
    hinted(CloudError::new(code, what, said)).with_effect(effect)
}

fn hinted(error: CloudError) -> CloudError {
    match error.code {
        CloudErrorCode::NoCapacity => {
            error.hint("choose another place or another supplier behind Prime Intellect")
        }
        CloudErrorCode::NoFunds => error.hint("top up the wallet on the billing page of Prime Intellect"),
        CloudErrorCode::Forbidden => {
            error.hint("give the key Instances: read and write, Availability: read and Billing: read")
        }
        CloudErrorCode::Quota => {
            error.hint("end what is not needed, or ask Prime Intellect for a higher limit")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_in_three_forms() {
        let said = |json: &str| words(json.as_bytes());
        assert_eq!(
            said(r#"{"errors":[{"param":"pod.gpuCount","details":"too many"}]}"#),
            "pod.gpuCount: too many"
        );
        assert_eq!(said(r#"{"detail":"Not Found"}"#), "Not Found");
        assert_eq!(
            said(r#"{"detail":[{"loc":["body","pod","name"],"msg":"field required"}]}"#),
            "body.pod.name: field required"
        );
        assert_eq!(said(r#"{"id": "x"}"#), "");
        assert_eq!(said("Internal Server Error"), "");
    }

    #[test]
    fn only_words_tell_of_a_lack_of_cards() {
        assert_eq!(meaning("Requested GPU is no longer available"), Some(CloudErrorCode::NoCapacity));
        assert_eq!(meaning("Insufficient balance"), Some(CloudErrorCode::NoFunds));
        assert_eq!(meaning("quota of 8 pods"), Some(CloudErrorCode::Quota));
        assert_eq!(meaning("gpuCount must be positive"), None);
    }
}
