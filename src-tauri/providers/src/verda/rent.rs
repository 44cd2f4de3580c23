//! Renting at Verda: launch, look, stop, start, end.

use async_trait::async_trait;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, PriceKind, Supply, SupplyState};
use gpudesk_core::rental::RentalTerms;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::api::{ADDRESS, item_refused, refused};
use super::instance::{self, Read, TAG};
use super::keys;
use super::leftovers;
use super::session::Session;
use super::terms::rental_terms;
use super::wire::{ActionItem, Balance, InstanceType};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, MARK, Quote, asked_for,
};
use crate::http::{Answer, Base, Secret};

/// The most characters of a tag's key and value, and the most tags.
const MOST_TAG_KEY: usize = 63;
const MOST_TAG_VALUE: usize = 127;
const MOST_TAGS: usize = 10;

struct VerdaCloud {
    session: Session,
    terms: RentalTerms,
}

/// Opens Verda for one account (`GPUDESK_VERDA_URL`). The key is `{"client_id": "…", "client_secret": "…"}`.
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let base = Base::new(ADDRESS, access.addresses.get("verda").map(String::as_str));
    let session = Session::open(&access, base)?;
    Ok(Box::new(VerdaCloud { session, terms: rental_terms() }))
}

impl VerdaCloud {
    /// Only for its errors and checks of ids.
    fn account(&self) -> Account {
        self.session.with(Secret::new(""))
    }

    fn error(&self, code: CloudErrorCode, doing: &str, words: impl AsRef<str>) -> CloudError {
        self.account().error(code, doing, words)
    }

    async fn read(&self, doing: &str, remote_id: &str) -> Result<Option<Read>, CloudError> {
        let account = self.account();
        let path = format!("/instances/{}", account.id(doing, remote_id)?);
        let answer = match self.session.get(doing, &path).await.map_err(refused) {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(None),
            Err(error) => return Err(error),
        };
        let text = answer.json_text();
        let row: &RawValue = answer.parse(&text)?;
        let read = instance::machine(row.get()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &read.machine).map_err(|words| answer.bad(words))?;
        Ok(Some(read))
    }

    /// Asks for an action on one instance. The answer may be a success as a whole and a failure of this instance.
    async fn act(&self, doing: &str, remote_id: &str, mut body: Value) -> Result<(), CloudError> {
        self.account().id(doing, remote_id)?;
        if let Some(body) = body.as_object_mut() {
            body.insert("id".to_owned(), json!([remote_id]));
        }
        let answer = self.session.change(doing, "/instances", &body).await.map_err(refused)?;
        let text = answer.json_text();
        // Nothing, or a word: accepted.
        let Ok(items) = serde_json::from_str::<Vec<ActionItem<'_>>>(&text) else { return Ok(()) };
        let ours = |item: &&ActionItem<'_>| item.instance_id.text().is_none_or(|id| id == remote_id);
        for item in items.iter().filter(ours) {
            let status = item.status_code.whole();
            let words = item.error.text();
            let failed = status.is_some_and(|status| status >= 400)
                || words.is_some()
                || item.status.text().is_some_and(|word| word.eq_ignore_ascii_case("error"));
            if failed {
                let words = words.unwrap_or_else(|| "the action failed for this instance".into());
                return Err(item_refused(self.account().what(doing), status, &words));
            }
        }
        Ok(())
    }

