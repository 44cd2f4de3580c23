//! DeepInfra: tokens of open models. Its list of models answers without a key and has prices in dollars per million
//! tokens; models that are billed otherwise have none there.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::entry;
use crate::http::{Base, Call, Literal, Pace, redact};
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};
use crate::tokens::Model;

const PROVIDER: &str = "deepinfra";

/// What errors call it.
const WHAT: &str = "DeepInfra models";

/// No limit is published for the list; there is one call to make.
const PACE: Pace = Pace::per_minute("deepinfra", 20);

#[derive(Debug, Deserialize)]
struct Models<'a> {
    #[serde(borrow, default)]
    data: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Listed<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
    #[serde(borrow)]
    metadata: Option<Metadata<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    pricing: Option<Pricing<'a>>,
}

/// Dollars for a million tokens.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Pricing<'a> {
    #[serde(borrow)]
    input_tokens: Literal<'a>,
    #[serde(borrow)]
    output_tokens: Literal<'a>,
}

/// The source.
pub struct DeepInfra {
    base: Base,
}

impl DeepInfra {
    /// The source at its configured address (`GPUDESK_DEEPINFRA_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(PROVIDER, "https://api.deepinfra.com") }
    }

    fn feed(&self) -> FeedName {
        FeedName(PROVIDER.to_owned())
    }

    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let call = Call::get(WHAT, self.base.join("/v1/openai/models")?).expecting("JSON").pace(PACE);
        let answer = cx.http.read(&call).await?;
        let text = answer.json_text();
        let list: Models<'_> = answer.parse(&text)?;
        let models = list.data.ok_or_else(|| answer.bad("JSON without `data`"))?;
        if models.is_empty() {
            return Err(SourceError::empty(WHAT, "model"));
        }
        let rows = models.iter().enumerate().map(|(at, json)| row(at, json.get()));
        let settled = settle(rows.collect::<Vec<_>>());
        Ok(settled.into_fetched(self.feed(), "DeepInfra, GET /v1/openai/models", (cx.now)()))
    }
}

fn row(at: usize, json: &str) -> Row {
    let origin = || format!("model {}", at + 1);
    let listed: Listed<'_> = match entry::read(json, "a model") {
        Ok(listed) => listed,
        Err(words) => return Row::bad(origin(), ReasonCode::Unreadable, words),
    };
    let Some(id) = listed.id.text().map(|id| redact::words(&id)) else {
        return Row::bad(origin(), ReasonCode::Unreadable, "a model without an id");
    };
    let pricing = listed.metadata.and_then(|metadata| metadata.pricing).unwrap_or_default();
    let (Some(input), Some(output)) = (pricing.input_tokens.decimal(), pricing.output_tokens.decimal())
    else {
        // Images, speech and embeddings are billed by other units.
        return Row::bad(format!("model {id}"), ReasonCode::PriceMissing, "not billed by tokens in and out");
    };
    let page = format!("https://deepinfra.com/{id}");
    Model { provider: PROVIDER, id: &id, input, output, page }.into_row()
}

#[async_trait]
impl OfferSource for DeepInfra {
    fn name(&self) -> &'static str {
        PROVIDER
    }

    fn title(&self) -> &'static str {
        "DeepInfra"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// One call; list prices change by the day.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(60 * 60)
    }

    fn fresh_for(&self) -> Duration {
        self.poll_every() * 3
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = self.offers(cx).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
