//! Clouds that are OpenStack underneath: Selectel, VK Cloud, immers.cloud, OVHcloud and any other, by one adapter. What
//! differs is data, see `profile`. Nothing of them that tells flavors answers without a key; prices come from elsewhere.

mod card;
mod catalogue;
mod files;
mod image;
mod instance;
mod key;
mod keys;
mod launch;
mod leftovers;
mod map;
mod names;
mod network;
mod offers;
mod pages;
mod parts;
mod prices;
mod profile;
mod rent;
mod said;
mod session;
mod sheet;
mod terms;
mod wire;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};

pub use key::key_of_environment;
pub use profile::{IMMERS, OPENSTACK, OVH, Profile, SELECTEL, VK};
pub use rent::open;
pub use terms::rental_terms;

use crate::cloud::Access;
use crate::http::Secret;
use crate::source::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError};
use prices::PriceList;
use session::Session;

/// The source of one of the clouds.
pub struct OpenStack {
    profile: &'static Profile,
    addresses: BTreeMap<String, String>,
}

impl OpenStack {
    /// The source at its configured addresses (`GPUDESK_<CLOUD>_URL` of the identity service, `GPUDESK_<CLOUD>_PRICES_URL`).
    #[must_use]
    pub fn new(profile: &'static Profile, config: &SourceConfig) -> Self {
        let services = [profile.provider.to_owned(), format!("{}_prices", profile.provider)];
        let addresses = services
            .into_iter()
            .filter_map(|service| {
                let address = config.address(&service)?.to_owned();
                Some((service, address))
            })
            .collect();
        Self { profile, addresses }
    }

    fn feed(&self) -> FeedName {
        FeedName(self.profile.provider.to_owned())
    }

    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let access = Access { http: cx.http.clone(), key: key.clone(), addresses: self.addresses.clone() };
        let session = Session::open(self.profile, &access)?;
        let list = PriceList::of(&session, &access);
        offers::fetch(&session, &list, self.feed()).await
    }
}

#[async_trait]
impl OfferSource for OpenStack {
    fn name(&self) -> &'static str {
        self.profile.provider
    }

    fn title(&self) -> &'static str {
        self.profile.title
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// Flavors change by the month, and no limit is published.
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
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}
