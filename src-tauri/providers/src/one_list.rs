//! The source that most clouds are: one list of offers, which is one feed; told to everybody, or only with the key of
//! an account.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};

use crate::http::Secret;
use crate::source::{FRESH_FOR, FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceError};

/// A source of one feed. Every such list is an [`OfferSource`].
#[async_trait]
pub trait OneList: Send + Sync {
    /// The short name in commands and ids, and the name of the feed: `lambda`.
    const NAME: &'static str;
    /// The name shown to people: `Lambda`.
    const TITLE: &'static str;
    /// How often it may be asked; each source names the page that says so.
    const POLL_EVERY: Duration;
    /// How long what it said is taken to hold.
    const FRESH_FOR: Duration = FRESH_FOR;
    /// Whether it is told only with the key of an account.
    const NEEDS_KEY: bool = false;

    /// Reads the whole list once; `None` where there is no account to ask for, which is no failure. An answer without
    /// a single offer is an error: it must replace nothing.
    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError>;

    /// The name of its feed.
    #[must_use]
    fn feed() -> FeedName {
        FeedName(Self::NAME.to_owned())
    }
}

/// A cloud whose list is told only to an account. Every such list is a [`OneList`].
#[async_trait]
pub trait KeyedList: Send + Sync {
    /// As of a [`OneList`].
    const NAME: &'static str;
    /// As of a [`OneList`].
    const TITLE: &'static str;
    /// As of a [`OneList`].
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
impl<K: KeyedList> OneList for K {
    const NAME: &'static str = K::NAME;
    const TITLE: &'static str = K::TITLE;
    const POLL_EVERY: Duration = K::POLL_EVERY;
    const NEEDS_KEY: bool = true;

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        match cx.key {
            Some(key) => self.offers(cx, key).await.map(Some),
            None => Ok(None),
        }
    }
}

#[async_trait]
impl<L: OneList> OfferSource for L {
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

    fn fresh_for(&self) -> Duration {
        L::FRESH_FOR
    }

    fn needs_key(&self) -> bool {
        L::NEEDS_KEY
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let Some(read) = self.read(cx).await.transpose() else { return };
        let result = read.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: L::feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
