//! Amazon EC2: virtual machines with whole cards or parts of one, on demand and spot. Every call is signed with the
//! vendor's own signer; the few that are needed are made by hand.

mod credentials;
mod image;
mod instance;
mod key;
mod keys;
mod launch;
mod leftovers;
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

use std::time::Duration;

use async_trait::async_trait;
use gpudesk_core::feed::Fetched;
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
use crate::one_list::KeyedList;
use crate::source::{Fetch, SourceConfig, SourceError};
use crate::walk;

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
}

/// A region that is not switched on, or that a policy of the organisation keeps the key out of.
fn lets_nobody_in(error: &CloudError) -> bool {
    matches!(error.code, CloudErrorCode::BadKey | CloudErrorCode::Forbidden | CloudErrorCode::AccountNotReady)
}

/// A region; why the key is not let into it, where that is all that is wrong.
async fn region(aws: &Aws, name: &str) -> Result<Result<Region, CloudError>, CloudError> {
    match opened(aws, name).await {
        Err(error) if !lets_nobody_in(&error) => Err(error),
        told => Ok(told),
    }
}

async fn opened(aws: &Aws, name: &str) -> Result<Region, CloudError> {
    let types = types::all(aws, name).await?;
    let spot = prices::spot(aws, name, None).await?;
    Ok(Region { name: name.to_owned(), types, spot })
}

#[async_trait]
impl KeyedList for Ec2 {
    const NAME: &'static str = map::PROVIDER;
    const TITLE: &'static str = "AWS";
    /// List prices change within weeks, spot prices within hours
    /// (<https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-spot-instances-history.html>); a refresh takes about
    /// three calls a region and twenty for the prices.
    const POLL_EVERY: Duration = Duration::from_secs(30 * 60);

    /// Types, list prices and spot prices of every region that is switched on. What one region fails to tell would be
    /// missing from the table, so that it fails the whole, and no further one is asked; a region that does not let the
    /// key in has nothing for it.
    async fn offers(&self, cx: &Fetch<'_>, key: &Secret) -> Result<Fetched, SourceError> {
        let aws = Aws::new(cx.http.clone(), key, |service| self.config.address(service))?;
        let names = Regions::default().all(&aws).await?;
        let prices = prices::list(&aws).await?;
        let asked: Vec<_> = names.iter().map(|name| region(&aws, name)).collect();
        let (mut rows, mut shut, mut refusal) = (Vec::new(), Vec::new(), None);
        for (name, told) in names.iter().zip(walk::all(asked, AT_ONCE).await?) {
            match told {
                Ok(region) => rows.extend(map::rows(&region, &prices)),
                Err(error) => {
                    shut.push(name.as_str());
                    refusal = Some(error);
                }
            }
        }
        if let Some(error) = refusal.filter(|_| shut.len() == names.len()) {
            return Err(error.into());
        }
        let mut settled = settle(rows);
        if !shut.is_empty() {
            settled.notes.push(format!("the key is not let into {}", shut.join(", ")));
        }
        if settled.offers.is_empty() {
            return Err(SourceError::empty(aws.what("offers"), "offer with a price"));
        }
        let origin = "AWS: EC2 DescribeInstanceTypes and DescribeSpotPriceHistory, Price List GetProducts";
        Ok(settled.into_fetched(Self::feed(), origin, (cx.now)()))
    }
}
