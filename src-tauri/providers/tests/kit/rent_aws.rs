//! Renting at AWS, call by call: quote and launch.

use gpudesk_core::offer::Offer;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Quote};
use gpudesk_providers::source::SourceErrorCode;
use serde_json::json;

use crate::aws_stage::{Stage, error, gpus, instance, kind, marked, none_marked, set};
use crate::rent_support::{self, PUBLIC_KEY, offer};

const IMAGE: &str = "base-oss-nvidia-driver-ubuntu-22.04";

fn on_demand() -> Offer {
    offer("aws:g6.xlarge@us-east-1-on-demand", "g6.xlarge", "L4", 1, "on-demand", "us-east-1")
}

fn order(offer: Offer) -> Launch {
    let mut order = rent_support::launch(offer, IMAGE);
    order.spec.disk_gb = Some(100);
    order.end_at = Some("2026-11-30T17:00:00Z".parse().unwrap());
    order
}

fn subnet(id: &str, zone: &str) -> String {
    format!(
        "<item><subnetId>{id}</subnetId><state>available</state><vpcId>vpc-1</vpcId><availabilityZone>{zone}</availabilityZone></item>"
    )
}

/// Everything a launch needs, in a region with three zones of which two have the type.
async fn ready() -> Stage {
    let stage = Stage::start().await;
    none_marked(&stage);
    let l4 = kind("g6.xlarge", &gpus("L4", 1, 1, "1.0", 22888), &["on-demand", "spot"], "");
    stage.say("DescribeInstanceTypes", &set("DescribeInstanceTypes", "instanceTypeSet", &l4));
    let zones = ["us-east-1b", "us-east-1a"].map(|zone| {
        format!("<item><instanceType>g6.xlarge</instanceType><location>{zone}</location></item>")
    });
    stage.say(
        "DescribeInstanceTypeOfferings",
        &set("DescribeInstanceTypeOfferings", "instanceTypeOfferingSet", &zones.concat()),
    );
    let subnets = [
        subnet("subnet-c", "us-east-1c"),
        subnet("subnet-b", "us-east-1b"),
        subnet("subnet-a", "us-east-1a"),
    ];
    stage.say("DescribeSubnets", &set("DescribeSubnets", "subnetSet", &subnets.concat()));
    stage.say("GetParameter", &json!({ "Parameter": { "Value": "ami-0aa" } }).to_string());
    let image = "<item><imageId>ami-0aa</imageId><architecture>x86_64</architecture><platformDetails>Linux/UNIX</platformDetails><rootDeviceName>/dev/sda1</rootDeviceName>\
        <blockDeviceMapping><item><deviceName>/dev/sda1</deviceName><ebs><volumeSize>75</volumeSize></ebs></item></blockDeviceMapping></item>";
    stage.say("DescribeImages", &set("DescribeImages", "imagesSet", image));
    let key = format!("<item><keyName>{}</keyName><publicKey>{PUBLIC_KEY}</publicKey></item>", key_name());
    stage.say("DescribeKeyPairs", &set("DescribeKeyPairs", "keySet", &key));
    let group = "<item><groupId>sg-1</groupId><ipPermissions><item><ipProtocol>tcp</ipProtocol><fromPort>22</fromPort><toPort>22</toPort>\
        <ipRanges><item><cidrIp>127.0.0.1/32</cidrIp></item></ipRanges></item></ipPermissions></item>";
    stage.say("DescribeSecurityGroups", &set("DescribeSecurityGroups", "securityGroupInfo", group));
    stage
}

/// The last twelve letters and digits of the key's body.
fn key_name() -> String {
    let body = PUBLIC_KEY.split(' ').nth(1).unwrap();
    format!("gpudesk-{}", &body[body.len() - 12..])
}

fn made(id: &str) -> String {
    set("RunInstances", "instancesSet", &format!("<item><instanceId>{id}</instanceId></item>"))
}

