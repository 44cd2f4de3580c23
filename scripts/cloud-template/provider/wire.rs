//! What the API answers, as it stands on the wire. Everything may be absent, and unknown words stay text.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::Literal;

/// The list of types.
#[derive(Debug, Deserialize)]
pub(super) struct Types<'a> {
    #[serde(borrow, default)]
    pub types: Option<Vec<&'a RawValue>>,
}

/// Something that can be rented, in one place.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Type<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub gpu: Literal<'a>,
    #[serde(borrow)]
    pub gpu_count: Literal<'a>,
    /// Of one card.
    #[serde(borrow)]
    pub gpu_memory_gb: Literal<'a>,
    #[serde(borrow)]
    pub vcpus: Literal<'a>,
    #[serde(borrow)]
    pub ram_gb: Literal<'a>,
    #[serde(borrow)]
    pub disk_gb: Literal<'a>,
    /// US dollars for the whole machine.
    #[serde(borrow)]
    pub per_hour: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub available: Literal<'a>,
}

/// One page of machines.
#[derive(Debug, Deserialize)]
pub(super) struct Machines<'a> {
    #[serde(borrow, default)]
    pub machines: Option<Vec<&'a RawValue>>,
    /// The cursor of the next page; null on the last.
    #[serde(borrow, default)]
    pub next: Literal<'a>,
}

/// A machine.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow)]
    pub ip: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
    #[serde(borrow, rename = "type")]
    pub kind: Type<'a>,
}
