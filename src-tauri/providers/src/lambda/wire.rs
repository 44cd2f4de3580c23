//! What the API answers, as it stands on the wire (<https://docs.lambda.ai/api/cloud>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Block, Each, List, Literal};

/// Any success.
#[derive(Debug, Deserialize)]
pub(super) struct Data<'a> {
    #[serde(borrow, default)]
    pub data: Option<&'a RawValue>,
}

/// An entry of the map of instance types.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TypeItem<'a> {
    #[serde(borrow)]
    pub instance_type: Block<InstanceType<'a>>,
    /// Empty where it is sold out.
    #[serde(borrow)]
    pub regions_with_capacity_available: Option<Each<Region<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InstanceType<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// `H100 (80 GB SXM5)`; `N/A` where there is no card.
    #[serde(borrow)]
    pub gpu_description: Literal<'a>,
    /// US cents for the whole instance, disk included.
    #[serde(borrow)]
    pub price_cents_per_hour: Literal<'a>,
    #[serde(borrow)]
    pub specs: Block<Specs<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Specs<'a> {
    #[serde(borrow)]
    pub gpus: Literal<'a>,
    #[serde(borrow)]
    pub vcpus: Literal<'a>,
    #[serde(borrow)]
    pub memory_gib: Literal<'a>,
    #[serde(borrow)]
    pub storage_gib: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Region<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// `California, USA`.
    #[serde(borrow)]
    pub description: Literal<'a>,
}

/// An instance. Its Jupyter address and token are secret and never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// Absent until it has one.
    #[serde(borrow)]
    pub ip: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub region: Block<Region<'a>>,
    #[serde(borrow)]
    pub instance_type: Block<InstanceType<'a>>,
    #[serde(borrow)]
    pub tags: Option<List<Tag<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tag<'a> {
    #[serde(borrow)]
    pub key: Literal<'a>,
    #[serde(borrow)]
    pub value: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SshKey<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub public_key: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filesystem<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub bytes_used: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Launched {
    pub instance_ids: Vec<String>,
}
