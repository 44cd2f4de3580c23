//! Renting at Verda.

use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{PUBLIC_KEY, Stage, decimal, error, launch, offer, ok, stage_with};
use crate::support::Say;

/// The id of an instance.
const ID: &str = "b1f50000-0000-4000-8000-000000000001";

const KEY: &str = r#"{"client_id": "cl13nt", "client_secret": "s3cret"}"#;

fn order(kind: &str) -> Launch {
    let id = format!("verda:1V100.6V@FIN-03-{kind}");
    launch(offer(&id, "1V100.6V", "V100 16GB", 1, kind, "FIN-03"), "ubuntu-24.04-cuda-12.8-open")
}

fn token(text: &str) -> Say {
    ok(&json!({"access_token": text, "expires_in": 3600}))
}

fn keys() -> Say {
    ok(&json!([{"id": "k0", "name": "other", "key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x"},
               {"id": "k1", "name": "anna's", "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 old comment\n"}]))
}

fn fail(status: &str, code: &str, message: &str) -> Say {
    error(status, &json!({"code": code, "message": message}))
}

fn text(status: &str, body: &str) -> Say {
    Say::http(status, &["content-type: text/plain"], body)
}

fn instance(status: &str) -> Value {
    json!({"id": "b1f5", "hostname": "gpudesk-01jdx3", "status": status, "ip": "198.51.100.2", "location": "FIN-03",
           "gpu": {"description": "1x V100 16GB", "number_of_gpus": 1}, "price_per_hour": 0.14, "is_spot": false,
           "os_volume_id": "v1", "volume_ids": ["v1", "v2"], "tags": []})
}

async fn signed_in(mut script: Vec<Say>) -> Stage {
    script.insert(0, token("t1"));
    stage_with("verda", KEY, script).await
}

#[tokio::test]
async fn a_launch_names_place_key_and_mark_and_fixes_the_price() {
    let quoted = [ID.to_owned(), format!("\"{ID}\""), format!("{{\"id\": \"{ID}\"}}"), format!("{ID}\n")];
    for answer in quoted {
        let at = signed_in(vec![keys(), text("202 Accepted", &answer)]).await;
        assert_eq!(at.cloud.launch(&order("on-demand")).await.unwrap().remote_id, ID, "{answer}");
        assert_eq!(at.lines(), ["POST /v1/oauth2/token", "GET /v1/ssh-keys", "POST /v1/instances"]);
        let body = json!({
            "instance_type": "1V100.6V", "image": "ubuntu-24.04-cuda-12.8-open", "hostname": "gpudesk-01jdx3",
            "description": "anna-1 gpudesk-01jdx3", "ssh_key_ids": ["k1"], "location_code": "FIN-03", "is_spot": false,
            "contract": "PAY_AS_YOU_GO", "pricing": "FIXED_PRICE", "os_volume": {"name": "gpudesk-01jdx3-os", "size": 50},
            "tags": [{"key": "gpudesk", "value": "01jdx3"}, {"key": "gpudesk-until", "value": "2026-11-30T12:00:00Z"}],
        });
        assert_eq!(at.body(2), body);
    }
}

#[tokio::test]
async fn a_spot_machine_keeps_its_disk_when_it_is_taken_back() {
    let at = signed_in(vec![keys(), text("202 Accepted", ID)]).await;
    at.cloud.launch(&order("spot")).await.unwrap();
    let body = at.body(2);
    assert_eq!((&body["is_spot"], &body["contract"]), (&json!(true), &json!("SPOT")));
    assert_eq!(body["os_volume"]["on_spot_discontinue"], "keep_detached");
}

