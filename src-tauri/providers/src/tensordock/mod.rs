//! TensorDock: a marketplace of independent hosts. The list of its older interface answers without a key; machines are
//! rented on its dashboard. Little is promised about either.

mod map;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;

use crate::http::{Base, Call, Pace};
use crate::one_list::OneList;
use crate::source::{Fetch, SourceConfig, SourceError, SourceErrorCode};

/// What errors call it.
const WHAT: &str = "TensorDock offers";

/// 100 calls a minute (<https://dashboard.tensordock.com/api/docs>); there is one to make.
const PACE: Pace = Pace::per_minute("tensordock", 20);

/// The source.
pub struct TensorDock {
    base: Base,
}

impl TensorDock {
    /// The source at its configured address (`GPUDESK_TENSORDOCK_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base(map::PROVIDER, "https://marketplace.tensordock.com") }
    }
}

#[async_trait]
impl OneList for TensorDock {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = "TensorDock";
    /// One call, of the 100 a minute that are allowed.
    const POLL_EVERY: Duration = Duration::from_secs(15 * 60);

    async fn read(&self, cx: &Fetch<'_>) -> Result<Option<Fetched>, SourceError> {
        let url = self.base.join("/api/v0/client/deploy/hostnodes")?;
        let answer = cx.http.read(&Call::get(WHAT, url).expecting("JSON").pace(PACE)).await?;
        let text = answer.json_text();
        let list: wire::Hosts<'_> = answer.parse(&text)?;
        // Errors come with status 200.
        if let Some(words) = list.error.text() {
            return Err(SourceError::new(SourceErrorCode::ProviderRefused, WHAT, words));
        }
        let hosts = list.hostnodes.ok_or_else(|| answer.lacks("hostnodes"))?;
        if hosts.is_empty() {
            return Err(SourceError::empty(WHAT, "host"));
        }
        let rows: Vec<_> = hosts.iter().flat_map(|(id, json)| map::rows(id, json.get())).collect();
        let settled = settle(rows);
        let origin = "TensorDock, GET /client/deploy/hostnodes";
        let mut fetched = settled.into_fetched(Self::feed(), origin, (cx.now)());
        fetched.notes.push(map::SIZE.to_owned());
        Ok(Some(fetched))
    }
}
