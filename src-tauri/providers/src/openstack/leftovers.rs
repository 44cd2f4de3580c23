//! What stays and costs without a machine: volumes, addresses, and the images that shelves and snapshots leave.

use gpudesk_core::money::Currency;
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;

use super::network;
use super::pages;
use super::prices::{PriceList, Prices};
use super::session::{Service, Session};
use super::wire::{Image, Thing};
use crate::cloud::{CloudError, CloudErrorCode, Leftover};
use crate::http::{Literal, redact};

const DOING: &str = "leftovers";

const VOLUME: &str = "volume";

fn text(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text))
}

/// A month of so many GB of volumes of a type by the team's price sheet, where that knows it.
async fn cost(
    session: &Session,
    prices: &PriceList,
    region: &str,
    (kind, gb): (Option<&str>, Option<Decimal>),
) -> Option<(Decimal, Currency)> {
    // That the prices cannot be read costs nothing but the prices.
    let Ok(Prices::Sheet(sheet)) = prices.read(session).await else { return None };
    let (price, currency) = sheet.disk(region, kind)?;
    Some((gb?.checked_mul(price)?.normalize(), currency))
}

/// Everything of a region. OpenStack knows no prices: only of volumes a price sheet may tell them.
pub(super) async fn of(
    session: &Session,
    prices: &PriceList,
    region: &str,
    left: &mut Vec<Leftover>,
) -> Result<(), CloudError> {
    let usual = terms(session.profile.provider).and_then(|terms| terms.currency).unwrap_or(Currency::USD);
    let mut add = |what: &str, id: String, name, size_gb, cost: Option<(Decimal, Currency)>| {
        let (per_month, currency) = cost.map_or((None, usual), |(cost, currency)| (Some(cost), currency));
        let (what, remote_id) = (what.to_owned(), format!("{region}_{id}"));
        left.push(Leftover { what, remote_id, name, size_gb, per_month, currency });
    };
    if session.has(region, Service::Network).await? {
        for (id, address) in network::idle_addresses(session, region).await? {
            add("floating address", id, address, None, None);
        }
    }
    if session.has(region, Service::Volume).await? {
        for (path, name, what) in
            [("/volumes/detail", "volumes", VOLUME), ("/snapshots/detail", "snapshots", "snapshot")]
        {
            let all = match pages::all(session, DOING, (region, Service::Volume), (path, name), &[]).await {
                // A key may lack the right to look at them.
                Err(error) if error.code == CloudErrorCode::Forbidden => continue,
                all => all?,
            };
            for json in &all.rows {
                let Ok(thing) = serde_json::from_str::<Thing<'_>>(json) else { continue };
                let attached: Vec<serde::de::IgnoredAny> = thing.attachments.object();
                let (true, Some(id)) = (attached.is_empty(), text(thing.id)) else { continue };
                let (gb, kind) = (thing.size.decimal(), thing.volume_type.text());
                let cost = match what {
                    VOLUME => cost(session, prices, region, (kind.as_deref(), gb)).await,
                    _ => None,
                };
                add(what, id, text(thing.name), gb, cost);
            }
        }
    }
    if session.has(region, Service::Image).await? {
        let query = [("visibility", "private"), ("image_type", "snapshot")];
        let at = (region, Service::Image);
        let all = pages::all(session, DOING, at, ("/v2/images", "images"), &query).await?;
        for json in &all.rows {
            let Ok(image) = serde_json::from_str::<Image<'_>>(json) else { continue };
            let snapshot = image.image_type.text().is_some_and(|kind| kind == "snapshot");
            let name = text(image.name);
            // The image of a shelved server belongs to it and goes with it.
            let shelved = name.as_deref().is_some_and(|name| name.ends_with("-shelved"));
            if let (true, false, Some(id)) = (snapshot, shelved, text(image.id)) {
                let gb = image.size.decimal().map(|bytes| (bytes / Decimal::from(1_000_000_000)).round_dp(1));
                add("image of a server", id, name, gb, None);
            }
        }
    }
    Ok(())
}
