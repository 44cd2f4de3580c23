//! Renting at Vultr: launch, look, halt, start, end, of virtual machines and bare metal alike.

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Form, Offer, PriceKind, Supply, SupplyState};
use gpudesk_core::rental::{Machine, RentalTerms};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{ADDRESS, PACE, TITLE, get, refused};
use super::map::{self, Kind, PROVIDER};
use super::pages::{self, Pick, Rows};
use super::terms::rental_terms;
use super::wire::{Instance, Me, One, Plan};
use super::{billing, instance, keys, leftovers, offers};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, Quote, Usage, asked_for, plain_tags, renewed,
};
use crate::http::{Answer, Literal, redact};

/// The label of everything of ours.
const LABEL: &str = "gpudesk";

/// The most characters of a tag of ours.
const MOST_TAG: usize = 100;

/// Both kinds of machines, the more usual one first.
const KINDS: [Kind; 2] = [Kind::Vm, Kind::Metal];

struct VultrCloud {
    account: Account,
    terms: RentalTerms,
}

/// Opens Vultr for one account (`GPUDESK_VULTR_URL`).
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let account = Account::new(&access, TITLE, PROVIDER, ADDRESS)?;
    Ok(Box::new(VultrCloud { account, terms: rental_terms() }))
}

/// Every row of a list of the account.
pub(super) async fn all(account: &Account, doing: &str, path: &str, pick: Pick) -> Result<Rows, CloudError> {
    let mut rows = Rows::default();
    let mut cursor: Option<String> = None;
    loop {
        let answer = get(account, doing, &pages::path(path, cursor.as_deref())).await?;
        cursor = rows.take(&answer, pick)?;
        if cursor.is_none() {
            return Ok(rows);
        }
    }
}

/// Every machine of the account.
pub(super) async fn machines(account: &Account) -> Result<Listing, CloudError> {
    let mut listing = Listing { complete: true, ..Listing::default() };
    let picks: [(Kind, Pick); 2] =
        [(Kind::Vm, |page| page.instances.as_ref()), (Kind::Metal, |page| page.bare_metals.as_ref())];
    for (kind, pick) in picks {
        let rows = all(account, "instances", path(kind), pick).await?;
        listing.complete &= rows.complete;
        for row in &rows.rows {
            listing.take(instance::machine(kind, row));
        }
    }
    Ok(listing)
}

/// The path of the machines of a kind.
fn path(kind: Kind) -> &'static str {
    match kind {
        Kind::Vm => "/instances",
        Kind::Metal => "/bare-metals",
    }
}

/// The machine in the envelope of its kind.
fn envelope<'a>(kind: Kind, answer: &Answer, text: &'a str) -> Result<Option<&'a RawValue>, CloudError> {
    let told: One<'a> = answer.parse(text)?;
    Ok(match kind {
        Kind::Vm => told.instance,
        Kind::Metal => told.bare_metal.or(told.baremetal),
    })
}

impl VultrCloud {
    async fn read(&self, kind: Kind, remote_id: &str) -> Result<Option<Machine>, CloudError> {
        let doing = "instance";
        let path = format!("{}/{}", path(kind), self.account.id(doing, remote_id)?);
        let answer = match get(&self.account, doing, &path).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(None),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let row = envelope(kind, &answer, &text)?.ok_or_else(|| answer.bad("JSON without its instance"))?;
        let machine = instance::machine(kind, row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Some(machine))
    }

    /// Changes a machine, whichever kind it is: an id of the other kind is not known there.
    async fn act(
        &self,
        doing: &str,
        method: &Method,
        remote_id: &str,
        action: &str,
    ) -> Result<(), CloudError> {
        let id = self.account.id(doing, remote_id)?;
        let mut last = None;
        for kind in KINDS {
            let path = format!("/v2{}/{id}{action}", path(kind));
            let sent = self.account.change(doing, (method.clone(), &path), None, &[PACE]).await;
            match sent.map_err(refused) {
                Ok(_) => return Ok(()),
                Err(error) if error.code == CloudErrorCode::NoSuchMachine => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| {
            self.account.error(CloudErrorCode::NoSuchMachine, doing, "there is no such machine")
        }))
    }

