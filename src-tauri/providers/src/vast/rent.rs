//! Renting at Vast.ai.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::money::to_nanos;
use gpudesk_core::offer::{Offer, PriceKind, SupplyState};
use gpudesk_core::quarantine::Row;
use gpudesk_core::rental::{RentalTerms, Spec};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::api;
use super::said::{Said, refused};
use super::{accounting, instance, map, pages};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Listing, Look, Quote,
    Usage, asked_for, variable,
};
use crate::http::Pace;

/// Least time between two calls of a kind, by account
/// (<https://docs.vast.ai/api-reference/rate-limits-and-errors>).
const CREATE: Pace = Pace::one_each("vast create", Duration::from_millis(4500));
const READ: Pace = Pace::one_each("vast read", Duration::from_secs(2));
const MANAGE: Pace = Pace::one_each("vast manage", Duration::from_secs(1));
const DESTROY: Pace = Pace::one_each("vast destroy", Duration::from_secs(3));
pub(super) const LIST: Pace = Pace::one_each("vast list", Duration::from_secs(1));

/// The most characters of a first script.
const ONSTART: usize = 4048;

/// The most of a bid, USD an hour.
const MOST_BID: Decimal = Decimal::from_parts(128, 0, 0, false, 0);

struct VastCloud {
    account: Account,
    terms: RentalTerms,
    /// When each ask that was found ends, where that is told.
    ends: Mutex<BTreeMap<String, DateTime<Utc>>>,
}

/// Opens Vast.ai for one account (`GPUDESK_VAST_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, "Vast.ai", "vast", "https://console.vast.ai")?;
    let terms = super::terms::rental_terms();
    Ok(Box::new(VastCloud { account, terms, ends: Mutex::default() }))
}

impl VastCloud {
    /// Changes an instance. `doing` names it.
    async fn manage(
        &self,
        doing: &str,
        (method, path): (Method, &str),
        body: Option<&Value>,
        pace: Pace,
    ) -> Result<(), CloudError> {
        let answer = self.account.change(doing, (method, path), body, &[pace]).await.map_err(refused)?;
        match Said::of(&answer.body) {
            Some(said) if said.success == Some(false) => Err(said.refusal(self.account.what(doing))),
            Some(_) => Ok(()),
            None => Err(self.account.unreadable(doing, "the answer is no JSON object")),
        }
    }

    async fn set_state(&self, doing: &str, remote_id: &str, state: &str) -> Result<(), CloudError> {
        let path = format!("/api/v0/instances/{}/", self.account.id(doing, remote_id)?);
        self.manage(doing, (Method::PUT, &path), Some(&json!({ "state": state })), MANAGE).await
    }

