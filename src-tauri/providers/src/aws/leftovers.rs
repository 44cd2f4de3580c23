//! What stays and costs without a machine: volumes that bear our mark, and addresses that nothing has.

use gpudesk_core::money::Currency;
use gpudesk_core::terms::{USUAL_MONTH_HOURS, terms};
use rust_decimal::Decimal;

use super::instance::TAG;
use super::map::PROVIDER;
use super::seen::AT_ONCE;
use super::service::{Aws, Fields, Service, filter};
use super::types::pages;
use super::xml::Node;
use crate::cloud::{CloudError, Leftover};
use crate::http::redact;
use crate::walk;

/// The region whose prices the general terms are.
const PRICED: &str = "us-east-1";

/// USD of an hour of a public IPv4 address, in use or not, the same in all regions (<https://aws.amazon.com/vpc/pricing/>).
const ADDRESS_AN_HOUR: Decimal = Decimal::from_parts(5, 0, 0, false, 3);

/// Everything of these regions.
pub(super) async fn leftovers(aws: &Aws, regions: &[String]) -> Result<Vec<Leftover>, CloudError> {
    let asked: Vec<_> = regions.iter().map(|region| of(aws, region)).collect();
    Ok(walk::all(asked, AT_ONCE).await?.into_iter().flatten().collect())
}

async fn of(aws: &Aws, region: &str) -> Result<Vec<Leftover>, CloudError> {
    let mut left = volumes(aws, region).await?;
    left.extend(addresses(aws, region).await?);
    Ok(left)
}

/// The value of the tag that people name things by.
fn name(row: &Node) -> Option<String> {
    let tag = row.items("tagSet").find(|tag| tag.text("key") == Some("Name"))?;
    tag.text("value").map(redact::words)
}

async fn volumes(aws: &Aws, region: &str) -> Result<Vec<Leftover>, CloudError> {
    let mut asked = filter(1, "status", &["available"]);
    asked.extend(filter(2, "tag-key", &[TAG]));
    let rows = pages(aws, "volumes", region, ("DescribeVolumes", "volumeSet", 500), asked).await?;
    let per_gb = terms(PROVIDER).and_then(|terms| terms.storage_gb_month);
    rows.iter()
        .map(|row| {
            let id =
                row.text("volumeId").ok_or_else(|| aws.unreadable("volumes", "a volume without an id"))?;
            let size_gb = row.whole("size").map(Decimal::from);
            let gp3 = row.text("volumeType") == Some("gp3") && region == PRICED;
            let per_month = size_gb.zip(per_gb).and_then(|(gb, price)| gb.checked_mul(price));
            Ok(Leftover {
                what: format!("volume in {region}"),
                remote_id: redact::words(id),
                name: name(row),
                size_gb,
                per_month: per_month.filter(|_| gp3).map(|cost| cost.normalize()),
                currency: Currency::USD,
            })
        })
        .collect()
}

/// Elastic addresses that belong to nothing. Machines of ours get none, but a type with several network cards can be
/// reached by no other, so a person may have given one to them, which outlives them. They have no pages.
async fn addresses(aws: &Aws, region: &str) -> Result<Vec<Leftover>, CloudError> {
    let doing = "addresses";
    let told = aws.ask(doing, (Service::Ec2, region), "DescribeAddresses", &Fields::new()).await?;
    let idle = |row: &&Node| {
        ["associationId", "instanceId", "networkInterfaceId"].iter().all(|field| row.text(field).is_none())
    };
    told.items("addressesSet")
        .filter(idle)
        .map(|row| {
            let id = row.text("allocationId").or(row.text("publicIp"));
            let id = id.ok_or_else(|| aws.unreadable(doing, "an address without an id"))?;
            Ok(Leftover {
                what: format!("elastic address in {region}"),
                remote_id: redact::words(id),
                name: name(row).or_else(|| row.text("publicIp").map(redact::words)),
                size_gb: None,
                per_month: ADDRESS_AN_HOUR
                    .checked_mul(Decimal::from(USUAL_MONTH_HOURS))
                    .map(|cost| cost.normalize()),
                currency: Currency::USD,
            })
        })
        .collect()
}