    fn launch_body(&self, launch: &Launch) -> Result<Value, CloudError> {
        let doing = "launch";
        let refuse = |code, words: &str, hint: &str| Err(self.account.error(code, doing, words).hint(hint));
        let Some(region) = launch.offer.place.region.as_deref() else {
            let words = format!("{} is sold out everywhere", launch.offer.name);
            return refuse(CloudErrorCode::NoCapacity, &words, "wait until a region has it again");
        };
        if launch.offer.price.kind != PriceKind::OnDemand {
            return refuse(
                CloudErrorCode::Unsupported,
                "the API of Vultr has no order for a preemptible machine",
                "choose it on demand, or order it on the page of Vultr",
            );
        }
        let image = &launch.spec.image.id;
        let tags: Vec<String> = [LABEL.to_owned(), launch.token.clone()]
            .into_iter()
            .chain(launch.tags.iter().map(|(name, value)| tag(name, value)))
            .collect();
        let mut body = json!({
            "region": region,
            "plan": launch.offer.name,
            "label": launch.token,
            "hostname": launch.token,
            "tags": tags,
            "activation_email": false,
        });
        let Some(fields) = body.as_object_mut() else { return Ok(body) };
        // Systems have numbers, everything else of the marketplace has names. Exactly one may be given.
        match image.parse::<u32>() {
            Ok(number) => fields.insert("os_id".to_owned(), json!(number)),
            Err(_) => fields.insert("image_id".to_owned(), json!(image)),
        };
        if !launch.user_data.is_empty() {
            fields.insert("user_data".to_owned(), json!(STANDARD.encode(&launch.user_data)));
        }
        Ok(body)
    }
}

fn kind_of(offer: &Offer) -> Kind {
    if offer.form == Form::BareMetal { Kind::Metal } else { Kind::Vm }
}

/// Deadline and owner as a tag of letters, digits and hyphens.
fn tag(name: &str, value: &str) -> String {
    let bare = name.strip_prefix(LABEL).unwrap_or(name).trim_start_matches([':', '-', '_']);
    let text = format!("{LABEL}_{bare}_{value}");
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).take(MOST_TAG).collect()
}

