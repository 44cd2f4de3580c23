//! The cards of a flavor. Nova has no field for them: they are read from the extra specs of the flavor, from its name
//! where the cloud's names follow a pattern, or they are not known, which is not “one”.

use std::collections::BTreeMap;

use gpudesk_core::gpu::{self, Hints};
use gpudesk_core::offer::OfferGpu;

use super::names::Named;
use super::profile::Profile;
use super::wire::Flavor;
use crate::card;
use crate::http::{Literal, redact};

/// What a flavor tells.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cards {
    /// No card at all.
    None,
    /// These.
    Some(Named),
    /// There are some, and what is missing to name them.
    Unclear(String),
}

/// Prefixes of resource classes and traits before the name of a card.
const PREFIXES: [&str; 5] = ["CUSTOM_", "PCI_", "GPU_", "VGPU_", "NVIDIA_"];

/// The cards of a flavor of this name.
pub(super) fn of(profile: &Profile, name: &str, flavor: &Flavor<'_>) -> Cards {
    let specs: BTreeMap<String, Literal<'_>> = flavor.extra_specs.object();
    let named = (profile.cards)(name);
    let told = match from_specs(&specs) {
        Ok(told) => told,
        Err(words) => return Cards::Unclear(words),
    };
    match (told, named) {
        // The specs count; a name that is made for people often knows the card better than an operator's alias.
        (Some(told), Some(named)) => {
            let card = if known(&told.card) { told.card } else { named.card };
            Cards::Some(Named { card, count: told.count, slice_gib: named.slice_gib })
        }
        (Some(told), None) => Cards::Some(told),
        (None, Some(named)) => Cards::Some(named),
        (None, None) => match mentioned(name) {
            Some(card) => {
                Cards::Unclear(format!("the name speaks of {card}, and nothing says how many it has"))
            }
            None => Cards::None,
        },
    }
}

fn known(card: &str) -> bool {
    gpu::resolve(card, &Hints::default()).card().is_some()
}

/// A word as the spelling of a card: as it stands, or with the unit behind the size (`a100-80`).
fn spelled(word: &str) -> Option<String> {
    let sized = || format!("{word}GB");
    let has_size =
        word.rsplit_once(['-', '_']).is_some_and(|(_, size)| size.bytes().all(|byte| byte.is_ascii_digit()));
    match known(word) {
        true => Some(word.to_owned()),
        false => Some(sized()).filter(|sized| has_size && known(sized)),
    }
}

/// The card a word stands for, behind what operators put before it.
fn bare(word: &str) -> &str {
    let mut bare = word;
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| {
        let head = bare.get(..prefix.len())?;
        head.eq_ignore_ascii_case(prefix).then(|| &bare[prefix.len()..])
    }) {
        if known(bare) || rest.is_empty() {
            break;
        }
        bare = rest;
    }
    bare
}

fn speaks_of_cards(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["gpu", "nvidia", "cuda", "pci_10de"].iter().any(|part| word.contains(part))
}

/// `pci_passthrough:alias` = `h100:2`, `resources:VGPU` = `1`, `resources:CUSTOM_GPU_H100_80GB` = `1`, with
/// `trait:CUSTOM_NVIDIA_H100` = `required` beside it.
fn from_specs(specs: &BTreeMap<String, Literal<'_>>) -> Result<Option<Named>, String> {
    let mut found: Vec<Named> = Vec::new();
    let mut add = |card: &str, count: &str| {
        let card = redact::words(card);
        match count.trim().parse().ok().filter(|count| (1..=256).contains(count)) {
            Some(count) => {
                found.push(Named { card, count, slice_gib: None });
                Ok(())
            }
            None => Err(format!("“{}” of {card} is no number of cards", redact::words(count))),
        }
    };
    let trait_card = specs.keys().find_map(|key| spelled(bare(key.strip_prefix("trait:")?)));
    for (key, value) in specs {
        let value = value.text().unwrap_or_default();
        if key == "pci_passthrough:alias" {
            for part in value.split(',') {
                let (alias, count) = part.trim().split_once(':').unwrap_or((part.trim(), "1"));
                match spelled(bare(alias)) {
                    Some(card) => add(&card, count)?,
                    None if speaks_of_cards(alias) => add(alias, count)?,
                    None => {}
                }
            }
        } else if let Some((group, class)) = key.split_once(':')
            && group.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_') == "resources"
        {
            let card = spelled(bare(class)).filter(|_| class.starts_with("CUSTOM_"));
            let is_card = card.is_some() || matches!(class, "VGPU" | "PGPU");
            if is_card || (class.starts_with("CUSTOM_") && speaks_of_cards(class)) {
                let card = card.or_else(|| trait_card.clone());
                add(card.as_deref().unwrap_or(bare(class)), &value)?;
            }
        }
    }
    let mut all = found.into_iter();
    let Some(first) = all.next() else { return Ok(None) };
    match all.find(|other| other.card != first.card) {
        Some(other) => Err(format!("cards of two kinds: {} and {}", first.card, other.card)),
        // Asked for twice, by an alias and by a resource: the same cards.
        None => Ok(Some(first)),
    }
}

