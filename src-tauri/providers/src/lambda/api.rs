//! The calls of one account, and what their errors mean.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::wire::Data;
use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Failure, Pace};
use crate::source::SourceErrorCode;

/// One call a second, all kinds together, and one launch in twelve (<https://docs.lambda.ai/public-cloud/cloud-api/>).
pub(super) const PACE: Pace = Pace::one_each("lambda", Duration::from_secs(1));
pub(super) const LAUNCH: Pace = Pace::one_each("lambda launch", Duration::from_secs(12));

/// The address of the API; the paths have its version.
pub(super) const ADDRESS: &str = "https://cloud.lambda.ai";

/// Reads a path below the version.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, &format!("/api/v1{path}"), PACE).await.map_err(refused)
}

/// What stands under `data` in a success.
pub(super) fn data<'a, T: Deserialize<'a>>(answer: &Answer, text: &'a str) -> Result<T, CloudError> {
    let envelope: Data<'a> = answer.parse(text)?;
    let data = envelope.data.ok_or_else(|| answer.bad("JSON without `data`"))?;
    Ok(answer.parse(data.get())?)
}

/// The error of a failed call. Its code decides; texts change.
pub(super) fn refused(failure: Failure) -> CloudError {
    use CloudErrorCode::{
        AccountNotReady, BadKey, Conflict, Forbidden, Http, NoCapacity, NoSuchMachine, Quota, Refused,
    };
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    let told = &told["error"];
    let code = told["code"].as_str().unwrap_or_default();
    let mut error = CloudError::from(failure);
    let too_often = error.code == Http(SourceErrorCode::RateLimited);
    error.code = match code {
        // Too many requests have no code of their own.
        _ if too_often => error.code,
        "global/invalid-api-key" => BadKey,
        "global/account-inactive" | "global/invalid-address" => AccountNotReady,
        "global/forbidden" => Forbidden,
        "global/object-does-not-exist" | "global/not-found" => NoSuchMachine,
        "global/quota-exceeded" => Quota,
        "global/duplicate" | "global/conflict" | "filesystems/filesystem-in-use" => Conflict,
        "global/invalid-parameters" | "instance-operations/launch/file-system-in-wrong-region" => Refused,
        "instance-operations/launch/insufficient-capacity" => NoCapacity,
        // Trouble behind the API, whatever the status: what was asked may have been begun.
        "global/internal-error" | "global/unknown" => {
            error.effect = Effect::Unclear;
            Http(SourceErrorCode::ProviderDown)
        }
        provider if provider.starts_with("provider/") => {
            error.effect = Effect::Unclear;
            Http(SourceErrorCode::ProviderDown)
        }
        _ => error.code,
    };
    // These say themselves that nothing was made, whatever the status they come with.
    if matches!(error.code, NoCapacity | Quota | Refused | BadKey | AccountNotReady | Forbidden)
        && !code.is_empty()
    {
        error.effect = Effect::Nothing;
    }
    if let Some(suggestion) = told["suggestion"].as_str().filter(|words| !words.trim().is_empty()) {
        error.hint = Some(crate::http::redact::words(suggestion));
    } else if error.code == NoCapacity {
        error.hint = Some("choose another region of the same type".to_owned());
    } else if error.code == Quota {
        error.hint = Some("end a machine that nobody needs, or ask Lambda for a higher limit".to_owned());
    } else if error.code == AccountNotReady {
        error.hint = Some("put the account in order on the billing page of Lambda".to_owned());
    }
    if !code.is_empty() {
        error.detail = crate::http::redact::words(&format!("{} ({code})", error.detail));
    }
    error
}
