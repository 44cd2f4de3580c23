//! Renting at Scaleway: a launch of three calls, look, stop and start, an end that takes the disk along.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures::future::join_all;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::quarantine::Row;
use gpudesk_core::rental::{Machine, MachineState, RentalTerms};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{self, ADDRESS, FIELDS, PACE, TITLE, ZONES, at, get, refused, rows};
use super::disks::{BLOCK, BOOT, boot_disk, delete, doom, doomed, sweep};
use super::instance::{self, USER, remote_id, split};
use super::map::{self, PROVIDER, place};
use super::terms::{LEAST_DISK_GB, rental_terms};
use super::wire::{OneServer, Server, Tagged};
use super::{billing, leftovers};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Effect, KeyParts, Launch, Launched,
    Leftover, Listing, Look, Quote, Usage, first_boot, plain_tags, renewed,
};
use crate::http::{Base, redact};

/// The tag of every machine of ours; the mark is a tag of its own beside it.
const TAG: &str = "gpudesk";

pub(super) const BYTES_IN_GB: u64 = 1_000_000_000;

struct ScalewayCloud {
    account: Account,
    project: String,
    terms: RentalTerms,
}

/// Opens Scaleway for one account (`GPUDESK_SCALEWAY_URL`). The key is a JSON object, see `FIELDS` of the calls.
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let parts = KeyParts::of(&access, TITLE, FIELDS)?;
    let base = Base::new(ADDRESS, access.addresses.get(PROVIDER).map(String::as_str));
    base.join("/")?;
    let account = api::account(access.http, base, parts.need("secret_key"));
    let project = parts.need("project_id").expose().to_owned();
    Ok(Box::new(ScalewayCloud { account, project, terms: rental_terms() }))
}

/// A server as it stands on the wire, or that there is none.
enum Seen {
    There(Box<RawValue>),
    Absent,
}

