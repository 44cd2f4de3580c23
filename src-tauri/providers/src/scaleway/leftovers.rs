//! What stays and costs without a machine: block volumes and flexible addresses.

use futures::future::try_join_all;
use gpudesk_core::money::Currency;
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;

use super::api::{ZONES, at, get, rows};
use super::instance::remote_id;
use super::map::PROVIDER;
use super::rent::BYTES_IN_GB;
use super::wire::{Ip, Volumes};
use crate::cloud::{Account, CloudError, CloudErrorCode, Leftover};
use crate::http::redact;

/// Everything of all zones.
pub(super) async fn leftovers(account: &Account) -> Result<Vec<Leftover>, CloudError> {
    let zones = try_join_all(ZONES.iter().map(|zone| of(account, zone))).await?;
    Ok(zones.into_iter().flatten().collect())
}

async fn of(account: &Account, zone: &str) -> Result<Vec<Leftover>, CloudError> {
    let mut left = Vec::new();
    let mut page = 1;
    loop {
        let path = format!("/block/v1/zones/{zone}/volumes?page={page}&page_size=100");
        let answer = match get(account, "volumes", &path).await {
            // A zone that is no longer has nothing.
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => break,
            answer => answer?,
        };
        let text = answer.json_text();
        let told: Volumes<'_> = answer.parse(&text)?;
        let volumes = told.volumes.ok_or_else(|| answer.bad("JSON without `volumes`"))?;
        let here = volumes.len();
        for volume in volumes {
            // What is attached belongs to its machine.
            if volume.references.iter().flatten().next().is_some() {
                continue;
            }
            let Some(id) = volume.id.text().map(|id| redact::words(&id)) else { continue };
            let gb = volume.size.decimal().and_then(|bytes| bytes.checked_div(Decimal::from(BYTES_IN_GB)));
            let price = terms(PROVIDER).and_then(|terms| terms.storage_stopped_gb_month);
            left.push(Leftover {
                what: "block volume".to_owned(),
                remote_id: remote_id(zone, &id),
                name: volume.name.text().map(|name| redact::words(&name)),
                size_gb: gb.map(|gb| gb.normalize()),
                per_month: gb.zip(price).and_then(|(gb, price)| gb.checked_mul(price)).map(|c| c.normalize()),
                currency: Currency::EUR,
            });
        }
        page += 1;
        if here < 100 || page > 50 {
            break;
        }
    }
    let (ips, _) = rows(account, "addresses", (&at(zone, "/ips"), "ips")).await?;
    for row in ips {
        let ip: Ip<'_> = serde_json::from_str(row.get()).unwrap_or_default();
        // An address at a machine belongs to it.
        let (Some(id), None) = (ip.id.text(), ip.server.raw()) else { continue };
        left.push(Leftover {
            what: "flexible address".to_owned(),
            remote_id: remote_id(zone, &redact::words(&id)),
            name: ip.address.text().map(|address| redact::words(&address)),
            size_gb: None,
            per_month: None,
            currency: Currency::EUR,
        });
    }
    Ok(left)
}
