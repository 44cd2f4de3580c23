//! Renting at Lambda, and its list of offers.

use std::collections::BTreeMap;

use gpudesk_core::money::Rates;
use gpudesk_core::offer::SupplyState;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use gpudesk_providers::http::Secret;
use gpudesk_providers::lambda::Lambda;
use gpudesk_providers::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{KEY, PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::{RawServer, Say, kit, now};

fn order() -> Launch {
    let offer =
        offer("lambda:gpu_1x_a10@us-east-1", "gpu_1x_a10", "A10 (24 GB PCIe)", 1, "on-demand", "us-east-1");
    launch(offer, "lambda-stack-24-04")
}

fn data(value: &Value) -> Say {
    ok(&json!({ "data": value }))
}

fn fail(status: &str, code: &str) -> Say {
    error(status, &json!({"error": {"code": code, "message": "words", "suggestion": "do this"}}))
}

fn instance(status: &str) -> Value {
    json!({"id": "0920", "status": status, "ssh_key_names": ["k"], "file_system_names": [], "actions": {},
           "region": {"name": "us-east-1", "description": "Virginia, USA"}, "tags": [{"key": "gpudesk", "value": "01jdx3"}],
           "instance_type": {"name": "gpu_1x_a10", "gpu_description": "A10 (24 GB PCIe)", "price_cents_per_hour": 129,
                             "specs": {"gpus": 1, "vcpus": 30, "memory_gib": 200, "storage_gib": 1400}}})
}

#[tokio::test]
async fn a_launch_uses_the_key_the_account_has_already_by_its_material() {
    let keys = json!([{"id": "1", "name": "other", "public_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x"},
                      {"id": "2", "name": "anna's", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 old comment\n"}]);
    let at = stage("lambda", vec![data(&keys), data(&json!({"instance_ids": ["0920"]}))]).await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap().remote_id, "0920");
    assert_eq!(at.lines(), ["GET /api/v1/ssh-keys", "POST /api/v1/instance-operations/launch"]);
    let body = json!({
        "region_name": "us-east-1", "instance_type_name": "gpu_1x_a10", "ssh_key_names": ["anna's"], "name": "gpudesk-01jdx3",
        "image": {"family": "lambda-stack-24-04"},
        "tags": [{"key": "gpudesk", "value": "01jdx3"}, {"key": "gpudesk:until", "value": "2026-11-30T12:00:00Z"}],
    });
    assert_eq!(at.body(1), body);
    at.assert_key_sent();
}

#[tokio::test]
async fn a_key_found_once_is_looked_for_again_only_after_a_refusal() {
    let keys = data(&json!([{"id": "2", "name": "k", "public_key": PUBLIC_KEY}]));
    let made = data(&json!({"instance_ids": ["0920"]}));
    let refusal = fail("400 Bad Request", "global/invalid-parameters");
    let at = stage("lambda", vec![keys.clone(), made.clone(), made.clone(), refusal, keys, made]).await;
    for launched in [true, true, false, true] {
        assert_eq!(at.cloud.launch(&order()).await.is_ok(), launched);
    }
    let (list, launch) = ("GET /api/v1/ssh-keys", "POST /api/v1/instance-operations/launch");
    assert_eq!(at.lines(), [list, launch, launch, launch, list, launch]);
}

#[tokio::test]
async fn an_unknown_key_is_registered_under_a_name_that_is_free() {
    let script = vec![
        data(&json!([])),
        fail("400 Bad Request", "global/duplicate"),
        data(&json!({"id": "3", "name": "x", "public_key": PUBLIC_KEY})),
        data(&json!({"instance_ids": ["0920"]})),
    ];
    let at = stage("lambda", script).await;
    let script = Launch { user_data: "#cloud-config\n".to_owned(), ..order() };
    at.cloud.launch(&script).await.unwrap();
    let (first, second) = (at.body(1), at.body(2));
    assert_eq!(first["public_key"], PUBLIC_KEY, "without one the service would make a pair");
    assert_eq!(second["name"], format!("{}-2", first["name"].as_str().unwrap()));
    let launched = at.body(3);
    assert_eq!(
        (&launched["ssh_key_names"], &launched["user_data"]),
        (&json!([second["name"]]), &json!("#cloud-config\n"))
    );
}

#[tokio::test]
async fn an_image_is_named_by_id_or_family() {
    let keys = json!([{"id": "2", "name": "k", "public_key": PUBLIC_KEY}]);
    let at = stage("lambda", vec![data(&keys), data(&json!({"instance_ids": ["0920"]}))]).await;
    let mut order = order();
    order.spec.image.id = "9d2a1c3b4e5f60718293a4b5c6d7e8f9".to_owned();
    at.cloud.launch(&order).await.unwrap();
    assert_eq!(at.body(1)["image"], json!({"id": "9d2a1c3b4e5f60718293a4b5c6d7e8f9"}));
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_code_and_effect() {
    use CloudErrorCode::{AccountNotReady, BadKey, Forbidden, Http, NoCapacity, Quota, Refused};
    let keys = || data(&json!([{"id": "2", "name": "k", "public_key": PUBLIC_KEY}]));
    let down = Http(SourceErrorCode::ProviderDown);
    for (answer, code, effect) in [
        (
            fail("400 Bad Request", "instance-operations/launch/insufficient-capacity"),
            NoCapacity,
            Effect::Nothing,
        ),
        (fail("400 Bad Request", "global/quota-exceeded"), Quota, Effect::Nothing),
        (fail("403 Forbidden", "global/account-inactive"), AccountNotReady, Effect::Nothing),
        (fail("403 Forbidden", "global/invalid-address"), AccountNotReady, Effect::Nothing),
        (fail("403 Forbidden", "global/forbidden"), Forbidden, Effect::Nothing),
        (fail("401 Unauthorized", "global/invalid-api-key"), BadKey, Effect::Nothing),
        (fail("400 Bad Request", "global/invalid-parameters"), Refused, Effect::Nothing),
        (fail("404 Not Found", "global/object-does-not-exist"), Refused, Effect::Nothing),
        (fail("400 Bad Request", "provider/internal-unavailable"), down, Effect::Unclear),
        (fail("400 Bad Request", "global/unknown"), down, Effect::Unclear),
        (fail("500 Internal Server Error", "global/internal-error"), down, Effect::Unclear),
        (Say::http("502 Bad Gateway", &[], "<html><title>502</title></html>"), down, Effect::Unclear),
        (data(&json!({"instance_ids": []})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let at = stage("lambda", vec![keys(), answer]).await;
        let failed = at.cloud.launch(&order()).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 2, "never sent twice");
    }
    let at = stage("lambda", vec![keys(), fail("400 Bad Request", "global/quota-exceeded")]).await;
    assert_eq!(
        at.cloud.launch(&order()).await.unwrap_err().hint.as_deref(),
        Some("do this"),
        "their suggestion is the hint"
    );
}

#[tokio::test]
async fn a_key_that_could_not_be_registered_made_no_machine() {
    let at =
        stage("lambda", vec![data(&json!([])), fail("500 Internal Server Error", "global/internal-error")])
            .await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap_err().effect, Effect::Nothing);
    let at =
        stage("lambda", vec![data(&json!([])), fail("400 Bad Request", "global/invalid-parameters")]).await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap_err().code, CloudErrorCode::SshKeyRefused);
}

#[tokio::test]
async fn launches_of_one_account_keep_twelve_seconds_apart() {
    let keys = data(&json!([{"id": "2", "name": "k", "public_key": PUBLIC_KEY}]));
    let made = || data(&json!({"instance_ids": ["0920"]}));
    let at = stage("lambda", vec![keys, made(), made()]).await;
    at.cloud.launch(&order()).await.unwrap();
    let before: u128 = at.time.waits().iter().sum();
    at.cloud.launch(&order()).await.unwrap();
    assert_eq!(at.time.waits().iter().sum::<u128>() - before, 12_000);
}

#[tokio::test]
async fn an_end_of_what_is_ending_is_done() {
    for there in [
        data(&instance("terminating")),
        data(&instance("terminated")),
        fail("404 Not Found", "global/object-does-not-exist"),
    ] {
        let at = stage("lambda", vec![there]).await;
        at.cloud.end("0920").await.unwrap();
        assert_eq!(
            at.lines(),
            ["GET /api/v1/instances/0920"],
            "a second order would be answered with an error"
        );
    }
    let at =
        stage("lambda", vec![data(&instance("active")), data(&json!({"terminated_instances": []}))]).await;
    at.cloud.end("0920").await.unwrap();
    assert_eq!(at.lines()[1], "POST /api/v1/instance-operations/terminate");
    assert_eq!(at.body(1), json!({"instance_ids": ["0920"]}));
    let raced = vec![
        data(&instance("active")),
        fail("400 Bad Request", "global/unknown"),
        data(&instance("terminating")),
    ];
    stage("lambda", raced).await.cloud.end("0920").await.unwrap();
    let failed = vec![
        data(&instance("active")),
        fail("500 Internal Server Error", "global/unknown"),
        data(&instance("active")),
    ];
    assert_eq!(stage("lambda", failed).await.cloud.end("0920").await.unwrap_err().effect, Effect::Unclear);
    let blind = vec![fail("403 Forbidden", "global/forbidden"), data(&json!({}))];
    stage("lambda", blind).await.cloud.end("0920").await.unwrap();
}

#[tokio::test]
async fn there_is_no_stop() {
    let at = stage("lambda", vec![data(&json!([]))]).await;
    for failed in [at.cloud.stop("0920").await, at.cloud.start("0920").await] {
        let failed = failed.unwrap_err();
        assert_eq!((failed.code, failed.effect), (CloudErrorCode::Unsupported, Effect::Nothing));
        assert!(failed.hint.unwrap().contains("end"));
    }
    assert!(at.lines().is_empty());
    assert!(!at.cloud.terms().stop.exists);
}

#[tokio::test]
async fn machines_and_filesystems_are_listed() {
    let at = stage("lambda", vec![data(&json!([instance("booting"), {"status": "active"}]))]).await;
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len(), listing.unreadable.len()), (false, 1, 1));
    assert_eq!(listing.machines[0].token.as_deref(), Some("gpudesk-01jdx3"));
    assert!(
        stage("lambda", vec![ok(&json!({}))]).await.cloud.list().await.is_err(),
        "no list is not an empty one"
    );
    let absent = stage("lambda", vec![fail("404 Not Found", "global/object-does-not-exist")]).await;
    assert_eq!(absent.cloud.look("0920").await.unwrap(), Look::Absent);
    let disks =
        json!([{"id": "f1", "name": "data", "bytes_used": 250_000_000_000_u64}, {"id": "f2", "name": "new"}]);
    let left = stage("lambda", vec![data(&disks)]).await.cloud.leftovers().await.unwrap();
    assert_eq!((left[0].size_gb, left[0].per_month), (Some(decimal("250")), Some(decimal("50"))));
    assert_eq!((left[1].size_gb, left[1].per_month), (None, None), "not told is not nothing");
}

fn types() -> Value {
    let item = |name: &str, description: &str, cents: u64, gpus: u64, regions: &Value| {
        json!({"instance_type": {"name": name, "description": "x", "gpu_description": description, "price_cents_per_hour": cents,
               "specs": {"gpus": gpus, "vcpus": 30, "memory_gib": 200, "storage_gib": 1400}}, "regions_with_capacity_available": regions})
    };
    let east = json!([{"name": "us-east-1", "description": "Virginia, USA"}, {"name": "mars-1", "description": "Olympus Mons"}]);
    json!({
        "gpu_1x_a10": item("gpu_1x_a10", "A10 (24 GB PCIe)", 129, 1, &east),
        "gpu_8x_h100_sxm5": item("gpu_8x_h100_sxm5", "H100 (80 GB SXM5)", 3192, 8, &json!([])),
        "gpu_1x_rtx6000": item("gpu_1x_rtx6000", "RTX 6000 (24 GB)", 69, 1, &json!([])),
        "gpu_8x_a100_80gb_sxm4": item("gpu_8x_a100_80gb_sxm4", "A100 (80 GB SXM4)", 2232, 8, &json!([])),
        "gpu_8x_q900": item("gpu_8x_q900", "Q900 (500 GB SXM9)", 9900, 8, &json!([])),
        "cpu_4x_general": item("cpu_4x_general", "N/A", 20, 0, &east),
        "gpu_1x_broken": {"instance_type": 7},
    })
}

#[tokio::test]
async fn a_quote_needs_the_type_in_the_region() {
    let at = stage("lambda", vec![data(&types())]).await;
    let Quote::Stands(now) = at.cloud.quote(&order().offer, None).await.unwrap() else { panic!("it stands") };
    assert_eq!(now.price.per_hour, decimal("1.29"));
    let elsewhere = offer("lambda:gpu_1x_a10@us-west-1", "gpu_1x_a10", "A10", 1, "on-demand", "us-west-1");
    let sold_out =
        offer("lambda:gpu_8x_h100_sxm5@us-east-1", "gpu_8x_h100_sxm5", "H100", 8, "on-demand", "us-east-1");
    let unlisted = offer("lambda:gpu_1x_x@us-east-1", "gpu_1x_x", "X", 1, "on-demand", "us-east-1");
    for gone in [elsewhere, sold_out, unlisted] {
        assert!(matches!(at.cloud.quote(&gone, None).await.unwrap(), Quote::Gone { .. }), "{}", gone.id);
    }
}

async fn fetch(script: Vec<Say>, key: Option<&Secret>) -> (Vec<FeedOutcome>, usize) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("lambda", server.url.as_str());
    let (http, _) = kit();
    let cx = Fetch { http: &http, now: &now, versions: &BTreeMap::new(), rates: &Rates::default(), key };
    let mut outcomes = Vec::new();
    Lambda::new(&config).fetch(&cx, &mut |outcome| outcomes.push(outcome)).await;
    (outcomes, server.requests().len())
}

