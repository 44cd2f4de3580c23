//! The service's own timer, `auto_delete`
//! (<https://docs.shadeform.ai/api-reference/instances/instances-update>): at its date the instance is deleted. How often
//! the service looks at the date, and so how late it may act on it, is not said.

use chrono::{DateTime, SecondsFormat, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use super::api::{PACE, Said, get, refused};
use super::instance::time;
use super::map::said;
use super::wire::{AutoDelete, Instance};
use crate::cloud::{Account, CloudError};
use crate::http::Literal;

/// A date as the service takes it: RFC 3339, to the second.
pub(super) fn date(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// The date of a timer; `None` where there is none.
pub(super) fn of(auto_delete: Literal<'_>) -> Option<DateTime<Utc>> {
    time(auto_delete.object::<AutoDelete<'_>>().date_threshold)
}

/// Sets the timer of an instance, or takes it away. The field is always sent: one that is left out is kept as it was.
/// A threshold of spending that somebody set beside the date goes along, or it would be gone.
pub(super) async fn set(
    account: &Account,
    remote_id: &str,
    end_at: Option<DateTime<Utc>>,
) -> Result<(), CloudError> {
    let doing = "timer";
    let id = account.id(doing, remote_id)?;
    let answer = get(account, doing, &format!("/instances/{id}/info")).await?;
    let text = answer.json_text();
    let told: Instance<'_> = answer.parse(&text)?;
    let spend = said(told.auto_delete.object::<AutoDelete<'_>>().spend_threshold);
    let timer = match (end_at.map(date), spend) {
        (None, None) => Value::Null,
        (at, None) => json!({ "date_threshold": at }),
        (at, spend) => json!({ "date_threshold": at, "spend_threshold": spend }),
    };
    let path = format!("/v1/instances/{id}/update");
    let body = json!({ "auto_delete": timer });
    let answer = account.change(doing, (Method::POST, &path), Some(&body), &[PACE]).await.map_err(refused)?;
    match Said::of(&answer.body) {
        // A success that says that it is none.
        Some(said) if !said.code.is_empty() => Err(said.refusal(account.what(doing))),
        _ => Ok(()),
    }
}
