//! What the API answers, as it stands on the wire (<https://docs.digitalocean.com/reference/api/>).

use serde::Deserialize;

use crate::http::{Block, List, Literal};

/// Where a list goes on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Links<'a> {
    #[serde(borrow)]
    pub pages: Option<LinkPages<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LinkPages<'a> {
    /// Absent on the last page.
    #[serde(borrow)]
    pub next: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Meta<'a> {
    /// Rows of all pages.
    #[serde(borrow)]
    pub total: Literal<'a>,
}

/// A size: what can be rented.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Size<'a> {
    #[serde(borrow)]
    pub slug: Literal<'a>,
    /// MB of 2²⁰ bytes: 245760 is 240 GiB.
    #[serde(borrow)]
    pub memory: Literal<'a>,
    #[serde(borrow)]
    pub vcpus: Literal<'a>,
    /// GB of the boot disk.
    #[serde(borrow)]
    pub disk: Literal<'a>,
    /// USD for the whole machine.
    #[serde(borrow)]
    pub price_hourly: Literal<'a>,
    /// Empty where it cannot be made now.
    #[serde(borrow)]
    pub regions: Option<List<Literal<'a>>>,
    #[serde(borrow)]
    pub available: Literal<'a>,
    /// Mbit/s; real answers have it, the specification does not.
    #[serde(borrow)]
    pub networking_throughput: Literal<'a>,
    /// Absent on sizes without a card.
    #[serde(borrow)]
    pub gpu_info: Option<GpuInfo<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GpuInfo<'a> {
    #[serde(borrow)]
    pub count: Literal<'a>,
    /// `nvidia_h100`.
    #[serde(borrow)]
    pub model: Literal<'a>,
    #[serde(borrow)]
    pub vram: Option<Amount<'a>>,
}

/// The memory of all cards together.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Amount<'a> {
    #[serde(borrow)]
    pub amount: Literal<'a>,
    #[serde(borrow)]
    pub unit: Literal<'a>,
}

/// A machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Droplet<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    /// An action is in progress.
    #[serde(borrow)]
    pub locked: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    #[serde(borrow)]
    pub disk: Literal<'a>,
    #[serde(borrow)]
    pub networks: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub size: Literal<'a>,
    #[serde(borrow)]
    pub gpu_info: Option<GpuInfo<'a>>,
    /// Absent for a key without `tag:read`.
    #[serde(borrow)]
    pub tags: Option<List<Literal<'a>>>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Networks<'a> {
    #[serde(borrow)]
    pub v4: Option<Vec<Network<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Network<'a> {
    #[serde(borrow)]
    pub ip_address: Literal<'a>,
    /// `public` or `private`, in any order.
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Region<'a> {
    #[serde(borrow)]
    pub slug: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Made<'a> {
    #[serde(borrow)]
    pub droplet: Block<Droplet<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Action<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SshKey<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub public_key: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AccountBox<'a> {
    #[serde(borrow)]
    pub account: Block<AccountInfo<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AccountInfo<'a> {
    #[serde(borrow)]
    pub email: Literal<'a>,
    /// `active`, `warning` or `locked`.
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub status_message: Literal<'a>,
    #[serde(borrow)]
    pub droplet_limit: Literal<'a>,
}

/// USD in texts; above zero is owed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Balance<'a> {
    #[serde(borrow)]
    pub month_to_date_balance: Literal<'a>,
}

/// A volume, a snapshot or a reserved address: what stays without a machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Kept<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub ip: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub size_gigabytes: Literal<'a>,
    /// Of a volume: the machine that has it, or none.
    #[serde(borrow)]
    pub droplet_ids: Literal<'a>,
    /// Of an address: the machine it points to; null where it points nowhere, which is when it costs.
    #[serde(borrow)]
    pub droplet: Literal<'a>,
}

/// The invoices; the running month's stands beside the list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Invoices<'a> {
    #[serde(borrow)]
    pub invoice_preview: Option<Invoice<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Invoice<'a> {
    #[serde(borrow)]
    pub invoice_uuid: Literal<'a>,
    /// `2026-11`.
    #[serde(borrow)]
    pub invoice_period: Literal<'a>,
}

/// A line of an invoice, in USD.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InvoiceItem<'a> {
    /// `Droplets`.
    #[serde(borrow)]
    pub product: Literal<'a>,
    /// Of a Droplet its number; empty where it is of no one thing.
    #[serde(borrow)]
    pub resource_id: Literal<'a>,
    /// A text; below zero for a credit.
    #[serde(borrow)]
    pub amount: Literal<'a>,
    #[serde(borrow)]
    pub start_time: Literal<'a>,
    #[serde(borrow)]
    pub end_time: Literal<'a>,
}