#[tokio::test]
async fn a_new_key_and_a_first_script_are_stored_before_the_launch() {
    let script = vec![
        ok(&json!([])),
        text("201 Created", "k9"),
        ok(&json!([{"id": "s0", "name": "gpudesk-01jdx3", "script": "other"}])),
        text("201 Created", "s1"),
        text("202 Accepted", ID),
    ];
    let at = signed_in(script).await;
    let order = Launch { user_data: "#!/bin/sh\necho hi\n".to_owned(), ..order("on-demand") };
    at.cloud.launch(&order).await.unwrap();
    assert_eq!(at.body(2)["key"], PUBLIC_KEY);
    assert_eq!(at.body(4), json!({"name": "gpudesk-01jdx3", "script": "#!/bin/sh\necho hi"}));
    let body = at.body(5);
    assert_eq!((&body["ssh_key_ids"], &body["startup_script_id"]), (&json!(["k9"]), &json!("s1")));
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_code_words_and_effect() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    let unreadable = Http(SourceErrorCode::BadAnswer);
    for (answer, code, effect) in [
        (
            fail("503 Service Unavailable", "service_unavailable", "Not enough resources to deploy 1V100.6V"),
            NoCapacity,
            Effect::Nothing,
        ),
        (fail("503 Service Unavailable", "service_unavailable", "try later"), down, Effect::Unclear),
        (fail("402 Payment Required", "insufficient_funds", "no money"), NoFunds, Effect::Nothing),
        (fail("400 Bad Request", "insufficient_funds", "no money"), NoFunds, Effect::Nothing),
        (fail("403 Forbidden", "forbidden_action", "Quota of GPUs reached"), Quota, Effect::Nothing),
        (fail("403 Forbidden", "forbidden_action", "not for you"), Forbidden, Effect::Nothing),
        (
            fail(
                "400 Bad Request",
                "invalid_request",
                "Operating system is not valid for this instance type",
            ),
            Refused,
            Effect::Nothing,
        ),
        (fail("404 Not Found", "not_found", "no such location"), Refused, Effect::Nothing),
        (fail("500 Internal Server Error", "server_error", "oh"), down, Effect::Unclear),
        (Say::http("502 Bad Gateway", &[], "<html><title>502</title></html>"), down, Effect::Unclear),
        (text("202 Accepted", ""), unreadable, Effect::Unclear),
        (text("202 Accepted", &ID[..18]), unreadable, Effect::Unclear),
        (ok(&json!(["b1f5"])), unreadable, Effect::Unclear),
    ] {
        let at = signed_in(vec![keys(), answer]).await;
        let failed = at.cloud.launch(&order("on-demand")).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 3, "never sent twice: {:?}", at.lines());
    }
    // The token was good a moment ago: a launch is not sent again, whatever the reason.
    let refused = fail("401 Unauthorized", "unauthorized_request", "no");
    let at = signed_in(vec![keys(), refused, token("t2"), text("202 Accepted", ID)]).await;
    let failed = at.cloud.launch(&order("on-demand")).await.unwrap_err();
    assert_eq!((failed.code, failed.effect, at.lines().len()), (BadKey, Effect::Nothing, 3));
    let at =
        stage_with("verda", KEY, vec![fail("401 Unauthorized", "unauthorized_request", "bad client")]).await;
    let failed = at.cloud.launch(&order("on-demand")).await.unwrap_err();
    assert_eq!((failed.code, failed.effect), (BadKey, Effect::Nothing));
}

#[tokio::test]
async fn a_token_is_kept_renewed_in_time_and_once_when_it_is_refused() {
    let list = || ok(&json!([]));
    let refused = || fail("401 Unauthorized", "unauthorized_request", "token expired");
    let at =
        stage_with("verda", KEY, vec![token("t1"), list(), list(), refused(), token("t2"), list()]).await;
    for _ in 0..3 {
        at.cloud.list().await.unwrap();
    }
    let with: Vec<bool> =
        at.server.requests().iter().map(|text| text.contains("authorization: Bearer t2")).collect();
    assert_eq!(with, [false, false, false, false, false, true]);
    assert_eq!(
        at.body(0),
        json!({"grant_type": "client_credentials", "client_id": "cl13nt", "client_secret": "s3cret"})
    );

    // Its time is over from the beginning: each call fetches one.
    let short = || ok(&json!({"access_token": "t", "expires_in": 59}));
    let at = stage_with("verda", KEY, vec![short(), list(), short(), list()]).await;
    at.cloud.list().await.unwrap();
    at.cloud.list().await.unwrap();
    assert_eq!(at.lines().len(), 4);

    let at = stage_with("verda", KEY, vec![token("t1"), refused(), token("t2"), refused()]).await;
    assert_eq!(at.cloud.list().await.unwrap_err().code, CloudErrorCode::BadKey);
    assert_eq!(at.lines().len(), 4, "not again and again");
}

