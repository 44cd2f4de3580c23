//! What the API answers, as it stands on the wire (<https://docs.shadeform.ai/api-reference>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{List, Literal};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Types<'a> {
    #[serde(borrow)]
    pub instance_types: Option<Vec<&'a RawValue>>,
}

/// A type of one cloud. The live answer repeats parts of the configuration at this level; they are not read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InstanceType<'a> {
    /// The cloud whose iron it is.
    #[serde(borrow)]
    pub cloud: Literal<'a>,
    /// The name that a launch repeats.
    #[serde(borrow)]
    pub shade_instance_type: Literal<'a>,
    /// `vm`, `container` or `baremetal`.
    #[serde(borrow)]
    pub deployment_type: Literal<'a>,
    /// US cents for the whole machine, disk included.
    #[serde(borrow)]
    pub hourly_price: Literal<'a>,
    /// One entry a region.
    #[serde(borrow)]
    pub availability: Literal<'a>,
    #[serde(borrow)]
    pub configuration: Option<Configuration<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Configuration<'a> {
    #[serde(borrow)]
    pub gpu_type: Literal<'a>,
    /// 0 for a machine without cards.
    #[serde(borrow)]
    pub num_gpus: Literal<'a>,
    /// Of one card; 0 where nobody filled it in.
    #[serde(borrow)]
    pub vram_per_gpu_in_gb: Literal<'a>,
    /// The socket: `pcie`, `sxm5`. It says nothing of the network.
    #[serde(borrow)]
    pub interconnect: Literal<'a>,
    /// Absent is not said, not false.
    #[serde(borrow)]
    pub nvlink: Literal<'a>,
    #[serde(borrow)]
    pub memory_in_gb: Literal<'a>,
    #[serde(borrow)]
    pub vcpus: Literal<'a>,
    #[serde(borrow)]
    pub storage_in_gb: Literal<'a>,
    /// Names to launch with: `ubuntu22.04_cuda12.4_shade_os`.
    #[serde(borrow)]
    pub os_options: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Availability<'a> {
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub available: Literal<'a>,
    /// `US, Kansas City, KS`.
    #[serde(borrow)]
    pub display_name: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instances<'a> {
    #[serde(borrow)]
    pub instances: Option<Vec<&'a RawValue>>,
}

/// An instance. Its environment and launch configuration may hold secrets and are never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub cloud: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    /// False: in an account at the cloud itself, which bills it.
    #[serde(borrow)]
    pub shade_cloud: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub configuration: Option<Configuration<'a>>,
    /// An address or a DNS name; null or empty until active.
    #[serde(borrow)]
    pub ip: Literal<'a>,
    #[serde(borrow)]
    pub ssh_user: Literal<'a>,
    /// Null even in an active machine means 22.
    #[serde(borrow)]
    pub ssh_port: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub status_details: Literal<'a>,
    /// US cents.
    #[serde(borrow)]
    pub hourly_price: Literal<'a>,
    /// Plain texts, no pairs.
    #[serde(borrow)]
    pub tags: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    #[serde(borrow)]
    pub active_at: Literal<'a>,
    /// Told of a single instance only, not in the list.
    #[serde(borrow)]
    pub auto_delete: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AutoDelete<'a> {
    #[serde(borrow)]
    pub date_threshold: Literal<'a>,
    /// Dollars as text.
    #[serde(borrow)]
    pub spend_threshold: Literal<'a>,
}

/// The answer to anything that is made.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Made<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SshKeys<'a> {
    #[serde(borrow)]
    pub ssh_keys: Option<List<SshKey<'a>>>,
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
pub(super) struct Volumes<'a> {
    #[serde(borrow)]
    pub volumes: Option<List<Volume<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Volume<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub cloud: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub size_in_gb: Literal<'a>,
    /// The instance that has it; empty or null where none has.
    #[serde(borrow)]
    pub mounted_by: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VolumeTypes<'a> {
    #[serde(borrow)]
    pub volume_types: Option<List<VolumeType<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VolumeType<'a> {
    #[serde(borrow)]
    pub cloud: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    /// Dollars as text, in places without the leading zero.
    #[serde(borrow)]
    pub price_per_gb_per_hour: Literal<'a>,
}
