//! The offers with the key of an account: RunPod's own data centres from the catalogue of REST v2, one call for each
//! number of cards. Community machines have their country in GraphQL only, so they are still read there as long as it
//! answers. Both ways give an offer the same id.

use std::collections::BTreeMap;

use gpudesk_core::quarantine::Row;

use super::api::{COUNTS, Site};
use super::catalog::{Gpu, cards, gpus};
use super::map::{self, Listed, collapsed};
use super::sweep::{self, Clouds, Memory, Swept};
use crate::cloud::{Account, CloudError};
use crate::http::{Base, Each, Http};
use crate::source::{SourceError, SourceErrorCode};

/// What the calls are called in errors.
const DOING: &str = "offers";

/// Reads the market with the account's key.
pub(super) async fn market(
    account: &Account,
    http: &Http,
    graphql: &Base,
    memory: &Memory,
) -> Result<Swept, SourceError> {
    let mut swept = Swept { rows: secure(account).await?, notes: Vec::new() };
    match sweep::market(http, graphql, memory, Clouds::Community).await {
        Ok(community) => {
            swept.rows.extend(community.rows);
            swept.notes.extend(community.notes);
        }
        // Its end is announced: the catalogue has the same cards, without their countries.
        Err(error) if matches!(error.code, SourceErrorCode::Gone | SourceErrorCode::ProviderRefused) => {
            swept.notes.push(format!("Community offers come without their country: {}", error.detail));
            swept.rows.extend(community(account).await?);
        }
        Err(error) => return Err(error),
    }
    Ok(swept)
}

async fn secure(account: &Account) -> Result<Vec<Row>, CloudError> {
    let mut rows = Vec::new();
    let site = Site::Secure(String::new());
    for count in COUNTS {
        let answer = gpus(account, DOING, count, "&cloud=SECURE").await?;
        let text = answer.json_text();
        let cards = cards(&answer, &text)?;
        rows.extend(unusable(&cards));
        for card in listed(&cards, &site, count).values() {
            let centers = card.gpu.data_centers.iter().flat_map(Each::good);
            let sites = centers.filter_map(|center| {
                let (id, stock) = (center.id.text()?, center.availability.text()?);
                Some((Site::Secure(id.into_owned()), stock.into_owned()))
            });
            rows.extend(sites.filter_map(|(site, stock)| map::keyed(&site, &card.listed, count, &stock)));
        }
    }
    Ok(rows)
}

async fn community(account: &Account) -> Result<Vec<Row>, CloudError> {
    let mut rows = Vec::new();
    let site = Site::anywhere();
    for count in COUNTS {
        let answer = gpus(account, DOING, count, "&cloud=COMMUNITY").await?;
        let text = answer.json_text();
        let cards = cards(&answer, &text)?;
        rows.extend(unusable(&cards));
        for card in listed(&cards, &site, count).values() {
            let stock = card.gpu.availability.text();
            rows.extend(stock.and_then(|stock| map::keyed(&site, &card.listed, count, &stock)));
        }
    }
    Ok(rows)
}

/// The entries that no card can be read from.
fn unusable(gpus: &Each<Gpu<'_>>) -> impl Iterator<Item = Row> {
    gpus.numbered().filter_map(|(number, entry)| {
        let why = entry.and_then(|gpu| map::id_of(gpu.id)).err()?;
        Some(map::unreadable("gpus", number, why))
    })
}

struct Card<'a> {
    gpu: &'a Gpu<'a>,
    listed: Listed,
}

/// The cards by their name. The list has entries twice, told apart by runs of spaces only, and retired ones, which
/// neither cloud offers.
fn listed<'a>(gpus: &'a Each<Gpu<'a>>, site: &Site, count: u32) -> BTreeMap<String, Card<'a>> {
    let mut cards = BTreeMap::new();
    for gpu in gpus.good() {
        let Some(listed) = gpu.listed(site).filter(|listed| listed.is_offered(count)) else { continue };
        cards.entry(collapsed(listed.id())).or_insert(Card { gpu, listed });
    }
    cards
}
