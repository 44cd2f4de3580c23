//! Renting: launch, look, shelve, unshelve, end.

use async_trait::async_trait;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::quarantine::Row;
use gpudesk_core::rental::{Machine, MachineState, RentalTerms};
use gpudesk_core::terms::terms;
use reqwest::Method;
use serde_json::{Value, json};

use super::instance::{self, At};
use super::prices::PriceList;
use super::profile::Profile;
use super::session::{Service, Session};
use super::terms::rental_terms;
use super::wire::{Actions, LimitsBox};
use super::{launch, leftovers, network, offers, pages};
use crate::cloud::{
    Access, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing, Look,
    Quote, asked_for,
};
use crate::http::{Answer, Literal};
use crate::source::SourceErrorCode;

/// Roles that may look and nothing else.
const READERS: [&str; 3] = ["reader", "observer", "auditor"];

struct OpenStackCloud {
    session: Session,
    prices: PriceList,
    terms: RentalTerms,
}

/// Opens a cloud for one account (`GPUDESK_<CLOUD>_URL`, `GPUDESK_<CLOUD>_PRICES_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(profile: &'static Profile, access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let session = Session::open(profile, &access)?;
    let prices = PriceList::of(&session, &access);
    Ok(Box::new(OpenStackCloud { session, prices, terms: rental_terms(profile) }))
}

/// The raw JSON of the one server in an answer.
#[derive(serde::Deserialize)]
struct One<'a> {
    #[serde(borrow, default)]
    server: Literal<'a>,
}

impl OpenStackCloud {
    fn at<'a>(&self, doing: &str, remote_id: &'a str) -> Result<At<'a>, CloudError> {
        At::read(remote_id).ok_or_else(|| {
            let words = format!("“{remote_id}” is no id of a machine");
            self.session.error(CloudErrorCode::NoSuchMachine, doing, words)
        })
    }

    async fn read(&self, doing: &str, at: At<'_>) -> Result<Option<Machine>, CloudError> {
        let path = format!("/servers/{}", at.id);
        let answer = match self.session.get(doing, (at.region, Service::Compute), &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(None),
            Err(error) => return Err(error),
        };
        let machine = self.machine(&answer, at)?;
        asked_for(&at.whole(), &machine).map_err(|words| answer.bad(words))?;
        Ok(Some(machine))
    }

    fn machine(&self, answer: &Answer, at: At<'_>) -> Result<Machine, CloudError> {
        let text = answer.json_text();
        let one: One<'_> = answer.parse(&text)?;
        let raw = one.server.raw().ok_or_else(|| answer.bad("JSON without `server`"))?;
        Ok(instance::machine(self.session.profile, at.region, raw).map_err(|words| answer.bad(words))?)
    }

    async fn there(&self, doing: &str, at: At<'_>) -> Result<Machine, CloudError> {
        let gone = || self.session.error(CloudErrorCode::NoSuchMachine, doing, "there is no such machine");
        self.read(doing, at).await?.ok_or_else(gone)
    }

    /// Asks for an action. Where its state no longer allows it, somebody may have been quicker: then it is done.
    async fn act(
        &self,
        doing: &str,
        at: At<'_>,
        action: &str,
        done: impl Fn(&Machine) -> bool,
    ) -> Result<(), CloudError> {
        let path = format!("/servers/{}/action", at.id);
        let body = json!({ action: Value::Null });
        let service = (at.region, Service::Compute);
        match self.session.change(doing, service, (Method::POST, &path), Some(&body)).await {
            Err(error) if error.code == CloudErrorCode::Conflict => match self.read(doing, at).await {
                Ok(Some(machine)) if done(&machine) => Ok(()),
                _ => Err(error),
            },
            done => done.map(|_| ()),
        }
    }

    /// Whether the last thing that was done with a shelved server is an unshelve that failed: nothing else tells it.
    async fn start_failed(&self, at: At<'_>) -> bool {
        let path = format!("/servers/{}/os-instance-actions", at.id);
        let Ok(answer) = self.session.get("machine", (at.region, Service::Compute), &path).await else {
            return false;
        };
        let text = answer.json_text();
        let told: Actions<'_> = answer.parse(&text).unwrap_or_default();
        let newest = told.actions.iter().flatten().next();
        newest.is_some_and(|last| {
            last.action.text().is_some_and(|action| action == "unshelve")
                && last.message.text().is_some_and(|message| message == "Error")
        })
    }

    async fn limits(&self, region: &str) -> Result<Option<String>, CloudError> {
        let answer = self.session.get("quota", (region, Service::Compute), "/limits").await?;
        let text = answer.json_text();
        let told: LimitsBox<'_> = answer.parse(&text)?;
        let absolute = told.limits.absolute;
        let part = |used: Literal<'_>, most: Literal<'_>, what: &str| {
            // −1 is no number of machines: there is no limit.
            Some(format!("{} of {} {what}", used.whole()?, most.whole()?))
        };
        let servers = part(absolute.servers, absolute.most_servers, "machines");
        let cores = part(absolute.cores, absolute.most_cores, "processors");
        let parts: Vec<String> = servers.into_iter().chain(cores).collect();
        Ok((!parts.is_empty()).then(|| format!("{region}: quota used: {}", parts.join(", "))))
    }

    async fn list_region(&self, region: &str, listing: &mut Listing) -> Result<(), CloudError> {
        let at = (region, Service::Compute);
        let all = pages::all(&self.session, "machines", at, ("/servers/detail", "servers"), &[]).await?;
        listing.complete &= all.complete;
        for json in &all.rows {
            listing.take(instance::machine(self.session.profile, region, json));
        }
        Ok(())
    }
}

