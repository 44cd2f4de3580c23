//! RunPod: containers in its own data centres and on other people's machines.

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::FeedName;

use crate::http::Base;
use crate::source::{FeedOutcome, Fetch, OfferSource, SourceConfig};

/// The source.
pub struct RunPod {
    base: Base,
}

impl RunPod {
    /// The source at its configured address.
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("runpod_graphql", "https://api.runpod.io") }
    }
}

#[async_trait]
impl OfferSource for RunPod {
    fn name(&self) -> &'static str {
        "runpod"
    }

    fn title(&self) -> &'static str {
        "RunPod"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![FeedName("runpod".to_owned())]
    }

    fn poll_every(&self) -> Duration {
        Duration::from_secs(300)
    }

    async fn fetch(&self, _cx: &Fetch<'_>, _out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let _ = &self.base;
    }
}
