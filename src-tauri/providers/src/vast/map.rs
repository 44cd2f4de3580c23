//! From an ask to an offer.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::gpu::{self, Card, Hints, Vram};
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{
    Disk, Flag, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;

use super::wire::{Ask, SearchPrice};
use crate::cloud::epoch;
use crate::http::{Literal, redact};

pub(super) const PROVIDER: &str = "vast";

/// A row of the search, and what the sweep needs to know of it.
pub(super) struct Mapped {
    pub row: Row,
    /// The number of the ask, where it has one.
    pub ask: Option<String>,
    /// What the server sorted by.
    pub sorted_by: Option<Decimal>,
    /// The row says that it is priced on other terms than were searched for: a server that does not know the filter
    /// answers every search with the same rows.
    pub of_other_kind: bool,
}

impl Mapped {
    /// Order among rows: by price, rows without one last, then by ask, so that equal rows keep a stable order.
    pub(super) fn rank(&self) -> (bool, Option<Decimal>, Option<&str>) {
        let price = match &self.row {
            Row::Offers { offers, .. } => offers.first().map(|offer| offer.price.per_hour),
            _ => None,
        };
        (price.is_none(), price, self.ask.as_deref())
    }
}

/// Reads one ask. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn ask(json: &str, index: usize, kind: PriceKind) -> Mapped {
    let (ask, readable) = match serde_json::from_str::<Ask<'_>>(json) {
        Ok(ask) => (ask, Ok(())),
        Err(error) => (Ask::default(), Err(error)),
    };
    let number = ask.id.id().or_else(|| ask.ask_contract_id.id()).map(|id| redact::words(&id));
    let origin = match &number {
        Some(number) => format!("ask {number}, {kind}"),
        None => format!("row {} of the search, {kind}", index + 1),
    };
    let row = match readable {
        Err(error) => Row::bad(
            origin,
            ReasonCode::Unreadable,
            format!("not an ask: {}", redact::words(&error.to_string())),
        ),
        Ok(()) => match offer(&ask, number.as_deref(), kind) {
            Ok(offer) => Row::Offers { origin, offers: vec![offer] },
            Err((code, detail)) => Row::bad(origin, code, detail),
        },
    };
    let is_bid = kind == PriceKind::Bid;
    let of_other_kind = ask.is_bid.flag().is_some_and(|said| said != is_bid);
    Mapped { row, ask: number, sorted_by: ask.dph_total.amount(Currency::USD), of_other_kind }
}

/// When the host takes the machine of an ask back, where that is told.
pub(super) fn ends_at(json: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let ask: Ask<'_> = serde_json::from_str(json).ok()?;
    epoch(ask.end_date).or_else(|| {
        let left = TimeDelta::try_milliseconds((ask.duration.positive()? * 1000.0) as i64)?;
        now.checked_add_signed(left)
    })
}

fn offer(ask: &Ask<'_>, number: Option<&str>, kind: PriceKind) -> Result<Offer, (ReasonCode, String)> {
    let unreadable = |what: &str| (ReasonCode::Unreadable, format!("the ask has no {what}"));
    let raw_name = ask.gpu_name.text().ok_or_else(|| unreadable("gpu_name"))?;
    let count = ask
        .num_gpus
        .whole()
        .and_then(|count| u32::try_from(count).ok())
        .ok_or_else(|| unreadable("readable num_gpus"))?;
    // The ask is volatile, the machine is not: the same cards of the same machine stay one offer over time.
    let machine = match (ask.machine_id.id(), number) {
        (Some(machine), _) => redact::words(&machine),
        (None, Some(number)) => format!("ask-{number}"),
        (None, None) => return Err(unreadable("machine_id and no id")),
    };
    let per_hour = per_hour(ask, kind)?;
    let (gpu, table_link) = card(ask, redact::words(&raw_name), count);
    let link = link(ask, count, table_link);
    let terms = terms(PROVIDER);
    let geolocation = ask.geolocation.text().map(|place| redact::words(&place));
    Ok(Offer {
        id: format!("{PROVIDER}:{machine}x{count}-{kind}"),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: number.map_or_else(|| machine.clone(), str::to_owned),
        form: Form::Container,
        isolation: Isolation::SharedHost,
        gpu: OfferGpu { link, ..gpu },
        fabric: None,
        vcpu: ask.cpu_cores_effective.positive(),
        ram_gib: ram_gib(ask),
        // Nothing is inside the price of the cards; `disk_space` is what the host could give.
        disk: Disk { included_gb: Some(0.0), max_gb: ask.disk_space.positive().map(f64::floor) },
        net: Net { down_mbit_s: ask.inet_down.positive(), up_mbit_s: ask.inet_up.positive() },
        driver: ask.driver_version.text().map(|version| redact::words(&version)),
        cuda: cuda(ask.cuda_max_good),
        reliability: ask
            .reliability2
            .number()
            .or_else(|| ask.reliability.number())
            .filter(|share| (0.0..=1.0).contains(share)),
        // `unverified` and `deverified` both mean that the marketplace does not vouch for the host now.
        verified: ask.verification.text().map(|word| word.eq_ignore_ascii_case("verified")),
        place: Place {
            country: geolocation
                .as_deref()
                .and_then(|text| locate(PROVIDER, text).country)
                .map(str::to_owned),
            // Hosts without a town write `, US`.
            region: geolocation
                .map(|text| text.trim_start_matches([',', ' ']).to_owned())
                .filter(|region| !region.is_empty()),
            seller: seller(PROVIDER).map(str::to_owned),
        },
        price: Price {
            kind,
            currency: Currency::USD,
            per_hour,
            term: None,
            increment_s: terms.and_then(|terms| terms.increment_s),
            minimum_s: terms.and_then(|terms| terms.minimum_s),
            storage_gb_month: cost(ask.storage_cost),
            storage_stopped_gb_month: cost(ask.storage_cost),
            egress_gb: cost(ask.inet_up_cost),
            ingress_gb: cost(ask.inet_down_cost),
            meter: None,
            page: None,
        },
        // A machine's asks overlap, so each is one that can be had and they never add up.
        supply: match ask.rentable.flag() == Some(false) || ask.rented.flag() == Some(true) {
            true => Supply { state: SupplyState::OutOfStock, count: Some(0) },
            false => Supply { state: SupplyState::InStock, count: Some(1) },
        },
        flags: ask.hosting_type.whole().map(|kind| Flag::host(kind >= 1)).into_iter().collect(),
    })
}

