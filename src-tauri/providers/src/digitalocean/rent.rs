//! Renting at DigitalOcean: launch, look, stop and start (which save nothing), end.

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::rental::{Machine, MachineState, RentalTerms};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{self, ADDRESS, PACE, get, number, refused, rows};
use super::terms::{ACCOUNT, BILLING, MOST_USER_DATA, READY, rental_terms};
use super::wire::{AccountBox, Action, Balance, Kept, Made};
use super::{billing, instance, keys};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, Quote, Usage, asked_for,
};
use crate::http::{Answer, redact};

/// The tag of every machine of ours; the mark is a tag of its own beside it.
const TAG: &str = "gpudesk";

/// The most characters of a tag.
const MOST_TAG: usize = 255;

const SNAPSHOT: &str = "snapshot";

/// USD of a snapshot per GB and month (<https://docs.digitalocean.com/products/images/snapshots/details/pricing/>).
const SNAPSHOT_PRICE: Decimal = Decimal::from_parts(6, 0, 0, false, 2);

struct DigitalOceanCloud {
    account: Account,
    terms: RentalTerms,
}

/// Opens DigitalOcean for one account (`GPUDESK_DIGITALOCEAN_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, "DigitalOcean", "digitalocean", ADDRESS)?;
    Ok(Box::new(DigitalOceanCloud { account, terms: rental_terms() }))
}

/// The image for the card, where the usual one was asked for; an image's own number or slug otherwise. The pages
/// recommend the one of a single H100 for every other single NVIDIA card.
fn image(asked: &str, offer: &Offer) -> Value {
    let slug = match (asked, offer.gpu.raw_name.starts_with("amd"), offer.gpu.count) {
        (READY, true, _) => "gpu-amd-base",
        (READY, false, 8) => "gpu-h100x8-base",
        (READY, false, _) => "gpu-h100x1-base",
        (asked, ..) => return asked.parse::<u64>().map_or_else(|_| json!(asked), |id| json!(id)),
    };
    json!(slug)
}

/// A text as a tag may have it.
fn tag(text: &str) -> String {
    let plain = text.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, ':' | '-' | '_') => c,
        _ => '-',
    });
    plain.take(MOST_TAG).collect()
}

impl DigitalOceanCloud {
    fn launch_body(&self, launch: &Launch, key: u64) -> Result<Value, CloudError> {
        let doing = "launch";
        // Without a region the machine may be made in any country.
        let Some(region) = launch.offer.place.region.as_deref() else {
            let words = format!("{} is sold out everywhere", launch.offer.name);
            return Err(self
                .account
                .error(CloudErrorCode::NoCapacity, doing, words)
                .hint("wait until a region has it again"));
        };
        if launch.user_data.len() > MOST_USER_DATA as usize {
            let words = format!("the first script has more than {MOST_USER_DATA} bytes");
            return Err(self.account.error(CloudErrorCode::Refused, doing, words).hint("make it shorter"));
        }
        let mut tags = vec![TAG.to_owned(), launch.token.clone()];
        tags.extend(launch.tags.iter().map(|(name, value)| tag(&format!("{TAG}:{name}:{value}"))));
        let mut body = json!({
            "name": launch.token,
            "region": region,
            "size": launch.offer.name,
            "image": image(&launch.spec.image.id, &launch.offer),
            // Without a key a root password is sent by mail.
            "ssh_keys": [key],
            "tags": tags,
        });
        if let (false, Some(body)) = (launch.user_data.is_empty(), body.as_object_mut()) {
            body.insert("user_data".to_owned(), json!(launch.user_data));
        }
        Ok(body)
    }

    fn path(&self, doing: &str, remote_id: &str) -> Result<String, CloudError> {
        let id = self.account.id(doing, remote_id)?;
        if id.parse::<u64>().is_err() {
            let words = format!("“{id}” is no id of a Droplet");
            return Err(self.account.error(CloudErrorCode::NoSuchMachine, doing, words));
        }
        Ok(format!("/v2/droplets/{id}"))
    }

    async fn there(&self, doing: &str, remote_id: &str) -> Result<Machine, CloudError> {
        match self.look(remote_id).await? {
            Look::There(machine) => Ok(*machine),
            Look::Absent => Err(self.account.error(
                CloudErrorCode::NoSuchMachine,
                doing,
                format!("there is no Droplet {remote_id}"),
            )),
        }
    }