    /// The asks of the offer's machine, of the offer's kind and number of cards, the cheapest first.
    async fn asks(
        &self,
        offer: &Offer,
        verified: bool,
        disk_gb: Option<u32>,
    ) -> Result<Vec<Offer>, CloudError> {
        let Some(machine) = machine_of(offer) else { return Ok(Vec::new()) };
        let mut body = json!({
            "verified": {"eq": verified},
            "rentable": {"eq": true},
            "rented": {"eq": false},
            "external": {"eq": false},
            "machine_id": {"eq": machine},
            "num_gpus": {"eq": offer.gpu.count},
            "type": offer.price.kind.word(),
            "order": [["dph_total", "asc"]],
            "limit": api::LIMIT,
        });
        if let (Some(gb), Some(filters)) = (disk_gb, body.as_object_mut()) {
            filters.insert("allocated_storage".to_owned(), json!(gb));
        }
        // The search answers without the key, within the same allowance as the search for the whole market.
        let answer = api::find(&self.account.http, &self.account.base, &body).await?;
        let text = answer.json_text();
        let rows = api::rows(&answer, &text, self.account.http.now())?;
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let mut asks: Vec<Offer> = rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                let mapped = map::ask(row.get(), index, offer.price.kind);
                let found = match mapped.row {
                    Row::Offers { mut offers, .. } if !mapped.of_other_kind => offers.pop(),
                    _ => None,
                }?;
                if let Some(at) = map::ends_at(row.get(), self.account.http.now()) {
                    ends.insert(found.name.clone(), at);
                }
                Some(found)
            })
            // A server that does not know a filter ignores it.
            .filter(|found| found.id == offer.id && found.supply.state == SupplyState::InStock)
            .filter(|found| to_nanos(found.price.per_hour).is_some_and(|price| price > 0))
            .collect();
        asks.sort_by_key(|ask| ask.price.per_hour);
        Ok(asks)
    }

    fn launch_body(&self, launch: &Launch) -> Result<Value, CloudError> {
        let doing = "launch";
        if launch.user_data.chars().count() > ONSTART {
            let words = format!("the first script has more than {ONSTART} characters");
            return Err(self.account.error(CloudErrorCode::Refused, doing, words).hint("make it shorter"));
        }
        let env: Map<String, Value> = [("GPUDESK_TOKEN".to_owned(), json!(launch.token))]
            .into_iter()
            .chain(launch.tags.iter().map(|(tag, value)| (variable(tag), json!(value))))
            .collect();
        let disk = launch.spec.disk_gb.or(self.terms.disk.map(|disk| disk.usual));
        let mut body = json!({
            "client_id": "me",
            "image": launch.spec.image.id,
            "disk": disk,
            "label": launch.token,
            "runtype": "ssh_direct",
            "env": env,
            // For bids the server's own default is to leave a stopped instance behind, whose disk is billed.
            "cancel_unavail": true,
        });
        let mut add =
            |name: &str, value: Value| body.as_object_mut().map(|body| body.insert(name.to_owned(), value));
        if !launch.user_data.is_empty() {
            add("onstart", json!(launch.user_data));
        }
        if launch.offer.price.kind == PriceKind::Bid {
            // Without a price the machine would be rented on demand, at the full price.
            let bid = launch.bid_per_hour.unwrap_or(launch.offer.price.per_hour);
            let price =
                api::as_json(bid).filter(|_| bid > Decimal::ZERO && bid <= MOST_BID).ok_or_else(|| {
                    self.account
                        .error(
                            CloudErrorCode::Refused,
                            doing,
                            format!("a bid of {bid} USD an hour cannot be made"),
                        )
                        .hint("bid more than 0 and at most 128 USD an hour")
                })?;
            add("price", price);
        }
        Ok(body)
    }
}

/// The machine in `vast:20817x2-on-demand`.
fn machine_of(offer: &Offer) -> Option<u64> {
    let rest = offer.id.strip_prefix("vast:")?;
    rest.strip_suffix(&format!("x{}-{}", offer.gpu.count, offer.price.kind))?.parse().ok()
}

