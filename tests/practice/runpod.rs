//! A pod from the order to the end.

use gpudesk_tests::sim::account::{POOR_KEY, READ_ONLY_KEY};
use serde_json::{Value, json};

use crate::support::{PUBLIC_KEY, ask, ask_as, market, pass};

fn order() -> Value {
    json!({
        "name": "gpudesk-7f3c", "image": "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
        "gpu": { "id": "NVIDIA GeForce RTX 4090", "count": 1 }, "cloud": "SECURE", "dataCenterIds": ["EU-SE-1"],
        "disk": 70, "mounts": { "persistent": { "size": 50, "path": "/data" } }, "ports": ["22/tcp", "8888/http"],
        "env": { "PUBLIC_KEY": PUBLIC_KEY }, "startSsh": true,
    })
}

#[tokio::test]
async fn a_pod_lives_and_is_billed() {
    let sim = market().await;
    let (status, made) = ask(&sim, "POST", "/v2/pods", order()).await;
    assert_eq!((status, &made["status"]), (201, &json!("PROVISIONING")), "{made}");
    let id = made["id"].as_str().unwrap();
    let path = format!("/v2/pods/{id}");
    pass(&sim, 4);
    let (_, pod) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!(
        (&pod["status"], &pod["cost"], &pod["dataCenterId"]),
        (&json!("RUNNING"), &json!(0.69), &json!("EU-SE-1"))
    );
    let port = pod["ssh"]["direct"]["port"].clone();
    pass(&sim, 3_596);
    let act = |action: &'static str| ask(&sim, "POST", "/v2/pods/x/action", json!({ "action": action }));
    assert_eq!(act("stop").await.0, 404);
    let action = format!("{path}/action");
    assert_eq!(ask(&sim, "POST", &action, json!({ "action": "stop" })).await.0, 200);
    assert_eq!(ask(&sim, "POST", &action, json!({ "action": "stop" })).await.0, 409);
    pass(&sim, 1);
    let (_, pod) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!(
        (&pod["status"], &pod["cost"], &pod["actions"]),
        (&json!("EXITED"), &json!(0.0), &json!(["start", "terminate"]))
    );
    // 3,600 s and 0.8 s of stopping: the card from the order on, 120 GB at 0.10; then 50 GB at 0.20.
    let up = |rate: i64, seconds: i64| (rate * seconds + 3_599) / 3_600;
    let disk = (0.10_f64 * 120.0 / 730.0 * 1e9).round() as i64;
    let before = up(690_000_000, 3_601) + up(disk, 3_601);
    let since = |seconds: i64| up((0.20_f64 * 50.0 / 730.0 * 1e9).round() as i64, seconds);
    assert_eq!(sim.bill(id), Some(before + since(1)));
    assert_eq!(ask(&sim, "POST", &action, json!({ "action": "start" })).await.0, 200);
    pass(&sim, 4);
    let (_, pod) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!(pod["status"], "RUNNING");
    assert_ne!(pod["ssh"]["direct"]["port"], port, "a started container has another port");
    assert_eq!(ask(&sim, "DELETE", &path, Value::Null).await.0, 204);
    pass(&sim, 1);
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.0, 404);
}

#[tokio::test]
async fn what_it_does_not_know_is_refused() {
    let sim = market().await;
    let with = |name: &str, value: Value| {
        let mut body = order();
        body[name] = value;
        body
    };
    let status = async |body: Value| ask(&sim, "POST", "/v2/pods", body).await;
    let (code, answer) = status(with("gpuTypeId", json!("x"))).await;
    assert_eq!((code, &answer["errors"][0]), (422, &json!("gpuTypeId: unknown field")));
    let (code, answer) = status(with("gpu", json!({ "id": "NVIDIA GeForce RTX 4090" }))).await;
    assert_eq!(code, 400);
    assert!(answer["detail"].as_str().unwrap().contains("no longer any instances available"));
    assert_eq!(status(with("gpu", json!({ "id": "no such card", "count": 1 }))).await.0, 400);
    assert_eq!(status(with("mounts", json!({ "persistent": { "size": 5, "path": "/x" } }))).await.0, 422);
    let poor = ask_as(&sim, POOR_KEY, "POST", "/v2/pods", order()).await.unwrap();
    assert_eq!(poor.0, 402);
    assert_eq!(ask_as(&sim, READ_ONLY_KEY, "POST", "/v2/pods", order()).await.unwrap().0, 403);
    assert_eq!(ask_as(&sim, "wrong", "GET", "/v2/pods", Value::Null).await.unwrap().0, 401);
    assert_eq!(
        ask(&sim, "GET", "/v2/pods", Value::Null).await.1,
        json!({ "pods": [] }),
        "none of these made one"
    );
}

#[tokio::test]
async fn myself_tells_credit_and_burn() {
    let sim = market().await;
    ask(&sim, "POST", "/v2/pods", order()).await;
    let query = json!({ "query": "query { myself { clientBalance currentSpendPerHr spendLimit } }" });
    let (_, answer) = ask(&sim, "POST", "/graphql", query.clone()).await;
    let me = &answer["data"]["myself"];
    assert_eq!((&me["clientBalance"], &me["spendLimit"]), (&json!(500.0), &json!(80)));
    let burn = me["currentSpendPerHr"].as_f64().unwrap();
    assert!((burn - (0.69 + 12.0 / 730.0)).abs() < 1e-8, "{burn}");
    let (_, answer) = ask_as(&sim, "wrong", "POST", "/graphql", query).await.unwrap();
    assert_eq!(answer["errors"][0]["message"], "Unauthorized");
}

#[tokio::test]
async fn graphql_answers_what_its_own_client_asks_and_refuses_the_rest() {
    let sim = market().await;
    let ask_for = |query: &'static str| ask(&sim, "POST", "/graphql", json!({ "query": query }));
    let (_, one) = ask_for("query { gpuTypes(input: {id: \"NVIDIA H200\"}) { id securePrice } }").await;
    assert_eq!(one["data"]["gpuTypes"], json!([{ "id": "NVIDIA H200", "securePrice": 3.59 }]));
    let (_, refused) = ask_for("mutation { podFindAndDeployOnDemand(input: {name: \"x\"}) { id } }").await;
    assert_eq!(
        refused["errors"][0]["message"],
        "Cannot query field \"podFindAndDeployOnDemand\" on type \"Mutation\"."
    );
}
