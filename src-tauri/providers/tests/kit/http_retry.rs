//! What is tried again, when, and how often.

use std::time::Duration;

use chrono::TimeDelta;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::http::{Call, Limits, Pace};
use serde_json::json;

use crate::support::{RawServer, Say, kit, now};

fn ok() -> Say {
    Say::http("200 OK", &[], "fine")
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_with_growing_waits() {
    let busy = || Say::http("429 Too Many Requests", &[], "API requests too frequent");
    let server =
        RawServer::start(vec![busy(), busy(), Say::http("503 Service Unavailable", &[], ""), ok()]).await;
    let (http, time) = kit();
    let answer = http.read(&Call::get("prices", server.at("/"))).await.unwrap();
    assert_eq!(answer.body, b"fine");
    assert_eq!(time.waits(), [500, 1000, 2000]);
}

#[tokio::test]
async fn after_four_tries_the_last_words_are_told() {
    let server = RawServer::start(vec![Say::http("502 Bad Gateway", &[], "upstream sleeps")]).await;
    let (http, time) = kit();
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::ProviderDown);
    assert_eq!(error.detail, "HTTP 502: upstream sleeps");
    assert_eq!(server.requests().len(), 4);
    assert_eq!(time.waits().len(), 3);
    let server = RawServer::start(vec![Say::http("429 Too Many Requests", &[], "")]).await;
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!((error.code, error.retry_at), (SourceErrorCode::RateLimited, None), "no wait was named");
}

#[tokio::test]
async fn a_named_wait_is_obeyed_in_seconds_and_as_a_date() {
    for header in ["retry-after: 7", "retry-after: Mon, 30 Nov 2026 09:00:07 GMT"] {
        let server = RawServer::start(vec![Say::http("429 Too Many Requests", &[header], ""), ok()]).await;
        let (http, time) = kit();
        http.read(&Call::get("prices", server.at("/"))).await.unwrap();
        assert_eq!(time.waits(), [7000], "{header}");
    }
}

#[tokio::test]
async fn a_wait_that_the_body_names_is_obeyed_too() {
    let busy = |delay: &str| {
        let body = json!({"code": 8, "message": "slow down", "details": [{"retryDelay": delay}]}).to_string();
        Say::http("429 Too Many Requests", &[], body)
    };
    let server = RawServer::start(vec![busy("7s"), busy("3600s")]).await;
    let (http, time) = kit();
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!(time.waits(), [7000]);
    assert_eq!(
        (error.detail.as_str(), error.retry_at),
        ("HTTP 429: slow down", Some(now() + TimeDelta::hours(1)))
    );
}

#[tokio::test]
async fn a_wait_beyond_the_limit_is_told_instead_of_kept() {
    let server = RawServer::start(vec![Say::http("429 Too Many Requests", &["retry-after: 3600"], "")]).await;
    let (http, time) = kit();
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::RateLimited);
    assert_eq!(error.retry_at, Some(now() + TimeDelta::hours(1)));
    assert_eq!((server.requests().len(), time.waits().len()), (1, 0));
    // Beyond every calendar.
    let ever = format!("retry-after: {}", u64::MAX);
    let busy = |wait: &str| Say::http("503 Service Unavailable", &[wait], "");
    let server = RawServer::start(vec![busy("retry-after: 1"), busy(&ever)]).await;
    for http in [http.clone(), http.for_one_reading()] {
        let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
        assert_eq!((error.code, error.retry_at), (SourceErrorCode::ProviderDown, None));
    }
}

#[tokio::test]
async fn waits_count_against_the_limit_of_the_call() {
    let server = RawServer::start(vec![Say::http("503 Service Unavailable", &["retry-after: 25"], "")]).await;
    let (http, time) = kit();
    let limits = Limits { total: Duration::from_secs(60), ..http.limits() };
    let error = http.read(&Call::get("prices", server.at("/")).limits(limits)).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::ProviderDown);
    assert_eq!(time.waits(), [25_000, 25_000], "a third wait would end after the limit");
}

