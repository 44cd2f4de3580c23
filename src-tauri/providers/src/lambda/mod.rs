//! Lambda: virtual machines in its own data centres. Nothing of it answers without a key.

mod api;
mod instance;
mod keys;
mod map;
mod rent;
mod terms;
mod wire;

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;
use serde_json::value::RawValue;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::{Base, Call};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};

/// The source.
pub struct Lambda {
    base: Base,
}

impl Lambda {
    /// The source at its configured address (`GPUDESK_LAMBDA_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("lambda", api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for Lambda {
    const NAME: &'static str = "lambda";
    const TITLE: &'static str = "Lambda";
    /// One call; the service takes about one a second (<https://docs.lambda.ai/public-cloud/cloud-api/>). Stock blinks
    /// within minutes.
    const POLL_EVERY: Duration = Duration::from_secs(5 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &crate::http::Secret) -> Result<Fetched, SourceError> {
        let what = "Lambda offers";
        let call = Call::get(what, self.base.join("/api/v1/instance-types")?)
            .expecting("JSON")
            .pace(api::PACE)
            .bearer(key)?;
        let answer = cx.http.read(&call).await?;
        let text = answer.json_text();
        let envelope: wire::Data<'_> = answer.parse(&text)?;
        let data = envelope.data.ok_or_else(|| answer.bad("JSON without `data`"))?;
        let types: BTreeMap<String, &RawValue> = answer.parse(data.get())?;
        if types.is_empty() {
            return Err(SourceError::empty(what, "instance type"));
        }
        Ok(settle(map::rows(&types)).into_fetched(Self::feed(), "Lambda, GET /instance-types", (cx.now)()))
    }
}
