//! The messages of the calls that are made here, with the fields that are used: names and numbers as in the public
//! definitions (<https://github.com/nebius/api>, MIT) and, for how a preemptible machine is priced, in the vendor's SDK
//! of autumn 2026. Fields that are not listed are passed over, and words of an enumeration stay numbers.

use std::collections::HashMap;

use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub(super) struct Time {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RpcStatus {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Metadata {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub parent_id: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(message, optional, tag = "5")]
    pub created_at: Option<Time>,
    #[prost(map = "string, string", tag = "7")]
    pub labels: HashMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Operation {
    #[prost(string, tag = "7")]
    pub resource_id: String,
    /// Set once it is over.
    #[prost(message, optional, tag = "10")]
    pub status: Option<RpcStatus>,
}

/// What went wrong, in detail; of its parts one is there.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ServiceError {
    #[prost(string, tag = "2")]
    pub code: String,
    #[prost(message, optional, tag = "110")]
    pub bad_resource_state: Option<Empty>,
    #[prost(message, optional, tag = "111")]
    pub resource_not_found: Option<Empty>,
    #[prost(message, optional, tag = "120")]
    pub permission_denied: Option<Empty>,
    #[prost(message, optional, tag = "130")]
    pub resource_conflict: Option<Empty>,
    #[prost(message, optional, tag = "131")]
    pub operation_aborted: Option<Empty>,
    #[prost(message, optional, tag = "132")]
    pub operation_conflict: Option<Empty>,
    #[prost(message, optional, tag = "140")]
    pub too_many_requests: Option<Empty>,
    #[prost(message, optional, tag = "141")]
    pub quota_failure: Option<Violations>,
    #[prost(message, optional, tag = "142")]
    pub not_enough_resources: Option<Violations>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Violations {
    #[prost(message, repeated, tag = "1")]
    pub violations: Vec<Violation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Violation {
    /// The quota, or the kind of resource.
    #[prost(string, tag = "1")]
    pub what: String,
    #[prost(string, tag = "2")]
    pub message: String,
}

/// The question of every list but that of platforms.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ListRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ListPlatformsRequest {
    #[prost(int64, tag = "1")]
    pub page_size: i64,
    #[prost(string, tag = "2")]
    pub page_token: String,
    #[prost(string, tag = "3")]
    pub parent_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Id {
    #[prost(string, tag = "1")]
    pub id: String,
}

/// The answer of every list: rows, each as it stands on the wire, so that one that cannot be read costs no other.
#[derive(Clone, PartialEq, Message)]
pub(super) struct List {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub items: Vec<Vec<u8>>,
    /// Empty on the last page.
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Project {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<ProjectStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProjectStatus {
    #[prost(string, tag = "4")]
    pub region: String,
}

/// A subnet, of which only the name is used here.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Named {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Platform {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<PlatformSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<PlatformStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PlatformSpec {
    #[prost(message, repeated, tag = "1")]
    pub presets: Vec<Preset>,
    /// The same number as in `gpu_memory_gigabytes` under another unit; the older services have only this one.
    #[prost(int32, tag = "11")]
    pub gpu_memory_gibibytes: i32,
    #[prost(int32, tag = "12")]
    pub gpu_memory_gigabytes: i32,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct PlatformStatus {
    #[prost(bool, tag = "3")]
    pub allowed_for_preemptibles: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Preset {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub resources: Option<PresetResources>,
    #[prost(bool, tag = "3")]
    pub allow_gpu_clustering: bool,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct PresetResources {
    #[prost(int32, tag = "1")]
    pub vcpu_count: i32,
    #[prost(int32, tag = "3")]
    pub memory_gibibytes: i32,
    #[prost(int32, tag = "4")]
    pub gpu_count: i32,
}

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
pub(super) struct EstimateRequest {
    #[prost(message, repeated, tag = "1")]
    pub resource_specs: Vec<Priced>,
    #[prost(message, optional, tag = "20")]
    pub units: Option<Units>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Priced {
    #[prost(message, optional, tag = "1")]
    pub spec: Option<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Units {
    #[prost(int32, repeated, tag = "1")]
    pub values: Vec<i32>,
}

pub(super) const HOUR: i32 = 2;

#[derive(Clone, PartialEq, Message)]
pub(super) struct EstimateResponse {
    #[prost(message, repeated, tag = "10")]
    pub total_costs: Vec<TotalCost>,
    #[prost(string, tag = "20")]
    pub currency: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TotalCost {
    #[prost(message, optional, tag = "1")]
    pub unit: Option<Unit>,
    #[prost(message, optional, tag = "20")]
    pub general: Option<GeneralCost>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Unit {
    #[prost(string, tag = "1")]
    pub unit: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct GeneralCost {
    #[prost(message, optional, tag = "1")]
    pub total: Option<Cost>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Cost {
    /// A decimal.
    #[prost(string, tag = "2")]
    pub cost: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Advice {
    #[prost(message, optional, tag = "2")]
    pub spec: Option<AdviceSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<AdviceStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AdviceSpec {
    #[prost(string, tag = "1")]
    pub region: String,
    #[prost(message, optional, tag = "10")]
    pub compute_instance: Option<AdviceInstance>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AdviceInstance {
    #[prost(string, tag = "1")]
    pub platform: String,
    #[prost(message, optional, tag = "2")]
    pub preset: Option<AdvicePreset>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AdvicePreset {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AdviceStatus {
    #[prost(message, optional, tag = "2")]
    pub on_demand: Option<Availability>,
    #[prost(message, optional, tag = "3")]
    pub preemptible: Option<Availability>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Availability {
    /// 1 fresh, 2 stale, 10 unknown.
    #[prost(int32, tag = "1")]
    pub data_state: i32,
    /// How many, as far as the account's own limit allows.
    #[prost(uint32, tag = "2")]
    pub available: u32,
    /// 1 high, 2 medium, 3 low, 4 limit reached, 5 unknown.
    #[prost(int32, tag = "5")]
    pub level: i32,
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
