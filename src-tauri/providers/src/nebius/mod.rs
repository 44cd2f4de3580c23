//! Nebius: virtual machines with whole cards, one project a region, by gRPC under a token that is given for a signed
//! statement. Nothing of it answers without a key. (Not Yandex Cloud, and not Nebius Token Factory.)

mod api;
mod instance;
mod map;
mod rent;
mod session;
mod terms;
#[cfg(test)]
mod tests;
mod wire;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::{Access, CloudError, CloudErrorCode};
use crate::http::Secret;
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};
use session::Session;

/// The source.
pub struct Nebius {
    addresses: std::collections::BTreeMap<String, String>,
}

impl Nebius {
    /// The source at its configured addresses (`GPUDESK_NEBIUS_URL`, `GPUDESK_NEBIUS_AUTH_URL`).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        let addresses = ["nebius", "nebius_auth"]
            .into_iter()
            .filter_map(|service| Some((service.to_owned(), config.address(service)?.to_owned())))
            .collect();
        Self { addresses }
    }

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, CloudError> {
        let doing = "offers";
        let access = Access { http: cx.http.clone(), key: key.clone(), addresses: self.addresses.clone() };
        let session = Session::new(access)?;
        let mut homes = api::homes(&session, doing).await?;
        // Machines are made in the first project of a region; the others have the same offers.
        homes.dedup_by(|a, b| a.region == b.region);
        let (mut rows, mut platforms, mut wanted) = (Vec::new(), Vec::new(), Vec::new());
        for home in &homes {
            for row in api::platforms(&session, doing, &home.project).await? {
                match api::platform(&row) {
                    Ok(platform) => {
                        wanted.extend(map::wanted(&home.project, &platform));
                        platforms.push((home, platform));
                    }
                    Err(words) => {
                        let origin = format!("a platform in {}", home.region);
                        rows.push(Row::bad(origin, ReasonCode::Unreadable, words));
                    }
                }
            }
        }
        let costs = api::prices(&session, doing, wanted).await?.into_iter().collect();
        let advice = api::advice(&session, doing).await;
        for (home, platform) in platforms {
            rows.extend(map::rows(home, &platform, &costs, &advice));
        }
        if rows.is_empty() {
            let code = CloudErrorCode::Http(SourceErrorCode::BadAnswer);
            return Err(Session::error(code, doing, "not a single platform")
                .hint("the offers at hand stay in use; refresh again later"));
        }
        let origin = "Nebius, PlatformService and CalculatorService";
        Ok(settle(rows).into_fetched(self.feed(), origin, session.now()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

#[async_trait]
impl OfferSource for Nebius {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        session::TITLE
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// A price is a call of its own, and no limit is published; a spot price moves by the day.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(15 * 60)
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        // Without an account there is nothing to ask, which is no failure.
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let result = self.offers(cx, key).await.map_err(|error| SourceError {
            code: match error.code {
                CloudErrorCode::Http(code) => code,
                _ => SourceErrorCode::ProviderRefused,
            },
            what: error.what,
            detail: error.detail,
            hint: error.hint,
            retry_at: error.retry_at,
        });
        let result = result.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
