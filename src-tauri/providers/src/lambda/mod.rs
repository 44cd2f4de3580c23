//! Lambda: virtual machines in its own data centres. Nothing of it answers without a key.

mod api;
mod instance;
mod keys;
mod map;
mod rent;
mod terms;
mod wire;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;
use serde_json::value::RawValue;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::{Base, Call};
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

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
            return Err(SourceError::new(SourceErrorCode::BadAnswer, what, "not a single instance type")
                .hint("the offers at hand stay in use; refresh again later"));
        }
        Ok(settle(map::rows(&types)).into_fetched(self.feed(), "Lambda, GET /instance-types", (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for Lambda {
    fn name(&self) -> &'static str {
        "lambda"
    }

    fn title(&self) -> &'static str {
        "Lambda"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// One call; the service takes about one a second (<https://docs.lambda.ai/public-cloud/cloud-api/>). Stock blinks
    /// within minutes.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

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
