//! From platforms, prices and what is free to offers.

use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::list_price;

use super::api::{Cost, Home, Wanted};
use super::wire_offers::{Advice, Availability, Platform, PlatformSpec, Preset};
use crate::card;
use crate::http::redact;

pub(super) const PROVIDER: &str = "nebius";

/// The two kinds of price.
pub(super) const KINDS: [PriceKind; 2] = [PriceKind::OnDemand, PriceKind::Spot];

/// Prices by what they were asked for.
pub(super) type Costs = BTreeMap<Wanted, Cost>;

/// The name of what is rented: `gpu-h200-sxm/8gpu-128vcpu-1600gb`.
pub(super) fn name(platform: &str, preset: &str) -> String {
    format!("{platform}/{preset}")
}

/// The cards of a preset; none where it has none.
fn count(preset: &Preset) -> Option<u32> {
    let count = preset.resources.as_ref()?.gpu_count;
    u32::try_from(count).ok().filter(|count| *count > 0)
}

/// What prices are needed for a platform in a project.
pub(super) fn wanted(project: &str, platform: &Platform) -> Vec<Wanted> {
    let (Some(metadata), Some(spec)) = (&platform.metadata, &platform.spec) else { return Vec::new() };
    let spot = platform.status.is_some_and(|status| status.allowed_for_preemptibles);
    let kinds = if spot { &[false, true][..] } else { &[false][..] };
    let presets = spec.presets.iter().filter(|preset| count(preset).is_some());
    presets
        .flat_map(|preset| {
            kinds.iter().map(|preemptible| Wanted {
                project: project.to_owned(),
                platform: metadata.name.clone(),
                preset: preset.name.clone(),
                preemptible: *preemptible,
            })
        })
        .collect()
}

/// The rows of one platform in one project: one a preset.
pub(super) fn rows(home: &Home, platform: &Platform, costs: &Costs, advice: &[Advice]) -> Vec<Row> {
    let (Some(metadata), Some(spec)) = (&platform.metadata, &platform.spec) else {
        let origin = format!("a platform in {}", home.region);
        return vec![Row::bad(origin, ReasonCode::Unreadable, "a platform without a name or presets")];
    };
    let platform_name = redact::words(&metadata.name);
    spec.presets.iter().map(|preset| row(home, &platform_name, spec, preset, costs, advice)).collect()
}

fn row(
    home: &Home,
    platform: &str,
    spec: &PlatformSpec,
    preset: &Preset,
    costs: &Costs,
    advice: &[Advice],
) -> Row {
    let preset_name = redact::words(&preset.name);
    let origin = format!("{} in {}", name(platform, &preset_name), home.region);
    let Some(count) = count(preset) else { return Row::NotGpu };
    let offers: Vec<Offer> = KINDS
        .iter()
        .filter_map(|kind| {
            let wanted = Wanted {
                project: home.project.clone(),
                platform: platform.to_owned(),
                preset: preset.name.clone(),
                preemptible: *kind == PriceKind::Spot,
            };
            let (per_hour, currency) = (*costs.get(&wanted)?)?;
            let supply = supply(advice, &home.region, platform, &preset.name, *kind);
            let mut price = list_price(PROVIDER, per_hour, currency);
            price.kind = *kind;
            Some(offer(home, (platform, spec), (&preset_name, preset), count, price, supply))
        })
        .collect();
    if offers.is_empty() {
        return Row::bad(origin, ReasonCode::PriceMissing, "the calculator has no price for it");
    }
    Row::Offers { origin, offers }
}

fn offer(
    home: &Home,
    (platform, spec): (&str, &PlatformSpec),
    (preset_name, preset): (&str, &Preset),
    count: u32,
    price: gpudesk_core::offer::Price,
    supply: Supply,
) -> Offer {
    let resources = preset.resources.unwrap_or_default();
    let positive = |number: i32| (number > 0).then(|| f64::from(number));
    let suffix = if price.kind == PriceKind::Spot { "-spot" } else { "" };
    let name = name(platform, preset_name);
    Offer {
        id: format!("{PROVIDER}:{name}@{}{suffix}", home.region),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        gpu: card_of(platform, spec, count),
        name,
        form: Form::Vm,
        isolation: Isolation::Vm,
        fabric: preset.allow_gpu_clustering.then(|| "InfiniBand in a GPU cluster".to_owned()),
        vcpu: positive(resources.vcpu_count),
        ram_gib: positive(resources.memory_gibibytes),
        // The disk is always bought beside the machine.
        disk: Disk::default(),
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place(&home.region),
        price,
        supply,
        flags: Vec::new(),
    }
}

/// The place of a region.
pub(super) fn place(region: &str) -> Place {
    let region = (!region.is_empty()).then(|| region.to_owned());
    Place {
        country: region.as_deref().and_then(|region| locate(PROVIDER, region).country).map(str::to_owned),
        region,
        seller: seller(PROVIDER).map(str::to_owned),
    }
}

