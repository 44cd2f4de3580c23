//! A market at a fixed time, asked without a connection.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::GOOD_KEY;
use serde_json::Value;

/// A key as anybody has it.
pub const PUBLIC_KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T somebody";

/// A market whose clock stands at a fixed time.
pub async fn market() -> Sim {
    let sim = Sim::start().await.unwrap();
    sim.market.clock.set("2026-11-30T09:00:00Z".parse().unwrap());
    sim
}

/// Lets so many seconds pass.
pub fn pass(sim: &Sim, seconds: u64) {
    sim.market.clock.advance(Duration::from_secs(seconds));
}

/// An answer: its status, and its JSON or null.
pub async fn ask_as(sim: &Sim, key: &str, method: &str, path: &str, body: Value) -> Option<(u16, Value)> {
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json")
        .body(body)
        .unwrap();
    let response = sim.ask(request).await?;
    let status = response.status().as_u16();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    Some((status, serde_json::from_slice(&bytes).unwrap_or_default()))
}

/// The same with the key that may do everything, of a request that is not lost.
pub async fn ask(sim: &Sim, method: &str, path: &str, body: Value) -> (u16, Value) {
    ask_as(sim, GOOD_KEY, method, path, body).await.expect("no fault is armed")
}
