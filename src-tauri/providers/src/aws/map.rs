//! From a type and its prices to offers.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::gpu::{self, Hints, Vram};
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;

use super::prices::{Prices, Rate};
use super::types::{Cards, Type};

pub(super) const PROVIDER: &str = "aws";

/// What a region said.
pub(super) struct Region {
    pub name: String,
    pub types: Vec<Result<Type, String>>,
    /// Spot prices by type and zone.
    pub spot: Prices,
}

/// The rows of a region: one a type, with an offer on demand and one for each zone with a spot price.
pub(super) fn rows(region: &Region, prices: &Prices) -> Vec<Row> {
    region
        .types
        .iter()
        .enumerate()
        .map(|(index, read)| match read {
            Ok(kind) => row(region, kind, prices),
            Err(words) => {
                let origin = format!("type {} of {}", index + 1, region.name);
                Row::bad(origin, ReasonCode::Unreadable, words.clone())
            }
        })
        .collect()
}

fn row(region: &Region, kind: &Type, prices: &Prices) -> Row {
    let origin = format!("{} in {}", kind.name, region.name);
    let Some(cards) = &kind.cards else { return Row::NotGpu };
    let listed = prices.get(&(kind.name.clone(), region.name.clone()));
    // A price of nothing stands where machines are to be had by reservation only.
    let on_demand = listed.filter(|rate| kind.has("on-demand") && rate.per_hour > Decimal::ZERO);
    let mut offers: Vec<Offer> = on_demand
        .map(|rate| offer(kind, cards, &region.name, PriceKind::OnDemand, *rate))
        .into_iter()
        .collect();
    let zones = region.spot.iter().filter(|((name, _), _)| *name == kind.name && kind.has("spot"));
    offers.extend(zones.map(|((_, zone), rate)| offer(kind, cards, zone, PriceKind::Spot, *rate)));
    if offers.is_empty() {
        let words = match listed {
            Some(_) => "listed at 0: to be had by reservation only",
            None => "no price is listed: to be had by reservation only, or not yet",
        };
        return Row::bad(origin, ReasonCode::PriceMissing, words);
    }
    Row::Offers { origin, offers }
}

/// The id of an offer: `aws:p5.48xlarge@us-east-1-on-demand`, with the zone for a spot price.
pub(super) fn id(name: &str, place: &str, kind: PriceKind) -> String {
    format!("{PROVIDER}:{name}@{place}-{kind}")
}

fn offer(kind: &Type, cards: &Cards, at: &str, price: PriceKind, rate: Rate) -> Offer {
    let form = match (cards.share, kind.bare_metal) {
        (Some(_), _) => Form::Fraction,
        (None, true) => Form::BareMetal,
        (None, false) => Form::Vm,
    };
    let speed = kind.gbit().map(|gbit| gbit * 1000.0);
    Offer {
        id: id(&kind.name, at, price),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: kind.name.clone(),
        form,
        isolation: if kind.bare_metal { Isolation::DedicatedHost } else { Isolation::Vm },
        gpu: gpu(kind, cards),
        fabric: kind.gbit().filter(|_| kind.efa).map(|gbit| format!("EFA {gbit} Gb/s")),
        vcpu: kind.vcpu,
        ram_gib: kind.ram_mib.map(|mib| mib / 1024.0),
        // Local disks are in the price; the disk that is started from is billed apart.
        disk: Disk { included_gb: Some(kind.disk_gb.unwrap_or(0.0)), max_gb: None },
        net: Net { down_mbit_s: speed, up_mbit_s: speed },
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place(at),
        price: Price { kind: price, ..list_price(PROVIDER, rate.per_hour, rate.currency) },
        supply: Supply { state: SupplyState::Unknown, count: None },
        flags: Vec::new(),
    }
}

/// A region or a zone of one. The regions in China are run and billed by companies there.
pub(super) fn place(at: &str) -> Place {
    let of = if at.starts_with("cn-") { Some("CN") } else { seller(PROVIDER) };
    Place {
        region: Some(at.to_owned()),
        country: locate(PROVIDER, at).country.map(str::to_owned),
        seller: of.map(str::to_owned),
    }
}

/// The card by our table: what is reported of its memory changes over time (24,576 MiB and later 22,888 for one A10G,
/// both of which are 24 GB), and was the sum of all cards for some types.
fn gpu(kind: &Type, cards: &Cards) -> OfferGpu {
    let share = cards.share.unwrap_or(1.0);
    // Of a part of a card its part of the memory is told.
    let told = cards.mib.map(|mib| mib / 1024.0 / share);
    let summed = told.map(|gib| gib / f64::from(cards.count.max(1)));
    let find = |gib| {
        let hints = Hints {
            vram_gib: gib,
            provider: Some(PROVIDER),
            machine: Some(&kind.name),
            count: Some(cards.count),
        };
        gpu::resolve(&cards.name, &hints).card()
    };
    let fits = |gib: f64| {
        let card = find(Some(gib))?;
        match gpu::nominal_vram(card, gib) {
            Vram::Nominal(gib) | Vram::Listed(gib) => Some((card, gib)),
            Vram::Contradicts(_) => None,
        }
    };
    let found = [told, summed].into_iter().flatten().find_map(fits);
    let card = found.map(|(card, _)| card).or_else(|| find(None));
    let vram = found.map(|(_, gib)| gib).or(told).or_else(|| card.and_then(gpu::Card::vram_gib));
    OfferGpu {
        model: card.map(|card| card.name().to_owned()),
        count: cards.count,
        fraction: cards.share,
        vram_gib: vram.map(|gib| gib * share),
        link: None,
        raw_name: cards.name.clone(),
    }
}
