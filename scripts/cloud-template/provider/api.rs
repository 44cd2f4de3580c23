//! The calls of one account, and what their errors mean.

use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::Types;
use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::{Answer, Failure, Pace};

/// What errors call it.
pub(super) const TITLE: &str = "__Title__";

/// REPLACE: the address of the vendor's page; the paths have its version.
pub(super) const ADDRESS: &str = "https://api.__name__.example";

/// REPLACE: the published rate, with its page.
pub(super) const PACE: Pace = Pace::one_each("__name__", Duration::from_secs(1));

/// Reads a path.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, path, PACE).await.map_err(refused)
}

/// Every type, each still as its own JSON text, so that one that cannot be read costs no other.
pub(super) async fn types(account: &Account, doing: &str) -> Result<Vec<Box<RawValue>>, Failure> {
    let answer = account.get(doing, "/v1/types", PACE).await?;
    let text = answer.json_text();
    let told: Types<'_> = answer.parse(&text).map_err(Failure::unsent)?;
    let rows = told.types.ok_or_else(|| Failure::unsent(answer.bad("JSON without the list of `types`")))?;
    Ok(rows.into_iter().map(RawValue::to_owned).collect())
}

/// The error of a failed call. REPLACE: status, code and words as the vendor's pages have them; what none of them says
/// stays as its status has it.
pub(super) fn refused(failure: Failure) -> CloudError {
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    let code = told["code"].as_str().unwrap_or_default().to_owned();
    let mut error = CloudError::from(failure);
    let (read, hint) = match code.as_str() {
        "out_of_stock" => (CloudErrorCode::NoCapacity, "choose another place or fewer cards"),
        "quota_exceeded" => (CloudErrorCode::Quota, "end something, or ask for a higher limit"),
        "no_funds" => (CloudErrorCode::NoFunds, "top up the account on the provider's page"),
        _ => return error,
    };
    error.code = read;
    error.hint(hint)
}
