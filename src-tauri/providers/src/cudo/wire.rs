//! The lists as they are sent. In protobuf's JSON a zero, false or empty field may be left out, and whole numbers may
//! be text.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{List, Literal};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MachineTypes<'a> {
    #[serde(borrow, default)]
    pub machine_types: Option<Vec<&'a RawValue>>,
}

/// A type of machine in one data centre.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MachineType<'a> {
    #[serde(borrow)]
    pub data_center_id: Literal<'a>,
    #[serde(borrow)]
    pub machine_type: Literal<'a>,
    /// Free text with remarks in brackets; empty for a plain machine.
    #[serde(borrow)]
    pub gpu_model: Literal<'a>,
    #[serde(borrow)]
    pub gpu_model_id: Literal<'a>,
    /// Amounts are an [`Amount`] each.
    #[serde(borrow)]
    pub gpu_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub vcpu_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub memory_gib_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub min_storage_gib_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub ipv4_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub prices: Option<List<TermPrice<'a>>>,
    #[serde(borrow)]
    pub min_vcpu: Literal<'a>,
    #[serde(borrow)]
    pub min_memory_gib: Literal<'a>,
    #[serde(borrow)]
    pub min_vcpu_per_gpu: Literal<'a>,
    #[serde(borrow)]
    pub max_vcpu_per_gpu: Literal<'a>,
    #[serde(borrow)]
    pub min_vcpu_per_memory_gib: Literal<'a>,
    #[serde(borrow)]
    pub max_vcpu_per_memory_gib: Literal<'a>,
    /// The most cards free on one host; absent for none.
    #[serde(borrow)]
    pub max_gpu_free: Literal<'a>,
}

/// Prices for who stays that long.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TermPrice<'a> {
    #[serde(borrow)]
    pub commitment_term: Literal<'a>,
    #[serde(borrow)]
    pub gpu_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub vcpu_price_hr: Literal<'a>,
    #[serde(borrow)]
    pub memory_gib_price_hr: Literal<'a>,
}

/// A decimal as text inside an object.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
pub(super) struct Amount<'a> {
    #[serde(borrow)]
    pub value: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GpuModels<'a> {
    #[serde(borrow)]
    pub gpu_models: List<GpuModel<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GpuModel<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub memory_gib: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DataCenters<'a> {
    #[serde(borrow)]
    pub data_centers: List<DataCenter<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DataCenter<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// Who runs it.
    #[serde(borrow)]
    pub supplier_name: Literal<'a>,
    /// Public addresses left.
    #[serde(borrow)]
    pub ipv4_free: Literal<'a>,
}
