//! A Shadeform instance from the order to the end.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::POOR_KEY;
use gpudesk_tests::sim::machine::Service;
use gpudesk_tests::sim::world::Timers;
use serde_json::{Value, json};

use crate::seller::{ask as asked, ask_as};
use crate::support::{PUBLIC_KEY, market, pass};

async fn ask(sim: &Sim, method: &str, path: &str, body: Value) -> (u16, Value) {
    asked(sim, Service::Shadeform, method, path, body).await
}

async fn order(sim: &Sim) -> Value {
    let body = json!({ "name": "anna", "public_key": PUBLIC_KEY });
    let (status, key) = ask(sim, "POST", "/v1/sshkeys/add", body).await;
    assert_eq!(status, 200);
    json!({
        "cloud": "massedcompute", "region": "desmoines-usa-1", "shade_instance_type": "A6000x2", "shade_cloud": true,
        "name": "gpudesk-7f3c", "os": "ubuntu22.04_cuda12.4_shade_os", "ssh_key_id": key["id"], "tags": ["gpudesk-7f3c"],
    })
}

#[tokio::test]
async fn an_instance_lives_and_is_billed_while_it_is_active() {
    let sim = market().await;
    let (status, made) = ask(&sim, "POST", "/v1/instances/create", order(&sim).await).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().unwrap();
    let path = format!("/v1/instances/{id}/info");
    let (_, early) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!(
        (&early["status"], &early["ip"], &early["ssh_port"]),
        (&json!("creating"), &json!(""), &json!(null))
    );
    pass(&sim, 1);
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.1["status"], "pending");
    pass(&sim, 2);
    let (_, active) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!((&active["status"], &active["ssh_user"]), (&json!("active"), &json!("shadeform")));
    assert_eq!((&active["hourly_price"], &active["tags"]), (&json!(114), &json!(["gpudesk-7f3c"])));
    pass(&sim, 3600);
    let (status, nothing) = ask(&sim, "POST", &format!("/v1/instances/{id}/delete"), Value::Null).await;
    assert_eq!((status, nothing), (200, Value::Null), "an empty answer");
    assert_eq!(ask(&sim, "GET", "/v1/instances", Value::Null).await.1["instances"][0]["status"], "deleting");
    pass(&sim, 1);
    assert_eq!(ask(&sim, "GET", "/v1/instances", Value::Null).await.1, json!({ "instances": [] }));
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.0, 404);
    // 3,600 s at 1.14 an hour; nothing before it was active, nothing after it was being deleted.
    let bill = sim.bill(id).unwrap();
    assert!((1_140_000_000..1_141_000_000).contains(&bill), "{bill}");
}

#[tokio::test]
async fn its_own_timer_reads_back_and_ends_it() {
    let sim = market().await;
    let mut body = order(&sim).await;
    body["auto_delete"] =
        json!({ "date_threshold": "2026-11-30T11:00:00+01:00", "spend_threshold": "12.50" });
    let (_, made) = ask(&sim, "POST", "/v1/instances/create", body.clone()).await;
    let path = format!("/v1/instances/{}/info", made["id"].as_str().unwrap());
    pass(&sim, 10);
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.1["auto_delete"], body["auto_delete"]);
    pass(&sim, 3_600);
    ask(&sim, "GET", "/v1/instances", Value::Null).await;
    pass(&sim, 1);
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.0, 404, "10:00 UTC has come");
    body["auto_delete"] = json!({ "delete_at": "2026-11-30T11:00:00Z" });
    assert_eq!(ask(&sim, "POST", "/v1/instances/create", body).await.0, 400, "no such threshold");
}

#[tokio::test]
async fn its_own_timer_may_be_lost_or_idle_where_the_market_is_told_so() {
    for (timers, reads_back) in [(Timers::Lost, false), (Timers::Idle, true)] {
        let sim = market().await;
        sim.market.world().timers = timers;
        let mut body = order(&sim).await;
        body["auto_delete"] = json!({ "date_threshold": "2026-11-30T10:00:00Z" });
        let (status, made) = ask(&sim, "POST", "/v1/instances/create", body.clone()).await;
        assert_eq!(status, 200, "accepted in each case");
        let path = format!("/v1/instances/{}/info", made["id"].as_str().unwrap());
        pass(&sim, 10);
        let told = ask(&sim, "GET", &path, Value::Null).await.1;
        assert_eq!(told["auto_delete"] == body["auto_delete"], reads_back);
        pass(&sim, 2 * 3_600);
        assert_eq!(ask(&sim, "GET", &path, Value::Null).await.1["status"], "active", "it ends nothing");
    }
}

