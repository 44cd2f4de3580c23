//! From instance types, places and stock to offers.

use std::collections::{BTreeMap, BTreeSet};

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{country, locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::card::card;
use super::wire::{Available, InstanceType, Location, Part, VolumePrice, VolumeType};
use crate::entry;
use crate::http::{Literal, redact};

pub(super) const PROVIDER: &str = "verda";

/// The disk a machine gets unless another is asked for.
const USUAL_VOLUME: &str = "NVMe";

/// GB in a GiB.
const GB_IN_GIB: f64 = 1.073_741_824;

/// What is known beside the types.
#[derive(Debug, Default)]
pub(super) struct Market {
    /// Places, with the country where told.
    pub places: BTreeMap<String, Option<&'static str>>,
    /// What can be had on demand: place and type.
    pub on_demand: BTreeSet<(String, String)>,
    /// The same as spot. `None` = not known.
    pub spot: Option<BTreeSet<(String, String)>>,
    /// A GB of the usual disk for a month, with its currency.
    pub disk: Option<(Decimal, Currency)>,
}

impl Market {
    /// The places of the service's own list.
    pub fn locations(&mut self, locations: &[Location<'_>]) {
        for location in locations {
            if let Some(code) = location.code.text() {
                let told = location.country_code.text().and_then(|iso| country(&iso)).map(|c| c.iso2);
                self.places.insert(redact::words(&code), told);
            }
        }
    }

    /// The two lists of stock. A service that does not know the question answers both times the same, which says
    /// nothing of spot.
    pub fn stock(&mut self, on_demand: &[Available<'_>], spot: &[Available<'_>]) {
        self.on_demand = pairs(on_demand);
        let spot = pairs(spot);
        for (place, _) in self.on_demand.iter().chain(&spot) {
            self.places.entry(place.clone()).or_default();
        }
        self.spot = (spot.is_empty() || spot != self.on_demand).then_some(spot);
    }

    /// The price of the usual disk.
    pub fn volumes(&mut self, types: &[VolumeType<'_>]) {
        let usual = types.iter().find(|kind| kind.kind.text().as_deref() == Some(USUAL_VOLUME));
        let Some(price) = usual.map(|kind| kind.price.object::<VolumePrice<'_>>()) else { return };
        let Some(currency) = currency(price.currency) else { return };
        let amount = price.price_per_month_per_gb.amount(currency).filter(|amount| *amount >= Decimal::ZERO);
        self.disk = amount.map(|amount| (amount.normalize(), currency));
    }

    fn place(&self, code: &str) -> Place {
        let told = self.places.get(code).copied().flatten();
        let country = told.or_else(|| locate(PROVIDER, code).country);
        Place {
            region: Some(code.to_owned()),
            country: country.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        }
    }

    fn supply(&self, kind: PriceKind, place: &str, name: &str) -> Supply {
        let has = |stock: &BTreeSet<(String, String)>| stock.contains(&(place.to_owned(), name.to_owned()));
        match (kind, &self.spot) {
            (PriceKind::Spot, None) => Supply { state: SupplyState::Unknown, count: None },
            (PriceKind::Spot, Some(stock)) if has(stock) => {
                Supply { state: SupplyState::InStock, count: None }
            }
            (PriceKind::OnDemand, _) if has(&self.on_demand) => {
                Supply { state: SupplyState::InStock, count: None }
            }
            _ => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        }
    }
}

fn pairs(list: &[Available<'_>]) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for place in list {
        let Some(code) = place.location_code.text() else { continue };
        for name in place.availabilities.iter().flatten().filter_map(|name| name.text()) {
            pairs.insert((redact::words(&code), redact::words(&name)));
        }
    }
    pairs
}

fn currency(text: Literal<'_>) -> Option<Currency> {
    text.text()?.parse().ok()
}

/// The rows of the list of types, and one for each type that is in stock and not in the list.
pub(super) fn rows(types: &[&RawValue], market: &Market) -> Vec<Row> {
    let mut listed = BTreeSet::new();
    let mut rows: Vec<Row> =
        types.iter().enumerate().map(|(index, json)| row(index, json.get(), market, &mut listed)).collect();
    let stock = market.on_demand.iter().chain(market.spot.iter().flatten());
    let unlisted: BTreeSet<&String> =
        stock.map(|(_, name)| name).filter(|name| !listed.contains(*name)).collect();
    rows.extend(unlisted.into_iter().map(|name| {
        let words = "the type can be had and is in no list of prices";
        Row::bad(format!("instance type {name}"), ReasonCode::PriceMissing, words)
    }));
    rows
}

fn row(index: usize, json: &str, market: &Market, listed_names: &mut BTreeSet<String>) -> Row {
    let unnamed = format!("instance type number {}", index + 1);
    let listed: InstanceType<'_> = match entry::read(json, "an instance type") {
        Ok(listed) => listed,
        Err(words) => return Row::bad(unnamed, ReasonCode::Unreadable, words),
    };
    let Some(name) = listed.instance_type.text().map(|name| redact::words(&name)) else {
        return Row::bad(unnamed, ReasonCode::Unreadable, "the type has no name");
    };
    listed_names.insert(name.clone());
    let origin = format!("instance type {name}");
    let gpu: Part<'_> = listed.gpu.object();
    let Some(count) = gpu.number_of_gpus.whole().and_then(|count| u32::try_from(count).ok()) else {
        return Row::bad(origin, ReasonCode::Unreadable, "the type has no readable number of cards");
    };
    if count == 0 {
        return Row::NotGpu;
    }
    let Some(currency) = currency(listed.currency) else {
        return Row::bad(origin, ReasonCode::PriceMissing, "the price has no currency");
    };
    let per_hour = match price(&listed.price_per_hour.text().unwrap_or_default()) {
        Ok(per_hour) => per_hour.normalize(),
        Err(reason) => return Row::bad(origin, reason.code, reason.detail),
    };
    let spot = listed.spot_price.amount(currency).filter(|price| *price > Decimal::ZERO);
    let spot = spot.map(|price| price.normalize());
    let prices = [(PriceKind::OnDemand, Some(per_hour)), (PriceKind::Spot, spot)];
    let mut offers = Vec::new();
    for place in market.places.keys() {
        for (kind, per_hour) in prices {
            let Some(per_hour) = per_hour else { continue };
            offers.push(offer(&listed, (&name, count), (kind, per_hour, currency), place, market));
        }
    }
    Row::Offers { origin, offers }
}

fn offer(
    listed: &InstanceType<'_>,
    (name, count): (&str, u32),
    (kind, per_hour, currency): (PriceKind, Decimal, Currency),
    place: &str,
    market: &Market,
) -> Offer {
    let cpu: Part<'_> = listed.cpu.object();
    let memory: Part<'_> = listed.memory.object();
    let storage: Part<'_> = listed.storage.object();
    // `dynamic`: the disk is chosen, and priced apart.
    let apart = storage.description.text().is_some_and(|text| text.eq_ignore_ascii_case("dynamic"));
    // A volume costs the same attached and detached (<https://docs.verda.com/welcome-to-verda/pricing-and-billing>).
    let disk = market.disk.filter(|(_, of)| *of == currency).map(|(amount, _)| amount);
    Offer {
        id: format!("{PROVIDER}:{name}@{place}-{}", kind.word()),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: name.to_owned(),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: card(listed, name, count),
        fabric: None,
        vcpu: cpu.number_of_cores.positive(),
        ram_gib: memory.size_in_gigabytes.positive().map(|gb| gb / GB_IN_GIB),
        disk: Disk { included_gb: apart.then_some(0.0), max_gb: None },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: market.place(place),
        price: Price {
            kind,
            storage_gb_month: disk,
            storage_stopped_gb_month: disk,
            ..list_price(PROVIDER, per_hour, currency)
        },
        supply: market.supply(kind, place, name),
        flags: Vec::new(),
    }
}
