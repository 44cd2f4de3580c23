//! DigitalOcean: GPU Droplets, virtual machines with whole cards. Nothing of it answers without a key.

mod api;
mod instance;
mod keys;
mod map;
mod rent;
mod terms;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Account;
use crate::http::{Base, Secret};
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// The source.
pub struct DigitalOcean {
    base: Base,
}

impl DigitalOcean {
    /// The source at its configured address (`GPUDESK_DIGITALOCEAN_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("digitalocean", api::ADDRESS) }
    }

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let account = Account::at("DigitalOcean", cx.http.clone(), self.base.clone(), key.clone());
        let sizes = api::sizes(&account, "offers").await.map_err(|failure| failure.error)?;
        if sizes.is_empty() {
            let what = account.what("offers");
            return Err(SourceError::new(SourceErrorCode::BadAnswer, what, "not a single size")
                .hint("the offers at hand stay in use; refresh again later"));
        }
        Ok(settle(map::rows(&sizes)).into_fetched(self.feed(), "DigitalOcean, GET /v2/sizes", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for DigitalOcean {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        "DigitalOcean"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Two pages of 5,000 calls an hour (<https://docs.digitalocean.com/reference/api/>); sizes and their regions
    /// change by the day.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(10 * 60)
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        // Without an account there is nothing to ask, which is no failure.
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
