//! Renting at a cloud that is OpenStack.

use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::openstack_stage::{REMOTE, SECRET, Stage, nova, order, server};

const SERVERS: &str = "/compute/ru-7/v2.1/servers";
const LIST: &str = "/compute/ru-7/v2.1/servers/detail";
const FLAVOR: &str = "GL3.4-32768-0-1GPU";

#[tokio::test]
async fn a_launch_makes_what_is_free_first_and_the_server_last() {
    let stage = Stage::of("selectel").await;
    stage.market(FLAVOR, 0).await;
    let order = Launch { user_data: "#!/bin/sh\n".to_owned(), ..order("selectel", FLAVOR, "spot") };
    assert_eq!(stage.cloud.launch(&order).await.unwrap().remote_id, REMOTE);
    assert_eq!(
        stage.changes().await,
        [
            "POST /compute/ru-7/v2.1/os-keypairs",
            "POST /network/ru-7/v2.0/security-groups",
            "POST /network/ru-7/v2.0/security-group-rules",
            "POST /network/ru-7/v2.0/ports",
            "POST /network/ru-7/v2.0/floatingips",
            "POST /compute/ru-7/v2.1/servers",
        ]
    );
    let port = stage.body("POST /network/ru-7/v2.0/ports").await;
    assert_eq!(
        port,
        json!({ "port": { "name": "gpudesk-01jdx3", "network_id": "n1", "security_groups": ["g1"] } })
    );
    let address = stage.body("POST /network/ru-7/v2.0/floatingips").await;
    assert_eq!(
        address,
        json!({ "floatingip": { "floating_network_id": "x1", "port_id": "p1", "description": "gpudesk-01jdx3" } })
    );
    let body = stage.body("POST /compute/ru-7/v2.1/servers").await;
    assert_eq!(
        body,
        json!({ "server": {
            "name": "gpudesk-01jdx3", "flavorRef": "3021", "key_name": body["server"]["key_name"],
            "networks": [{ "port": "p1" }], "tags": ["preemptible"], "user_data": "IyEvYmluL3NoCg==",
            "metadata": { "gpudesk": "gpudesk-01jdx3", "gpudesk-user": "ubuntu", "until": "2026-11-30T12:00:00Z" },
            // The image with drivers; its least disk, although 50 were asked for.
            "block_device_mapping_v2": [{ "uuid": "im2", "source_type": "image", "destination_type": "volume",
                "boot_index": 0, "volume_size": 60, "delete_on_termination": true }],
        } })
    );
    assert!(body["server"]["key_name"].as_str().unwrap().starts_with("gpudesk-"));
    let version = stage.header("POST /compute/ru-7/v2.1/servers", "openstack-api-version").await;
    assert_eq!(version.as_deref(), Some("compute 2.79"), "the least that tells all");
    let sent = stage.header("POST /compute/ru-7/v2.1/servers", "x-auth-token").await;
    assert_eq!(sent.as_deref(), Some("t0ken-1"));
}

#[tokio::test]
async fn a_flavor_with_a_disk_boots_from_it() {
    let stage = Stage::of("openstack").await;
    stage.market("g1.l4", 100).await;
    let mut order = order("openstack", "g1.l4", "on-demand");
    order.spec.image.id = "Debian 12".to_owned();
    stage.cloud.launch(&order).await.unwrap();
    let body = &stage.body("POST /compute/ru-7/v2.1/servers").await["server"];
    assert_eq!(body["imageRef"], "im1");
    assert_eq!(body["metadata"]["gpudesk-user"], "debian");
    assert!(body.get("block_device_mapping_v2").is_none() && body.get("tags").is_none());
}

