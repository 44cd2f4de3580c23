//! The messages of the simulated services, typed off their public definitions (github.com/nebius/api of August 2026) and,
//! for the kinds of price of a machine, off the vendor's SDK of autumn 2026. Enumerations are numbers here.

#![expect(missing_docs, reason = "the definitions document them")]

use std::collections::HashMap;

use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub struct RpcStatus {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Nothing {}

#[derive(Clone, PartialEq, Message)]
pub struct AggregationUnit {
    #[prost(string, tag = "1")]
    pub unit: String,
    #[prost(int32, tag = "2")]
    pub unit_type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct AttachedDiskSpec {
    #[prost(int32, tag = "1")]
    pub attach_mode: i32,
    #[prost(message, optional, tag = "2")]
    pub existing_disk: Option<ExistingDisk>,
    #[prost(message, optional, tag = "4")]
    pub managed_disk: Option<ManagedDisk>,
    #[prost(string, optional, tag = "3")]
    pub device_id: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ComputeInstanceDetails {
    #[prost(string, tag = "1")]
    pub platform: String,
    #[prost(message, optional, tag = "2")]
    pub preset: Option<ComputeInstanceDetailsPreset>,
    #[prost(int32, tag = "3")]
    pub gpu_memory_gigabytes: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct ComputeInstanceDetailsPreset {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub resources: Option<ComputeInstanceDetailsPresetResources>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ComputeInstanceDetailsPresetResources {
    #[prost(int32, tag = "1")]
    pub vcpu_count: i32,
    #[prost(int32, tag = "2")]
    pub memory_gibibytes: i32,
    #[prost(int32, tag = "3")]
    pub gpu_count: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Container {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<ContainerStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ContainerStatus {
    #[prost(int32, tag = "2")]
    pub suspension_state: i32,
    #[prost(int32, tag = "3")]
    pub container_state: i32,
    #[prost(string, tag = "4")]
    pub region: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct CostBreakdown {
    #[prost(string, tag = "2")]
    pub cost: String,
    #[prost(string, tag = "3")]
    pub cost_rounded: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct CreateInstanceRequest {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<InstanceSpec>,
}

#[derive(Clone, PartialEq, Message)]
pub struct DeleteInstanceRequest {
    #[prost(string, tag = "1")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Disk {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<DiskSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<DiskStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub struct DiskSpec {
    #[prost(int64, optional, tag = "1")]
    pub size_bytes: Option<i64>,
    #[prost(int64, optional, tag = "2")]
    pub size_kibibytes: Option<i64>,
    #[prost(int64, optional, tag = "3")]
    pub size_mebibytes: Option<i64>,
    #[prost(int64, optional, tag = "4")]
    pub size_gibibytes: Option<i64>,
    #[prost(int64, optional, tag = "5")]
    pub block_size_bytes: Option<i64>,
    #[prost(int32, tag = "6")]
    pub r#type: i32,
    #[prost(string, optional, tag = "8")]
    pub source_image_id: Option<String>,
    #[prost(message, optional, tag = "10")]
    pub source_image_family: Option<SourceImageFamily>,
    #[prost(string, optional, tag = "13")]
    pub source_snapshot_id: Option<String>,
    #[prost(bool, tag = "12")]
    pub forbid_deletion: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct DiskStatus {
    #[prost(int32, tag = "1")]
    pub state: i32,
    #[prost(string, tag = "2")]
    pub state_description: String,
    #[prost(string, tag = "3")]
    pub read_write_attachment: String,
    #[prost(string, repeated, tag = "4")]
    pub read_only_attachments: Vec<String>,
    #[prost(string, tag = "5")]
    pub source_image_id: String,
    #[prost(int64, tag = "6")]
    pub size_bytes: i64,
    #[prost(bool, tag = "7")]
    pub reconciling: bool,
    #[prost(int64, tag = "8")]
    pub block_size_bytes: i64,
    #[prost(int32, tag = "9")]
    pub source_image_cpu_architecture: i32,
    #[prost(message, optional, tag = "11")]
    pub lock_state: Option<DiskStatusLockState>,
    #[prost(string, tag = "12")]
    pub managed_by: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct DiskStatusLockState {
    #[prost(string, repeated, tag = "1")]
    pub images: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub snapshots: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EstimateBatchRequest {
    #[prost(message, repeated, tag = "1")]
    pub resource_specs: Vec<ResourceSpec>,
    #[prost(int32, repeated, tag = "10")]
    pub offer_types: Vec<i32>,
    #[prost(string, tag = "11")]
    pub currency: String,
    #[prost(message, optional, tag = "20")]
    pub filter_aggregation_unit: Option<FilterAggregationUnit>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EstimateBatchResponse {
    #[prost(message, repeated, tag = "10")]
    pub total_costs: Vec<TotalCost>,
    #[prost(string, tag = "20")]
    pub currency: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ExistingDisk {
    #[prost(string, tag = "1")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct FilterAggregationUnit {
    #[prost(int32, repeated, tag = "1")]
    pub filter_aggregation_unit_values: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct GeneralResourceCost {
    #[prost(message, optional, tag = "1")]
    pub total: Option<CostBreakdown>,
}

#[derive(Clone, PartialEq, Message)]
pub struct GetInstanceRequest {
    #[prost(string, tag = "1")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct IPAddress {
    #[prost(string, tag = "1")]
    pub allocation_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct IPAddressStatus {
    #[prost(string, tag = "1")]
    pub address: String,
    #[prost(string, tag = "2")]
    pub allocation_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Instance {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<InstanceSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<InstanceStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub struct InstanceSpec {
    #[prost(string, tag = "1")]
    pub service_account_id: String,
    #[prost(message, optional, tag = "2")]
    pub resources: Option<ResourcesSpec>,
    #[prost(message, repeated, tag = "4")]
    pub network_interfaces: Vec<NetworkInterfaceSpec>,
    #[prost(message, optional, tag = "5")]
    pub boot_disk: Option<AttachedDiskSpec>,
    #[prost(message, repeated, tag = "6")]
    pub secondary_disks: Vec<AttachedDiskSpec>,
    #[prost(string, tag = "8")]
    pub cloud_init_user_data: String,
    #[prost(bool, tag = "13")]
    pub stopped: bool,
    #[prost(int32, tag = "15")]
    pub recovery_policy: i32,
    #[prost(message, optional, tag = "19")]
    pub preemptible: Option<PreemptibleSpec>,
    #[prost(string, tag = "20")]
    pub hostname: String,
    #[prost(string, tag = "21")]
    pub nvl_instance_group_id: String,
    #[prost(message, optional, tag = "23")]
    pub reservation_policy: Option<ReservationPolicy>,
    #[prost(message, optional, tag = "25")]
    pub on_demand: Option<Nothing>,
    #[prost(message, optional, tag = "26")]
    pub follows_spot_price: Option<Nothing>,
}

#[derive(Clone, PartialEq, Message)]
pub struct InstanceStatus {
    #[prost(int32, tag = "1")]
    pub state: i32,
    #[prost(message, repeated, tag = "2")]
    pub network_interfaces: Vec<NetworkInterfaceStatus>,
    #[prost(bool, tag = "5")]
    pub reconciling: bool,
    #[prost(string, tag = "7")]
    pub maintenance_event_id: String,
    #[prost(string, optional, tag = "12")]
    pub reservation_id: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListDisksRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
    #[prost(string, tag = "4")]
    pub filter: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListDisksResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<Disk>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListInstancesRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListInstancesResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<Instance>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListPlatformsRequest {
    #[prost(int64, tag = "1")]
    pub page_size: i64,
    #[prost(string, tag = "2")]
    pub page_token: String,
    #[prost(string, tag = "3")]
    pub parent_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListPlatformsResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<Platform>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListProjectsRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
    #[prost(string, tag = "4")]
    pub filter: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListProjectsResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<Container>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListResourceAdviceRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListResourceAdviceResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<ResourceAdvice>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListSubnetsRequest {
    #[prost(string, tag = "1")]
    pub parent_id: String,
    #[prost(int64, tag = "2")]
    pub page_size: i64,
    #[prost(string, tag = "3")]
    pub page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ListSubnetsResponse {
    #[prost(message, repeated, tag = "1")]
    pub items: Vec<Subnet>,
    #[prost(string, tag = "2")]
    pub next_page_token: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ManagedDisk {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(map = "string, string", tag = "2")]
    pub labels: HashMap<String, String>,
    #[prost(message, optional, tag = "4")]
    pub spec: Option<DiskSpec>,
}

#[derive(Clone, PartialEq, Message)]
pub struct NetworkInterfaceSpec {
    #[prost(string, tag = "1")]
    pub subnet_id: String,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, optional, tag = "3")]
    pub ip_address: Option<IPAddress>,
    #[prost(message, optional, tag = "4")]
    pub public_ip_address: Option<PublicIPAddress>,
}

#[derive(Clone, PartialEq, Message)]
pub struct NetworkInterfaceStatus {
    #[prost(int32, tag = "1")]
    pub index: i32,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, optional, tag = "3")]
    pub ip_address: Option<IPAddressStatus>,
    #[prost(message, optional, tag = "4")]
    pub public_ip_address: Option<PublicIPAddressStatus>,
    #[prost(string, tag = "7")]
    pub mac_address: String,
    #[prost(string, tag = "9")]
    pub fqdn: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct NotEnoughResources {
    #[prost(message, repeated, tag = "1")]
    pub violations: Vec<NotEnoughResourcesViolation>,
}

#[derive(Clone, PartialEq, Message)]
pub struct NotEnoughResourcesViolation {
    #[prost(string, tag = "1")]
    pub resource_type: String,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(string, tag = "3")]
    pub requested: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Operation {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub description: String,
    #[prost(message, optional, tag = "3")]
    pub created_at: Option<Timestamp>,
    #[prost(string, tag = "4")]
    pub created_by: String,
    #[prost(message, optional, tag = "5")]
    pub finished_at: Option<Timestamp>,
    #[prost(message, optional, tag = "6")]
    pub request: Option<Any>,
    #[prost(string, tag = "7")]
    pub resource_id: String,
    #[prost(message, optional, tag = "10")]
    pub status: Option<RpcStatus>,
    #[prost(message, optional, tag = "9")]
    pub progress_data: Option<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub struct OperationConflict {
    #[prost(string, tag = "1")]
    pub conflicting_operation_id: String,
    #[prost(string, tag = "2")]
    pub resource_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct OperationRequestHeader {
    #[prost(string, repeated, tag = "1")]
    pub values: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Platform {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<PlatformSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<PlatformStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PlatformSpec {
    #[prost(message, repeated, tag = "1")]
    pub presets: Vec<Preset>,
    #[prost(string, tag = "3")]
    pub gpu_count_quota_type: String,
    #[prost(string, tag = "4")]
    pub human_readable_name: String,
    #[prost(bool, tag = "5")]
    pub allow_preset_change: bool,
    #[prost(string, tag = "10")]
    pub short_human_readable_name: String,
    #[prost(int32, tag = "11")]
    pub gpu_memory_gibibytes: i32,
    #[prost(int32, tag = "12")]
    pub gpu_memory_gigabytes: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct PlatformStatus {
    #[prost(bool, tag = "3")]
    pub allowed_for_preemptibles: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct PreemptibleSpec {
    #[prost(int32, tag = "1")]
    pub on_preemption: i32,
    #[prost(int32, tag = "2")]
    pub priority: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Preset {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub resources: Option<PresetResources>,
    #[prost(bool, tag = "3")]
    pub allow_gpu_clustering: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct PresetResources {
    #[prost(int32, tag = "1")]
    pub vcpu_count: i32,
    #[prost(int32, tag = "3")]
    pub memory_gibibytes: i32,
    #[prost(int32, tag = "4")]
    pub gpu_count: i32,
    #[prost(int32, tag = "6")]
    pub gpu_memory_gibibytes: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct PublicIPAddress {
    #[prost(string, optional, tag = "1")]
    pub allocation_id: Option<String>,
    #[prost(bool, optional, tag = "3")]
    pub fixed: Option<bool>,
}

#[derive(Clone, PartialEq, Message)]
pub struct PublicIPAddressStatus {
    #[prost(string, tag = "1")]
    pub address: String,
    #[prost(string, tag = "2")]
    pub allocation_id: String,
    #[prost(bool, tag = "3")]
    pub fixed: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct QuotaFailure {
    #[prost(message, repeated, tag = "1")]
    pub violations: Vec<QuotaFailureViolation>,
}

#[derive(Clone, PartialEq, Message)]
pub struct QuotaFailureViolation {
    #[prost(string, tag = "1")]
    pub quota: String,
    #[prost(string, tag = "2")]
    pub message: String,
    #[prost(string, tag = "3")]
    pub limit: String,
    #[prost(string, tag = "4")]
    pub requested: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReservationPolicy {
    #[prost(int32, tag = "1")]
    pub policy: i32,
    #[prost(string, repeated, tag = "2")]
    pub reservation_ids: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceAdvice {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
    #[prost(message, optional, tag = "2")]
    pub spec: Option<ResourceAdviceSpec>,
    #[prost(message, optional, tag = "3")]
    pub status: Option<ResourceAdviceStatus>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceAdviceSpec {
    #[prost(string, tag = "1")]
    pub region: String,
    #[prost(string, tag = "2")]
    pub fabric: String,
    #[prost(message, optional, tag = "10")]
    pub compute_instance: Option<ComputeInstanceDetails>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceAdviceStatus {
    #[prost(message, optional, tag = "1")]
    pub reserved: Option<ResourceAdviceStatusAvailability>,
    #[prost(message, optional, tag = "2")]
    pub on_demand: Option<ResourceAdviceStatusAvailability>,
    #[prost(message, optional, tag = "3")]
    pub preemptible: Option<ResourceAdviceStatusAvailability>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceAdviceStatusAvailability {
    #[prost(int32, tag = "1")]
    pub data_state: i32,
    #[prost(uint32, tag = "2")]
    pub available: u32,
    #[prost(uint32, tag = "4")]
    pub limit: u32,
    #[prost(int32, tag = "5")]
    pub availability_level: i32,
    #[prost(message, optional, tag = "10")]
    pub effective_at: Option<Timestamp>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceMetadata {
    #[prost(string, tag = "1")]
    pub id: String,
    #[prost(string, tag = "2")]
    pub parent_id: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(int64, tag = "4")]
    pub resource_version: i64,
    #[prost(message, optional, tag = "5")]
    pub created_at: Option<Timestamp>,
    #[prost(message, optional, tag = "6")]
    pub updated_at: Option<Timestamp>,
    #[prost(map = "string, string", tag = "7")]
    pub labels: HashMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourceSpec {
    #[prost(message, optional, tag = "1")]
    pub spec: Option<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ResourcesSpec {
    #[prost(string, tag = "1")]
    pub platform: String,
    #[prost(string, optional, tag = "2")]
    pub preset: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ServiceError {
    #[prost(string, tag = "1")]
    pub service: String,
    #[prost(string, tag = "2")]
    pub code: String,
    #[prost(message, optional, tag = "132")]
    pub operation_conflict: Option<OperationConflict>,
    #[prost(message, optional, tag = "140")]
    pub too_many_requests: Option<TooManyRequests>,
    #[prost(message, optional, tag = "141")]
    pub quota_failure: Option<QuotaFailure>,
    #[prost(message, optional, tag = "142")]
    pub not_enough_resources: Option<NotEnoughResources>,
    #[prost(int32, tag = "30")]
    pub retry_type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct SourceImageFamily {
    #[prost(string, tag = "1")]
    pub image_family: String,
    #[prost(string, tag = "2")]
    pub parent_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct StartInstanceRequest {
    #[prost(string, tag = "1")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct StopInstanceRequest {
    #[prost(string, tag = "1")]
    pub id: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Subnet {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<ResourceMetadata>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TooManyRequests {
    #[prost(string, tag = "1")]
    pub violation: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct TotalCost {
    #[prost(message, optional, tag = "1")]
    pub aggregation_unit: Option<AggregationUnit>,
    #[prost(message, optional, tag = "20")]
    pub general: Option<GeneralResourceCost>,
}
