//! DeepInfra: tokens of open models. Its list of models answers without a key and has prices in dollars per million
//! tokens; models that are billed otherwise have none there.

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::money::Currency;
use serde::Deserialize;

use crate::entry;
use crate::http::{Base, Block, Literal, Pace, redact};
use crate::one_list::OneList;
use crate::source::{Fetch, SourceConfig, SourceError};
use crate::tokens::{List, Listed};

const PROVIDER: &str = "deepinfra";

/// No limit is published for the list; there is one call to make.
const LIST: List = List {
    provider: PROVIDER,
    what: "DeepInfra models",
    path: "/v1/openai/models",
    origin: "DeepInfra, GET /v1/openai/models",
    pace: Pace::per_minute("deepinfra", 20),
    pages: "https://deepinfra.com/",
    // Images, speech and embeddings are billed by other units.
    unpriced: "not billed by tokens in and out",
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Model<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
    #[serde(borrow)]
    metadata: Block<Metadata<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    pricing: Block<Pricing<'a>>,
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
}

#[async_trait]
impl OneList for DeepInfra {
    const NAME: &'static str = PROVIDER;
    const TITLE: &'static str = "DeepInfra";
    /// One call; list prices change by the day.
    const POLL_EVERY: Duration = Duration::from_secs(60 * 60);
    const FRESH_FOR: Duration = Duration::from_secs(3 * 60 * 60);

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        LIST.read(cx, &self.base, listed).await.map(Some)
    }
}

fn listed(json: &str) -> Result<Listed, String> {
    let model: Model<'_> = entry::read(json, "a model")?;
    let pricing = &model.metadata.pricing;
    let price = |price: Literal<'_>| price.amount(Currency::USD);
    Ok(Listed {
        id: model.id.text().map(|id| redact::words(&id)),
        prices: price(pricing.input_tokens).zip(price(pricing.output_tokens)),
    })
}
