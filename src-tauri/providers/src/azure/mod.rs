//! Azure's retail prices: live and without a key. It is a price list and nothing else; machines are rented in Azure's
//! portal.

mod api;
mod map;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::place;
use gpudesk_core::quarantine::settle;

use crate::http::Base;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};
use crate::walk;

/// Regions asked at the same time.
const AT_ONCE: usize = 4;

/// The clouds of governments and of China have price lists of their own.
const OTHER_CLOUDS: [&str; 2] = ["usgov", "china"];

/// The source.
pub struct Azure {
    base: Base,
    regions: Vec<&'static str>,
}

impl Azure {
    /// The source at its configured address (`GPUDESK_AZURE_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        let regions = place::regions(map::PROVIDER);
        let is_here = |region: &&str| !OTHER_CLOUDS.iter().any(|other| region.starts_with(other));
        Self::of_regions(config, regions.filter(is_here).collect())
    }

    /// The same with these regions alone.
    #[must_use]
    pub fn of_regions(config: &SourceConfig, regions: Vec<&'static str>) -> Self {
        Self { base: config.base(map::PROVIDER, api::ADDRESS), regions }
    }

    fn feed(&self) -> FeedName {
        FeedName(map::PROVIDER.to_owned())
    }

    /// Every region, one walk each: pages are counted from the start of a list, and a price that changes meanwhile
    /// shifts all that follow. A region that fails fails the list, and ends it: its offers at hand are worth more than a
    /// hole.
    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let walks: Vec<_> =
            self.regions.iter().map(|region| api::region(cx.http, &self.base, region)).collect();
        let walked = walk::all(walks, AT_ONCE).await?;
        let now = (cx.now)();
        let mut list = map::List::default();
        for item in walked.iter().flat_map(|region| &region.rows) {
            list.take(item, now);
        }
        if list.is_empty() {
            return Err(SourceError::empty(api::WHAT, "price of a machine with cards"));
        }
        let mut notes = list.notes();
        let repeated: usize = walked.iter().map(|region| region.repeated).sum();
        if repeated > 0 {
            notes.push(format!(
                "rows that stood on two pages, so that as many others may be missing: {repeated}"
            ));
        }
        let settled = settle(list.into_rows());
        let mut fetched = settled.into_fetched(self.feed(), "Azure retail prices", now);
        fetched.notes.extend(notes);
        Ok(fetched)
    }
}

#[async_trait]
impl OfferSource for Azure {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// A list of prices that change by the month, read in some sixty calls; its page names no limit
    /// (<https://learn.microsoft.com/en-us/rest/api/cost-management/retail-prices/azure-retail-prices>).
    fn poll_every(&self) -> Duration {
        Duration::from_secs(12 * 60 * 60)
    }

    fn fresh_for(&self) -> Duration {
        self.poll_every() * 2
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = self.offers(cx).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
