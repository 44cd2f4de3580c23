//! Amazon EC2: virtual machines with whole cards or parts of one, on demand and spot. Every call is signed with the
//! vendor's own signer; the few that are needed are made by hand.

mod credentials;
mod image;
mod instance;
mod key;
mod keys;
mod launch;
mod map;
mod network;
mod prices;
mod quota;
mod regions;
mod rent;
mod said;
mod seen;
mod service;
mod sign;
mod terms;
mod types;
mod xml;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::settle;

pub use key::key_of_environment;
pub use rent::open;
pub use terms::rental_terms;

use self::map::Region;
use self::regions::Regions;
use self::seen::AT_ONCE;
use self::service::Aws;
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::Secret;
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// The source.
pub struct Ec2 {
    config: SourceConfig,
}

impl Ec2 {
    /// The source at its configured addresses (`GPUDESK_AWS_URL` for every regional service,
    /// `GPUDESK_AWS_PRICING_URL` for the list prices).
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { config: config.clone() }
    }

    /// Types, list prices and spot prices of every region that is switched on. What one region fails to tell would be
    /// missing from the table, so that it fails the whole; a region that does not let the key in has nothing for it.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, CloudError> {
        let aws = Aws::new(cx.http.clone(), key, |service| self.config.address(service))?;
        let names = Regions::default().all(&aws).await?;
        let prices = prices::list(&aws).await?;
        let asked: Vec<_> = names.iter().map(|name| region(&aws, name)).collect();
        let told: Vec<Result<Region, CloudError>> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let (mut rows, mut shut, mut refusal) = (Vec::new(), Vec::new(), None);
        for (name, told) in names.iter().zip(told) {
            match told {
                Ok(region) => rows.extend(map::rows(&region, &prices)),
                Err(error) if lets_nobody_in(&error) => {
                    shut.push(name.as_str());
                    refusal = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = refusal.filter(|_| shut.len() == names.len()) {
            return Err(error);
        }
        let mut settled = settle(rows);
        if !shut.is_empty() {
            settled.notes.push(format!("the key is not let into {}", shut.join(", ")));
        }
        if settled.offers.is_empty() {
            return Err(aws
                .error(
                    CloudErrorCode::Http(SourceErrorCode::BadAnswer),
                    "offers",
                    "not a single offer with a price",
                )
                .hint("the offers at hand stay in use; refresh again later"));
        }
        let origin = "AWS: EC2 DescribeInstanceTypes and DescribeSpotPriceHistory, Price List GetProducts";
        Ok(settled.into_fetched(self.feed(), origin, (cx.now)()))
    }

    fn feed(&self) -> FeedName {
        FeedName(self.name().to_owned())
    }
}

/// A region that is not switched on, or that a policy of the organisation keeps the key out of.
fn lets_nobody_in(error: &CloudError) -> bool {
    matches!(error.code, CloudErrorCode::BadKey | CloudErrorCode::Forbidden | CloudErrorCode::AccountNotReady)
}

async fn region(aws: &Aws, name: &str) -> Result<Region, CloudError> {
    let types = types::all(aws, name).await?;
    let spot = prices::spot(aws, name, None).await?;
    Ok(Region { name: name.to_owned(), types, spot })
}

#[async_trait]
impl OfferSource for Ec2 {
    fn name(&self) -> &'static str {
        map::PROVIDER
    }

    fn title(&self) -> &'static str {
        "AWS"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![self.feed()]
    }

    /// List prices change within weeks, spot prices within hours
    /// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-spot-instances-history.html>); a refresh takes about
    /// three calls a region and twenty for the prices.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(30 * 60)
    }

    fn needs_key(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        // Without an account there is nothing to ask, which is no failure.
        let Some(key) = cx.key else { return };
        let begun = Instant::now();
        let result = self.offers(cx, key).await.map(|fetched| FeedAnswer::Fetched { fetched, version: None });
        let result = result.map_err(|error| as_source(&error));
        out(FeedOutcome { feed: self.feed(), seconds: begun.elapsed().as_secs_f64(), result });
    }
}

/// The error of a feed: what a key may not do is refused.
fn as_source(error: &CloudError) -> SourceError {
    let code = match error.code {
        CloudErrorCode::Http(code) => code,
        _ => SourceErrorCode::ProviderRefused,
    };
    let mut told = SourceError::new(code, error.what.clone(), &error.detail);
    told.hint.clone_from(&error.hint);
    told.retry_at = error.retry_at;
    told
}
