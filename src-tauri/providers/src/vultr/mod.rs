//! Vultr: virtual machines with whole cards or slices of one, and bare metal. Prices and stock answer without a key.

mod api;
mod billing;
mod card;
mod instance;
mod keys;
mod leftovers;
mod map;
mod offers;
mod pages;
mod rent;
mod terms;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::Base;
use crate::one_list::OneList;
use crate::source::{Fetch, SourceConfig, SourceError};

/// The source.
pub struct Vultr {
    base: Base,
}

impl Vultr {
    /// The source at its configured address (`GPUDESK_VULTR_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, api::ADDRESS) }
    }
}

#[async_trait]
impl OneList for Vultr {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// Three calls and one a region with cards, of the 30 a second that one address may make.
    const POLL_EVERY: Duration = Duration::from_secs(10 * 60);

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        offers::fetch(cx, &self.base, Self::feed()).await.map(Some)
    }
}
