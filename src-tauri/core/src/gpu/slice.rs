//! Slices of a card: MIG profiles.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::data::{self, Profile};
use super::resolve::{Hints, resolve};
use super::table::{self, Card};

/// A part of one card.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The profile's name (`1g.24gb`), or the size alone (`24gb`) where the name gives no more and no profile fits.
    pub profile: String,
    /// Share of the card's compute slices (0 < share ≤ 1), where the card and the profile are known.
    pub share: Option<f64>,
    /// Memory of the slice in GiB.
    pub vram_gib: Option<f64>,
}

/// The slice a raw GPU name speaks of (`… MIG 1g.24gb`, `PRO 6000 MIG 24GB`); `None` for a whole card.
#[must_use]
pub fn slice(raw: &str) -> Option<Slice> {
    let lower = raw.to_ascii_lowercase();
    let said = lower
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '(' | ')' | ','))
        .skip_while(|word| *word != "mig")
        .nth(1)?;
    let (slices, size) = match said.split_once("g.") {
        Some((slices, size)) => (Some(slices.parse::<u8>().ok()?), size),
        None => (None, said),
    };
    let vram_gib: f64 =
        size.strip_suffix("gb").or_else(|| size.strip_suffix('g')).unwrap_or(size).parse().ok()?;
    let card = resolve(raw, &Hints::default()).card();
    let known = card.and_then(|card| {
        profiles().iter().find(|profile| {
            (profile.vram_gib - vram_gib).abs() < 0.5
                && slices.is_none_or(|slices| slices == profile.compute_slices)
                && card.ids().iter().all(|id| profile.models.contains(id))
        })
    });
    let of = card.and_then(|card| card.shared(|model| model.mig_slices)).filter(|most| *most > 0);
    Some(Slice {
        profile: known.map_or_else(|| said.to_owned(), |profile| profile.name.to_owned()),
        share: known.zip(of).map(|(profile, most)| f64::from(profile.compute_slices) / f64::from(most)),
        vram_gib: Some(vram_gib),
    })
}

/// A profile of a card, and what fits beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// `1g.10gb`.
    pub profile: &'static str,
    /// Memory of it, GiB.
    pub vram_gib: f64,
    /// Share of the card's compute slices.
    pub compute_share: f64,
    /// Share of the card's memory, and with it of its bandwidth.
    pub memory_share: f64,
    /// How many of it fit on one card.
    pub per_card: u8,
    /// The largest profile that still fits beside one of it; `None` where none does.
    pub beside: Option<&'static str>,
}

impl Layout {
    /// Share of the card's cost that one slice costs: the larger of its two shares, since whoever has it keeps that much
    /// of the card from everybody else. It is rounded to six digits, as that of a slice which exists.
    #[must_use]
    pub fn cost_share(&self) -> f64 {
        (self.compute_share.max(self.memory_share) * 1e6).round() / 1e6
    }
}

/// Memory of a slice that work can use: `1g.10gb` gives about 9.5 GB (gpustack issue 6054).
const USABLE: f64 = 0.95;

/// The smallest MIG profile of a card in which so much memory is left for work; `None` where the card has no MIG, the
/// variant is not said, or only the whole card is large enough.
#[must_use]
pub fn smallest_slice(card: Card, needs_gib: f64) -> Option<Layout> {
    let slices = card.shared(|model| model.mig_slices).filter(|slices| *slices > 0)?;
    let whole_gib = card.vram_gib()?;
    let of_card = || {
        profiles().iter().filter(|profile| {
            profile.compute_slices < slices && card.ids().iter().all(|id| profile.models.contains(id))
        })
    };
    let size = |profile: &&Profile| (profile.vram_gib, f64::from(profile.compute_slices));
    let smaller = |a: &&Profile, b: &&Profile| size(a).partial_cmp(&size(b)).unwrap_or(Ordering::Equal);
    let found = of_card().filter(|profile| profile.vram_gib * USABLE >= needs_gib).min_by(smaller)?;
    let beside = of_card()
        .filter(|other| {
            other.compute_slices + found.compute_slices <= slices
                && other.vram_gib + found.vram_gib <= whole_gib
        })
        .max_by(smaller);
    Some(Layout {
        profile: found.name,
        vram_gib: found.vram_gib,
        compute_share: f64::from(found.compute_slices) / f64::from(slices),
        memory_share: found.vram_gib / whole_gib,
        per_card: found.most,
        beside: beside.map(|profile| profile.name),
    })
}

