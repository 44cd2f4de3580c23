//! OpenRouter: a reseller of the tokens of some sixty sellers. Its list of models answers without a key.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::entry;
use crate::http::{Base, Call, Literal, Pace, redact};
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};
use crate::tokens::Model;

const PROVIDER: &str = "openrouter";

/// What errors call it.
const WHAT: &str = "OpenRouter models";

/// Prices are given for one token.
const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

/// The page names no limit for the list; there is one call to make.
const PACE: Pace = Pace::per_minute("openrouter", 20);

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
    pricing: Pricing<'a>,
}

/// Texts, dollars for one token; -1 where it depends.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Pricing<'a> {
    #[serde(borrow)]
    prompt: Literal<'a>,
    #[serde(borrow)]
    completion: Literal<'a>,
}

/// The source.
pub struct OpenRouter {
    base: Base,
}

impl OpenRouter {
    /// The source at its configured address (`GPUDESK_OPENROUTER_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(PROVIDER, "https://openrouter.ai") }
    }

    fn feed(&self) -> FeedName {
        FeedName(PROVIDER.to_owned())
    }

    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let call = Call::get(WHAT, self.base.join("/api/v1/models")?).expecting("JSON").pace(PACE);
        let answer = cx.http.read(&call).await?;
        let text = answer.json_text();
        let list: Models<'_> = answer.parse(&text)?;
        let models = list.data.ok_or_else(|| answer.bad("JSON without `data`"))?;
        if models.is_empty() {
            return Err(SourceError::empty(WHAT, "model"));
        }
        let rows = models.iter().enumerate().map(|(at, json)| row(at, json.get()));
        let settled = settle(rows.collect::<Vec<_>>());
        Ok(settled.into_fetched(self.feed(), "OpenRouter, GET /api/v1/models", (cx.now)()))
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
    let million = |price: Literal<'_>| price.decimal().and_then(|price| price.checked_mul(MILLION));
    let (Some(input), Some(output)) = (million(listed.pricing.prompt), million(listed.pricing.completion))
    else {
        return Row::bad(format!("model {id}"), ReasonCode::PriceMissing, "no price of a token");
    };
    let page = format!("https://openrouter.ai/{id}");
    Model { provider: PROVIDER, id: &id, input, output, page }.into_row()
}

#[async_trait]
impl OfferSource for OpenRouter {
    fn name(&self) -> &'static str {
        PROVIDER
    }

    fn title(&self) -> &'static str {
        "OpenRouter"
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
