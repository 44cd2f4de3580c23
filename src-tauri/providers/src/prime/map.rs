//! From the offers of many suppliers to ours.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::gpu::{self, Hints, Resolution};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{self, canonical_provider, country};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::{USUAL_MONTH_HOURS, list_price};
use rust_decimal::Decimal;

use super::wire::{Gpu, Part};
use crate::card;
use crate::entry;
use crate::http::{Literal, redact};
use crate::resold::{self, slug};

pub(super) const PROVIDER: &str = "prime";

/// Suppliers that rent out containers on hosts shared with others, by their own word.
const CONTAINERS: [&str; 3] = ["runpod", "akash", "vast"];

/// Suppliers that rent out virtual machines, by their own word.
const MACHINES: [&str; 14] = [
    "hyperstack",
    "verda",
    "nebius",
    "lambda",
    "crusoe",
    "massedcompute",
    "scaleway",
    "vultr",
    "cudo",
    "fluidstack",
    "oblivus",
    "tensordock",
    "denvr",
    "latitude",
];

type Trouble = (ReasonCode, String);

/// Reads one row. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn row(index: usize, json: &str) -> Row {
    let listed: Gpu<'_> = match entry::read(json, "an offer") {
        Ok(listed) => listed,
        Err(words) => return Row::bad(format!("offer {}", index + 1), ReasonCode::Unreadable, words),
    };
    let origin = match (said(listed.provider), said(listed.cloud_id)) {
        (Some(supplier), Some(id)) => format!("offer {}, {supplier} {id}", index + 1),
        _ => format!("offer {}", index + 1),
    };
    match offer(&listed, None) {
        Ok(None) => Row::NotGpu,
        Ok(Some(offer)) => Row::Offers { origin, offers: vec![offer] },
        Err((code, detail)) => Row::bad(origin, code, detail),
    }
}

/// The offer of a row, priced with a disk of so many GB or the usual one; `None` where there is no card.
pub(super) fn offer(listed: &Gpu<'_>, disk_gb: Option<u32>) -> Result<Option<Offer>, Trouble> {
    let unreadable = |what: &str| (ReasonCode::Unreadable, format!("the offer has no {what}"));
    let supplier = said(listed.provider).ok_or_else(|| unreadable("provider"))?;
    let name = said(listed.cloud_id).ok_or_else(|| unreadable("cloudId"))?;
    let raw_name = said(listed.gpu_type).ok_or_else(|| unreadable("gpuType"))?;
    let count = listed.gpu_count.whole().and_then(|count| u32::try_from(count).ok());
    let count = count.ok_or_else(|| unreadable("readable gpuCount"))?;
    if count == 0 || gpu::resolve(&raw_name, &Hints::default()) == Resolution::NotGpu {
        return Ok(None);
    }
    let cloud = canonical_provider(&supplier);
    let (form, isolation) = form(cloud);
    let socket = said(listed.socket);
    let place = place(listed, &supplier);
    let price = tariff(listed, disk_gb)?;
    let id = id(listed, &supplier, &place, &price);
    Ok(Some(Offer {
        id,
        provider: PROVIDER.to_owned(),
        cloud: cloud.to_owned(),
        source: Source::Live,
        name,
        form,
        isolation,
        gpu: card::whole(
            PROVIDER,
            raw_name,
            socket.as_deref().unwrap_or_default(),
            count,
            listed.gpu_memory.positive(),
        ),
        fabric: fabric(listed),
        vcpu: listed.vcpu.and_then(|part| part.default_count.positive()),
        ram_gib: listed.memory.and_then(|part| part.default_count.positive()),
        disk: disk(listed),
        net: Net {
            down_mbit_s: listed.internet_speed.positive(),
            up_mbit_s: listed.internet_speed.positive(),
        },
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place,
        price,
        supply: supply(listed.stock_status.text().as_deref()),
        flags: Vec::new(),
    }))
}

/// A text as it may be shown.
pub(super) fn said(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text)).filter(|text| !text.is_empty())
}

pub(super) fn is_community(listed: &Gpu<'_>) -> bool {
    listed.security.text().is_some_and(|word| word == "community_cloud")
}

/// The supplier's id names a type, not an offer: only all of this together is one.
fn id(listed: &Gpu<'_>, supplier: &str, place: &Place, price: &Price) -> String {
    let text = |literal: Literal<'_>| said(literal).map(|text| slug(&text)).unwrap_or_default();
    let at = place.region.as_deref().map_or_else(|| "none".to_owned(), slug);
    let term = price.term.as_deref().map(|term| format!("-{}", slug(term))).unwrap_or_default();
    let community = if is_community(listed) { "-community" } else { "" };
    format!(
        "{PROVIDER}:{}/{}/{}-{}x{}@{at}{community}-{}{term}",
        slug(supplier),
        text(listed.cloud_id),
        text(listed.gpu_type),
        text(listed.socket),
        text(listed.gpu_count),
        price.kind
    )
}

/// No field says whether a pod is a machine or a container; what is not known of the supplier promises no hypervisor.
fn form(cloud: &str) -> (Form, Isolation) {
    if MACHINES.contains(&cloud) {
        (Form::Vm, Isolation::Vm)
    } else if CONTAINERS.contains(&cloud) {
        (Form::Container, Isolation::SharedHost)
    } else {
        (Form::Container, Isolation::Unknown)
    }
}

