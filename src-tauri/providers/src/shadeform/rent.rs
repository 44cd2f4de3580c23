//! Renting at Shadeform: launch, look, end. There is no stop.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::rental::RentalTerms;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use super::api::{ADDRESS, PACE, Said, TITLE, account, get, refused};
use super::map::{self, cuda_of};
use super::terms::{NEWEST_CUDA, rental_terms};
use super::wire::{Instance, InstanceType, Instances, Made, Types};
use super::{instance, keys, timer, volumes};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Effect, Launch, Launched, Leftover,
    Listing, Look, Quote, asked_for, plain_tags, renewed,
};
use crate::http::{Answer, redact};

struct ShadeformCloud {
    account: Account,
    terms: RentalTerms,
}

/// Opens Shadeform for one account (`GPUDESK_SHADEFORM_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    // Tells at once what is wrong with key or address.
    let probed = Account::new(&access, TITLE, map::PROVIDER, ADDRESS)?;
    let account = account(access.http, probed.base, access.key);
    Ok(Box::new(ShadeformCloud { account, terms: rental_terms() }))
}

/// An offer as it is listed now, with what a launch needs beside it.
struct Found {
    offer: Offer,
    /// The names as the service spells them.
    cloud: String,
    kind: String,
    region: Option<String>,
    systems: Vec<String>,
}

impl ShadeformCloud {
    fn unsupported(&self, doing: &str) -> CloudError {
        self.account
            .error(
                CloudErrorCode::Unsupported,
                doing,
                "Shadeform has no stop and no start: a machine is billed until it ends",
            )
            .hint("save what is needed and end the machine")
    }

    /// The offer in the list as it is now; `None` where it is not in it.
    async fn find(&self, doing: &str, offer: &Offer) -> Result<Option<Found>, CloudError> {
        let kind: String = byte_serialize(offer.name.as_bytes()).collect();
        let answer =
            get(&self.account, doing, &format!("/instances/types?shade_instance_type={kind}")).await?;
        let text = answer.json_text();
        let listed: Types<'_> = answer.parse(&text)?;
        let Some(types) = listed.instance_types else {
            return Err(match Said::of(&answer.body) {
                Some(said) => said.refusal(self.account.what(doing)).with_effect(Effect::Nothing),
                None => answer.bad("JSON without the list of `instance_types`").into(),
            });
        };
        Ok(types.iter().find_map(|row| found(row.get(), &offer.id)))
    }

    fn launch_body(&self, launch: &Launch, found: &Found, key: &str) -> Result<Value, CloudError> {
        let doing = "launch";
        let Some(region) = &found.region else {
            let words = format!("{} of {} is sold out everywhere", found.kind, found.cloud);
            return Err(self
                .account
                .error(CloudErrorCode::NoCapacity, doing, words)
                .hint("wait until a region has it again"));
        };
        let tags: Vec<String> = std::iter::once(launch.token.clone())
            .chain(launch.tags.iter().map(|(name, value)| format!("{}{value}", tag(name))))
            .collect();
        let mut body = json!({
            "cloud": found.cloud,
            "region": region,
            "shade_instance_type": found.kind,
            // From the wallet, never from a linked account at the cloud: its costs are told nowhere.
            "shade_cloud": true,
            "name": launch.token,
            "ssh_key_id": key,
            "tags": tags,
        });
        let mut add =
            |name: &str, value: Value| body.as_object_mut().map(|body| body.insert(name.to_owned(), value));
        if let Some(system) = self.system(&launch.spec.image.id, found)? {
            add("os", json!(system));
        }
        if let Some(at) = launch.end_at {
            add("auto_delete", json!({ "date_threshold": timer::date(at) }));
        }
        if !launch.user_data.is_empty() {
            let script = STANDARD.encode(launch.user_data.as_bytes());
            add(
                "launch_configuration",
                json!({ "type": "script", "script_configuration": { "base64_script": script } }),
            );
        }
        Ok(body)
    }

    /// The system to launch with. The clouds behind have different ones, so the usual choice is made for each offer;
    /// `None` leaves it to the type.
    fn system(&self, asked: &str, found: &Found) -> Result<Option<String>, CloudError> {
        let options = &found.systems;
        if asked == NEWEST_CUDA {
            return Ok(options.iter().filter(|os| cuda_of(os).is_some()).max_by_key(|os| rank(os)).cloned());
        }
        if options.is_empty() || options.iter().any(|os| os == asked) {
            return Ok(Some(asked.to_owned()));
        }
        let words = format!("{} of {} has no system “{asked}”", found.kind, found.cloud);
        Err(self
            .account
            .error(CloudErrorCode::Refused, "launch", words)
            .hint(format!("one of: {}", redact::words(&options.join(", ")))))
    }

    async fn rows(&self, doing: &str) -> Result<Answer, CloudError> {
        get(&self.account, doing, "/instances").await
    }
}

/// Our own images before others, then the newer CUDA, then the newer system.
fn rank(os: &str) -> (bool, Option<(u32, u32)>, String) {
    (os.ends_with("shade_os"), cuda_of(os), os.to_owned())
}

/// A name as a tag begins with it: `gpudesk-until=`.
fn tag(name: &str) -> String {
    let bare = name.strip_prefix("gpudesk").unwrap_or(name).trim_start_matches([':', '-', '_']);
    format!("gpudesk-{bare}=")
}

