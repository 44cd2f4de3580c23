//! Servers of one's own as a source of offers: asked when their time has come, like any other.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::FeedName;
use gpudesk_core::own::PROVIDER;
use gpudesk_providers::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceError, SourceErrorCode};
use gpudesk_store::{Bookings, OwnHostRow};

use super::{feed, fetched};
use crate::DeskError;
use crate::desk::Desk;

/// How often servers are looked at by themselves: one SSH session each.
const EVERY: Duration = Duration::from_secs(5 * 60);

/// The servers as they were known when the source was made.
pub(crate) struct OwnSource {
    desk: Desk,
    rows: Vec<OwnHostRow>,
}

impl OwnSource {
    pub async fn new(desk: &Desk) -> Result<Self, DeskError> {
        Ok(Self { desk: desk.clone(), rows: desk.store().own_hosts().await? })
    }

    async fn answer(&self) -> Result<FeedAnswer, DeskError> {
        self.desk.check_rows(&self.rows).await?;
        // Bookings and servers may have come and gone while they were read.
        let (store, now) = (self.desk.store(), self.desk.now());
        let live = store.own_bookings(Bookings::Live).await?;
        let fetched = fetched(&store.own_hosts().await?, &live, now);
        Ok(FeedAnswer::Fetched { fetched, version: None })
    }
}

#[async_trait]
impl OfferSource for OwnSource {
    fn name(&self) -> &'static str {
        PROVIDER
    }

    fn title(&self) -> &'static str {
        "Own servers"
    }

    fn feeds(&self) -> Vec<FeedName> {
        // Without servers there is nothing to ask and nothing to tell.
        if self.rows.is_empty() { Vec::new() } else { vec![feed()] }
    }

    fn poll_every(&self) -> Duration {
        EVERY
    }

    fn is_own(&self) -> bool {
        true
    }

    async fn fetch(&self, _cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        if self.rows.is_empty() {
            return;
        }
        let began = Instant::now();
        let result = self.answer().await.map_err(|error| {
            SourceError::new(SourceErrorCode::Config, "servers of your own", error.to_string())
        });
        out(FeedOutcome { feed: feed(), seconds: began.elapsed().as_secs_f64(), result });
    }
}