#[tokio::test]
async fn a_cut_line_is_tried_again() {
    let cut = || Say::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this".to_vec());
    let server = RawServer::start(vec![cut(), Say::Bytes(Vec::new()), ok()]).await;
    let (http, time) = kit();
    assert_eq!(http.read(&Call::get("prices", server.at("/"))).await.unwrap().body, b"fine");
    assert_eq!(time.waits().len(), 2);
    let server = RawServer::start(vec![cut()]).await;
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
    assert!(error.detail.contains("breaks off after 9 bytes"), "{}", error.detail);
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn silence_ends_after_the_idle_limit() {
    for (say, words) in [
        (Say::Hang(Vec::new()), "no answer within 0.25 s"),
        (
            Say::Hang(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfour".to_vec()),
            "silence for 0.25 s after 4 bytes",
        ),
    ] {
        let server = RawServer::start(vec![say]).await;
        let (http, _) = kit();
        let limits = Limits { idle: Duration::from_millis(250), ..http.limits() };
        let error = http.read(&Call::get("prices", server.at("/")).limits(limits)).await.unwrap_err();
        assert_eq!((error.code, error.detail.as_str()), (SourceErrorCode::Timeout, words));
        assert_eq!(server.requests().len(), 2, "silence is tried once more");
    }
}

#[tokio::test]
async fn an_answer_that_never_ends_is_given_up_after_the_limit_of_the_call() {
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let server = RawServer::start(vec![Say::Endless(head, b" ".to_vec())]).await;
    let (http, _) = kit();
    let limits = Limits { total: Duration::from_millis(100), max_bytes: u64::MAX, ..http.limits() };
    let error = http.read(&Call::get("prices", server.at("/")).limits(limits)).await.unwrap_err();
    assert_eq!((error.code, error.detail.as_str()), (SourceErrorCode::Timeout, "not done within 0.1 s"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_provider_is_not_asked_faster_than_its_pace() {
    let server = RawServer::start(vec![ok()]).await;
    let (http, time) = kit();
    let call = |provider| Call::get("prices", server.at("/")).pace(Pace::per_minute(provider, 2));
    for _ in 0..2 {
        http.read(&call("slow")).await.unwrap();
    }
    assert!(time.waits().is_empty(), "two a minute may come at once");
    http.read(&call("other")).await.unwrap();
    assert!(time.waits().is_empty(), "each provider has its own allowance");
    http.clone().read(&call("slow")).await.unwrap();
    assert_eq!(time.waits(), [30_000]);
}

#[tokio::test]
async fn one_reading_of_many_calls_loses_a_minute_to_failing_tries_at_most() {
    let busy = || Say::http("429 Too Many Requests", &["retry-after: 20"], "slow down");
    let server = RawServer::start(vec![busy(), ok(), busy(), ok(), busy(), ok(), busy(), ok()]).await;
    let (http, time) = kit();
    let reading = http.for_one_reading();
    let call = |name: &str| Call::get(name, server.at("/"));
    for place in ["one", "two", "three"] {
        reading.read(&call(place)).await.unwrap();
    }
    let over = reading.read(&call("four")).await.unwrap_err();
    assert_eq!((over.code, over.what.as_str()), (SourceErrorCode::RateLimited, "four"));
    assert_eq!(over.retry_at, Some(now() + TimeDelta::seconds(20)), "when to come back is told");
    assert_eq!(time.waits(), [20_000, 20_000, 20_000]);
    assert_eq!(reading.clone().read(&call("five")).await.unwrap_err(), over, "nothing more is asked");
    assert_eq!(server.requests().len(), 7);
    // A wait that is too long to be kept ends it at once.
    let long = Say::http("429 Too Many Requests", &["retry-after: 3600"], "");
    let server = RawServer::start(vec![long, ok()]).await;
    let reading = http.for_one_reading();
    let call = |name: &str| Call::get(name, server.at("/"));
    let over = reading.read(&call("one")).await.unwrap_err();
    assert_eq!(reading.read(&call("two")).await.unwrap_err(), over);
    assert_eq!(server.requests().len(), 1);
    http.for_one_reading().read(&call("six")).await.unwrap();
    http.read(&call("seven")).await.unwrap();
}

#[tokio::test]
async fn the_last_try_says_when_to_come_back() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let server = RawServer::start(vec![
            Say::http(status, &["retry-after: 1"], ""),
            Say::http(status, &["retry-after: 1"], ""),
            Say::http(status, &[], ""),
            Say::http(status, &["retry-after: 5"], ""),
        ])
        .await;
        let (http, _) = kit();
        let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
        assert_eq!(server.requests().len(), 4);
        assert_eq!(error.retry_at, Some(now() + TimeDelta::seconds(5)), "{status}");
    }
}
