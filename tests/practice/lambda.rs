//! A Lambda instance from the launch to the end.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::{POOR_KEY, READ_ONLY_KEY};
use serde_json::{Value, json};

use crate::support::{PUBLIC_KEY, ask, ask_as, market, pass};

const LAUNCH: &str = "/api/v1/instance-operations/launch";

fn order() -> Value {
    json!({
        "region_name": "us-east-1", "instance_type_name": "gpu_8x_h100_sxm5", "ssh_key_names": ["anna"],
        "name": "gpudesk-7f3c", "tags": [{ "key": "gpudesk", "value": "7f3c" }],
    })
}

async fn with_key(sim: &Sim) {
    let body = json!({ "name": "anna", "public_key": PUBLIC_KEY });
    assert_eq!(ask(sim, "POST", "/api/v1/ssh-keys", body).await.0, 200);
}

#[tokio::test]
async fn an_instance_lives_and_is_billed_by_the_minute() {
    let sim = market().await;
    with_key(&sim).await;
    let (status, made) = ask(&sim, "POST", LAUNCH, order()).await;
    assert_eq!(status, 200, "{made}");
    let id = made["data"]["instance_ids"][0].as_str().unwrap();
    let list = || ask(&sim, "GET", "/api/v1/instances", Value::Null);
    assert_eq!(list().await.1, json!({ "data": [] }), "not in the list yet");
    pass(&sim, 1);
    let (_, answer) = list().await;
    let booting = &answer["data"][0];
    assert_eq!((&booting["status"], booting.get("ip")), (&json!("booting"), None));
    pass(&sim, 2);
    let (_, answer) = list().await;
    assert_eq!(
        (&answer["data"][0]["status"], &answer["data"][0]["ip"]),
        (&json!("active"), &json!("203.0.113.7"))
    );
    pass(&sim, 61);
    let end = json!({ "instance_ids": [id] });
    let terminate = "/api/v1/instance-operations/terminate";
    let (status, answer) = ask(&sim, "POST", terminate, end.clone()).await;
    assert_eq!((status, &answer["data"]["terminated_instances"][0]["status"]), (200, &json!("terminating")));
    let (status, answer) = ask(&sim, "POST", terminate, end).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("global/unknown")));
    pass(&sim, 1);
    let (status, answer) = ask(&sim, "GET", &format!("/api/v1/instances/{id}"), Value::Null).await;
    assert_eq!((status, &answer["error"]["code"]), (404, &json!("global/object-does-not-exist")));
    // 61 s at 31.92 an hour are two minutes.
    assert_eq!(sim.bill(id), Some(31_920_000_000 / 30));
    let (_, log) = ask(&sim, "GET", "/api/v1/audit-events", Value::Null).await;
    let actions: Vec<_> =
        log["data"].as_array().unwrap().iter().map(|event| event["action"].clone()).collect();
    assert_eq!(actions, ["terminated", "launched"]);
}

#[tokio::test]
async fn what_is_not_there_is_refused() {
    let sim = market().await;
    let code = async |body: Value| ask(&sim, "POST", LAUNCH, body).await.1["error"]["code"].clone();
    assert_eq!(code(order()).await, "global/object-does-not-exist", "the key is not stored");
    with_key(&sim).await;
    let again =
        ask(&sim, "POST", "/api/v1/ssh-keys", json!({ "name": "anna", "public_key": PUBLIC_KEY })).await;
    assert_eq!(again.1["error"]["code"], "global/duplicate");
    let mut two = order();
    two["ssh_key_names"] = json!(["anna", "boris"]);
    assert_eq!(code(two).await, "global/invalid-parameters");
    let mut many = order();
    many["quantity"] = json!(2);
    assert_eq!(code(many).await, "global/invalid-parameters");
    assert_eq!(ask(&sim, "POST", LAUNCH, order()).await.0, 200);
    let full = "instance-operations/launch/insufficient-capacity";
    assert_eq!(code(order()).await, full, "there is one of it in this region");
    let (_, types) = ask(&sim, "GET", "/api/v1/instance-types", Value::Null).await;
    let regions = &types["data"]["gpu_8x_h100_sxm5"]["regions_with_capacity_available"];
    assert_eq!(*regions, json!([{ "name": "europe-central-1", "description": "Germany" }]));
    assert_eq!(types["data"]["gpu_8x_b200_sxm6"]["regions_with_capacity_available"], json!([]));
    assert_eq!(ask_as(&sim, "wrong", "GET", "/api/v1/instances", Value::Null).await.unwrap().0, 401);
    assert_eq!(ask_as(&sim, READ_ONLY_KEY, "POST", LAUNCH, order()).await.unwrap().0, 403);
    assert_eq!(ask_as(&sim, POOR_KEY, "GET", "/api/v1/instances", Value::Null).await.unwrap().0, 200);
}