/// What the cards cost for an hour, without disk and traffic. A price that is a number at all is kept, zero and
/// negative ones for the quarantine to judge with the whole offer before it.
fn per_hour(ask: &Ask<'_>, kind: PriceKind) -> Result<Decimal, (ReasonCode, String)> {
    let split = ask.search.object::<SearchPrice<'_>>().gpu_cost_per_hour;
    let candidates = match kind {
        PriceKind::Bid => [ask.min_bid, ask.dph_base, split],
        _ => [ask.dph_base, split, Literal::default()],
    };
    let Some(stated) = candidates.into_iter().find_map(Literal::text) else {
        return Err((ReasonCode::PriceMissing, "the ask gives no price of its cards".to_owned()));
    };
    if let Some(number) = stated.parse::<Decimal>().ok().or_else(|| Decimal::from_scientific(&stated).ok()) {
        return Ok(kept(number));
    }
    match price(&stated) {
        Ok(number) => Ok(number),
        Err(reason) => Err((reason.code, reason.detail)),
    }
}

/// The card, and the link the GPU table gives it.
fn card(ask: &Ask<'_>, raw_name: String, count: u32) -> (OfferGpu, Option<gpu::Link>) {
    // "MB" is what the driver reports, which are MiB.
    let reported = ask.gpu_ram.positive().map(|mib| mib / 1024.0);
    let hints = Hints { vram_gib: reported, provider: Some(PROVIDER), machine: None, count: Some(count) };
    let card = gpu::resolve(&raw_name, &hints).card();
    let vram_gib = match (card, reported) {
        (Some(card), Some(gib)) => match gpu::nominal_vram(card, gib) {
            Vram::Nominal(gib) => Some(gib),
            Vram::Listed(gib) | Vram::Contradicts(gib) => Some(hundredths(gib)),
        },
        (Some(card), None) => card.vram_gib(),
        (None, reported) => reported.map(hundredths),
    };
    let model = card.map(|card| card.name().to_owned());
    let link = card.and_then(Card::link);
    (OfferGpu { model, count, fraction: None, vram_gib, link: None, raw_name }, link)
}

/// The link as the host measured it, where that says more or something else than the GPU table.
fn link(ask: &Ask<'_>, count: u32, table: Option<gpu::Link>) -> Option<String> {
    let soldered = table.is_some_and(|link| link.nvlink);
    match ask.bw_nvlink.number() {
        Some(speed) if speed > 0.0 => (!soldered).then(|| "NVLink".to_owned()),
        // Zero on a card that always has NVLink is a contradiction worth showing; with one card there is nobody to
        // link to.
        Some(_) if soldered => (count > 1).then(|| pcie(ask).unwrap_or_else(|| "PCIe".to_owned())),
        _ if soldered => None,
        _ => pcie(ask).filter(|stated| table.is_none_or(|link| link.text != stated)),
    }
}

fn pcie(ask: &Ask<'_>) -> Option<String> {
    let generation = ask.pci_gen.positive().filter(|generation| (1.0..10.0).contains(generation))?.trunc();
    Some(match ask.gpu_lanes.whole().filter(|lanes| (1..=32).contains(lanes)) {
        Some(lanes) => format!("PCIe {generation} x{lanes}"),
        None => format!("PCIe {generation}"),
    })
}

/// Our share of the machine's memory: it is shared out like the cores. Without both core counts there is no share.
fn ram_gib(ask: &Ask<'_>) -> Option<f64> {
    let machine = ask.cpu_ram.positive()? / 1024.0;
    let share = (ask.cpu_cores_effective.positive()? / ask.cpu_cores.positive()?).min(1.0);
    Some(hundredths(machine * share))
}

/// A CUDA version as text: `12.8` stays `12.8`, and a number with a binary tail (`12.800000190734863`) loses it.
fn cuda(version: Literal<'_>) -> Option<String> {
    let number = version.decimal().filter(|number| *number > Decimal::ZERO)?;
    Some(if number.scale() > 2 { number.round_dp(1).to_string() } else { number.to_string() })
}

/// A cost that can be one: zero is free, a negative one is no cost.
fn cost(literal: Literal<'_>) -> Option<Decimal> {
    literal.money(Currency::USD).filter(|cost| *cost >= Decimal::ZERO)
}

fn hundredths(value: f64) -> f64 {
    let rounded = (value * 100.0).round() / 100.0;
    // The smallest shares must not become none.
    if rounded > 0.0 { rounded } else { value }
}
