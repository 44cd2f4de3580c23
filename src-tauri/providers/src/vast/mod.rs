//! Vast.ai: a marketplace of other people's machines. Its search answers without a key.

mod accounting;
mod api;
mod instance;
mod map;
mod pages;
mod rent;
mod said;
mod sweep;
mod terms;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::Base;
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// The source.
pub struct Vast {
    base: Base,
}

impl Vast {
    /// The source at its configured address (`GPUDESK_VAST_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("vast", "https://console.vast.ai") }
    }

    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let market = sweep::market(cx.http, &self.base).await?;
        if market.is_empty() {
            return Err(SourceError::new(
                SourceErrorCode::BadAnswer,
                api::WHAT,
                "the whole marketplace answered without a single offer",
            )
            .hint("the offers at hand stay in use; refresh again later"));
        }
        let settled = settle(market.into_rows());
        Ok(settled.into_fetched(self.feed(), "Vast.ai, POST /bundles/", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for Vast {
    fn name(&self) -> &'static str {
        "vast"
    }

    fn title(&self) -> &'static str {
        "Vast.ai"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// A refresh takes four searches or more; the search allows ten a minute and has a daily quota
    /// (<https://docs.vast.ai/api-reference/rate-limits-and-errors> advises long polling intervals).
    fn poll_every(&self) -> Duration {
        Duration::from_secs(10 * 60)
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = self.offers(cx).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
