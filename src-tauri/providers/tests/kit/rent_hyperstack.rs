//! Renting at Hyperstack.

use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{KEY, PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::Say;

fn order() -> Launch {
    let id = "hyperstack:n3-H100x1@CANADA-1-on-demand";
    launch(
        offer(id, "n3-H100x1", "H100-80G-PCIe", 1, "on-demand", "CANADA-1"),
        "Ubuntu Server 22.04 LTS R550 CUDA 12.4",
    )
}

fn page(name: &str, rows: &Value) -> Say {
    let count = rows.as_array().map_or(0, Vec::len);
    ok(&json!({"status": true, "message": "ok", name: rows, "count": count, "page": 1, "page_size": 100}))
}

fn environments() -> Say {
    page(
        "environments",
        &json!([{"id": 1, "name": "default-CANADA-1", "region": "CANADA-1"},
                                 {"id": 2, "name": "gpudesk-norway-1", "region": "NORWAY-1"},
                                 {"id": 3, "name": "gpudesk-canada-1", "region": "CANADA-1"}]),
    )
}

fn keypairs() -> Say {
    let key = |name: &str, environment: &str| json!({"id": 1, "name": name, "environment": {"name": environment}, "public_key": format!("{PUBLIC_KEY} x")});
    page("keypairs", &json!([key("elsewhere", "gpudesk-norway-1"), key("anna's", "gpudesk-canada-1")]))
}

fn machine(status: &str) -> Value {
    json!({"id": 4711, "name": "gpudesk-01jdx3", "status": status, "floating_ip": "198.51.100.7", "port_randomization": false,
           "flavor": {"name": "n3-H100x1", "gpu": "H100-80G-PCIe", "gpu_count": 1, "disk": 100},
           "image": {"name": "Ubuntu Server 22.04"}, "environment": {"name": "gpudesk-canada-1", "region": "CANADA-1"},
           "labels": ["gpudesk"], "locked": false, "created_at": "2026-11-30T08:00:00"})
}

fn made() -> Say {
    ok(&json!({"status": true, "message": "ok", "instances": [machine("CREATING")]}))
}

fn fail(status: &str, reason: &str, message: &str) -> Say {
    error(status, &json!({"status": false, "message": message, "error_reason": reason}))
}

fn one(status: &str) -> Say {
    ok(&json!({"status": true, "instance": machine(status)}))
}

fn done() -> Say {
    ok(&json!({"status": true, "message": "ok"}))
}

#[tokio::test]
async fn a_launch_uses_what_the_region_has_already() {
    let at = stage("hyperstack", vec![environments(), keypairs(), made()]).await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap().remote_id, "4711");
    assert_eq!(
        at.lines(),
        [
            "GET /v1/core/environments?page=1&pageSize=100",
            "GET /v1/core/keypairs?page=1&pageSize=100",
            "POST /v1/core/virtual-machines"
        ]
    );
    let body = json!({
        "name": "gpudesk-01jdx3", "environment_name": "gpudesk-canada-1", "key_name": "anna's", "flavor_name": "n3-H100x1",
        "image_name": "Ubuntu Server 22.04 LTS R550 CUDA 12.4", "count": 1, "assign_floating_ip": true,
        "enable_port_randomization": false,
        "labels": ["gpudesk", "gpudesk-01jdx3", "gpudesk_until_2026-11-30T12-00-00Z"],
        "security_rules": [{"direction": "ingress", "ethertype": "IPv4", "protocol": "tcp", "remote_ip_prefix": "0.0.0.0/0",
                            "port_range_min": 22, "port_range_max": 22}],
    });
    assert_eq!(at.body(2), body);
    for request in at.server.requests() {
        assert_eq!(request.matches(&format!("api_key: {KEY}")).count(), 1);
        assert_eq!(request.matches(KEY).count(), 1, "{request}");
    }
}

