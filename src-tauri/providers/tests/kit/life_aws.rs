//! A machine at AWS once it is made: list, look, stop, start, end, and what the account itself is told.

use gpudesk_providers::cloud::{CloudErrorCode, Look};
use serde_json::json;

use crate::aws_stage::{Stage, error, gpus, instance, kind, marked, none_marked, page, set};

#[tokio::test]
async fn the_list_is_of_all_regions_and_pages_and_of_cards_only() {
    let stage = Stage::start().await;
    let one = instance("i-0aaaaaaaaaaaaaaa1", "g6.xlarge", "us-east-1a", &marked("gpudesk-01jdx3"));
    let two = instance("i-0aaaaaaaaaaaaaaa2", "g6.xlarge", "us-east-1a", "");
    let plain = instance("i-0aaaaaaaaaaaaaaa3", "m7i.large", "us-east-1a", "");
    stage.say_in(
        "us-east-1",
        "DescribeInstances",
        200,
        &page("DescribeInstances", "reservationSet", &one, "t1"),
    );
    stage.say_in(
        "us-east-1",
        "DescribeInstances",
        200,
        &page("DescribeInstances", "reservationSet", "", "t2"),
    );
    stage.say_in(
        "us-east-1",
        "DescribeInstances",
        200,
        &set("DescribeInstances", "reservationSet", &format!("{two}{plain}")),
    );
    none_marked(&stage);
    let kinds = [
        kind("g6.xlarge", &gpus("L4", 1, 1, "1.0", 22888), &["on-demand"], ""),
        kind("m7i.large", "", &["on-demand"], ""),
    ];
    stage.say("DescribeInstanceTypes", &set("DescribeInstanceTypes", "instanceTypeSet", &kinds.concat()));
    stage.say_in("", "GetProducts", 400, &json!({ "__type": "AccessDeniedException" }).to_string());
    let listing = stage.cloud().list().await.unwrap();
    assert!(listing.complete, "{:?}", listing.unreadable);
    let ids: Vec<&str> = listing.machines.iter().map(|machine| machine.remote_id.as_str()).collect();
    assert_eq!(
        ids,
        ["i-0aaaaaaaaaaaaaaa1", "i-0aaaaaaaaaaaaaaa2"],
        "a machine without cards is no business of ours"
    );
    assert_eq!(
        (listing.machines[1].gpu_name.as_deref(), listing.machines[1].gpu_count),
        (Some("L4"), Some(1))
    );
    assert_eq!(listing.machines[1].per_hour, None, "not told is not nothing");
    assert_eq!(
        stage.asked("DescribeInstances").iter().filter(|asked| asked.region == "eu-central-1").count(),
        1
    );
}

#[tokio::test]
async fn a_list_with_a_hole_proves_nothing() {
    for (status, body) in [
        (500, error("InternalError", "An internal error.")),
        (403, error("UnauthorizedOperation", "No.")),
        (200, set("DescribeInstances", "reservations", "")),
        (200, "<DescribeInstancesResponse><reservationSet>".to_owned()),
        (
            200,
            set(
                "DescribeInstances",
                "reservationSet",
                "<item><instancesSet><item><instanceId/></item></instancesSet></item>",
            ),
        ),
    ] {
        let stage = Stage::start().await;
        let one = instance("i-0aaaaaaaaaaaaaaa1", "g6.xlarge", "us-east-1a", &marked("gpudesk-01jdx3"));
        stage.say_in(
            "us-east-1",
            "DescribeInstances",
            200,
            &set("DescribeInstances", "reservationSet", &one),
        );
        stage.say_in("eu-central-1", "DescribeInstances", status, &body);
        let listing = stage.cloud().list().await.unwrap();
        assert_eq!((listing.complete, listing.machines.len()), (false, 1), "{body}");
        assert!(!listing.unreadable.is_empty());
    }
}

