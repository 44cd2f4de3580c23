//! The columns a query can speak of, under every name people type for them.

use std::fmt;

/// A column of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    /// VRAM of one card, GiB.
    Vram,
    /// VRAM of all cards, GiB.
    VramTotal,
    /// Cards.
    Count,
    /// Price of a card-hour.
    Price,
    /// Price of a machine-hour.
    Hour,
    /// Total of the job, upper end. Unknown for every row while no job is given.
    Total,
    /// Memory bandwidth of one card, GB/s.
    Bandwidth,
    /// Dense BF16 TFLOPS of one card.
    Tflops,
    /// Memory of the machine, GiB.
    Ram,
    /// Virtual CPUs.
    Vcpu,
    /// The most disk that can be had, GB.
    Disk,
    /// Network towards the machine, Mbit/s.
    Down,
    /// Network from the machine, Mbit/s.
    Up,
    /// Share of time the host was up, 0 to 1.
    Reliability,
    /// Time since the source said so, seconds.
    Age,
}

/// A column of version numbers, compared part by part (12.10 is more than 12.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Versioned {
    /// Highest CUDA version the driver supports.
    Cuda,
    /// Driver.
    Driver,
}

/// A column with one word a row, of which a query lists several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Set {
    /// Country of the machine, ISO 3166-1 alpha-2.
    Country,
    /// Residency zone of that country; `RU+seller` asks the same of the seller.
    Zone,
    /// Country of the company that bills.
    Seller,
    /// Form.
    Form,
    /// Whose iron it is.
    Cloud,
    /// Whose account is billed.
    Provider,
    /// Kind of price.
    Kind,
    /// Maker of the card.
    Vendor,
    /// Part of the provider's own name of the place.
    Region,
    /// Beginning of the name of the link between cards.
    Link,
    /// Beginning of the name of the network between boxes.
    Fabric,
    /// How the desk knows.
    Source,
    /// How far other tenants are away.
    Isolation,
    /// Stock.
    Supply,
    /// Residency policies that nothing of a row breaks.
    Policy,
}

/// A yes-or-no column, asked for by a bare word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fact {
    /// NVLink between the cards is certain.
    Nvlink,
    /// Any network made for many boxes (InfiniBand, RoCE, EFA).
    Fabric,
    /// Verified by the marketplace.
    Verified,
}

/// Any column with an operator behind its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// Cards by their name in the GPU table.
    Gpu,
    /// Cards by part of the provider's own spelling.
    Raw,
    /// Numbers.
    Number(Number),
    /// Versions.
    Version(Versioned),
    /// Words.
    Set(Set),
}

/// Every name of every column; the first of each is the one that is shown.
const NAMES: &[(&str, Column)] = &[
    ("gpu", Column::Gpu),
    ("card", Column::Gpu),
    ("model", Column::Gpu),
    ("raw", Column::Raw),
    ("vram", Column::Number(Number::Vram)),
    ("vram-total", Column::Number(Number::VramTotal)),
    ("total-vram", Column::Number(Number::VramTotal)),
    ("count", Column::Number(Number::Count)),
    ("gpus", Column::Number(Number::Count)),
    ("cards", Column::Number(Number::Count)),
    ("price", Column::Number(Number::Price)),
    ("gpu-hour", Column::Number(Number::Price)),
    ("цена", Column::Number(Number::Price)),
    ("hour", Column::Number(Number::Hour)),
    ("machine-hour", Column::Number(Number::Hour)),
    ("час", Column::Number(Number::Hour)),
    ("total", Column::Number(Number::Total)),
    ("итого", Column::Number(Number::Total)),
    ("bandwidth", Column::Number(Number::Bandwidth)),
    ("bw", Column::Number(Number::Bandwidth)),
    ("tflops", Column::Number(Number::Tflops)),
    ("bf16", Column::Number(Number::Tflops)),
    ("ram", Column::Number(Number::Ram)),
    ("memory", Column::Number(Number::Ram)),
    ("vcpu", Column::Number(Number::Vcpu)),
    ("vcpus", Column::Number(Number::Vcpu)),
    ("cpu", Column::Number(Number::Vcpu)),
    ("disk", Column::Number(Number::Disk)),
    ("диск", Column::Number(Number::Disk)),
    ("down", Column::Number(Number::Down)),
    ("up", Column::Number(Number::Up)),
    ("reliability", Column::Number(Number::Reliability)),
    ("age", Column::Number(Number::Age)),
    ("cuda", Column::Version(Versioned::Cuda)),
    ("driver", Column::Version(Versioned::Driver)),
    ("country", Column::Set(Set::Country)),
    ("страна", Column::Set(Set::Country)),
    ("zone", Column::Set(Set::Zone)),
    ("зона", Column::Set(Set::Zone)),
    ("seller", Column::Set(Set::Seller)),
    ("продавец", Column::Set(Set::Seller)),
    ("form", Column::Set(Set::Form)),
    ("cloud", Column::Set(Set::Cloud)),
    ("облако", Column::Set(Set::Cloud)),
    ("provider", Column::Set(Set::Provider)),
    ("kind", Column::Set(Set::Kind)),
    ("vendor", Column::Set(Set::Vendor)),
    ("region", Column::Set(Set::Region)),
    ("регион", Column::Set(Set::Region)),
    ("link", Column::Set(Set::Link)),
    ("fabric", Column::Set(Set::Fabric)),
    ("source", Column::Set(Set::Source)),
    ("isolation", Column::Set(Set::Isolation)),
    ("supply", Column::Set(Set::Supply)),
    ("stock", Column::Set(Set::Supply)),
    ("policy", Column::Set(Set::Policy)),
    ("политика", Column::Set(Set::Policy)),
];

impl Column {
    /// The column of a name, in any case and under any alias.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = name.to_lowercase().replace('_', "-");
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, column)| *column)
    }

    /// Every name that [`Self::find`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The name that is shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, column)| *column == self).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Fact {
    /// The word that asks for it, and the key of its chip.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Nvlink => "nvlink",
            Self::Fabric => "fabric",
            Self::Verified => "verified",
        }
    }
}
