//! The two public catalogues on the network. dstack's is newer and is asked first for the clouds it carries;
//! SkyPilot's has more clouds and stands in where dstack fails. Each cloud is a feed of its own: the trouble of one
//! is only its own.

mod dstack;
mod skypilot;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::StreamExt;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::place;

use super::{CatalogueError, feed_name};
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// How long a price list is taken to hold that nobody confirmed since.
pub const PRICE_LIST_FRESH_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Clouds asked at the same time.
const AT_ONCE: usize = 4;

/// A cloud, by its names in the two catalogues.
#[derive(Debug, Clone, Copy)]
struct Cloud {
    dstack: Option<&'static str>,
    skypilot: Option<&'static str>,
}

impl Cloud {
    const fn both(dstack: &'static str, skypilot: &'static str) -> Self {
        Self { dstack: Some(dstack), skypilot: Some(skypilot) }
    }

    const fn skypilot(folder: &'static str) -> Self {
        Self { dstack: None, skypilot: Some(folder) }
    }

    fn feed(self) -> FeedName {
        feed_name(self.dstack.or(self.skypilot).unwrap_or_default())
    }

    /// As in messages: `catalogue of Lambda`.
    fn what(self) -> String {
        let name = self.dstack.or(self.skypilot).unwrap_or_default();
        format!("catalogue of {}", place::provider_title(place::canonical_provider(name)).unwrap_or(name))
    }
}

/// dstack: gpuhunt, `src/gpuhunt/_internal/catalog.py`, the providers collected ahead. SkyPilot: the folders of
/// `catalogs/` in skypilot-org/skypilot-catalog; not every one is there in every schema version.
const CLOUDS: [Cloud; 27] = [
    Cloud::both("aws", "aws"),
    Cloud::both("azure", "azure"),
    Cloud::both("gcp", "gcp"),
    Cloud::both("lambdalabs", "lambda"),
    Cloud::both("nebius", "nebius"),
    Cloud::both("oci", "oci"),
    Cloud::both("runpod", "runpod"),
    Cloud::both("verda", "verda"),
    Cloud { dstack: Some("cloudrift"), skypilot: None },
    Cloud::skypilot("cudo"),
    Cloud::skypilot("daytona"),
    Cloud::skypilot("do"),
    Cloud::skypilot("fluidstack"),
    Cloud::skypilot("hyperbolic"),
    Cloud::skypilot("hyperstack"),
    Cloud::skypilot("ibm"),
    Cloud::skypilot("jarvislabs"),
    Cloud::skypilot("lium"),
    Cloud::skypilot("mithril"),
    Cloud::skypilot("paperspace"),
    Cloud::skypilot("primeintellect"),
    Cloud::skypilot("scp"),
    Cloud::skypilot("seeweb"),
    Cloud::skypilot("shadeform"),
    Cloud::skypilot("spheron"),
    Cloud::skypilot("vast"),
    Cloud::skypilot("yotta"),
];

/// The public catalogues as a source of offers.
pub struct Catalogue {
    dstack: dstack::Bucket,
    skypilot: skypilot::Repository,
}

impl Catalogue {
    /// One address (`catalogue`) replaces the hosts of all of them.
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { dstack: dstack::Bucket::new(config), skypilot: skypilot::Repository::new(config) }
    }

    /// `None` where nobody carries the cloud and nobody did before.
    async fn cloud(&self, cx: &Fetch<'_>, cloud: Cloud) -> Option<FeedOutcome> {
        let begun = Instant::now();
        let feed = cloud.feed();
        let held = cx.versions.get(&feed).map(String::as_str);
        let result = self.ask(cx, cloud, held).await;
        if held.is_none() && result.as_ref().is_err_and(is_absent) {
            tracing::debug!(feed = feed.0, "not carried by the public catalogues");
            return None;
        }
        Some(FeedOutcome { feed, seconds: begun.elapsed().as_secs_f64(), result })
    }

    async fn ask(&self, cx: &Fetch<'_>, cloud: Cloud, held: Option<&str>) -> Result<FeedAnswer, SourceError> {
        let first = match cloud.dstack {
            Some(name) => self.dstack.fetch(cx, name, &cloud.what(), held).await,
            None => Err(SourceError::new(SourceErrorCode::Gone, cloud.what(), "dstack does not carry it")),
        };
        let Err(failure) = first else { return first };
        let Some(folder) = cloud.skypilot else { return Err(failure) };
        let mut second = self.skypilot.fetch(cx, folder, &cloud.what(), held).await;
        if cloud.dstack.is_none() {
            return second;
        }
        match &mut second {
            Ok(FeedAnswer::Fetched { fetched, .. }) => {
                fetched.notes.insert(0, format!("from SkyPilot, because dstack failed: {}", failure.detail));
            }
            Ok(FeedAnswer::Unchanged { .. }) => {}
            // That SkyPilot has no such cloud says less than why dstack failed.
            Err(error) if is_absent(error) => return Err(failure),
            Err(error) => {
                error.detail = crate::http::redact::words(&format!(
                    "dstack: {}; SkyPilot: {}",
                    failure.detail, error.detail
                ));
            }
        }
        second
    }
}

#[async_trait]
impl OfferSource for Catalogue {
    fn name(&self) -> &'static str {
        "catalogue"
    }

    fn title(&self) -> &'static str {
        "Public catalogues"
    }

    fn feeds(&self) -> Vec<FeedName> {
        CLOUDS.iter().map(|cloud| cloud.feed()).collect()
    }

    /// dstack collects every hour (`.github/workflows` of dstackai/gpuhunt), SkyPilot every seven (README of
    /// skypilot-org/skypilot-catalog).
    fn poll_every(&self) -> Duration {
        Duration::from_secs(60 * 60)
    }

    fn fresh_for(&self) -> Duration {
        PRICE_LIST_FRESH_FOR
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let mut clouds =
            futures::stream::iter(CLOUDS).map(|cloud| self.cloud(cx, cloud)).buffer_unordered(AT_ONCE);
        while let Some(outcome) = clouds.next().await {
            if let Some(outcome) = outcome {
                out(outcome);
            }
        }
    }
}

/// The file is not there: the catalogue does not carry the cloud.
fn is_absent(error: &SourceError) -> bool {
    error.code == SourceErrorCode::Gone
}

/// Reads a list off the async threads: the largest take a noticeable part of a second.
async fn parsed(
    what: &str,
    read: impl FnOnce() -> Result<Fetched, CatalogueError> + Send + 'static,
) -> Result<Fetched, SourceError> {
    match tokio::task::spawn_blocking(read).await {
        Ok(result) => result.map_err(|error| error.into_source_error(what)),
        Err(_) => Err(SourceError::new(SourceErrorCode::BadAnswer, what, "reading the answer broke off")),
    }
}
