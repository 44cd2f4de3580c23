//! Renting at __Title__.

use async_trait::async_trait;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::rental::RentalTerms;
use reqwest::Method;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{self, ADDRESS, PACE, TITLE, get, refused};
use super::map::{self, PROVIDER};
use super::terms::rental_terms;
use super::wire::Machines;
use super::instance;
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Listing, Look, Quote, asked_for,
};
use crate::http::redact;

/// The most pages of a list; more would be a list that goes round in circles.
const MOST_PAGES: usize = 200;

struct __Type__Cloud {
    account: Account,
    terms: RentalTerms,
}

/// Opens __Title__ for one account (`GPUDESK___NAME___URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, TITLE, PROVIDER, ADDRESS)?;
    Ok(Box::new(__Type__Cloud { account, terms: rental_terms() }))
}

impl __Type__Cloud {
    async fn act(&self, doing: &str, remote_id: &str) -> Result<(), CloudError> {
        let path = format!("/v1/machines/{}/{doing}", self.account.id(doing, remote_id)?);
        self.account.change(doing, (Method::POST, &path), None, &[PACE]).await.map_err(refused)?;
        Ok(())
    }
}

#[async_trait]
impl Cloud for __Type__Cloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        get(&self.account, "account", "/v1/machines").await?;
        Ok(AccountFacts { may_read: Some(true), ..AccountFacts::unknown(Currency::USD) })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let types = api::types(&self.account, "quote").await.map_err(refused)?;
        let now = types.iter().filter_map(|json| map::offer_of(json.get())).find(|now| now.id == offer.id);
        Ok(match now {
            Some(now) if now.supply.state != SupplyState::OutOfStock => Quote::Stands(Box::new(now)),
            _ => Quote::Gone { words: format!("{TITLE} offers no {} now", offer.name) },
        })
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let tags: serde_json::Map<String, Value> =
            launch.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let body = json!({
            "type": launch.offer.name,
            "region": launch.offer.place.region,
            "name": launch.token,
            "image": launch.spec.image.id,
            "ssh_key": launch.spec.ssh_public_key.trim(),
            "tags": tags,
        });
        let sent = self.account.order(doing, (Method::POST, "/v1/machines"), &body, &[PACE]).await;
        let answer = sent.map_err(refused)?;
        let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        match told["id"].as_str().map(redact::words) {
            Some(remote_id) if !remote_id.is_empty() => Ok(Launched { remote_id }),
            _ => Err(self.account.unreadable(doing, "the answer names no new machine")),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = Listing { complete: true, ..Listing::default() };
        let mut path = "/v1/machines".to_owned();
        for _ in 0..MOST_PAGES {
            let answer = get(&self.account, "machines", &path).await?;
            let text = answer.json_text();
            let page: Machines<'_> = answer.parse(&text)?;
            let rows = page.machines.ok_or_else(|| answer.bad("JSON without the list of `machines`"))?;
            rows.iter().for_each(|row| listing.take(instance::machine(row.get())));
            let Some(next) = page.next.text() else { return Ok(listing) };
            let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
            path = format!("/v1/machines?after={next}");
        }
        listing.complete = false;
        listing.unreadable.push("the list goes round in circles".to_owned());
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "machine";
        let path = format!("/v1/machines/{}", self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let row: &RawValue = answer.parse(&text)?;
        let machine = instance::machine(row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("stop", remote_id).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("start", remote_id).await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/v1/machines/{}", self.account.id(doing, remote_id)?);
        let error = match self.account.change(doing, (Method::DELETE, &path), None, &[PACE]).await {
            Ok(_) => return Ok(()),
            Err(failure) => refused(failure),
        };
        // What is gone or on its way out needs no second end.
        match self.look(remote_id).await {
            Ok(look) if look.is_ending() => Ok(()),
            _ => Err(error),
        }
    }
}
