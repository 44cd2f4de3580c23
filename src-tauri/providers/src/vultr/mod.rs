//! Vultr: virtual machines with whole cards or slices of one, and bare metal. Prices and stock answer without a key.

mod api;
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

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::FeedName;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::Base;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig};

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

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for Vultr {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Three calls and one a region with cards, of the 30 a second that one address may make.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(10 * 60)
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = offers::fetch(cx, &self.base, self.feed()).await;
        let result = result.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
