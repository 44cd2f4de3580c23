//! The table against its sources, and every spelling seen in the reference data against the table.

mod spellings;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::*;
use crate::reference::shared;

fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn the_table_reads_whole_and_its_names_are_unique() {
    let lines = include_str!("../../../data/gpus.csv").lines().count() - 1;
    assert_eq!(table().len(), lines);
    assert_eq!(families().len(), include_str!("../../../data/gpu-families.csv").lines().count() - 1);
    let names: BTreeSet<&str> =
        table().iter().map(|m| m.name).chain(families().iter().map(|f| f.name)).collect();
    assert_eq!(names.len(), table().len() + families().len());
    for (index, model) in table().iter().enumerate() {
        assert_eq!(usize::from(model.id.0), index);
        assert!(model.vram_gib > 0.0 && !model.source.is_empty(), "{}", model.name);
    }
}

#[test]
fn every_name_in_a_data_file_is_one_of_the_table() {
    for (text, columns) in [
        (include_str!("../../../data/gpu-families.csv"), &["models"][..]),
        (include_str!("../../../data/gpu-aliases.csv"), &["models", "by_vram"]),
        (include_str!("../../../data/gpu-machines.csv"), &["models"]),
        (include_str!("../../../data/mig-profiles.csv"), &["models"]),
    ] {
        for row in csv::Reader::from_reader(text.as_bytes()).deserialize::<BTreeMap<String, String>>() {
            let row = row.unwrap();
            assert!(!row.contains_key("source") || !row["source"].is_empty(), "{row:?}");
            for column in columns {
                for listed in row[*column].split('|').filter(|listed| !matches!(*listed, "" | "-")) {
                    assert!(model(listed).is_some(), "{listed} in {row:?}");
                }
            }
        }
    }
}

#[test]
fn facts_are_the_vendors() {
    let h100 = model("H100 SXM").unwrap();
    assert_eq!((h100.vram_gib, h100.bandwidth_gb_s, h100.bf16_tflops), (80.0, Some(3350.0), Some(989.0)));
    assert_eq!(h100.link, Some(Link { text: "NVLink 4", gb_s: Some(900.0), nvlink: true }));
    let rtx = model("RTX 4090").unwrap();
    assert_eq!((rtx.vram_gib, rtx.bandwidth_gb_s, rtx.bf16_tflops), (24.0, Some(1008.0), Some(165.2)));
    assert_eq!(rtx.link, Some(Link { text: "PCIe 4 x16", gb_s: None, nvlink: false }));
    let bridged = model("H100 PCIe").unwrap();
    assert_eq!(bridged.link.unwrap().text, "PCIe 5 x16", "a bridge is an option an offer does not prove");
    let v100 = model("V100 16GB SXM").unwrap();
    assert_eq!((v100.bf16_tflops, v100.fp16_tflops), (None, Some(125.0)), "Volta has no BF16");
    assert_eq!(model("GTX 1080").unwrap().fp8_tflops, None);
}

#[test]
fn a_family_knows_only_what_its_candidates_share() {
    let h100 = card("H100").unwrap();
    assert_eq!((h100.vendor(), h100.vram_gib(), h100.link()), (Some("NVIDIA"), None, None));
    let a100 = card("A100 80GB").unwrap();
    assert_eq!((a100.vram_gib(), a100.bf16_tflops(), a100.bandwidth_gb_s()), (Some(80.0), Some(312.0), None));
}

#[test]
fn figures_agree_with_the_reference_table() {
    let Some(data) = shared("data") else { return };
    for row in rows(&data.join("gpus.csv")) {
        let model = model(&row["canonical"]).unwrap_or_else(|| panic!("{}", row["canonical"]));
        let figure = |column: &str| row[column].parse::<f64>().ok();
        assert_eq!(Some(model.vram_gib), figure("memory_gib"), "{}", model.name);
        assert_eq!(model.bandwidth_gb_s, figure("memory_bandwidth_gbs"), "{}", model.name);
        assert_eq!(model.fp16_tflops, figure("fp16_dense_tflops"), "{}", model.name);
        assert_eq!(model.fp8_tflops, figure("fp8_dense_tflops"), "{}", model.name);
        assert_eq!(model.tdp_w, figure("tdp_w"), "{}", model.name);
        assert_eq!(model.mig_slices.map(f64::from), figure("mig_max_slices"), "{}", model.name);
        // What drivers report must still be the nominal card.
        if let Some(mib) = figure("memory_mib_seen") {
            assert!(model.is_nominal(mib / 1024.0), "{} reports {mib} MiB", model.name);
        }
    }
}

#[test]
fn reported_memory_snaps_to_the_nominal_size_or_contradicts() {
    let vram = |name: &str, gib: f64| nominal_vram(card(name).unwrap(), gib);
    assert_eq!(vram("H100 SXM", 81559.0 / 1024.0), Vram::Nominal(80.0));
    assert_eq!(vram("L4", 22888.0 / 1024.0), Vram::Nominal(24.0));
    assert_eq!(vram("L40S", 45776.0 / 1024.0), Vram::Nominal(48.0));
    assert_eq!(vram("B300 SXM", 275_040.0 / 1024.0), Vram::Nominal(288.0));
    assert_eq!(vram("B300 SXM", 262.0), Vram::Listed(262.0));
    assert_eq!(vram("RTX 3080", 20.0), Vram::Listed(20.0));
    assert_eq!(vram("H100", 94.0), Vram::Nominal(94.0));
    assert_eq!(vram("H100", 200.0), Vram::Contradicts(200.0));
    assert_eq!(vram("RTX 4090", 48.0), Vram::Contradicts(48.0));
    assert_eq!(Vram::Contradicts(200.0).gib(), 200.0);
}

#[test]
fn every_meaning_of_an_alias_has_a_name_to_show() {
    for row in csv::Reader::from_reader(include_str!("../../../data/gpu-aliases.csv").as_bytes())
        .deserialize::<BTreeMap<String, String>>()
    {
        let row = row.unwrap();
        let provider = Some(row["provider"].as_str()).filter(|provider| !provider.is_empty());
        for vram_gib in [None, Some(16.0), Some(24.0), Some(40.0), Some(80.0), Some(96.0), Some(1000.0)] {
            let found = resolve(&row["alias"], &Hints { provider, vram_gib, ..Hints::default() });
            assert_ne!(found, Resolution::Unknown, "{row:?} with {vram_gib:?}");
            assert_eq!(found == Resolution::NotGpu, row["models"] == "-", "{row:?}");
        }
    }
}
