//! Reading the offers: flavors, the price book, stock and regions.

use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};
use serde_json::value::RawValue;

use super::api::{KEY, TITLE, get};
use super::map::{self, Market};
use super::wire::{Flavors, PriceLine, Regions, Stocks};
use crate::cloud::{Account, CloudError};
use crate::http::{Base, Secret};
use crate::source::{Fetch, SourceError};

/// What errors call it.
const DOING: &str = "offers";

/// Reads everything once.
pub(super) async fn fetch(
    cx: &Fetch<'_>,
    base: Base,
    key: &Secret,
    feed: FeedName,
) -> Result<Fetched, SourceError> {
    let account = Account::at(TITLE, cx.http.clone(), base, key.clone()).key_in(KEY);
    let (rows, notes) = rows(&account, (cx.now)()).await?;
    if rows.is_empty() {
        return Err(SourceError::empty(account.what(DOING), "flavor"));
    }
    let mut fetched = settle(rows).into_fetched(feed, "Hyperstack, GET /core/flavors", (cx.now)());
    fetched.notes.extend(notes);
    Ok(fetched)
}

/// Every flavor as a row, and what is worth telling beside them.
pub(super) async fn rows(
    account: &Account,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<(Vec<Row>, Vec<String>), CloudError> {
    let mut market = Market::default();
    let mut notes = Vec::new();
    let answer = get(account, DOING, "/pricebook").await?;
    let text = answer.json_text();
    // One line that cannot be read does not cost the others.
    let lines: Vec<&RawValue> = answer.parse(&text)?;
    let lines: Vec<PriceLine<'_>> =
        lines.iter().filter_map(|line| serde_json::from_str(line.get()).ok()).collect();
    market.prices(&lines, now);
    // Offers without the numbers in stock, or places known by our table alone, are better than none.
    match get(account, DOING, "/core/stocks").await {
        Ok(answer) => {
            let text = answer.json_text();
            let told: Result<Stocks<'_>, _> = answer.parse(&text);
            match told {
                Ok(told) => market.stock(&told.stocks.unwrap_or_default()),
                Err(error) => notes.push(format!("the stock could not be read: {}", error.detail)),
            }
        }
        Err(error) => notes.push(format!("the stock could not be read: {}", error.detail)),
    }
    match get(account, DOING, "/core/regions").await {
        Ok(answer) => {
            let text = answer.json_text();
            let told: Result<Regions<'_>, _> = answer.parse(&text);
            match told {
                Ok(told) => market.regions(&told.regions.unwrap_or_default()),
                Err(error) => notes.push(format!("the regions could not be read: {}", error.detail)),
            }
        }
        Err(error) => notes.push(format!("the regions could not be read: {}", error.detail)),
    }
    let answer = get(account, DOING, "/core/flavors").await?;
    let text = answer.json_text();
    let told: Flavors<'_> = answer.parse(&text)?;
    let groups = told.data.ok_or_else(|| answer.bad("JSON without `data`"))?;
    let flavors = groups.good().flat_map(|group| group.flavors.iter().flatten());
    let mut rows: Vec<Row> =
        flavors.enumerate().map(|(index, json)| map::row(index, json.get(), &market)).collect();
    rows.extend(groups.numbered().filter_map(|(number, group)| {
        let words = group.err()?;
        Some(Row::bad(format!("group of flavors number {number}"), ReasonCode::Unreadable, words))
    }));
    Ok((rows, notes))
}