/// A card that the name of a flavor mentions, in a cloud whose names follow no known pattern.
fn mentioned(name: &str) -> Option<&str> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| word.len() >= 2 && word.bytes().any(|byte| byte.is_ascii_digit())).find(|word| {
        let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        // `m4000` is a size of machine as well as an old card.
        (letters > 0 && known(word) && !word.to_ascii_lowercase().starts_with('m'))
            || word.to_ascii_lowercase().starts_with("gpu")
    })
}

/// The cards as an offer has them.
pub(super) fn offered(provider: &str, flavor: &str, cards: &Named) -> OfferGpu {
    let Some(gib) = cards.slice_gib else {
        return card::whole(provider, cards.card.clone(), flavor, cards.count, None);
    };
    let whole = card::whole(provider, cards.card.clone(), flavor, 1, None);
    let share = whole.vram_gib.filter(|all| *all > 0.0).map(|all| gib / all).filter(|share| *share <= 1.0);
    OfferGpu { fraction: share, vram_gib: Some(gib), ..whole }
}

#[cfg(test)]
mod tests {
    use super::super::profile::{IMMERS, OPENSTACK, OVH, SELECTEL, VK};
    use super::*;

    fn cards(profile: &Profile, json: &str) -> Cards {
        let flavor: Flavor<'_> = serde_json::from_str(json).unwrap();
        let name = flavor.name.text().unwrap().into_owned();
        of(profile, &name, &flavor)
    }

    fn some(card: &str, count: u32) -> Cards {
        Cards::Some(Named { card: card.to_owned(), count, slice_gib: None })
    }

