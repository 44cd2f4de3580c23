//! From a provider's spelling to a card of the table.

use super::table::{Card, Family, Model};

/// What else the row says about the card.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hints<'a> {
    /// Memory of one card in GiB as reported (not the total of the machine).
    pub vram_gib: Option<f64>,
    /// Our name of the provider or upstream cloud whose spelling it is.
    pub provider: Option<&'a str>,
    /// Instance type or any other text that may name the form (`p4d.24xlarge`, `gpu_8x_h100_sxm5`).
    pub machine: Option<&'a str>,
    /// Cards in the machine.
    pub count: Option<u32>,
}

/// What a spelling turned out to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// One model of the table.
    Known(&'static Model),
    /// A family: the variant is not said.
    Family(&'static Family),
    /// An accelerator that is no GPU (an FPGA): the row does not belong in the table.
    NotGpu,
    /// Not in the table; the provider's own name is shown.
    Unknown,
}

impl Resolution {
    /// The card, where one was found.
    #[must_use]
    pub fn card(self) -> Option<Card> {
        match self {
            Self::Known(model) => Some(Card::Model(model)),
            Self::Family(family) => Some(Card::Family(family)),
            Self::NotGpu | Self::Unknown => None,
        }
    }
}

/// Finds the card behind a provider's spelling. Never guesses a variant: what the hints do not settle stays a family.
#[must_use]
pub fn resolve(raw: &str, hints: &Hints<'_>) -> Resolution {
    let _ = (raw, hints);
    Resolution::Unknown
}
