//! Vast.ai against a server on loopback.

use std::time::Duration;

use chrono::TimeDelta;
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::offer::{Flag, Form, Isolation, PriceKind, SupplyState};
use gpudesk_providers::vast::Vast;
use gpudesk_providers::{SourceConfig, SourceErrorCode};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::support::{RawServer, Say, fetch, kit, now, offer};

const ODD: &str = include_str!("../fixtures/vast-bundles.json");

fn vast(address: &str) -> Vast {
    let mut config = SourceConfig::default();
    config.set_address("vast", address);
    Vast::new(&config)
}

fn decimal(text: &str) -> rust_decimal::Decimal {
    text.parse().unwrap()
}

/// What a search asks for.
struct Search {
    bid: bool,
    verified: bool,
    from: f64,
    below: f64,
    limit: usize,
}

impl Search {
    fn of(request: &Request) -> Self {
        let body: Value = request.body_json().unwrap();
        Self {
            bid: body["type"] == "bid",
            verified: body["verified"]["eq"].as_bool().unwrap(),
            from: body["dph_total"]["gte"].as_f64().unwrap_or(f64::MIN),
            below: body["dph_total"]["lt"].as_f64().unwrap_or(f64::MAX),
            limit: usize::try_from(body["limit"].as_u64().unwrap()).unwrap(),
        }
    }
}

async fn server(answer: impl Fn(&Search) -> String + Send + Sync + 'static) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/api/v0/bundles/"))
        .respond_with(move |request: &Request| {
            ResponseTemplate::new(200).set_body_raw(answer(&Search::of(request)), "application/json")
        })
        .mount(&server)
        .await;
    server
}

fn nothing() -> String {
    json!({"offers": []}).to_string()
}

/// A market of the odd rows, verified and on demand.
async fn odd_market() -> MockServer {
    server(|search| if search.bid || !search.verified { nothing() } else { ODD.to_owned() }).await
}

#[tokio::test]
async fn every_odd_row_is_used_or_set_aside_with_its_reason() {
    let server = odd_market().await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (20, 9, 0));
    let reasons: Vec<String> = fetched
        .quarantined
        .iter()
        .map(|row| format!("{} | {:?} | {}", row.origin, row.reason.code, row.reason.detail))
        .collect();
    insta::assert_json_snapshot!("quarantined", reasons);
    insta::assert_json_snapshot!("notes", fetched.notes);
}

#[tokio::test]
async fn rows_are_normalised() {
    let server = odd_market().await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    insta::assert_json_snapshot!("offers", fetched.offers);
}

/// The row of the contract (`gpudesk offers --json`), field by field.
#[tokio::test]
async fn the_contracts_example_comes_out_as_written_there() {
    let server = odd_market().await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    let offer = offer(&fetched, "vast:20817x2-on-demand");
    assert_eq!(offer.name, "31881234");
    assert_eq!((offer.form, offer.isolation), (Form::Container, Isolation::SharedHost));
    assert_eq!(
        (offer.gpu.model.as_deref(), offer.gpu.count, offer.gpu.vram_gib),
        (Some("RTX 4090"), 2, Some(24.0))
    );
    assert_eq!(offer.gpu.link, None, "what the host measured is what the GPU table says");
    assert_eq!((offer.vcpu, offer.ram_gib), (Some(16.0), Some(62.9)));
    assert_eq!((offer.disk.included_gb, offer.disk.max_gb), (Some(0.0), Some(812.0)));
    assert_eq!((offer.net.down_mbit_s, offer.net.up_mbit_s), (Some(812.0), Some(712.0)));
    assert_eq!((offer.driver.as_deref(), offer.cuda.as_deref()), (Some("570.86.10"), Some("12.8")));
    assert_eq!((offer.reliability, offer.verified), (Some(0.9931), Some(true)));
    assert_eq!(offer.place.region.as_deref(), Some("Sofia, BG"));
    assert_eq!((offer.place.country.as_deref(), offer.place.seller.as_deref()), (Some("BG"), Some("US")));
    assert_eq!(offer.price.per_hour, decimal("0.7467"), "without the disk in dph_total");
    assert_eq!((offer.price.increment_s, offer.price.minimum_s), (Some(1), Some(0)));
    assert_eq!(offer.price.storage_gb_month, Some(decimal("0.2")));
    assert_eq!(offer.price.storage_stopped_gb_month, Some(decimal("0.2")));
    assert_eq!(offer.price.egress_gb, Some(decimal("0.003")));
    assert_eq!(offer.price.ingress_gb, Some(decimal("0.002")));
    assert_eq!((offer.supply.state, offer.supply.count), (SupplyState::InStock, Some(1)));
    assert_eq!(offer.flags, [Flag::Datacenter]);
}

