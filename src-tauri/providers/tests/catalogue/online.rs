//! The catalogues on the network, against real HTTP on loopback.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::Rates;
use gpudesk_providers::catalogue::Catalogue;
use gpudesk_providers::http::{Http, HttpConfig, Pacing};
use gpudesk_providers::{FeedAnswer, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode};
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::dstack::{HEADER, zipped};
use crate::support::now;

const VERSION: &str = "20261130-1234";
const LAMBDA: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\r\n\
                      gpu_1x_a10,A10,1.0,30.0,200.0,0.75,us-east-1,A10,\r\n";

/// No waiting between tries.
struct NoWait;

impl Pacing for NoWait {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn jitter(&self) -> f64 {
        0.0
    }

    fn sleep(&self, _time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(async {})
    }
}

fn github(cloud: &str) -> String {
    format!("/skypilot-org/skypilot-catalog/master/catalogs/v8/{cloud}/vms.csv")
}

fn mirror(cloud: &str) -> String {
    format!("/catalogs/v8/{cloud}/vms.csv")
}

async fn serve(server: &MockServer, at: &str, answer: ResponseTemplate) {
    Mock::given(method("GET")).and(path(at)).respond_with(answer).mount(server).await;
}

async fn serve_dstack(server: &MockServer, cloud: &str, rows: &str) {
    serve(
        server,
        &format!("/v3/{cloud}/version"),
        ResponseTemplate::new(200).set_body_string(format!("{VERSION}\n")),
    )
    .await;
    let archive = zipped(&format!("{cloud}.csv"), &format!("{HEADER}\n{rows}\n"));
    serve(
        server,
        &format!("/v3/{cloud}/{VERSION}/catalog.zip"),
        ResponseTemplate::new(200).set_body_bytes(archive),
    )
    .await;
}

fn csv(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).insert_header("etag", "\"one\"").set_body_string(text)
}

type Outcomes = BTreeMap<String, Result<FeedAnswer, SourceError>>;

/// Asks all clouds once; what is not served answers 404.
async fn fetch(server: &MockServer, held: &[(&str, &str)]) -> Outcomes {
    let mut config = HttpConfig::new(Arc::new(now));
    config.pacing = Arc::new(NoWait);
    config.limits.max_bytes = 100_000;
    let http = Http::new(config).unwrap();
    let mut sources = SourceConfig::default();
    sources.set_address("catalogue", &server.uri());
    let versions =
        held.iter().map(|(feed, version)| (FeedName((*feed).to_owned()), (*version).to_owned())).collect();
    let rates = Rates::default();
    let cx = Fetch { http: &http, now: &now, versions: &versions, rates: &rates, key: None };
    let mut outcomes = BTreeMap::new();
    let source = Catalogue::new(&sources);
    source
        .fetch(&cx, &mut |outcome| {
            assert!(source.feeds().contains(&outcome.feed));
            outcomes.insert(outcome.feed.0, outcome.result);
        })
        .await;
    outcomes
}

