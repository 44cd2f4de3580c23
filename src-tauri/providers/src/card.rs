//! From a provider's spelling of a card to the card part of an offer.

use gpudesk_core::gpu::{self, Hints, Vram};
use gpudesk_core::offer::OfferGpu;

/// Whole cards: `raw_name` as the provider spells it, `machine` its name of the machine, `vram_gib` the memory of one
/// card as it reports it.
pub(crate) fn whole(
    provider: &str,
    raw_name: String,
    machine: &str,
    count: u32,
    vram_gib: Option<f64>,
) -> OfferGpu {
    let hints = Hints { vram_gib, provider: Some(provider), machine: Some(machine), count: Some(count) };
    let card = gpu::resolve(&raw_name, &hints).card();
    let vram_gib = match (card, vram_gib) {
        (Some(card), Some(gib)) => Some(match gpu::nominal_vram(card, gib) {
            Vram::Nominal(gib) | Vram::Listed(gib) | Vram::Contradicts(gib) => gib,
        }),
        (Some(card), None) => card.vram_gib(),
        (None, reported) => reported,
    };
    OfferGpu {
        model: card.map(|card| card.name().to_owned()),
        count,
        fraction: None,
        vram_gib,
        link: None,
        raw_name,
    }
}
