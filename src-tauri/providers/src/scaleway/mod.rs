//! Scaleway: GPU Instances, virtual machines with whole cards, zone by zone.

mod api;
mod disks;
mod instance;
mod map;
mod rent;
mod terms;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::future::join_all;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::{Row, settle};

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Account;
use crate::http::{Base, Failure, Secret};
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// The source.
pub struct Scaleway {
    base: Base,
}

impl Scaleway {
    /// The source at its configured address (`GPUDESK_SCALEWAY_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("scaleway", api::ADDRESS) }
    }

    /// All zones at once.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let parts = api::parts(cx.http, key).map_err(|error| SourceError {
            code: SourceErrorCode::Config,
            what: error.what,
            detail: error.detail,
            hint: error.hint,
            retry_at: None,
        })?;
        let account = api::account(cx.http.clone(), self.base.clone(), parts.need("secret_key"));
        let zones = join_all(api::ZONES.iter().map(|zone| zone_rows(&account, zone))).await;
        let mut rows = Vec::new();
        for zone in zones {
            // The feed is replaced as a whole: without one zone its offers would be taken for gone.
            rows.extend(zone.map_err(|failure| failure.error)?);
        }
        if rows.is_empty() {
            return Err(SourceError::new(
                SourceErrorCode::BadAnswer,
                account.what("offers"),
                "not a single type",
            )
            .hint("the offers at hand stay in use; refresh again later"));
        }
        Ok(settle(rows).into_fetched(self.feed(), "Scaleway, GET /products/servers", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

async fn zone_rows(account: &Account, zone: &str) -> Result<Vec<Row>, Failure> {
    let types = api::types(account, "offers", zone).await?;
    let has_cards = |row: &Row| !matches!(row, Row::NotGpu);
    let stock = match map::rows(zone, &types, &std::collections::BTreeMap::new()).iter().any(has_cards) {
        true => api::stock(account, "offers", zone).await,
        // Nothing of it is asked for where there is no card.
        false => std::collections::BTreeMap::new(),
    };
    Ok(map::rows(zone, &types, &stock))
}

#[async_trait]
impl OfferSource for Scaleway {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Twenty calls; no limit is published. Stock changes within the hour.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(10 * 60)
    }

    /// The reference marks the list of types as one that needs a key.
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
