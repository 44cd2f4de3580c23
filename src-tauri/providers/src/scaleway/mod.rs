//! Scaleway: GPU Instances, virtual machines with whole cards, zone by zone. The reference marks the list of types as
//! one that needs a key.

mod api;
mod billing;
mod disks;
mod instance;
mod leftovers;
mod map;
mod rent;
mod terms;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use futures::future::try_join_all;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::{Row, settle};

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Account;
use crate::http::{Base, Failure, Secret};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError, SourceErrorCode};

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
impl KeyedList for Scaleway {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// Twenty calls; no limit is published. Stock changes within the hour.
    const POLL_EVERY: Duration = Duration::from_secs(10 * 60);

    /// All zones at once.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let parts = api::parts(cx.http, key)
            .map_err(|error| SourceError { code: SourceErrorCode::Config, ..error.into() })?;
        let account = api::account(cx.http.clone(), self.base.clone(), parts.need("secret_key"));
        // The feed is replaced as a whole: without one zone its offers would be taken for gone.
        let zones = try_join_all(api::ZONES.iter().map(|zone| zone_rows(&account, zone))).await;
        let rows: Vec<_> = zones.map_err(|failure| failure.error)?.into_iter().flatten().collect();
        if rows.is_empty() {
            return Err(SourceError::empty(account.what("offers"), "type"));
        }
        Ok(settle(rows).into_fetched(Self::feed(), "Scaleway, GET /products/servers", (cx.now)()))
    }
}
