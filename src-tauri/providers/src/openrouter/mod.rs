//! OpenRouter: a reseller of the tokens of some sixty sellers. Its list of models answers without a key.

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::entry;
use crate::http::{Base, Block, Literal, Pace, redact};
use crate::one_list::OneList;
use crate::source::{Fetch, SourceConfig, SourceError};
use crate::tokens::{List, Listed};

const PROVIDER: &str = "openrouter";

/// Prices are given for one token.
const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

/// The page names no limit for the list; there is one call to make.
const LIST: List = List {
    provider: PROVIDER,
    what: "OpenRouter models",
    path: "/api/v1/models",
    origin: "OpenRouter, GET /api/v1/models",
    pace: Pace::per_minute("openrouter", 20),
    pages: "https://openrouter.ai/",
    unpriced: "no price of a token",
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Model<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
    #[serde(borrow)]
    pricing: Block<Pricing<'a>>,
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
}

#[async_trait]
impl OneList for OpenRouter {
    const NAME: &'static str = PROVIDER;
    const TITLE: &'static str = "OpenRouter";
    /// One call; list prices change by the day.
    const POLL_EVERY: Duration = Duration::from_secs(60 * 60);
    const FRESH_FOR: Duration = Duration::from_secs(3 * 60 * 60);

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        LIST.read(cx, &self.base, listed).await.map(Some)
    }
}

fn listed(json: &str) -> Result<Listed, String> {
    let model: Model<'_> = entry::read(json, "a model")?;
    let million =
        |price: Literal<'_>| price.amount(Currency::USD).and_then(|price| price.checked_mul(MILLION));
    Ok(Listed {
        id: model.id.text().map(|id| redact::words(&id)),
        prices: million(model.pricing.prompt).zip(million(model.pricing.completion)),
    })
}
