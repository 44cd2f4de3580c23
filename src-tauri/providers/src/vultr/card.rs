//! The cards of a plan. Virtual machines are sold by memory, down to slices of a card; bare metal names its cards in
//! its id only.

use gpudesk_core::gpu::{self, Hints, Vram};
use gpudesk_core::offer::OfferGpu;

use super::map::PROVIDER;
use super::wire::Plan;
use crate::http::redact;

/// The cards of bare metal as its ids name them: the word, the card, how many where the id has no number, and GiB of
/// each (dstackai/gpuhunt, recorded answers; the id of the L40S says `l40`).
const METAL: [(&str, &str, u32, f64); 7] = [
    ("a100", "A100 80GB", 8, 80.0),
    ("h100", "H100 80GB", 8, 80.0),
    ("l40", "L40S", 8, 48.0),
    ("l40s", "L40S", 8, 48.0),
    ("gh200", "GH200 96GB", 1, 96.0),
    ("mi300x", "MI300X", 8, 192.0),
    ("mi325x", "MI325X", 8, 256.0),
];

/// The cards of a plan of virtual machines; `None` where it has none.
pub(super) fn of_vm(plan: &Plan<'_>, id: &str) -> Option<OfferGpu> {
    let told = plan.gpu_type.text().map(|text| redact::words(&text));
    let named = from_id(id);
    let raw_name = match (&told, &named) {
        (Some(told), _) => told.clone(),
        (None, Some((name, _))) => name.clone(),
        // Sold as a machine with cards, whatever else is not said.
        (None, None) if plan.kind.text().as_deref() == Some("vcg") => id.to_owned(),
        (None, None) => return None,
    };
    let total = plan.gpu_vram_gb.positive().or(named.and_then(|(_, gib)| gib));
    let said = plan.gpu_count.whole().and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
    Some(shared_out(&raw_name, &raw_name.replace('_', " "), total, said))
}

/// Card and memory in an id such as `vcg-a40-24c-120g-48vram`: newer plans have no fields for them.
fn from_id(id: &str) -> Option<(String, Option<f64>)> {
    let mut parts = id.split('-');
    (parts.next()? == "vcg").then_some(())?;
    let card = parts.next()?.to_ascii_uppercase();
    let vram = parts.next_back().and_then(|last| last.strip_suffix("vram")?.parse::<f64>().ok());
    Some((card, vram.filter(|gib| *gib > 0.0)))
}

/// The cards of a plan of bare metal; `None` where its id names none.
pub(super) fn of_metal(plan: &Plan<'_>, id: &str) -> Option<OfferGpu> {
    if let Some(told) = plan.gpu_type.text().map(|text| redact::words(&text)) {
        let said = plan.gpu_count.whole().and_then(|count| u32::try_from(count).ok());
        return Some(shared_out(&told, &told.replace('_', " "), plan.gpu_vram_gb.positive(), said));
    }
    let parts: Vec<&str> = id.split('-').collect();
    let at = parts.iter().position(|part| part.eq_ignore_ascii_case("gpu"));
    let Some(at) = at else { return id.to_ascii_lowercase().contains("gpu").then(|| unstated(id, 1)) };
    let word = at.checked_sub(1).and_then(|at| parts.get(at)).copied().unwrap_or_default();
    let number = at.checked_sub(2).and_then(|at| parts.get(at)?.parse::<u32>().ok());
    let told = plan.gpu_count.whole().and_then(|count| u32::try_from(count).ok());
    let number = told.or(number).filter(|count| (1..=64).contains(count));
    let known = METAL.iter().find(|(name, ..)| name.eq_ignore_ascii_case(word));
    let Some((_, name, usual, gib)) = known else { return Some(unstated(id, number.unwrap_or(1))) };
    let count = number.unwrap_or(*usual);
    let total = plan.gpu_vram_gb.positive().unwrap_or(gib * f64::from(count));
    Some(shared_out(id, name, Some(total), Some(count)))
}

/// A card nobody knows, under the plan's own name.
fn unstated(id: &str, count: u32) -> OfferGpu {
    OfferGpu { model: None, count, fraction: None, vram_gib: None, link: None, raw_name: id.to_owned() }
}

fn resolve(name: &str, vram_gib: Option<f64>, count: u32) -> Option<gpu::Card> {
    let hints = Hints { vram_gib, provider: Some(PROVIDER), machine: None, count: Some(count) };
    gpu::resolve(name, &hints).card()
}

/// So much memory in total: several cards, one, or a slice of one.
fn shared_out(raw_name: &str, name: &str, total_gib: Option<f64>, count: Option<u32>) -> OfferGpu {
    let model = |card: Option<gpu::Card>| card.map(|card| card.name().to_owned());
    let raw_name = raw_name.to_owned();
    let (Some(total), None) = (total_gib, count) else {
        // The number of cards is told, or no memory is.
        let count = count.unwrap_or(1);
        let each = total_gib.map(|total| total / f64::from(count));
        let card = resolve(name, each, count);
        let vram_gib = match (card, each) {
            (Some(card), Some(gib)) => Some(nominal(card, gib)),
            (card, gib) => gib.or(card.and_then(gpu::Card::vram_gib)),
        };
        return OfferGpu { model: model(card), count, fraction: None, vram_gib, link: None, raw_name };
    };
    let cards = resolve(name, None, 1).map_or(1.0, |card| cards_of(card, total));
    if cards < 0.93 {
        let card = resolve(name, None, 1);
        return OfferGpu {
            model: model(card),
            count: 1,
            fraction: Some(cards),
            vram_gib: Some(total),
            link: None,
            raw_name,
        };
    }
    let count = cards.round().clamp(1.0, 64.0) as u32;
    let each = total / f64::from(count);
    let card = resolve(name, Some(each), count);
    let vram_gib = Some(card.map_or(each, |card| nominal(card, each)));
    OfferGpu { model: model(card), count, fraction: None, vram_gib, link: None, raw_name }
}