/// The card in a virtual one's name as its driver says it: `A100` in `GRID A100D-4C`, `L4` in `NVIDIA L4-3Q`; `None`
/// for any other name. The part after the hyphen is the memory in GB and the kind of work it is licensed for; letters
/// after the card's number tell its board (<https://docs.nvidia.com/vgpu/latest/grid-vgpu-user-guide/>).
#[must_use]
pub fn card_of_virtual(raw: &str) -> Option<&str> {
    let (card, profile) = raw.trim().rsplit_once('-')?;
    let size = profile.strip_suffix(['A', 'B', 'C', 'Q'])?;
    if size.is_empty() || size.len() > 3 || !size.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let card = card.strip_prefix("GRID ").or_else(|| card.strip_prefix("NVIDIA ")).unwrap_or(card);
    let is_known = |name: &str| resolve(name, &Hints::default()).card().is_some();
    let bare = card.trim_end_matches(|c: char| c.is_ascii_uppercase());
    [card, bare].into_iter().find(|name| !name.is_empty() && is_known(name))
}

fn profiles() -> &'static [Profile] {
    static PROFILES: OnceLock<Vec<Profile>> = OnceLock::new();
    PROFILES.get_or_init(|| data::profiles(table::table()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_card_names_the_one_it_is_a_part_of() {
        for (raw, card) in [
            ("GRID A100D-4C", Some("A100")),
            ("NVIDIA L4-3Q", Some("L4")),
            ("NVIDIA A16-2B", Some("A16")),
            ("NVIDIA L40S-48Q", Some("L40S")),
            ("NVIDIA L4", None),
            ("NVIDIA A100-SXM4-80GB", None),
            ("NVIDIA A100-PCIE-40GB MIG 1g.5gb", None),
            ("Unheard-4C", None),
            ("-4C", None),
            ("L4-Q", None),
        ] {
            assert_eq!(card_of_virtual(raw), card, "{raw}");
        }
    }

    #[test]
    fn a_mig_name_gives_profile_share_and_memory() {
        let quarter = slice("NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb").unwrap();
        assert_eq!(
            (quarter.profile.as_str(), quarter.share, quarter.vram_gib),
            ("1g.24gb", Some(0.25), Some(24.0))
        );
        let half = slice("PRO 6000 MIG 48GB").unwrap();
        assert_eq!((half.profile.as_str(), half.share), ("2g.48gb", Some(0.5)));
        let seventh = slice("A100 80GB MIG 1g.10gb").unwrap();
        assert_eq!(seventh.share, Some(1.0 / 7.0));
    }

    /// By NVIDIA's table: seven 1g.10gb on an H100 of 80 GB; beside one of them six of seven compute slices and 70 GB are
    /// left, enough for 4g.40gb.
    #[test]
    fn the_smallest_profile_is_found_with_what_fits_beside_it() {
        let h100 = table::card("H100 SXM").unwrap();
        let small = smallest_slice(h100, 8.0).unwrap();
        assert_eq!((small.profile, small.per_card, small.beside), ("1g.10gb", 7, Some("4g.40gb")));
        assert_eq!((small.compute_share, small.memory_share), (1.0 / 7.0, 0.125));
        let more = smallest_slice(h100, 9.6).unwrap();
        assert_eq!((more.profile, more.per_card), ("1g.20gb", 4));
        let half = smallest_slice(h100, 30.0).unwrap();
        assert_eq!((half.profile, half.beside), ("3g.40gb", Some("4g.40gb")));
        assert_eq!(smallest_slice(h100, 39.0), None, "only the whole card is left");
        assert_eq!(smallest_slice(table::card("RTX 4090").unwrap(), 8.0), None, "it has no MIG");
    }

    #[test]
    fn whole_cards_and_unknown_profiles_give_no_share() {
        assert_eq!(slice("NVIDIA H100 80GB HBM3"), None);
        assert_eq!(slice("H100 SXM MIG"), None);
        assert_eq!(slice("H100 SXM MIG 5g.55gb").unwrap().share, None);
        assert_eq!(slice("Mystery MIG 1g.24gb").unwrap().share, None);
    }
}
