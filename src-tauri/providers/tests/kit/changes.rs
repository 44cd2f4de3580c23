//! Calls that change something: never sent again once they may have arrived, and honest about it.

use std::time::Duration;

use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::Effect;
use gpudesk_providers::http::{Call, Change, Failure, Limits, Pace, Secret};
use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use url::Url;

use crate::support::{RawServer, Say, kit};

/// Sends one change to a server with this script; what came of it and how many requests arrived.
async fn sent(script: Vec<Say>) -> (Result<Vec<u8>, Failure>, usize) {
    let server = RawServer::start(script).await;
    let (http, _) = kit();
    let limits = Limits { idle: Duration::from_millis(300), ..Limits::default() };
    let change =
        Change::new("launch", Method::POST, server.at("/pods")).json(&json!({"a": 1})).limits(limits);
    let result = http.change(&change).await.map(|answer| answer.body);
    (result, server.requests().len())
}

#[tokio::test]
async fn what_may_have_arrived_is_not_sent_again() {
    let cut = Say::Bytes(b"HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{".to_vec());
    for (what, script) in [
        ("trouble of the provider's", Say::http("500 Internal Server Error", &[], "oops")),
        ("a gateway", Say::http("502 Bad Gateway", &[], "")),
        ("unavailable", Say::http("503 Service Unavailable", &["retry-after: 1"], "")),
        ("a request that came late", Say::http("408 Request Timeout", &[], "")),
        ("a line cut before the answer", Say::Bytes(Vec::new())),
        ("a line cut within the answer", cut),
        ("silence", Say::Hang(Vec::new())),
        ("a page instead of JSON", Say::http("200 OK", &[], "<!doctype html><title>Sign in</title>")),
        ("look elsewhere for what came of it", Say::http("303 See Other", &["location: /x"], "")),
        ("moved for good", Say::http("301 Moved", &["location: /x"], "")),
        ("found elsewhere, as after a form", Say::http("302 Found", &["location: /x"], "")),
        ("moved for now", Say::http("307 Temporary Redirect", &["location: /x"], "")),
        ("moved for good, the same call", Say::http("308 Permanent Redirect", &["location: /x"], "")),
    ] {
        let (result, requests) = sent(vec![script]).await;
        assert_eq!((result.unwrap_err().effect, requests), (Effect::Unclear, 1), "{what}");
    }
}

#[tokio::test]
async fn a_refusal_did_nothing_and_is_not_repeated_either() {
    for status in [
        "400 Bad Request",
        "401 Unauthorized",
        "402 Payment Required",
        "404 Not Found",
        "409 Conflict",
        "410 Gone",
        "422 Unprocessable",
    ] {
        let (result, requests) = sent(vec![Say::http(status, &[], "{\"error\": \"no\"}")]).await;
        let failure = result.unwrap_err();
        assert_eq!((failure.effect, requests), (Effect::Nothing, 1), "{status}");
        assert_eq!(failure.body, b"{\"error\": \"no\"}", "the body is there to be read");
    }
}

#[tokio::test]
async fn too_early_is_asked_again() {
    let busy = Say::http("429 Too Many Requests", &[], "API requests too frequent");
    let (result, requests) = sent(vec![busy.clone(), Say::http("200 OK", &[], "{}")]).await;
    assert_eq!((result.unwrap(), requests), (b"{}".to_vec(), 2));
    let (result, requests) = sent(vec![busy]).await;
    let failure = result.unwrap_err();
    assert_eq!((failure.effect, failure.status, requests), (Effect::Nothing, Some(429), 4));
}

#[tokio::test]
async fn an_order_is_sent_once_however_early_it_comes() {
    let busy = Say::http("429 Too Many Requests", &["retry-after: 1"], "API requests too frequent");
    let server = RawServer::start(vec![busy, Say::http("200 OK", &[], "{}")]).await;
    let (http, _) = kit();
    let order = Change::new("launch", Method::POST, server.at("/pods")).json(&json!({"a": 1})).order();
    let failure = http.change(&order).await.unwrap_err();
    assert_eq!((failure.effect, failure.status, server.requests().len()), (Effect::Nothing, Some(429), 1));
}

#[tokio::test]
async fn without_a_connection_nothing_was_done_and_it_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let (http, time) = kit();
    let failure = http.change(&Change::new("launch", Method::PUT, url)).await.unwrap_err();
    assert_eq!((failure.effect, failure.error.code), (Effect::Nothing, SourceErrorCode::Network));
    assert_eq!(time.waits().len(), 3);
}

#[tokio::test]
async fn each_account_has_its_own_pace() {
    let server = RawServer::start(vec![Say::http("200 OK", &[], "{}")]).await;
    let (http, time) = kit();
    let pace = Pace::one_each("launches", Duration::from_secs(12));
    let call = |key: &str| Call::get("x", server.at("/")).pace(pace).bearer(&Secret::new(key)).unwrap();
    http.read(&call("one")).await.unwrap();
    http.read(&call("two")).await.unwrap();
    assert!(time.waits().is_empty(), "two accounts do not wait for each other");
    http.read(&call("one")).await.unwrap();
    assert_eq!(time.waits(), [12_000]);
}

#[test]
fn a_key_that_is_none_is_not_sent_and_not_repeated() {
    let url = Url::parse("https://a.example").unwrap();
    for key in ["", "  ", "two\nlines"] {
        let error = Call::get("x", url.clone()).bearer(&Secret::new(key)).unwrap_err();
        assert_eq!(error.code, SourceErrorCode::Config);
        assert!(!error.to_string().contains("two"), "{error}");
    }
    let call = Call::get("x", url).bearer(&Secret::new(" good-key-123 \n")).unwrap();
    assert!(!format!("{call:?}").contains("good-key"), "the header is marked as secret");
}
