//! What comes back, and what is made of it.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::http::{Answer, Call};
use serde_json::Value;

use crate::support::{RawServer, Say, kit};

async fn read(say: Say) -> Result<Answer, gpudesk_providers::SourceError> {
    let server = RawServer::start(vec![say]).await;
    let (http, _) = kit();
    http.read(&Call::get("prices", server.at("/prices")).expecting("JSON")).await
}

fn json(answer: &Answer) -> Result<Value, gpudesk_providers::SourceError> {
    answer.parse(&answer.json_text())
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn good_json_is_taken_whatever_its_type_mark_or_compression() {
    let body = br#"{"a":"b"}"#;
    let marked = [b"\xef\xbb\xbf".as_slice(), body].concat();
    for say in [
        Say::http("200 OK", &["content-type: application/json"], body),
        Say::http("200 OK", &["content-type: text/html; charset=utf-8"], body),
        Say::http("200 OK", &[], marked),
        Say::http("200 OK", &["content-encoding: gzip"], gzip(body)),
    ] {
        assert_eq!(json(&read(say).await.unwrap()).unwrap()["a"], "b");
    }
}

#[tokio::test]
async fn a_number_that_is_none_costs_only_itself() {
    let answer = read(Say::http("200 OK", &[], r#"[{"price":NaN},{"price":2.5}]"#)).await.unwrap();
    assert_eq!(json(&answer).unwrap()[1]["price"], 2.5);
}

#[tokio::test]
async fn an_html_page_with_200_is_named_for_what_it_is() {
    for page in [
        "<!DOCTYPE html><html><head><title>Please sign in</title></head></html>",
        "  \r\n<!-- hotel --><HTML><head><TITLE>Please sign in</TITLE>",
    ] {
        let error = read(Say::http("200 OK", &["content-type: application/json"], page)).await.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::BadAnswer);
        assert_eq!(error.detail, "an HTML page, “Please sign in” instead of JSON");
        assert!(error.hint.is_some());
    }
}

#[tokio::test]
async fn broken_json_says_where_it_breaks() {
    let truncated = read(Say::http("200 OK", &[], r#"{"offers":[{"id":1},{"i"#)).await.unwrap();
    let error = json(&truncated).unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
    assert!(error.detail.starts_with("the JSON breaks off after 23 bytes"), "{}", error.detail);
    let empty = read(Say::http("200 OK", &[], "")).await.unwrap();
    assert_eq!(json(&empty).unwrap_err().detail, "the answer is empty");
    let text = read(Say::http("200 OK", &[], "No such thing")).await.unwrap();
    assert!(json(&text).unwrap_err().detail.starts_with("not JSON"));
}

#[tokio::test]
async fn a_truncated_archive_is_no_answer() {
    let whole = gzip(&b"0123456789abcdef".repeat(4096));
    let half = &whole[..whole.len() / 2];
    let error = read(Say::http("200 OK", &["content-encoding: gzip"], half)).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
    assert!(error.detail.contains("breaks off"), "{}", error.detail);
    let garbage = read(Say::http("200 OK", &["content-encoding: gzip"], "no gzip at all")).await.unwrap_err();
    assert_eq!(garbage.code, SourceErrorCode::BadAnswer);
}

#[tokio::test]
async fn a_huge_answer_is_refused_by_its_length_and_cut_where_it_tells_none() {
    let two_gib = b"HTTP/1.1 200 OK\r\ncontent-length: 2147483648\r\n\r\n".to_vec();
    let error = read(Say::Endless(two_gib, vec![b'x'; 65536])).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::TooLarge);
    assert!(error.detail.contains("limit of 1.0 MiB"), "{}", error.detail);
    let untold = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".to_vec();
    let error = read(Say::Endless(untold, vec![b'x'; 65536])).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::TooLarge);
}

#[tokio::test]
async fn the_limit_counts_what_is_unpacked() {
    let bomb = gzip(&vec![0; 8 * 1024 * 1024]);
    assert!(bomb.len() < 10_000);
    let error = read(Say::http("200 OK", &["content-encoding: gzip"], bomb)).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::TooLarge);
}

#[tokio::test]
async fn an_answer_that_has_not_changed_is_not_read_again() {
    let server = RawServer::start(vec![
        Say::http("200 OK", &["etag: \"v1\""], "rows"),
        Say::Bytes(b"HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_vec()),
    ])
    .await;
    let (http, _) = kit();
    let call = Call::get("prices", server.at("/p.csv"));
    let first = http.read_if_changed(&call, None).await.unwrap().unwrap();
    assert_eq!(first.etag.as_deref(), Some("\"v1\""));
    assert!(http.read_if_changed(&call, first.etag.as_deref()).await.unwrap().is_none());
    let requests = server.requests();
    assert!(!requests[0].contains("if-none-match"));
    assert!(requests[1].contains("if-none-match: \"v1\""), "{}", requests[1]);
    let error = http.read(&call).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer, "304 to an unconditional question");
}

#[tokio::test]
async fn a_refusal_carries_the_providers_words_without_secrets() {
    for (status, body, code, detail) in [
        (
            "404 Not Found",
            r#"{"success":false,"error":"no_such_ask","msg":"gone"}"#,
            SourceErrorCode::Gone,
            "HTTP 404: no_such_ask: gone",
        ),
        ("410 Gone", "", SourceErrorCode::Gone, "HTTP 410"),
        (
            "400 Bad Request",
            r#"{"title":"Bad Request","detail":"count"}"#,
            SourceErrorCode::ProviderRefused,
            "HTTP 400: Bad Request: count",
        ),
        (
            "401 Unauthorized",
            "key sk=\u{7}x Authorization: Bearer abcdef0123456789",
            SourceErrorCode::ProviderRefused,
            "HTTP 401: key sk= x Authorization: Bearer ***",
        ),
        (
            "403 Forbidden",
            "<html><head><title>Attention</title>",
            SourceErrorCode::ProviderRefused,
            "HTTP 403: an HTML page, “Attention”",
        ),
        ("302 Found", "", SourceErrorCode::BadAnswer, "HTTP 302"),
    ] {
        let server = RawServer::start(vec![Say::http(status, &[], body)]).await;
        let (http, time) = kit();
        let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
        assert_eq!((error.code, error.detail.as_str()), (code, detail));
        assert_eq!(server.requests().len(), 1, "{status} is final");
        assert!(time.waits().is_empty());
    }
}

#[tokio::test]
async fn a_refusal_of_any_length_is_shortened() {
    let server = RawServer::start(vec![Say::http("400 Bad Request", &[], "word ".repeat(100_000))]).await;
    let (http, _) = kit();
    let error = http.read(&Call::get("prices", server.at("/"))).await.unwrap_err();
    assert_eq!(error.detail.chars().count(), 300);
}