#[tokio::test]
async fn environment_and_key_are_made_once_where_they_are_not() {
    let none = || json!([]);
    let script = vec![
        page("environments", &none()),
        done(),
        page("keypairs", &none()),
        fail("409 Conflict", "already_exist", "the name is taken"),
        done(),
        made(),
    ];
    let at = stage("hyperstack", script).await;
    let cloud_init = Launch { user_data: "#cloud-config\n".to_owned(), ..order() };
    at.cloud.launch(&cloud_init).await.unwrap();
    assert_eq!(at.body(1), json!({"name": "gpudesk-canada-1", "region": "CANADA-1"}));
    let (first, second) = (at.body(3), at.body(4));
    assert_eq!(
        (&first["public_key"], &first["environment_name"]),
        (&json!(PUBLIC_KEY), &json!("gpudesk-canada-1"))
    );
    assert_eq!(second["name"], format!("{}-2", first["name"].as_str().unwrap()));
    assert_eq!(
        (&at.body(5)["key_name"], &at.body(5)["user_data"]),
        (&second["name"], &json!("#cloud-config\n"))
    );

    // Another desk was faster: its environment is found.
    let raced = vec![
        page("environments", &none()),
        fail("409 Conflict", "already_exist", "the name is taken"),
        environments(),
        keypairs(),
        made(),
    ];
    let at = stage("hyperstack", raced).await;
    at.cloud.launch(&order()).await.unwrap();
    assert_eq!(at.body(4)["environment_name"], "gpudesk-canada-1");
}

#[tokio::test]
async fn a_name_is_given_once_so_a_repeat_finds_the_machine() {
    let taken = || fail("409 Conflict", "already_exist", "A virtual machine with this name exists");
    let at = stage(
        "hyperstack",
        vec![environments(), keypairs(), taken(), page("instances", &json!([machine("ACTIVE")]))],
    )
    .await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap().remote_id, "4711");
    assert_eq!(at.lines()[3], "GET /v1/core/virtual-machines?search=gpudesk-01jdx3&page=1&pageSize=100");
    let unlisted =
        stage("hyperstack", vec![environments(), keypairs(), taken(), page("instances", &json!([]))]).await;
    let failed = unlisted.cloud.launch(&order()).await.unwrap_err();
    assert_eq!(
        (failed.code, failed.effect),
        (CloudErrorCode::Conflict, Effect::Unclear),
        "it may be listed later"
    );
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_reason_words_and_effect() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    let bad = "400 Bad Request";
    for (answer, code, effect) in [
        (fail(bad, "bad_request", "Insufficient balance to create"), NoFunds, Effect::Nothing),
        (error(bad, &json!({"message": "Insufficient balance"})), NoFunds, Effect::Nothing),
        (fail(bad, "bad_request", "The flavor is out of stock"), NoCapacity, Effect::Nothing),
        (fail("409 Conflict", "not_allowed", "Not enough stock"), NoCapacity, Effect::Nothing),
        (fail(bad, "bad_request", "Quota exceeded for GPUs"), Quota, Effect::Nothing),
        (fail(bad, "bad_request", "image not found"), Refused, Effect::Nothing),
        (fail("404 Not Found", "not_found", "no environment"), Refused, Effect::Nothing),
        (fail("401 Unauthorized", "unauthorized", "no"), BadKey, Effect::Nothing),
        (fail("403 Forbidden", "forbidden", "no"), Forbidden, Effect::Nothing),
        (fail("500 Internal Server Error", "server_error", "oh"), down, Effect::Unclear),
        (Say::http("502 Bad Gateway", &[], "<html><title>502</title></html>"), down, Effect::Unclear),
        (ok(&json!({"status": false, "message": "Insufficient balance"})), NoFunds, Effect::Nothing),
        (
            ok(&json!({"status": false, "message": "?"})),
            Http(SourceErrorCode::ProviderRefused),
            Effect::Unclear,
        ),
        (ok(&json!({"status": true, "instances": []})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let at = stage("hyperstack", vec![environments(), keypairs(), answer]).await;
        let failed = at.cloud.launch(&order()).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 3, "never sent twice");
    }
    let nothing_made =
        stage("hyperstack", vec![page("environments", &json!([])), fail("500 Oh", "server_error", "oh")])
            .await;
    assert_eq!(
        nothing_made.cloud.launch(&order()).await.unwrap_err().effect,
        Effect::Nothing,
        "no machine was made"
    );
}

#[tokio::test]
async fn a_stop_hibernates_and_keeps_the_address() {
    let at = stage("hyperstack", vec![one("ACTIVE"), done()]).await;
    at.cloud.stop("4711").await.unwrap();
    assert_eq!(at.lines()[1], "GET /v1/core/virtual-machines/4711/hibernate?retain_ip=true");
    let already = stage("hyperstack", vec![one("HIBERNATED")]).await;
    already.cloud.stop("4711").await.unwrap();
    assert_eq!(already.lines().len(), 1);
    let cannot = fail("400 Bad Request", "bad_request", "This flavor does not support hibernation");
    let failed = stage("hyperstack", vec![one("ACTIVE"), cannot]).await.cloud.stop("4711").await.unwrap_err();
    assert_eq!(failed.code, CloudErrorCode::Unsupported);
    assert!(failed.hint.unwrap().contains("billed in full"));
    let stop = stage("hyperstack", vec![done()]).await.cloud.terms().stop;
    assert!(stop.exists && stop.ends_compute && stop.start_may_wait);
}

