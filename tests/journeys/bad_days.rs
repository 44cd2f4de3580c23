//! Days on which a service answers badly: the rest is kept, nothing good is replaced, the reason can be read.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::twist::Twist;
use serde_json::Value;

use crate::support::{Desk, feed};

/// Fills a desk, lets Vast fail in one way, and gives the error of the failed refresh.
async fn vast_fails(kind: Kind) -> Value {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh vast runpod").await;
    let before = desk.count("cloud:vast").await;
    assert!(before > 0);

    sim.arm(Fault::new("/api/v0/bundles/", kind));
    let ran = desk.run("refresh vast runpod --json").await;
    assert_eq!(ran.code, 4, "{}", ran.err);
    let report = ran.json();
    assert_eq!(feed(&report, "runpod")["error"], Value::Null, "one source's failure is only its own");
    assert_eq!(desk.count("cloud:vast").await, before, "the last good offers stay");

    sim.disarm();
    assert_eq!(desk.run("refresh vast").await.code, 0, "it heals by itself");
    let error = feed(&report, "vast")["error"].clone();
    assert!(!error["detail"].as_str().unwrap().is_empty(), "{error:#}");
    error
}

#[tokio::test]
async fn a_sign_in_page_instead_of_json() {
    let error = vast_fails(Kind::Html).await;
    assert_eq!(error["code"], "bad-answer", "{error:#}");
    assert!(error["detail"].as_str().unwrap().contains("HTML"), "{error:#}");
}

#[tokio::test]
async fn half_a_document() {
    assert_eq!(vast_fails(Kind::Truncated).await["code"], "bad-answer");
}

#[tokio::test]
async fn no_bytes_at_all() {
    assert_eq!(vast_fails(Kind::Empty).await["code"], "bad-answer");
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle() {
    let error = vast_fails(Kind::Cut).await;
    assert!(["network", "bad-answer"].contains(&error["code"].as_str().unwrap()), "{error:#}");
}

#[tokio::test]
async fn too_many_requests_for_an_hour() {
    let error = vast_fails(Kind::Status { status: 429, retry_after: Some(3600) }).await;
    assert_eq!(error["code"], "rate-limited", "{error:#}");
    assert!(error["hint"].as_str().unwrap().contains("may be asked again from 20"), "{error:#}");
}

#[tokio::test]
async fn a_refusal() {
    assert_eq!(vast_fails(Kind::Status { status: 403, retry_after: None }).await["code"], "provider-refused");
}

#[tokio::test]
async fn rows_of_which_none_can_be_used() {
    let error = vast_fails(Kind::Twist { twist: Twist::NullRows, word: None }).await;
    assert_eq!(error["code"], "bad-answer", "{error:#}");
    assert!(error["detail"].as_str().unwrap().contains("384 of 384"), "{error:#}");
}

#[tokio::test]
async fn one_cloud_of_the_catalogue_fails_alone() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    for path in
        ["/v3/nebius/", "/skypilot-org/skypilot-catalog/master/catalogs/v8/nebius/", "/catalogs/v8/nebius/"]
    {
        sim.arm(Fault::new(path, Kind::Html));
    }
    let report = desk.run("refresh catalogue --json").await.json();
    assert_eq!(feed(&report, "catalogue/nebius")["error"]["code"], "bad-answer");
    assert_eq!(feed(&report, "catalogue/aws")["error"], Value::Null);
    assert_eq!(feed(&report, "catalogue/lambda")["error"], Value::Null);
}

#[tokio::test]
async fn a_bank_that_fails_leaves_the_other() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    sim.arm(Fault::new("/scripts/", Kind::Html));
    let report = desk.run("refresh rates --json").await.json();
    assert_eq!(feed(&report, "rates/cbr")["error"]["code"], "bad-answer");
    let answer = desk.json("offers --limit 1 --currency EUR").await;
    assert_eq!(answer["fx"]["source"], "ECB");
}

#[tokio::test]
async fn nobody_there() {
    let desk = Desk::offline();
    let before = desk.count("").await;
    let ran = desk.run("refresh --json").await;
    assert_eq!(ran.code, 4);
    assert_eq!(feed(&ran.json(), "vast")["error"]["code"], "network");
    assert_eq!(desk.count("").await, before);
}
