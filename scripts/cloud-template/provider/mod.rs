//! __Title__: what it rents, and whether anything of it answers without a key. REPLACE every made-up fact of this folder
//! by one of the vendor's pages, with the page beside it.

mod api;
mod instance;
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
pub struct __Type__ {
    base: Base,
}

impl __Type__ {
    /// The source at its configured address (`GPUDESK___NAME___URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for __Type__ {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// REPLACE: what the page on rate limits allows.
    const POLL_EVERY: Duration = Duration::from_secs(5 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let account = Account::at(api::TITLE, cx.http.clone(), self.base.clone(), key.clone());
        let types = api::types(&account, "offers").await.map_err(|failure| failure.error)?;
        if types.is_empty() {
            return Err(SourceError::empty(account.what("offers"), "type"));
        }
        Ok(settle(map::rows(&types)).into_fetched(Self::feed(), "__Title__, GET /v1/types", (cx.now)()))
    }
}
