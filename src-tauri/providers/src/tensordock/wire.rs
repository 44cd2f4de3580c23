//! The list of hosts as it is sent (`/api/v0/client/deploy/hostnodes`).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Block, List, Literal};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Hosts<'a> {
    #[serde(borrow)]
    pub error: Literal<'a>,
    /// By the id of the host.
    #[serde(borrow)]
    pub hostnodes: Option<BTreeMap<String, &'a RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Host<'a> {
    #[serde(borrow)]
    pub location: Block<Location<'a>>,
    #[serde(borrow)]
    pub networking: Block<Networking<'a>>,
    #[serde(borrow)]
    pub specs: Block<Specs<'a>>,
    #[serde(borrow)]
    pub status: Block<Status<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Location<'a> {
    #[serde(borrow)]
    pub city: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    /// A whole name: `United States`.
    #[serde(borrow)]
    pub country: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Networking<'a> {
    /// Public ports that are free. With none there is no way in.
    #[serde(borrow)]
    pub ports: Option<List<Literal<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Specs<'a> {
    #[serde(borrow)]
    pub cpu: Block<Part<'a>>,
    #[serde(borrow)]
    pub ram: Block<Part<'a>>,
    #[serde(borrow)]
    pub storage: Block<Part<'a>>,
    /// A [`Part`] by code: `geforcertx4090-pcie-24gb`.
    #[serde(borrow)]
    pub gpu: Literal<'a>,
}

impl<'a> Specs<'a> {
    /// The cards by their code; `None` where they are not told. An empty list is an empty map.
    pub(super) fn cards(&self) -> Option<BTreeMap<String, Block<Part<'a>>>> {
        match self.gpu.raw()? {
            "[]" => Some(BTreeMap::new()),
            map => serde_json::from_str(map).ok(),
        }
    }
}

/// A part of a host: what is free of it, and what one of it costs per hour in dollars.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[serde(default)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub amount: Literal<'a>,
    #[serde(borrow)]
    pub price: Literal<'a>,
    /// GB of one card.
    #[serde(borrow)]
    pub vram: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Status<'a> {
    #[serde(borrow)]
    pub online: Literal<'a>,
    #[serde(borrow)]
    pub listed: Literal<'a>,
}