    async fn act(&self, doing: &str, remote_id: &str, action: &str) -> Result<(), CloudError> {
        let path = format!("{}/actions", self.path(doing, remote_id)?);
        let body = json!({ "type": action });
        self.account.change(doing, (Method::POST, &path), Some(&body), &[PACE]).await.map_err(refused)?;
        Ok(())
    }

    /// The newest action of a machine: its kind and status.
    async fn last_action(&self, remote_id: &str) -> Option<(String, String)> {
        let path = format!("{}/actions?per_page=20&page=1", self.path("stop", remote_id).ok()?);
        let answer = get(&self.account, "stop", &path).await.ok()?;
        let text = answer.json_text();
        let told: Actions<'_> = answer.parse(&text).ok()?;
        let newest = told.actions.into_iter().max_by_key(|action| number(action.id))?;
        Some((newest.kind.text()?.into_owned(), newest.status.text()?.into_owned()))
    }

    /// Puts the machines of one list into the listing, those not there yet.
    fn add(listing: &mut Listing, seen: &mut BTreeSet<String>, all: &api::Rows) {
        let mut here = BTreeSet::new();
        for row in &all.rows {
            match instance::machine(row.get()) {
                Ok(machine) => {
                    here.insert(machine.remote_id.clone());
                    if seen.insert(machine.remote_id.clone()) {
                        listing.machines.push(machine);
                    }
                }
                Err(words) => {
                    listing.complete = false;
                    listing.unreadable.push(redact::words(&words));
                }
            }
        }
        // A row that stands there twice may stand for one that is lost.
        listing.complete &= all.are_all(here.len()) && here.len() == all.rows.len();
    }

    async fn kept(&self, what: &str, at: (&str, &str), left: &mut Vec<Leftover>) -> Result<(), CloudError> {
        let all = rows(&self.account, what, at, PACE).await.map_err(refused)?;
        for row in &all.rows {
            let one: Kept<'_> = serde_json::from_str(row.get()).unwrap_or_default();
            let Some(id) = one.id.text().or(one.ip.text()).map(|id| redact::words(&id)) else { continue };
            // An address that points to a machine costs nothing, and a volume that a machine has belongs to it.
            let held = !one.droplet_ids.object::<Vec<serde::de::IgnoredAny>>().is_empty();
            if held || (one.ip.text().is_some() && one.droplet.raw().is_some()) {
                continue;
            }
            let size_gb = one.size_gigabytes.decimal().filter(|gb| *gb > Decimal::ZERO);
            let per_month =
                size_gb.filter(|_| what == SNAPSHOT).and_then(|gb| gb.checked_mul(SNAPSHOT_PRICE));
            left.push(Leftover {
                what: what.to_owned(),
                remote_id: id,
                name: one.name.text().map(|name| redact::words(&name)),
                size_gb,
                per_month: per_month.map(|cost| cost.normalize()),
                currency: Currency::USD,
            });
        }
        Ok(())
    }

    /// Who it is, and what else the account says of itself.
    async fn person(&self, facts: &mut AccountFacts) -> Result<(), CloudError> {
        let answer = get(&self.account, "account", "/v2/account").await?;
        let text = answer.json_text();
        let told: AccountBox<'_> = answer.parse(&text)?;
        facts.who = told.account.email.text().map(|mail| redact::words(&mail));
        if let Some(status) = told.account.status.text().filter(|status| status != "active") {
            let why = told.account.status_message.text().unwrap_or_default();
            facts.remarks.push(redact::words(&format!("the account is marked {status}: {why}")));
        }
        if let Some(limit) = told.account.droplet_limit.whole() {
            facts.remarks.push(format!("at most {limit} Droplets at a time"));
        }
        Ok(())
    }

    /// What is owed, in words: it says nothing of what may still be spent.
    async fn owed(&self, facts: &mut AccountFacts) -> Result<(), CloudError> {
        let answer = get(&self.account, "balance", "/v2/customers/my/balance").await?;
        let text = answer.json_text();
        let balance: Balance<'_> = answer.parse(&text)?;
        facts.remarks.extend(balance.month_to_date_balance.amount(Currency::USD).map(|owed| {
            if owed.is_sign_negative() {
                format!("USD {} of credit left, by the last count", -owed)
            } else {
                format!("USD {owed} owed so far, by the last count")
            }
        }));
        Ok(())
    }
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Actions<'a> {
    #[serde(borrow)]
    actions: Vec<Action<'a>>,
}

#[derive(serde::Deserialize)]
struct One<'a> {
    #[serde(borrow)]
    droplet: &'a RawValue,
}

