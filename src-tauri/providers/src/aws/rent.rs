//! Renting at AWS.

use async_trait::async_trait;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, PriceKind};
use gpudesk_core::rental::RentalTerms;
use rust_decimal::Decimal;

use super::instance::{Instance, is_id};
use super::key::region_of;
use super::prices::{self, Rate};
use super::seen::Seen;
use super::service::{Aws, Fields, LAUNCH, Service, WRITE, fields, filter};
use super::terms::rental_terms;
use super::types;
use super::{launch, leftovers};
use crate::cloud::{
    Access, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing, Look, Quote,
};
use crate::http::redact;

struct AwsCloud {
    aws: Aws,
    seen: Seen,
    terms: RentalTerms,
}

/// Opens AWS for one account (`GPUDESK_AWS_URL`, `GPUDESK_AWS_PRICING_URL`).
///
/// # Errors
/// Where the key or an address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let addresses = access.addresses;
    let aws = Aws::new(access.http, &access.key, |service| addresses.get(service).map(String::as_str))?;
    Ok(Box::new(AwsCloud { aws, seen: Seen::default(), terms: rental_terms() }))
}

impl AwsCloud {
    /// Changes one machine, wherever it is; `None` where there is none of that id.
    async fn manage(&self, doing: &str, id: &str, action: &str) -> Result<Option<()>, CloudError> {
        let Some(region) = self.seen.region(&self.aws, id).await? else { return Ok(None) };
        let pace = if action == "StartInstances" { LAUNCH } else { WRITE };
        let one = fields(&[("InstanceId.1", id)]);
        match self.aws.change(doing, &region, (action, &one), pace).await {
            Ok(_) => Ok(Some(())),
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn absent(&self, doing: &str, id: &str) -> CloudError {
        let words = format!("no region of the account has a machine {}", redact::words(id));
        self.aws.error(CloudErrorCode::NoSuchMachine, doing, words)
    }

    /// A persistent request would start another machine when this one ends. Ours never are.
    async fn let_go(&self, instance: &Instance, region: &str) -> Result<(), CloudError> {
        let Some(request) = instance.spot_request.as_deref().filter(|_| instance.machine.token.is_none())
        else {
            return Ok(());
        };
        let doing = "spot request";
        let mut persistent = filter(1, "spot-instance-request-id", &[request]);
        persistent.extend(filter(2, "type", &["persistent"]));
        let action = "DescribeSpotInstanceRequests";
        let found = self.aws.ask(doing, (Service::Ec2, region), action, &persistent).await?;
        let row = found
            .items("spotInstanceRequestSet")
            .find(|row| row.text("spotInstanceRequestId") == Some(request));
        if row.is_none_or(|row| row.text("type") != Some("persistent")) {
            return Ok(());
        }
        let cancel: Fields = fields(&[("SpotInstanceRequestId.1", request)]);
        self.aws.change(doing, region, ("CancelSpotInstanceRequests", &cancel), WRITE).await.map(|_| ())
    }

    /// The price as it is now; `None` where there is none.
    async fn price(
        &self,
        offer: &Offer,
        region: &str,
        place: &str,
    ) -> Result<Option<(Rate, String)>, CloudError> {
        if offer.price.kind == PriceKind::Spot {
            let zone = (place != region).then_some(place);
            let told = match zone {
                Some(zone) => prices::spot(&self.aws, region, Some((&offer.name, zone))).await?,
                None => prices::spot(&self.aws, region, None).await?,
            };
            let here = told
                .into_iter()
                .filter(|((name, of), _)| *name == offer.name && zone.is_none_or(|zone| zone == of));
            return Ok(here.min_by_key(|(_, rate)| rate.per_hour).map(|((_, zone), rate)| (rate, zone)));
        }
        match prices::one(&self.aws, &offer.name, region).await {
            Ok(rate) => Ok(rate.map(|rate| (rate, place.to_owned()))),
            Err(error) if error.code == CloudErrorCode::BadKey => Err(error),
            // A list price changes within years. Where the list cannot be had (a key may rent and not see it), the one
            // at hand holds.
            Err(error) => {
                tracing::warn!("the list price of {} was not read anew: {error}", offer.name);
                let at_hand = Rate { per_hour: offer.price.per_hour, currency: offer.price.currency };
                Ok(Some((at_hand, place.to_owned())))
            }
        }
    }
}

#[async_trait]
impl Cloud for AwsCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let home = self.aws.key.home.clone();
        let who = self.aws.ask("account", (Service::Sts, &home), "GetCallerIdentity", &fields(&[])).await?;
        let may_read = {
            let asked = self.aws.ask("rights", (Service::Ec2, &home), "DescribeRegions", &fields(&[])).await;
            match asked {
                Ok(_) => true,
                Err(error) if error.code == CloudErrorCode::Forbidden => false,
                Err(error) => return Err(error),
            }
        };
        // The first of the calls of a launch that changes something stands for all of them.
        let group = fields(&[("GroupName", "gpudesk-rights"), ("GroupDescription", "never made")]);
        let may_write = self.aws.may(&home, "CreateSecurityGroup", &group).await?;
        let mut remarks = Vec::new();
        remarks.extend(super::quota::remark(&self.aws, &home).await);
        Ok(AccountFacts {
            who: who.text("GetCallerIdentityResult/Arn").map(redact::words),
            balance: None,
            currency: Currency::USD,
            spend_limit_per_hour: None,
            burning_per_hour: None,
            may_read: Some(may_read),
            may_write: Some(may_write),
            missing: Vec::new(),
            remarks,
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let place = offer.place.region.as_deref().unwrap_or_default();
        let gone = |words: String| Ok(Quote::Gone { words });
        let Some(region) = region_of(place) else {
            return gone(format!("“{}” is neither a region of AWS nor a zone of one", redact::words(place)));
        };
        let Some(kind) = types::named(&self.aws, region, &[&offer.name]).await?.into_iter().next() else {
            return gone(format!("{region} has no machines of the type {}", offer.name));
        };
        if !kind.has(offer.price.kind.word()) {
            return gone(format!("{region} has no {} {}", offer.price.kind, offer.name));
        }
        let priced = self.price(offer, region, place).await?;
        let Some((rate, place)) = priced.filter(|(rate, _)| rate.per_hour > Decimal::ZERO) else {
            return gone(format!("AWS names no {} price of {} in {place}", offer.price.kind, offer.name));
        };
        let mut now = offer.clone();
        now.price.per_hour = rate.per_hour;
        now.price.currency = rate.currency;
        now.place.region = Some(place);
        Ok(Quote::Stands(Box::new(now)))
    }

    async fn launch(&self, order: &Launch) -> Result<Launched, CloudError> {
        launch::launch(&self.aws, &self.seen, &self.terms, order).await
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        self.seen.list(&self.aws).await
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let found = self.seen.look(&self.aws, remote_id).await?;
        Ok(found.map_or(Look::Absent, |(instance, _)| Look::There(Box::new(instance.machine))))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "stop";
        match self.manage(doing, remote_id, "StopInstances").await {
            Err(mut error) if error.code == CloudErrorCode::Unsupported => {
                error.hint = Some("a spot machine can only be ended: save what is needed first".to_owned());
                Err(error)
            }
            done => done?.ok_or_else(|| self.absent(doing, remote_id)),
        }
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "start";
        self.manage(doing, remote_id, "StartInstances").await?.ok_or_else(|| self.absent(doing, remote_id))
    }

    /// What is gone, or on its way out, is asked nothing more.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        if !is_id(remote_id) {
            return Err(self.absent(doing, remote_id));
        }
        let Some((instance, region)) = self.seen.look(&self.aws, remote_id).await? else {
            // One that was made a moment ago may not be found yet; where it was made is known.
            return self.manage(doing, remote_id, "TerminateInstances").await.map(|_| ());
        };
        if matches!(instance.code, Some(32 | 48)) {
            return Ok(());
        }
        self.let_go(&instance, &region).await?;
        self.manage(doing, remote_id, "TerminateInstances").await.map(|_| ())
    }

    /// A tag of the same key is overwritten, and every other one stays
    /// (<https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateTags.html>).
    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        let doing = "tags";
        if !is_id(remote_id) {
            return Err(self.absent(doing, remote_id));
        }
        let Some(region) = self.seen.region(&self.aws, remote_id).await? else {
            return Err(self.absent(doing, remote_id));
        };
        let mut asked = fields(&[("ResourceId.1", remote_id)]);
        asked.extend(tags.iter().enumerate().flat_map(|(n, (name, value))| {
            let at = format!("Tag.{}", n + 1);
            [(format!("{at}.Key"), launch::tag(name)), (format!("{at}.Value"), value.clone())]
        }));
        self.aws.change(doing, &region, ("CreateTags", &asked), WRITE).await.map(|_| ())
    }

    /// Disks with our mark that no machine has.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        let regions = self.seen.regions(&self.aws).await?;
        leftovers::leftovers(&self.aws, &regions).await
    }
}
