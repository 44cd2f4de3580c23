//! What the API answers, as it stands on the wire (<https://docs.primeintellect.ai/api-reference>). The wallet speaks
//! in snake case, everything else in camel case.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::Literal;

/// A page of offers.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Availability<'a> {
    #[serde(borrow)]
    pub items: Option<Vec<&'a RawValue>>,
    #[serde(borrow, rename = "totalCount")]
    pub total_count: Literal<'a>,
}

/// A page of anything else.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Page<'a> {
    #[serde(borrow)]
    pub data: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub total_count: Literal<'a>,
}

/// An offer of one supplier.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Gpu<'a> {
    /// The supplier's type, sent back at a launch; several offers may have the same.
    #[serde(borrow)]
    pub cloud_id: Literal<'a>,
    /// `H100_80GB`.
    #[serde(borrow)]
    pub gpu_type: Literal<'a>,
    #[serde(borrow)]
    pub socket: Literal<'a>,
    /// The supplier.
    #[serde(borrow)]
    pub provider: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    /// The supplier's own name of the place, or a UUID.
    #[serde(borrow)]
    pub data_center: Literal<'a>,
    /// Two letters.
    #[serde(borrow)]
    pub country: Literal<'a>,
    #[serde(borrow)]
    pub gpu_count: Literal<'a>,
    /// GB of one card.
    #[serde(borrow)]
    pub gpu_memory: Literal<'a>,
    #[serde(borrow)]
    pub vcpu: Option<Part<'a>>,
    /// GB.
    #[serde(borrow)]
    pub memory: Option<Part<'a>>,
    /// GB.
    #[serde(borrow)]
    pub disk: Option<Part<'a>>,
    /// Mbit/s.
    #[serde(borrow)]
    pub internet_speed: Literal<'a>,
    /// Gbit/s between machines.
    #[serde(borrow)]
    pub interconnect: Literal<'a>,
    /// `Infiniband`.
    #[serde(borrow)]
    pub interconnect_type: Literal<'a>,
    /// How much there is, in a word; `High` is much.
    #[serde(borrow)]
    pub stock_status: Literal<'a>,
    /// `secure_cloud` or `community_cloud`.
    #[serde(borrow)]
    pub security: Literal<'a>,
    #[serde(borrow)]
    pub prices: Option<Prices<'a>>,
    #[serde(borrow)]
    pub images: Literal<'a>,
    #[serde(borrow)]
    pub is_spot: Literal<'a>,
    /// Hours that are charged at once.
    #[serde(borrow)]
    pub prepaid_time: Literal<'a>,
}

/// A part of a machine whose size may be chosen. It may be empty.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub min_count: Literal<'a>,
    #[serde(borrow)]
    pub default_count: Literal<'a>,
    #[serde(borrow)]
    pub max_count: Literal<'a>,
    #[serde(borrow)]
    pub step: Literal<'a>,
    /// Of one unit for an hour, in the currency of the offer.
    #[serde(borrow)]
    pub price_per_unit: Literal<'a>,
    /// Null is no.
    #[serde(borrow)]
    pub default_included_in_price: Literal<'a>,
    #[serde(borrow)]
    pub additional_info: Literal<'a>,
}

/// Per hour for the whole configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Prices<'a> {
    #[serde(borrow)]
    pub on_demand: Literal<'a>,
    #[serde(borrow)]
    pub community_price: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
}

/// A pod. Its Jupyter password is never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Pod<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub provider_type: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub installation_status: Literal<'a>,
    #[serde(borrow)]
    pub installation_failure: Literal<'a>,
    /// Percent.
    #[serde(borrow)]
    pub installation_progress: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    #[serde(borrow)]
    pub gpu_name: Literal<'a>,
    #[serde(borrow)]
    pub gpu_count: Literal<'a>,
    /// In dollars.
    #[serde(borrow)]
    pub price_hr: Literal<'a>,
    /// The same in the supplier's own currency.
    #[serde(borrow)]
    pub base_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub base_currency: Literal<'a>,
    /// Null: the full price.
    #[serde(borrow)]
    pub stopped_price_hr: Literal<'a>,
    /// A text, a list with nulls in it, or null.
    #[serde(borrow)]
    pub ssh_connection: Literal<'a>,
    #[serde(borrow)]
    pub resources: Option<Resources<'a>>,
    #[serde(borrow)]
    pub is_spot: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resources<'a> {
    /// GB.
    #[serde(borrow)]
    pub disk: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct SshKey<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub public_key: Literal<'a>,
}

/// A network disk.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Disk<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    /// GB.
    #[serde(borrow)]
    pub size: Literal<'a>,
    #[serde(borrow)]
    pub price_hr: Literal<'a>,
    #[serde(borrow)]
    pub pods: Literal<'a>,
    #[serde(borrow)]
    pub clusters: Literal<'a>,
}

/// What was billed for one resource.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Billed<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// `Instance`, `Cluster`, `Disk`.
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    #[serde(borrow)]
    pub terminated_at: Literal<'a>,
    #[serde(borrow)]
    pub total_billed_price: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Wallet<'a> {
    #[serde(borrow)]
    pub wallet_id: Literal<'a>,
    #[serde(borrow)]
    pub balance_usd: Literal<'a>,
}
