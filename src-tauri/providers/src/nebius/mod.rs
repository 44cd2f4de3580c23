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
mod wire_instance;
mod wire_offers;

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};

pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Access;
use crate::http::Secret;
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};
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
}

#[async_trait]
impl KeyedList for Nebius {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = session::TITLE;
    /// A price is a call of its own, and no limit is published; a spot price moves by the day.
    const POLL_EVERY: Duration = Duration::from_secs(15 * 60);

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
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
            return Err(SourceError::empty(Session::what(doing), "platform"));
        }
        let origin = "Nebius, PlatformService and CalculatorService";
        Ok(settle(rows).into_fetched(Self::feed(), origin, session.now()))
    }
}
