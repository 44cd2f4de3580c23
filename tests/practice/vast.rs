//! A Vast instance from the offer to the end.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::{POOR_KEY, READ_ONLY_KEY};
use serde_json::{Value, json};

use crate::support::{PUBLIC_KEY, ask, ask_as, market, pass};

/// The cheapest offer of a card, at a bid or not.
pub async fn offer(sim: &Sim, kind: &str) -> Value {
    let body = json!({ "gpu_name": { "eq": "RTX 4090" }, "num_gpus": { "eq": 1 }, "type": kind });
    let (status, answer) = ask(sim, "POST", "/api/v0/bundles/", body).await;
    assert_eq!(status, 200);
    answer["offers"][0].clone()
}

/// Rents an offer under a label.
pub async fn rent(sim: &Sim, offer: &Value, more: Value) -> (u16, Value) {
    let mut body =
        json!({ "client_id": "me", "image": "vastai/base-image", "disk": 50, "runtype": "ssh_direct" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ask(sim, "PUT", &format!("/api/v0/asks/{}/", offer["id"]), body).await
}

async fn show(sim: &Sim, id: &Value) -> Value {
    ask(sim, "GET", &format!("/api/v0/instances/{id}/"), Value::Null).await.1["instances"].clone()
}

#[tokio::test]
async fn an_instance_lives_and_is_billed() {
    let sim = market().await;
    let offer = offer(&sim, "on-demand").await;
    let (status, made) = rent(&sim, &offer, json!({ "label": "gpudesk-7f3c" })).await;
    assert_eq!(status, 200, "{made}");
    let id = &made["new_contract"];
    let path = format!("/api/v0/instances/{id}/");
    assert_eq!(show(&sim, id).await["actual_status"], Value::Null);
    let (status, answer) = ask(&sim, "POST", &format!("{path}ssh/"), json!({ "ssh_key": PUBLIC_KEY })).await;
    assert_eq!((status, &answer["success"]), (200, &json!(true)));
    pass(&sim, 2);
    let loading = show(&sim, id).await;
    assert_eq!((&loading["actual_status"], &loading["ports"]), (&json!("loading"), &Value::Null));
    // 0.5 s until the first sign, 2.5 s of loading: running since the third second.
    pass(&sim, 1);
    let running = show(&sim, id).await;
    assert_eq!(running["actual_status"], "running");
    assert!(running["ports"]["22/tcp"][0]["HostPort"].is_string());
    assert_eq!(running["gpu_totalram"], 24_564);
    pass(&sim, 3_600);
    assert_eq!(ask(&sim, "PUT", &path, json!({ "state": "stopped" })).await.0, 200);
    let stopping = show(&sim, id).await;
    assert_eq!(
        (&stopping["actual_status"], &stopping["intended_status"]),
        (&json!("running"), &json!("stopped"))
    );
    pass(&sim, 1);
    assert_eq!(show(&sim, id).await["actual_status"], "stopped");
    pass(&sim, 3_600);
    assert_eq!(ask(&sim, "DELETE", &path, Value::Null).await.0, 200);
    pass(&sim, 1);
    assert_eq!(show(&sim, id).await, Value::Null);
    assert_eq!(ask(&sim, "DELETE", &path, Value::Null).await.0, 404);
    // The cards for an hour and 0.8 s, begun seconds whole; the disk for two hours and four seconds.
    let nano = |dollars: f64| (dollars * 1e9).round() as i64;
    let card = nano(offer["dph_base"].as_f64().unwrap());
    let disk = nano(offer["storage_cost"].as_f64().unwrap() * 50.0 / 720.0);
    let up = |rate: i64, seconds: i64| (rate * seconds + 3_599) / 3_600;
    assert_eq!(sim.bill(&id.to_string()), Some(up(card, 3_601) + up(disk, 7_204)));
}

#[tokio::test]
async fn an_offer_can_be_taken_once() {
    let sim = market().await;
    let offer = offer(&sim, "on-demand").await;
    assert_eq!(rent(&sim, &offer, json!({})).await.0, 200);
    let (status, answer) = rent(&sim, &offer, json!({})).await;
    assert_eq!((status, &answer["error"]), (410, &json!("no_such_ask")));
    let (status, answer) = ask(&sim, "PUT", "/api/v0/asks/1/", json!({ "image": "x" })).await;
    assert_eq!((status, &answer["error"]), (404, &json!("no_such_ask")));
}

#[tokio::test]
async fn a_bid_too_low_is_an_error_that_bills() {
    let sim = market().await;
    let offer = offer(&sim, "bid").await;
    let (status, answer) = rent(&sim, &offer, json!({ "price": 0.001 })).await;
    assert_eq!((status, &answer["success"]), (400, &json!(false)));
    let id = &answer["new_contract"];
    assert_eq!(show(&sim, id).await["actual_status"], "stopped");
    pass(&sim, 3_600);
    assert!(sim.bill(&id.to_string()) > Some(0));
}

#[tokio::test]
async fn instances_come_in_pages_of_25() {
    let sim = market().await;
    let (_, answer) =
        ask(&sim, "POST", "/api/v0/bundles/", json!({ "num_gpus": { "eq": 1 }, "limit": 27 })).await;
    for (n, offer) in answer["offers"].as_array().unwrap().iter().enumerate() {
        assert_eq!(rent(&sim, offer, json!({ "label": format!("box {n}"), "disk": 8 })).await.0, 200);
    }
    let (_, page) = ask(&sim, "GET", "/api/v1/instances/", Value::Null).await;
    assert_eq!((page["instances"].as_array().unwrap().len(), &page["total_instances"]), (25, &json!(27)));
    let rest = format!("/api/v1/instances/?after_token={}", page["next_token"].as_str().unwrap());
    let (_, page) = ask(&sim, "GET", &rest, Value::Null).await;
    assert_eq!((page["instances"].as_array().unwrap().len(), &page["next_token"]), (2, &Value::Null));
    let one = "/api/v1/instances/?select_filters=%7B%22label%22%3A%7B%22eq%22%3A%22box%203%22%7D%7D";
    let (_, page) = ask(&sim, "GET", one, Value::Null).await;
    assert_eq!(page["instances"][0]["label"], "box 3");
    assert_eq!(page["instances_found"], 1);
}

#[tokio::test]
async fn keys_may_do_what_they_may() {
    let sim = market().await;
    let path = format!("/api/v0/asks/{}/", offer(&sim, "on-demand").await["id"]);
    let body = json!({ "image": "x" });
    assert_eq!(ask_as(&sim, "wrong", "PUT", &path, body.clone()).await.unwrap().0, 404);
    assert_eq!(ask_as(&sim, READ_ONLY_KEY, "PUT", &path, body.clone()).await.unwrap().0, 403);
    assert_eq!(ask_as(&sim, POOR_KEY, "PUT", &path, body.clone()).await.unwrap().0, 400);
    let (_, user) = ask_as(&sim, POOR_KEY, "GET", "/api/v0/users/current/", Value::Null).await.unwrap();
    assert_eq!(user["credit"], 0.02);
    let (status, answer) =
        ask(&sim, "POST", "/api/v0/ssh/", json!({ "ssh_key": format!("{PUBLIC_KEY}\n") })).await;
    assert_eq!((status, &answer["msg"]), (400, &json!("Invalid SSH key format")));
}