    fn launch_body(&self, launch: &Launch) -> Result<Value, CloudError> {
        let doing = "launch";
        let Some(place) = launch.offer.place.region.as_deref() else {
            // Without a place the service chooses one, which decides whose law holds.
            return Err(self
                .error(CloudErrorCode::Refused, doing, "the offer names no place")
                .hint("choose an offer with a place"));
        };
        let spot = launch.offer.price.kind == PriceKind::Spot;
        let disk = launch.spec.disk_gb.or(self.terms.disk.map(|disk| disk.usual));
        let mut volume = json!({ "name": format!("{}-os", launch.token), "size": disk });
        if let (true, Some(volume)) = (spot, volume.as_object_mut()) {
            // What is on the disk outlives the machine; it shows among what is left over.
            volume.insert("on_spot_discontinue".to_owned(), json!("keep_detached"));
        }
        let mark = launch.token.strip_prefix(MARK).unwrap_or(&launch.token);
        let tags: Vec<Value> = [(TAG.to_owned(), mark)]
            .into_iter()
            .chain(launch.tags.iter().map(|(name, value)| (tag(name), value.as_str())))
            .take(MOST_TAGS)
            .map(|(key, value)| {
                json!({ "key": key, "value": value.chars().take(MOST_TAG_VALUE).collect::<String>() })
            })
            .collect();
        Ok(json!({
            "instance_type": launch.offer.name,
            "image": launch.spec.image.id,
            "hostname": launch.token,
            "description": format!("{} {}", launch.name, launch.token),
            "location_code": place,
            "is_spot": spot,
            "contract": if spot { "SPOT" } else { "PAY_AS_YOU_GO" },
            // Left out, the price would float.
            "pricing": "FIXED_PRICE",
            "os_volume": volume,
            "tags": tags,
        }))
    }

    /// Whether it can be had at the place, as one type is asked for: a bare `true`, also in quotes.
    async fn in_stock(&self, offer: &Offer, place: &str) -> Result<bool, CloudError> {
        let spot = offer.price.kind == PriceKind::Spot;
        let name = self.type_name("quote", &offer.name)?;
        let place = self.account().id("quote", place).map(str::to_owned)?;
        let path = format!("/instance-availability/{name}?is_spot={spot}&location_code={place}");
        let answer = self.session.get("quote", &path).await.map_err(refused)?;
        match answer.text().trim().trim_matches('"') {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(answer.bad(format!("neither true nor false: {other}")).into()),
        }
    }

    /// A type's name as it may stand in a path.
    fn type_name<'a>(&self, doing: &str, name: &'a str) -> Result<&'a str, CloudError> {
        let plain = !name.is_empty()
            && name.len() <= 64
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
        if plain && !name.starts_with('.') {
            return Ok(name);
        }
        Err(self.error(CloudErrorCode::OfferGone, doing, format!("“{name}” is no type of Verda")))
    }
}

/// A key as a tag may have it, ours all beginning alike.
fn tag(name: &str) -> String {
    let bare = name.strip_prefix(TAG).unwrap_or(name).trim_start_matches([':', '-', '_']);
    let plain = bare.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() => c,
        _ => '-',
    });
    TAG.chars().chain(['-']).chain(plain).take(MOST_TAG_KEY).collect()
}

