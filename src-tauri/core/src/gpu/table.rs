//! The cards themselves and the families that hold them together.

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
    /// Kind of memory: `HBM3`, `GDDR6X`.
    pub memory_type: &'static str,
    /// Memory bandwidth in GB/s.
    pub bandwidth_gb_s: Option<f64>,
    /// The link between the cards of a box.
    pub link: Option<Link>,
    /// Dense BF16/FP16 tensor TFLOPS (no sparsity).
    pub bf16_tflops: Option<f64>,
    /// Dense FP8 tensor TFLOPS (no sparsity).
    pub fp8_tflops: Option<f64>,
    /// Board power in W.
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

/// Models that one name covers when the variant is not said. Only what all of them share is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// What is shown: `H100`, `A100 80GB`.
    pub name: &'static str,
    /// The models, in table order.
    pub members: Vec<ModelId>,
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

    /// The models it can be.
    pub fn members(self) -> impl Iterator<Item = &'static Model> {
        let ids: &'static [ModelId] = match self {
            Self::Model(model) => std::slice::from_ref(&model.id),
            Self::Family(family) => &family.members,
        };
        ids.iter().filter_map(|id| table().get(usize::from(id.0)))
    }

    fn shared<T: PartialEq>(self, fact: impl Fn(&'static Model) -> Option<T>) -> Option<T> {
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

/// What a reported memory size says about a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Vram {
    /// Within 7 % of the nominal size, which is given (GiB).
    Nominal(f64),
    /// A known after-market size of this card, kept as reported (GiB).
    Modified(f64),
    /// This card cannot have that; the reported size is kept (GiB).
    Contradicts(f64),
}

impl Vram {
    /// The size to show, in GiB.
    #[must_use]
    pub fn gib(self) -> f64 {
        match self {
            Self::Nominal(gib) | Self::Modified(gib) | Self::Contradicts(gib) => gib,
        }
    }
}

/// All models.
#[must_use]
pub fn table() -> &'static [Model] {
    &[]
}

/// All families.
#[must_use]
pub fn families() -> &'static [Family] {
    &[]
}

/// A model by its canonical name.
#[must_use]
pub fn model(name: &str) -> Option<&'static Model> {
    table().iter().find(|m| m.name == name)
}

/// A family by its name.
#[must_use]
pub fn family(name: &str) -> Option<&'static Family> {
    families().iter().find(|f| f.name == name)
}

/// A model or family by its canonical name.
#[must_use]
pub fn card(name: &str) -> Option<Card> {
    model(name).map(Card::Model).or_else(|| family(name).map(Card::Family))
}

/// Snaps a reported memory size (GiB of one card) to the card's nominal one.
#[must_use]
pub fn nominal_vram(card: Card, reported_gib: f64) -> Vram {
    let _ = card;
    Vram::Contradicts(reported_gib)
}
