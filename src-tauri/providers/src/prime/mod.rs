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
use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::{Access, Account, CloudError, CloudErrorCode};
use crate::http::{Base, Secret};
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

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

    async fn offers(&self, cx: &Fetch<'_>, given: &Secret) -> Result<Fetched, SourceError> {
        let doing = "offers";
        let access = Access { http: cx.http.clone(), key: given.clone(), addresses: BTreeMap::new() };
        let key = key::read(&access).map_err(plain)?;
        let account = Account::at(api::TITLE, cx.http.clone(), self.base.clone(), key.secret);
        let swept = sweep::market(&account, doing, "").await.map_err(plain)?;
        if swept.rows.is_empty() {
            return Err(SourceError::new(
                SourceErrorCode::BadAnswer,
                account.what(doing),
                "not a single offer",
            )
            .hint("the offers at hand stay in use; refresh again later"));
        }
        let rows = swept.rows.iter().enumerate().map(|(index, row)| map::row(index, row));
        let mut settled = settle(rows);
        settled.notes.extend(swept.notes);
        Ok(settled.into_fetched(self.feed(), "Prime Intellect, GET /availability/gpus", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

/// The failure of a call of the account as the failure of a source.
fn plain(error: CloudError) -> SourceError {
    let code = match error.code {
        CloudErrorCode::Http(code) => code,
        CloudErrorCode::NoSuchMachine => SourceErrorCode::Gone,
        _ => SourceErrorCode::ProviderRefused,
    };
    SourceError { code, what: error.what, detail: error.detail, hint: error.hint, retry_at: error.retry_at }
}

#[async_trait]
impl OfferSource for Prime {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        api::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// A refresh takes one call for each hundred offers; no limit is documented, though 429 occurs.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(10 * 60)
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