#[tokio::test]
async fn an_end_deletes_the_disk_that_was_made_with_it_and_no_other() {
    let at = signed_in(vec![ok(&instance("running")), text("202 Accepted", "")]).await;
    at.cloud.end("b1f5").await.unwrap();
    assert_eq!(at.lines()[1..], ["GET /v1/instances/b1f5", "PUT /v1/instances"]);
    let body = json!({"action": "delete", "id": ["b1f5"], "volume_ids": ["v1"], "delete_permanently": true});
    assert_eq!(at.body(2), body);

    for there in [
        ok(&instance("deleting")),
        ok(&instance("discontinued")),
        fail("404 Not Found", "not_found", "no"),
        fail("400 Bad Request", "invalid_request", "Invalid instance id"),
    ] {
        let at = signed_in(vec![there]).await;
        at.cloud.end("b1f5").await.unwrap();
        assert_eq!(at.lines().len(), 2, "there is nothing left to end");
    }

    // That it cannot be looked at does not hold up the order.
    let blind = vec![fail("400 Bad Request", "invalid_request", "oh"), text("204 No Content", "")];
    let at = signed_in(blind).await;
    at.cloud.end("b1f5").await.unwrap();
    assert_eq!(at.body(2), json!({"action": "delete", "id": ["b1f5"]}));
}

#[tokio::test]
async fn a_success_may_hide_a_failure_of_the_one_machine() {
    let item = |words: Value, status: u32| {
        let said = if status < 400 { "success" } else { "error" };
        Say::http(
            "207 Multi-Status",
            &["content-type: application/json"],
            json!([{"action": "delete", "instanceId": "b1f5", "status": said, "error": words, "statusCode": status}])
                .to_string(),
        )
    };
    let busy = "Can't discontinue a provisioning instance";
    let at =
        signed_in(vec![ok(&instance("provisioning")), item(json!(busy), 403), ok(&instance("provisioning"))])
            .await;
    let failed = at.cloud.end("b1f5").await.unwrap_err();
    assert_eq!((failed.code, failed.effect), (CloudErrorCode::Conflict, Effect::Nothing));
    assert!(failed.detail.contains(busy) && failed.hint.unwrap().contains("billed"));

    let again = "Can't discontinue a discontinued instance";
    let raced = vec![ok(&instance("running")), item(json!(again), 403), ok(&instance("discontinued"))];
    signed_in(raced).await.cloud.end("b1f5").await.unwrap();

    let whole = fail("403 Forbidden", "forbidden_action", busy);
    let at = signed_in(vec![ok(&instance("provisioning")), whole, ok(&instance("provisioning"))]).await;
    assert_eq!(at.cloud.end("b1f5").await.unwrap_err().code, CloudErrorCode::Conflict);

    signed_in(vec![item(Value::Null, 202)]).await.cloud.stop("b1f5").await.unwrap();
    let failed = signed_in(vec![item(json!("oh"), 500)]).await.cloud.stop("b1f5").await.unwrap_err();
    assert_eq!(failed.effect, Effect::Unclear);
}

#[tokio::test]
async fn stop_and_start_are_actions() {
    let at = signed_in(vec![text("202 Accepted", ""), text("204 No Content", "")]).await;
    at.cloud.stop("b1f5").await.unwrap();
    at.cloud.start("b1f5").await.unwrap();
    assert_eq!(at.body(1), json!({"action": "shutdown", "id": ["b1f5"]}));
    assert_eq!(at.body(2), json!({"action": "start", "id": ["b1f5"]}));
    let stop = at.cloud.terms().stop;
    assert!(stop.exists && !stop.ends_compute, "the card stays reserved");
}

