//! A machine, its list, its stop and its end at a cloud that is OpenStack.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::MachineState;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Look};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::openstack_stage::{ID, REMOTE, SECRET, Stage, nova, server, token};

const LIST: &str = "/compute/ru-7/v2.1/servers/detail";

fn at(more: &str) -> String {
    format!("/compute/ru-7/v2.1/servers/{ID}{more}")
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prices.csv");
    std::fs::write(&file, "item,name,region,price,currency\ndisk,fast,ru-7,9.5,RUB\n").unwrap();
    let stage = Stage::with("selectel", &["ru-7"], &[("selectel_prices", file.to_str().unwrap())]).await;
    let addresses = json!([
        { "id": "f1", "floating_ip_address": "203.0.113.1", "port_id": null },
        { "id": "f2", "floating_ip_address": "203.0.113.2", "port_id": "p2" },
        { "id": "f3", "floating_ip_address": "203.0.113.3", "port_id": "p3" },
    ]);
    stage.on("GET", "/network/ru-7/v2.0/floatingips", 200, json!({ "floatingips": addresses })).await;
    let ports = json!([{ "id": "p2", "device_id": ID }, { "id": "p3", "device_id": "" }]);
    stage.on("GET", "/network/ru-7/v2.0/ports", 200, json!({ "ports": ports })).await;
    let volumes = json!([{ "id": "v1", "name": "data", "size": 100, "attachments": [], "volume_type": "fast" },
                         { "id": "v3", "name": "more", "size": 100, "attachments": [], "volume_type": "slow" },
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
            ("volume", "ru-7_v3", Some("100".to_owned())),
            ("snapshot", "ru-7_s1", Some("10".to_owned())),
            ("image of a server", "ru-7_i1", Some("4".to_owned())),
        ]
    );
    let costs: Vec<_> = left.iter().map(|one| one.per_month.map(|cost| cost.to_string())).collect();
    let known = Some("950".to_owned());
    assert_eq!(costs, [None, None, known, None, None, None], "only the sheet of the team tells prices");
    assert_eq!(left[2].currency, Currency::RUB);
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