#[async_trait]
impl Cloud for OpenStackCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let who = self.session.who().await?;
        let currency = terms(self.session.profile.provider).and_then(|terms| terms.currency);
        let reads_only = !who.roles.is_empty()
            && who.roles.iter().all(|role| READERS.contains(&role.to_ascii_lowercase().as_str()));
        let mut facts = AccountFacts {
            may_read: Some(true),
            may_write: reads_only.then_some(false),
            ..AccountFacts::unknown(currency.unwrap_or(Currency::USD))
        };
        facts.who = match (&who.user, &who.project) {
            (Some(user), Some(project)) => Some(format!("{user}, project {project}")),
            (one, other) => one.clone().or_else(|| other.clone()),
        };
        for region in self.session.regions().await? {
            // A quota that is not told costs nothing.
            match self.limits(&region).await {
                Ok(remark) => facts.remarks.extend(remark),
                Err(error) => facts.remarks.push(format!("{region}: {}", error.detail)),
            }
        }
        Ok(facts)
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let title = self.session.profile.title;
        let region = offer.place.region.as_deref().unwrap_or_default();
        if !self.session.regions().await?.iter().any(|known| known == region) {
            return Ok(Quote::Gone { words: format!("{title} shows no region “{region}” to this key") });
        }
        let prices = self.prices.read(&self.session).await?;
        let (rows, _) = offers::rows(&self.session, region, &prices).await?;
        let now = rows.into_iter().find_map(|row| match row {
            Row::Offers { offers, .. } => {
                offers.into_iter().find(|now| now.name == offer.name && now.price.kind == offer.price.kind)
            }
            _ => None,
        });
        Ok(match now {
            None => {
                Quote::Gone { words: format!("{title} has no {} with a price in {region} now", offer.name) }
            }
            Some(now) if now.supply.state == SupplyState::OutOfStock => {
                Quote::Gone { words: format!("{title} has closed {} in {region}", offer.name) }
            }
            Some(now) => Quote::Stands(Box::new(Offer { id: offer.id.clone(), source: offer.source, ..now })),
        })
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        launch::launch(&self.session, launch).await
    }

    /// A region that cannot be read leaves the list incomplete; one that is asked too often or closed to the key would
    /// be so everywhere.
    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = Listing { complete: true, ..Listing::default() };
        let regions = self.session.regions().await?;
        let mut last = None;
        let mut failed = 0;
        for region in &regions {
            let Err(error) = self.list_region(region, &mut listing).await else { continue };
            let limited = error.code == CloudErrorCode::Http(SourceErrorCode::RateLimited);
            if limited || error.code == CloudErrorCode::BadKey {
                return Err(error);
            }
            listing.complete = false;
            listing.unreadable.push(format!("{region}: {}", error.detail));
            failed += 1;
            last = Some(error);
        }
        match last {
            Some(error) if failed == regions.len() => Err(error),
            _ => Ok(listing),
        }
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "machine";
        let at = self.at(doing, remote_id)?;
        let Some(mut machine) = self.read(doing, at).await? else { return Ok(Look::Absent) };
        if machine.word == "SHELVED_OFFLOADED" && self.start_failed(at).await {
            machine.detail =
                Some("its last start failed: no free cards; what is on its disk is safe".to_owned());
        }
        Ok(Look::There(Box::new(machine)))
    }

    /// Shelves: only that gives the cards back. A plain stop keeps them, and at most of these clouds their bill.
    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "stop";
        let at = self.at(doing, remote_id)?;
        let shelved =
            |machine: &Machine| machine.word.starts_with("SHELVED") || machine.word.contains("/shelving");
        if shelved(&self.there(doing, at).await?) {
            return Ok(());
        }
        self.act(doing, at, "shelve", shelved).await
    }

    /// What was shelved is unshelved, whatever else stands is started in its own way.
    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "start";
        let at = self.at(doing, remote_id)?;
        let machine = self.there(doing, at).await?;
        let runs = |machine: &Machine| {
            matches!(
                machine.state,
                MachineState::Running | MachineState::Booting | MachineState::Provisioning
            )
        };
        if runs(&machine) {
            return Ok(());
        }
        let action = match machine.word.split('/').next().unwrap_or_default() {
            word if word.starts_with("SHELVED") => "unshelve",
            "PAUSED" => "unpause",
            "SUSPENDED" => "resume",
            _ => "os-start",
        };
        self.act(doing, at, action, runs).await
    }

    /// Ends the server, and with it the address and the port that were made for it.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let at = self.at(doing, remote_id)?;
        // Afterwards nobody tells which mark it bore.
        let known = self.read(doing, at).await;
        let path = format!("/servers/{}", at.id);
        let service = (at.region, Service::Compute);
        match self.session.change(doing, service, (Method::DELETE, &path), None).await {
            Ok(_) => {}
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => {}
            Err(error) => match self.read(doing, at).await {
                Ok(None) => {}
                Ok(Some(machine)) if machine.state.is_ending() => {}
                _ => return Err(error),
            },
        }
        if let Ok(Some(Machine { token: Some(mark), .. })) = known
            && let Err(error) = network::remove(&self.session, at.region, &mark).await
        {
            // The machine is ending all the same; what stays is told as a leftover.
            tracing::warn!("address or port of an ended machine stays: {error}");
        }
        Ok(())
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        let mut left = Vec::new();
        for region in self.session.regions().await? {
            leftovers::of(&self.session, &self.prices, &region, &mut left).await?;
        }
        Ok(left)
    }
}
