//! Vast.ai: a marketplace of other people's machines.

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::FeedName;

use crate::http::Base;
use crate::source::{FeedOutcome, Fetch, OfferSource, SourceConfig};

/// The source.
pub struct Vast {
    base: Base,
}

impl Vast {
    /// The source at its configured address.
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("vast", "https://console.vast.ai") }
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
        vec![FeedName("vast".to_owned())]
    }

    fn poll_every(&self) -> Duration {
        Duration::from_secs(300)
    }

    async fn fetch(&self, _cx: &Fetch<'_>, _out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let _ = &self.base;
    }
}
