//! The messages about machines and their disks; see [`super::wire`].

use prost::Message;

use super::wire::{Empty, Metadata};

/// The making of a machine, and what a price is asked for.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Instance {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<InstanceSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<InstanceStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct InstanceSpec {
    #[prost(message, optional, tag = "2")]
    pub resources: Option<Resources>,
    #[prost(message, repeated, tag = "4")]
    pub network_interfaces: Vec<Interface>,
    #[prost(message, optional, tag = "5")]
    pub boot_disk: Option<AttachedDisk>,
    #[prost(string, tag = "8")]
    pub cloud_init_user_data: String,
    /// Whether it shall stand.
    #[prost(bool, tag = "13")]
    pub stopped: bool,
    #[prost(int32, tag = "15")]
    pub recovery_policy: i32,
    #[prost(message, optional, tag = "19")]
    pub preemptible: Option<Preemptible>,
    #[prost(message, optional, tag = "23")]
    pub reservation_policy: Option<ReservationPolicy>,
    /// Takes the price of a preemptible machine as it moves; older services pass it over.
    #[prost(message, optional, tag = "26")]
    pub follows_spot_price: Option<Empty>,
}

/// A shutdown from inside is a failure: `FAIL` lets the machine stand, the default starts it again.
pub(super) const RECOVERY_FAIL: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Resources {
    #[prost(string, tag = "1")]
    pub platform: String,
    #[prost(string, tag = "2")]
    pub preset: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Preemptible {
    #[prost(int32, tag = "1")]
    pub on_preemption: i32,
}

/// The only thing that can be asked for when a machine is taken back: it stands, and its disk is kept.
pub(super) const PREEMPTION_STOP: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReservationPolicy {
    #[prost(int32, tag = "1")]
    pub policy: i32,
}

/// Pay as you go: a reservation of the account is not touched.
pub(super) const RESERVATION_FORBID: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Interface {
    #[prost(string, tag = "1")]
    pub subnet_id: String,
    #[prost(string, tag = "2")]
    pub name: String,
    /// Must be there, though empty.
    #[prost(message, optional, tag = "3")]
    pub ip_address: Option<Empty>,
    #[prost(message, optional, tag = "4")]
    pub public_ip_address: Option<Empty>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AttachedDisk {
    #[prost(int32, tag = "1")]
    pub attach_mode: i32,
    #[prost(message, optional, tag = "4")]
    pub managed_disk: Option<ManagedDisk>,
}

pub(super) const READ_WRITE: i32 = 2;

/// A disk that ends with its machine.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ManagedDisk {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "4")]
    pub spec: Option<DiskSpec>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DiskSpec {
    #[prost(int64, tag = "4")]
    pub size_gibibytes: i64,
    #[prost(int32, tag = "6")]
    pub kind: i32,
    #[prost(message, optional, tag = "10")]
    pub source_image_family: Option<ImageFamily>,
}

pub(super) const NETWORK_SSD: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImageFamily {
    #[prost(string, tag = "1")]
    pub image_family: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct InstanceStatus {
    #[prost(int32, tag = "1")]
    pub state: i32,
    #[prost(message, repeated, tag = "2")]
    pub network_interfaces: Vec<InterfaceStatus>,
    #[prost(bool, tag = "5")]
    pub reconciling: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct InterfaceStatus {
    #[prost(message, optional, tag = "4")]
    pub public_ip_address: Option<Address>,
}

/// An address with its mask: `203.0.113.7/32`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Address {
    #[prost(string, tag = "1")]
    pub address: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Disk {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<DiskStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DiskStatus {
    /// The machine it is at.
    #[prost(string, tag = "3")]
    pub read_write_attachment: String,
    #[prost(string, repeated, tag = "4")]
    pub read_only_attachments: Vec<String>,
    #[prost(int64, tag = "6")]
    pub size_bytes: i64,
}