#[tokio::test]
async fn a_row_told_twice_stands_for_one_that_was_lost() {
    let stage = Stage::start().await;
    let one = instance("i-0aaaaaaaaaaaaaaa1", "g6.xlarge", "us-east-1a", &marked("gpudesk-01jdx3"));
    let rows = [
        page("DescribeInstances", "reservationSet", &one, "t1"),
        set("DescribeInstances", "reservationSet", &one),
    ];
    for row in rows {
        stage.say_in("us-east-1", "DescribeInstances", 200, &row);
    }
    none_marked(&stage);
    let listing = stage.cloud().list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (false, 1));
}

#[tokio::test]
async fn absence_is_proved_by_every_region() {
    let stage = Stage::start().await;
    stage.say_in(
        "",
        "DescribeInstances",
        400,
        &error("InvalidInstanceID.NotFound", "The instance ID does not exist"),
    );
    let cloud = stage.cloud();
    assert_eq!(cloud.look("i-0aaaaaaaaaaaaaaa1").await.unwrap(), Look::Absent);
    assert_eq!(stage.asked("DescribeInstances").len(), 2);
    cloud.end("i-0aaaaaaaaaaaaaaa1").await.unwrap();
    assert_eq!(cloud.stop("i-0aaaaaaaaaaaaaaa1").await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
    assert_eq!(cloud.look("../x").await.unwrap(), Look::Absent);
    let stage = Stage::start().await;
    stage.say_in("us-east-1", "DescribeInstances", 400, &error("InvalidInstanceID.NotFound", "No."));
    stage.say_in("eu-central-1", "DescribeInstances", 500, &error("InternalError", "Hm."));
    assert!(stage.cloud().look("i-0aaaaaaaaaaaaaaa1").await.is_err(), "one region said nothing");
}

#[tokio::test]
async fn a_persistent_request_goes_before_its_machine() {
    let stage = Stage::start().await;
    let spot =
        "<instanceLifecycle>spot</instanceLifecycle><spotInstanceRequestId>sir-1</spotInstanceRequestId>";
    let row = instance("i-0aaaaaaaaaaaaaaa1", "g6.xlarge", "us-east-1a", spot);
    stage.say("DescribeInstances", &set("DescribeInstances", "reservationSet", &row));
    let request = "<item><spotInstanceRequestId>sir-1</spotInstanceRequestId><type>persistent</type></item>";
    stage.say(
        "DescribeSpotInstanceRequests",
        &set("DescribeSpotInstanceRequests", "spotInstanceRequestSet", request),
    );
    stage.say("CancelSpotInstanceRequests", "<CancelSpotInstanceRequestsResponse/>");
    stage.say("TerminateInstances", "<TerminateInstancesResponse/>");
    stage.cloud().end("i-0aaaaaaaaaaaaaaa1").await.unwrap();
    let actions = stage.actions();
    let at = |name: &str| actions.iter().position(|action| action == name).unwrap();
    assert!(at("CancelSpotInstanceRequests") < at("TerminateInstances"));
}

#[tokio::test]
async fn what_a_machine_may_not_do_is_said_with_the_next_step() {
    let stage = Stage::start().await;
    let row = instance("i-0aaaaaaaaaaaaaaa1", "g6.xlarge", "us-east-1a", &marked("gpudesk-01jdx3"));
    stage.say("DescribeInstances", &set("DescribeInstances", "reservationSet", &row));
    stage.say_in("", "TerminateInstances", 400, &error("OperationNotPermitted", "may not be terminated"));
    stage.say_in("", "StopInstances", 400, &error("UnsupportedOperation", "one-time Spot Instance request"));
    stage.say_in("", "StartInstances", 500, &error("InsufficientInstanceCapacity", "None."));
    let cloud = stage.cloud();
    let protected = cloud.end("i-0aaaaaaaaaaaaaaa1").await.unwrap_err();
    assert_eq!(protected.code, CloudErrorCode::Conflict);
    assert!(protected.hint.unwrap().contains("protection"));
    let spot = cloud.stop("i-0aaaaaaaaaaaaaaa1").await.unwrap_err();
    assert_eq!(spot.code, CloudErrorCode::Unsupported);
    assert!(spot.hint.unwrap().contains("ended"));
    assert_eq!(cloud.start("i-0aaaaaaaaaaaaaaa1").await.unwrap_err().code, CloudErrorCode::NoCapacity);
}

#[tokio::test]
async fn the_account_is_told_with_what_it_may_do() {
    let stage = Stage::start().await;
    stage.say("GetCallerIdentity", "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/anna</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>");
    stage.say_in(
        "",
        "CreateSecurityGroup",
        412,
        &error("DryRunOperation", "Request would have succeeded, but DryRun flag is set."),
    );
    stage.say("GetServiceQuota", &json!({ "Quota": { "Value": 0.0 } }).to_string());
    let facts = stage.cloud().check().await.unwrap();
    assert_eq!(facts.who.as_deref(), Some("arn:aws:iam::123456789012:user/anna"));
    assert_eq!((facts.may_read, facts.may_write, facts.balance), (Some(true), Some(true), None));
    assert!(facts.remarks[0].contains("0 vCPUs of G and VT machines"), "{:?}", facts.remarks);
    assert_eq!(stage.asked("CreateSecurityGroup")[0].fields["DryRun"], "true");
    let stage = Stage::start().await;
    stage.say("GetCallerIdentity", "<GetCallerIdentityResponse/>");
    stage.say_in("", "CreateSecurityGroup", 403, &error("UnauthorizedOperation", "No."));
    let facts = stage.cloud().check().await.unwrap();
    assert_eq!(
        (facts.may_write, facts.remarks.len()),
        (Some(false), 0),
        "a quota that is not told is not nothing"
    );
    let stage = Stage::start().await;
    stage.say_in("", "GetCallerIdentity", 403, "<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>Bad.</Message></Error></ErrorResponse>");
    assert_eq!(stage.cloud().check().await.unwrap_err().code, CloudErrorCode::BadKey);
}

#[tokio::test]
async fn disks_that_stay_are_found_by_the_mark() {
    let stage = Stage::start().await;
    let volume = "<item><volumeId>vol-1</volumeId><size>100</size><volumeType>gp3</volumeType><tagSet><item><key>Name</key><value>anna-1</value></item></tagSet></item>";
    stage.say("DescribeVolumes", &set("DescribeVolumes", "volumeSet", volume));
    stage.say("DescribeAddresses", &set("DescribeAddresses", "addressesSet", ""));
    let found = stage.cloud().leftovers().await.unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].what.as_str(), found[0].per_month),
        ("volume in eu-central-1", None),
        "another price list"
    );
    assert_eq!((found[1].remote_id.as_str(), found[1].per_month), ("vol-1", Some("8".parse().unwrap())));
    assert_eq!(stage.asked("DescribeVolumes")[0].fields["Filter.2.Value.1"], "gpudesk");
}

