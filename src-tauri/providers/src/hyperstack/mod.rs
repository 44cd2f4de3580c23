//! Hyperstack (NexGen Cloud): virtual machines with GPU passthrough. Nothing of it that tells offers answers without a
//! key.

mod api;
mod instance;
mod map;
mod offers;
mod pages;
mod prepare;
mod rent;
mod spending;
mod terms;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::{Base, Secret};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};

/// The source.
pub struct Hyperstack {
    base: Base,
}

impl Hyperstack {
    /// The source at its configured address (`GPUDESK_HYPERSTACK_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for Hyperstack {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// Four calls of the 500 a minute that one address may make.
    const POLL_EVERY: Duration = Duration::from_secs(5 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        offers::fetch(cx, self.base.clone(), key, Self::feed()).await
    }
}