fn one(answer: &Answer, text: &str) -> Result<Machine, CloudError> {
    let told: One<'_> = answer.parse(text)?;
    Ok(instance::machine(told.droplet.get()).map_err(|words| answer.bad(words))?)
}

#[async_trait]
impl Cloud for DigitalOceanCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// The account is paid afterwards: what it owes is a remark, and there is no balance that could run out. What a
    /// token may change is not told without changing something.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        get(&self.account, "account", "/v2/droplets?type=gpus&per_page=1&page=1").await?;
        let mut facts = AccountFacts { may_read: Some(true), ..AccountFacts::unknown(Currency::USD) };
        for (scope, told) in
            [(ACCOUNT, self.person(&mut facts).await), (BILLING, self.owed(&mut facts).await)]
        {
            match told {
                Err(error) if error.code == CloudErrorCode::Forbidden => facts.missing.push(scope.to_owned()),
                Err(error) => return Err(error),
                Ok(()) => {}
            }
        }
        Ok(facts)
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let sizes = api::sizes(&self.account, "quote").await.map_err(refused)?;
        let place = offer.place.region.as_deref().unwrap_or("any region");
        Ok(match api::find(&sizes, offer) {
            Some(now) if now.supply.state == SupplyState::InStock && now.price.per_hour > Decimal::ZERO => {
                Quote::Stands(Box::new(now))
            }
            _ => Quote::Gone { words: format!("DigitalOcean offers no {} in {place} now", offer.name) },
        })
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        // What is wrong with the order is told before a key is registered for it.
        self.launch_body(launch, 0)?;
        let key = keys::id_of(&self.account, &launch.spec.ssh_public_key).await?;
        let body = self.launch_body(launch, key)?;
        let sent = self.account.order(doing, (Method::POST, "/v2/droplets"), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| refused(failure).of_order())?;
        let text = answer.json_text();
        let made: Made<'_> = answer.parse(&text).unwrap_or_default();
        match number(made.droplet.id) {
            Some(id) => Ok(Launched { remote_id: id.to_string() }),
            None => Err(self.account.unreadable(doing, "the answer names no new Droplet")),
        }
    }

    /// Machines with cards stand only in a list of their own; whatever bears our tag is asked for beside it.
    async fn list(&self) -> Result<Listing, CloudError> {
        let doing = "Droplets";
        let mut listing = Listing { complete: true, ..Listing::default() };
        let mut seen = BTreeSet::new();
        for path in ["/v2/droplets?type=gpus".to_owned(), format!("/v2/droplets?tag_name={TAG}")] {
            let all = rows(&self.account, doing, (&path, "droplets"), PACE).await.map_err(refused)?;
            Self::add(&mut listing, &mut seen, &all);
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "Droplet";
        let path = self.path(doing, remote_id)?;
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let machine = one(&answer, &text)?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    /// A shutdown from inside is tried first. It may fail without a word: where the last one is over and the machine
    /// still runs, its power is cut.
    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "stop";
        if self.there(doing, remote_id).await?.state == MachineState::Stopped {
            return Ok(());
        }
        let action = match self.last_action(remote_id).await {
            Some((kind, status)) if kind == "shutdown" && status != "in-progress" => "power_off",
            _ => "shutdown",
        };
        self.act(doing, remote_id, action).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "start";
        if self.there(doing, remote_id).await?.state == MachineState::Running {
            return Ok(());
        }
        self.act(doing, remote_id, "power_on").await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = self.path(doing, remote_id)?;
        match self.account.change(doing, (Method::DELETE, &path), None, &[PACE]).await.map_err(refused) {
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(()),
            done => done.map(|_| ()),
        }
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        billing::usage(&self.account, from, to).await.map(Some)
    }

    /// Volumes, snapshots and reserved addresses outlive every machine.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        let mut left = Vec::new();
        self.kept("volume", ("/v2/volumes", "volumes"), &mut left).await?;
        self.kept(SNAPSHOT, ("/v2/snapshots", "snapshots"), &mut left).await?;
        self.kept("reserved address", ("/v2/reserved_ips", "reserved_ips"), &mut left).await?;
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_only_what_a_tag_may_have() {
        assert_eq!(tag("gpudesk:until:2026-11-30T12:00:00Z"), "gpudesk:until:2026-11-30t12:00:00z");
        assert_eq!(tag("gpudesk:owner:Anna Ä@x"), "gpudesk:owner:anna---x");
    }
}
