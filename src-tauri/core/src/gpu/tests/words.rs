//! What the words of the query line select.

use super::super::*;

fn selected(word: &str) -> Vec<&'static str> {
    search_word(word).map_or_else(Vec::new, |s| s.models.iter().map(|id| by_id(*id).unwrap().name).collect())
}

#[test]
fn a_query_word_selects_its_cards() {
    assert_eq!(selected("h100"), ["H100 SXM", "H100 PCIe", "H100 NVL"]);
    assert_eq!(selected("H100-SXM"), ["H100 SXM"]);
    assert_eq!(selected("a100").len(), 4);
    assert_eq!(selected("a100-80"), ["A100 80GB SXM", "A100 80GB PCIe"]);
    assert_eq!(selected("a100-80gb"), ["A100 80GB SXM", "A100 80GB PCIe"]);
    assert_eq!(selected("4090"), ["RTX 4090", "RTX 4090 48GB (modified)"]);
    assert_eq!(selected("rtx4090"), selected("4090"));
    assert_eq!(selected("4090d"), ["RTX 4090 D"]);
    assert_eq!(selected("1080ti"), ["GTX 1080 Ti"]);
    assert_eq!(selected("mi300x"), ["MI300X"]);
    assert_eq!(selected("mi300"), ["MI300A", "MI300X"]);
    assert_eq!(selected("b200"), ["B200 SXM"]);
    assert_eq!(selected("l4"), ["L4"]);
    assert_eq!(selected("l40"), ["L40"]);
    assert_eq!(selected("rtx pro 6000").len(), 3);
    assert_eq!(selected("rtxpro6000"), selected("rtx pro 6000"));
    assert!(selected("v100").contains(&"V100 16GB FHHL"));
    assert_eq!(selected("nvidia-h100"), selected("h100"));
}

#[test]
fn a_selection_matches_families_only_as_a_whole() {
    let h100 = search_word("h100").unwrap();
    assert_eq!(h100.name, "H100");
    assert!(h100.matches("H100") && h100.matches("H100 NVL"));
    assert!(!h100.matches("H200") && !h100.matches("A100"));
    let sxm = search_word("h100-sxm").unwrap();
    assert!(sxm.matches("H100 SXM") && !sxm.matches("H100"), "an H100 of unknown form may be another");
    assert!(search_word("a100").unwrap().matches("A100 80GB"));
}

#[test]
fn other_words_select_nothing() {
    for word in [
        "",
        "x8",
        "spot",
        "nvlink",
        "vram>=80",
        "country:de",
        "price<3",
        "instock",
        "zone:eea",
        "h1",
        "nvidia",
        "gpu",
        "n/a",
        "cpu",
        "80gb",
    ] {
        assert_eq!(search_word(word), None, "{word}");
    }
}

#[test]
fn a_mistyped_card_gets_its_neighbour() {
    assert_eq!(nearest("h10"), Some("h100"));
    assert_eq!(nearest("h1000"), Some("h100"));
    assert_eq!(nearest("4900"), Some("rtx-4090"));
    assert_eq!(nearest("mi30x"), Some("mi300x"));
    assert_eq!(nearest("rtx409o"), Some("rtx-4090"));
    assert_eq!(nearest("umbrella"), None);
    assert_eq!(nearest(""), None);
    for known in ["h100", "rtx-4090", "mi300x", "rtx-pro-6000", "a100-80gb-sxm"] {
        assert!(search_word(known).is_some());
        assert_eq!(nearest(known), Some(known));
    }
}