#[async_trait]
impl Cloud for VastCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        accounting::check(&self.account).await
    }

    /// An ask is volatile, the machine is not: the offer stands as long as its machine has an ask of that kind for
    /// that many cards, and is returned with the number of that ask as its name.
    async fn quote(&self, offer: &Offer, disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        // The search takes one value; what the offer was found under comes first.
        let first = offer.verified.unwrap_or(true);
        for verified in [first, !first] {
            let Some(found) = self.asks(offer, verified, disk_gb).await?.into_iter().next() else { continue };
            let wanted = f64::from(disk_gb.unwrap_or(0));
            return Ok(match found.disk.max_gb {
                Some(most) if most < wanted => Quote::Gone {
                    words: format!("the host has {most} GB of disk left, {wanted} GB are wanted"),
                },
                _ => Quote::Stands(Box::new(found)),
            });
        }
        Ok(Quote::Gone { words: "the machine offers that many cards no longer".to_owned() })
    }

    fn ends_at(&self, offer: &Offer) -> Option<DateTime<Utc>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).get(&offer.name).copied()
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let ask = &launch.offer.name;
        if ask.is_empty() || !ask.chars().all(|c| c.is_ascii_digit()) {
            let words = format!("“{ask}” is no number of an ask");
            return Err(self
                .account
                .error(CloudErrorCode::OfferGone, doing, words)
                .hint("quote the offer again"));
        }
        let path = format!("/api/v0/asks/{ask}/");
        let body = self.launch_body(launch)?;
        let sent = self.account.order(doing, (Method::PUT, &path), &body, &[CREATE]).await;
        let answer = sent.map_err(|failure| {
            // 404 and 410 both mean that somebody was faster, if they do not mean the key.
            let gone = matches!(failure.status, Some(404 | 410));
            let mut error = refused(failure);
            if gone && error.code != CloudErrorCode::BadKey {
                error.code = CloudErrorCode::OfferGone;
                error = error.hint("somebody else took it; choose the nearest offer");
            }
            error
        })?;
        match Said::of(&answer.body) {
            Some(said) if said.success == Some(false) => Err(said.refusal(self.account.what(doing))),
            Some(Said { contract: Some(remote_id), .. }) => Ok(Launched { remote_id }),
            _ => Err(self.account.unreadable(doing, "the answer names no new instance")),
        }
    }

    /// The key goes to this one instance, not to the account: other people's machines stay as they are.
    async fn admit(&self, remote_id: &str, spec: &Spec) -> Result<(), CloudError> {
        let doing = "SSH key";
        let path = format!("/api/v0/instances/{}/ssh/", self.account.id(doing, remote_id)?);
        let body = json!({ "ssh_key": spec.ssh_public_key.trim() });
        match self.manage(doing, (Method::POST, &path), Some(&body), MANAGE).await {
            Err(error) if error.code == CloudErrorCode::Refused && is_there_already(&error.detail) => Ok(()),
            Err(mut error) => {
                if error.code == CloudErrorCode::Refused {
                    error.code = CloudErrorCode::SshKeyRefused;
                }
                Err(error)
            }
            done => done,
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = pages::instances(&self.account).await?;
        if !listing.machines.is_empty() {
            accounting::price_rises(&self.account, &mut listing.machines).await;
        }
        // A page may repeat what moved while the one before was read.
        let mut seen = BTreeSet::new();
        listing.machines.retain(|machine| seen.insert(machine.remote_id.clone()));
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "instance";
        let path = format!("/api/v0/instances/{}/", self.account.id(doing, remote_id)?);
        let answer = match self.account.get(doing, &path, READ).await {
            Ok(answer) => answer,
            Err(failure) => {
                let gone = failure.status == Some(404);
                let error = refused(failure);
                return if gone && error.code == CloudErrorCode::NoSuchMachine {
                    Ok(Look::Absent)
                } else {
                    Err(error)
                };
            }
        };
        let text = answer.json_text();
        let told: pages::One<'_> = answer.parse(&text)?;
        if told.success.flag() == Some(false) {
            let refusal = Said::of(&answer.body).unwrap_or_default().refusal(self.account.what(doing));
            return if refusal.code == CloudErrorCode::NoSuchMachine {
                Ok(Look::Absent)
            } else {
                Err(refusal)
            };
        }
        // An object under a plural name; null once the instance is gone. Nothing at all proves nothing.
        let Some(row) = told.instances else { return Err(answer.bad("JSON without `instances`").into()) };
        if row.get().trim() == "null" {
            return Ok(Look::Absent);
        }
        let machine = instance::machine(row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.set_state("stop", remote_id, "stopped").await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.set_state("start", remote_id, "running").await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/api/v0/instances/{}/", self.account.id(doing, remote_id)?);
        match self.manage(doing, (Method::DELETE, &path), None, DESTROY).await {
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(()),
            done => done,
        }
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        accounting::usage(&self.account, from, to).await.map(Some)
    }
}

fn is_there_already(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["already", "duplicate", "exists"].iter().any(|word| words.contains(word))
}
