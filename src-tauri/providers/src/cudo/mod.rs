//! CUDO Compute: virtual machines in the data centres of partners, priced by the part. Its list of machine types
//! answers without a key; machines are rented in its console.

mod map;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;

use crate::http::{Answer, Base, Call, Pace};
use crate::one_list::OneList;
use crate::source::{Fetch, SourceConfig, SourceError};

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

    async fn ask(&self, cx: &Fetch<'_>, path: &str) -> Result<Answer, SourceError> {
        cx.http.read(&Call::get(WHAT, self.base.join(path)?).expecting("JSON").pace(PACE)).await
    }
}

#[async_trait]
impl OneList for Cudo {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = "CUDO Compute";
    /// Three calls; its pages name no limit of asking.
    const POLL_EVERY: Duration = Duration::from_secs(15 * 60);

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        let types = self.ask(cx, "/v1/vms/machine-types").await?;
        let text = types.json_text();
        let list: wire::MachineTypes<'_> = types.parse(&text)?;
        let types = list.machine_types.ok_or_else(|| types.lacks("machineTypes"))?;
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
            settled.into_fetched(Self::feed(), "CUDO Compute, GET /v1/vms/machine-types", (cx.now)());
        fetched.notes.extend(notes);
        fetched.notes.push(map::SIZE.to_owned());
        Ok(Some(fetched))
    }
}