/// How many cards so much memory is. Of a card that comes in several sizes, the size that divides it best.
fn cards_of(card: gpu::Card, total_gib: f64) -> f64 {
    let sizes = card.members().map(|model| model.vram_gib).filter(|gib| *gib > 0.0);
    let mut ratios: Vec<f64> = sizes.map(|gib| total_gib / gib).collect();
    let rest = |cards: &f64| if *cards < 1.0 { 1.0 - cards } else { (cards - cards.round()).abs() };
    ratios.sort_by(|a, b| rest(a).total_cmp(&rest(b)));
    ratios.first().copied().unwrap_or(1.0)
}

fn nominal(card: gpu::Card, gib: f64) -> f64 {
    match gpu::nominal_vram(card, gib) {
        Vram::Nominal(gib) | Vram::Listed(gib) | Vram::Contradicts(gib) => gib,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vm(id: &str, fields: &str) -> Option<OfferGpu> {
        let json = format!(r#"{{"id": "{id}"{fields}}}"#);
        of_vm(&serde_json::from_str(&json).unwrap(), id)
    }

    #[test]
    fn memory_is_that_of_the_plan_in_total() {
        for (kind, total, model, count, fraction, vram) in [
            ("NVIDIA_A100", 4, "A100", 1, Some(0.05), 4.0),
            ("NVIDIA_A100", 40, "A100", 1, Some(0.5), 40.0),
            ("NVIDIA_A100", 80, "A100", 1, None, 80.0),
            ("NVIDIA_A100", 160, "A100", 2, None, 80.0),
            ("NVIDIA_L40S", 48, "L40S", 1, None, 48.0),
            ("NVIDIA_A16", 2, "A16", 1, Some(0.125), 2.0),
            ("NVIDIA_A16", 32, "A16", 2, None, 16.0),
            ("NVIDIA_A40", 24, "A40", 1, Some(0.5), 24.0),
            ("NVIDIA_H100", 640, "H100", 8, None, 80.0),
            ("AMD_MI300X", 1536, "MI300X", 8, None, 192.0),
        ] {
            let gpu =
                vm("vcg-x", &format!(r#", "type": "vcg", "gpu_type": "{kind}", "gpu_vram_gb": {total}"#))
                    .unwrap();
            assert!(
                gpu.model.as_deref().unwrap_or_default().starts_with(model),
                "{kind} {total}: {:?}",
                gpu.model
            );
            assert_eq!(
                (gpu.count, gpu.fraction, gpu.vram_gib),
                (count, fraction, Some(vram)),
                "{kind} {total}"
            );
            assert_eq!(gpu.raw_name, kind);
        }
    }

    #[test]
    fn a_plan_without_fields_for_its_cards_names_them_in_its_id() {
        let a40 = vm("vcg-a40-24c-120g-48vram", r#", "type": "vdm""#).unwrap();
        assert_eq!((a40.model.as_deref(), a40.count, a40.vram_gib), (Some("A40"), 1, Some(48.0)));
        let mi325x = vm("vcg-mi325x-252c-2872g-2048vram", r#", "type": "vdm""#).unwrap();
        assert_eq!((mi325x.model.as_deref(), mi325x.count), (Some("MI325X"), 8));
        assert_eq!(vm("vc2-2c-4gb", r#", "type": "vc2""#), None);
    }

    #[test]
    fn bare_metal_names_its_cards_in_its_id_only() {
        let metal = |id: &str| {
            let json = format!(r#"{{"id": "{id}", "type": "NVMe"}}"#);
            of_metal(&serde_json::from_str(&json).unwrap(), id)
        };
        for (id, model, count, vram) in [
            ("vbm-112c-2048gb-8-h100-gpu", "H100", 8, 80.0),
            ("vbm-48c-1024gb-4-a100-gpu", "A100", 4, 80.0),
            ("vbm-112c-2048gb-8-a100-gpu", "A100 80GB", 8, 80.0),
            ("vbm-64c-2048gb-8-l40-gpu", "L40S", 8, 48.0),
            ("vbm-64c-2048gb-l40-gpu", "L40S", 8, 48.0),
            ("vbm-72c-480gb-gh200-gpu", "GH200 96GB", 1, 96.0),
            ("vbm-256c-2048gb-8-mi300x-gpu", "MI300X", 8, 192.0),
        ] {
            let gpu = metal(id).unwrap();
            assert!(gpu.model.as_deref().unwrap_or_default().starts_with(model), "{id}: {:?}", gpu.model);
            assert_eq!((gpu.count, gpu.vram_gib, gpu.raw_name.as_str()), (count, Some(vram), id));
        }
        let unknown = metal("vbm-512c-4096gb-16-q900-gpu").unwrap();
        assert_eq!((unknown.model, unknown.count, unknown.vram_gib), (None, 16, None), "never guessed");
        assert_eq!(unknown.raw_name, "vbm-512c-4096gb-16-q900-gpu");
        assert_eq!(metal("vbm-4c-32gb"), None);
    }
}
