//! The address of the API, how often it may be asked, and what its errors mean.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::{Answer, Failure, Pace};

/// As in errors and lists.
pub(super) const TITLE: &str = "Vultr";

/// The address of the API; the paths have its version (<https://www.vultr.com/api/>).
pub(super) const ADDRESS: &str = "https://api.vultr.com";

/// 30 calls a second and address (<https://www.vultr.com/api/#section/Introduction/Rate-Limit>); a desk leaves room for
/// its neighbours behind the same address.
pub(super) const PACE: Pace =
    Pace { provider: "vultr", calls: NonZeroU32::MIN.saturating_add(19), per: Duration::from_secs(1) };

/// Reads a path below the version (it may carry a query).
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, &format!("/v2{path}"), PACE).await.map_err(refused)
}

/// The error of a failed call. There are no codes, only a status and words.
pub(super) fn refused(failure: Failure) -> CloudError {
    use CloudErrorCode::{BadKey, Forbidden, NoCapacity, NoFunds, Quota};
    let status = failure.status;
    let mut error = CloudError::from(failure);
    let words = error.detail.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    let refusal = matches!(status, Some(400 | 402 | 403 | 412 | 422));
    error.code = match status {
        _ if refusal && says(&["payment", "balance", "billing", "insufficient funds"]) => NoFunds,
        _ if refusal && says(&["maximum", "limit", "quota"]) => Quota,
        _ if refusal
            && says(&["not available", "unavailable", "out of stock", "sold out", "availability"]) =>
        {
            NoCapacity
        }
        Some(401) => BadKey,
        Some(403) => Forbidden,
        _ => error.code,
    };
    match error.code {
        // A key can be tied to addresses, and is refused from elsewhere as if it were wrong.
        BadKey | Forbidden => error.hint(
            "check the key, the rights of its user, and its access control list: this computer's address must be on it",
        ),
        NoFunds => error.hint("put the billing of the account in order on the page of Vultr"),
        Quota => error.hint("ask Vultr for a higher limit"),
        NoCapacity => error.hint("choose another region or another plan"),
        _ => error,
    }
}
