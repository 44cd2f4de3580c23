//! Renting at a cloud that is OpenStack.

use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::openstack_stage::{ID, REMOTE, SECRET, Stage, nova, order, server, token};

const SERVERS: &str = "/compute/ru-7/v2.1/servers";
const LIST: &str = "/compute/ru-7/v2.1/servers/detail";
const FLAVOR: &str = "GL3.4-32768-0-1GPU";

fn at(more: &str) -> String {
    format!("{SERVERS}/{ID}{more}")
}

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

#[tokio::test]
async fn a_token_that_is_no_longer_taken_is_replaced_once() {
    let stage = Stage::of("selectel").await;
    stage.on("GET", LIST, 200, json!({ "servers": [] })).await;
    assert!(stage.cloud.list().await.unwrap().complete);
    stage.once("GET", LIST, nova(401, "error", "requires authentication")).await;
    let second = token(&stage.server, &["ru-7"], "t0ken-2");
    stage.once("POST", "/identity/v3/auth/tokens", second).await;
    assert!(stage.cloud.list().await.unwrap().complete);
    let sent = stage.header(&format!("GET {LIST}"), "x-auth-token").await;
    assert_eq!(sent.as_deref(), Some("t0ken-2"));
    for _ in 0..2 {
        stage.once("GET", LIST, nova(401, "error", "requires authentication")).await;
    }
    let error = stage.cloud.list().await.unwrap_err();
    assert_eq!((error.code, error.hint.is_some()), (CloudErrorCode::BadKey, true));
}

#[tokio::test]
async fn a_key_that_is_not_let_in_is_told_without_itself() {
    let stage = Stage::of("selectel").await;
    let echo = nova(401, "error", &format!("no {SECRET} here"));
    stage.once("POST", "/identity/v3/auth/tokens", echo).await;
    let error = stage.cloud.check().await.unwrap_err();
    assert_eq!((error.code, &error.effect), (CloudErrorCode::BadKey, &Effect::Nothing));
    assert!(!format!("{error:?}").contains(SECRET), "{error:?}");
    let sent = stage.body("POST /identity/v3/auth/tokens").await;
    assert_eq!(sent["auth"]["identity"]["password"]["user"]["domain"]["name"], "123456");
}

#[tokio::test]
async fn a_list_is_all_pages_of_all_regions() {
    let stage = Stage::with("selectel", &["ru-7", "ru-9"], &[]).await;
    let row = |id: &str| json!({ "id": id, "status": "ACTIVE" });
    let link = "http://10.0.0.1:8774/v2.1/servers/detail?limit=100&marker=a";
    let first = json!({ "servers": [row("a")], "servers_links": [{ "rel": "next", "href": link }] });
    stage.once("GET", LIST, ResponseTemplate::new(200).set_body_json(first.clone())).await;
    stage.on("GET", LIST, 200, json!({ "servers": [row("b")] })).await;
    stage.on("GET", "/compute/ru-9/v2.1/servers/detail", 200, json!({ "servers": [row("a")] })).await;
    let listing = stage.cloud.list().await.unwrap();
    assert!(listing.complete, "{listing:?}");
    let ids: Vec<&str> = listing.machines.iter().map(|machine| machine.remote_id.as_str()).collect();
    assert_eq!(ids, ["ru-7_a", "ru-7_b", "ru-9_a"], "the same id elsewhere is another machine");
    // A link that leads in a circle, an unreadable row, a region out of order: nothing is proved.
    for odd in [first, json!({ "servers": [{ "status": "ACTIVE" }] })] {
        let stage = Stage::of("selectel").await;
        stage.on("GET", LIST, 200, odd).await;
        assert!(!stage.cloud.list().await.unwrap().complete);
    }
    let stage = Stage::with("selectel", &["ru-7", "ru-9"], &[]).await;
    stage.on("GET", LIST, 200, json!({ "servers": [row("a")] })).await;
    stage.on("GET", "/compute/ru-9/v2.1/servers/detail", 503, json!({ "message": "down" })).await;
    let listing = stage.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (false, 1));
    assert!(listing.unreadable[0].starts_with("ru-9: "), "{listing:?}");
}

#[tokio::test]
async fn an_old_cloud_is_spoken_to_in_its_own_version() {
    let stage = Stage::of("selectel").await;
    let old = json!({ "versions": [{ "version": "2.60" }] });
    stage.once("GET", "/compute/ru-7/", ResponseTemplate::new(200).set_body_json(old)).await;
    stage.on("GET", LIST, 200, json!({ "servers": [] })).await;
    stage.cloud.list().await.unwrap();
    let sent = stage.header(&format!("GET {LIST}"), "openstack-api-version").await;
    assert_eq!(sent.as_deref(), Some("compute 2.60"));
    let hidden = Stage::of("selectel").await;
    hidden.once("GET", "/compute/ru-7/", nova(403, "forbidden", "no")).await;
    hidden.on("GET", LIST, 200, json!({ "servers": [] })).await;
    hidden.cloud.list().await.unwrap();
    let sent = hidden.header(&format!("GET {LIST}"), "openstack-api-version").await;
    assert_eq!(sent.as_deref(), Some("compute 2.1"));
}

