//! The source that most clouds are: one list of offers, read with the key of an account.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};

use crate::http::Secret;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceError};

/// A cloud whose offers are one feed, told only to an account. Every such list is an [`OfferSource`].
#[async_trait]
pub trait KeyedList: Send + Sync {
    /// The short name in commands and ids, and the name of the feed: `lambda`.
    const NAME: &'static str;
    /// The name shown to people: `Lambda`.
    const TITLE: &'static str;
    /// How often it may be asked; each cloud names the page that says so.
    const POLL_EVERY: Duration;

    /// Reads the whole list once. An answer without a single offer is an error: it must replace nothing.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError>;

    /// The name of its feed.
    #[must_use]
    fn feed() -> FeedName {
        FeedName(Self::NAME.to_owned())
    }
}

#[async_trait]
impl<L: KeyedList> OfferSource for L {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn title(&self) -> &'static str {
        L::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![L::feed()]
    }

    fn poll_every(&self) -> Duration {
        L::POLL_EVERY
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        // Without an account there is nothing to ask, which is no failure.
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: L::feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
