//! What the API answers, as it stands on the wire (<https://www.scaleway.com/en/developers/api/instances/>).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Block, List, Literal};

/// Types by name.
#[derive(Debug, Deserialize)]
pub(super) struct Types<'a> {
    #[serde(borrow)]
    pub servers: BTreeMap<String, &'a RawValue>,
}

/// A type of machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ServerType<'a> {
    /// EUR for the machine, without VAT, disk and address.
    #[serde(borrow)]
    pub hourly_price: Literal<'a>,
    /// Null on types without a card.
    #[serde(borrow)]
    pub gpu: Literal<'a>,
    #[serde(borrow)]
    pub gpu_info: Option<GpuInfo<'a>>,
    #[serde(borrow)]
    pub ncpus: Literal<'a>,
    /// Bytes.
    #[serde(borrow)]
    pub ram: Literal<'a>,
    #[serde(borrow)]
    pub volumes_constraint: Option<Constraint<'a>>,
    #[serde(borrow)]
    pub network: Option<Network<'a>>,
    #[serde(borrow)]
    pub end_of_service: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GpuInfo<'a> {
    #[serde(borrow)]
    pub gpu_name: Literal<'a>,
    /// Bytes of one card.
    #[serde(borrow)]
    pub gpu_memory: Literal<'a>,
}

/// Local disks, in bytes; 0 = there are none, a block volume must be bought.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Constraint<'a> {
    #[serde(borrow)]
    pub max_size: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Network<'a> {
    /// Bits a second.
    #[serde(borrow)]
    pub sum_internet_bandwidth: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Stock<'a> {
    /// `available`, `scarce` or `shortage`.
    #[serde(borrow)]
    pub availability: Literal<'a>,
}

/// A machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Server<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub commercial_type: Literal<'a>,
    #[serde(borrow)]
    pub tags: Option<List<Literal<'a>>>,
    /// `stopped in place` has spaces on the wire.
    #[serde(borrow)]
    pub state: Literal<'a>,
    #[serde(borrow)]
    pub state_detail: Literal<'a>,
    #[serde(borrow)]
    pub protected: Literal<'a>,
    #[serde(borrow)]
    pub public_ips: Option<List<Ip<'a>>>,
    #[serde(borrow)]
    pub creation_date: Literal<'a>,
    #[serde(borrow)]
    pub volumes: Option<BTreeMap<String, Block<Volume<'a>>>>,
    #[serde(borrow)]
    pub maintenances: Option<List<Literal<'a>>>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
}

/// The tags of a server as they stand there, to be written back.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tagged<'a> {
    #[serde(borrow)]
    pub tags: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Ip<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub address: Literal<'a>,
    /// `inet` or `inet6`.
    #[serde(borrow)]
    pub family: Literal<'a>,
    /// Of an address of the account: the machine it is at; null where it is at none.
    #[serde(borrow)]
    pub server: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Volume<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// Bytes; null for a block volume inside an answer about its machine.
    #[serde(borrow)]
    pub size: Literal<'a>,
    /// `sbs_volume`, `l_ssd`, `scratch`.
    #[serde(borrow)]
    pub volume_type: Literal<'a>,
    /// Of a block volume: what uses it.
    #[serde(borrow)]
    pub references: Option<List<Literal<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OneServer<'a> {
    #[serde(borrow)]
    pub server: &'a RawValue,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Volumes<'a> {
    #[serde(borrow)]
    pub volumes: Option<Vec<Volume<'a>>>,
    #[serde(borrow)]
    pub total_count: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Charges<'a> {
    #[serde(borrow)]
    pub charges: Option<Vec<&'a RawValue>>,
    /// Of all pages, where it is told.
    #[serde(borrow)]
    pub total_count: Literal<'a>,
    /// Absent on the last page.
    #[serde(borrow)]
    pub next_page_token: Literal<'a>,
}

/// What a resource cost in a time.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Charge<'a> {
    /// Without a zone.
    #[serde(borrow)]
    pub resource_id: Literal<'a>,
    /// Absent where the product does not tell it.
    #[serde(borrow)]
    pub resource_name: Literal<'a>,
    #[serde(borrow)]
    pub price: Literal<'a>,
    #[serde(borrow)]
    pub start_date: Literal<'a>,
    #[serde(borrow)]
    pub end_date: Literal<'a>,
}

/// Google's form of an amount: both parts have the same sign, and what is nothing may be absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Money<'a> {
    #[serde(borrow)]
    pub currency_code: Literal<'a>,
    #[serde(borrow)]
    pub units: Literal<'a>,
    #[serde(borrow)]
    pub nanos: Literal<'a>,
}
