//! What goes wrong on the way, and what it leaves.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::GOOD_KEY;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::refusal::Refusal;
use gpudesk_tests::sim::twist::Twist;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{ask, ask_as, market, pass};
use crate::vast::{offer, rent};

async fn instances(sim: &Sim) -> Value {
    ask(sim, "GET", "/api/v1/instances/", Value::Null).await.1["instances"].clone()
}

/// Sends an order while a fault is armed: the status of the answer if there was one, and how many machines there are.
async fn order_under(kind: Kind) -> (Option<u16>, usize) {
    let sim = market().await;
    let path = format!("/api/v0/asks/{}/", offer(&sim, "on-demand").await["id"]);
    sim.arm(Fault::new("/api/v0/asks/", kind).method("PUT").times(1));
    let answer = ask_as(&sim, GOOD_KEY, "PUT", &path, json!({ "image": "x" })).await;
    (answer.map(|(status, _)| status), instances(&sim).await.as_array().unwrap().len())
}

#[tokio::test]
async fn a_lost_order_was_carried_out_or_not() {
    assert_eq!(order_under(Kind::LostBefore).await, (None, 0));
    assert_eq!(order_under(Kind::LostAfter).await, (None, 1));
    assert_eq!(order_under(Kind::DoneButFailed).await, (Some(500), 1));
    assert_eq!(order_under(Kind::Refuse { why: Refusal::TooMany }).await, (Some(429), 0));
}

#[tokio::test]
async fn a_lost_answer_breaks_the_connection() {
    let sim = market().await;
    sim.arm(Fault::new("/api/v0/bundles/", Kind::LostAfter).times(1));
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut line = TcpStream::connect(sim.address).await.unwrap();
        let request =
            "POST /api/v0/bundles/ HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
        line.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        line.read_to_end(&mut answer).await.ok();
        answers.push(String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 200"));
    }
    assert_eq!(answers, [false, true], "nothing at all, and the next one is answered");
}

#[tokio::test]
async fn answers_come_in_odd_shapes() {
    let sim = market().await;
    for _ in 0..2 {
        let offer = offer(&sim, "on-demand").await;
        rent(&sim, &offer, json!({})).await;
    }
    pass(&sim, 5);
    let twisted = async |twist: Twist| {
        sim.disarm();
        sim.arm(Fault::new("/api/v1/instances/", Kind::Twist { twist, word: None }));
        instances(&sim).await
    };
    assert_eq!(twisted(Twist::Duplicate).await.as_array().unwrap().len(), 4);
    assert_eq!(twisted(Twist::Partial).await.as_array().unwrap().len(), 1);
    assert_eq!(twisted(Twist::EmptyList).await, json!([]));
    assert_eq!(twisted(Twist::NullList).await, Value::Null);
    assert_eq!(twisted(Twist::NullStatus).await[0]["actual_status"], Value::Null);
    assert_eq!(twisted(Twist::UnknownStatus).await[0]["actual_status"], "hibernating");
    assert_eq!(twisted(Twist::NoPorts).await[0].get("ports"), None);
    assert_eq!(twisted(Twist::NewlineIp).await[0]["public_ipaddr"], "203.0.113.7\n");
}

#[tokio::test]
async fn things_befall_machines() {
    let sim = market().await;
    let (_, made) = rent(&sim, &offer(&sim, "bid").await, json!({ "price": 1.0 })).await;
    let id = made["new_contract"].to_string();
    pass(&sim, 5);
    let befall = async |what: Value| ask(&sim, "POST", &format!("/_sim/machines/{id}"), what).await.0;
    let status = async || instances(&sim).await[0]["actual_status"].clone();
    assert_eq!(befall(json!({ "do": "outbid" })).await, 200);
    assert_eq!(status().await, "stopped");
    assert_eq!(befall(json!({ "do": "outbid_over" })).await, 200);
    assert_eq!(status().await, "running");
    assert_eq!(befall(json!({ "do": "offline" })).await, 200);
    assert_eq!(status().await, "offline");
    assert_eq!(befall(json!({ "do": "rise", "per_hour": 2.5 })).await, 200);
    let (_, rises) = ask(&sim, "GET", "/api/v0/instances/pending-price-increases/", Value::Null).await;
    assert_eq!(rises["pending_price_increases"][0]["new_dph_base"], 2.5);
    assert_eq!(befall(json!({ "do": "dance" })).await, 400);
}
