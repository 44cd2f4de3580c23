//! Renting at Prime Intellect: launch, look, end. No stop is public.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::offer::{Offer, PriceKind, SupplyState};
use gpudesk_core::rental::RentalTerms;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use url::form_urlencoded::byte_serialize;

use super::api::{ADDRESS, PACE, TITLE, get, refusal, refused, words};
use super::terms::rental_terms;
use super::wire::{Gpu, Part, Pod};
use super::{accounting, key, keys, map, pages, pod, sweep};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, Quote, Usage, asked_for,
};
use crate::http::{Literal, redact};

struct PrimeCloud {
    account: Account,
    team: Option<String>,
    terms: RentalTerms,
}

/// Opens Prime Intellect for one account (`GPUDESK_PRIME_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let key = key::read(&access)?;
    let access = Access { key: key.secret, ..access };
    let account = Account::new(&access, TITLE, map::PROVIDER, ADDRESS)?;
    Ok(Box::new(PrimeCloud { account, team: key.team, terms: rental_terms() }))
}

impl PrimeCloud {
    fn unsupported(&self, doing: &str) -> CloudError {
        self.account
            .error(
                CloudErrorCode::Unsupported,
                doing,
                "Prime Intellect has no public stop and start: a pod is billed until it ends",
            )
            .hint("save what is needed and end the pod")
    }

    fn refuse(&self, detail: impl AsRef<str>, hint: &str) -> CloudError {
        self.account.error(CloudErrorCode::Refused, "launch", detail).hint(hint)
    }

    /// The row of an offer as it is listed now; `None` where it is not.
    async fn find(&self, doing: &str, offer: &Offer) -> Result<Option<String>, CloudError> {
        let card: String = byte_serialize(offer.gpu.raw_name.as_bytes()).collect();
        let filter = format!("gpu_type={card}&gpu_count={}&", offer.gpu.count);
        let swept = sweep::market(&self.account, doing, &filter).await?;
        Ok(swept.rows.into_iter().find(|row| {
            let listed = serde_json::from_str::<Gpu<'_>>(row).ok();
            let found = listed.and_then(|listed| map::offer(&listed, None).ok().flatten());
            found.is_some_and(|found| found.id == offer.id)
        }))
    }

    /// What must be copied from the very same row, and what was chosen.
    fn launch_body(&self, launch: &Launch, listed: &Gpu<'_>, key: &str) -> Result<Value, CloudError> {
        let row = |what: &str| self.refuse(format!("the offer has no {what}"), "choose another offer");
        let text = |literal: Literal<'_>| literal.text().map(|text| text.into_owned());
        let count = listed.gpu_count.whole().ok_or_else(|| row("gpuCount"))?;
        let mut pod = Map::new();
        let mut put = |name: &str, value: Value| pod.insert(name.to_owned(), value);
        put("name", json!(launch.token));
        put("cloudId", json!(text(listed.cloud_id).ok_or_else(|| row("cloudId"))?));
        put("gpuType", json!(text(listed.gpu_type).ok_or_else(|| row("gpuType"))?));
        put("socket", json!(text(listed.socket).ok_or_else(|| row("socket"))?));
        put("gpuCount", json!(count));
        put("image", json!(self.image(launch, listed)?));
        put("sshKeyId", json!(key));
        // Null is refused by some suppliers; a number holds offers of variable price to what was agreed to.
        put("maxPrice", number(launch.offer.price.per_hour).ok_or_else(|| row("price"))?);
        for (name, value) in [
            ("dataCenterId", text(listed.data_center)),
            ("country", text(listed.country)),
            ("security", text(listed.security)),
        ] {
            if let Some(value) = value {
                put(name, json!(value));
            }
        }
        // What an offer has no size for is left out; null is not the same.
        for (name, part) in [("vcpus", listed.vcpu), ("memory", listed.memory)] {
            if let Some(size) = part.and_then(|part| usual(&part)) {
                put(name, json!(size));
            }
        }
        if let Some(size) = self.disk(launch.spec.disk_gb, listed.disk)? {
            put("diskSize", json!(size));
        }
        let supplier = text(listed.provider).ok_or_else(|| row("provider"))?;
        let mut body = json!({ "pod": pod, "provider": { "type": supplier } });
        if let (Some(team), Some(body)) = (&self.team, body.as_object_mut()) {
            body.insert("team".to_owned(), json!({ "teamId": team }));
        }
        Ok(body)
    }

    fn image<'a>(&self, launch: &'a Launch, listed: &Gpu<'_>) -> Result<&'a str, CloudError> {
        let asked = launch.spec.image.id.as_str();
        let offered = listed.images.object::<Vec<String>>();
        if offered.is_empty() || offered.iter().any(|image| image == asked) {
            return Ok(asked);
        }
        let known = redact::words(&offered.join(", "));
        Err(self.refuse(format!("this offer has no image “{asked}”"), &format!("one of: {known}")))
    }

