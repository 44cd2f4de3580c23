//! From types to offers.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, Place, Source, Supply, SupplyState};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::wire::Type;
use crate::card;
use crate::entry;
use crate::http::{Literal, redact};

pub(super) const PROVIDER: &str = "__name__";

/// The rows of a list of types. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn rows(types: &[Box<RawValue>]) -> Vec<Row> {
    types.iter().enumerate().map(|(at, json)| row(at, json.get())).collect()
}

fn row(at: usize, json: &str) -> Row {
    let origin = format!("type {}", at + 1);
    let listed: Type<'_> = match entry::read(json, "a type") {
        Ok(listed) => listed,
        Err(words) => return Row::bad(origin, ReasonCode::Unreadable, words),
    };
    let (Some(name), Some(count)) = (words(listed.id), count(&listed)) else {
        return Row::bad(origin, ReasonCode::Unreadable, "a type without a name or a number of cards");
    };
    if count == 0 {
        return Row::NotGpu;
    }
    let origin = format!("type {name}");
    match listed.per_hour.text().map(|text| price(&text)) {
        None => Row::bad(origin, ReasonCode::PriceMissing, "the type has no price"),
        Some(Err(reason)) => Row::bad(origin, reason.code, reason.detail),
        Some(Ok(per_hour)) => {
            Row::Offers { offers: vec![offer(&listed, &name, count, per_hour)], origin }
        }
    }
}

/// The offer of a type; `None` where it cannot be one.
pub(super) fn offer_of(json: &str) -> Option<Offer> {
    match row(0, json) {
        Row::Offers { offers, .. } => offers.into_iter().next(),
        _ => None,
    }
}

fn offer(listed: &Type<'_>, name: &str, count: u32, per_hour: Decimal) -> Offer {
    let place = place(listed);
    let region = place.region.as_deref().unwrap_or("none");
    let disk = listed.disk_gb.positive();
    let raw_name = words(listed.gpu).unwrap_or_else(|| name.to_owned());
    Offer {
        id: format!("{PROVIDER}:{name}@{region}"),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: name.to_owned(),
        // REPLACE: what the pages say of both.
        form: Form::Vm,
        isolation: Isolation::Unknown,
        gpu: card::whole(PROVIDER, raw_name, name, count, listed.gpu_memory_gb.positive()),
        fabric: None,
        vcpu: listed.vcpus.positive(),
        ram_gib: listed.ram_gb.positive(),
        disk: Disk { included_gb: disk, max_gb: disk },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place,
        price: list_price(PROVIDER, per_hour, Currency::USD),
        supply: match listed.available.flag() {
            Some(true) => Supply { state: SupplyState::InStock, count: None },
            Some(false) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
            None => Supply { state: SupplyState::Unknown, count: None },
        },
        flags: Vec::new(),
    }
}

pub(super) fn count(listed: &Type<'_>) -> Option<u32> {
    listed.gpu_count.whole().and_then(|count| u32::try_from(count).ok())
}

/// The place of a region: by our table of regions, never by what its name sounds like.
pub(super) fn place(listed: &Type<'_>) -> Place {
    let region = words(listed.region);
    let country = region.as_deref().and_then(|region| locate(PROVIDER, region).country);
    Place { country: country.map(str::to_owned), region, seller: seller(PROVIDER).map(str::to_owned) }
}

/// A text of the provider's, clean.
pub(super) fn words(text: Literal<'_>) -> Option<String> {
    text.text().map(|text| redact::words(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_an_offer_and_what_it_does_not_say_is_none() {
        let offer = offer_of(r#"{"id": "h100x8", "gpu": "H100 SXM", "gpu_count": 8, "per_hour": "19.92"}"#).unwrap();
        assert_eq!(offer.per_gpu_hour(), "2.49".parse().unwrap());
        assert_eq!(offer.gpu.model.as_deref(), Some("H100 SXM"));
        assert_eq!((offer.vcpu, offer.place.country, offer.supply.state), (None, None, SupplyState::Unknown));
        assert!(offer_of(r#"{"id": "cpu", "gpu_count": 0, "per_hour": 1}"#).is_none());
        assert!(offer_of(r#"{"id": "h100", "gpu_count": 1, "per_hour": 0}"#).is_none());
    }
}
