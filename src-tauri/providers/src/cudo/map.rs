//! From a type of machine to offers. Its price has parts, so an offer is one only with a size: a usual one within the
//! limits of the type.

use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, Price, PriceKind, Source, Supply, SupplyState};
use gpudesk_core::place::locate;
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::{USUAL_MONTH_HOURS, list_price};
use rust_decimal::Decimal;

use super::wire::{Amount, DataCenters, GpuModels, MachineType};
use crate::http::{Literal, redact};
use crate::{card, entry, resold};

pub(super) const PROVIDER: &str = "cudo";

/// Told with the offers.
pub(super) const SIZE: &str = "prices are for 8 vCPU a card with 4 GiB of memory each, or the nearest size allowed, and one public address";

/// vCPUs to a card, and GiB of memory to a vCPU, where the type leaves a choice.
const VCPU_PER_CARD: f64 = 8.0;
const GIB_PER_VCPU: f64 = 4.0;

/// GB in a GiB, to nine digits.
const GB_IN_GIB: Decimal = Decimal::from_parts(1_073_741_824, 0, 0, false, 9);

/// Cards that an offer is made for, as far as one host has them.
const CARDS: [u32; 4] = [1, 2, 4, 8];

/// What the lists beside the types say.
#[derive(Default)]
pub(super) struct Market {
    /// GiB of one card, by the id of its model.
    memory: BTreeMap<String, f64>,
    /// Who runs each data centre, and whether addresses are left there.
    centers: BTreeMap<String, (Option<String>, Option<u64>)>,
}

/// The parts of a price.
struct Parts {
    kind: PriceKind,
    term: Option<String>,
    gpu: Decimal,
    vcpu: Decimal,
    memory: Decimal,
    address: Decimal,
}

impl Market {
    pub(super) fn take_models(&mut self, json: &str) {
        let list: GpuModels<'_> = serde_json::from_str(json).unwrap_or_default();
        let known =
            list.gpu_models.iter().filter_map(|model| Some((text(model.id)?, model.memory_gib.positive()?)));
        self.memory.extend(known);
    }

    pub(super) fn take_centers(&mut self, json: &str) {
        let list: DataCenters<'_> = serde_json::from_str(json).unwrap_or_default();
        let known = list.data_centers.iter().filter_map(|center| {
            Some((text(center.id)?, (text(center.supplier_name), center.ipv4_free.whole())))
        });
        self.centers.extend(known);
    }

    pub(super) fn row(&self, at: usize, json: &str) -> Row {
        let listed: MachineType<'_> = match entry::read(json, "a machine type") {
            Ok(listed) => listed,
            Err(words) => return Row::bad(format!("row {}", at + 1), ReasonCode::Unreadable, words),
        };
        let (Some(name), Some(center)) = (text(listed.machine_type), text(listed.data_center_id)) else {
            let detail = "neither type nor data centre";
            return Row::bad(format!("row {}", at + 1), ReasonCode::Unreadable, detail);
        };
        // The name may be left out, the id of its model tells the same.
        let Some(card) = text(listed.gpu_model).or_else(|| text(listed.gpu_model_id)) else {
            return Row::NotGpu;
        };
        let origin = format!("{name} in {center}");
        let mut offers = Vec::new();
        match parts(&listed) {
            Ok(all) => {
                for cards in counts(&listed) {
                    offers.extend(
                        all.iter()
                            .filter_map(|parts| self.offer(&listed, (&name, &center, &card), cards, parts)),
                    );
                }
            }
            Err((code, detail)) => return Row::bad(origin, code, detail),
        }
        Row::Offers { origin, offers }
    }

    fn offer(
        &self,
        listed: &MachineType<'_>,
        (name, center, raw): (&str, &str, &str),
        cards: u32,
        parts: &Parts,
    ) -> Option<Offer> {
        let (vcpu, memory) = size(listed, cards);
        let decimal = |number: f64| Decimal::try_from(number).ok();
        let per_hour = parts
            .gpu
            .checked_mul(Decimal::from(cards))?
            .checked_add(parts.vcpu.checked_mul(decimal(vcpu)?)?)?
            .checked_add(parts.memory.checked_mul(decimal(memory)?)?)?
            .checked_add(parts.address)?;
        let (operator, addresses) = self.centers.get(center).cloned().unwrap_or_default();
        let cloud = operator.map(|name| resold::slug(&name.to_lowercase())).filter(|name| !name.is_empty());
        let cloud = cloud.unwrap_or_else(|| PROVIDER.to_owned());
        let country = locate(PROVIDER, center).country;
        // Without a free address a machine stands in creation for ever.
        let free = free_on_a_host(listed).map(|free| free >= u64::from(cards) && addresses != Some(0));
        // Remarks such as `(compute mode)` are no part of the name.
        let model = raw.split('(').next().unwrap_or(raw).trim();
        let memory_of_card = listed.gpu_model_id.text().and_then(|id| self.memory.get(id.as_ref()).copied());
        let mut gpu = card::whole(PROVIDER, model.to_owned(), name, cards, memory_of_card);
        gpu.raw_name = raw.to_owned();
        let disk = amount(listed.min_storage_gib_price_hr).and_then(a_month);
        let term = parts.term.as_deref().map(|term| format!("-{}", resold::slug(term))).unwrap_or_default();
        Some(Offer {
            id: format!("{PROVIDER}:{name}-x{cards}@{center}-{}{term}", parts.kind),
            provider: PROVIDER.to_owned(),
            place: resold::place(PROVIDER, &cloud, Some(center.to_owned()), country),
            cloud,
            source: Source::Live,
            name: name.to_owned(),
            form: Form::Vm,
            isolation: Isolation::Vm,
            gpu,
            fabric: None,
            vcpu: Some(vcpu),
            ram_gib: Some(memory),
            disk: Disk { included_gb: Some(0.0), max_gb: None },
            net: Net::default(),
            driver: None,
            cuda: None,
            reliability: None,
            verified: None,
            price: Price {
                kind: parts.kind,
                term: parts.term.clone(),
                // A disk bills until it is deleted, whatever the machine does.
                storage_gb_month: disk,
                storage_stopped_gb_month: disk,
                ..list_price(PROVIDER, kept(per_hour), Currency::USD)
            },
            supply: match free {
                Some(true) => Supply { state: SupplyState::InStock, count: None },
                Some(false) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
                None => Supply { state: SupplyState::Unknown, count: None },
            },
            flags: Vec::new(),
        })
    }
}

