//! The messages about what can be had: platforms, prices, advice on what is free; see [`super::wire`].

use prost::Message;

use super::wire::{Any, Metadata};

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