#[tokio::test]
async fn of_two_asks_for_the_same_cards_the_cheaper_one_stays() {
    let server = odd_market().await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    let set_aside = fetched.quarantined.iter().find(|row| row.reason.code == ReasonCode::Duplicate).unwrap();
    assert_eq!(set_aside.origin, "ask 31881299, on-demand");
    // The eight cards of the same machine overlap with the two and are an offer of their own.
    assert_eq!(offer(&fetched, "vast:20817x8-on-demand").supply.count, Some(1));
}

fn row(id: u64, price: f64) -> Value {
    json!({"id": id, "machine_id": id, "gpu_name": "RTX 4090", "num_gpus": 1, "gpu_ram": 24564,
           "dph_base": price, "dph_total": price + 0.01, "min_bid": price / 2.0, "geolocation": "Sofia, BG",
           "verification": "verified", "rentable": true, "rented": false})
}

fn market(rows: u64) -> Vec<Value> {
    // Three rows share each price, so bands meet within equal prices.
    (0..rows).map(|n| row(n, 0.2 + (n / 3) as f64 / 10_000.0)).collect()
}

fn searched(all: &[Value], search: &Search, most: usize) -> String {
    let inside = |row: &&Value| {
        let price = row["dph_total"].as_f64().unwrap();
        price >= search.from && price < search.below
    };
    let rows: Vec<&Value> = all.iter().filter(inside).take(search.limit.min(most)).collect();
    json!({ "offers": rows }).to_string()
}

#[tokio::test]
async fn the_whole_market_is_seen_past_the_limit_of_one_search() {
    for most in [usize::MAX, 3000, 64] {
        let all = market(if most == 64 { 400 } else { 7001 });
        let count = all.len();
        let server = server(move |search| match (search.bid, search.verified) {
            (false, true) => searched(&all, search, most),
            _ => nothing(),
        })
        .await;
        let (http, time) = kit();
        let fetched = fetch(&vast(&server.uri()), &http).await.unwrap();
        assert_eq!(fetched.quarantined, []);
        assert_eq!(fetched.offers.len(), count, "server's own limit {most}");
        assert_eq!(
            fetched.rows_read, count as u64,
            "rows at the edges of bands are read twice and counted once"
        );
        let searches = server.received_requests().await.unwrap().len();
        assert!(searches <= 12, "{searches} searches");
        // Ten a minute: what is beyond ten waits six seconds each.
        assert_eq!(time.waits().len(), searches.saturating_sub(10));
    }
}

#[tokio::test]
async fn a_server_that_does_not_sort_is_searched_in_halves() {
    let mut all = market(5500);
    all.reverse();
    let server = server(move |search| match (search.bid, search.verified) {
        (false, true) => searched(&all, search, usize::MAX),
        _ => nothing(),
    })
    .await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    assert_eq!(fetched.offers.len(), 5500);
}

