//! RunPod: containers in its own data centres (Secure) and on other people's machines (Community). The prices come
//! from its GraphQL service, the only part of RunPod that answers without a key, and with one from REST v2.

mod accounting;
mod api;
mod catalog;
mod keyed;
mod map;
mod pod;
mod rent;
mod sweep;
mod terms;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Account;
use crate::http::Base;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};
use sweep::{Clouds, Memory};

/// The source.
pub struct RunPod {
    base: Base,
    rest: Base,
    memory: Memory,
}

impl RunPod {
    /// The source at its configured addresses (`GPUDESK_RUNPOD_GRAPHQL_URL`, and `GPUDESK_RUNPOD_URL` with a key).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self {
            base: config.base("runpod_graphql", "https://api.runpod.io"),
            rest: config.base("runpod", "https://api.runpod.io"),
            memory: Memory::default(),
        }
    }

    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let (swept, origin) = match cx.key {
            None => {
                let swept = sweep::market(cx.http, &self.base, &self.memory, Clouds::All).await?;
                (swept, "RunPod, GraphQL gpuTypes")
            }
            Some(key) => {
                let account = Account::at("RunPod", cx.http.clone(), self.rest.clone(), key.clone());
                let swept = keyed::market(&account, cx.http, &self.base, &self.memory).await?;
                (swept, "RunPod, REST v2 catalog")
            }
        };
        let mut settled = settle(swept.rows);
        settled.notes.extend(swept.notes);
        Ok(settled.into_fetched(self.feed(), origin, (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
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
        vec![self.feed()]
    }

    /// No limit is stated; the service is being retired and throttled in steps
    /// (<https://docs.runpod.io/api-reference-v2/migrate-from-v1>), and a sweep asks once a place.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(15 * 60)
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = self.offers(cx).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