#[tokio::test]
async fn a_launch_is_marked_signed_and_tied_to_its_zone() {
    let stage = ready().await;
    stage.say("RunInstances", &made("i-0aaaaaaaaaaaaaaa1"));
    let mut order = order(on_demand());
    "#!/bin/sh\ntrue\n".clone_into(&mut order.user_data);
    let launched = stage.cloud().launch(&order).await.unwrap();
    assert_eq!(launched.remote_id, "i-0aaaaaaaaaaaaaaa1");
    let asked = stage.asked("RunInstances");
    assert_eq!(asked.len(), 1);
    let field = |name: &str| asked[0].fields.get(name).map(String::as_str);
    assert_eq!((asked[0].region.as_str(), field("Version")), ("us-east-1", Some("2016-11-15")));
    assert_eq!(field("ClientToken"), Some("gpudesk-01jdx3-us-east-1a"), "the first zone that has the type");
    assert_eq!((field("ImageId"), field("InstanceType")), (Some("ami-0aa"), Some("g6.xlarge")));
    assert_eq!((field("MinCount"), field("MaxCount")), (Some("1"), Some("1")));
    assert_eq!(
        (field("KeyName"), field("UserData")),
        (Some(key_name().as_str()), Some("IyEvYmluL3NoCnRydWUK"))
    );
    assert_eq!(
        (field("NetworkInterface.1.SubnetId"), field("NetworkInterface.1.SecurityGroupId.1")),
        (Some("subnet-a"), Some("sg-1"))
    );
    assert_eq!(
        (field("BlockDeviceMapping.1.DeviceName"), field("BlockDeviceMapping.1.Ebs.VolumeSize")),
        (Some("/dev/sda1"), Some("100"))
    );
    assert_eq!(field("BlockDeviceMapping.1.Ebs.DeleteOnTermination"), Some("true"));
    assert_eq!(
        field("InstanceInitiatedShutdownBehavior"),
        Some("stop"),
        "a deadline alone does not make a shutdown the end"
    );
    assert_eq!(
        (field("MetadataOptions.HttpTokens"), field("InstanceMarketOptions.MarketType")),
        (Some("required"), None)
    );
    for (n, of) in ["instance", "volume", "network-interface"].into_iter().enumerate() {
        let at = format!("TagSpecification.{}", n + 1);
        assert_eq!(field(&format!("{at}.ResourceType")), Some(of));
        assert_eq!(
            (field(&format!("{at}.Tag.1.Key")), field(&format!("{at}.Tag.1.Value"))),
            (Some("gpudesk"), Some("gpudesk-01jdx3"))
        );
        assert_eq!(
            (field(&format!("{at}.Tag.4.Key")), field(&format!("{at}.Tag.4.Value"))),
            (Some("gpudesk:until"), Some("2026-11-30T12:00:00Z"))
        );
    }
    assert!(
        stage.asked("CreateSecurityGroup").is_empty() && stage.asked("ImportKeyPair").is_empty(),
        "both are there"
    );
    assert_eq!(
        stage.asked("GetParameter")[0].json["Name"],
        format!("/aws/service/deeplearning/ami/x86_64/{IMAGE}/latest/ami-id")
    );
}

#[tokio::test]
async fn a_shutdown_from_inside_stops_and_keeps_the_disk() {
    let spot = offer("aws:g6.xlarge@us-east-1b-spot", "g6.xlarge", "L4", 1, "spot", "us-east-1b");
    for (offer, expected) in [(on_demand(), Some("stop")), (spot, None)] {
        let stage = ready().await;
        stage.say("RunInstances", &made("i-0aaaaaaaaaaaaaaa1"));
        stage.cloud().launch(&order(offer)).await.unwrap();
        let asked = stage.asked("RunInstances");
        let behaviour = asked[0].fields.get("InstanceInitiatedShutdownBehavior").map(String::as_str);
        assert_eq!(behaviour, expected);
    }
}

#[tokio::test]
async fn a_spot_machine_is_asked_for_once_and_in_its_zone() {
    let stage = ready().await;
    stage.say("RunInstances", &made("i-0aaaaaaaaaaaaaaa1"));
    let spot = offer("aws:g6.xlarge@us-east-1b-spot", "g6.xlarge", "L4", 1, "spot", "us-east-1b");
    stage.cloud().launch(&order(spot)).await.unwrap();
    let asked = stage.asked("RunInstances").remove(0).fields;
    assert_eq!(asked["NetworkInterface.1.SubnetId"], "subnet-b");
    assert_eq!(asked["InstanceMarketOptions.SpotOptions.SpotInstanceType"], "one-time");
    assert_eq!(asked["InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior"], "terminate");
    assert_eq!(asked["TagSpecification.4.ResourceType"], "spot-instances-request");
    assert!(!asked.contains_key("InstanceMarketOptions.SpotOptions.MaxPrice"), "the current price");
}

