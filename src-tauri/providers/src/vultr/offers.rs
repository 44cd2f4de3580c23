//! Reading the offers: plans of both kinds, regions, and the stock of each region that may have cards.

use std::collections::BTreeSet;

use futures::StreamExt;
use futures::stream;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

use super::api::{PACE, TITLE};
use super::map::{self, Kind, Market};
use super::pages::{self, Pick, Rows};
use super::wire::{Availability, Plan};
use crate::http::{Answer, Base, Call, Http, redact};
use crate::source::{Fetch, SourceError};

/// What errors call it.
const WHAT: &str = "Vultr offers";

/// Regions asked for their stock at a time.
const AT_ONCE: usize = 4;

/// Where the rows of each list of plans stand. The published description calls both `plans`.
const LISTS: [(Kind, &str, Pick); 2] = [
    (Kind::Vm, "/plans?type=all", |page| page.plans.as_ref()),
    (Kind::Metal, "/plans-metal", |page| page.plans_metal.as_ref().or(page.plans.as_ref())),
];

/// Reads everything once.
pub(super) async fn fetch(cx: &Fetch<'_>, base: &Base, feed: FeedName) -> Result<Fetched, SourceError> {
    let mut plans: Vec<(Kind, String)> = Vec::new();
    for (kind, path, pick) in LISTS {
        let rows = whole(cx.http, base, path, pick).await?;
        plans.extend(rows.into_iter().map(|row| (kind, row)));
    }
    let mut market = Market::default();
    // Where a region is, most of them say by their name: offers do not wait for this list.
    let regions = whole(cx.http, base, "/regions", |page| page.regions.as_ref()).await;
    for row in regions.iter().flatten() {
        market.region(row);
    }
    let mut places = BTreeSet::new();
    for (kind, json) in &plans {
        if let Ok(plan) = serde_json::from_str::<Plan<'_>>(json)
            && map::has_cards(*kind, &plan)
        {
            places.extend(map::locations(&plan).into_iter().filter(|place| is_region(place)));
        }
    }
    let asked = stream::iter(places).map(async |place: String| {
        let told = stock(cx.http, base, &place).await;
        (place, told)
    });
    let told: Vec<_> = asked.buffer_unordered(AT_ONCE).collect().await;
    let mut unasked = 0_u32;
    for (place, plans) in told {
        match plans {
            Ok(plans) => {
                market.stock.insert(place, plans);
            }
            Err(_) => unasked += 1,
        }
    }
    if plans.is_empty() {
        return Err(SourceError::empty(WHAT, "plan"));
    }
    let rows = plans.iter().enumerate().map(|(index, (kind, json))| map::row(*kind, index, json, &market));
    let mut fetched = settle(rows).into_fetched(feed, "Vultr, GET /plans and /plans-metal", (cx.now)());
    if let Err(error) = &regions {
        fetched.notes.push(format!("the regions could not be read: {}", error.detail));
    }
    if unasked > 0 {
        fetched.notes.push(format!("regions whose stock could not be read: {unasked}"));
    }
    Ok(fetched)
}

/// A list without a key, to its end. One that lost a page is an error: what is at hand is better.
pub(super) async fn whole(
    http: &Http,
    base: &Base,
    path: &str,
    pick: Pick,
) -> Result<Vec<String>, SourceError> {
    let mut rows = Rows::default();
    let mut cursor: Option<String> = None;
    loop {
        let answer = ask(http, base, &pages::path(path, cursor.as_deref())).await?;
        cursor = rows.take(&answer, pick)?;
        if cursor.is_none() {
            let told = answer.bad(format!("the list {path} ends before its end"));
            return if rows.complete { Ok(rows.rows) } else { Err(told) };
        }
    }
}

/// What a region can give now.
pub(super) async fn stock(http: &Http, base: &Base, place: &str) -> Result<BTreeSet<String>, SourceError> {
    let answer = ask(http, base, &format!("/regions/{place}/availability")).await?;
    let text = answer.json_text();
    let told: Availability<'_> = answer.parse(&text)?;
    let plans = told.available_plans.ok_or_else(|| answer.bad("JSON without `available_plans`"))?;
    Ok(plans.iter().filter_map(|plan| plan.text()).map(|plan| redact::words(&plan)).collect())
}

async fn ask(http: &Http, base: &Base, path: &str) -> Result<Answer, SourceError> {
    let call = Call::get(format!("{TITLE} offers"), base.join(&format!("/v2{path}"))?);
    http.read(&call.expecting("JSON").pace(PACE)).await
}

/// Whether a place is a region's id, as it may stand in a path.
pub(super) fn is_region(place: &str) -> bool {
    (1..=32).contains(&place.len()) && place.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