/// The supplier's own name of a place knows better than the country beside it, which puts Lambda's me-west-1 into
/// Iceland. Private hosts promise no place at all.
fn place(listed: &Gpu<'_>, supplier: &str) -> Place {
    let center = said(listed.data_center).filter(|name| !is_uuid(name));
    let (told, wide) = (said(listed.country), said(listed.region));
    let by_center = center.as_deref().and_then(|name| {
        let own = place::locate(supplier, name).country;
        own.or_else(|| place::locate(PROVIDER, name).country)
    });
    let proved = by_center
        .or_else(|| told.as_deref().and_then(country).map(|country| country.iso2))
        .or_else(|| wide.as_deref().and_then(|wide| place::locate(PROVIDER, wide).country))
        .filter(|_| !is_community(listed));
    resold::place(PROVIDER, supplier, center.or(told).or(wide), proved)
}

/// Some places are a bare identifier.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The price of the whole configuration, with the parts that are not inside it. Which of the two prices counts, the
/// market of the offer says; neither is unknown, never zero.
fn tariff(listed: &Gpu<'_>, disk_gb: Option<u32>) -> Result<Price, Trouble> {
    let prices = listed.prices.as_ref();
    let stated = prices.and_then(|prices| match is_community(listed) {
        true => prices.community_price.text(),
        false => prices.on_demand.text(),
    });
    let stated = stated.ok_or_else(|| (ReasonCode::PriceMissing, "the offer has no price".to_owned()))?;
    let base = price(&stated).map_err(|reason| (reason.code, reason.detail))?;
    let currency = prices.and_then(|prices| prices.currency.text());
    let currency: Currency = currency
        .as_deref()
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| (ReasonCode::IncompletePrice, "the price has no currency".to_owned()))?;
    let too_much = || (ReasonCode::PriceAbsurd, "the parts of the price do not add up".to_owned());
    let mut per_hour = base;
    for (part, asked) in [(listed.vcpu, None), (listed.memory, None), (listed.disk, disk_gb)] {
        let extra =
            part.map_or(Some(Decimal::ZERO), |part| on_top(&part, asked, currency)).ok_or_else(too_much)?;
        per_hour = per_hour.checked_add(extra).ok_or_else(too_much)?;
    }
    let prepaid = listed.prepaid_time.decimal().filter(|hours| *hours > Decimal::ZERO);
    let kind = match (prepaid, listed.is_spot.flag()) {
        (Some(_), _) => PriceKind::Reserved,
        (None, Some(true)) => PriceKind::Spot,
        _ => PriceKind::OnDemand,
    };
    let a_month =
        |unit: Decimal| unit.checked_mul(Decimal::from(USUAL_MONTH_HOURS)).map(|cost| cost.normalize());
    let unit = listed.disk.and_then(|disk| unit_price(&disk, currency));
    let while_stopped = listed.disk.and_then(|disk| disk.additional_info.text());
    let while_stopped = while_stopped.is_some_and(|text| text.to_ascii_lowercase().contains("stopped"));
    Ok(Price {
        kind,
        term: prepaid.map(|hours| format!("{} hours", hours.normalize())),
        storage_gb_month: unit.and_then(a_month),
        storage_stopped_gb_month: unit.filter(|_| while_stopped).and_then(a_month),
        ..list_price(PROVIDER, per_hour.normalize(), currency)
    })
}

/// What a part of this size costs beside the price, per hour. The usual size is inside the price only where that is
/// said. `None` where no number can hold it.
fn on_top(part: &Part<'_>, asked: Option<u32>, currency: Currency) -> Option<Decimal> {
    let (Some(unit), usual) = (unit_price(part, currency), part.default_count.decimal()) else {
        return Some(Decimal::ZERO);
    };
    let Some(chosen) = asked.map(Decimal::from).or(usual) else { return Some(Decimal::ZERO) };
    let inside = match part.default_included_in_price.flag() {
        Some(true) => usual.unwrap_or_default(),
        _ => Decimal::ZERO,
    };
    unit.checked_mul((chosen - inside).max(Decimal::ZERO))
}

fn unit_price(part: &Part<'_>, currency: Currency) -> Option<Decimal> {
    part.price_per_unit.amount(currency).filter(|unit| *unit >= Decimal::ZERO)
}

/// The usual disk is in our price, whether or not it is in theirs.
fn disk(listed: &Gpu<'_>) -> Disk {
    let Some(part) = listed.disk else { return Disk::default() };
    let usual = part.default_count.positive();
    Disk { included_gb: usual, max_gb: part.max_count.positive().or(usual) }
}

fn fabric(listed: &Gpu<'_>) -> Option<String> {
    let kind = said(listed.interconnect_type);
    let kind =
        kind.map(|kind| if kind.eq_ignore_ascii_case("infiniband") { "InfiniBand".to_owned() } else { kind });
    match (kind, listed.interconnect.positive()) {
        (Some(kind), Some(speed)) => Some(format!("{kind} {speed} Gb/s")),
        (Some(kind), None) => Some(kind),
        (None, Some(speed)) => Some(format!("{speed} Gb/s")),
        (None, None) => None,
    }
}

/// Words for how much stock there is; not said means that there is some.
fn supply(word: Option<&str>) -> Supply {
    match word {
        None | Some("Available" | "Low" | "Medium" | "High") => {
            Supply { state: SupplyState::InStock, count: None }
        }
        Some("Unavailable") => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        Some(_) => Supply { state: SupplyState::Unknown, count: None },
    }
}
