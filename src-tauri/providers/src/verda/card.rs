//! The card of a type or an instance.

use gpudesk_core::gpu::{self, Hints, Vram};
use gpudesk_core::offer::OfferGpu;

use super::map::PROVIDER;
use super::wire::{InstanceType, Part};
use crate::http::redact;

/// `8x H100 SXM5 80GB` without its count. Descriptions are renamed without notice (`1x NVIDIA L40S` became
/// `1x L40S 48GB`), so nothing but the words in them counts.
pub(super) fn bare(description: &str) -> String {
    let text = redact::words(description);
    match text.split_once(char::is_whitespace) {
        Some((count, rest)) => match count.strip_suffix(['x', 'X']) {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                rest.trim().to_owned()
            }
            _ => text,
        },
        None => text,
    }
}

/// The card of a type with so many of them. The memory told is that of all cards together.
pub(super) fn card(listed: &InstanceType<'_>, machine: &str, count: u32) -> OfferGpu {
    let gpu: Part<'_> = listed.gpu.object();
    let names = [gpu.description, listed.name, listed.model];
    let raw_name = names
        .into_iter()
        .find_map(|name| name.text().map(|name| bare(&name)).filter(|name| !name.is_empty()));
    let raw_name = raw_name.unwrap_or_else(|| machine.to_owned());
    let memory: Part<'_> = listed.gpu_memory.object();
    let reported = memory.size_in_gigabytes.positive().map(|total| total / f64::from(count));
    let hints =
        Hints { vram_gib: reported, provider: Some(PROVIDER), machine: Some(machine), count: Some(count) };
    let card = gpu::resolve(&raw_name, &hints).card();
    let vram_gib = match (card, reported) {
        (Some(card), Some(gib)) => Some(match gpu::nominal_vram(card, gib) {
            Vram::Nominal(gib) | Vram::Listed(gib) | Vram::Contradicts(gib) => gib,
        }),
        (Some(card), None) => card.vram_gib(),
        (None, reported) => reported,
    };
    // What is soldered stands in the GPU table; between cards in slots the figure says more than the table.
    let soldered = card.and_then(gpu::Card::link).is_some_and(|link| link.nvlink);
    let link = listed.p2p.text().filter(|_| count > 1 && !soldered);
    let link = link.map(|words| format!("{} peer to peer", redact::words(&words)));
    OfferGpu {
        model: card.map(|card| card.name().to_owned()),
        count,
        fraction: None,
        vram_gib,
        link,
        raw_name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_before_a_name_is_no_part_of_it() {
        for (described, name) in [
            ("8x H100 SXM5 80GB", "H100 SXM5 80GB"),
            ("1x NVIDIA L40S", "NVIDIA L40S"),
            ("H100 SXM5", "H100 SXM5"),
            ("x 9", "x 9"),
            ("A6000", "A6000"),
        ] {
            assert_eq!(bare(described), name);
        }
    }

    #[test]
    fn every_spelling_seen_is_a_card_of_the_table() {
        for (described, total_gb, count, model, vram) in [
            ("8x H100 SXM5 80GB", 640, 8, "H100 SXM", 80.0),
            ("1x H100 SXM5 80GB", 80, 1, "H100 SXM", 80.0),
            ("2x H200 SXM5 141GB", 282, 2, "H200 SXM", 141.0),
            ("4x B200 SXM6 180GB", 720, 4, "B200 SXM", 180.0),
            ("1x B300 SXM6 262GB", 262, 1, "B300 SXM", 262.0),
            ("1x B300 SXM6 268GB", 268, 1, "B300 SXM", 288.0),
            ("1x A100 SXM4 40GB", 40, 1, "A100 40GB SXM", 40.0),
            ("8x A100 SXM4 80GB", 640, 8, "A100 80GB SXM", 80.0),
            ("1x L40S 48GB", 48, 1, "L40S", 48.0),
            ("1x NVIDIA L40S", 48, 1, "L40S", 48.0),
            ("1x RTX 6000 Ada 48GB", 48, 1, "RTX 6000 Ada", 48.0),
            ("1x RTX6000 Ada 48GB", 48, 1, "RTX 6000 Ada", 48.0),
            ("1x RTX A6000 48GB", 48, 1, "RTX A6000", 48.0),
            ("1x NVIDIA A6000", 48, 1, "RTX A6000", 48.0),
            ("1x NVIDIA Tesla V100 16GB", 16, 1, "V100", 16.0),
        ] {
            let json = format!(
                r#"{{"gpu": {{"description": "{described}", "number_of_gpus": {count}}}, "gpu_memory": {{"size_in_gigabytes": {total_gb}}}}}"#
            );
            let listed: InstanceType<'_> = serde_json::from_str(&json).unwrap();
            let card = card(&listed, "1X.1V", count);
            let name = card.model.unwrap_or_default();
            assert!(name.starts_with(model), "{described}: {name}");
            assert_eq!((card.vram_gib, card.count), (Some(vram), count), "{described}");
        }
    }

    #[test]
    fn an_unknown_card_is_shown_under_its_own_words() {
        let json = r#"{"gpu": {"description": "1x Q900 500GB"}, "gpu_memory": {"size_in_gigabytes": 500}}"#;
        let listed: InstanceType<'_> = serde_json::from_str(json).unwrap();
        let card = card(&listed, "1Q900.30V", 1);
        assert_eq!((card.model, card.raw_name.as_str(), card.vram_gib), (None, "Q900 500GB", Some(500.0)));
    }
}