fn fetched(result: &Result<FeedAnswer, SourceError>) -> (&Fetched, Option<&str>) {
    match result {
        Ok(FeedAnswer::Fetched { fetched, version }) => (fetched, version.as_deref()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn dstack_is_asked_first_and_skypilot_for_the_rest() {
    let server = MockServer::start().await;
    serve_dstack(&server, "verda", "8H100.80S.176V,FIN-01,15.92,176,1480,8,H100,80,False,,nvidia,,x86,")
        .await;
    serve(&server, &github("verda"), ResponseTemplate::new(500)).await;
    serve(&server, &github("do"), csv(LAMBDA)).await;
    let outcomes = fetch(&server, &[]).await;
    assert_eq!(outcomes.keys().collect::<Vec<_>>(), ["catalogue/digitalocean", "catalogue/verda"]);
    let (verda, version) = fetched(&outcomes["catalogue/verda"]);
    assert_eq!((verda.offers.len(), version), (1, Some("dstack:20261130-1234")));
    assert_eq!((verda.origin.as_str(), verda.as_of), ("dstack catalogue 20261130-1234", now()));
    let (ocean, version) = fetched(&outcomes["catalogue/digitalocean"]);
    assert_eq!((ocean.offers[0].provider.as_str(), version), ("digitalocean", Some("skypilot:\"one\"")));
}

#[tokio::test]
async fn what_is_held_is_not_fetched_again() {
    let server = MockServer::start().await;
    serve(&server, "/v3/aws/version", ResponseTemplate::new(200).set_body_string(VERSION)).await;
    Mock::given(path(github("lium")))
        .and(header("if-none-match", "\"one\""))
        .respond_with(ResponseTemplate::new(304))
        .mount(&server)
        .await;
    let held = [("catalogue/aws", "dstack:20261130-1234"), ("catalogue/lium", "skypilot:\"one\"")];
    let outcomes = fetch(&server, &held).await;
    let unchanged = |feed: &str| match &outcomes[feed] {
        Ok(FeedAnswer::Unchanged { version }) => version.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(unchanged("catalogue/aws").as_deref(), Some("dstack:20261130-1234"));
    assert_eq!(unchanged("catalogue/lium").as_deref(), Some("skypilot:\"one\""));
    let asked = server.received_requests().await.unwrap();
    assert!(!asked.iter().any(|request| request.url.path().ends_with("catalog.zip")));
}

#[tokio::test]
async fn skypilot_stands_in_where_dstack_fails() {
    let server = MockServer::start().await;
    // A cut archive, an HTML page for a version, no answer at all.
    serve(&server, "/v3/lambdalabs/version", ResponseTemplate::new(200).set_body_string(VERSION)).await;
    let half = zipped("lambdalabs.csv", HEADER)[..50].to_vec();
    serve(
        &server,
        &format!("/v3/lambdalabs/{VERSION}/catalog.zip"),
        ResponseTemplate::new(200).set_body_bytes(half),
    )
    .await;
    serve(&server, &github("lambda"), csv(LAMBDA)).await;
    serve(
        &server,
        "/v3/oci/version",
        ResponseTemplate::new(200).set_body_string("<html><title>Proxy</title></html>"),
    )
    .await;
    serve(&server, &github("oci"), csv(LAMBDA)).await;
    serve(&server, "/v3/nebius/version", ResponseTemplate::new(503)).await;
    let outcomes = fetch(&server, &[]).await;
    for feed in ["catalogue/lambda", "catalogue/oci"] {
        let (stood_in, version) = fetched(&outcomes[feed]);
        assert_eq!((stood_in.offers.len(), version), (1, Some("skypilot:\"one\"")));
        assert!(stood_in.notes[0].contains("because dstack failed"), "{:?}", stood_in.notes);
    }
    let nebius = outcomes["catalogue/nebius"].as_ref().unwrap_err();
    assert_eq!(nebius.code, SourceErrorCode::ProviderDown, "that SkyPilot has none says less than this");
    assert_eq!(outcomes.len(), 3);
}

#[tokio::test]
async fn github_with_enough_of_us_sends_us_to_the_mirror() {
    let server = MockServer::start().await;
    serve(&server, &github("vast"), ResponseTemplate::new(429).insert_header("retry-after", "3600")).await;
    serve(&server, &mirror("vast"), csv(LAMBDA)).await;
    serve(&server, &github("cudo"), ResponseTemplate::new(429)).await;
    serve(
        &server,
        &mirror("cudo"),
        ResponseTemplate::new(403).set_body_string("<Error><Code>AccessDenied</Code></Error>"),
    )
    .await;
    let outcomes = fetch(&server, &[]).await;
    let (vast, version) = fetched(&outcomes["catalogue/vast"]);
    assert_eq!((vast.offers.len(), version), (1, Some("skypilot-mirror:\"one\"")));
    let cudo = outcomes["catalogue/cudo"].as_ref().unwrap_err();
    assert_eq!(cudo.code, SourceErrorCode::RateLimited);
    let asked = server.received_requests().await.unwrap();
    assert_eq!(asked.iter().filter(|request| request.url.path() == github("vast")).count(), 1, "asked once");
}

#[tokio::test]
async fn a_cloud_that_nobody_carries_is_quiet_unless_it_was_there_before() {
    let server = MockServer::start().await;
    assert_eq!(fetch(&server, &[]).await.len(), 0);
    let outcomes = fetch(&server, &[("catalogue/scp", "skypilot:\"one\"")]).await;
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes["catalogue/scp"].as_ref().unwrap_err().code, SourceErrorCode::Gone);
}

#[tokio::test]
async fn each_odd_answer_fails_its_own_cloud() {
    let server = MockServer::start().await;
    serve(&server, &github("lium"), csv(LAMBDA)).await;
    serve(
        &server,
        &github("vast"),
        ResponseTemplate::new(200).set_body_string("<!doctype html><title>Sign in</title>"),
    )
    .await;
    serve(&server, &github("cudo"), csv("")).await;
    serve(&server, &github("ibm"), csv(LAMBDA.lines().next().unwrap())).await;
    serve(&server, &github("scp"), csv("{\"message\":\"moved\"}")).await;
    serve(&server, &github("do"), csv(&"x".repeat(200_000))).await;
    let outcomes = fetch(&server, &[]).await;
    let error = |cloud: &str| outcomes[&format!("catalogue/{cloud}")].as_ref().unwrap_err();
    for (cloud, code, words) in [
        ("vast", SourceErrorCode::BadAnswer, "an HTML page, “Sign in” instead of a CSV file"),
        ("cudo", SourceErrorCode::BadAnswer, "the answer is empty"),
        ("ibm", SourceErrorCode::BadAnswer, "the answer has a header and no rows"),
        ("scp", SourceErrorCode::BadAnswer, "the answer is JSON, not a CSV price list"),
        ("digitalocean", SourceErrorCode::TooLarge, "larger than the limit"),
    ] {
        assert_eq!(error(cloud).code, code, "{cloud}");
        assert!(error(cloud).detail.contains(words), "{}", error(cloud).detail);
    }
    assert!(error("vast").what.contains("Vast"), "{}", error("vast").what);
    assert_eq!(fetched(&outcomes["catalogue/lium"]).0.offers.len(), 1);
}