#[tokio::test]
async fn key_and_group_are_made_where_they_are_not() {
    let stage = ready().await;
    for action in ["DescribeKeyPairs", "DescribeSecurityGroups"] {
        stage.forget(action);
    }
    stage.say("DescribeKeyPairs", &set("DescribeKeyPairs", "keySet", ""));
    stage.say("ImportKeyPair", "<ImportKeyPairResponse><keyName>k</keyName></ImportKeyPairResponse>");
    stage.say("DescribeSecurityGroups", &set("DescribeSecurityGroups", "securityGroupInfo", ""));
    stage.say(
        "CreateSecurityGroup",
        "<CreateSecurityGroupResponse><groupId>sg-9</groupId></CreateSecurityGroupResponse>",
    );
    stage.say("AuthorizeSecurityGroupIngress", "<AuthorizeSecurityGroupIngressResponse><return>true</return></AuthorizeSecurityGroupIngressResponse>");
    stage.say("RunInstances", &made("i-0aaaaaaaaaaaaaaa1"));
    stage.cloud().launch(&order(on_demand())).await.unwrap();
    let door = stage.asked("AuthorizeSecurityGroupIngress").remove(0).fields;
    assert_eq!(
        (door["GroupId"].as_str(), door["IpPermissions.1.IpRanges.1.CidrIp"].as_str()),
        ("sg-9", "127.0.0.1/32")
    );
    assert_eq!(
        (door["IpPermissions.1.FromPort"].as_str(), door["IpPermissions.1.ToPort"].as_str()),
        ("22", "22")
    );
    let key = stage.asked("ImportKeyPair").remove(0).fields;
    assert_eq!(key["KeyName"], key_name());
    assert_eq!(stage.asked("RunInstances")[0].fields["NetworkInterface.1.SecurityGroupId.1"], "sg-9");
}

#[tokio::test]
async fn a_full_zone_leads_to_the_next_one_with_a_token_of_its_own() {
    let stage = ready().await;
    stage.say_in(
        "",
        "RunInstances",
        500,
        &error("InsufficientInstanceCapacity", "We currently do not have sufficient capacity."),
    );
    stage.say("RunInstances", &made("i-0aaaaaaaaaaaaaaa2"));
    assert_eq!(stage.cloud().launch(&order(on_demand())).await.unwrap().remote_id, "i-0aaaaaaaaaaaaaaa2");
    let tokens: Vec<String> =
        stage.asked("RunInstances").into_iter().map(|asked| asked.fields["ClientToken"].clone()).collect();
    assert_eq!(tokens, ["gpudesk-01jdx3-us-east-1a", "gpudesk-01jdx3-us-east-1b"]);
}