fn price_now(answer: &Answer, text: &str, offer: &Offer) -> Result<Option<Decimal>, CloudError> {
    let types: Vec<&RawValue> = answer.parse(text)?;
    // A row that cannot be read is not the one that is asked for.
    let read = types.iter().filter_map(|json| serde_json::from_str::<InstanceType<'_>>(json.get()).ok());
    let mut ours = read.filter(|listed| listed.instance_type.text().is_some_and(|name| name == offer.name));
    let Some(listed) = ours.next() else { return Ok(None) };
    let price = match offer.price.kind {
        PriceKind::Spot => listed.spot_price,
        _ => listed.price_per_hour,
    };
    let same_money =
        listed.currency.text().and_then(|text| text.parse::<Currency>().ok()) == Some(offer.price.currency);
    let price = price.amount(offer.price.currency).filter(|price| *price > Decimal::ZERO && same_money);
    price
        .map(|price| Some(price.normalize()))
        .ok_or_else(|| answer.bad("the type has no price that can be read").into())
}

#[async_trait]
impl Cloud for VerdaCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let answer = self.session.get("account", "/balance").await.map_err(refused)?;
        let text = answer.json_text();
        let told: Balance<'_> = answer.parse(&text)?;
        let currency: Option<Currency> = told.currency.text().and_then(|text| text.parse().ok());
        Ok(AccountFacts {
            balance: currency.and_then(|own| told.amount.amount(own)),
            may_read: Some(true),
            remarks: vec!["what a client of Verda may do cannot be read without trying".to_owned()],
            ..AccountFacts::unknown(currency.unwrap_or(Currency::USD))
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let currency = offer.price.currency.code().to_ascii_lowercase();
        let path = format!("/instance-types?currency={currency}");
        let answer = self.session.get("quote", &path).await.map_err(refused)?;
        let text = answer.json_text();
        let Some(per_hour) = price_now(&answer, &text, offer)? else {
            return Ok(Quote::Gone { words: format!("Verda lists no type {} now", offer.name) });
        };
        let Some(place) = offer.place.region.as_deref() else {
            return Ok(Quote::Gone { words: "the offer names no place".to_owned() });
        };
        if !self.in_stock(offer, place).await? {
            let spot = if offer.price.kind == PriceKind::Spot { "spot " } else { "" };
            return Ok(Quote::Gone { words: format!("no {spot}{} in {place} now", offer.name) });
        }
        let mut now = offer.clone();
        now.price.per_hour = per_hour;
        now.supply = Supply { state: SupplyState::InStock, count: None };
        Ok(Quote::Stands(Box::new(now)))
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        // What is wrong with the order is told before a key is registered for it.
        let mut body = self.launch_body(launch)?;
        let key = keys::id_of(&self.session, &launch.spec.ssh_public_key).await?;
        let script = match launch.user_data.trim() {
            "" => None,
            text => Some(keys::script(&self.session, &launch.token, text).await?),
        };
        if let Some(body) = body.as_object_mut() {
            body.insert("ssh_key_ids".to_owned(), json!([key]));
            body.extend(script.map(|id| ("startup_script_id".to_owned(), json!(id))));
        }
        let sent = self.session.make(doing, "/instances", &body).await;
        let answer = sent.map_err(|failure| refused(failure).of_order())?;
        match keys::made(&answer).filter(|id| is_uuid(id)) {
            Some(remote_id) => Ok(Launched { remote_id }),
            None => Err(self.account().unreadable(doing, "the answer names no new instance")),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let answer = self.session.get("instances", "/instances").await.map_err(refused)?;
        let text = answer.json_text();
        let rows: Vec<&RawValue> = answer.parse(&text)?;
        let mut listing = Listing { complete: true, ..Listing::default() };
        for row in rows {
            listing.take(instance::machine(row.get()).map(|read| read.machine));
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let read = self.read("instance", remote_id).await?;
        Ok(read.map_or(Look::Absent, |read| Look::There(Box::new(read.machine))))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("stop", remote_id, json!({ "action": "shutdown" })).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("start", remote_id, json!({ "action": "start" })).await
    }

    /// Ends the machine and the disk that was made with it. Disks that somebody attached are only detached: they stay,
    /// and show among what is left over. Without a list the disk would lie in the trash, so the machine is looked at
    /// first; that the look fails does not hold up the order.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        self.account().id(doing, remote_id)?;
        let read = match self.read(doing, remote_id).await {
            Ok(None) => return Ok(()),
            Ok(Some(read)) if read.machine.state.is_ending() => return Ok(()),
            Ok(Some(read)) => Some(read),
            Err(error) if error.code == CloudErrorCode::BadKey => return Err(error),
            Err(_) => None,
        };
        let body = match read.and_then(|read| read.os_volume) {
            Some(volume) => {
                json!({ "action": "delete", "volume_ids": [volume], "delete_permanently": true })
            }
            None => json!({ "action": "delete" }),
        };
        let error = match self.act(doing, remote_id, body).await {
            Ok(()) => return Ok(()),
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(()),
            Err(error) => error,
        };
        let done = match self.read(doing, remote_id).await {
            Ok(None) => true,
            Ok(Some(read)) => read.machine.state.is_ending(),
            Err(_) => false,
        };
        if done { Ok(()) } else { Err(error) }
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        leftovers::leftovers(&self.session).await
    }
}

/// Whether a text is the whole id of an instance. Of plain text half would look like a text, too.
fn is_uuid(id: &str) -> bool {
    let groups: Vec<&str> = id.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.chars().all(|c| c.is_ascii_hexdigit()))
}
