//! CUDO Compute: virtual machines in the data centres of partners, priced by the part. Its list of machine types
//! answers without a key; machines are rented in its console.

mod map;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

use crate::http::{Answer, Base, Call, Pace};
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};

/// What errors call it.
const WHAT: &str = "CUDO Compute offers";

/// No limit is published (CudoVentures/cudo-compute-docs names the answer 429 alone).
const PACE: Pace = Pace::per_minute("cudo", 60);

/// The source.
pub struct Cudo {
    base: Base,
}

impl Cudo {
    /// The source at its configured address (`GPUDESK_CUDO_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, "https://rest.compute.cudo.org") }
    }

    fn feed(&self) -> FeedName {
        FeedName(map::PROVIDER.to_owned())
    }

    async fn offers(&self, cx: &Fetch<'_>) -> Result<Fetched, SourceError> {
        let types = self.ask(cx, "/v1/vms/machine-types").await?;
        let text = types.json_text();
        let list: wire::MachineTypes<'_> = types.parse(&text)?;
        let types = list.machine_types.ok_or_else(|| types.bad("JSON without `machineTypes`"))?;
        if types.is_empty() {
            return Err(SourceError::empty(WHAT, "machine type"));
        }
        let mut market = map::Market::default();
        let mut notes = Vec::new();
        // Memory of the cards and what is left of addresses stand in lists of their own. Without them the offers are
        // less, and still offers.
        match self.ask(cx, "/v1/vms/gpu-models").await {
            Ok(answer) => market.take_models(&answer.json_text()),
            Err(error) => notes.push(format!("memory of the cards was not told: {}", error.detail)),
        }
        match self.ask(cx, "/v1/vms/data-centers").await {
            Ok(answer) => market.take_centers(&answer.json_text()),
            Err(error) => {
                notes.push(format!("operators of the data centres were not told: {}", error.detail))
            }
        }
        let rows = types.iter().enumerate().map(|(at, json)| market.row(at, json.get()));
        let settled = settle(rows.collect::<Vec<_>>());
        let mut fetched =
            settled.into_fetched(self.feed(), "CUDO Compute, GET /v1/vms/machine-types", (cx.now)());
        fetched.notes.extend(notes);
        fetched.notes.push(map::SIZE.to_owned());
        Ok(fetched)
    }

    async fn ask(&self, cx: &Fetch<'_>, path: &str) -> Result<Answer, SourceError> {
        cx.http.read(&Call::get(WHAT, self.base.join(path)?).expecting("JSON").pace(PACE)).await
    }
}

#[async_trait]
impl OfferSource for Cudo {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        "CUDO Compute"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Three calls; its pages name no limit of asking.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(15 * 60)
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let begun = Instant::now();
        let result = self.offers(cx).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
