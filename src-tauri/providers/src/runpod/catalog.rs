//! The catalogue of REST v2: prices and stock with a key
//! (<https://docs.runpod.io/api-reference-v2>, `GET /v2/catalog/gpus`).

use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, Supply, SupplyState};
use rust_decimal::Decimal;
use serde::Deserialize;

use super::api::Site;
use super::map::{self, Listed, collapsed};
use super::rent::{PACE, refused};
use crate::cloud::{Account, CloudError, Quote};
use crate::http::{Answer, Each, Literal};

#[derive(Debug, Deserialize)]
struct Catalog<'a> {
    #[serde(borrow, default)]
    gpus: Option<Each<Gpu<'a>>>,
}

/// A card of the catalogue.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Gpu<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// GB of one card.
    #[serde(borrow)]
    pub memory: Literal<'a>,
    #[serde(borrow)]
    pub secure: Literal<'a>,
    #[serde(borrow)]
    pub community: Literal<'a>,
    /// [`PerCloud`]: USD an hour for one card.
    #[serde(borrow)]
    pub price: Literal<'a>,
    /// [`PerCloud`]: the most cards of one pod.
    #[serde(borrow)]
    pub max_count: Literal<'a>,
    /// Stock anywhere, for the number of cards asked for.
    #[serde(borrow)]
    pub availability: Literal<'a>,
    /// Places that have it; none where absent.
    #[serde(borrow)]
    pub data_centers: Option<Each<Center<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Center<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub availability: Literal<'a>,
}

/// One value for each cloud.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PerCloud<'a> {
    #[serde(borrow)]
    pub secure: Literal<'a>,
    #[serde(borrow)]
    pub community: Literal<'a>,
}

impl<'a> PerCloud<'a> {
    fn of(&self, site: &Site) -> Literal<'a> {
        match site {
            Site::Secure(_) => self.secure,
            Site::Community(_) => self.community,
        }
    }
}

impl Gpu<'_> {
    /// What RunPod says of the card in the cloud of a site; `None` for an entry that is no card.
    pub(super) fn listed(&self, site: &Site) -> Option<Listed> {
        let raw_id = map::id_of(self.id).ok().filter(|id| !id.eq_ignore_ascii_case("unknown"))?.into_owned();
        let prices = self.price.object::<PerCloud<'_>>();
        let text = |price: Literal<'_>| price.text().map(|text| text.into_owned());
        Some(Listed {
            raw_id,
            memory_gb: self.memory.positive(),
            secure: self.secure.flag().unwrap_or(false),
            community: self.community.flag().unwrap_or(false),
            secure_price: text(prices.secure),
            community_price: text(prices.community),
            most: self.max_count.object::<PerCloud<'_>>().of(site).whole().filter(|most| *most > 0),
        })
    }

    fn offered(&self, site: &Site) -> bool {
        let flag = match site {
            Site::Secure(_) => self.secure,
            Site::Community(_) => self.community,
        };
        flag.flag().unwrap_or(false)
    }

    /// The stock in a place, in the service's words.
    fn stock(&self, site: &Site) -> Option<String> {
        let level = match site {
            Site::Secure(place) => self
                .data_centers
                .iter()
                .flat_map(Each::good)
                .find(|center| center.id.text().is_some_and(|id| id == place.as_str()))
                .map(|center| center.availability)?,
            Site::Community(_) => self.availability,
        };
        level.text().map(|level| level.into_owned())
    }
}

/// Asks for the cards with their stock for so many at once.
pub(super) async fn gpus(
    account: &Account,
    doing: &str,
    count: u32,
    filter: &str,
) -> Result<Answer, CloudError> {
    let path = format!("/v2/catalog/gpus?include=AVAILABILITY&product=POD&count={count}{filter}");
    account.get(doing, &path, PACE).await.map_err(refused)
}

/// The cards of an answer.
pub(super) fn cards<'a>(answer: &Answer, text: &'a str) -> Result<Each<Gpu<'a>>, CloudError> {
    let catalog: Catalog<'a> = answer.parse(text)?;
    Ok(catalog.gpus.ok_or_else(|| answer.bad("JSON without the list of `gpus`"))?)
}

/// The offer as it stands now: its card, for its number, in its cloud and place.
pub(super) async fn quote(account: &Account, offer: &Offer) -> Result<Quote, CloudError> {
    let gone = |words: String| Ok(Quote::Gone { words });
    let Some(site) = Site::of(offer) else {
        return gone(format!("“{}” is no offer of RunPod's own list", offer.id));
    };
    let count = offer.gpu.count;
    let filter = match &site {
        Site::Secure(_) => "&cloud=SECURE".to_owned(),
        Site::Community(_) if site.is_anywhere() => "&cloud=COMMUNITY".to_owned(),
        Site::Community(country) => {
            let country: String = url::form_urlencoded::byte_serialize(country.as_bytes()).collect();
            format!("&cloud=COMMUNITY&countryCodes={country}")
        }
    };
    let answer = gpus(account, "quote", count, &filter).await?;
    let text = answer.json_text();
    let cards = cards(&answer, &text)?;
    let found = cards.good().find(|card| {
        card.id
            .text()
            .is_some_and(|id| id == offer.gpu.raw_name || collapsed(&id) == collapsed(&offer.gpu.raw_name))
    });
    let Some(card) = found.filter(|card| card.offered(&site)) else {
        return gone("the card is not offered there any more".to_owned());
    };
    let most = card.max_count.object::<PerCloud<'_>>().of(&site).whole();
    if most.is_some_and(|most| most < u64::from(count)) {
        return gone(format!("a pod may not have {count} of that card"));
    }
    let stock = card.stock(&site);
    let supply = stock.as_deref().map_or(SupplyState::OutOfStock, map::supply);
    if supply != SupplyState::InStock {
        return gone(format!("{} has none of it now", site.place()));
    }
    // Per card, so it is multiplied once.
    let price = card.price.object::<PerCloud<'_>>().of(&site).money(Currency::USD);
    let price = price.filter(|price| *price > Decimal::ZERO);
    let per_hour = price
        .and_then(|price| price.checked_mul(Decimal::from(count)))
        .ok_or_else(|| answer.bad("the card has no price that can be read"))?;
    let mut now = offer.clone();
    now.price.per_hour = per_hour;
    now.supply = Supply { state: supply, count: None };
    if let Some(id) = card.id.text() {
        now.gpu.raw_name = id.into_owned();
    }
    Ok(Quote::Stands(Box::new(now)))
}
