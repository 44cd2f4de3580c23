//! What the API answers, as it stands on the wire (the vendor's own description,
//! <https://infrahub-api-doc.nexgencloud.com/api.json>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Block, Each, List, Literal};

/// Flavors of one card in one region.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FlavorGroup<'a> {
    #[serde(borrow)]
    pub flavors: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Flavors<'a> {
    #[serde(borrow)]
    pub data: Option<Each<FlavorGroup<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Flavor<'a> {
    /// `n3-H100x8`.
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub region_name: Literal<'a>,
    /// `H100-80G-PCIe-NVLink`; empty for a machine without cards.
    #[serde(borrow)]
    pub gpu: Literal<'a>,
    #[serde(borrow)]
    pub gpu_count: Literal<'a>,
    #[serde(borrow)]
    pub cpu: Literal<'a>,
    #[serde(borrow)]
    pub ram: Literal<'a>,
    /// GB of the root disk.
    #[serde(borrow)]
    pub disk: Literal<'a>,
    /// GB of scratch, lost at a hibernation.
    #[serde(borrow)]
    pub ephemeral: Literal<'a>,
    #[serde(borrow)]
    pub stock_available: Literal<'a>,
    #[serde(borrow)]
    pub labels: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Label<'a> {
    #[serde(borrow)]
    pub label: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Stocks<'a> {
    #[serde(borrow)]
    pub stocks: Option<List<Stock<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Stock<'a> {
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub models: Option<List<StockModel<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StockModel<'a> {
    #[serde(borrow)]
    pub model: Literal<'a>,
    /// Machines of each size: `{"1x": 21, "8x": 2}`.
    #[serde(borrow)]
    pub configurations: Literal<'a>,
}

/// A line of the price book.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PriceLine<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// USD for one card and hour, discounts taken off.
    #[serde(borrow)]
    pub value: Literal<'a>,
    #[serde(borrow)]
    pub start_time: Literal<'a>,
    #[serde(borrow)]
    pub end_time: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Regions<'a> {
    #[serde(borrow)]
    pub regions: Option<List<Region<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Region<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// A country's name.
    #[serde(borrow)]
    pub country: Literal<'a>,
}

/// Any list that comes in pages: the rows stand under one of these names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Page<'a> {
    #[serde(borrow)]
    pub instances: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub environments: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub keypairs: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub volumes: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub count: Literal<'a>,
    #[serde(borrow)]
    pub page: Literal<'a>,
    #[serde(borrow)]
    pub page_size: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct One<'a> {
    #[serde(borrow)]
    pub instance: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Made<'a> {
    #[serde(borrow)]
    pub instances: Option<Vec<&'a RawValue>>,
}

/// A virtual machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    /// Null until it has one, also while `ACTIVE`.
    #[serde(borrow)]
    pub floating_ip: Literal<'a>,
    #[serde(borrow)]
    pub requires_public_ip: Literal<'a>,
    /// Whether SSH is somewhere else than at port 22.
    #[serde(borrow)]
    pub port_randomization: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
    #[serde(borrow)]
    pub image: Literal<'a>,
    #[serde(borrow)]
    pub flavor: Literal<'a>,
    #[serde(borrow)]
    pub environment: Literal<'a>,
    #[serde(borrow)]
    pub labels: Literal<'a>,
    #[serde(borrow)]
    pub locked: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
}

/// An environment: what holds machines and keys of one region.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Environment<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Keypair<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub public_key: Literal<'a>,
    #[serde(borrow)]
    pub environment: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Volume<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// GB.
    #[serde(borrow)]
    pub size: Literal<'a>,
    #[serde(borrow)]
    pub attachments: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Credit<'a> {
    #[serde(borrow)]
    pub data: Block<CreditData<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CreditData<'a> {
    #[serde(borrow)]
    pub credit: Literal<'a>,
    #[serde(borrow)]
    pub can_create_instance: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct History<'a> {
    #[serde(borrow)]
    pub billing_history_vm: Option<HistoryPage<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HistoryPage<'a> {
    #[serde(borrow)]
    pub billing_history: Option<Vec<HistoryRow<'a>>>,
    /// Rows of all pages.
    #[serde(borrow)]
    pub total_count: Literal<'a>,
    #[serde(borrow)]
    pub pagination: HistoryPages<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HistoryPages<'a> {
    #[serde(borrow)]
    pub pages: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HistoryRow<'a> {
    #[serde(borrow)]
    pub attributes: HistoryAttributes<'a>,
    #[serde(borrow)]
    pub metrics: HistoryMetrics<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HistoryAttributes<'a> {
    /// The billing's own.
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// The id of the machine.
    #[serde(borrow)]
    pub infrahub_id: Literal<'a>,
    #[serde(borrow)]
    pub contract_id: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct HistoryMetrics<'a> {
    #[serde(borrow)]
    pub incurred_bill: Literal<'a>,
    #[serde(borrow)]
    pub price_per_hour: Literal<'a>,
}