#[tokio::test]
async fn a_stop_is_a_shelve_and_a_start_what_the_state_asks_for() {
    let action = at("/action");
    for (status, start) in [
        ("SHELVED_OFFLOADED", "unshelve"),
        ("SHELVED", "unshelve"),
        ("SHUTOFF", "os-start"),
        ("EXPIRED", "os-start"),
        ("PAUSED", "unpause"),
        ("SUSPENDED", "resume"),
    ] {
        let stage = Stage::of("selectel").await;
        stage.on("GET", &at(""), 200, server(status, Value::Null)).await;
        stage.on("POST", &action, 202, json!({})).await;
        stage.cloud.start(REMOTE).await.unwrap();
        assert_eq!(stage.body(&format!("POST {action}")).await, json!({ start: null }), "{status}");
    }
    for status in ["ACTIVE", "SHUTOFF", "PAUSED"] {
        let stage = Stage::of("selectel").await;
        stage.on("GET", &at(""), 200, server(status, Value::Null)).await;
        stage.on("POST", &action, 202, json!({})).await;
        stage.cloud.stop(REMOTE).await.unwrap();
        assert_eq!(
            stage.body(&format!("POST {action}")).await,
            json!({ "shelve": null }),
            "{status}: it keeps its card"
        );
    }
    for (status, task) in [("SHELVED_OFFLOADED", Value::Null), ("ACTIVE", json!("shelving_image_uploading"))]
    {
        let stage = Stage::of("selectel").await;
        stage.on("GET", &at(""), 200, server(status, task)).await;
        stage.cloud.stop(REMOTE).await.unwrap();
        assert_eq!(stage.changes().await, Vec::<String>::new(), "{status}: done already");
    }
}

#[tokio::test]
async fn a_conflict_is_done_where_somebody_was_quicker() {
    let action = at("/action");
    let stage = Stage::of("selectel").await;
    stage.once("GET", &at(""), ResponseTemplate::new(200).set_body_json(server("ACTIVE", Value::Null))).await;
    stage.on("GET", &at(""), 200, server("ACTIVE", json!("shelving"))).await;
    stage.once("POST", &action, nova(409, "conflictingRequest", "Cannot 'shelve' instance")).await;
    stage.cloud.stop(REMOTE).await.unwrap();
    let stage = Stage::of("selectel").await;
    stage.on("GET", &at(""), 200, server("ACTIVE", Value::Null)).await;
    stage
        .on(
            "POST",
            &action,
            409,
            json!({ "conflictingRequest": { "code": 409, "message": "Instance is locked" } }),
        )
        .await;
    let error = stage.cloud.stop(REMOTE).await.unwrap_err();
    assert_eq!(error.code, CloudErrorCode::Conflict);
    assert!(error.hint.unwrap().contains("unlock"));
}

#[tokio::test]
async fn a_start_without_free_cards_is_told_by_the_log_alone() {
    let stage = Stage::of("selectel").await;
    stage.on("GET", &at(""), 200, server("SHELVED_OFFLOADED", Value::Null)).await;
    let log = json!({ "instanceActions": [{ "action": "unshelve", "message": "Error" }, { "action": "shelve", "message": null }] });
    stage.on("GET", &at("/os-instance-actions"), 200, log).await;
    let Look::There(machine) = stage.cloud.look(REMOTE).await.unwrap() else { panic!("absent") };
    assert_eq!(machine.state, MachineState::Stopped);
    assert!(machine.detail.unwrap().contains("safe"));
    let stage = Stage::of("selectel").await;
    stage.on("GET", &at(""), 200, server("SHELVED_OFFLOADED", Value::Null)).await;
    stage
        .on("GET", &at("/os-instance-actions"), 200, json!({ "instanceActions": [{ "action": "shelve" }] }))
        .await;
    let Look::There(machine) = stage.cloud.look(REMOTE).await.unwrap() else { panic!("absent") };
    assert_eq!(machine.detail, None);
}