impl ScalewayCloud {
    /// Zone and id of a machine.
    fn parts<'a>(&self, doing: &str, remote_id: &'a str) -> Result<(&'a str, &'a str), CloudError> {
        self.account.id(doing, remote_id)?;
        split(remote_id).ok_or_else(|| {
            let words = format!("“{remote_id}” is no zone and id of an Instance");
            self.account.error(CloudErrorCode::NoSuchMachine, doing, words)
        })
    }

    async fn see(&self, doing: &str, zone: &str, id: &str) -> Result<Seen, CloudError> {
        let answer = match get(&self.account, doing, &at(zone, &format!("/servers/{id}"))).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Seen::Absent),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let told: OneServer<'_> = answer.parse(&text)?;
        let server: Server<'_> = answer.parse(told.server.get())?;
        match server.id.text() {
            Some(told_id) if told_id == id => Ok(Seen::There(told.server.to_owned())),
            _ => Err(answer.bad(format!("asked for {id}, told of another server")).into()),
        }
    }

    async fn act(&self, doing: &str, zone: &str, id: &str, action: &str) -> Result<(), CloudError> {
        let path = at(zone, &format!("/servers/{id}/action"));
        let body = json!({ "action": action });
        self.account.change(doing, (Method::POST, &path), Some(&body), &[PACE]).await.map_err(refused)?;
        Ok(())
    }

    fn launch_body(&self, launch: &Launch) -> Result<(String, Value), CloudError> {
        let doing = "launch";
        let Some(zone) =
            launch.offer.place.region.as_deref().filter(|zone| self.account.id(doing, zone).is_ok())
        else {
            let words = format!("the offer of {} names no zone", launch.offer.name);
            return Err(self
                .account
                .error(CloudErrorCode::OfferGone, doing, words)
                .hint("quote the offer again"));
        };
        let gb = launch.spec.disk_gb.or(self.terms.disk.map(|disk| disk.usual)).unwrap_or(LEAST_DISK_GB);
        let mut tags = vec![TAG.to_owned(), launch.token.clone()];
        tags.extend(launch.tags.iter().map(|(name, value)| tag(name, value)));
        // Lets the key in at every boot, on this machine alone, even if nothing that follows comes to pass.
        let key: Vec<&str> = launch.spec.ssh_public_key.split_whitespace().collect();
        tags.push(format!("AUTHORIZED_KEY={}", key.join("_")));
        let body = json!({
            "name": launch.token,
            "commercial_type": launch.offer.name,
            "project": self.project,
            "image": launch.spec.image.id,
            // Named like its machine, so that it is found where it is left behind.
            "volumes": { BOOT: {
                "name": launch.token, "size": u64::from(gb) * BYTES_IN_GB, "volume_type": BLOCK, "boot": true,
            } },
            // An address of its own, which goes with it.
            "dynamic_ip_required": true,
            "tags": tags,
            "protected": false,
        });
        Ok((zone.to_owned(), body))
    }

    /// What comes after the making: the key, and the power, without which it stands there and its disk is billed.
    async fn bring_up(&self, launch: &Launch, zone: &str, id: &str) -> Result<(), CloudError> {
        let doing = "launch";
        let text = first_boot::admitting(USER, &launch.spec.ssh_public_key, &launch.user_data);
        let path = at(zone, &format!("/servers/{id}/user_data/cloud-init"));
        let sent = self.account.change_text(doing, (Method::PATCH, &path), &text, &[PACE]).await;
        sent.map_err(|failure| CloudError { effect: Effect::Nothing, ..refused(failure) })?;
        self.act(doing, zone, id, "poweron").await
    }

    /// Takes back a machine that stands: the server first, then its disk.
    async fn remove(&self, zone: &str, id: &str, server: &Server<'_>) -> Result<(), CloudError> {
        let doing = "end";
        let path = at(zone, &format!("/servers/{id}"));
        match self.account.change(doing, (Method::DELETE, &path), None, &[PACE]).await.map_err(refused) {
            Err(error) if error.code != CloudErrorCode::NoSuchMachine => return Err(error),
            _ => {}
        }
        match boot_disk(server) {
            Some((disk, is_block)) => delete(&self.account, zone, &disk, is_block).await,
            None => Ok(()),
        }
    }

    /// The end of a failed launch: nothing is left, or the machine is named in the error.
    async fn undo(&self, zone: &str, id: &str, mut error: CloudError) -> CloudError {
        let made = Effect::Made { remote_id: remote_id(zone, id) };
        // A power-on of which nobody knows what came may be under way.
        if error.effect != Effect::Nothing {
            error.effect = made;
            return error;
        }
        let Ok(Seen::There(json)) = self.see("launch", zone, id).await else {
            error.effect = made;
            return error;
        };
        let server: Server<'_> = serde_json::from_str(json.get()).unwrap_or_default();
        error.effect = match self.remove(zone, id, &server).await {
            Ok(()) => Effect::Nothing,
            Err(_) => made,
        };
        error
    }

    /// The machines of one zone, and whether they are all.
    async fn zone(&self, zone: &str) -> Result<(Vec<Machine>, Vec<String>, bool), CloudError> {
        let (list, total) = rows(&self.account, "Instances", (&at(zone, "/servers"), "servers")).await?;
        let (mut machines, mut unreadable, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        let rows = list.len();
        for row in list {
            match instance::machine(zone, row.get()) {
                Ok(machine) if seen.insert(machine.remote_id.clone()) => machines.push(machine),
                Ok(_) => {}
                Err(words) => unreadable.push(redact::words(&words)),
            }
        }
        // Without the service's own count nothing is proved, and a row that stands there twice may stand for one that
        // is lost.
        let whole = rows == seen.len() && total == u64::try_from(rows).ok();
        Ok((machines, unreadable, whole))
    }
}

