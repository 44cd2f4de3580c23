//! From a host to offers: one a card and number of cards. Price and size have four parts, so each offer is made for a
//! usual size.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, Place, Price, Source, Supply, SupplyState};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::{USUAL_MONTH_HOURS, list_price};
use rust_decimal::Decimal;

use super::wire::{Host, Part};
use crate::http::{Literal, redact};
use crate::{card, entry, resold};

pub(super) const PROVIDER: &str = "tensordock";

/// Told with the offers.
pub(super) const SIZE: &str = "prices are for 8 vCPU and 32 GB of memory a card, as far as the host has them; the disk \
                               of 100 GB or more is apart";

/// vCPUs and GB of memory to a card. Sizes go by two vCPUs and eight GB.
const VCPU_PER_CARD: u64 = 8;
const GB_PER_CARD: u64 = 32;
const VCPU_STEP: u64 = 2;
const GB_STEP: u64 = 8;

/// Cards that an offer is made for, as far as the host has them.
const CARDS: [u32; 4] = [1, 2, 4, 8];

/// One row a card of the host: a host may have several kinds, a machine has one.
pub(super) fn rows(id: &str, json: &str) -> Vec<Row> {
    let id = redact::words(id);
    let host: Host<'_> = match entry::read(json, "a host") {
        Ok(host) => host,
        Err(words) => return vec![Row::bad(format!("host {id}"), ReasonCode::Unreadable, words)],
    };
    let Some(cards) = host.specs.cards() else {
        let detail = "which cards it has is not told";
        return vec![Row::bad(format!("host {id}"), ReasonCode::Unreadable, detail)];
    };
    if cards.is_empty() {
        return vec![Row::NotGpu];
    }
    cards.iter().map(|(code, part)| row(&host, &id, &redact::words(code), **part)).collect()
}

fn row(host: &Host<'_>, id: &str, code: &str, part: Part<'_>) -> Row {
    let origin = format!("{code} of host {id}");
    let cost = |of: Part<'_>| of.price.money(Currency::USD).filter(|price| *price >= Decimal::ZERO);
    let costs = (cost(part), cost(*host.specs.cpu), cost(*host.specs.ram));
    let (Some(gpu), Some(vcpu), Some(ram)) = costs else {
        let detail = "the price of the card, the vCPU or the memory is not told";
        return Row::bad(origin, ReasonCode::IncompletePrice, detail);
    };
    if gpu.is_zero() {
        // What stands around the card is no price of it.
        return Row::bad(origin, ReasonCode::PriceImpossible, "the price of the card is 0");
    }
    let Some(free) = part.amount.whole() else {
        return Row::bad(origin, ReasonCode::Unreadable, "how many cards are free is not told");
    };
    let mut counts: Vec<u32> = CARDS.into_iter().filter(|cards| u64::from(*cards) <= free).collect();
    if counts.is_empty() {
        counts.push(1);
    }
    let priced = |cards: u32| {
        let size = (size(host, cards)?, cards);
        let ((cores, gb), _) = size;
        let per_hour = gpu
            .checked_mul(Decimal::from(cards))?
            .checked_add(vcpu.checked_mul(Decimal::from(cores))?)?
            .checked_add(ram.checked_mul(Decimal::from(gb))?)?;
        Some(offer(host, (id, code), size, kept(per_hour), free >= u64::from(cards), part.vram))
    };
    let offers: Vec<Offer> = counts.into_iter().filter_map(priced).collect();
    if offers.is_empty() {
        return Row::bad(origin, ReasonCode::Unreadable, "how much vCPU and memory is free is not told");
    }
    Row::Offers { origin, offers }
}

/// vCPUs and GB of memory for so many cards; `None` where the host does not say what it has.
fn size(host: &Host<'_>, cards: u32) -> Option<(u64, u64)> {
    let fit = |part: Part<'_>, wanted: u64, step: u64| {
        let has = part.amount.number().filter(|has| *has >= 1.0)? as u64;
        Some((wanted * u64::from(cards)).min(has.max(step) / step * step))
    };
    Some((fit(*host.specs.cpu, VCPU_PER_CARD, VCPU_STEP)?, fit(*host.specs.ram, GB_PER_CARD, GB_STEP)?))
}

fn offer(
    host: &Host<'_>,
    (id, code): (&str, &str),
    ((vcpu, ram), cards): ((u64, u64), u32),
    per_hour: Decimal,
    enough: bool,
    vram: Literal<'_>,
) -> Offer {
    let has_way_in = host.networking.ports.as_ref().is_none_or(|ports| !ports.is_empty());
    let is_there = [host.status.online, host.status.listed].iter().all(|said| said.flag() != Some(false));
    let disk = host.specs.storage.price.money(Currency::USD).filter(|price| *price >= Decimal::ZERO);
    let disk = disk.and_then(|hour| hour.checked_mul(Decimal::from(USUAL_MONTH_HOURS))).map(kept);
    Offer {
        id: format!("{PROVIDER}:{id}-{}-x{cards}", resold::slug(code)),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: id.to_owned(),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: gpu(code, cards, vram.positive()),
        fabric: None,
        vcpu: Some(vcpu as f64),
        ram_gib: Some(ram as f64),
        disk: Disk { included_gb: Some(0.0), max_gb: host.specs.storage.amount.positive() },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place(host),
        price: Price {
            storage_gb_month: disk,
            storage_stopped_gb_month: disk,
            ..list_price(PROVIDER, per_hour, Currency::USD)
        },
        // Offers of one host overlap, so they never add up.
        supply: match enough && has_way_in && is_there {
            true => Supply { state: SupplyState::InStock, count: Some(1) },
            false => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        },
        flags: Vec::new(),
    }
}

/// The card of a code such as `geforcertx4090-pcie-24gb`: maker's line, model, socket, memory.
fn gpu(code: &str, cards: u32, vram_gb: Option<f64>) -> gpudesk_core::offer::OfferGpu {
    let bare = ["geforce", "quadro"].iter().fold(code, |code, line| code.strip_prefix(line).unwrap_or(code));
    let from_code = || code.rsplit_once('-')?.1.strip_suffix("gb")?.parse().ok();
    let mut gpu = card::whole(PROVIDER, bare.replace('-', " "), code, cards, vram_gb.or_else(from_code));
    gpu.raw_name = code.to_owned();
    gpu
}

fn place(host: &Host<'_>) -> Place {
    let text = |value: Literal<'_>| value.text().map(|text| redact::words(&text));
    let country = text(host.location.country);
    let region = [text(host.location.city), text(host.location.region), country.clone()];
    let region = region.into_iter().flatten().collect::<Vec<_>>().join(", ");
    Place {
        country: country.and_then(|name| locate(PROVIDER, &name).country).map(str::to_owned),
        region: (!region.is_empty()).then_some(region),
        seller: seller(PROVIDER).map(str::to_owned),
    }
}
