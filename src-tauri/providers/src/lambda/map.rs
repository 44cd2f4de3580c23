//! From instance types to offers.

use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Source, Supply, SupplyState};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::wire::{InstanceType, Region, TypeItem};
use crate::card;
use crate::entry;
use crate::http::{Each, Literal, redact};

pub(super) const PROVIDER: &str = "lambda";

/// GB in a GiB.
const GB_IN_GIB: f64 = 1.073_741_824;

/// The rows of the map of types. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn rows(types: &BTreeMap<String, &RawValue>) -> Vec<Row> {
    types.iter().map(|(key, item)| row(&redact::words(key), item.get())).collect()
}

fn row(key: &str, json: &str) -> Row {
    let origin = format!("instance type {key}");
    let item: TypeItem<'_> = match entry::read(json, "an instance type") {
        Ok(item) => item,
        Err(words) => return Row::bad(origin, ReasonCode::Unreadable, words),
    };
    let listed = &item.instance_type;
    let name = listed.name.text().map_or_else(|| key.to_owned(), |name| redact::words(&name));
    let Some(count) = listed.specs.gpus.whole().and_then(|count| u32::try_from(count).ok()) else {
        return Row::bad(origin, ReasonCode::Unreadable, "the type has no readable number of cards");
    };
    if count == 0 {
        return Row::NotGpu;
    }
    let Some(cents) = listed.price_cents_per_hour.text() else {
        return Row::bad(origin, ReasonCode::PriceMissing, "the type has no price");
    };
    let Some(per_hour) = per_hour(listed) else {
        return match price(&cents) {
            Err(reason) => Row::bad(origin, reason.code, reason.detail),
            Ok(_) => Row::bad(origin, ReasonCode::PriceImpossible, format!("a price of {cents} cents")),
        };
    };
    let regions = item.regions_with_capacity_available.iter().flat_map(Each::good);
    let mut offers: Vec<Offer> = regions
        .filter(|region| region.name.text().is_some())
        .map(|region| offer(listed, &name, count, per_hour, Some(region)))
        .collect();
    if offers.is_empty() {
        // Sold out everywhere: the price stays visible.
        offers.push(offer(listed, &name, count, per_hour, None));
    }
    Row::Offers { origin, offers }
}

/// Whole cents, for the whole instance.
pub(super) fn per_hour(listed: &InstanceType<'_>) -> Option<Decimal> {
    let cents = listed.price_cents_per_hour.decimal()?;
    cents.checked_div(Decimal::ONE_HUNDRED).map(kept)
}

fn offer(
    listed: &InstanceType<'_>,
    name: &str,
    count: u32,
    per_hour: Decimal,
    region: Option<&Region<'_>>,
) -> Offer {
    let place = place(region);
    let at = place.region.as_deref().unwrap_or("none");
    Offer {
        id: format!("{PROVIDER}:{name}@{at}"),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: name.to_owned(),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: card(listed, name, count),
        fabric: None,
        vcpu: listed.specs.vcpus.positive(),
        ram_gib: listed.specs.memory_gib.positive(),
        disk: included(listed.specs.storage_gib),
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place,
        price: list_price(PROVIDER, per_hour, Currency::USD),
        supply: match region {
            Some(_) => Supply { state: SupplyState::InStock, count: None },
            None => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        },
        flags: Vec::new(),
    }
}

fn included(gib: Literal<'_>) -> Disk {
    let gb = gib.positive().map(|gib| (gib * GB_IN_GIB).round());
    Disk { included_gb: gb, max_gb: gb }
}

/// The place of a region. Where the code is not in our table, the description may prove the country: its last part.
pub(super) fn place(region: Option<&Region<'_>>) -> Place {
    let name = region.and_then(|region| region.name.text()).map(|name| redact::words(&name));
    let described = region.and_then(|region| region.description.text()).map(|text| redact::words(&text));
    let country = name
        .as_deref()
        .and_then(|name| locate(PROVIDER, name).country)
        .or_else(|| described.as_deref().and_then(|text| locate(PROVIDER, text).country));
    Place { region: name, country: country.map(str::to_owned), seller: seller(PROVIDER).map(str::to_owned) }
}

/// The card. Its memory is no field: it stands before `GB` in the description, and the GPU table has to agree.
fn card(listed: &InstanceType<'_>, name: &str, count: u32) -> OfferGpu {
    let described = listed.gpu_description.text().map(|text| redact::words(&text));
    let reported = described.as_deref().and_then(stated_gb);
    let raw_name = described.unwrap_or_else(|| name.to_owned());
    let bare = raw_name.replace(['(', ')'], " ").trim().to_owned();
    OfferGpu { raw_name, ..card::whole(PROVIDER, bare, name, count, reported) }
}

/// The number before `GB`: 80 in `H100 (80 GB SXM5)`.
fn stated_gb(description: &str) -> Option<f64> {
    let before = description[..description.find("GB")?].trim_end();
    let start = before.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
    before[start..].parse().ok().filter(|gb: &f64| *gb > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_stands_in_the_description() {
        assert_eq!(stated_gb("H100 (80 GB SXM5)"), Some(80.0));
        assert_eq!(stated_gb("RTX 6000 (24GB)"), Some(24.0));
        assert_eq!(stated_gb("A6000"), None);
        assert_eq!(stated_gb("( GB)"), None);
    }
}