/// The card in a platform's name, `gpu-h200-sxm`, where a last single letter tells generations of the host apart.
fn card_of(platform: &str, spec: &PlatformSpec, count: u32) -> OfferGpu {
    let bare = platform.strip_prefix("gpu-").unwrap_or(platform);
    let card = match bare.rsplit_once('-') {
        Some((card, host)) if host.len() == 1 => card,
        _ => bare,
    };
    let memory = [spec.gpu_memory_gigabytes, spec.gpu_memory_gibibytes].into_iter().find(|size| *size > 0);
    let mut gpu = card::whole(PROVIDER, card.to_owned(), platform, count, memory.map(f64::from));
    platform.clone_into(&mut gpu.raw_name);
    gpu
}

/// What is free, over all fabrics of the region: the best of them.
fn supply(advice: &[Advice], region: &str, platform: &str, preset: &str, kind: PriceKind) -> Supply {
    let here = advice.iter().filter(|advice| {
        advice.spec.as_ref().is_some_and(|spec| {
            spec.region == region
                && spec.compute_instance.as_ref().is_some_and(|instance| {
                    instance.platform == platform
                        && instance.preset.as_ref().is_some_and(|told| told.name == preset)
                })
        })
    });
    let told = here.filter_map(|advice| advice.status.as_ref()).filter_map(|status| match kind {
        PriceKind::Spot => status.preemptible,
        _ => status.on_demand,
    });
    let unknown = Supply { state: SupplyState::Unknown, count: None };
    told.map(|told| level(&told)).reduce(better).unwrap_or(unknown)
}

fn level(told: &Availability) -> Supply {
    const FRESH: i32 = 1;
    match (told.data_state, told.level) {
        (FRESH, 1..=3) => {
            Supply { state: SupplyState::InStock, count: (told.available > 0).then_some(told.available) }
        }
        // None for this account, whatever others may have.
        (FRESH, 4) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        // A stale figure says nothing of now.
        _ => Supply { state: SupplyState::Unknown, count: None },
    }
}

fn better(a: Supply, b: Supply) -> Supply {
    let rank = |supply: &Supply| match supply.state {
        SupplyState::InStock => 2,
        SupplyState::Unknown => 1,
        SupplyState::OutOfStock => 0,
    };
    if (rank(&b), b.count) > (rank(&a), a.count) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(platform: &str, memory: i32, count: u32) -> (Option<String>, Option<f64>) {
        let spec = PlatformSpec { gpu_memory_gigabytes: memory, ..PlatformSpec::default() };
        let gpu = card_of(platform, &spec, count);
        assert_eq!(gpu.raw_name, platform, "the provider's own spelling is kept");
        (gpu.model, gpu.vram_gib)
    }

    #[test]
    fn a_platform_names_its_card() {
        for (platform, memory, card, gib) in [
            ("gpu-h100-sxm", 80, "H100 SXM", 80.0),
            ("gpu-h200-sxm", 141, "H200 SXM", 141.0),
            ("gpu-b200-sxm", 180, "B200 SXM", 180.0),
            ("gpu-b200-sxm-a", 180, "B200 SXM", 180.0),
            ("gpu-b300-sxm", 288, "B300 SXM", 288.0),
            ("gpu-l40s-a", 48, "L40S", 48.0),
            ("gpu-l40s-d", 48, "L40S", 48.0),
            ("gpu-rtx6000", 96, "RTX PRO 6000 Blackwell Server", 96.0),
        ] {
            assert_eq!(model(platform, memory, 1), (Some(card.to_owned()), Some(gib)), "{platform}");
        }
        assert_eq!(model("gpu-q900-sxm", 500, 1), (None, Some(500.0)));
        let old = PlatformSpec { gpu_memory_gibibytes: 80, ..PlatformSpec::default() };
        assert_eq!(card_of("gpu-h100-sxm", &old, 8).vram_gib, Some(80.0), "the older field, the same number");
    }

    #[test]
    fn what_is_free_is_told_unless_it_is_stale() {
        let told = |data_state, level, available| self::level(&Availability { data_state, available, level });
        assert_eq!(told(1, 1, 4), Supply { state: SupplyState::InStock, count: Some(4) });
        assert_eq!(told(1, 3, 0), Supply { state: SupplyState::InStock, count: None });
        assert_eq!(told(1, 4, 0).state, SupplyState::OutOfStock);
        for (state, level) in [(2, 1), (10, 1), (1, 5), (1, 0), (1, 9)] {
            assert_eq!(told(state, level, 3).state, SupplyState::Unknown, "{state} {level}");
        }
        assert_eq!(better(told(1, 4, 0), told(1, 2, 1)).state, SupplyState::InStock, "another fabric has it");
    }
}