#[tokio::test]
async fn machines_are_listed_and_one_that_cannot_be_read_proves_nothing() {
    let at = signed_in(vec![ok(&json!([instance("running")])), ok(&json!([instance("running"), 7]))]).await;
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (true, 1));
    assert_eq!(listing.machines[0].token.as_deref(), Some("gpudesk-01jdx3"));
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len(), listing.unreadable.len()), (false, 1, 1));
    let twice = signed_in(vec![ok(&json!([instance("running"), instance("running")]))]).await;
    let listing = twice.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (false, 1), "a row that comes twice is odd");
    for odd in [ok(&Value::Null), ok(&json!({"instances": []})), text("200 OK", "OK")] {
        assert!(signed_in(vec![odd]).await.cloud.list().await.is_err(), "no list is not an empty one");
    }
    let gone = signed_in(vec![fail("400 Bad Request", "invalid_request", "Invalid instance id")]).await;
    assert_eq!(gone.cloud.look("b1f5").await.unwrap(), Look::Absent);
    let other = signed_in(vec![ok(&instance("running"))]).await;
    assert!(other.cloud.look("c2").await.is_err(), "told of another one");
    let Look::There(machine) =
        signed_in(vec![ok(&instance("offline"))]).await.cloud.look("b1f5").await.unwrap()
    else {
        panic!("it is there")
    };
    assert_eq!((machine.state, machine.per_hour), (MachineState::Stopped, Some(decimal("0.14"))));
}

#[tokio::test]
async fn a_quote_needs_price_and_stock_of_the_place() {
    let types = json!([{"instance_type": "1V100.6V", "price_per_hour": "0.1500", "spot_price": "0.05", "currency": "usd"}]);
    for (kind, stock, price) in [("on-demand", "true", "0.15"), ("spot", "\"true\"", "0.05")] {
        let at = signed_in(vec![ok(&types), text("200 OK", stock)]).await;
        let Quote::Stands(now) = at.cloud.quote(&order(kind).offer, None).await.unwrap() else {
            panic!("stands")
        };
        assert_eq!(now.price.per_hour, decimal(price));
        let spot = kind == "spot";
        let path = format!("GET /v1/instance-availability/1V100.6V?is_spot={spot}&location_code=FIN-03");
        assert_eq!(at.lines()[1..], ["GET /v1/instance-types?currency=usd".to_owned(), path]);
    }
    for script in [vec![ok(&json!([]))], vec![ok(&types), text("200 OK", "false")]] {
        let at = signed_in(script).await;
        assert!(matches!(at.cloud.quote(&order("on-demand").offer, None).await.unwrap(), Quote::Gone { .. }));
    }
    let odd = signed_in(vec![ok(&types), text("200 OK", "maybe")]).await;
    assert!(odd.cloud.quote(&order("on-demand").offer, None).await.is_err());
}

#[tokio::test]
async fn balance_and_disks_without_a_machine_are_told() {
    let at = signed_in(vec![ok(&json!({"amount": 12.5, "currency": "eur"}))]).await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!((facts.balance, facts.currency.code()), (Some(decimal("12.5")), "EUR"));
    let volumes = json!([
        {"id": "v1", "name": "a-os", "size": 100, "instance_id": "b1", "status": "attached", "monthly_price": 20, "currency": "usd"},
        {"id": "v2", "name": "data", "size": 500, "instance_id": null, "status": "detached", "monthly_price": 100, "currency": "usd"},
        {"id": "v3", "name": "old", "size": 5, "instance_id": null, "status": "deleted", "monthly_price": 1, "currency": "usd"},
    ]);
    let trash = json!([{"id": "v4", "name": "gone", "size": 50, "instance_id": null, "monthly_price": 10, "currency": "usd"}]);
    let left = signed_in(vec![ok(&volumes), ok(&trash)]).await.cloud.leftovers().await.unwrap();
    let told: Vec<_> =
        left.iter().map(|one| (one.remote_id.as_str(), one.what.as_str(), one.per_month)).collect();
    assert_eq!(
        told,
        [("v2", "volume", Some(decimal("100"))), ("v4", "volume in the trash", None)],
        "whether the trash is billed is not said"
    );
}
