//! The launch: everything around the machine first, then one call for each zone that has none left.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::RentalTerms;

use super::image::{self, Image};
use super::instance::{TAG, USER_TAG, is_id};
use super::key::region_of;
use super::network::{self, Subnet};
use super::seen::Seen;
use super::service::{Aws, Fields, LAUNCH, fields, tags};
use super::terms::MOST_USER_DATA;
use super::{keys, types};
use crate::cloud::{CloudError, CloudErrorCode, Effect, Launch, Launched};
use crate::source::SourceErrorCode;

const DOING: &str = "launch";

/// The most characters of a client token.
const CLIENT_TOKEN: usize = 64;

/// What a machine is made of, beside its zone.
struct Parts<'a> {
    launch: &'a Launch,
    spot: bool,
    image: Image,
    key: String,
    group: String,
    disk_gb: u32,
}

/// Makes a machine, unless one bears the mark already: a token is bound to its zone, so that the token alone would not
/// keep a repeated order from making a second one in another zone.
pub(super) async fn launch(
    aws: &Aws,
    seen: &Seen,
    terms: &RentalTerms,
    launch: &Launch,
) -> Result<Launched, CloudError> {
    let place = launch.offer.place.region.as_deref().unwrap_or_default();
    let Some(region) = region_of(place) else {
        let words = format!("“{place}” is neither a region of AWS nor a zone of one");
        return Err(aws.error(CloudErrorCode::Refused, DOING, words).hint("choose an offer in a region"));
    };
    let spot = match launch.offer.price.kind {
        PriceKind::OnDemand => false,
        PriceKind::Spot => true,
        other => {
            let words = format!("a price of the kind {other} cannot be rented at AWS from here");
            return Err(aws
                .error(CloudErrorCode::Unsupported, DOING, words)
                .hint("choose on-demand or spot"));
        }
    };
    if launch.user_data.len() > MOST_USER_DATA as usize {
        let words = format!("the first script has more than {MOST_USER_DATA} bytes");
        return Err(aws.error(CloudErrorCode::Refused, DOING, words).hint("make it shorter"));
    }
    if let Some(remote_id) = seen.marked(aws, region, &launch.token).await? {
        return Ok(Launched { remote_id });
    }
    let name = launch.offer.name.as_str();
    let Some(kind) = types::named(aws, region, &[name]).await?.into_iter().next() else {
        let words = format!("{region} has no machines of the type {name}");
        return Err(aws.error(CloudErrorCode::OfferGone, DOING, words).hint("choose another region"));
    };
    let zone = (place != region).then_some(place);
    let subnets = places(aws, region, name, zone).await?;
    let image = image::image(aws, region, &launch.spec, &kind.architectures).await?;
    let usual = terms.disk.map_or(0, |disk| disk.usual);
    let disk_gb = launch.spec.disk_gb.unwrap_or(usual);
    if let Some(least) = image.least_gb.filter(|least| u64::from(disk_gb) < *least) {
        let words =
            format!("the image {} needs a disk of {least} GB at least, {disk_gb} GB are asked for", image.id);
        return Err(aws
            .error(CloudErrorCode::Refused, DOING, words)
            .hint(format!("ask for {least} GB or more")));
    }
    let key = keys::name_of(aws, region, &launch.spec.ssh_public_key).await?;
    let vpc = subnets.first().map(|subnet| subnet.vpc.clone()).unwrap_or_default();
    let group = network::group(aws, region, &vpc).await?;
    let parts = Parts { launch, spot, image, key, group, disk_gb };
    let mut none = None;
    for subnet in subnets.iter().filter(|subnet| subnet.vpc == vpc) {
        match run(aws, region, subnet, &parts).await {
            Ok(remote_id) => {
                seen.put(&remote_id, region);
                return Ok(Launched { remote_id });
            }
            // Only a zone that surely made nothing leads to the next one.
            Err(error) if error.code == CloudErrorCode::NoCapacity && error.effect == Effect::Nothing => {
                none = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(none.unwrap_or_else(|| {
        aws.error(CloudErrorCode::NoCapacity, DOING, format!("no zone of {region} has {name}"))
            .hint("choose another region")
    }))
}

/// The subnets in the zones that have the type; in one zone only where the offer is that zone's.
async fn places(aws: &Aws, region: &str, name: &str, zone: Option<&str>) -> Result<Vec<Subnet>, CloudError> {
    let zones = types::zones(aws, region, name).await?;
    let wanted = |known: &String| zone.is_none_or(|zone| zone == known);
    let zones: Vec<String> = zones.into_iter().filter(wanted).collect();
    if zones.is_empty() {
        let place = zone.unwrap_or(region);
        let words = format!("{place} has no machines of the type {name}");
        return Err(aws.error(CloudErrorCode::OfferGone, DOING, words).hint("choose another zone or region"));
    }
    let mut subnets = network::subnets(aws, region).await?;
    subnets.retain(|subnet| zones.contains(&subnet.zone));
    if subnets.is_empty() {
        let words = format!("the account has no subnet in {}, where the type is", zones.join(", "));
        return Err(aws
            .error(CloudErrorCode::AccountNotReady, DOING, words)
            .hint("make a default subnet in that zone: aws ec2 create-default-subnet"));
    }
    Ok(subnets)
}

/// One call in one zone.
async fn run(aws: &Aws, region: &str, subnet: &Subnet, parts: &Parts<'_>) -> Result<String, CloudError> {
    let client_token = format!("{}-{}", parts.launch.token, subnet.zone);
    if client_token.len() > CLIENT_TOKEN {
        return Err(aws.error(
            CloudErrorCode::Refused,
            DOING,
            "the mark is longer than a client token may be",
        ));
    }
    let asked = order(subnet, parts, &client_token);
    let sent = aws.change(DOING, region, ("RunInstances", &asked), LAUNCH).await;
    let answer = sent.map_err(|mut error| {
        // A group or key that was made a moment ago may not be seen everywhere yet.
        let young = ["InvalidGroup.NotFound", "InvalidGroupId.NotFound", "InvalidKeyPair.NotFound"];
        if error.effect == Effect::Nothing && young.iter().any(|code| error.detail.contains(code)) {
            error.code = CloudErrorCode::Http(SourceErrorCode::ProviderDown);
            error.hint = Some("it is asked again in a moment".to_owned());
        }
        error
    })?;
    let made = answer.items("instancesSet").find_map(|row| row.text("instanceId"));
    made.filter(|id| is_id(id))
        .map(str::to_owned)
        .ok_or_else(|| aws.unreadable(DOING, "the answer names no new instance"))
}

fn order(subnet: &Subnet, parts: &Parts<'_>, client_token: &str) -> Fields {
    let Parts { launch, spot, image, key, group, disk_gb } = parts;
    let disk = disk_gb.to_string();
    let mut asked = fields(&[
        ("ImageId", &image.id),
        ("InstanceType", &launch.offer.name),
        ("MinCount", "1"),
        ("MaxCount", "1"),
        ("KeyName", key),
        ("ClientToken", client_token),
        ("NetworkInterface.1.DeviceIndex", "0"),
        ("NetworkInterface.1.SubnetId", &subnet.id),
        ("NetworkInterface.1.SecurityGroupId.1", group),
        ("NetworkInterface.1.AssociatePublicIpAddress", "true"),
        ("NetworkInterface.1.DeleteOnTermination", "true"),
        ("BlockDeviceMapping.1.DeviceName", &image.root),
        ("BlockDeviceMapping.1.Ebs.VolumeSize", &disk),
        ("BlockDeviceMapping.1.Ebs.VolumeType", "gp3"),
        ("BlockDeviceMapping.1.Ebs.DeleteOnTermination", "true"),
        // What runs on the machine gets nothing out of the metadata service by a forged request.
        ("MetadataOptions.HttpTokens", "required"),
    ]);
    let mut all: Vec<(String, String)> = vec![
        (TAG.to_owned(), launch.token.clone()),
        ("Name".to_owned(), launch.name.clone()),
        (USER_TAG.to_owned(), image.user.to_owned()),
    ];
    all.extend(launch.tags.iter().map(|(name, value)| (tag(name), value.clone())));
    let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    // Marked as it is made: what was marked afterwards would be nobody's if the desk ended in between.
    let mut marked = vec!["instance", "volume", "network-interface"];
    if *spot {
        marked.push("spot-instances-request");
        asked.extend(fields(&[
            ("InstanceMarketOptions.MarketType", "spot"),
            // One that is persistent would start another machine after the end of the first.
            ("InstanceMarketOptions.SpotOptions.SpotInstanceType", "one-time"),
            ("InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", "terminate"),
        ]));
    }
    for (n, of) in marked.into_iter().enumerate() {
        asked.extend(tags(of, n + 1, &all));
    }
    // A stop ends the bill of the cards, which is what the watchdog's shutdown is for. An end would turn a person's own
    // `shutdown` into the loss of the disk, and the watchdog's as well once its lease was changed to a stop.
    if !*spot {
        asked.extend(fields(&[("InstanceInitiatedShutdownBehavior", "stop")]));
    }
    if !launch.user_data.is_empty() {
        asked.extend(fields(&[("UserData", &STANDARD.encode(&launch.user_data))]));
    }
    asked
}

/// A tag of ours: all begin alike.
pub(super) fn tag(name: &str) -> String {
    let bare = name.strip_prefix(TAG).unwrap_or(name).trim_start_matches([':', '-', '_']);
    format!("{TAG}:{bare}")
}