#[tokio::test]
async fn a_change_by_get_is_never_repeated() {
    // A read would be tried again after a 500 and after a cut line.
    for answer in [Say::http("500 Oh", &[], "oh"), Say::http("503 Oh", &[], "oh"), Say::Bytes(Vec::new())] {
        let at = stage("hyperstack", vec![one("ACTIVE"), answer]).await;
        assert_eq!(at.cloud.stop("4711").await.unwrap_err().effect, Effect::Unclear);
        assert_eq!(at.lines().len(), 2, "{:?}", at.lines());
    }
    let moved = Say::http("302 Found", &["location: /v1/core/virtual-machines/1/hibernate"], "");
    let at = stage("hyperstack", vec![one("ACTIVE"), moved]).await;
    assert!(at.cloud.stop("4711").await.is_err());
    assert_eq!(at.lines().len(), 2);
}

#[tokio::test]
async fn a_start_restores_what_is_hibernated_and_starts_what_is_shut_down() {
    for (status, call) in [("HIBERNATED", "hibernate-restore"), ("SHUTOFF", "start")] {
        let at = stage("hyperstack", vec![one(status), done()]).await;
        at.cloud.start("4711").await.unwrap();
        assert_eq!(at.lines()[1], format!("GET /v1/core/virtual-machines/4711/{call}"));
    }
    let running = stage("hyperstack", vec![one("RESTORING")]).await;
    running.cloud.start("4711").await.unwrap();
    assert_eq!(running.lines().len(), 1);
    let none =
        stage("hyperstack", vec![one("HIBERNATED"), fail("400 Bad Request", "bad_request", "no valid host")])
            .await;
    assert_eq!(none.cloud.start("4711").await.unwrap_err().code, CloudErrorCode::NoCapacity);
}

#[tokio::test]
async fn an_end_of_what_is_gone_or_ending_is_done() {
    let at = stage("hyperstack", vec![done()]).await;
    at.cloud.end("4711").await.unwrap();
    assert_eq!(at.lines(), ["DELETE /v1/core/virtual-machines/4711"]);
    for script in [
        vec![fail("404 Not Found", "not_found", "no")],
        vec![fail("409 Conflict", "not_allowed", "deleting"), one("DELETING")],
        vec![fail("409 Conflict", "not_allowed", "gone"), fail("404 Not Found", "not_found", "no")],
    ] {
        stage("hyperstack", script).await.cloud.end("4711").await.unwrap();
    }
    let locked = vec![fail("409 Conflict", "not_allowed", "locked"), one("ACTIVE")];
    assert_eq!(
        stage("hyperstack", locked).await.cloud.end("4711").await.unwrap_err().code,
        CloudErrorCode::Conflict
    );
}

#[tokio::test]
async fn all_pages_are_read_and_a_lost_one_proves_nothing() {
    let rows = |from: u32, count: u32| -> Vec<Value> {
        (from..from + count)
            .map(|id| {
                let mut row = machine("ACTIVE");
                row["id"] = json!(id);
                row
            })
            .collect()
    };
    let page = |number: u32, rows: Vec<Value>, count: u32| {
        ok(&json!({"status": true, "instances": rows, "count": count, "page": number, "page_size": 100}))
    };
    let list = async |script: Vec<Say>| {
        let at = stage("hyperstack", script).await;
        let listing = at.cloud.list().await.unwrap();
        (listing.machines.len(), listing.complete, at.lines().len())
    };
    assert_eq!(list(vec![page(1, rows(1, 100), 150), page(2, rows(101, 50), 150)]).await, (150, true, 2));
    assert_eq!(
        list(vec![page(1, rows(1, 100), 100), page(2, rows(101, 50), 50)]).await,
        (150, true, 2),
        "counted by page"
    );
    assert_eq!(
        list(vec![page(1, rows(1, 100), 250), page(2, rows(101, 50), 250)]).await,
        (150, false, 2),
        "a page is lost"
    );
    assert_eq!(
        list(vec![page(1, rows(1, 100), 150), page(1, rows(1, 50), 150)]).await,
        (100, false, 2),
        "a page came twice"
    );
    assert!(!list(vec![page(1, rows(1, 100), 100)]).await.1, "the same page for ever");
    assert_eq!(list(vec![page(1, Vec::new(), 0)]).await, (0, true, 1));
    assert!(!list(vec![page(1, vec![json!({"status": "ACTIVE"})], 1)]).await.1);
    let odd = stage("hyperstack", vec![ok(&json!({"status": true}))]).await;
    assert!(odd.cloud.list().await.is_err(), "no list is not an empty one");
}