#[tokio::test]
async fn what_was_made_for_a_refused_server_is_taken_back_and_for_an_unclear_one_kept() {
    use CloudErrorCode::{BadKey, Conflict, Forbidden, Http, NoCapacity, Quota, Refused};
    for (answer, code, effect) in [
        (
            nova(403, "forbidden", "Quota exceeded for instances: Requested 1, but already used 6 of 6"),
            Quota,
            Effect::Nothing,
        ),
        (nova(403, "forbidden", "Policy doesn't allow it"), Forbidden, Effect::Nothing),
        (nova(400, "badRequest", "No valid host was found."), NoCapacity, Effect::Nothing),
        (nova(400, "badRequest", "Can not find requested image"), Refused, Effect::Nothing),
        (nova(404, "itemNotFound", "Network could not be located"), Refused, Effect::Nothing),
        (nova(409, "conflictingRequest", "Port p1 is still in use."), Conflict, Effect::Nothing),
        // Asked once: the next call brings another token.
        (nova(401, "error", "The request you have made requires authentication."), BadKey, Effect::Nothing),
        (
            nova(500, "computeFault", "Unexpected API Error."),
            Http(SourceErrorCode::ProviderDown),
            Effect::Unclear,
        ),
        (
            ResponseTemplate::new(202).set_body_json(json!({ "server": {} })),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
        (
            ResponseTemplate::new(202).set_body_json(json!({ "reservation_id": "r-1" })),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
    ] {
        let stage = Stage::of("selectel").await;
        stage.market(FLAVOR, 0).await;
        stage.once("POST", SERVERS, answer).await;
        let error = stage.cloud.launch(&order("selectel", FLAVOR, "on-demand")).await.unwrap_err();
        assert_eq!((error.code, &error.effect), (code, &effect), "{error}");
        assert!(!format!("{error:?}").contains(SECRET), "{error:?}");
        let changes = stage.changes().await;
        assert_eq!(
            changes.iter().filter(|call| call.ends_with("/servers")).count(),
            1,
            "sent once: {changes:?}"
        );
        let taken_back: Vec<&str> = changes.iter().filter_map(|call| call.strip_prefix("DELETE ")).collect();
        let expected: &[&str] = match effect {
            Effect::Nothing => &["/network/ru-7/v2.0/floatingips/f1", "/network/ru-7/v2.0/ports/p1"],
            _ => &[],
        };
        assert_eq!(taken_back, expected, "{error}");
    }
}

#[tokio::test]
async fn an_address_that_cannot_be_had_leaves_no_port() {
    let stage = Stage::of("selectel").await;
    stage.market(FLAVOR, 0).await;
    let full = json!({ "NeutronError": { "type": "OverQuota", "message": "Quota exceeded for resources: ['floatingip'].", "detail": "" } });
    stage
        .once("POST", "/network/ru-7/v2.0/floatingips", ResponseTemplate::new(409).set_body_json(full))
        .await;
    let error = stage.cloud.launch(&order("selectel", FLAVOR, "on-demand")).await.unwrap_err();
    assert_eq!((error.code, error.effect), (CloudErrorCode::Quota, Effect::Nothing));
    assert_eq!(stage.changes().await.last().unwrap(), "DELETE /network/ru-7/v2.0/ports/p1");
}

#[tokio::test]
async fn the_same_mark_finds_its_server_and_makes_no_second_one() {
    let stage = Stage::of("selectel").await;
    stage.market(FLAVOR, 0).await;
    let there = server("ACTIVE", Value::Null)["server"].take();
    stage.once("GET", LIST, ResponseTemplate::new(200).set_body_json(json!({ "servers": [there] }))).await;
    let made = stage.cloud.launch(&order("selectel", FLAVOR, "on-demand")).await.unwrap();
    assert_eq!(made.remote_id, REMOTE);
    assert_eq!(stage.changes().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_port_and_a_key_that_are_there_are_used_again() {
    let stage = Stage::of("selectel").await;
    stage.market(FLAVOR, 0).await;
    let key = crate::rent_support::PUBLIC_KEY;
    let pairs =
        json!({ "keypairs": [{ "keypair": { "name": "anna's", "public_key": format!("{key}\n") } }] });
    stage
        .once("GET", "/compute/ru-7/v2.1/os-keypairs", ResponseTemplate::new(200).set_body_json(pairs))
        .await;
    let rules =
        json!([{ "direction": "ingress", "protocol": "tcp", "port_range_min": 22, "port_range_max": 22 }]);
    let groups =
        json!({ "security_groups": [{ "id": "g7", "name": "gpudesk-ssh", "security_group_rules": rules }] });
    stage
        .once("GET", "/network/ru-7/v2.0/security-groups", ResponseTemplate::new(200).set_body_json(groups))
        .await;
    // The list of ports is asked for the router's first, then for the mark's.
    let inside = json!({ "id": "p0", "network_id": "n1", "device_id": "r1", "device_owner": "network:router_interface" });
    let ours = json!({ "id": "p7", "name": "gpudesk-01jdx3", "device_id": "" });
    for port in [inside, ours] {
        let answer = ResponseTemplate::new(200).set_body_json(json!({ "ports": [port] }));
        stage.once("GET", "/network/ru-7/v2.0/ports", answer).await;
    }
    stage.cloud.launch(&order("selectel", FLAVOR, "on-demand")).await.unwrap();
    assert_eq!(
        stage.changes().await,
        ["POST /network/ru-7/v2.0/floatingips", "POST /compute/ru-7/v2.1/servers"]
    );
    let body = &stage.body("POST /compute/ru-7/v2.1/servers").await["server"];
    assert_eq!((&body["key_name"], &body["networks"]), (&json!("anna's"), &json!([{ "port": "p7" }])));
}
