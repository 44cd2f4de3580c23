//! Renting at Hyperstack: launch, look, hibernate, restore, end.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::quarantine::Row;
use gpudesk_core::rental::{Machine, MachineState, RentalTerms};
use reqwest::Method;
use serde_json::{Value, json};

use super::api::{ADDRESS, KEY, PACE, TITLE, believed, get, refused};
use super::instance::{self, LABEL};
use super::map::PROVIDER;
use super::terms::rental_terms;
use super::wire::{Made, One};
use super::{offers, pages, prepare, spending};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, Quote, Usage, asked_for,
};

/// The most characters of a name.
const MOST_NAME: usize = 50;

struct HyperstackCloud {
    account: Account,
    terms: RentalTerms,
}

/// Opens Hyperstack for one account (`GPUDESK_HYPERSTACK_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, TITLE, PROVIDER, ADDRESS)?.key_in(KEY);
    Ok(Box::new(HyperstackCloud { account, terms: rental_terms() }))
}

impl HyperstackCloud {
    async fn read(&self, doing: &str, remote_id: &str) -> Result<Option<Machine>, CloudError> {
        let path = format!("/core/virtual-machines/{}", self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(None),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let told: One<'_> = answer.parse(&text)?;
        let row = told.instance.ok_or_else(|| answer.bad("JSON without `instance`"))?;
        let machine = instance::machine(row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Some(machine))
    }

    /// Asks for a change that this API makes by GET. It goes out as what it is: a change, never repeated, never
    /// redirected.
    async fn act(&self, doing: &str, remote_id: &str, action: &str) -> Result<(), CloudError> {
        let path = format!("/v1/core/virtual-machines/{}/{action}", self.account.id(doing, remote_id)?);
        let sent = self.account.change(doing, (Method::GET, &path), None, &[PACE]).await;
        believed(&self.account, doing, sent.map_err(refused)?).map(|_| ())
    }

    /// A machine that has this name, where the account has one.
    async fn named(&self, name: &str) -> Result<Option<Machine>, CloudError> {
        let path = format!("/core/virtual-machines?search={name}");
        let all = pages::all(&self.account, "launch", &path, |page| page.instances.as_ref()).await?;
        let machines = all.rows.iter().filter_map(|row| instance::machine(row).ok());
        Ok(machines.into_iter().find(|machine| machine.name.as_deref() == Some(name)))
    }

    fn launch_body(&self, launch: &Launch) -> Result<Value, CloudError> {
        let doing = "launch";
        if launch.token.len() > MOST_NAME {
            let words = format!("the name “{}” has more than {MOST_NAME} characters", launch.token);
            return Err(self.account.error(CloudErrorCode::Refused, doing, words));
        }
        let labels: Vec<String> = [LABEL.to_owned(), launch.token.clone()]
            .into_iter()
            .chain(launch.tags.iter().map(|(name, value)| label(name, value)))
            .collect();
        // Without a rule nothing gets in. From where a desk connects tomorrow nobody knows today.
        let rule = json!({
            "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp", "remote_ip_prefix": "0.0.0.0/0",
            "port_range_min": 22, "port_range_max": 22,
        });
        let mut body = json!({
            "name": launch.token,
            "flavor_name": launch.offer.name,
            "image_name": launch.spec.image.id,
            // So many machines are made.
            "count": 1,
            // Without an address there is no way in.
            "assign_floating_ip": true,
            // Left out, SSH would be at a port chosen at random.
            "enable_port_randomization": false,
            "security_rules": [rule],
            "labels": labels,
        });
        if let (false, Some(body)) = (launch.user_data.is_empty(), body.as_object_mut()) {
            body.insert("user_data".to_owned(), json!(launch.user_data));
        }
        Ok(body)
    }
}

/// Deadline and owner as a label: letters, digits and hyphens, which every label may have.
fn label(name: &str, value: &str) -> String {
    let bare = name.strip_prefix(LABEL).unwrap_or(name).trim_start_matches([':', '-', '_']);
    let text = format!("{LABEL}_{bare}_{value}");
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .take(MOST_NAME)
        .collect()
}

#[async_trait]
impl Cloud for HyperstackCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        spending::check(&self.account).await
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let (rows, _) = offers::rows(&self.account, self.account.http.now()).await?;
        let found = rows.into_iter().find_map(|row| match row {
            Row::Offers { offers, .. } => offers.into_iter().find(|now| {
                now.name == offer.name
                    && now.place.region == offer.place.region
                    && now.price.kind == offer.price.kind
            }),
            _ => None,
        });
        let place = offer.place.region.as_deref().unwrap_or("any region");
        Ok(match found {
            None => Quote::Gone { words: format!("Hyperstack lists no {} in {place} now", offer.name) },
            Some(now) if now.supply.state == SupplyState::OutOfStock => {
                Quote::Gone { words: format!("no {} in {place} now", offer.name) }
            }
            Some(now) => Quote::Stands(Box::new(Offer { id: offer.id.clone(), source: offer.source, ..now })),
        })
    }

    /// The name is unique in an account: a second order of the same name is refused, and the machine that bears it is
    /// taken as the one that was made.
    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let Some(region) = launch.offer.place.region.as_deref() else {
            return Err(self
                .account
                .error(CloudErrorCode::Refused, doing, "the offer names no region")
                .hint("choose an offer with a region"));
        };
        // What is wrong with the order is told before anything is made for it.
        let mut body = self.launch_body(launch)?;
        let environment = prepare::environment(&self.account, region).await?;
        let key = prepare::key(&self.account, &environment, &launch.spec.ssh_public_key).await?;
        if let Some(body) = body.as_object_mut() {
            body.insert("environment_name".to_owned(), json!(environment));
            body.insert("key_name".to_owned(), json!(key));
        }
        let sent = self.account.order(doing, (Method::POST, "/v1/core/virtual-machines"), &body, &[PACE]);
        let answer =
            match sent.await.map_err(refused).and_then(|answer| believed(&self.account, doing, answer)) {
                Ok(answer) => answer,
                Err(error) if error.code == CloudErrorCode::Conflict => {
                    return match self.named(&launch.token).await {
                        Ok(Some(machine)) => Ok(Launched { remote_id: machine.remote_id }),
                        // Refused for another reason, or made and not listed yet.
                        _ => Err(CloudError { effect: crate::cloud::Effect::Unclear, ..error }),
                    };
                }
                Err(error) => return Err(error.of_order()),
            };
        let text = answer.json_text();
        let made: Made<'_> = answer.parse(&text).unwrap_or_default();
        let ids: Vec<String> = made
            .instances
            .iter()
            .flatten()
            .filter_map(|row| instance::machine(row.get()).ok())
            .map(|machine| machine.remote_id)
            .collect();
        match ids.into_iter().next() {
            Some(remote_id) => Ok(Launched { remote_id }),
            None => Err(self.account.unreadable(doing, "the answer names no new machine")),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let all =
            pages::all(&self.account, "machines", "/core/virtual-machines", |page| page.instances.as_ref())
                .await?;
        let mut listing = Listing { complete: all.complete, ..Listing::default() };
        for row in &all.rows {
            listing.take(instance::machine(row));
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let machine = self.read("machine", remote_id).await?;
        Ok(machine.map_or(Look::Absent, |machine| Look::There(Box::new(machine))))
    }

    /// Hibernates: only that ends the billing of the cards. A plain stop would save nothing. The address is kept, so
    /// that the way in stays the same.
    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "stop";
        if let Ok(Some(machine)) = self.read(doing, remote_id).await
            && matches!(machine.word.as_str(), "HIBERNATED" | "HIBERNATING")
        {
            return Ok(());
        }
        self.act(doing, remote_id, "hibernate?retain_ip=true").await
    }

    /// A hibernated machine is restored, one that was shut down is started.
    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "start";
        let machine = self.read(doing, remote_id).await?.ok_or_else(|| {
            self.account.error(CloudErrorCode::NoSuchMachine, doing, "there is no such machine")
        })?;
        match (machine.state, machine.word.as_str()) {
            (MachineState::Booting | MachineState::Running, _) => Ok(()),
            (_, "HIBERNATED" | "HIBERNATING") => self.act(doing, remote_id, "hibernate-restore").await,
            _ => self.act(doing, remote_id, "start").await,
        }
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/v1/core/virtual-machines/{}", self.account.id(doing, remote_id)?);
        let sent = self.account.change(doing, (Method::DELETE, &path), None, &[PACE]).await;
        let error = match sent.map_err(refused).and_then(|answer| believed(&self.account, doing, answer)) {
            Ok(_) => return Ok(()),
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(()),
            Err(error) => error,
        };
        let leaving = match self.read(doing, remote_id).await {
            Ok(None) => true,
            Ok(Some(machine)) => machine.state.is_ending(),
            Err(_) => false,
        };
        if leaving { Ok(()) } else { Err(error) }
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        spending::leftovers(&self.account).await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        spending::usage(&self.account, from, to).await.map(Some)
    }
}
