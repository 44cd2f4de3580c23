//! What the names of flavors tell of cards, cloud by cloud. A name that does not fit its cloud's pattern tells nothing.

/// Cards as a name tells them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    /// The card, in the name's own spelling.
    pub card: String,
    /// How many; 1 for a slice of one.
    pub count: u32,
    /// GiB of a slice; `None` for whole cards.
    pub slice_gib: Option<f64>,
}

impl Named {
    fn whole(card: &str, count: &str) -> Option<Self> {
        let count = count.parse().ok().filter(|count| *count > 0)?;
        Some(Self { card: card.to_owned(), count, slice_gib: None })
    }
}

/// A cloud whose names tell nothing.
pub(super) fn none(_name: &str) -> Option<Named> {
    None
}

/// Selectel: `GL3.4-32768-0-1GPU` is line 3 with 4 processors, 32768 MiB, no local disk and one card. Which card a line
/// has is known of two only, from public examples (<https://github.com/selectel/terraform-examples> and their users).
pub(super) fn selectel(name: &str) -> Option<Named> {
    let (line, rest) = name.strip_prefix("GL")?.split_once('.')?;
    let count = rest.rsplit('-').next()?.strip_suffix("GPU")?;
    if line.is_empty() || !line.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match line {
        "3" => Named::whole("Tesla T4", count),
        "8" => Named::whole("A2000 6GB", count),
        _ => Named::whole(&format!("GL{line}"), count),
    }
}

/// VK Cloud: `GPU3-16-112-L40S-1` is category, processors, GB of memory, card and how many of it. In
/// `vGPU-2-8-L4-1Q` the last part is GB of the slice and no number of cards
/// (<https://github.com/vk-cs/docs-public>, `computing/gpu/concepts`).
pub(super) fn vk(name: &str) -> Option<Named> {
    let parts: Vec<&str> = name.split('-').collect();
    let [category, vcpus, ram, card @ .., last] = parts.as_slice() else { return None };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if card.is_empty() || !number(vcpus) || !number(ram) {
        return None;
    }
    let card = card.join("-");
    if category.starts_with("vGPU") {
        let gib: f64 = last.strip_suffix('Q').filter(|gib| number(gib))?.parse().ok()?;
        return (gib > 0.0).then_some(Named { card, count: 1, slice_gib: Some(gib) });
    }
    category.starts_with("GPU").then_some(())?;
    Named::whole(&card, last)
}

/// immers.cloud: `rtx3090-1.8.32.160` is the card, how many, processors, GB of memory and GB of disk.
pub(super) fn immers(name: &str) -> Option<Named> {
    let (card, rest) = name.rsplit_once('-')?;
    let parts: Vec<&str> = rest.split('.').collect();
    let numbers = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    match parts.as_slice() {
        [count, _vcpus, _ram, _disk] if numbers => {
            Named::whole(card.strip_prefix("tesla").unwrap_or(card), count)
        }
        _ => None,
    }
}

/// Families of OVHcloud, GB of memory of the machine that has one card, and the card.
const OVH: [(&str, u32, &str); 10] = [
    ("h200", 240, "H200"),
    ("h100", 380, "H100"),
    ("a100", 180, "A100 80GB"),
    ("l40s", 90, "L40S"),
    ("l4", 90, "L4"),
    ("a10", 45, "A10"),
    ("t1-le", 45, "V100"),
    ("t2-le", 45, "V100S"),
    ("t1", 45, "V100"),
    ("t2", 45, "V100S"),
];