    #[test]
    fn extra_specs_tell_cards_in_several_ways() {
        for (specs, told) in [
            (r#"{"pci_passthrough:alias": "h100:2"}"#, some("h100", 2)),
            (r#"{"pci_passthrough:alias": "nic-sriov:1,a100-80:4"}"#, some("a100-80GB", 4)),
            (r#"{"pci_passthrough:alias": "gpu:1"}"#, some("gpu", 1)),
            (r#"{"pci_passthrough:alias": "nic:2"}"#, Cards::None),
            (
                r#"{"resources:CUSTOM_GPU_H100_80GB": "2", "trait:CUSTOM_NVIDIA_H100": "required"}"#,
                some("GPU_H100_80GB", 2),
            ),
            (
                r#"{"resources:CUSTOM_PCI_10DE_2330": "1", "trait:CUSTOM_NVIDIA_H100": "required"}"#,
                some("NVIDIA_H100", 1),
            ),
            (r#"{"resources1:VGPU": "1", "trait1:X": "required"}"#, some("VGPU", 1)),
            (r#"{"resources:VGPU": "1", "trait:CUSTOM_L4": "required"}"#, some("L4", 1)),
            (r#"{"resources:CUSTOM_BAREMETAL": "1"}"#, Cards::None),
            (r#"{"resources:VCPU": "0"}"#, Cards::None),
            (r#"{}"#, Cards::None),
        ] {
            let json = format!(r#"{{"name": "big", "extra_specs": {specs}}}"#);
            assert_eq!(cards(&OPENSTACK, &json), told, "{specs}");
        }
        let unclear = |specs: &str| {
            matches!(
                cards(&OPENSTACK, &format!(r#"{{"name": "big", "extra_specs": {specs}}}"#)),
                Cards::Unclear(_)
            )
        };
        assert!(unclear(r#"{"pci_passthrough:alias": "h100:many"}"#));
        assert!(unclear(r#"{"pci_passthrough:alias": "h100:1,l4:1"}"#), "of two kinds");
    }

    #[test]
    fn without_extra_specs_a_name_alone_never_means_one_card() {
        assert!(matches!(cards(&OPENSTACK, r#"{"name": "gpu-h100-2"}"#), Cards::Unclear(_)));
        assert!(matches!(
            cards(&OPENSTACK, r#"{"name": "a100.large", "extra_specs": null}"#),
            Cards::Unclear(_)
        ));
        for plain in ["m1.small", "SL1.1-1024", "b3-8", "c2-medium", "m4000.large", "3021"] {
            let told = cards(&OPENSTACK, &format!(r#"{{"name": "{plain}"}}"#));
            assert_eq!(told, Cards::None, "{plain}");
        }
    }

    #[test]
    fn name_and_specs_complete_each_other() {
        let both = r#"{"name": "GL3.4-32768-0-2GPU", "extra_specs": {"pci_passthrough:alias": "gpu:2"}}"#;
        assert_eq!(
            cards(&SELECTEL, both),
            some("Tesla T4", 2),
            "an alias of the operator's own names nothing"
        );
        let exact = r#"{"name": "GL10.4-32768-0-2GPU", "extra_specs": {"pci_passthrough:alias": "a30:2"}}"#;
        assert_eq!(cards(&SELECTEL, exact), some("a30", 2));
        assert_eq!(cards(&OVH, r#"{"name": "b3-8"}"#), Cards::None);
    }

    #[test]
    fn every_spelling_of_the_clouds_finds_its_card() {
        for (profile, name, model, vram) in [
            (&VK, "GPU1-16-48-V100-1", "V100 16GB", Some(16.0)),
            (&VK, "GPU2-24-72-V100S-1", "V100S 32GB PCIe", Some(32.0)),
            (&VK, "GPU1A-32-96-A100-1", "A100 40GB", Some(40.0)),
            (&VK, "GPU3-32-192-A100x80-1", "A100 80GB", Some(80.0)),
            (&VK, "GPU3-32-192-A100x80-sxm4-1", "A100 80GB SXM", Some(80.0)),
            (&VK, "GPU2-16-72-L4-1", "L4", Some(24.0)),
            (&VK, "GPU3-16-112-L40S-1", "L40S", Some(48.0)),
            (&VK, "GPU2-12-112-A30-1", "A30", Some(24.0)),
            (&VK, "GPU-44-256-H200-1", "H200", Some(141.0)),
            (&IMMERS, "rtx3090-1.8.32.160", "RTX 3090", Some(24.0)),
            (&IMMERS, "rtx4090-4.16.32.160", "RTX 4090", Some(24.0)),
            (&IMMERS, "teslat4-1.8.32.80", "T4", Some(16.0)),
            (&IMMERS, "teslaa100-1.16.128.160", "A100", None),
            (&SELECTEL, "GL3.4-32768-0-1GPU", "T4", Some(16.0)),
            (&SELECTEL, "GL8.8-65536-0-1GPU", "RTX A2000 6GB", Some(6.0)),
            (&OVH, "h100-380", "H100", None),
            (&OVH, "a100-180", "A100 80GB", Some(80.0)),
            (&OVH, "l4-90", "L4", Some(24.0)),
            (&OVH, "l40s-90", "L40S", Some(48.0)),
            (&OVH, "t1-45", "V100 16GB", Some(16.0)),
            (&OVH, "t2-le-45", "V100S 32GB PCIe", Some(32.0)),
        ] {
            let named = (profile.cards)(name).unwrap();
            let gpu = offered(profile.provider, name, &named);
            assert_eq!((gpu.model.as_deref(), gpu.vram_gib), (Some(model), vram), "{name}: {gpu:?}");
        }
    }

    #[test]
    fn a_slice_has_its_own_memory_and_its_share_of_the_card() {
        let gpu = offered("vk", "vGPU-2-8-L4-1Q", &(VK.cards)("vGPU-2-8-L4-1Q").unwrap());
        assert_eq!((gpu.count, gpu.vram_gib, gpu.fraction), (1, Some(1.0), Some(1.0 / 24.0)));
        assert_eq!(gpu.model.as_deref(), Some("L4"));
    }
}
