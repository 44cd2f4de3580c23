//! Slices of a card: MIG profiles and the vendors' own splits.

/// A part of one card.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice {
    /// The profile's name: `1g.24gb`.
    pub profile: String,
    /// Share of the card by compute slices (0 < share ≤ 1), where the table knows the profile.
    pub share: Option<f64>,
    /// Memory of the slice in GiB, as its name says.
    pub vram_gib: Option<f64>,
}

/// The slice a raw GPU name speaks of (`… MIG 1g.24gb`, `PRO 6000 MIG 24GB`); `None` for a whole card.
#[must_use]
pub fn slice(raw: &str) -> Option<Slice> {
    let _ = raw;
    None
}
