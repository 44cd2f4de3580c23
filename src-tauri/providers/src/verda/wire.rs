//! What the API answers, as it stands on the wire (<https://api.verda.com/v1/docs>). Prices are texts, and numbers in
//! older answers.

use serde::Deserialize;

use crate::http::{List, Literal};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenAnswer<'a> {
    #[serde(borrow)]
    pub access_token: Literal<'a>,
    /// Seconds.
    #[serde(borrow)]
    pub expires_in: Literal<'a>,
}

/// A type of instance. Every figure is of the whole machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct InstanceType<'a> {
    /// `8H100.80S.176V`.
    #[serde(borrow)]
    pub instance_type: Literal<'a>,
    /// `H100`.
    #[serde(borrow)]
    pub model: Literal<'a>,
    /// `H100 SXM5 80GB`.
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub cpu: Literal<'a>,
    #[serde(borrow)]
    pub gpu: Literal<'a>,
    #[serde(borrow)]
    pub memory: Literal<'a>,
    /// Over all cards.
    #[serde(borrow)]
    pub gpu_memory: Literal<'a>,
    #[serde(borrow)]
    pub storage: Literal<'a>,
    /// Without disk.
    #[serde(borrow)]
    pub price_per_hour: Literal<'a>,
    #[serde(borrow)]
    pub spot_price: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
    /// Between the cards: `300 GB/s`.
    #[serde(borrow)]
    pub p2p: Literal<'a>,
}

/// Any of the parts of a machine: only the fields of its own are there.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub description: Literal<'a>,
    #[serde(borrow)]
    pub number_of_cores: Literal<'a>,
    #[serde(borrow)]
    pub number_of_gpus: Literal<'a>,
    #[serde(borrow)]
    pub size_in_gigabytes: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Available<'a> {
    #[serde(borrow)]
    pub location_code: Literal<'a>,
    #[serde(borrow)]
    pub availabilities: Option<List<Literal<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Location<'a> {
    #[serde(borrow)]
    pub code: Literal<'a>,
    #[serde(borrow)]
    pub country_code: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VolumeType<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
    #[serde(borrow)]
    pub price: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VolumePrice<'a> {
    #[serde(borrow)]
    pub price_per_month_per_gb: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
}

/// An instance. Its Jupyter token is secret and never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub hostname: Literal<'a>,
    #[serde(borrow)]
    pub description: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    /// Null until it has one.
    #[serde(borrow)]
    pub ip: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
    #[serde(borrow)]
    pub location: Literal<'a>,
    #[serde(borrow)]
    pub gpu: Literal<'a>,
    /// For all of its cards.
    #[serde(borrow)]
    pub price_per_hour: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
    #[serde(borrow)]
    pub is_spot: Literal<'a>,
    #[serde(borrow)]
    pub os_volume_id: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    /// Absent in older answers.
    #[serde(borrow)]
    pub tags: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tag<'a> {
    #[serde(borrow)]
    pub key: Literal<'a>,
    #[serde(borrow)]
    pub value: Literal<'a>,
}

/// What became of one instance of an action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ActionItem<'a> {
    #[serde(borrow, rename = "instanceId")]
    pub instance_id: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub error: Literal<'a>,
    #[serde(borrow, rename = "statusCode")]
    pub status_code: Literal<'a>,
}

/// A stored key or script.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Stored<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub key: Literal<'a>,
    #[serde(borrow)]
    pub script: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Balance<'a> {
    #[serde(borrow)]
    pub amount: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Volume<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// GB.
    #[serde(borrow)]
    pub size: Literal<'a>,
    /// Null where it is attached to none.
    #[serde(borrow)]
    pub instance_id: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub monthly_price: Literal<'a>,
    #[serde(borrow)]
    pub currency: Literal<'a>,
}
