//! DigitalOcean: GPU Droplets, virtual machines with whole cards. Nothing of it answers without a key.

mod api;
mod billing;
mod instance;
mod keys;
mod map;
mod rent;
mod terms;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Account;
use crate::http::{Base, Secret};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};

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
}

#[async_trait]
impl KeyedList for DigitalOcean {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = "DigitalOcean";
    /// Two pages of 5,000 calls an hour (<https://docs.digitalocean.com/reference/api/>); sizes and their regions
    /// change by the day.
    const POLL_EVERY: Duration = Duration::from_secs(10 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let account = Account::at("DigitalOcean", cx.http.clone(), self.base.clone(), key.clone());
        let sizes = api::sizes(&account, "offers").await.map_err(|failure| failure.error)?;
        if sizes.is_empty() {
            return Err(SourceError::empty(account.what("offers"), "size"));
        }
        Ok(settle(map::rows(&sizes)).into_fetched(Self::feed(), "DigitalOcean, GET /v2/sizes", (cx.now)()))
    }
}