#[tokio::test]
async fn a_market_that_cannot_be_seen_whole_is_no_answer() {
    // Each search brings new asks and never an end.
    let next = std::sync::atomic::AtomicU64::new(0);
    let server = server(move |_| {
        let from = next.fetch_add(64, std::sync::atomic::Ordering::Relaxed);
        json!({"offers": (from..from + 64).map(|n| json!({"id": n, "dph_total": n})).collect::<Vec<_>>()})
            .to_string()
    })
    .await;
    let error = fetch(&vast(&server.uri()), &kit().0).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::TooLarge);
}

#[tokio::test]
async fn bids_are_offers_of_their_own_at_the_lowest_bid() {
    let server = server(|search| {
        let mut rows = vec![row(7, 0.4)];
        if search.bid {
            rows[0]["is_bid"] = json!(true);
        }
        if search.verified { json!({ "offers": rows }).to_string() } else { nothing() }
    })
    .await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    assert_eq!(fetched.offers.len(), 2);
    let on_demand = offer(&fetched, "vast:7x1-on-demand");
    assert_eq!((on_demand.price.kind, on_demand.price.per_hour), (PriceKind::OnDemand, decimal("0.4")));
    let bid = offer(&fetched, "vast:7x1-bid");
    assert_eq!((bid.price.kind, bid.price.per_hour), (PriceKind::Bid, decimal("0.2")));
}

#[tokio::test]
async fn a_server_that_ignores_filters_doubles_nothing() {
    // Two asks, the same answer to every search.
    let server = server(|_| {
        let mut rows = vec![row(7, 0.4), row(8, 0.5)];
        for row in &mut rows {
            row["is_bid"] = json!(false);
        }
        json!({ "offers": rows }).to_string()
    })
    .await;
    let fetched = fetch(&vast(&server.uri()), &kit().0).await.unwrap();
    let ids: Vec<&str> = fetched.offers.iter().map(|offer| offer.id.as_str()).collect();
    assert_eq!(ids, ["vast:7x1-on-demand", "vast:8x1-on-demand"]);
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.quarantined.len()), (2, 2, 0));
}

#[tokio::test]
async fn the_search_hides_nothing_and_sends_its_whole_body_to_the_documented_path() {
    let server = server(|_| json!({"offers": [row(1, 0.3)]}).to_string()).await;
    fetch(&vast(&format!("{}/", server.uri())), &kit().0).await.unwrap();
    let requests = server.received_requests().await.unwrap();
    let asked: Vec<(Value, Value)> = requests
        .iter()
        .map(|request| request.body_json::<Value>().unwrap())
        .map(|body| {
            assert_eq!(body["limit"], 5000);
            assert_eq!(body["rentable"], json!({"eq": true}));
            (body["type"].clone(), body["verified"]["eq"].clone())
        })
        .collect();
    for kind in ["on-demand", "bid"] {
        for verified in [true, false] {
            assert!(asked.contains(&(json!(kind), json!(verified))), "{kind} {verified}");
        }
    }
    assert!(requests.iter().all(|request| !request.headers.contains_key("authorization")));
}

async fn refused(say: Say) -> (gpudesk_providers::SourceError, usize, usize) {
    let server = RawServer::start(vec![say]).await;
    let (http, time) = kit();
    let error = fetch(&vast(server.url.as_str()), &http).await.unwrap_err();
    (error, server.requests().len(), time.waits().len())
}

#[tokio::test]
async fn the_daily_quota_is_not_retried_in_seconds() {
    let body = r#"{"success":false,"error":"search_quota_exceeded","msg":"Daily search limit reached"}"#;
    let reset = (now() + TimeDelta::hours(15)).timestamp();
    let header = format!("x-ratelimit-reset: {reset}");
    let (error, asked, _) = refused(Say::http("429 Too Many Requests", &[&header], body)).await;
    assert_eq!((error.code, asked), (SourceErrorCode::RateLimited, 1));
    assert_eq!(error.retry_at, Some(now() + TimeDelta::hours(15)));
    assert!(error.detail.contains("Daily search limit reached"), "{}", error.detail);
    // Without the header the quota still starts anew at midnight UTC; so it does when it comes with status 200.
    for status in ["429 Too Many Requests", "200 OK"] {
        let (error, asked, _) = refused(Say::http(status, &[], body)).await;
        assert_eq!((error.code, asked), (SourceErrorCode::RateLimited, 1));
        assert_eq!(error.retry_at, Some("2026-12-01T00:00:00Z".parse().unwrap()));
    }
}

