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

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::FeedName;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::Base;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig};

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

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for Hyperstack {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Four calls of the 500 a minute that one address may make.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        // Without an account there is nothing to ask, which is no failure.
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let fetched = offers::fetch(cx, self.base.clone(), key, self.feed()).await;
        let result = fetched.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
