//! From plans, regions and stock to offers.

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

use super::card;
use super::wire::{Plan, Region};
use crate::entry;
use crate::http::{Literal, redact};

pub(super) const PROVIDER: &str = "vultr";

/// Hours in a month: of virtual machines with cards, and of bare metal
/// (<https://docs.vultr.com/support/platform/billing/how-am-i-billed-for-my-servers>).
const VM_MONTH: Decimal = Decimal::from_parts(730, 0, 0, false, 0);
const METAL_MONTH: Decimal = Decimal::from_parts(672, 0, 0, false, 0);

/// Which of the two lists a plan stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Vm,
    Metal,
}

/// What is known beside the plans.
#[derive(Debug, Default)]
pub(super) struct Market {
    /// Country by region, as the service says it.
    pub countries: BTreeMap<String, &'static str>,
    /// What can be had now, by region. A region that could not be asked is not in here.
    pub stock: BTreeMap<String, BTreeSet<String>>,
}

impl Market {
    pub fn region(&mut self, json: &str) {
        let Ok(region) = serde_json::from_str::<Region<'_>>(json) else { return };
        let found = region.country.text().and_then(|iso| country(&iso));
        if let (Some(id), Some(found)) = (region.id.text(), found) {
            self.countries.insert(redact::words(&id), found.iso2);
        }
    }

    fn place(&self, region: Option<&str>) -> Place {
        let told = region.and_then(|region| self.countries.get(region).copied());
        let found = told.or_else(|| region.and_then(|region| locate(PROVIDER, region).country));
        Place {
            region: region.map(str::to_owned),
            country: found.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        }
    }

    /// The list of places says where a plan may be, the stock of the place whether it is there.
    fn supply(&self, plan: &str, region: Option<&str>) -> Supply {
        let none = Supply { state: SupplyState::OutOfStock, count: Some(0) };
        let Some(region) = region else { return none };
        match self.stock.get(region) {
            Some(plans) if plans.contains(plan) => Supply { state: SupplyState::InStock, count: None },
            Some(_) => none,
            None => Supply { state: SupplyState::Unknown, count: None },
        }
    }
}

/// The places of a plan.
pub(super) fn locations(plan: &Plan<'_>) -> Vec<String> {
    let listed: Vec<Literal<'_>> = plan.locations.object();
    listed.iter().filter_map(|place| place.text()).map(|place| redact::words(&place)).collect()
}

/// Whether a plan has cards, read without judging it.
pub(super) fn has_cards(kind: Kind, plan: &Plan<'_>) -> bool {
    let id = plan.id.text().unwrap_or_default();
    match kind {
        Kind::Vm => card::of_vm(plan, &id).is_some(),
        Kind::Metal => card::of_metal(plan, &id).is_some(),
    }
}

/// What an hour of the whole machine costs. Where only the month stands there, it has the hours of its kind.
pub(super) fn per_hour(kind: Kind, plan: &Plan<'_>) -> Option<Decimal> {
    let month = if kind == Kind::Vm { VM_MONTH } else { METAL_MONTH };
    let hour = plan.hourly_cost.amount(Currency::USD);
    let hour = hour.or_else(|| {
        plan.monthly_cost.amount(Currency::USD)?.checked_div(month).map(|price| price.round_dp(6))
    });
    hour.map(|price| price.normalize())
}

/// The row of one plan; `index` names one that cannot be read.
pub(super) fn row(kind: Kind, index: usize, json: &str, market: &Market) -> Row {
    let list = if kind == Kind::Vm { "plan" } else { "metal plan" };
    let unnamed = format!("{list} number {}", index + 1);
    let plan: Plan<'_> = match entry::read(json, "a plan") {
        Ok(plan) => plan,
        Err(words) => return Row::bad(unnamed, ReasonCode::Unreadable, words),
    };
    let Some(id) = plan.id.text().map(|id| redact::words(&id)) else {
        return Row::bad(unnamed, ReasonCode::Unreadable, "the plan has no id");
    };
    if !has_cards(kind, &plan) {
        return Row::NotGpu;
    }
    let origin = format!("{list} {id}");
    let Some(hour) = per_hour(kind, &plan) else {
        return match price(&plan.hourly_cost.text().unwrap_or_default()) {
            Err(reason) => Row::bad(origin, reason.code, reason.detail),
            Ok(_) => Row::bad(origin, ReasonCode::PriceMissing, "the plan has no price"),
        };
    };
    let mut places: Vec<Option<String>> = locations(&plan).into_iter().map(Some).collect();
    if places.is_empty() {
        // Not sold now: the price stays visible.
        places.push(None);
    }
    // There is a price of preemptible machines, and no order for one in the API.
    let preemptible =
        plan.hourly_cost_preemptible.amount(Currency::USD).filter(|price| *price > Decimal::ZERO);
    let on_demand = plan.deploy_ondemand.flag() != Some(false);
    let mut offers = Vec::new();
    for place in &places {
        let mut here = offer(kind, &plan, &id, hour, place.as_deref(), market);
        if !on_demand {
            here.supply = Supply { state: SupplyState::OutOfStock, count: Some(0) };
        }
        if let Some(preemptible) = preemptible {
            let mut spot = here.clone();
            spot.id = identity(&id, place.as_deref(), PriceKind::Spot);
            spot.price = Price { kind: PriceKind::Spot, per_hour: preemptible.normalize(), ..spot.price };
            spot.supply = Supply { state: SupplyState::Unknown, count: None };
            offers.push(spot);
        }
        offers.push(here);
    }
    Row::Offers { origin, offers }
}

fn identity(id: &str, place: Option<&str>, kind: PriceKind) -> String {
    format!("{PROVIDER}:{id}@{}-{}", place.unwrap_or("none"), kind.word())
}

fn offer(
    kind: Kind,
    plan: &Plan<'_>,
    id: &str,
    hour: Decimal,
    place: Option<&str>,
    market: &Market,
) -> Offer {
    let gpu = match kind {
        Kind::Vm => card::of_vm(plan, id),
        Kind::Metal => card::of_metal(plan, id),
    };
    let gpu = gpu.unwrap_or_else(|| gpudesk_core::offer::OfferGpu {
        model: None,
        count: 1,
        fraction: None,
        vram_gib: None,
        link: None,
        raw_name: id.to_owned(),
    });
    let (form, isolation) = match kind {
        Kind::Metal => (Form::BareMetal, Isolation::DedicatedHost),
        Kind::Vm if gpu.fraction.is_some() => (Form::Fraction, Isolation::Vm),
        Kind::Vm => (Form::Vm, Isolation::Vm),
    };
    let disks = plan.disk_count.positive().unwrap_or(1.0);
    let disk = plan.disk.positive().map(|each| each * disks);
    Offer {
        id: identity(id, place, PriceKind::OnDemand),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: id.to_owned(),
        form,
        isolation,
        gpu,
        fabric: None,
        vcpu: [plan.vcpu_count, plan.cpu_threads, plan.cpu_count].into_iter().find_map(Literal::positive),
        ram_gib: plan.ram.positive().map(|mib| mib / 1024.0),
        disk: Disk { included_gb: disk, max_gb: disk },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: market.place(place),
        price: list_price(PROVIDER, hour, Currency::USD),
        supply: market.supply(id, place),
        flags: Vec::new(),
    }
}
