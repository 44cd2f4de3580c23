//! What stays and costs without a machine: volumes, addresses, and the images that shelves and snapshots leave.

use gpudesk_core::money::Currency;
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;

use super::network;
use super::pages;
use super::session::{Service, Session};
use super::wire::{Image, Thing};
use crate::cloud::{CloudError, CloudErrorCode, Leftover};
use crate::http::{Literal, redact};

const DOING: &str = "leftovers";

fn text(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text))
}

/// Everything of a region.
pub(super) async fn of(session: &Session, region: &str, left: &mut Vec<Leftover>) -> Result<(), CloudError> {
    let currency = terms(session.profile.provider).and_then(|terms| terms.currency).unwrap_or(Currency::USD);
    let mut add = |what: &str, id: String, name: Option<String>, size_gb: Option<Decimal>| {
        let (what, remote_id) = (what.to_owned(), format!("{region}_{id}"));
        left.push(Leftover { what, remote_id, name, size_gb, per_month: None, currency });
    };
    if session.has(region, Service::Network).await? {
        for (id, address) in network::idle_addresses(session, region).await? {
            add("floating address", id, address, None);
        }
    }
    if session.has(region, Service::Volume).await? {
        for (path, name, what) in
            [("/volumes/detail", "volumes", "volume"), ("/snapshots/detail", "snapshots", "snapshot")]
        {
            let all = match pages::all(session, DOING, (region, Service::Volume), (path, name), &[]).await {
                // A key may lack the right to look at them.
                Err(error) if error.code == CloudErrorCode::Forbidden => continue,
                all => all?,
            };
            for json in &all.rows {
                let Ok(thing) = serde_json::from_str::<Thing<'_>>(json) else { continue };
                let attached: Vec<serde::de::IgnoredAny> = thing.attachments.object();
                if let (true, Some(id)) = (attached.is_empty(), text(thing.id)) {
                    add(what, id, text(thing.name), thing.size.decimal());
                }
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
                add("image of a server", id, name, gb);
            }
        }
    }
    Ok(())
}