    fn disk(&self, asked: Option<u32>, part: Option<Part<'_>>) -> Result<Option<u64>, CloudError> {
        let Some(part) = part.filter(|part| usual(part).is_some()) else { return Ok(None) };
        let Some(asked) = asked.map(u64::from) else { return Ok(usual(&part)) };
        let least = part.min_count.whole().unwrap_or(1).max(1);
        let most = part.max_count.whole().unwrap_or(u64::MAX);
        let step = part.step.whole().unwrap_or(1).max(1);
        if !(least..=most).contains(&asked) || !(asked - least).is_multiple_of(step) {
            let hint = format!("ask for {least} to {most} GB in steps of {step}");
            return Err(self.refuse(format!("a disk of {asked} GB cannot be had here"), &hint));
        }
        Ok(Some(asked))
    }
}

/// The usual size of a part, as a launch names it.
fn usual(part: &Part<'_>) -> Option<u64> {
    part.default_count.whole().filter(|size| *size > 0)
}

/// A decimal as the nearest JSON number.
fn number(amount: Decimal) -> Option<Value> {
    serde_json::from_str(&amount.normalize().to_string()).ok()
}

#[async_trait]
impl Cloud for PrimeCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        accounting::check(&self.account, self.team.as_deref()).await
    }

    async fn quote(&self, offer: &Offer, disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let doing = "quote";
        let gone = |words: String| Ok(Quote::Gone { words });
        let Some(row) = self.find(doing, offer).await? else {
            return gone(format!("{} no longer offers {} there", offer.cloud, offer.name));
        };
        let listed: Gpu<'_> = serde_json::from_str(&row).unwrap_or_default();
        let now = map::offer(&listed, disk_gb).ok().flatten();
        let Some(now) = now else { return gone("the offer has no price now".to_owned()) };
        if now.supply.state != SupplyState::InStock {
            return gone(format!("{} has no {} there now", offer.cloud, offer.name));
        }
        if let Err(error) = self.disk(disk_gb, listed.disk) {
            return gone(error.detail);
        }
        Ok(Quote::Stands(Box::new(now)))
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        if launch.offer.price.kind == PriceKind::Reserved {
            let term = launch.offer.price.term.as_deref().unwrap_or("a term");
            let words = format!("{term} would be charged at once, used or not");
            return Err(self
                .account
                .error(CloudErrorCode::Unsupported, doing, words)
                .hint("order prepaid pods on the page of Prime Intellect"));
        }
        if !launch.user_data.is_empty() {
            return Err(self.refuse("a pod takes no first script", "run it over SSH"));
        }
        let Some(row) = self.find(doing, &launch.offer).await? else {
            let words = format!("{} no longer offers {} there", launch.offer.cloud, launch.offer.name);
            return Err(self
                .account
                .error(CloudErrorCode::OfferGone, doing, words)
                .hint("choose the nearest offer"));
        };
        let listed: Gpu<'_> = serde_json::from_str(&row)
            .map_err(|error| self.account.error(CloudErrorCode::OfferGone, doing, error.to_string()))?;
        // What is wrong with the order is told before a key is registered for it.
        self.launch_body(launch, &listed, "")?;
        let key = keys::id_of(&self.account, &launch.spec.ssh_public_key).await?;
        let body = self.launch_body(launch, &listed, &key)?;
        let sent = self.account.order(doing, (Method::POST, "/api/v1/pods/"), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| {
            let mut error = refused(failure);
            if error.code == CloudErrorCode::NoSuchMachine {
                error.code = CloudErrorCode::OfferGone;
            }
            error
        })?;
        let text = answer.json_text();
        let made: Option<Pod<'_>> = serde_json::from_str(&text).ok();
        if let Some(remote_id) = made.and_then(|pod| map::said(pod.id)) {
            return Ok(Launched { remote_id });
        }
        let said = words(&answer.body);
        Err(match said.is_empty() {
            // The id is not among the fields that are promised.
            true => self.account.unreadable(doing, "the answer names no new pod"),
            false => refusal(self.account.what(doing), &said),
        })
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let listed = pages::all(&self.account, "pods", "/pods/").await?;
        let mut listing = Listing { complete: listed.missing.is_none(), ..Listing::default() };
        listing.unreadable.extend(listed.missing);
        for row in &listed.rows {
            listing.take(pod::machine(row));
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "pod";
        let path = format!("/pods/{}", self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) => return Err(error),
        };
        let machine = pod::machine(&answer.json_text()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("stop"))
    }

    async fn start(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("start"))
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/api/v1/pods/{}", self.account.id(doing, remote_id)?);
        let failure = match self.account.change(doing, (Method::DELETE, &path), None, &[PACE]).await {
            Ok(answer) => {
                let said = words(&answer.body);
                return if said.is_empty() { Ok(()) } else { Err(refusal(self.account.what(doing), &said)) };
            }
            Err(failure) => failure,
        };
        let error = refused(failure);
        match error.code {
            CloudErrorCode::NoSuchMachine => Ok(()),
            CloudErrorCode::Refused | CloudErrorCode::Conflict => match self.look(remote_id).await {
                Ok(look) if look.is_ending() => Ok(()),
                _ => Err(error),
            },
            _ => Err(error),
        }
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        accounting::disks(&self.account).await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        accounting::usage(&self.account, from, to).await.map(Some)
    }
}
