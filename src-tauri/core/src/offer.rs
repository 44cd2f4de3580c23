//! The offer: one thing that can be rented, normalised once by the adapter that read it. What a provider does not
//! say is `None`; nothing here is guessed. Facts of the card itself (bandwidth, TFLOPS, link) are looked up in the
//! GPU table by [`OfferGpu::model`], so a better table mends old rows too.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::meter::Meter;
use crate::money::Currency;
pub use crate::words::UnknownWord;
use crate::words::words;

words! {
    /// What kind of thing is rented.
    Form {
        /// A virtual machine with whole cards passed through.
        Vm = "vm",
        /// A whole server without a hypervisor.
        BareMetal = "bare-metal",
        /// A container on a shared host.
        Container = "container",
        /// Several machines with a fast interconnect, rented as one.
        Cluster = "cluster",
        /// A slice of one card (MIG or a vendor's own split).
        Fraction = "fraction",
        /// An endpoint billed by second or token.
        Serverless = "serverless",
        /// A server of the team's own, or cards of it.
        Own = "own",
    }
}

words! {
    /// How far other tenants are away.
    Isolation {
        /// Nobody else on the iron.
        DedicatedHost = "dedicated-host",
        /// Other tenants behind a hypervisor.
        Vm = "vm",
        /// Other tenants under the same kernel.
        SharedHost = "shared-host",
        /// The provider does not say.
        Unknown = "unknown",
    }
}

words! {
    /// On what terms the price holds.
    PriceKind {
        /// Fixed, as long as it is wanted.
        OnDemand = "on-demand",
        /// Cheaper, and taken back when somebody pays more.
        Spot = "spot",
        /// Bought for a term of months.
        Reserved = "reserved",
        /// A floor to bid above; the highest bid runs.
        Bid = "bid",
    }
}

words! {
    /// Whether it can be had now.
    SupplyState {
        /// At least one can be rented.
        InStock = "in-stock",
        /// The provider says there is none.
        OutOfStock = "none",
        /// Not said: a price list, not stock.
        Unknown = "unknown",
    }
}

words! {
    /// How the desk came to know the offer.
    Source {
        /// Asked of the provider itself.
        Live = "live",
        /// Read from a price list or a public catalogue.
        Catalogue = "catalogue",
        /// A machine of the team's own.
        Own = "own",
    }
}

/// Something a person should know about the row before trusting it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Flag {
    /// The price is zero, negative, or far from any other of its kind.
    PriceSuspect,
    /// The reported VRAM cannot be that card's.
    VramContradictsModel,
    /// The place has no country we can prove; it fails every residency rule.
    CountryUnknown,
    /// The source has not confirmed the offer for longer than it should.
    Stale,
    /// The card is not in the GPU table; it is shown under the provider's own name.
    ModelUnknown,
    /// The machine stands in a data centre, as the marketplace says of the host.
    Datacenter,
    /// The machine is a private person's or a small host's, as the marketplace says.
    PrivateHost,
    /// The same offer as another one, by its id.
    DuplicateOf(String),
}

impl Flag {
    /// What a marketplace says of where a host's machines stand: in a data centre, or not.
    #[must_use]
    pub fn host(in_datacenter: bool) -> Self {
        if in_datacenter { Self::Datacenter } else { Self::PrivateHost }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PriceSuspect => f.write_str("price-suspect"),
            Self::VramContradictsModel => f.write_str("vram-contradicts-model"),
            Self::CountryUnknown => f.write_str("country-unknown"),
            Self::Stale => f.write_str("stale"),
            Self::ModelUnknown => f.write_str("model-unknown"),
            Self::Datacenter => f.write_str("datacenter"),
            Self::PrivateHost => f.write_str("private-host"),
            Self::DuplicateOf(id) => write!(f, "duplicate-of:{id}"),
        }
    }
}

impl From<Flag> for String {
    fn from(flag: Flag) -> Self {
        flag.to_string()
    }
}

impl TryFrom<String> for Flag {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Ok(match text.as_str() {
            "price-suspect" => Self::PriceSuspect,
            "vram-contradicts-model" => Self::VramContradictsModel,
            "country-unknown" => Self::CountryUnknown,
            "stale" => Self::Stale,
            "model-unknown" => Self::ModelUnknown,
            "datacenter" => Self::Datacenter,
            "private-host" => Self::PrivateHost,
            other => match other.strip_prefix("duplicate-of:") {
                Some(id) => Self::DuplicateOf(id.to_owned()),
                None => return Err(UnknownWord(text)),
            },
        })
    }
}