fn text(value: Literal<'_>) -> Option<String> {
    value.text().map(|text| redact::words(&text))
}

/// An amount, in its object or bare. Absent is unknown; a price of zero for a part is one.
fn amount(given: Literal<'_>) -> Option<Decimal> {
    let value = match given.raw()?.starts_with('{') {
        true => given.object::<Amount<'_>>().value,
        false => given,
    };
    value.money(Currency::USD).filter(|price| *price >= Decimal::ZERO)
}

/// The prices there are: on demand, and for each term.
fn parts(listed: &MachineType<'_>) -> Result<Vec<Parts>, (ReasonCode, String)> {
    let part = |price: Literal<'_>, name| {
        amount(price).ok_or_else(|| {
            let detail = format!("the price of {name} is not told, and without it there is no total");
            (ReasonCode::IncompletePrice, detail)
        })
    };
    let address = part(listed.ipv4_price_hr, "the address")?;
    let memory = part(listed.memory_gib_price_hr, "the memory")?;
    let vcpu = part(listed.vcpu_price_hr, "the vCPU")?;
    let gpu = part(listed.gpu_price_hr, "the card")?;
    if gpu.is_zero() {
        // What stands around the card is no price of it.
        return Err((ReasonCode::PriceImpossible, "the price of the card is 0".to_owned()));
    }
    let mut all = vec![Parts { kind: PriceKind::OnDemand, term: None, gpu, vcpu, memory, address }];
    for price in listed.prices.iter().flatten() {
        let Some(term) = price.commitment_term.text().and_then(|word| months(&word)) else { continue };
        let own =
            (amount(price.gpu_price_hr), amount(price.vcpu_price_hr), amount(price.memory_gib_price_hr));
        // A term that leaves a part out, or gives the card away, has no total.
        if let (Some(gpu), Some(vcpu), Some(memory)) = own
            && !gpu.is_zero()
        {
            all.push(Parts { kind: PriceKind::Reserved, term: Some(term), gpu, vcpu, memory, address });
        }
    }
    Ok(all)
}

/// `COMMITMENT_TERM_12_MONTHS` → `12 months`; `None` for no commitment, or a word that is not known.
fn months(word: &str) -> Option<String> {
    let (number, unit) = word.strip_prefix("COMMITMENT_TERM_")?.split_once('_')?;
    let months: u32 = number.parse().ok()?;
    matches!(unit, "MONTH" | "MONTHS").then(|| format!("{months} months"))
}

/// The most cards free on one host: none where it is left out; `None` where it is not told in a number.
fn free_on_a_host(listed: &MachineType<'_>) -> Option<u64> {
    match listed.max_gpu_free.raw() {
        None => Some(0),
        Some(_) => listed.max_gpu_free.whole(),
    }
}

/// Cards that offers are made for. A machine stands on one host; where none is free, the price stays visible.
fn counts(listed: &MachineType<'_>) -> Vec<u32> {
    let free = free_on_a_host(listed).unwrap_or(0);
    let mut counts: Vec<u32> = CARDS.into_iter().filter(|cards| u64::from(*cards) <= free).collect();
    if counts.is_empty() {
        counts.push(1);
    }
    counts
}

/// vCPUs and GiB of memory for so many cards, within the limits of the type.
fn size(listed: &MachineType<'_>, cards: u32) -> (f64, f64) {
    let within = |value: f64, least: Option<f64>, most: Option<f64>| {
        let value = least.map_or(value, |least| value.max(least));
        most.map_or(value, |most| value.min(most))
    };
    let per_card =
        within(VCPU_PER_CARD, listed.min_vcpu_per_gpu.positive(), listed.max_vcpu_per_gpu.positive());
    let vcpu = (per_card * f64::from(cards)).ceil().max(listed.min_vcpu.positive().unwrap_or(1.0));
    let per_gib = within(
        1.0 / GIB_PER_VCPU,
        listed.min_vcpu_per_memory_gib.positive(),
        listed.max_vcpu_per_memory_gib.positive(),
    );
    let memory = (vcpu / per_gib).floor().max(listed.min_memory_gib.positive().unwrap_or(1.0));
    (vcpu, memory)
}

/// A price per GiB and hour as one per GB and month of 730 hours.
fn a_month(per_gib_hour: Decimal) -> Option<Decimal> {
    let month = per_gib_hour.checked_mul(Decimal::from(USUAL_MONTH_HOURS))?;
    Some(month.checked_div(GB_IN_GIB)?.round_dp(9).normalize())
}
