//! The cards themselves, and the families that hold the variants of one name together.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::data;

/// How far a reported memory size may be from the nominal one and still mean the same card (share of the nominal).
pub const VRAM_TOLERANCE: f64 = 0.07;

/// How far a reported size may be from one of the card's other known sizes (share of that size).
const OTHER_SIZE_TOLERANCE: f64 = 0.03;

/// Dense index of a model in [`table`]: small enough for a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub u16);

/// How the cards of one box talk to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// As shown to people: `NVLink 4`, `PCIe 4 x16`.
    pub text: &'static str,
    /// GB/s of one card, both directions together; `None` where the vendor gives no such figure.
    pub gb_s: Option<f64>,
    /// NVLink is certain: soldered or part of the product, not an optional bridge.
    pub nvlink: bool,
}

/// One row of the GPU table. Figures the sources do not give are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its index in [`table`].
    pub id: ModelId,
    /// Canonical name: `H100 SXM`, `RTX 4090`.
    pub name: &'static str,
    /// Who makes it.
    pub vendor: &'static str,
    /// The vendor's name of the generation.
    pub architecture: &'static str,
    /// Nominal memory in GiB, the vendor's own number (an "80 GB" card is 80).
    pub vram_gib: f64,
    /// Other sizes in GiB under which this very card is offered: rebuilt ones, or another way of counting.
    pub other_vram_gib: Vec<f64>,
    /// Kind of memory: `HBM3`, `GDDR6X`.
    pub memory_type: &'static str,
    /// Memory bandwidth in GB/s.
    pub bandwidth_gb_s: Option<f64>,
    /// The link between the cards of a box.
    pub link: Option<Link>,
    /// Dense BF16 tensor TFLOPS (no sparsity); `None` also where the hardware has no BF16 (before Ampere).
    pub bf16_tflops: Option<f64>,
    /// Dense FP16 tensor TFLOPS (no sparsity; plain FP16 before tensor cores).
    pub fp16_tflops: Option<f64>,
    /// Dense FP8 tensor TFLOPS (no sparsity).
    pub fp8_tflops: Option<f64>,
    /// Power of the board in W (K80, M60 and A16 carry several GPUs on one board).
    pub tdp_w: Option<f64>,
    /// `SXM`, `PCIe`, `NVL`, `OAM`, …
    pub form_factor: &'static str,
    /// Year of launch.
    pub launch_year: Option<u16>,
    /// Most MIG instances of one card; `Some(0)` where it has no MIG.
    pub mig_slices: Option<u8>,
    /// Where the figures come from.
    pub source: &'static str,
}

impl Model {
    /// Whether a reported memory size (GiB) is the nominal one within [`VRAM_TOLERANCE`].
    #[must_use]
    pub fn is_nominal(&self, reported_gib: f64) -> bool {
        (reported_gib - self.vram_gib).abs() <= self.vram_gib * VRAM_TOLERANCE
    }

    /// Whether the card can have the reported memory size (GiB) at all: nominal, or another size known of it.
    #[must_use]
    pub fn can_have(&self, reported_gib: f64) -> bool {
        self.is_nominal(reported_gib)
            || self
                .other_vram_gib
                .iter()
                .any(|size| (reported_gib - size).abs() <= size * OTHER_SIZE_TOLERANCE)
    }
}

/// Models that one name covers when the variant is not said. Only what all of them share is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// What is shown: `H100`, `A100 80GB`.
    pub name: &'static str,
    /// The models, in table order.
    pub members: Vec<ModelId>,
    /// The member that eight cards in one machine are: some forms are built only in twos and fours.
    pub eight_is: Option<ModelId>,
}

