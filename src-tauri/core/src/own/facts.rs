//! What was read of a server: cards, slices, links, driver.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::gpu::{self, Hints};

/// A slice that exists on a card (MIG).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostSlice {
    /// Its UUID.
    pub id: String,
    /// Its profile as the driver names it: `1g.10gb`.
    pub profile: String,
}

/// A card of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCard {
    /// Its number on the machine.
    pub index: u32,
    /// What stays the same when numbers change: its UUID, or its address on the bus.
    pub id: String,
    /// `NVIDIA H100 80GB HBM3`.
    pub name: String,
    /// Its memory in MiB; `None` where it did not tell.
    pub memory_mib: Option<u64>,
    /// Whether it is divided into slices. A divided card cannot be had whole.
    pub divided: bool,
    /// The slices there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<HostSlice>,
}

/// What a slice is of its card, by the table of profiles; `None` = the table does not say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SliceShare {
    /// Of the compute (0 < share ≤ 1).
    pub compute: Option<f64>,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// Of memory and its bandwidth: both are cut into the same eighths (or fourths) of a card.
    pub bandwidth: Option<f64>,
}

impl HostCard {
    /// Memory of the whole card in GiB: the nominal size where the reported one is within 7 % of it.
    #[must_use]
    pub fn memory_gib(&self) -> Option<f64> {
        let reported =
            self.memory_mib.and_then(|mib| u32::try_from(mib).ok()).map(|mib| f64::from(mib) / 1024.0);
        let hints = Hints { vram_gib: reported, ..Hints::default() };
        match (gpu::resolve(&self.name, &hints).card(), reported) {
            (Some(card), Some(gib)) => Some(gpu::nominal_vram(card, gib).gib()),
            (Some(card), None) => card.vram_gib(),
            (None, reported) => reported,
        }
    }

    /// What a slice is of this card.
    #[must_use]
    pub fn share(&self, slice: &HostSlice) -> SliceShare {
        // Media extensions and the like (`1g.10gb+me`) change neither compute nor memory.
        let bare = slice.profile.split('+').next().unwrap_or(&slice.profile);
        let said = gpu::slice(&format!("{} MIG {bare}", self.name));
        let memory_gib = said.as_ref().and_then(|slice| slice.vram_gib);
        let eighths =
            memory_gib.zip(self.memory_gib()).map(|(slice, card)| (slice / card * 8.0).round() / 8.0);
        SliceShare {
            compute: said.and_then(|slice| slice.share),
            memory_gib,
            bandwidth: eighths.filter(|share| *share > 0.0 && *share <= 1.0),
        }
    }
}

/// Where a server's name in the person's SSH configuration leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostAddress {
    /// Address or DNS name.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// User.
    pub user: String,
}

/// Everything that was read of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostFacts {
    /// Its cards, by number.
    pub cards: Vec<HostCard>,
    /// Pairs of cards (by number) with a direct link and the number of its strands; `None` = the links were not told.
    pub links: Option<BTreeSet<(u32, u32, u32)>>,
    /// Driver version.
    pub driver: Option<String>,
    /// Highest CUDA version the driver supports.
    pub cuda: Option<String>,
    /// Processors.
    pub cores: Option<u32>,
    /// Memory of the machine, GiB.
    pub ram_gib: Option<f64>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<HostAddress>,
}

impl HostFacts {
    /// Whether two cards have a direct link.
    #[must_use]
    pub fn linked(&self, a: u32, b: u32) -> bool {
        let pair = (a.min(b), a.max(b));
        self.links.iter().flatten().any(|(a, b, _)| (*a, *b) == pair)
    }

    /// Whether each of these cards has a direct link to each other one; `None` = not told, or nothing to link.
    #[must_use]
    pub fn all_linked(&self, cards: &[u32]) -> Option<bool> {
        self.links.as_ref()?;
        let pairs = || cards.iter().flat_map(|a| cards.iter().filter(move |b| a < b).map(move |b| (*a, *b)));
        pairs().next()?;
        Some(pairs().all(|(a, b)| self.linked(a, b)))
    }

    /// The links of the whole server in a word: `NVLink`, `NVLink between some`, `PCIe`; `None` = not told.
    #[must_use]
    pub fn links_in_words(&self) -> Option<&'static str> {
        let all: Vec<u32> = self.cards.iter().map(|card| card.index).collect();
        let nvidia = self.cards.iter().all(|card| !card.name.contains("AMD"));
        match (self.all_linked(&all)?, self.links.as_ref().is_some_and(|links| !links.is_empty()), nvidia) {
            (true, _, true) => Some("NVLink"),
            (true, _, false) => Some("Infinity Fabric"),
            (false, true, true) => Some("NVLink between some"),
            (false, true, false) => Some("Infinity Fabric between some"),
            (false, false, _) => Some("PCIe"),
        }
    }
}
