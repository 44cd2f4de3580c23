//! Reads the GPU data files that are built into the program. A row that does not read is left out; the tests see to
//! it that none is.

use super::table::{Family, Link, Model, ModelId};
use crate::embedded::rows;

const GPUS: &str = include_str!("../../data/gpus.csv");
const FAMILIES: &str = include_str!("../../data/gpu-families.csv");
const ALIASES: &str = include_str!("../../data/gpu-aliases.csv");
const MACHINES: &str = include_str!("../../data/gpu-machines.csv");
const MIG_PROFILES: &str = include_str!("../../data/mig-profiles.csv");

/// A spelling that the name rules alone do not settle.
pub(super) struct Alias {
    pub text: &'static str,
    /// Only where this provider says it; `None` everywhere.
    pub provider: Option<&'static str>,
    /// The models it can mean; empty for something that is no GPU.
    pub models: Vec<ModelId>,
    /// Models it means only if the memory size says so.
    pub by_vram: Vec<ModelId>,
}

/// What a cloud's machine name says about the cards inside.
pub(super) struct Machine {
    pub cloud: &'static str,
    /// Lower case, `*` for any text.
    pub pattern: &'static str,
    pub models: Vec<ModelId>,
}

/// One MIG profile of some models.
pub(super) struct Profile {
    pub name: &'static str,
    pub models: Vec<ModelId>,
    pub compute_slices: u8,
    pub vram_gib: f64,
    /// How many of it fit on one card.
    pub most: u8,
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn some(text: &'static str) -> Option<&'static str> {
    (!text.is_empty()).then_some(text)
}

pub(super) fn models() -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for row in rows::<18>(GPUS) {
        let [
            name,
            vendor,
            architecture,
            year,
            form_factor,
            vram,
            other_vram,
            memory_type,
            bandwidth,
            link,
            link_gb_s,
            nvlink,
            bf16,
            fp16,
            fp8,
            tdp,
            mig,
            source,
        ] = row;
        let (Some(vram_gib), Ok(index)) = (number(vram), u16::try_from(models.len())) else { continue };
        models.push(Model {
            id: ModelId(index),
            name,
            vendor,
            architecture,
            vram_gib,
            other_vram_gib: other_vram.split('|').filter_map(number).collect(),
            memory_type,
            bandwidth_gb_s: number(bandwidth),
            link: some(link).map(|text| Link { text, gb_s: number(link_gb_s), nvlink: nvlink == "yes" }),
            bf16_tflops: number(bf16),
            fp16_tflops: number(fp16),
            fp8_tflops: number(fp8),
            tdp_w: number(tdp),
            form_factor,
            launch_year: year.parse().ok(),
            mig_slices: mig.parse().ok(),
            source,
        });
    }
    models
}

/// The models named in a `|`-separated list, in table order.
fn named(models: &[Model], list: &str) -> Vec<ModelId> {
    let mut ids: Vec<ModelId> =
        list.split('|').filter_map(|name| models.iter().find(|m| m.name == name)).map(|m| m.id).collect();
    ids.sort_unstable();
    ids
}

pub(super) fn families(models: &[Model]) -> Vec<Family> {
    rows::<3>(FAMILIES)
        .into_iter()
        .map(|[name, list, eight]| Family {
            name,
            members: named(models, list),
            eight_is: named(models, eight).first().copied(),
        })
        .filter(|family| family.members.len() > 1)
        .collect()
}

pub(super) fn aliases(models: &[Model]) -> Vec<Alias> {
    rows::<5>(ALIASES)
        .into_iter()
        .map(|[text, provider, list, by_vram, _source]| Alias {
            text,
            provider: some(provider),
            models: named(models, list),
            by_vram: named(models, by_vram),
        })
        .collect()
}

pub(super) fn machines(models: &[Model]) -> Vec<Machine> {
    rows::<4>(MACHINES)
        .into_iter()
        .map(|[cloud, pattern, list, _source]| Machine { cloud, pattern, models: named(models, list) })
        .collect()
}

pub(super) fn profiles(models: &[Model]) -> Vec<Profile> {
    rows::<6>(MIG_PROFILES)
        .into_iter()
        .filter_map(|[name, list, slices, vram, most, _source]| {
            Some(Profile {
                name,
                models: named(models, list),
                compute_slices: slices.parse().ok()?,
                vram_gib: number(vram)?,
                most: most.parse().ok()?,
            })
        })
        .collect()
}