#[tokio::test]
async fn an_end_takes_address_and_port_with_it_and_nobody_elses() {
    let stage = Stage::of("selectel").await;
    stage.on("GET", &at(""), 200, server("ACTIVE", Value::Null)).await;
    stage.on("DELETE", &at(""), 204, json!({})).await;
    let addresses =
        json!([{ "id": "f1", "description": "gpudesk-01jdx3" }, { "id": "f2", "description": "anna's" }]);
    stage.on("GET", "/network/ru-7/v2.0/floatingips", 200, json!({ "floatingips": addresses })).await;
    let ports = json!([{ "id": "p1", "name": "gpudesk-01jdx3" }, { "id": "p2", "name": "" }]);
    stage.on("GET", "/network/ru-7/v2.0/ports", 200, json!({ "ports": ports })).await;
    for gone in ["/network/ru-7/v2.0/ports/p1", "/network/ru-7/v2.0/floatingips/f1"] {
        stage.on("DELETE", gone, 204, json!({})).await;
    }
    stage.cloud.end(REMOTE).await.unwrap();
    assert_eq!(
        stage.changes().await,
        [
            format!("DELETE {}", at("")),
            "DELETE /network/ru-7/v2.0/floatingips/f1".to_owned(),
            "DELETE /network/ru-7/v2.0/ports/p1".to_owned(),
        ]
    );
    let gone = Stage::of("selectel").await;
    gone.on(
        "GET",
        &at(""),
        404,
        json!({ "itemNotFound": { "code": 404, "message": "Instance could not be found." } }),
    )
    .await;
    gone.on(
        "DELETE",
        &at(""),
        404,
        json!({ "itemNotFound": { "code": 404, "message": "Instance could not be found." } }),
    )
    .await;
    gone.cloud.end(REMOTE).await.unwrap();
    assert_eq!(gone.cloud.look(REMOTE).await.unwrap(), Look::Absent);
}

#[tokio::test]
async fn what_costs_without_a_machine_is_told() {
    let stage = Stage::of("selectel").await;
    let addresses = json!([
        { "id": "f1", "floating_ip_address": "203.0.113.1", "port_id": null },
        { "id": "f2", "floating_ip_address": "203.0.113.2", "port_id": "p2" },
        { "id": "f3", "floating_ip_address": "203.0.113.3", "port_id": "p3" },
    ]);
    stage.on("GET", "/network/ru-7/v2.0/floatingips", 200, json!({ "floatingips": addresses })).await;
    let ports = json!([{ "id": "p2", "device_id": ID }, { "id": "p3", "device_id": "" }]);
    stage.on("GET", "/network/ru-7/v2.0/ports", 200, json!({ "ports": ports })).await;
    let volumes = json!([{ "id": "v1", "name": "data", "size": 100, "attachments": [] },
                         { "id": "v2", "name": "root", "size": 50, "attachments": [{ "server_id": ID }] }]);
    stage.on("GET", "/volumev3/ru-7/v3/p1/volumes/detail", 200, json!({ "volumes": volumes })).await;
    stage
        .on(
            "GET",
            "/volumev3/ru-7/v3/p1/snapshots/detail",
            200,
            json!({ "snapshots": [{ "id": "s1", "size": "10" }] }),
        )
        .await;
    let images = json!([{ "id": "i1", "name": "before", "image_type": "snapshot", "size": 4_000_000_000_u64 },
                        { "id": "i2", "name": "gpudesk-01jdx3-shelved", "image_type": "snapshot", "size": 1 },
                        { "id": "i3", "name": "own" }]);
    stage.on("GET", "/image/ru-7/v2/images", 200, json!({ "images": images })).await;
    let left = stage.cloud.leftovers().await.unwrap();
    let told: Vec<_> = left
        .iter()
        .map(|one| (one.what.as_str(), one.remote_id.as_str(), one.size_gb.map(|gb| gb.to_string())))
        .collect();
    assert_eq!(
        told,
        [
            ("floating address", "ru-7_f1", None),
            ("floating address", "ru-7_f3", None),
            ("volume", "ru-7_v1", Some("100".to_owned())),
            ("snapshot", "ru-7_s1", Some("10".to_owned())),
            ("image of a server", "ru-7_i1", Some("4".to_owned())),
        ]
    );
}

#[tokio::test]
async fn an_account_tells_who_it_is_and_how_much_of_its_quota_is_used() {
    let stage = Stage::of("selectel").await;
    let absolute =
        json!({ "maxTotalInstances": 6, "totalInstancesUsed": 2, "maxTotalCores": -1, "totalCoresUsed": 32 });
    stage
        .on(
            "GET",
            "/compute/ru-7/v2.1/limits",
            200,
            json!({ "limits": { "rate": [], "absolute": absolute } }),
        )
        .await;
    let facts = stage.cloud.check().await.unwrap();
    assert_eq!(facts.who.as_deref(), Some("robot, project train"));
    assert_eq!((facts.balance, facts.may_write), (None, None), "member of what, only a try tells");
    assert_eq!(facts.remarks, ["ru-7: quota used: 2 of 6 machines"], "no limit of processors");
}