#[tokio::test]
async fn only_a_full_zone_leads_on() {
    use CloudErrorCode as C;
    for (status, code, expected, effect) in [
        (400, "VcpuLimitExceeded", C::Quota, Effect::Nothing),
        (403, "UnauthorizedOperation", C::Forbidden, Effect::Nothing),
        (503, "RequestLimitExceeded", C::Http(SourceErrorCode::RateLimited), Effect::Nothing),
        (500, "InternalError", C::Http(SourceErrorCode::ProviderDown), Effect::Unclear),
        (400, "IdempotentParameterMismatch", C::Conflict, Effect::Unclear),
        (400, "PendingVerification", C::AccountNotReady, Effect::Nothing),
        (400, "InvalidGroup.NotFound", C::Http(SourceErrorCode::ProviderDown), Effect::Nothing),
    ] {
        let stage = ready().await;
        stage.say_in("", "RunInstances", status, &error(code, "Words."));
        let refused = stage.cloud().launch(&order(on_demand())).await.unwrap_err();
        assert_eq!((refused.code, &refused.effect), (expected, &effect), "{code}");
        assert_eq!(stage.asked("RunInstances").len(), 1, "{code}");
        assert!(refused.detail.contains(code), "{}", refused.detail);
    }
    let stage = ready().await;
    stage.say_in("", "RunInstances", 500, &error("InsufficientInstanceCapacity", "None."));
    let refused = stage.cloud().launch(&order(on_demand())).await.unwrap_err();
    assert_eq!((refused.code, refused.effect), (C::NoCapacity, Effect::Nothing));
    assert_eq!(stage.asked("RunInstances").len(), 2, "both zones that have the type");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_leaves_it_unclear() {
    for body in ["<RunInstancesResponse/>", "<RunInst", "<html>x</html>", ""] {
        let stage = ready().await;
        stage.say("RunInstances", body);
        let refused = stage.cloud().launch(&order(on_demand())).await.unwrap_err();
        assert_eq!(refused.effect, Effect::Unclear, "{body}");
        assert_eq!(stage.asked("RunInstances").len(), 1);
    }
}

#[tokio::test]
async fn a_machine_with_the_mark_is_not_made_again() {
    let stage = ready().await;
    stage.forget("DescribeInstances");
    let row = instance("i-0bbbbbbbbbbbbbbb1", "g6.xlarge", "us-east-1b", &marked("gpudesk-01jdx3"));
    stage.say("DescribeInstances", &set("DescribeInstances", "reservationSet", &row));
    assert_eq!(stage.cloud().launch(&order(on_demand())).await.unwrap().remote_id, "i-0bbbbbbbbbbbbbbb1");
    assert!(stage.asked("RunInstances").is_empty());
    let asked = stage.asked("DescribeInstances").remove(0).fields;
    assert_eq!(
        (asked["Filter.1.Name"].as_str(), asked["Filter.1.Value.1"].as_str()),
        ("tag:gpudesk", "gpudesk-01jdx3")
    );
}

#[tokio::test]
async fn an_order_that_cannot_be_is_refused_before_anything_is_made() {
    let refused = async |change: fn(&mut Launch), stage: Stage| {
        let mut order = order(on_demand());
        change(&mut order);
        let error = stage.cloud().launch(&order).await.unwrap_err();
        let actions = stage.actions();
        for made in ["RunInstances", "ImportKeyPair", "CreateSecurityGroup"] {
            assert!(!actions.iter().any(|action| action == made), "{made}: {error}");
        }
        assert_eq!(error.effect, Effect::Nothing);
        assert!(error.hint.is_some(), "{error:?}");
        error
    };
    let small = refused(|order| order.spec.disk_gb = Some(50), ready().await).await;
    assert!(small.detail.contains("75 GB"), "{}", small.detail);
    let zone =
        refused(|order| order.offer.place.region = Some("us-west-2-lax-1a".to_owned()), ready().await).await;
    assert_eq!(zone.code, CloudErrorCode::Refused);
    let script = refused(|order| order.user_data = "x".repeat(17_000), ready().await).await;
    assert_eq!(script.code, CloudErrorCode::Refused);
    let stage = ready().await;
    stage.forget("DescribeImages");
    let windows = "<item><imageId>ami-0aa</imageId><architecture>x86_64</architecture><platformDetails>Windows</platformDetails></item>";
    stage.say("DescribeImages", &set("DescribeImages", "imagesSet", windows));
    assert!(refused(|_| {}, stage).await.detail.contains("costs more"));
    let stage = ready().await;
    stage.forget("DescribeImages");
    stage.say("DescribeImages", &set("DescribeImages", "imagesSet", &windows.replace("x86_64", "arm64")));
    assert!(refused(|_| {}, stage).await.detail.contains("is for arm64"));
    let stage = ready().await;
    stage.forget("DescribeSubnets");
    stage.say("DescribeSubnets", &set("DescribeSubnets", "subnetSet", ""));
    let bare = refused(|_| {}, stage).await;
    assert_eq!(bare.code, CloudErrorCode::AccountNotReady);
    assert!(bare.hint.unwrap().contains("create-default-vpc --region us-east-1"));
    let stage = ready().await;
    stage.forget("GetParameter");
    stage.say_in(
        "",
        "GetParameter",
        400,
        &json!({ "__type": "ParameterNotFound", "message": "" }).to_string(),
    );
    assert!(refused(|_| {}, stage).await.detail.contains(IMAGE));
}

#[tokio::test]
async fn a_quote_reads_price_and_place_anew() {
    let stage = ready().await;
    let product = |price: &str| {
        let text = json!({
            "product": { "attributes": { "instanceType": "g6.xlarge", "regionCode": "us-east-1" } },
            "terms": { "OnDemand": { "A": { "priceDimensions": { "B": { "unit": "Hrs", "pricePerUnit": { "USD": price } } } } } },
        });
        json!({ "PriceList": [text.to_string()] }).to_string()
    };
    stage.say("GetProducts", &product("0.9048000000"));
    let cloud = stage.cloud();
    let Quote::Stands(now) = cloud.quote(&on_demand(), None).await.unwrap() else { panic!("it stands") };
    assert_eq!(
        (now.price.per_hour.to_string().as_str(), now.id.as_str()),
        ("0.9048", "aws:g6.xlarge@us-east-1-on-demand")
    );
    stage.forget("GetProducts");
    stage.say("GetProducts", &product("0.0000000000"));
    assert!(
        matches!(cloud.quote(&on_demand(), None).await.unwrap(), Quote::Gone { .. }),
        "by reservation only"
    );
    let rows = [("us-east-1a", "0.5"), ("us-east-1b", "0.3")].map(|(zone, price)| {
        format!("<item><instanceType>g6.xlarge</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>{price}</spotPrice><availabilityZone>{zone}</availabilityZone></item>")
    });
    stage.say(
        "DescribeSpotPriceHistory",
        &set("DescribeSpotPriceHistory", "spotPriceHistorySet", &rows.concat()),
    );
    let spot = |place| offer("aws:g6.xlarge@x-spot", "g6.xlarge", "L4", 1, "spot", place);
    let Quote::Stands(now) = cloud.quote(&spot("us-east-1a"), None).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!(
        (now.price.per_hour.to_string().as_str(), now.place.region.as_deref()),
        ("0.5", Some("us-east-1a"))
    );
    let Quote::Stands(now) = cloud.quote(&spot("us-east-1"), None).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!(now.place.region.as_deref(), Some("us-east-1b"), "the cheapest zone, and no other");
    assert!(matches!(cloud.quote(&spot("moon-1"), None).await.unwrap(), Quote::Gone { .. }));
}