#[tokio::test]
async fn a_look_is_absent_only_where_the_provider_says_so() {
    let gone = stage("hyperstack", vec![fail("404 Not Found", "not_found", "no")]).await;
    assert_eq!(gone.cloud.look("4711").await.unwrap(), Look::Absent);
    let Look::There(seen) = stage("hyperstack", vec![one("SHUTOFF")]).await.cloud.look("4711").await.unwrap()
    else {
        panic!("it is there")
    };
    assert_eq!(seen.state, MachineState::Stopped);
    assert!(stage("hyperstack", vec![ok(&json!({}))]).await.cloud.look("4711").await.is_err());
    assert!(stage("hyperstack", vec![one("ACTIVE")]).await.cloud.look("1").await.is_err(), "told of another");
}

#[tokio::test]
async fn a_quote_is_the_newest_reading() {
    let book = json!([{"name": "H100-80G-PCIe", "value": 2.4}]);
    let flavors = |stock: bool| json!({"data": [{"flavors": [{"name": "n3-H100x1", "region_name": "CANADA-1", "gpu": "H100-80G-PCIe", "gpu_count": 1, "stock_available": stock}]}]});
    let script = |stock: bool| {
        vec![ok(&book), ok(&json!({"stocks": []})), ok(&json!({"regions": []})), ok(&flavors(stock))]
    };
    let at = stage("hyperstack", script(true)).await;
    let Quote::Stands(now) = at.cloud.quote(&order().offer, None).await.unwrap() else { panic!("it stands") };
    assert_eq!((now.price.per_hour, now.id), (decimal("2.4"), order().offer.id));
    let none = stage("hyperstack", script(false)).await;
    assert!(matches!(none.cloud.quote(&order().offer, None).await.unwrap(), Quote::Gone { .. }));
}

#[tokio::test]
async fn credit_bills_and_disks_without_a_machine_are_told() {
    let credit =
        ok(&json!({"status": true, "data": {"credit": 42.5, "threshold": 10, "can_create_instance": false}}));
    let at = stage("hyperstack", vec![credit, ok(&json!({"user": {"email": "anna@example.com"}}))]).await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!((facts.balance, facts.who.as_deref()), (Some(decimal("42.5")), Some("anna@example.com")));
    assert!(facts.remarks.iter().any(|words| words.contains("no machine now")));
    let volumes = json!([{"id": 7, "name": "data", "size": 100, "attachments": []},
                         {"id": 8, "name": "busy", "size": 100, "attachments": [{"instance_id": 1}]}]);
    let left = stage("hyperstack", vec![page("volumes", &volumes)]).await.cloud.leftovers().await.unwrap();
    assert_eq!(
        (left.len(), left[0].remote_id.as_str(), left[0].per_month),
        (1, "7", Some(decimal("7.064502")))
    );
    let row = |id: u32, bill: f64| json!({"attributes": {"id": "x", "infrahub_id": id}, "metrics": {"incurred_bill": bill, "usage_time": 2}});
    let history = json!({"billing_history_vm": {"billing_history": [row(4711, 3.8), row(4712, -1.5)], "pagination": {"pages": 1}}});
    let at = stage("hyperstack", vec![ok(&history)]).await;
    let (from, to) = ("2026-11-01T00:00:00Z".parse().unwrap(), "2026-11-30T09:00:00Z".parse().unwrap());
    let used = at.cloud.usage(from, to).await.unwrap().unwrap();
    assert_eq!(
        (used.len(), used[0].remote_id.as_str(), used[0].total),
        (1, "4711", decimal("3.8")),
        "a negative figure is no bill"
    );
    assert!(at.lines()[0].contains("start_date=2026-11-01T00:00:00&end_date=2026-11-30T09:00:00"));
}
