//! What the API answers, as it stands on the wire (<https://www.vultr.com/api/>). The published description lacks the
//! price by the hour and everything about cards, which real answers have.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{List, Literal};

/// Any list: the rows stand under one of these names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Page<'a> {
    #[serde(borrow)]
    pub plans: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub plans_metal: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub regions: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub instances: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub bare_metals: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub ssh_keys: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub blocks: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub reserved_ips: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub snapshots: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub billing_invoices: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub invoice_items: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub pending_charges: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    pub meta: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Meta<'a> {
    #[serde(borrow)]
    pub total: Literal<'a>,
    #[serde(borrow)]
    pub links: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Links<'a> {
    /// A token, no address; empty at the end.
    #[serde(borrow)]
    pub next: Literal<'a>,
}

/// A plan of a virtual machine or of bare metal.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Plan<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub vcpu_count: Literal<'a>,
    /// Of bare metal.
    #[serde(borrow)]
    pub cpu_threads: Literal<'a>,
    /// Of bare metal, where the threads are not told.
    #[serde(borrow)]
    pub cpu_count: Literal<'a>,
    /// MiB, although called MB.
    #[serde(borrow)]
    pub ram: Literal<'a>,
    /// GB of each disk.
    #[serde(borrow)]
    pub disk: Literal<'a>,
    #[serde(borrow)]
    pub disk_count: Literal<'a>,
    #[serde(borrow)]
    pub monthly_cost: Literal<'a>,
    #[serde(borrow)]
    pub hourly_cost: Literal<'a>,
    #[serde(borrow)]
    pub hourly_cost_preemptible: Literal<'a>,
    /// `vcg`, or the kind of disk of bare metal.
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
    /// `NVIDIA_A100`.
    #[serde(borrow)]
    pub gpu_type: Literal<'a>,
    /// Of the plan in total.
    #[serde(borrow)]
    pub gpu_vram_gb: Literal<'a>,
    #[serde(borrow)]
    pub gpu_count: Literal<'a>,
    /// Where it may be; empty where it is not sold now.
    #[serde(borrow)]
    pub locations: Literal<'a>,
    /// Absent means yes.
    #[serde(borrow)]
    pub deploy_ondemand: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Region<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// ISO 3166-1 alpha-2.
    #[serde(borrow)]
    pub country: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Availability<'a> {
    #[serde(borrow)]
    pub available_plans: Option<List<Literal<'a>>>,
}

/// A machine in an envelope of its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct One<'a> {
    #[serde(borrow)]
    pub instance: Option<&'a RawValue>,
    #[serde(borrow)]
    pub bare_metal: Option<&'a RawValue>,
    /// So called in the published description.
    #[serde(borrow)]
    pub baremetal: Option<&'a RawValue>,
    #[serde(borrow)]
    pub ssh_key: Option<SshKey<'a>>,
}

/// A machine. Its first password and its console are secret and never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub label: Literal<'a>,
    #[serde(borrow)]
    pub tags: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub power_status: Literal<'a>,
    #[serde(borrow)]
    pub server_status: Literal<'a>,
    /// `0.0.0.0` until it has one.
    #[serde(borrow)]
    pub main_ip: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
    #[serde(borrow)]
    pub user_scheme: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub plan: Literal<'a>,
    #[serde(borrow)]
    pub date_created: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SshKey<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub ssh_key: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Me<'a> {
    #[serde(borrow)]
    pub account: Option<AccountRow<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AccountRow<'a> {
    #[serde(borrow)]
    pub email: Literal<'a>,
    #[serde(borrow)]
    pub acls: Literal<'a>,
    /// Below zero where there is credit.
    #[serde(borrow)]
    pub balance: Literal<'a>,
    #[serde(borrow)]
    pub pending_charges: Literal<'a>,
}

/// A disk, an address or a snapshot.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Thing<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub label: Literal<'a>,
    #[serde(borrow)]
    pub description: Literal<'a>,
    #[serde(borrow)]
    pub subnet: Literal<'a>,
    /// Of a disk, a month.
    #[serde(borrow)]
    pub cost: Literal<'a>,
    #[serde(borrow)]
    pub size_gb: Literal<'a>,
    /// Of a snapshot, bytes.
    #[serde(borrow)]
    pub size: Literal<'a>,
    #[serde(borrow)]
    pub attached_to_instance: Literal<'a>,
    #[serde(borrow)]
    pub instance_id: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Invoice<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// `2021-10-10 00:00:00+00:00`: a day after those it bills.
    #[serde(borrow)]
    pub date: Literal<'a>,
}

/// A line of an invoice, or one that is still to come into one. In USD.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    /// `198.51.100.9 (8192 MB) [label]` of a machine; the label of anything else stands in round brackets.
    #[serde(borrow)]
    pub description: Literal<'a>,
    #[serde(borrow)]
    pub product: Literal<'a>,
    /// `2021-09-15 00:00:00+00:00`, in places without the offset.
    #[serde(borrow)]
    pub start_date: Literal<'a>,
    #[serde(borrow)]
    pub end_date: Literal<'a>,
    /// Below zero for a discount.
    #[serde(borrow)]
    pub total: Literal<'a>,
}
