//! From types of machines to offers.

use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Source, Supply, SupplyState};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::wire::ServerType;
use crate::card;
use crate::entry;
use crate::http::redact;

pub(super) const PROVIDER: &str = "scaleway";

/// Bytes in a GiB, in a GB, bits in a Mbit.
const GIB: f64 = 1_073_741_824.0;
const GB: f64 = 1_000_000_000.0;
const MBIT: f64 = 1_000_000.0;

/// The zone whose block storage costs half as much again
/// (<https://github.com/scaleway/docs-content>, `pages/instances/faq.mdx`).
const DEAR_STORAGE: &str = "fr-par-3";

/// The rows of one zone. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn rows(
    zone: &str,
    types: &BTreeMap<String, Box<RawValue>>,
    stock: &BTreeMap<String, String>,
) -> Vec<Row> {
    types
        .iter()
        .map(|(name, json)| row(zone, name, json.get(), stock.get(name).map(String::as_str)))
        .collect()
}

/// One type of one zone.
pub(super) fn row(zone: &str, name: &str, json: &str, stock: Option<&str>) -> Row {
    let name = redact::words(name);
    let origin = format!("type {name} in {zone}");
    let kind: ServerType<'_> = match entry::read(json, "a type") {
        Ok(kind) => kind,
        Err(words) => return Row::bad(origin, ReasonCode::Unreadable, words),
    };
    let count = match (kind.gpu.raw(), kind.gpu.whole()) {
        (None, _) | (_, Some(0)) => return Row::NotGpu,
        (_, count) => count.and_then(|count| u32::try_from(count).ok()),
    };
    let Some(count) = count else {
        return Row::bad(origin, ReasonCode::Unreadable, "the type has no readable number of cards");
    };
    // What Scaleway no longer makes is hidden, as on its own pages.
    if kind.end_of_service.flag() == Some(true) {
        return Row::bad(origin, ReasonCode::Unreadable, "the type is at the end of its service");
    }
    let per_hour = match kind.hourly_price.text() {
        None => return Row::bad(origin, ReasonCode::PriceMissing, "the type has no price"),
        Some(text) => match price(&text) {
            Ok(price) => price,
            Err(reason) => return Row::bad(origin, reason.code, reason.detail),
        },
    };
    Row::Offers { offers: vec![offer(zone, &name, &kind, count, per_hour, stock)], origin }
}

fn offer(
    zone: &str,
    name: &str,
    kind: &ServerType<'_>,
    count: u32,
    per_hour: Decimal,
    stock: Option<&str>,
) -> Offer {
    let mut price = list_price(PROVIDER, per_hour, Currency::EUR);
    if zone == DEAR_STORAGE {
        let half_more = Decimal::new(15, 1);
        let dearer =
            |cost: Option<Decimal>| cost.and_then(|cost| cost.checked_mul(half_more)).map(|c| c.normalize());
        price.storage_gb_month = dearer(price.storage_gb_month);
        price.storage_stopped_gb_month = dearer(price.storage_stopped_gb_month);
    }
    let local =
        kind.volumes_constraint.as_ref().and_then(|limits| limits.max_size.positive()).map(|b| b / GB);
    let speed = kind.network.as_ref().and_then(|net| net.sum_internet_bandwidth.positive()).map(|b| b / MBIT);
    Offer {
        id: format!("{PROVIDER}:{name}@{zone}"),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: name.to_owned(),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: card_of(name, kind, count),
        fabric: None,
        vcpu: kind.ncpus.positive(),
        ram_gib: kind.ram.positive().map(|bytes| bytes / GIB),
        // A block volume is bought beside the machine, whose local disks, where it has any, are the upper bound.
        disk: Disk { included_gb: None, max_gb: local },
        net: Net { down_mbit_s: speed, up_mbit_s: speed },
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place(zone),
        price,
        supply: match stock {
            Some("available" | "scarce") => Supply { state: SupplyState::InStock, count: None },
            Some("shortage") => Supply { state: SupplyState::OutOfStock, count: Some(0) },
            _ => Supply { state: SupplyState::Unknown, count: None },
        },
        flags: Vec::new(),
    }
}

/// The place of a zone.
pub(super) fn place(zone: &str) -> Place {
    Place {
        region: Some(zone.to_owned()),
        country: locate(PROVIDER, zone).country.map(str::to_owned),
        seller: seller(PROVIDER).map(str::to_owned),
    }
}

/// The card. Form and interconnect are no fields: they stand in the name of the type.
fn card_of(name: &str, kind: &ServerType<'_>, count: u32) -> OfferGpu {
    let info = kind.gpu_info.as_ref();
    let raw_name =
        info.and_then(|info| info.gpu_name.text()).map_or_else(|| name.to_owned(), |n| redact::words(&n));
    let each = info.and_then(|info| info.gpu_memory.positive()).map(|bytes| bytes / GIB);
    card::whole(PROVIDER, raw_name, name, count, each)
}