/// What a name of the table stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Card {
    /// One model.
    Model(&'static Model),
    /// Several models, variant not said.
    Family(&'static Family),
}

impl Card {
    /// The canonical name, as stored in `OfferGpu::model`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Model(model) => model.name,
            Self::Family(family) => family.name,
        }
    }

    /// The ids of the models it can be, in table order.
    #[must_use]
    pub fn ids(self) -> &'static [ModelId] {
        match self {
            Self::Model(model) => std::slice::from_ref(&model.id),
            Self::Family(family) => &family.members,
        }
    }

    /// The models it can be, in table order.
    pub fn members(self) -> impl Iterator<Item = &'static Model> {
        self.ids().iter().filter_map(|id| by_id(*id))
    }

    /// A fact that all candidates agree on; `None` where one lacks it or differs.
    pub fn shared<T: PartialEq>(self, fact: impl Fn(&'static Model) -> Option<T>) -> Option<T> {
        let mut members = self.members();
        let first = fact(members.next()?)?;
        members.all(|member| fact(member).as_ref() == Some(&first)).then_some(first)
    }

    /// Who makes it.
    #[must_use]
    pub fn vendor(self) -> Option<&'static str> {
        self.shared(|m| Some(m.vendor))
    }

    /// Nominal memory in GiB, where all candidates agree.
    #[must_use]
    pub fn vram_gib(self) -> Option<f64> {
        self.shared(|m| Some(m.vram_gib))
    }

    /// Memory bandwidth in GB/s, where all candidates agree.
    #[must_use]
    pub fn bandwidth_gb_s(self) -> Option<f64> {
        self.shared(|m| m.bandwidth_gb_s)
    }

    /// Dense BF16 TFLOPS, where all candidates agree.
    #[must_use]
    pub fn bf16_tflops(self) -> Option<f64> {
        self.shared(|m| m.bf16_tflops)
    }

    /// Dense FP8 TFLOPS, where all candidates agree.
    #[must_use]
    pub fn fp8_tflops(self) -> Option<f64> {
        self.shared(|m| m.fp8_tflops)
    }

    /// The link between the cards of a box, where all candidates agree.
    #[must_use]
    pub fn link(self) -> Option<Link> {
        self.shared(|m| m.link)
    }
}

/// What a reported memory size says about a card.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Vram {
    /// Within 7 % of the nominal size, which is given (GiB).
    Nominal(f64),
    /// Another size this card is known to be offered with, kept as reported (GiB).
    Listed(f64),
    /// This card cannot have that; the reported size is kept (GiB).
    Contradicts(f64),
}

impl Vram {
    /// The size to show, in GiB.
    #[must_use]
    pub fn gib(self) -> f64 {
        match self {
            Self::Nominal(gib) | Self::Listed(gib) | Self::Contradicts(gib) => gib,
        }
    }
}

struct Tables {
    models: Vec<Model>,
    families: Vec<Family>,
    names: HashMap<&'static str, Name>,
}

#[derive(Clone, Copy)]
enum Name {
    Model(usize),
    Family(usize),
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let models = data::models();
        let families = data::families(&models);
        let mut names = HashMap::with_capacity(models.len() + families.len());
        names.extend(families.iter().enumerate().map(|(i, f)| (f.name, Name::Family(i))));
        names.extend(models.iter().enumerate().map(|(i, m)| (m.name, Name::Model(i))));
        Tables { models, families, names }
    })
}

/// All models, newest generations first within a vendor.
#[must_use]
pub fn table() -> &'static [Model] {
    &tables().models
}

/// All families.
#[must_use]
pub fn families() -> &'static [Family] {
    &tables().families
}

/// A model by its index.
#[must_use]
pub fn by_id(id: ModelId) -> Option<&'static Model> {
    table().get(usize::from(id.0))
}

/// A model or family by its canonical name, as stored in `OfferGpu::model`.
#[must_use]
pub fn card(name: &str) -> Option<Card> {
    let tables = tables();
    match *tables.names.get(name)? {
        Name::Model(index) => tables.models.get(index).map(Card::Model),
        Name::Family(index) => tables.families.get(index).map(Card::Family),
    }
}

/// A model by its canonical name.
#[must_use]
pub fn model(name: &str) -> Option<&'static Model> {
    match card(name)? {
        Card::Model(model) => Some(model),
        Card::Family(_) => None,
    }
}

/// A family by its name.
#[must_use]
pub fn family(name: &str) -> Option<&'static Family> {
    match card(name)? {
        Card::Family(family) => Some(family),
        Card::Model(_) => None,
    }
}

/// Snaps a reported memory size (GiB of one card) to the card's nominal one. For a family the nearest candidate
/// decides.
#[must_use]
pub fn nominal_vram(card: Card, reported_gib: f64) -> Vram {
    let nearest = card
        .members()
        .filter(|model| model.is_nominal(reported_gib))
        .min_by(|a, b| (a.vram_gib - reported_gib).abs().total_cmp(&(b.vram_gib - reported_gib).abs()));
    match nearest {
        Some(model) => Vram::Nominal(model.vram_gib),
        None if card.members().any(|model| model.can_have(reported_gib)) => Vram::Listed(reported_gib),
        None => Vram::Contradicts(reported_gib),
    }
}