#[async_trait]
impl Cloud for ScalewayCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// Whose key it is, and what it may change, is told only to keys that may read the accounts themselves.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        get(&self.account, "account", &at(ZONES[0], "/servers?per_page=1&page=1")).await?;
        Ok(AccountFacts { may_read: Some(true), ..AccountFacts::unknown(Currency::EUR) })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let doing = "quote";
        let gone = |words: String| Ok(Quote::Gone { words });
        let Some(zone) = offer.place.region.as_deref().filter(|zone| self.account.id(doing, zone).is_ok())
        else {
            return gone("the offer names no zone".to_owned());
        };
        let types = api::types(&self.account, doing, zone).await.map_err(refused)?;
        let Some(json) = types.get(&offer.name) else {
            return gone(format!("Scaleway lists no type {} in {zone} now", offer.name));
        };
        let stock = api::stock(&self.account, doing, zone).await;
        let row = map::row(zone, &offer.name, json.get(), stock.get(&offer.name).map(String::as_str));
        match row {
            Row::Offers { mut offers, .. } => match offers.pop() {
                Some(now) if now.supply.state == SupplyState::OutOfStock => {
                    gone(format!("{} is out of stock in {zone}", offer.name))
                }
                Some(now) if now.price.per_hour > Decimal::ZERO => Ok(Quote::Stands(Box::new(now))),
                _ => gone(format!("{} has no price now", offer.name)),
            },
            Row::Bad(bad) => gone(bad.reason.detail),
            Row::NotGpu => gone(format!("{} has no cards", offer.name)),
        }
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let (zone, body) = self.launch_body(launch)?;
        let path = at(&zone, "/servers");
        let sent = self.account.order(doing, (Method::POST, &path), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| refused(failure).of_order())?;
        let text = answer.json_text();
        let made = answer.parse::<OneServer<'_>>(&text).ok();
        let server: Server<'_> =
            made.and_then(|made| serde_json::from_str(made.server.get()).ok()).unwrap_or_default();
        let id = server.id.text().map(|id| redact::words(&id)).unwrap_or_default();
        if self.account.id(doing, &id).is_err() {
            return Err(self.account.unreadable(doing, "the answer names no new Instance"));
        }
        match self.bring_up(launch, &zone, &id).await {
            Ok(()) => Ok(Launched { remote_id: remote_id(&zone, &id) }),
            Err(error) => Err(self.undo(&zone, &id, error).await),
        }
    }

    /// Each zone has a list of its own. One that fails costs the proof, not the machines of the others.
    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = Listing { complete: true, ..Listing::default() };
        let mut failed = None;
        let mut read = 0;
        for (zone, result) in ZONES.iter().zip(join_all(ZONES.iter().map(|zone| self.zone(zone))).await) {
            match result {
                Ok((machines, unreadable, whole)) => {
                    read += 1;
                    listing.machines.extend(machines);
                    listing.unreadable.extend(unreadable);
                    listing.complete &= whole;
                }
                Err(error) => {
                    listing.complete = false;
                    listing.unreadable.push(redact::words(&format!("{zone}: {}", error.detail)));
                    failed.get_or_insert(error);
                }
            }
        }
        match failed {
            Some(error) if read == 0 => Err(error),
            _ => Ok(listing),
        }
    }

    /// A machine that was asked to end is gone when its disk is gone with it: what [`Cloud::end`] has marked is deleted
    /// here once its server no longer holds it.
    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "Instance";
        let (zone, id) = self.parts(doing, remote_id)?;
        match self.see(doing, zone, id).await? {
            Seen::There(json) => {
                let machine = instance::machine(zone, json.get())
                    .map_err(|words| self.account.error(CloudErrorCode::Refused, doing, words))?;
                Ok(Look::There(Box::new(machine)))
            }
            Seen::Absent => match sweep(&self.account, zone, id).await {
                Ok(left) if left > 0 => Ok(Look::There(Box::new(ending(zone, remote_id)))),
                // What stays of a volume that could not be asked for is found among the leftovers.
                _ => Ok(Look::Absent),
            },
        }
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "stop";
        let (zone, id) = self.parts(doing, remote_id)?;
        self.act(doing, zone, id, "poweroff").await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "start";
        let (zone, id) = self.parts(doing, remote_id)?;
        self.act(doing, zone, id, "poweron").await
    }

    /// A server that stands is deleted, any other one terminated. Neither takes a block volume along: it is marked,
    /// so that it can be deleted when it is free.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let (zone, id) = self.parts(doing, remote_id)?;
        let Seen::There(json) = self.see(doing, zone, id).await? else {
            sweep(&self.account, zone, id).await?;
            return Ok(());
        };
        let server: Server<'_> = serde_json::from_str(json.get()).unwrap_or_default();
        if server.protected.flag() == Some(true) {
            return Err(self
                .account
                .error(CloudErrorCode::Conflict, doing, "the Instance is protected against deletion")
                .hint("take the protection away in Scaleway's console, then end it again"));
        }
        if server.state.text().is_some_and(|state| state == "stopped") {
            return self.remove(zone, id, &server).await;
        }
        match self.act(doing, zone, id, "terminate").await {
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => {}
            // On its way to a stop it cannot be ended; on its way out it has been.
            Err(error) if error.code == CloudErrorCode::Conflict => {
                let marked = doomed(&self.account, zone, id).await.unwrap_or_default();
                return if marked.is_empty() { Err(error) } else { Ok(()) };
            }
            done => done?,
        }
        if let Some((disk, true)) = boot_disk(&server) {
            // What is dear has been ended; a volume that could not be marked is found among the leftovers.
            if let Err(error) = doom(&self.account, zone, &disk, id).await {
                tracing::warn!(code = error.code.word(), "a disk could not be marked to go with its machine");
            }
        }
        Ok(())
    }

    /// The list goes out whole, the key that is let in by a tag with it; every field that is left out stays
    /// (<https://www.scaleway.com/en/developers/api/instance/#path-instances-update-an-instance>).
    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        let doing = "tags";
        let (zone, id) = self.parts(doing, remote_id)?;
        let Seen::There(json) = self.see(doing, zone, id).await? else {
            return Err(self.account.error(CloudErrorCode::NoSuchMachine, doing, "there is no such machine"));
        };
        let told: Tagged<'_> = serde_json::from_str(json.get()).unwrap_or_default();
        let present = plain_tags(told.tags)
            .ok_or_else(|| self.account.error(CloudErrorCode::Refused, doing, "it does not tell its tags"))?;
        let ours: Vec<(String, String)> =
            tags.iter().map(|(name, value)| (tag(name, ""), tag(name, value))).collect();
        let (path, body) = (at(zone, &format!("/servers/{id}")), json!({ "tags": renewed(present, &ours) }));
        self.account.change(doing, (Method::PATCH, &path), Some(&body), &[PACE]).await.map_err(refused)?;
        Ok(())
    }

    /// Volumes and addresses outlive every machine.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        leftovers::leftovers(&self.account).await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        billing::usage(&self.account, &self.project, from, to).await.map(Some)
    }
}

/// Deadline and owner as a tag.
fn tag(name: &str, value: &str) -> String {
    format!("{TAG}:{name}={value}")
}

/// What is left of a machine whose server is gone and whose disk is not.
fn ending(zone: &str, remote_id: &str) -> Machine {
    Machine {
        remote_id: remote_id.to_owned(),
        token: None,
        name: None,
        state: MachineState::Ending,
        word: "disk".to_owned(),
        asked: None,
        spot: false,
        detail: Some("its disk is not deleted yet".to_owned()),
        ssh: Vec::new(),
        gpu_name: None,
        gpu_count: None,
        place: place(zone),
        per_hour: None,
        currency: None,
        disk_gb: None,
        created_at: None,
        running_since: None,
        ends_at: None,
        timer: None,
        notices: Vec::new(),
    }
}