#[tokio::test]
async fn a_threshold_that_is_null_is_removed_and_one_that_is_left_out_stays() {
    let sim = market().await;
    let mut body = order(&sim).await;
    body["auto_delete"] = json!({ "date_threshold": "2026-11-30T10:00:00Z", "spend_threshold": "12.50" });
    let (_, made) = ask(&sim, "POST", "/v1/instances/create", body.clone()).await;
    let path = |what: &str| format!("/v1/instances/{}/{what}", made["id"].as_str().unwrap());
    let after = async |change: Value| {
        assert_eq!(ask(&sim, "POST", &path("update"), change).await.0, 200);
        ask(&sim, "GET", &path("info"), Value::Null).await.1["auto_delete"].clone()
    };
    assert_eq!(after(json!({ "name": "other" })).await, body["auto_delete"]);
    let without = json!({ "auto_delete": { "date_threshold": null, "spend_threshold": "12.50" } });
    assert_eq!(after(without).await, json!({ "spend_threshold": "12.50" }));
    assert_eq!(after(json!({ "auto_delete": null })).await, Value::Null);
    pass(&sim, 2 * 3_600);
    assert_eq!(ask(&sim, "GET", &path("info"), Value::Null).await.1["status"], "active");
}

#[tokio::test]
async fn what_is_not_there_is_refused() {
    let sim = market().await;
    let good = order(&sim).await;
    for (name, value, status) in [
        ("quantity", json!(2), 400),
        ("os", json!("windows"), 400),
        ("cloud", json!("nowhere"), 404),
        ("region", json!("paris-france-1"), 404),
        ("ssh_key_id", json!("nobody's"), 400),
        ("tags", json!({ "key": "value" }), 400),
        ("name", json!(""), 400),
        ("region", json!("wilmington-usa-1"), 409),
    ] {
        let mut body = good.clone();
        body[name] = value;
        assert_eq!(ask(&sim, "POST", "/v1/instances/create", body).await.0, status, "{name}");
    }
    let twice = json!({ "name": "anna", "public_key": PUBLIC_KEY });
    let (status, said) = ask(&sim, "POST", "/v1/sshkeys/add", twice).await;
    assert_eq!((status, &said["error"]), (400, &json!("ssh key name must be unique")));
    for _ in 0..2 {
        assert_eq!(ask(&sim, "POST", "/v1/instances/create", good.clone()).await.0, 200);
    }
    let (status, full) = ask(&sim, "POST", "/v1/instances/create", good).await;
    assert_eq!((status, &full["error_code"]), (409, &json!("OUT_OF_STOCK")));
    let (status, _) = ask_as(&sim, Service::Shadeform, "wrong", "GET", "/v1/instances", Value::Null).await;
    assert_eq!(status, 401);
    let (status, _) = ask_as(&sim, Service::Shadeform, POOR_KEY, "GET", "/v1/instances", Value::Null).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn filters_leave_what_was_asked_for() {
    let sim = market().await;
    let list = async |query: &str| {
        let path = format!("/v1/instances/types{query}");
        ask(&sim, "GET", &path, Value::Null).await.1["instance_types"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(list("?shade_instance_type=H100_sxm5").await, 2, "one name at two clouds");
    assert_eq!(list("?cloud=verda").await, 1);
    assert_eq!(list("?num_gpus=8&available=true").await, 2);
    let (_, all) = ask(&sim, "GET", "/v1/instances/types?sort=price", Value::Null).await;
    let prices: Vec<i64> = all["instance_types"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["hourly_price"].as_i64().unwrap())
        .collect();
    assert!(prices.is_sorted() && prices.len() > 8);
    assert_eq!(ask(&sim, "GET", "/v1/instances/types?zone=x", Value::Null).await.0, 400);
}
