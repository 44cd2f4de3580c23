//! Verda (DataCrunch until 2025): virtual machines in Finland. Nothing of it answers without a key.

mod api;
mod card;
mod instance;
mod keys;
mod leftovers;
mod map;
mod offers;
mod rent;
mod session;
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
pub struct Verda {
    base: Base,
}

impl Verda {
    /// The source at its configured address (`GPUDESK_VERDA_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("verda", api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for Verda {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// Six calls. How often it may be asked is not published; stock changes within minutes.
    const POLL_EVERY: Duration = Duration::from_secs(5 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        offers::fetch(cx, self.base.clone(), key, Self::feed()).await
    }
}
