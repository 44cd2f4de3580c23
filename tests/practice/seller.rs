//! Asking a seller that has a port of its own.

use axum::body::Body;
use axum::http::Request;
use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::GOOD_KEY;
use gpudesk_tests::sim::machine::Service;
use serde_json::Value;

/// An answer of a seller: its status, and its JSON or null. The key stands both as a bearer token and in the header of
/// those who want it there.
pub async fn ask(sim: &Sim, service: Service, method: &str, path: &str, body: Value) -> (u16, Value) {
    ask_as(sim, service, GOOD_KEY, method, path, body).await
}

/// The same with another key.
pub async fn ask_as(
    sim: &Sim,
    service: Service,
    key: &str,
    method: &str,
    path: &str,
    body: Value,
) -> (u16, Value) {
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {key}"))
        .header("x-api-key", key)
        .header("content-type", "application/json")
        .body(body)
        .unwrap();
    let response = sim.ask_of(service, request).await.expect("no fault is armed");
    let status = response.status().as_u16();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or_default())
}
