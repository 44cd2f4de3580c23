//! __Title__: what it rents, and whether anything of it answers without a key. REPLACE every made-up fact of this folder
//! by one of the vendor's pages, with the page beside it.

mod api;
mod instance;
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
pub struct __Type__ {
    base: Base,
}

impl __Type__ {
    /// The source at its configured address (`GPUDESK___NAME___URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, api::ADDRESS) }
    }

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let account = Account::at(api::TITLE, cx.http.clone(), self.base.clone(), key.clone());
        let types = api::types(&account, "offers").await.map_err(|failure| failure.error)?;
        if types.is_empty() {
            let what = account.what("offers");
            return Err(SourceError::new(SourceErrorCode::BadAnswer, what, "not a single type")
                .hint("the offers at hand stay in use; refresh again later"));
        }
        Ok(settle(map::rows(&types)).into_fetched(self.feed(), "__Title__, GET /v1/types", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for __Type__ {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// REPLACE: what the page on rate limits allows.
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
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