/// OVHcloud: `h100-760` has 760 GB of memory, which is twice what a machine with one card has
/// (<https://github.com/ovh/docs>, `public_cloud/compute`). The number is not that of the card's memory.
pub(super) fn ovh(name: &str) -> Option<Named> {
    let (family, ram) = name.rsplit_once('-')?;
    let ram: u32 = ram.parse().ok()?;
    let (_, base, card) = OVH.iter().find(|(known, _, _)| *known == family)?;
    if ram == 0 || !ram.is_multiple_of(*base) {
        return None;
    }
    Some(Named { card: (*card).to_owned(), count: ram / base, slice_gib: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(named: Option<Named>) -> Option<(String, u32, Option<f64>)> {
        named.map(|named| (named.card, named.count, named.slice_gib))
    }

    fn cards(card: &str, count: u32) -> Option<(String, u32, Option<f64>)> {
        Some((card.to_owned(), count, None))
    }

    #[test]
    fn selectels_lines_tell_how_many_cards_and_sometimes_which() {
        assert_eq!(told(selectel("GL3.4-32768-0-1GPU")), cards("Tesla T4", 1));
        assert_eq!(told(selectel("GL8.8-65536-0-2GPU")), cards("A2000 6GB", 2));
        assert_eq!(told(selectel("GL10.16-131072-0-4GPU")), cards("GL10", 4), "not known: kept as named");
        for other in ["SL1.1-1024", "GL3.4-32768-0-0GPU", "GL.4-1-0-1GPU", "GL3-1GPU", "3021", ""] {
            assert_eq!(selectel(other), None, "{other}");
        }
    }

    #[test]
    fn vks_last_part_counts_cards_or_gigabytes_of_a_slice() {
        for (name, card, count) in [
            ("GPU1-16-48-V100-1", "V100", 1),
            ("GPU2-24-72-V100S-1", "V100S", 1),
            ("GPU1A-32-96-A100-1", "A100", 1),
            ("GPU3-32-192-A100x80-1", "A100x80", 1),
            ("GPU3-32-192-A100x80-sxm4-1", "A100x80-sxm4", 1),
            ("GPU2-64-384-A100x80-2", "A100x80", 2),
            ("GPU2-16-72-L4-1", "L4", 1),
            ("GPU-240-2048-H200-8", "H200", 8),
        ] {
            assert_eq!(told(vk(name)), cards(card, count), "{name}");
        }
        assert_eq!(told(vk("vGPU-2-8-L4-1Q")), Some(("L4".to_owned(), 1, Some(1.0))), "1 GB, not one card");
        assert_eq!(told(vk("vGPU-16-64-L4-24Q")), Some(("L4".to_owned(), 1, Some(24.0))));
        for other in ["STD3-2-8", "GPU1-16-48-1", "GPU1-a-48-V100-1", "GPU1-16-48-V100-x", "vGPU-2-8-L4-1"] {
            assert_eq!(vk(other), None, "{other}");
        }
    }

    #[test]
    fn immers_names_the_card_and_four_numbers() {
        assert_eq!(told(immers("rtx3090-1.8.32.160")), cards("rtx3090", 1));
        assert_eq!(told(immers("teslaa100-1.16.128.160")), cards("a100", 1));
        assert_eq!(told(immers("rtx4090-4.16.32.160")), cards("rtx4090", 4));
        for other in ["cpu.4.8.160", "rtx3090-1.8.32", "rtx3090-one.8.32.160", "rtx3090-0.8.32.160"] {
            assert_eq!(immers(other), None, "{other}");
        }
    }

    #[test]
    fn ovhs_number_is_the_memory_of_the_machine() {
        for (name, card, count) in [
            ("h100-380", "H100", 1),
            ("h100-1520", "H100", 4),
            ("l4-90", "L4", 1),
            ("l40s-180", "L40S", 2),
            ("a100-360", "A100 80GB", 2),
            ("t1-45", "V100", 1),
            ("t1-180", "V100", 4),
            ("t2-le-45", "V100S", 1),
        ] {
            assert_eq!(told(ovh(name)), cards(card, count), "{name}");
        }
        for other in ["b3-8", "h100-720", "h100-0", "win-t1-45", "h100"] {
            assert_eq!(ovh(other), None, "{other}");
        }
    }
}
