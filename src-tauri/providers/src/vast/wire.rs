//! What the search answers, as it stands on the wire (<https://docs.vast.ai/api-reference/search/search-offers>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::Literal;

/// The answer of a search, or the error it carries in spite of its status 200.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow, default)]
    pub offers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub success: Literal<'a>,
    #[serde(borrow, default)]
    pub error: Literal<'a>,
    #[serde(borrow, default)]
    pub msg: Literal<'a>,
    #[serde(borrow, default)]
    pub detail: Literal<'a>,
}

/// One ask: what one machine offers of itself. Fields we do not use are not named.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Ask<'a> {
    /// The ask to rent; gone after one rent.
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub ask_contract_id: Literal<'a>,
    /// The machine; stays the same.
    #[serde(borrow)]
    pub machine_id: Literal<'a>,
    #[serde(borrow)]
    pub gpu_name: Literal<'a>,
    #[serde(borrow)]
    pub num_gpus: Literal<'a>,
    /// MiB of one card, as the driver reports it.
    #[serde(borrow)]
    pub gpu_ram: Literal<'a>,
    /// GB/s between cards over NVLink, 0 without.
    #[serde(borrow)]
    pub bw_nvlink: Literal<'a>,
    #[serde(borrow)]
    pub pci_gen: Literal<'a>,
    #[serde(borrow)]
    pub gpu_lanes: Literal<'a>,
    /// Cores of the whole machine.
    #[serde(borrow)]
    pub cpu_cores: Literal<'a>,
    /// Cores of this ask, may be a part of one.
    #[serde(borrow)]
    pub cpu_cores_effective: Literal<'a>,
    /// MiB of the whole machine.
    #[serde(borrow)]
    pub cpu_ram: Literal<'a>,
    /// GB that can be had at most.
    #[serde(borrow)]
    pub disk_space: Literal<'a>,
    /// USD an hour, cards only, whole ask.
    #[serde(borrow)]
    pub dph_base: Literal<'a>,
    /// USD an hour with the disk the search asked for.
    #[serde(borrow)]
    pub dph_total: Literal<'a>,
    /// [`SearchPrice`].
    #[serde(borrow)]
    pub search: Literal<'a>,
    /// USD an hour: the lowest bid for the whole ask, cards only.
    #[serde(borrow)]
    pub min_bid: Literal<'a>,
    /// Whether the row is priced as a bid.
    #[serde(borrow)]
    pub is_bid: Literal<'a>,
    /// USD per GB and month.
    #[serde(borrow)]
    pub storage_cost: Literal<'a>,
    /// USD per GB out of and into the machine.
    #[serde(borrow)]
    pub inet_up_cost: Literal<'a>,
    #[serde(borrow)]
    pub inet_down_cost: Literal<'a>,
    /// Mbit/s.
    #[serde(borrow)]
    pub inet_up: Literal<'a>,
    #[serde(borrow)]
    pub inet_down: Literal<'a>,
    #[serde(borrow)]
    pub driver_version: Literal<'a>,
    #[serde(borrow)]
    pub cuda_max_good: Literal<'a>,
    #[serde(borrow)]
    pub reliability2: Literal<'a>,
    #[serde(borrow)]
    pub reliability: Literal<'a>,
    /// `verified`, `unverified` or `deverified`.
    #[serde(borrow)]
    pub verification: Literal<'a>,
    /// 1 and more: a data centre; 0: a private host.
    #[serde(borrow)]
    pub hosting_type: Literal<'a>,
    #[serde(borrow)]
    pub geolocation: Literal<'a>,
    /// Epoch seconds: when the host takes the machine back.
    #[serde(borrow)]
    pub end_date: Literal<'a>,
    /// Seconds until then.
    #[serde(borrow)]
    pub duration: Literal<'a>,
    #[serde(borrow)]
    pub rentable: Literal<'a>,
    #[serde(borrow)]
    pub rented: Literal<'a>,
}

/// The price once more, split by the search.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SearchPrice<'a> {
    #[serde(borrow, rename = "gpuCostPerHour")]
    pub gpu_cost_per_hour: Literal<'a>,
}
