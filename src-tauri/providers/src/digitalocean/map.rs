//! From sizes to offers.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::wire::{GpuInfo, Size};
use crate::card;
use crate::entry;
use crate::http::redact;

pub(super) const PROVIDER: &str = "digitalocean";

/// MB of this API in a GiB.
const MB_IN_GIB: f64 = 1024.0;

/// The rows of a list of sizes. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn rows(sizes: &[Box<RawValue>]) -> Vec<Row> {
    sizes.iter().enumerate().map(|(at, json)| row(at, json.get())).collect()
}

/// The offers of one size; none where it cannot be read.
pub(super) fn offers_of(json: &str) -> Vec<Offer> {
    match row(0, json) {
        Row::Offers { offers, .. } => offers,
        _ => Vec::new(),
    }
}

fn row(at: usize, json: &str) -> Row {
    let size: Size<'_> = match entry::read(json, "a size") {
        Ok(size) => size,
        Err(words) => return Row::bad(format!("size {}", at + 1), ReasonCode::Unreadable, words),
    };
    let Some(slug) = size.slug.text().map(|slug| redact::words(&slug)) else {
        return Row::bad(format!("size {}", at + 1), ReasonCode::Unreadable, "a size without a slug");
    };
    let origin = format!("size {slug}");
    let Some(info) = &size.gpu_info else { return Row::NotGpu };
    let Some(count) = count(info) else {
        return Row::bad(origin, ReasonCode::Unreadable, "the size has no readable number of cards");
    };
    if count == 0 {
        return Row::NotGpu;
    }
    let per_hour = match size.price_hourly.text() {
        None => return Row::bad(origin, ReasonCode::PriceMissing, "the size has no price"),
        Some(text) => match price(&text) {
            Ok(price) => price,
            Err(reason) => return Row::bad(origin, reason.code, reason.detail),
        },
    };
    // A size that says nothing of its availability is as good as its regions.
    let open = size.available.flag() != Some(false);
    let regions: Vec<String> = size
        .regions
        .iter()
        .flatten()
        .filter_map(|region| region.text().map(|region| redact::words(&region)))
        .collect();
    let mut offers: Vec<Offer> = regions
        .iter()
        .map(|region| offer(&size, info, (&slug, count), per_hour, Some((region, open))))
        .collect();
    if offers.is_empty() {
        // Nowhere to be had: the price stays visible.
        offers.push(offer(&size, info, (&slug, count), per_hour, None));
    }
    Row::Offers { origin, offers }
}

fn count(info: &GpuInfo<'_>) -> Option<u32> {
    info.count.whole().and_then(|count| u32::try_from(count).ok())
}

fn offer(
    size: &Size<'_>,
    info: &GpuInfo<'_>,
    (slug, count): (&str, u32),
    per_hour: Decimal,
    region: Option<(&String, bool)>,
) -> Offer {
    let place = place(region.map(|(region, _)| region.clone()));
    let at = place.region.as_deref().unwrap_or("none");
    let speed = size.networking_throughput.positive();
    let mut price = list_price(PROVIDER, per_hour, Currency::USD);
    if slug.contains("contract") {
        // Listed only for an account that has signed for it.
        price.kind = PriceKind::Reserved;
    }
    Offer {
        id: format!("{PROVIDER}:{slug}@{at}"),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: slug.to_owned(),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: card_of(info, slug, count),
        fabric: None,
        vcpu: size.vcpus.positive(),
        ram_gib: size.memory.positive().map(|mb| mb / MB_IN_GIB),
        // The boot disk alone: the scratch disk of these sizes is in the price too, and does not persist.
        disk: Disk { included_gb: size.disk.positive(), max_gb: size.disk.positive() },
        net: Net { down_mbit_s: speed, up_mbit_s: speed },
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place,
        price,
        supply: match region {
            // That creation may be refused all the same is said by the pages; how many there are is not.
            Some((_, true)) => Supply { state: SupplyState::InStock, count: None },
            _ => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        },
        flags: Vec::new(),
    }
}

/// The place of a region's slug.
pub(super) fn place(region: Option<String>) -> Place {
    let country = region.as_deref().and_then(|region| locate(PROVIDER, region).country);
    Place { country: country.map(str::to_owned), region, seller: seller(PROVIDER).map(str::to_owned) }
}

/// The card. Its memory is told for all cards together.
pub(super) fn card_of(info: &GpuInfo<'_>, slug: &str, count: u32) -> OfferGpu {
    let raw_name = info.model.text().map_or_else(|| slug.to_owned(), |name| redact::words(&name));
    let vram = info.vram.as_ref().filter(|vram| {
        vram.unit
            .text()
            .is_none_or(|unit| unit.eq_ignore_ascii_case("gib") || unit.eq_ignore_ascii_case("gb"))
    });
    let each = vram.and_then(|vram| vram.amount.positive()).map(|all| all / f64::from(count.max(1)));
    card::whole(PROVIDER, raw_name, slug, count, each)
}
