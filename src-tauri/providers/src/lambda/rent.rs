//! Renting at Lambda: launch, look, end. There is no stop.

use std::collections::BTreeMap;

use async_trait::async_trait;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, Supply, SupplyState};
use gpudesk_core::rental::RentalTerms;
use gpudesk_core::terms::terms;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::api::{ADDRESS, LAUNCH, PACE, data, get, refused};
use super::instance::{self, TAG};
use super::keys;
use super::map::{PROVIDER, per_hour};
use super::terms::rental_terms;
use super::wire::{self, Filesystem, TypeItem};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, MARK, Quote, asked_for,
};
use crate::http::{Each, redact};

struct LambdaCloud {
    account: Account,
    terms: RentalTerms,
    /// The public key of the last launch and its name in the account: the service answers once a second, and whoever
    /// rents again need not wait for the list of keys again.
    key: Mutex<Option<(String, String)>>,
}

/// Opens Lambda for one account (`GPUDESK_LAMBDA_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, "Lambda", "lambda", ADDRESS)?;
    Ok(Box::new(LambdaCloud { account, terms: rental_terms(), key: Mutex::default() }))
}

impl LambdaCloud {
    fn unsupported(&self, doing: &str) -> CloudError {
        self.account
            .error(
                CloudErrorCode::Unsupported,
                doing,
                "Lambda has no stop and no start: a machine is billed until it ends",
            )
            .hint("save what is needed and end the machine")
    }

    async fn key_name(&self, public_key: &str) -> Result<String, CloudError> {
        let known = self.key.lock().await.clone();
        match known {
            Some((key, name)) if key == public_key => Ok(name),
            _ => {
                let name = keys::name_of(&self.account, public_key).await?;
                *self.key.lock().await = Some((public_key.to_owned(), name.clone()));
                Ok(name)
            }
        }
    }

    fn launch_body(&self, launch: &Launch, key: &str) -> Result<Value, CloudError> {
        let Some(region) = launch.offer.place.region.as_deref() else {
            return Err(self
                .account
                .error(
                    CloudErrorCode::NoCapacity,
                    "launch",
                    format!("{} is sold out everywhere", launch.offer.name),
                )
                .hint("wait until a region has it again"));
        };
        let image = &launch.spec.image.id;
        // Images are told apart from families by their form: an id is 32 hexadecimal digits, with or without hyphens.
        let digits = image.chars().filter(|c| *c != '-').count();
        let is_id = digits == 32 && image.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        let mark = launch.token.strip_prefix(MARK).unwrap_or(&launch.token);
        let tags: Vec<Value> = [(TAG.to_owned(), mark)]
            .into_iter()
            .chain(launch.tags.iter().map(|(name, value)| (tag(name), value.as_str())))
            .map(|(key, value)| json!({ "key": key, "value": value.chars().take(MOST_TAG_VALUE).collect::<String>() }))
            .collect();
        let mut body = json!({
            "region_name": region,
            "instance_type_name": launch.offer.name,
            // One name: two are refused.
            "ssh_key_names": [key],
            "name": launch.token,
            "image": if is_id { json!({ "id": image }) } else { json!({ "family": image }) },
            "tags": tags,
        });
        if let (false, Some(body)) = (launch.user_data.is_empty(), body.as_object_mut()) {
            body.insert("user_data".to_owned(), json!(launch.user_data));
        }
        Ok(body)
    }
}

/// The most characters of a tag's key and value.
const MOST_TAG_KEY: usize = 55;
const MOST_TAG_VALUE: usize = 128;

/// A key as a tag may have it: `[a-z][a-z0-9-:]+`, ours all beginning alike.
fn tag(name: &str) -> String {
    let bare = name.strip_prefix(TAG).unwrap_or(name).trim_start_matches([':', '-', '_']);
    let plain = bare.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, ':' | '-') => c,
        _ => '-',
    });
    TAG.chars().chain([':']).chain(plain).take(MOST_TAG_KEY).collect()
}