#[tokio::test]
async fn without_a_key_nothing_is_asked_and_nothing_failed() {
    let (outcomes, requests) = fetch(vec![data(&types())], None).await;
    assert_eq!((outcomes.len(), requests), (0, 0));
    assert!(Lambda::new(&SourceConfig::default()).needs_key());
}

#[tokio::test]
async fn types_become_offers_by_region_with_stock() {
    let key = Secret::new(KEY);
    let (mut outcomes, _) = fetch(vec![data(&types())], Some(&key)).await;
    let FeedAnswer::Fetched { fetched, .. } = outcomes.remove(0).result.unwrap() else { panic!("rows") };
    assert_eq!(
        (fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu, fetched.quarantined.len()),
        (7, 5, 1, 1)
    );
    let offer = |id: &str| crate::support::offer(&fetched, id);
    let here = offer("lambda:gpu_1x_a10@us-east-1");
    assert_eq!((here.price.per_hour, here.place.country.as_deref()), (decimal("1.29"), Some("US")));
    assert_eq!(
        (here.supply.state, here.gpu.vram_gib, here.gpu.model.as_deref()),
        (SupplyState::InStock, Some(24.0), Some("A10"))
    );
    assert_eq!(
        offer("lambda:gpu_1x_a10@mars-1").place.country,
        None,
        "a country that cannot be proved is none"
    );
    let sold_out = offer("lambda:gpu_8x_h100_sxm5@none");
    assert_eq!((sold_out.supply.state, sold_out.price.per_hour), (SupplyState::OutOfStock, decimal("31.92")));
    assert_eq!(sold_out.per_gpu_hour(), decimal("3.99"));
    assert_eq!(offer("lambda:gpu_1x_rtx6000@none").gpu.model.as_deref(), Some("Quadro RTX 6000"));
    assert_eq!(offer("lambda:gpu_8x_a100_80gb_sxm4@none").gpu.vram_gib, Some(80.0));
    let unknown = offer("lambda:gpu_8x_q900@none");
    assert_eq!(
        (unknown.gpu.model.as_deref(), unknown.gpu.vram_gib),
        (None, Some(500.0)),
        "an unknown card is one row"
    );
}