#[async_trait]
impl Cloud for VultrCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// The balance is below zero where there is credit. Accounts that pay by card have none, so it is told in words and
    /// holds up no launch.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let answer = get(&self.account, "account", "/account").await?;
        let text = answer.json_text();
        let told: Me<'_> = answer.parse(&text)?;
        let me = told.account.ok_or_else(|| answer.bad("JSON without `account`"))?;
        let rights: Option<Vec<Literal<'_>>> = me.acls.raw().map(|_| me.acls.object());
        let has = |right: &str| {
            rights.as_ref().map(|all| all.iter().any(|one| one.text().is_some_and(|one| one == right)))
        };
        let lacking = self.terms.key.scopes.iter().filter(|scope| has(scope.name) == Some(false));
        let missing: Vec<String> = lacking.map(|scope| scope.name.to_owned()).collect();
        let lacks = |needed: &[&str]| needed.iter().any(|name| missing.iter().any(|one| one == name));
        let told = rights.is_some();
        let may_read = told.then(|| !lacks(&["subscriptions_view"]));
        let may_write = told.then(|| !lacks(&["subscriptions", "provisioning"]));
        let amount = |words: &str, sum: Option<Decimal>| {
            sum.filter(|sum| *sum > Decimal::ZERO).map(|sum| format!("{} USD {words}", sum.normalize()))
        };
        let credit = amount("of credit", me.balance.amount(Currency::USD).map(|owed| -owed));
        let pending = amount("of this month are not billed yet", me.pending_charges.amount(Currency::USD));
        Ok(AccountFacts {
            who: me.email.text().map(|mail| redact::words(&mail)),
            may_read,
            may_write,
            missing,
            remarks: credit.into_iter().chain(pending).collect(),
            ..AccountFacts::unknown(Currency::USD)
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let Some(region) = offer.place.region.as_deref().filter(|place| offers::is_region(place)) else {
            return Ok(Quote::Gone { words: format!("{} is sold out everywhere", offer.name) });
        };
        if offer.price.kind != PriceKind::OnDemand {
            return Ok(Quote::Gone {
                words: "the API of Vultr has no order for a preemptible machine".to_owned(),
            });
        }
        let (http, base) = (&self.account.http, &self.account.base);
        let kind = kind_of(offer);
        let rows = match kind {
            Kind::Vm => offers::whole(http, base, "/plans?type=all", |page| page.plans.as_ref()).await?,
            Kind::Metal => {
                offers::whole(http, base, "/plans-metal", |page| {
                    page.plans_metal.as_ref().or(page.plans.as_ref())
                })
                .await?
            }
        };
        let plans = rows.iter().filter_map(|row| serde_json::from_str::<Plan<'_>>(row).ok());
        let mut ours = plans.filter(|plan| plan.id.text().is_some_and(|id| id == offer.name));
        let Some(plan) = ours.next() else {
            return Ok(Quote::Gone { words: format!("Vultr lists no plan {} now", offer.name) });
        };
        if !offers::stock(http, base, region).await?.contains(&offer.name) {
            return Ok(Quote::Gone { words: format!("no {} in {region} now", offer.name) });
        }
        let price = map::per_hour(kind, &plan).filter(|price| *price > Decimal::ZERO);
        let Some(per_hour) = price else {
            return Ok(Quote::Gone { words: format!("the plan {} has no price now", offer.name) });
        };
        let mut now = offer.clone();
        now.price.per_hour = per_hour;
        now.supply = Supply { state: SupplyState::InStock, count: None };
        Ok(Quote::Stands(Box::new(now)))
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        // What is wrong with the order is told before a key is registered for it.
        let mut body = self.launch_body(launch)?;
        let key = keys::id_of(&self.account, &launch.spec.ssh_public_key).await?;
        if let Some(body) = body.as_object_mut() {
            // A list, whatever its name says.
            body.insert("sshkey_id".to_owned(), json!([key]));
        }
        let kind = kind_of(&launch.offer);
        let path = format!("/v2{}", path(kind));
        let sent = self.account.order(doing, (Method::POST, &path), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| refused(failure).of_order())?;
        let text = answer.json_text();
        let made = envelope(kind, &answer, &text).ok().flatten();
        match made.and_then(|row| instance::machine(kind, row.get()).ok()) {
            Some(machine) => Ok(Launched { remote_id: machine.remote_id }),
            None => Err(self.account.unreadable(doing, "the answer names no new instance")),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        machines(&self.account).await
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        for kind in KINDS {
            if let Some(machine) = self.read(kind, remote_id).await? {
                return Ok(Look::There(Box::new(machine)));
            }
        }
        Ok(Look::Absent)
    }

    /// A hard power cut that saves nothing: a halted machine is billed in full.
    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("stop", &Method::POST, remote_id, "/halt").await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("start", &Method::POST, remote_id, "/start").await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        self.account.id("end", remote_id)?;
        match self.act("end", &Method::DELETE, remote_id, "").await {
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(()),
            done => done,
        }
    }

    /// The list goes out whole; every field that is left out stays
    /// (<https://www.vultr.com/api/#tag/instances/operation/update-instance>).
    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        let doing = "tags";
        let id = self.account.id(doing, remote_id)?;
        for kind in KINDS {
            let at = format!("{}/{id}", path(kind));
            let answer = match get(&self.account, doing, &at).await {
                Err(error) if error.code == CloudErrorCode::NoSuchMachine => continue,
                told => told?,
            };
            let text = answer.json_text();
            let row =
                envelope(kind, &answer, &text)?.ok_or_else(|| answer.bad("JSON without its instance"))?;
            let told: Instance<'_> = answer.parse(row.get())?;
            let present =
                plain_tags(told.tags).ok_or_else(|| answer.bad("an instance that tells no tags"))?;
            let ours: Vec<(String, String)> =
                tags.iter().map(|(name, value)| (tag(name, ""), tag(name, value))).collect();
            let (body, at) = (json!({ "tags": renewed(present, &ours) }), format!("/v2{at}"));
            let sent = self.account.change(doing, (Method::PATCH, &at), Some(&body), &[PACE]).await;
            return sent.map_err(refused).map(|_| ());
        }
        Err(self.account.error(CloudErrorCode::NoSuchMachine, doing, "there is no such machine"))
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        leftovers::leftovers(&self.account).await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        billing::usage(&self.account, from, to).await.map(Some)
    }
}
