//! The list of an account's instances, page by page
//! (<https://docs.vast.ai/api-reference/instances/show-instances>).

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;
use url::form_urlencoded::byte_serialize;

use super::instance;
use super::rent::LIST;
use super::said::{Said, refused};
use crate::cloud::{Account, CloudError, Listing};
use crate::http::Literal;

/// Rows of a page; the server gives no more.
const LIMIT: u32 = 25;

/// The most pages read: nobody has more instances than that, and a list without an end is broken.
const MOST_PAGES: u32 = 200;

/// The answer about one instance.
#[derive(Debug, Deserialize)]
pub(super) struct One<'a> {
    #[serde(borrow, default)]
    pub success: Literal<'a>,
    /// Kept raw, so that null and nothing are told apart.
    #[serde(borrow, default, deserialize_with = "present")]
    pub instances: Option<&'a RawValue>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&'de RawValue>::deserialize(deserializer).map(Some)
}

#[derive(Debug, Deserialize)]
struct Page<'a> {
    #[serde(borrow, default)]
    success: Literal<'a>,
    #[serde(borrow, default)]
    instances: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    next_token: Literal<'a>,
    #[serde(borrow, default)]
    total_instances: Literal<'a>,
}

/// What a page said beside its rows.
struct Told {
    next: Option<String>,
    total: Option<u64>,
}

/// Reads all pages. Where a later page fails, what the earlier ones told is kept and the listing is incomplete.
pub(super) async fn instances(account: &Account) -> Result<Listing, CloudError> {
    let mut listing = Listing { complete: true, ..Listing::default() };
    let mut tokens = BTreeSet::new();
    let mut token: Option<String> = None;
    let mut rows = 0;
    for number in 1..=MOST_PAGES {
        let told = match page(account, token.as_deref(), &mut listing, &mut rows).await {
            Ok(told) => told,
            Err(error) if number == 1 => return Err(error),
            Err(error) => {
                listing.complete = false;
                listing.unreadable.push(format!("page {number}: {}", error.detail));
                return Ok(listing);
            }
        };
        let Some(next) = told.next else {
            if told.total.is_some_and(|total| total > rows) {
                listing.complete = false;
                let total = told.total.unwrap_or_default();
                listing
                    .unreadable
                    .push(format!("the list holds {rows} instances and says there are {total}"));
            }
            return Ok(listing);
        };
        if !tokens.insert(next.clone()) {
            break;
        }
        token = Some(next);
    }
    listing.complete = false;
    listing.unreadable.push("the list goes round in circles".to_owned());
    Ok(listing)
}

async fn page(
    account: &Account,
    token: Option<&str>,
    listing: &mut Listing,
    count: &mut u64,
) -> Result<Told, CloudError> {
    let doing = "instances";
    let after =
        token.map(|token| format!("&after_token={}", byte_serialize(token.as_bytes()).collect::<String>()));
    let path = format!("/api/v1/instances/?limit={LIMIT}{}", after.unwrap_or_default());
    let answer = account.get(doing, &path, LIST).await.map_err(refused)?;
    let text = answer.json_text();
    let page: Page<'_> = answer.parse(&text)?;
    if page.success.flag() == Some(false) {
        return Err(Said::of(&answer.body).unwrap_or_default().refusal(account.what(doing)));
    }
    let Some(rows) = page.instances else {
        return Err(answer.bad("JSON without the list of `instances`").into());
    };
    for row in &rows {
        *count += 1;
        listing.take(instance::machine(row.get()));
    }
    let next = page.next_token.text().map(|token| token.into_owned());
    Ok(Told { next, total: page.total_instances.whole() })
}
