//! Prime Intellect: one account that reaches the pods of some twenty suppliers. Nothing of it answers without a key.

mod accounting;
mod api;
mod key;
mod keys;
mod map;
mod pages;
mod pod;
mod rent;
mod ssh;
mod sweep;
mod terms;
mod wire;

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::{Access, Account};
use crate::http::{Base, Secret};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};

/// The source.
pub struct Prime {
    base: Base,
}

impl Prime {
    /// The source at its configured address (`GPUDESK_PRIME_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("prime", api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for Prime {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// A refresh takes one call for each hundred offers; no limit is documented, though 429 occurs.
    const POLL_EVERY: Duration = Duration::from_secs(10 * 60);

    async fn offers(&self, cx: &Fetch<'_>, given: &Secret) -> Result<Fetched, SourceError> {
        let doing = "offers";
        let access = Access { http: cx.http.clone(), key: given.clone(), addresses: BTreeMap::new() };
        let key = key::read(&access)?;
        let account = Account::at(api::TITLE, cx.http.clone(), self.base.clone(), key.secret);
        let swept = sweep::market(&account, doing, "").await?;
        if swept.rows.is_empty() {
            return Err(SourceError::empty(account.what(doing), "offer"));
        }
        let rows = swept.rows.iter().enumerate().map(|(index, row)| map::row(index, row));
        let mut settled = settle(rows);
        settled.notes.extend(swept.notes);
        Ok(settled.into_fetched(Self::feed(), "Prime Intellect, GET /availability/gpus", (cx.now)()))
    }
}
