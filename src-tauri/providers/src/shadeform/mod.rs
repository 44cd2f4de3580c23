//! Shadeform: one account that reaches the machines of some twenty clouds. Nothing of it answers without a key.

mod api;
mod instance;
mod keys;
mod map;
mod rent;
mod terms;
mod timer;
mod volumes;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
use gpudesk_core::quarantine::settle;

pub use rent::open;
pub use terms::rental_terms;

use crate::http::{Base, Call, Secret};
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError, SourceErrorCode};

/// The source.
pub struct Shadeform {
    base: Base,
}

impl Shadeform {
    /// The source at its configured address (`GPUDESK_SHADEFORM_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("shadeform", api::ADDRESS) }
    }
}

#[async_trait]
impl KeyedList for Shadeform {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = api::TITLE;
    /// One call gives the whole list; no limit is documented.
    const POLL_EVERY: Duration = Duration::from_secs(5 * 60);

    /// Everything, sold out or not: no filter is set, so that an offer that comes back was never gone.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let what = "Shadeform offers";
        let call = Call::get(what, self.base.join("/v1/instances/types")?)
            .expecting("JSON")
            .pace(api::PACE)
            .keyed(api::KEY_IN, key)?;
        let answer = cx.http.read(&call).await?;
        let text = answer.json_text();
        let listed: wire::Types<'_> = answer.parse(&text)?;
        let Some(types) = listed.instance_types else {
            return Err(match api::Said::of(&answer.body) {
                Some(said) => SourceError::new(SourceErrorCode::ProviderRefused, what, said.words),
                None => answer.bad("JSON without the list of `instance_types`"),
            });
        };
        if types.is_empty() {
            return Err(SourceError::empty(what, "instance type"));
        }
        Ok(settle(map::rows(&types)).into_fetched(
            Self::feed(),
            "Shadeform, GET /instances/types",
            (cx.now)(),
        ))
    }
}
