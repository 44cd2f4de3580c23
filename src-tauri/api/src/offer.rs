//! An offer as it leaves the engine: the same JSON for the terminal, the window and scripts. Absent knowledge is
//! `null`; money is a decimal string.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One offer in the shape of the command line's contract.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferDto {
    /// Stable id, starts with the provider.
    pub id: String,
    /// Whose account is billed.
    pub provider: String,
    /// Whose iron it is.
    pub cloud: String,
    /// `live`, `catalogue` or `own`.
    pub source: String,
    /// The provider's own name of it.
    pub name: String,
    /// `vm`, `bare-metal`, `container`, `cluster`, `fraction`, `serverless`, `own`.
    pub form: String,
    /// `dedicated-host`, `vm`, `shared-host` or null.
    pub isolation: Option<String>,
    /// The cards.
    pub gpu: GpuDto,
    /// Network between boxes.
    pub fabric: Option<String>,
    /// Virtual CPUs of the whole offer.
    pub vcpu: Option<f64>,
    /// Memory of the whole offer, GiB.
    pub ram_gib: Option<f64>,
    /// Disk, GB.
    pub disk: DiskDto,
    /// Network, Mbit/s.
    pub net: NetDto,
    /// Driver version.
    pub driver: Option<String>,
    /// Highest CUDA version.
    pub cuda: Option<String>,
    /// Share of time up, 0 to 1.
    pub reliability: Option<f64>,
    /// Verified by the marketplace.
    pub verified: Option<bool>,
    /// Whether it stands in a data centre, where the marketplace tells that apart from private hosts.
    pub datacenter: Option<bool>,
    /// Where and under whose law.
    pub place: PlaceDto,
    /// What it costs.
    pub price: PriceDto,
    /// The job's total: absent without a job, null where no total can be given (no rate to USD).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "TotalDto | null")]
    pub total: Option<Option<TotalDto>>,
    /// Stock.
    pub supply: SupplyDto,
    /// RFC 3339; when its source last said so.
    pub seen_at: String,
    /// `price-suspect`, `vram-contradicts-model`, `country-unknown`, `stale`, `model-unknown`, `duplicate-of:ID`.
    pub flags: Vec<String>,
    /// Whether it can be rented from here. Where it cannot, a person rents it at the provider itself.
    pub rentable: bool,
    /// The page to rent it at by hand; null where it can be rented from here, or no page is known.
    pub rent_page: Option<String>,
}

/// The cards of an offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GpuDto {
    /// Canonical model, or the family where the variant is not said, or null for an unknown card.
    pub model: Option<String>,
    /// `NVIDIA`, `AMD`, `Intel`, …
    pub vendor: Option<String>,
    /// Cards.
    pub count: u32,
    /// Share of one card for a slice.
    pub fraction: Option<f64>,
    /// VRAM of one card, GiB.
    pub vram_gib: Option<f64>,
    /// VRAM of all cards, GiB.
    pub vram_total_gib: Option<f64>,
    /// Memory bandwidth of one card, GB/s.
    pub bandwidth_gb_s: Option<f64>,
    /// Dense BF16 TFLOPS of one card.
    pub bf16_tflops: Option<f64>,
    /// Link between the cards of the box.
    pub link: Option<String>,
    /// Its speed per card, both directions, GB/s.
    pub link_gb_s: Option<f64>,
    /// The provider's own spelling.
    pub raw_name: String,
}

/// Disk, GB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DiskDto {
    /// Inside the price.
    pub included_gb: Option<f64>,
    /// The most that can be had.
    pub max_gb: Option<f64>,
}

/// Network, Mbit/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct NetDto {
    /// Towards the machine.
    pub down_mbit_s: Option<f64>,
    /// From the machine.
    pub up_mbit_s: Option<f64>,
}

/// Where it is and who sells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlaceDto {
    /// The provider's name of the place.
    pub region: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Residency zones of the country.
    pub zones: Vec<String>,
    /// Country of the company that bills.
    pub seller: Option<String>,
}

/// Price in the provider's own currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PriceDto {
    /// `on-demand`, `spot`, `reserved`, `bid`.
    pub kind: String,
    /// ISO 4217.
    pub currency: String,
    /// Whole offer, compute only.
    pub per_hour: String,
    /// One card.
    pub per_gpu_hour: String,
    /// One card, in USD at the dated rate; null without a rate.
    pub per_gpu_hour_usd: Option<String>,
    /// Term of a reserved price.
    pub term: Option<String>,
    /// Billing step, seconds.
    pub increment_s: Option<u32>,
    /// Least billed time, seconds.
    pub minimum_s: Option<u32>,
    /// Disk while running, per GB and month.
    pub storage_gb_month: Option<String>,
    /// Disk while stopped, per GB and month.
    pub storage_stopped_gb_month: Option<String>,
    /// Traffic out, per GB.
    pub egress_gb: Option<String>,
    /// Traffic in, per GB.
    pub ingress_gb: Option<String>,
    /// What is billed instead of the hour; null for hourly prices. The hourly figures beside it are then assumed.
    pub meter: Option<MeterDto>,
}

/// What is billed instead of the hour, in the currency of the price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MeterDto {
    /// `second` of a worker, or `tokens`.
    pub unit: String,
    /// Price of a second.
    pub per_second: Option<String>,
    /// Price of a million tokens read.
    pub per_million_in: Option<String>,
    /// Price of a million tokens written.
    pub per_million_out: Option<String>,
    /// By which assumption the hourly figures follow from it, with the source.
    pub assumed: String,
}

/// Total cost of a job in USD, as a range. `usd` is the upper end, which totals sort by; `low` leaves every unknown
/// part out. With nothing unknown and nothing assumed, all three are the sum of `parts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TotalDto {
    /// Upper end of the range.
    pub usd: String,
    /// Lower end of the range.
    pub low: String,
    /// Upper end again, for symmetry with `low`.
    pub high: String,
    /// Hours billed.
    pub hours: f64,
    /// Each part; null where it is not known.
    pub parts: PartsDto,
    /// Which parts the provider said, which its general terms say, which nobody says.
    pub marks: MarksDto,
    /// Names of the parts that are not known.
    pub unknown: Vec<String>,
}

/// Parts of a total, USD.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PartsDto {
    /// Machine hours, minimum and rounding included.
    pub compute: Option<String>,
    /// Disk for the hours.
    pub storage: Option<String>,
    /// Traffic out.
    pub egress: Option<String>,
}

/// How each part of a total is known: `said` by the offer, `assumed` from the provider's general terms, `unknown`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarksDto {
    /// Machine hours.
    pub compute: String,
    /// Disk.
    pub storage: String,
    /// Traffic out.
    pub egress: String,
}

/// Stock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SupplyDto {
    /// `in-stock`, `none`, `unknown`.
    pub state: String,
    /// How many, where told.
    pub count: Option<u32>,
}

/// The exchange rate sheet in use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FxDto {
    /// `ECB` or `CBR`.
    pub source: String,
    /// The day the rates are for.
    pub date: String,
}