#[tokio::test]
async fn an_instance_with_odd_parts_is_an_instance() {
    for (part, odd) in [
        ("tags", json!([null, {"key": "gpudesk", "value": "01jdx3"}])),
        ("tags", json!({"gpudesk": "01jdx3"})),
        ("tags", json!("gpudesk")),
        ("region", Value::Null),
        ("region", json!("us-east-1")),
        ("instance_type", Value::Null),
        ("instance_type", json!([])),
        ("actions", Value::Null),
    ] {
        let mut row = instance("active");
        row["ip"] = json!("203.0.113.7");
        row[part] = odd.clone();
        let at = stage("lambda", vec![data(&json!([row]))]).await;
        let listing = at.cloud.list().await.unwrap();
        assert!(listing.complete && listing.unreadable.is_empty(), "{part}: {odd}: {:?}", listing.unreadable);
        let [machine] = &listing.machines[..] else { panic!("{part}: {odd}: {listing:?}") };
        assert_eq!(machine.state, gpudesk_core::rental::MachineState::Running, "{part}: {odd}");
        assert_eq!(machine.ssh.len(), 1, "{part}: {odd}");
    }
    let mut row = instance("active");
    row["instance_type"]["specs"] = Value::Null;
    let listing = stage("lambda", vec![data(&json!([row]))]).await.cloud.list().await.unwrap();
    assert_eq!(
        listing.machines[0].per_hour,
        Some(decimal("1.29")),
        "the price stands beside what is missing"
    );
}

#[tokio::test]
async fn what_the_code_says_holds_under_any_status() {
    let keys = || data(&json!([{"id": "2", "name": "k", "public_key": PUBLIC_KEY}]));
    for status in ["200 OK", "400 Bad Request", "503 Service Unavailable"] {
        for (said, code) in [
            ("instance-operations/launch/insufficient-capacity", CloudErrorCode::NoCapacity),
            ("global/quota-exceeded", CloudErrorCode::Quota),
            ("global/invalid-parameters", CloudErrorCode::Refused),
        ] {
            let failed = stage("lambda", vec![keys(), fail(status, said)])
                .await
                .cloud
                .launch(&order())
                .await
                .unwrap_err();
            assert_eq!((failed.code, failed.effect), (code, Effect::Nothing), "{status}, {said}");
        }
    }
    let odd = stage("lambda", vec![keys(), data(&json!({"instance_ids": []}))]).await;
    assert_eq!(
        odd.cloud.launch(&order()).await.unwrap_err().effect,
        Effect::Unclear,
        "nothing is said of it"
    );
}