#[async_trait]
impl Cloud for LambdaCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// There is one kind of key, which may do everything, and nothing that tells whose it is.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        get(&self.account, "account", "/instances").await?;
        Ok(AccountFacts {
            may_read: Some(true),
            may_write: Some(true),
            remarks: vec!["a key of Lambda may do everything in its account".to_owned()],
            ..AccountFacts::unknown(Currency::USD)
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let answer = get(&self.account, "quote", "/instance-types").await?;
        let text = answer.json_text();
        let types: BTreeMap<String, &RawValue> = data(&answer, &text)?;
        let Some(item) = types.get(&offer.name) else {
            return Ok(Quote::Gone { words: format!("Lambda lists no type {} now", offer.name) });
        };
        let item: TypeItem<'_> = answer.parse(item.get())?;
        let here = item.regions_with_capacity_available.iter().flat_map(Each::good).any(|region| {
            region.name.text().is_some_and(|name| Some(name.as_ref()) == offer.place.region.as_deref())
        });
        if !here {
            let place = offer.place.region.as_deref().unwrap_or("any region");
            return Ok(Quote::Gone { words: format!("no {} in {place} now", offer.name) });
        }
        let price = per_hour(&item.instance_type).filter(|price| *price > Decimal::ZERO);
        let mut now = offer.clone();
        now.price.per_hour = price.ok_or_else(|| answer.bad("the type has no price that can be read"))?;
        now.supply = Supply { state: SupplyState::InStock, count: None };
        Ok(Quote::Stands(Box::new(now)))
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        // What is wrong with the order is told before a key is registered for it.
        self.launch_body(launch, "")?;
        let key = self.key_name(&launch.spec.ssh_public_key).await?;
        let body = self.launch_body(launch, &key)?;
        let path = "/api/v1/instance-operations/launch";
        let sent = self.account.order(doing, (Method::POST, path), &body, &[PACE, LAUNCH]).await;
        let answer = match sent {
            Ok(answer) => answer,
            Err(failure) => {
                // The key may have been taken out of the account meanwhile: the next launch looks for it again.
                *self.key.lock().await = None;
                return Err(refused(failure).of_order());
            }
        };
        let text = answer.json_text();
        let made: Option<wire::Launched> = data(&answer, &text).ok();
        match made.and_then(|made| made.instance_ids.into_iter().next()).map(|id| redact::words(&id)) {
            Some(remote_id) if !remote_id.is_empty() => Ok(Launched { remote_id }),
            _ => Err(match answer.refusal() {
                Some(failure) => refused(failure).of_order(),
                None => self.account.unreadable(doing, "the answer names no new instance"),
            }),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let answer = get(&self.account, "instances", "/instances").await?;
        let text = answer.json_text();
        let rows: Vec<&RawValue> = data(&answer, &text)?;
        let mut listing = Listing { complete: true, ..Listing::default() };
        for row in rows {
            listing.take(instance::machine(row.get()));
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "instance";
        let path = format!("/instances/{}", self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let row: &RawValue = data(&answer, &text)?;
        let machine = instance::machine(row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("stop"))
    }

    async fn start(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(self.unsupported("start"))
    }

    /// A machine that is on its way out answers a second order with an error, so its state is looked at first, and
    /// once more where the order fails. That the first look fails does not hold up the order.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        self.account.id(doing, remote_id)?;
        if self.look(remote_id).await.is_ok_and(|look| look.is_ending()) {
            return Ok(());
        }
        let path = "/api/v1/instance-operations/terminate";
        let body = json!({ "instance_ids": [remote_id] });
        let failure = match self.account.change(doing, (Method::POST, path), Some(&body), &[PACE]).await {
            Ok(_) => return Ok(()),
            Err(failure) => failure,
        };
        let error = refused(failure);
        match self.look(remote_id).await {
            Ok(look) if look.is_ending() => Ok(()),
            _ => Err(error),
        }
    }

    /// Filesystems outlive every machine and are billed by what lies in them.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        let answer = get(&self.account, "filesystems", "/file-systems").await?;
        let text = answer.json_text();
        let all: Vec<Filesystem<'_>> = data(&answer, &text)?;
        let price = terms(PROVIDER).and_then(|terms| terms.storage_gb_month);
        all.iter()
            .map(|one| {
                let id = one.id.text().ok_or_else(|| answer.bad("a filesystem without an id"))?;
                let gb = one.bytes_used.decimal().and_then(|bytes| bytes.checked_div(BYTES_IN_GB));
                Ok(Leftover {
                    what: "filesystem".to_owned(),
                    remote_id: redact::words(&id),
                    name: one.name.text().map(|name| redact::words(&name)),
                    size_gb: gb.map(|gb| gb.normalize()),
                    per_month: gb
                        .zip(price)
                        .and_then(|(gb, price)| gb.checked_mul(price))
                        .map(|cost| cost.normalize()),
                    currency: Currency::USD,
                })
            })
            .collect()
    }
}

const BYTES_IN_GB: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);