#[tokio::test]
async fn addresses_that_nothing_has_are_found() {
    let stage = Stage::start().await;
    stage.say("DescribeVolumes", &set("DescribeVolumes", "volumeSet", ""));
    let idle = "<item><publicIp>203.0.113.7</publicIp><allocationId>eipalloc-1</allocationId><domain>vpc</domain></item>";
    let used = "<item><publicIp>203.0.113.8</publicIp><allocationId>eipalloc-2</allocationId><associationId>eipassoc-2</associationId>\
        <instanceId>i-0aaaaaaaaaaaaaaa1</instanceId></item>";
    stage.say_in(
        "us-east-1",
        "DescribeAddresses",
        200,
        &set("DescribeAddresses", "addressesSet", &format!("{idle}{used}")),
    );
    stage.say_in("eu-central-1", "DescribeAddresses", 200, &set("DescribeAddresses", "addressesSet", ""));
    let found = stage.cloud().leftovers().await.unwrap();
    let told: Vec<_> =
        found.iter().map(|one| (one.what.as_str(), one.remote_id.as_str(), one.name.as_deref())).collect();
    assert_eq!(told, [("elastic address in us-east-1", "eipalloc-1", Some("203.0.113.7"))]);
    assert_eq!(found[0].per_month, Some("3.65".parse().unwrap()), "0.005 USD x 730 h");
}