#[tokio::test]
async fn calls_too_close_together_are_retried_patiently() {
    for body in
        ["API requests too frequent", r#"{"detail":"API requests too frequent endpoint threshold=3.0"}"#]
    {
        let server = RawServer::start(vec![
            Say::http("429 Too Many Requests", &[], body),
            Say::http("200 OK", &[], json!({"offers": [row(1, 0.3)]}).to_string()),
        ])
        .await;
        let (http, time) = kit();
        assert_eq!(fetch(&vast(server.url.as_str()), &http).await.unwrap().offers.len(), 2);
        assert_eq!(time.waits(), [3000]);
    }
}

#[tokio::test]
async fn answers_that_are_none_say_why() {
    for (say, code, words) in [
        (
            Say::http("200 OK", &[], r#"{"success":false,"error":"invalid_args","msg":"bad order"}"#),
            SourceErrorCode::ProviderRefused,
            "invalid_args: bad order",
        ),
        (
            Say::http("200 OK", &[], r#"{"detail":"Not allowed"}"#),
            SourceErrorCode::ProviderRefused,
            "Not allowed",
        ),
        (Say::http("200 OK", &[], r#"{"offers":{"id":1}}"#), SourceErrorCode::BadAnswer, "another shape"),
        (
            Say::http("200 OK", &[], r#"{"rows":[]}"#),
            SourceErrorCode::BadAnswer,
            "without the list of `offers`",
        ),
        (Say::http("200 OK", &[], r#"{"offers":[{"id":1,"#), SourceErrorCode::BadAnswer, "breaks off"),
        (Say::http("200 OK", &[], r#"{"offers":[]}"#), SourceErrorCode::BadAnswer, "without a single offer"),
        (
            Say::http("200 OK", &[], "<html><title>Just a moment</title>"),
            SourceErrorCode::BadAnswer,
            "HTML page",
        ),
        (
            Say::http("401 Unauthorized", &[], r#"{"success":false,"error":"auth_error","msg":"no key"}"#),
            SourceErrorCode::ProviderRefused,
            "auth_error: no key",
        ),
        (
            Say::http("404 Not Found", &[], r#"{"msg":"Invalid user key"}"#),
            SourceErrorCode::Gone,
            "Invalid user key",
        ),
    ] {
        let (error, asked, waits) = refused(say).await;
        assert_eq!(error.code, code, "{}", error.detail);
        assert!(error.detail.contains(words), "{}", error.detail);
        assert_eq!(waits, 0, "asked {asked} times");
    }
}

#[tokio::test]
async fn one_failed_search_fails_the_feed_and_nothing_is_half_replaced() {
    let server = server(|search| if search.bid { "{\"offers\":[".to_owned() } else { ODD.to_owned() }).await;
    let error = fetch(&vast(&server.uri()), &kit().0).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
}

#[tokio::test]
async fn plain_http_to_another_machine_is_refused_before_anything_is_sent() {
    let error = fetch(&vast("http://10.1.2.3:8080"), &kit().0).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Config);
    assert!(error.detail.contains("plain http"), "{}", error.detail);
}

#[test]
fn the_source_says_who_it_is_and_how_often_it_may_be_asked() {
    use gpudesk_providers::OfferSource as _;
    let vast = vast("https://example.invalid");
    assert_eq!((vast.name(), vast.title()), ("vast", "Vast.ai"));
    assert!(vast.poll_every() >= Duration::from_secs(300));
}