/// The offer of this id in a row of the list.
fn found(json: &str, id: &str) -> Option<Found> {
    let listed: InstanceType<'_> = serde_json::from_str(json).ok()?;
    let offer = map::offers(&listed).ok()??.into_iter().find(|offer| offer.id == id)?;
    let text = |literal: crate::http::Literal<'_>| literal.text().map(|text| text.into_owned());
    let regions = map::availability(listed.availability).unwrap_or_default();
    let region = regions.iter().find(|at| map::said(at.region) == offer.place.region);
    Some(Found {
        cloud: text(listed.cloud)?,
        kind: text(listed.shade_instance_type)?,
        region: region.and_then(|at| text(at.region)),
        systems: listed.configuration.as_ref().map(map::os_options).unwrap_or_default(),
        offer,
    })
}

#[async_trait]
impl Cloud for ShadeformCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// Every key may do everything, and nothing tells whose it is or what is in the wallet.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        self.rows("account").await?;
        Ok(AccountFacts {
            may_read: Some(true),
            may_write: Some(true),
            remarks: vec!["a key of Shadeform may do everything in its workspace".to_owned()],
            ..AccountFacts::unknown(Currency::USD)
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let Some(found) = self.find("quote", offer).await? else {
            return Ok(Quote::Gone { words: format!("Shadeform lists no {} there now", offer.name) });
        };
        if found.offer.supply.state != SupplyState::InStock {
            let place = found.region.as_deref().unwrap_or("any region");
            return Ok(Quote::Gone { words: format!("no {} of {} in {place} now", offer.name, found.cloud) });
        }
        if found.offer.price.per_hour <= Decimal::ZERO {
            return Err(self
                .account
                .unreadable("quote", "the price is not above zero")
                .with_effect(Effect::Nothing));
        }
        Ok(Quote::Stands(Box::new(found.offer)))
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let Some(found) = self.find(doing, &launch.offer).await? else {
            let words = format!("Shadeform lists no {} there now", launch.offer.name);
            return Err(self
                .account
                .error(CloudErrorCode::OfferGone, doing, words)
                .hint("choose the nearest offer"));
        };
        // What is wrong with the order is told before a key is registered for it.
        self.launch_body(launch, &found, "")?;
        let key = keys::id_of(&self.account, &launch.spec.ssh_public_key).await?;
        let body = self.launch_body(launch, &found, &key)?;
        let path = "/v1/instances/create";
        let sent = self.account.order(doing, (Method::POST, path), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| refused(failure).of_order())?;
        let text = answer.json_text();
        let made: Option<Made<'_>> = serde_json::from_str(&text).ok();
        match (made.and_then(|made| map::said(made.id)), Said::of(&answer.body)) {
            (Some(remote_id), _) => Ok(Launched { remote_id }),
            (None, Some(said)) => Err(said.refusal(self.account.what(doing))),
            (None, None) => Err(self.account.unreadable(doing, "the answer names no new instance")),
        }
    }

    /// The list is whole: there are no pages.
    async fn list(&self) -> Result<Listing, CloudError> {
        let doing = "instances";
        let answer = self.rows(doing).await?;
        let text = answer.json_text();
        let listed: Instances<'_> = answer.parse(&text)?;
        let Some(rows) = listed.instances else {
            return Err(match Said::of(&answer.body) {
                Some(said) => said.refusal(self.account.what(doing)).with_effect(Effect::Nothing),
                None => answer.bad("JSON without the list of `instances`").into(),
            });
        };
        let mut listing = Listing { complete: true, ..Listing::default() };
        for row in rows {
            listing.take(instance::machine(row.get()));
        }
        Ok(listing)
    }

    /// What an id that is gone is answered with is not documented: the list, which is, has the last word.
    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "instance";
        let path = format!("/instances/{}/info", self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) if matches!(error.code, CloudErrorCode::Refused | CloudErrorCode::Conflict) => {
                let listing = self.list().await?;
                let there = listing.machines.into_iter().find(|machine| machine.remote_id == remote_id);
                return match there {
                    Some(machine) => Ok(Look::There(Box::new(machine))),
                    None if listing.complete => Ok(Look::Absent),
                    None => Err(error),
                };
            }
            Err(error) => return Err(error),
        };
        let machine = instance::machine(&answer.json_text()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("stop"))
    }

    async fn start(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("start"))
    }

    /// A success has an empty body.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/v1/instances/{}/delete", self.account.id(doing, remote_id)?);
        let failure = match self.account.change(doing, (Method::POST, &path), None, &[PACE]).await {
            Ok(answer) => {
                // A success that says that it is none.
                return match Said::of(&answer.body) {
                    Some(said) if !said.code.is_empty() => Err(said.refusal(self.account.what(doing))),
                    _ => Ok(()),
                };
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

    async fn set_timer(&self, remote_id: &str, end_at: Option<DateTime<Utc>>) -> Result<(), CloudError> {
        timer::set(&self.account, remote_id, end_at).await
    }

    /// The list goes out whole; every field that is left out stays, the timer among them
    /// (<https://docs.shadeform.ai/api-reference/instances/instances-update>).
    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        let doing = "tags";
        let id = self.account.id(doing, remote_id)?;
        let answer = get(&self.account, doing, &format!("/instances/{id}/info")).await?;
        let text = answer.json_text();
        let told: Instance<'_> = answer.parse(&text)?;
        let present = plain_tags(told.tags).ok_or_else(|| answer.bad("an instance that tells no tags"))?;
        let ours: Vec<(String, String)> =
            tags.iter().map(|(name, value)| (tag(name), format!("{}{value}", tag(name)))).collect();
        let body = json!({ "tags": renewed(present, &ours) });
        let path = format!("/v1/instances/{id}/update");
        let sent = self.account.change(doing, (Method::POST, &path), Some(&body), &[PACE]).await;
        match Said::of(&sent.map_err(refused)?.body) {
            // A success that says that it is none.
            Some(said) if !said.code.is_empty() => Err(said.refusal(self.account.what(doing))),
            _ => Ok(()),
        }
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        volumes::leftovers(&self.account).await
    }
}
