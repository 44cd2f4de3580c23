//! All 26 files of the collection in `../shared/data/skypilot-catalog`, whole. The expected numbers were counted from
//! the files themselves by another program.

use std::collections::{BTreeMap, HashSet};

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::{Form, PriceKind, SupplyState};
use gpudesk_core::place;
use gpudesk_providers::catalogue::{ToRead, import};

use crate::support::{model, now, shared};

/// File, rows, rows with offers, rows that are no GPU, rows set aside, offers.
const EXPECTED: [(&str, u64, u64, u64, usize, usize); 26] = [
    ("aws", 1862, 1817, 44, 1, 3602),
    ("azure", 187, 183, 0, 4, 355),
    ("cudo", 69, 69, 0, 0, 69),
    ("do", 2, 2, 0, 0, 2),
    ("fluidstack", 14, 14, 0, 0, 14),
    ("gcp", 2440, 1451, 517, 472, 3181),
    ("hyperbolic", 3, 3, 0, 0, 3),
    ("hyperstack", 25, 25, 0, 0, 25),
    ("ibm", 27, 27, 0, 0, 27),
    ("jarvislabs", 16, 16, 0, 0, 16),
    ("lambda", 374, 374, 0, 0, 374),
    ("lium", 40, 40, 0, 0, 40),
    ("mithril", 4, 4, 0, 0, 4),
    ("nebius", 21, 21, 0, 0, 29),
    ("oci", 451, 451, 0, 0, 451),
    ("ovhcloud", 42, 42, 0, 0, 42),
    ("paperspace", 14, 14, 0, 0, 14),
    ("primeintellect", 115, 115, 0, 0, 115),
    ("runpod", 1050, 1008, 0, 42, 2016),
    ("runpod-v5", 480, 480, 0, 0, 640),
    ("scaleway", 5, 5, 0, 0, 5),
    ("scp", 12, 12, 0, 0, 12),
    ("shadeform", 259, 259, 0, 0, 259),
    ("vast", 63, 63, 0, 0, 63),
    ("verda", 45, 45, 0, 0, 83),
    ("yotta", 8, 8, 0, 0, 8),
];

#[test]
fn every_row_of_every_file_is_an_offer_no_gpu_or_set_aside_with_a_reason() {
    let Some(folder) = shared("data/skypilot-catalog") else { return };
    let mut found = BTreeMap::new();
    let mut ids = HashSet::new();
    let mut reasons: BTreeMap<ReasonCode, usize> = BTreeMap::new();
    for imported in import(&[folder], now()).map(ToRead::read) {
        let stem = imported.path.file_stem().unwrap().to_string_lossy().into_owned();
        let fetched = imported.result.unwrap();
        for row in &fetched.quarantined {
            *reasons.entry(row.reason.code).or_default() += 1;
            assert!(row.origin.starts_with(&format!("{stem}.csv line ")), "{}", row.origin);
            assert!(!row.reason.detail.is_empty());
        }
        for offer in &fetched.offers {
            assert!(ids.insert(offer.id.clone()), "{} stands twice", offer.id);
            assert_eq!(offer.supply.state, SupplyState::Unknown, "a list is no stock: {}", offer.id);
            assert!(offer.gpu.model.is_some(), "{}", offer.gpu.raw_name);
            assert_eq!(offer.place.seller.as_deref(), place::seller(&offer.provider), "{}", offer.provider);
        }
        assert!(fetched.as_of <= now());
        let quarantined = fetched.quarantined.len();
        let counts =
            (fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu, quarantined, fetched.offers.len());
        assert_eq!(fetched.rows_read, fetched.rows_used + fetched.rows_not_gpu + quarantined as u64);
        found.insert(stem, counts);
    }
    let expected: BTreeMap<_, _> = EXPECTED
        .into_iter()
        .map(|(stem, read, used, not_gpu, quarantined, offers)| {
            (stem.to_owned(), (read, used, not_gpu, quarantined, offers))
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(found.values().map(|counts| counts.0).sum::<u64>(), 7628);
    assert_eq!(
        reasons.into_iter().collect::<Vec<_>>(),
        [
            // p5e.48xlarge of AWS, four sizes of Azure's NVas_v4 in westus.
            (ReasonCode::PriceMissing, 5),
            // TPU v6e slices at 0.0, the 8 that stand twice included.
            (ReasonCode::PriceImpossible, 48),
            // 137 lines of gcp.csv repeat another one, 8 of them at 0.0; RunPod's EU-SE-1 stands under NO and SE.
            (ReasonCode::Duplicate, 129 + 42),
            // N1 accelerators (P100, P4, T4, V100), and A100 × 16 and H100 × 8 in zones without their machines.
            (ReasonCode::IncompletePrice, 36 + 48 + 150 + 44 + 11 + 6),
        ]
    );
}

/// Every row is dear or cheap within reason, of a card with the memory it should have, in a country where one is
/// known: what the rules for impossible rows look at.
#[test]
fn no_real_row_is_taken_for_an_impossible_one() {
    let Some(folder) = shared("data/skypilot-catalog") else { return };
    let doubtful: Vec<_> = import(&[folder], now())
        .map(ToRead::read)
        .flat_map(|imported| imported.result.unwrap().quarantined)
        .filter(|row| {
            matches!(
                row.reason.code,
                ReasonCode::PriceAbsurd | ReasonCode::VramContradictsModel | ReasonCode::CountImpossible
            )
        })
        .collect();
    assert_eq!(doubtful, []);
}

#[test]
fn lines_that_look_alike_are_told_apart_and_tpu_slices_are_clusters() {
    let Some(folder) = shared("data/skypilot-catalog") else { return };
    let files = ["vast.csv", "gcp.csv"].map(|file| folder.join(file));
    let offers: Vec<_> = import(&files, now()).flat_map(|file| file.read().result.unwrap().offers).collect();
    let hong_kong = |id: &str| offers.iter().any(|offer| offer.id == id);
    // A 4090 of 24 GB in Germany, one with its memory doubled in Hong Kong.
    assert!(hong_kong("vast:1x-rtx_4090-32-65536-x1-germany-de-eu-24g-on-demand"));
    assert!(hong_kong("vast:1x-rtx_4090-32-65536-x1-hong-kong-hk-as-48g-on-demand"));
    let slice =
        offers.iter().find(|offer| offer.name == "tpu-v5p-12288" && offer.price.kind == PriceKind::OnDemand);
    let slice = slice.unwrap();
    assert_eq!((slice.gpu.count, slice.form, model(slice)), (6144, Form::Cluster, "TPU v5p"));
}
