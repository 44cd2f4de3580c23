//! Reading the offers: types with prices, places, stock on demand and as spot, and what a disk costs.

use std::collections::BTreeMap;

use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::api::TITLE;
use super::map::{self, Market};
use super::session::Session;
use crate::cloud::Access;
use crate::http::{Answer, Base, Secret};
use crate::source::{Fetch, SourceError, SourceErrorCode};

/// What errors call it.
const DOING: &str = "offers";

/// Reads everything once.
pub(super) async fn fetch(
    cx: &Fetch<'_>,
    base: Base,
    key: &Secret,
    feed: FeedName,
) -> Result<Fetched, SourceError> {
    let access = Access { http: cx.http.clone(), key: key.clone(), addresses: BTreeMap::new() };
    let session = Session::open(&access, base)
        .map_err(|error| SourceError { code: SourceErrorCode::Config, ..error.into() })?;
    let (market, note) = market(&session).await?;
    let answer = ask(&session, "/instance-types?currency=usd").await?;
    let text = answer.json_text();
    let types: Vec<&RawValue> = list(&answer, &text)?;
    if types.is_empty() {
        return Err(SourceError::empty(format!("{TITLE} {DOING}"), "instance type"));
    }
    let settled = settle(map::rows(&types, &market));
    let mut fetched = settled.into_fetched(feed, "Verda, GET /instance-types", (cx.now)());
    fetched.notes.extend(note);
    Ok(fetched)
}

/// Everything but the types, and what is worth telling.
pub(super) async fn market(session: &Session) -> Result<(Market, Option<String>), SourceError> {
    let mut market = Market::default();
    let answer = ask(session, "/locations").await?;
    market.locations(&list::<Vec<_>>(&answer, &answer.json_text())?);
    // Without the question in the address the answer is of on-demand machines only.
    let on_demand = ask(session, "/instance-availability?is_spot=false").await?;
    let spot = ask(session, "/instance-availability?is_spot=true").await?;
    market.stock(
        &list::<Vec<_>>(&on_demand, &on_demand.json_text())?,
        &list::<Vec<_>>(&spot, &spot.json_text())?,
    );
    // Offers without the price of a disk are better than none.
    let disks = match ask(session, "/volume-types").await {
        Ok(answer) => list::<Vec<_>>(&answer, &answer.json_text()).map(|types| market.volumes(&types)),
        Err(error) => Err(error),
    };
    let note = disks.err().map(|error| format!("the price of disks could not be read: {}", error.detail));
    Ok((market, note))
}

pub(super) async fn ask(session: &Session, path: &str) -> Result<Answer, SourceError> {
    session.get(DOING, path).await.map_err(|failure| failure.error)
}

/// A list without an envelope. Anything else, `null` too, is no list.
pub(super) fn list<'a, T: Deserialize<'a>>(answer: &Answer, text: &'a str) -> Result<T, SourceError> {
    answer.parse(text)
}