/// The card part of an offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferGpu {
    /// Canonical name of the GPU table (`H100 SXM`), or the family alone (`H100`) where the variant is not said, or
    /// `None` for a card the table does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many cards (1 for a slice of one).
    pub count: u32,
    /// Share of one card for a slice (0 < share < 1); `None` for whole cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// VRAM of one card (of the slice, for a slice) in GiB: the card's nominal size where the reported one is within
    /// 7 % of it, else the reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vram_gib: Option<f64>,
    /// The link between the cards of this box as the provider says it, where it contradicts or refines the table
    /// (`Some("")` is never used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The provider's own spelling.
    pub raw_name: String,
}

/// The disk of an offer, in GB (10⁹ bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Disk {
    /// Inside the price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included_gb: Option<f64>,
    /// The most that can be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_gb: Option<f64>,
}

/// Network of the whole machine, in Mbit/s.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Net {
    /// Towards the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_mbit_s: Option<f64>,
    /// From the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_mbit_s: Option<f64>,
}

/// Where the iron stands and whose law the seller is under. Zones are not stored: they follow from the country.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The provider's own name of the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// ISO 3166-1 alpha-2; `None` where it cannot be proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Country of the company that bills; `None` where not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seller: Option<String>,
}

/// What it costs, in the provider's own currency. Compute only: storage and traffic stand apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Terms of the price.
    pub kind: PriceKind,
    /// The currency of every figure here.
    pub currency: Currency,
    /// Whole offer, per hour.
    pub per_hour: Decimal,
    /// For a reserved price: the term, such as `12 months`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// Billing step in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_s: Option<u32>,
    /// Least billed time in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum_s: Option<u32>,
    /// Disk while running, per GB and month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_gb_month: Option<Decimal>,
    /// Disk while stopped, per GB and month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_stopped_gb_month: Option<Decimal>,
    /// Traffic out, per GB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress_gb: Option<Decimal>,
    /// Traffic in, per GB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ingress_gb: Option<Decimal>,
    /// What is billed instead of the hour; `per_hour` then follows from it by [`Meter::per_hour`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meter: Option<Meter>,
    /// The page where it is to be had at this price, where the offer brings one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// Stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supply {
    /// In stock, none, or not said.
    pub state: SupplyState,
    /// How many, where the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
}

/// One thing that can be rented. When it was last seen belongs to its feed, not to the row: a refresh that changes
/// nothing writes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Stable across refreshes: `provider:` and what identifies the offer there, place, VRAM and price kind included.
    pub id: String,
    /// Whose account is billed.
    pub provider: String,
    /// Whose iron it is (differs from the provider for aggregators).
    pub cloud: String,
    /// How it became known.
    pub source: Source,
    /// The provider's own name of it (instance type, ask number).
    pub name: String,
    /// What kind of thing.
    pub form: Form,
    /// How far other tenants are away.
    pub isolation: Isolation,
    /// The cards.
    pub gpu: OfferGpu,
    /// The network between boxes as said (`InfiniBand 3200 Gb/s`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fabric: Option<String>,
    /// Virtual CPUs of the whole offer (may be a part of one).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vcpu: Option<f64>,
    /// Memory of the whole offer in GiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ram_gib: Option<f64>,
    /// Disk.
    #[serde(default)]
    pub disk: Disk,
    /// Network.
    #[serde(default)]
    pub net: Net,
    /// Driver version as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// Highest CUDA version the driver supports, as text (`12.8`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuda: Option<String>,
    /// Share of time the host was up, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<f64>,
    /// Whether the marketplace has verified the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// Where it is and who sells it.
    #[serde(default)]
    pub place: Place,
    /// What it costs.
    pub price: Price,
    /// Whether it can be had.
    pub supply: Supply,
    /// What to know before trusting the row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
}

impl Offer {
    /// Price of one card (of the slice, for a slice) for an hour, in the offer's own currency.
    #[must_use]
    pub fn per_gpu_hour(&self) -> Decimal {
        match self.gpu.count {
            0 | 1 => self.price.per_hour,
            count => self.price.per_hour / Decimal::from(count),
        }
    }

    /// Whether the machine stands in a data centre; `None` where nobody says.
    #[must_use]
    pub fn datacenter(&self) -> Option<bool> {
        self.flags.iter().find_map(|flag| match flag {
            Flag::Datacenter => Some(true),
            Flag::PrivateHost => Some(false),
            _ => None,
        })
    }

    /// Whether it sells tokens of a model, and no card at all.
    #[must_use]
    pub fn sells_tokens(&self) -> bool {
        self.price.meter.is_some_and(|meter| meter.is_tokens())
    }

    /// VRAM of all cards in GiB.
    #[must_use]
    pub fn vram_total_gib(&self) -> Option<f64> {
        self.gpu.vram_gib.map(|vram| vram * f64::from(self.gpu.count))
    }
}
