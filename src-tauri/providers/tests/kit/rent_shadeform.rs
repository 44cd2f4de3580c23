//! Renting at Shadeform.

use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{PUBLIC_KEY, Stage, decimal, error, launch, offer, ok, stage};
use crate::shadeform::kind;
use crate::support::Say;

const ID: &str = "d290f1ee-6c54-4b01-90e6-d701748f0851";

fn order() -> Launch {
    let mut offer = offer(
        "shadeform:lambdalabs/A6000x2@desmoines-usa-1",
        "A6000x2",
        "A6000",
        2,
        "on-demand",
        "desmoines-usa-1",
    );
    offer.cloud = "lambda".to_owned();
    launch(offer, "newest-cuda")
}

fn types(more: &Value) -> Say {
    ok(
        &json!({ "instance_types": [kind("other", "A6000x2", &json!({})), kind("lambdalabs", "A6000x2", more)] }),
    )
}

fn keys() -> Say {
    let other = json!({"id": "k1", "name": "other", "public_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x", "is_default": true});
    let ours = json!({"id": "k2", "name": "anna", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 old comment\n", "is_default": false});
    ok(&json!({ "ssh_keys": [other, ours] }))
}

fn instance(status: &str) -> Value {
    json!({"id": ID, "cloud": "lambdalabs", "region": "desmoines-usa-1", "shade_instance_type": "A6000x2", "shade_cloud": true,
           "name": "gpudesk-01jdx3", "configuration": {"num_gpus": 2, "gpu_type": "A6000", "os": "x"}, "ip": "198.51.100.2",
           "ssh_user": "shadeform", "ssh_port": 22, "status": status, "cost_estimate": "1.5", "hourly_price": 114,
           "tags": ["gpudesk-01jdx3"], "created_at": "2026-11-30T08:00:00Z", "active_at": "2026-11-30T08:05:00Z"})
}

fn list(rows: &[Value]) -> Say {
    ok(&json!({ "instances": rows }))
}

async fn launched(script: Vec<Say>) -> (Stage, Result<String, gpudesk_providers::cloud::CloudError>) {
    let at = stage("shadeform", script).await;
    let made = at.cloud.launch(&order()).await.map(|launched| launched.remote_id);
    (at, made)
}

#[tokio::test]
async fn a_launch_names_the_cloud_as_the_service_spells_it() {
    let (at, made) =
        launched(vec![types(&json!({})), keys(), ok(&json!({"id": ID, "cloud_assigned_id": "x"}))]).await;
    assert_eq!(made.unwrap(), ID);
    assert_eq!(
        at.lines(),
        [
            "GET /v1/instances/types?shade_instance_type=A6000x2",
            "GET /v1/sshkeys",
            "POST /v1/instances/create"
        ]
    );
    assert_eq!(
        at.body(2),
        json!({"cloud": "lambdalabs", "region": "desmoines-usa-1", "shade_instance_type": "A6000x2", "shade_cloud": true,
               "name": "gpudesk-01jdx3", "ssh_key_id": "k2", "os": "ubuntu22.04_cuda12.4_shade_os",
               "tags": ["gpudesk-01jdx3", "gpudesk-until=2026-11-30T12:00:00Z"]})
    );
    at.assert_key_sent_as("x-api-key: ");
}

#[tokio::test]
async fn the_system_is_one_that_this_cloud_has() {
    let systems = |list: Value| types(&json!({"configuration": {"os_options": list}}));
    let made = || ok(&json!({ "id": ID }));
    let at = stage("shadeform", vec![systems(json!(["ubuntu22.04", "rocky9"])), keys(), made()]).await;
    at.cloud.launch(&order()).await.unwrap();
    assert_eq!(at.body(2).get("os"), None, "none has CUDA: the type's own is taken");
    let mut named = order();
    named.spec.image.id = "rocky9".to_owned();
    let at = stage("shadeform", vec![systems(json!(["ubuntu22.04", "rocky9"])), keys(), made()]).await;
    at.cloud.launch(&named).await.unwrap();
    assert_eq!(at.body(2)["os"], "rocky9");
    let at = stage("shadeform", vec![types(&json!({}))]).await;
    let refused = at.cloud.launch(&named).await.unwrap_err();
    assert_eq!((refused.code, &refused.effect), (CloudErrorCode::Refused, &Effect::Nothing));
    assert!(refused.hint.unwrap().contains("ubuntu22.04_cuda12.4_shade_os"));
    assert_eq!(at.lines().len(), 1, "told before anything is registered or ordered");
}

#[tokio::test]
async fn a_first_script_goes_along_as_base64() {
    let at = stage("shadeform", vec![types(&json!({})), keys(), ok(&json!({ "id": ID }))]).await;
    let order = Launch { user_data: "#!/bin/sh\n".to_owned(), ..order() };
    at.cloud.launch(&order).await.unwrap();
    let wanted = json!({"type": "script", "script_configuration": {"base64_script": "IyEvYmluL3NoCg=="}});
    assert_eq!(at.body(2)["launch_configuration"], wanted);
}

#[tokio::test]
async fn an_unknown_key_is_registered_under_a_name_that_is_free() {
    let taken = error("400 Bad Request", &json!({"error": "ssh key name must be unique"}));
    let script = vec![
        types(&json!({})),
        ok(&json!({"ssh_keys": []})),
        taken,
        ok(&json!({"id": "k9"})),
        ok(&json!({ "id": ID })),
    ];
    let (at, made) = launched(script).await;
    made.unwrap();
    let (first, second) = (at.body(2), at.body(3));
    assert_eq!(first["public_key"], PUBLIC_KEY);
    assert_eq!(second["name"], format!("{}-2", first["name"].as_str().unwrap()));
    assert_eq!(at.body(4)["ssh_key_id"], "k9");
    let refused = error("400 Bad Request", &json!({"error": "invalid public key"}));
    let (_, made) = launched(vec![types(&json!({})), ok(&json!({"ssh_keys": []})), refused]).await;
    assert_eq!(made.unwrap_err().code, CloudErrorCode::SshKeyRefused);
    let down = error("500 Internal Server Error", &json!({"message": "boom"}));
    let (_, made) = launched(vec![types(&json!({})), ok(&json!({"ssh_keys": []})), down]).await;
    assert_eq!(made.unwrap_err().effect, Effect::Nothing, "no machine was asked for");
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_code_and_effect() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    for (answer, code, effect) in [
        (
            error("409 Conflict", &json!({"error_code": "OUT_OF_STOCK", "error": "none left"})),
            NoCapacity,
            Effect::Nothing,
        ),
        (
            error("503 Service Unavailable", &json!({"error_code": "OUT_OF_STOCK", "error": "x"})),
            NoCapacity,
            Effect::Nothing,
        ),
        (error("409 Conflict", &json!({"error_code": "NAME_TAKEN", "error": "x"})), Refused, Effect::Nothing),
        (
            error("400 Bad Request", &json!({"error": "Insufficient balance in wallet"})),
            NoFunds,
            Effect::Nothing,
        ),
        (error("400 Bad Request", &json!({"message": "quota exceeded"})), Quota, Effect::Nothing),
        (error("400 Bad Request", &json!({"message": "bad os"})), Refused, Effect::Nothing),
        (error("404 Not Found", &json!({"message": "no such type"})), Refused, Effect::Nothing),
        (error("401 Unauthorized", &json!({"message": "Invalid API key"})), BadKey, Effect::Nothing),
        (error("403 Forbidden", &json!({"message": "workspace mismatch"})), Forbidden, Effect::Nothing),
        (error("500 Internal Server Error", &json!({"message": "boom"})), down, Effect::Unclear),
        (Say::http("502 Bad Gateway", &[], "<html><title>502</title></html>"), down, Effect::Unclear),
        (ok(&json!({"error_code": "OUT_OF_STOCK", "error": "none left"})), NoCapacity, Effect::Nothing),
        (ok(&json!({"error": "something else"})), Refused, Effect::Unclear),
        (ok(&json!({})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
        (Say::http("200 OK", &[], ""), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let (at, made) = launched(vec![types(&json!({})), keys(), answer]).await;
        let failed = made.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 3, "never sent twice");
    }
    let (_, made) = launched(vec![ok(&json!({"instance_types": []}))]).await;
    assert_eq!(made.unwrap_err().code, CloudErrorCode::OfferGone);
}

#[tokio::test]
async fn an_offer_stands_at_its_newest_price_or_is_gone() {
    let quote = async |say: Say| stage("shadeform", vec![say]).await.cloud.quote(&order().offer, None).await;
    let Quote::Stands(now) = quote(types(&json!({"hourly_price": 120}))).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!((now.price.per_hour, now.cloud.as_str()), (decimal("1.2"), "lambda"));
    assert_eq!(now.id, order().offer.id);
    let sold = json!({"availability": [{"region": "desmoines-usa-1", "available": false, "display_name": "US, Des Moines, IA"}]});
    for say in [types(&sold), types(&json!({"availability": []})), ok(&json!({"instance_types": []}))] {
        assert!(matches!(quote(say).await.unwrap(), Quote::Gone { .. }));
    }
    assert!(quote(ok(&json!({"instance_types": null}))).await.is_err(), "no list proves nothing");
}

#[tokio::test]
async fn only_a_whole_list_proves_an_absence() {
    let listing = async |say: Say| stage("shadeform", vec![say]).await.cloud.list().await;
    let whole = listing(list(&[instance("active")])).await.unwrap();
    assert_eq!((whole.machines.len(), whole.complete), (1, true));
    let twice = listing(list(&[instance("active"), instance("active")])).await.unwrap();
    assert_eq!((twice.machines.len(), twice.complete), (1, false), "a row twice is one machine");
    assert_eq!(whole.machines[0].token.as_deref(), Some("gpudesk-01jdx3"));
    let empty = listing(list(&[])).await.unwrap();
    assert_eq!((empty.machines.len(), empty.complete), (0, true));
    let odd = listing(list(&[instance("active"), json!({"status": "active"}), json!(7)])).await.unwrap();
    assert_eq!((odd.machines.len(), odd.complete, odd.unreadable.len()), (1, false, 2));
    for say in
        [ok(&json!({"instances": null})), ok(&json!({})), ok(&json!([])), ok(&json!({"message": "later"}))]
    {
        assert!(listing(say).await.is_err());
    }
}

#[tokio::test]
async fn a_machine_that_is_gone_is_absent_by_404_or_by_the_whole_list() {
    let gone = || error("400 Bad Request", &json!({"message": "instance not found"}));
    let look = async |script: Vec<Say>| stage("shadeform", script).await.cloud.look(ID).await;
    let Look::There(machine) = look(vec![ok(&instance("active"))]).await.unwrap() else {
        panic!("it is there")
    };
    assert_eq!((machine.state, machine.ssh.len()), (MachineState::Running, 1));
    assert_eq!(look(vec![error("404 Not Found", &json!({"message": "x"}))]).await.unwrap(), Look::Absent);
    assert_eq!(look(vec![gone(), list(&[])]).await.unwrap(), Look::Absent);
    assert!(matches!(look(vec![gone(), list(&[instance("deleting")])]).await.unwrap(), Look::There(_)));
    assert!(look(vec![gone(), list(&[json!(7)])]).await.is_err(), "an unreadable row may be it");
    let mut other = instance("active");
    other["id"] = json!("another");
    assert!(look(vec![ok(&other)]).await.is_err());
    assert!(look(vec![error("401 Unauthorized", &json!({"message": "Invalid API key"}))]).await.is_err());
}

#[tokio::test]
async fn an_end_has_an_empty_answer_and_may_be_asked_twice() {
    let end = async |script: Vec<Say>| {
        let at = stage("shadeform", script).await;
        let ended = at.cloud.end(ID).await;
        assert_eq!(at.lines()[0], format!("POST /v1/instances/{ID}/delete"));
        ended
    };
    end(vec![Say::http("200 OK", &[], "")]).await.unwrap();
    end(vec![error("404 Not Found", &json!({"message": "x"}))]).await.unwrap();
    let odd = || error("400 Bad Request", &json!({"message": "instance is being deleted"}));
    end(vec![odd(), ok(&instance("deleting"))]).await.unwrap();
    end(vec![odd(), odd(), list(&[])]).await.unwrap();
    assert_eq!(end(vec![odd(), ok(&instance("active"))]).await.unwrap_err().code, CloudErrorCode::Refused);
    let down = error("500 Internal Server Error", &json!({"message": "boom"}));
    assert_eq!(end(vec![down]).await.unwrap_err().effect, Effect::Unclear);
    let at = stage("shadeform", vec![ok(&json!({}))]).await;
    assert_eq!(at.cloud.end("../sshkeys").await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
    assert_eq!(at.cloud.stop(ID).await.unwrap_err().code, CloudErrorCode::Unsupported);
    assert!(at.lines().is_empty());
}

#[tokio::test]
async fn the_account_is_checked_and_its_leftovers_are_read() {
    let at = stage("shadeform", vec![list(&[])]).await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!((facts.balance, facts.may_write), (None, Some(true)));
    let bad =
        stage("shadeform", vec![error("401 Unauthorized", &json!({"message": "Invalid API key"}))]).await;
    assert_eq!(bad.cloud.check().await.unwrap_err().code, CloudErrorCode::BadKey);
    let volumes = json!({"volumes": [
        {"id": "v1", "cloud": "denvr", "region": "houston-usa-1", "name": "data", "size_in_gb": 100, "mounted_by": ""},
        {"id": "v2", "cloud": "denvr", "region": "houston-usa-1", "name": "used", "size_in_gb": 100, "mounted_by": ID}]});
    let prices = json!({"volume_types": [{"cloud": "denvr", "region": "houston-usa-1", "price_per_gb_per_hour": ".000097"}]});
    let at = stage("shadeform", vec![ok(&volumes), ok(&prices)]).await;
    let left = at.cloud.leftovers().await.unwrap();
    assert_eq!((left.len(), left[0].remote_id.as_str()), (1, "v1"));
    assert_eq!(left[0].per_month, Some(decimal("7.081")), "100 GB x 0.000097 x 730 h");
    let down = error("400 Bad Request", &json!({"message": "no"}));
    let at = stage("shadeform", vec![ok(&volumes), down]).await;
    assert_eq!(at.cloud.leftovers().await.unwrap()[0].per_month, None, "a price not told is none");
}

#[tokio::test]
async fn its_timer_goes_along_with_the_order() {
    let at = stage("shadeform", vec![types(&json!({})), keys(), ok(&json!({ "id": ID }))]).await;
    let order = Launch { end_at: Some("2026-12-01T02:00:00.7Z".parse().unwrap()), ..order() };
    at.cloud.launch(&order).await.unwrap();
    assert_eq!(at.body(2)["auto_delete"], json!({"date_threshold": "2026-12-01T02:00:00Z"}));
}

#[tokio::test]
async fn its_timer_is_moved_taken_away_and_read_back() {
    let told = |timer: &Value| {
        let mut told = instance("active");
        told["auto_delete"] = timer.clone();
        ok(&told)
    };
    let done = || Say::http("200 OK", &[], "");
    let later = Some("2026-12-01T02:00:00Z".parse().unwrap());
    let spend = json!({"date_threshold": "2026-11-30T20:00:00Z", "spend_threshold": "12.50"});
    for (set, to, sent) in [
        (Value::Null, later, json!({"date_threshold": "2026-12-01T02:00:00Z"})),
        (json!({"date_threshold": "2026-11-30T20:00:00Z"}), None, Value::Null),
        (spend.clone(), later, json!({"date_threshold": "2026-12-01T02:00:00Z", "spend_threshold": "12.50"})),
        (spend, None, json!({"date_threshold": null, "spend_threshold": "12.50"})),
    ] {
        let at = stage("shadeform", vec![told(&set), done()]).await;
        at.cloud.set_timer(ID, to).await.unwrap();
        let path = |what: &str| format!("/v1/instances/{ID}/{what}");
        assert_eq!(at.lines(), [format!("GET {}", path("info")), format!("POST {}", path("update"))]);
        assert_eq!(at.body(1), json!({ "auto_delete": sent }), "null is sent, for what is left out is kept");
    }
    let timer = async |say: Say| {
        let Look::There(machine) = stage("shadeform", vec![say]).await.cloud.look(ID).await.unwrap() else {
            panic!("it is there")
        };
        (machine.timer, machine.ends_at)
    };
    let east = json!({"date_threshold": "2026-11-30T21:00:00-05:00"});
    assert_eq!(timer(told(&east)).await, (later, None));
    for none in [Value::Null, json!({}), json!({"spend_threshold": "3"}), json!({"date_threshold": "soon"})] {
        assert_eq!(timer(told(&none)).await, (None, None), "{none}");
    }
    let refused = error("400 Bad Request", &json!({"error": "date_threshold is not valid"}));
    let at = stage("shadeform", vec![told(&Value::Null), refused]).await;
    assert_eq!(at.cloud.set_timer(ID, later).await.unwrap_err().code, CloudErrorCode::Refused);
    let gone = error("404 Not Found", &json!({"message": "x"}));
    let at = stage("shadeform", vec![gone]).await;
    assert_eq!(at.cloud.set_timer(ID, later).await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
    let at = stage("shadeform", vec![told(&Value::Null)]).await;
    assert_eq!(at.cloud.set_timer("../x", later).await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
}
