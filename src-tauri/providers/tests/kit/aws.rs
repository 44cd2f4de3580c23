//! AWS's offers: types, list prices and spot prices of every region.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Form, Isolation, Offer, PriceKind, SupplyState};
use gpudesk_providers::aws::Ec2;
use gpudesk_providers::{OfferSource, SourceConfig, SourceError};
use serde_json::{Value, json};

use crate::aws_stage::{ID, SECRET, Stage, error, gpus, kind, page, set};
use crate::support::{fetch_with, kit as http_kit, offer};

const BOTH: &[&str] = &["on-demand", "spot"];

fn types(rows: &str) -> String {
    set("DescribeInstanceTypes", "instanceTypeSet", rows)
}

fn spot_row(name: &str, zone: &str, price: &str, since: &str) -> String {
    format!(
        "<item><instanceType>{name}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>{price}</spotPrice>\
         <timestamp>{since}</timestamp><availabilityZone>{zone}</availabilityZone></item>"
    )
}

fn spots(rows: &str) -> String {
    set("DescribeSpotPriceHistory", "spotPriceHistorySet", rows)
}

fn product(name: &str, region: &str, price: &str) -> Value {
    let text = json!({
        "product": { "attributes": {
            "instanceType": name, "regionCode": region, "locationType": "AWS Region", "operatingSystem": "Linux", "tenancy": "Shared",
            "capacitystatus": "Used", "preInstalledSw": "NA", "marketoption": "OnDemand",
        } },
        "terms": { "OnDemand": { "A.B": { "priceDimensions": { "A.B.C": { "unit": "Hrs", "pricePerUnit": { "USD": price } } } } } },
    });
    Value::String(text.to_string())
}

fn prices(stage: &Stage, products: &[Value]) {
    // Cards first, then the vendor's own accelerators.
    let half = products.len().div_ceil(2);
    let first = json!({ "FormatVersion": "aws_v1", "PriceList": products[..half], "NextToken": "2" });
    let second = json!({ "FormatVersion": "aws_v1", "PriceList": products[half..], "NextToken": "" });
    stage.say("GetProducts", &first.to_string());
    stage.say("GetProducts", &second.to_string());
    stage.say("GetProducts", &json!({ "PriceList": [] }).to_string());
}

async fn refresh(stage: &Stage) -> Result<Fetched, SourceError> {
    let mut config = SourceConfig::default();
    config.set_address("aws", &stage.address());
    let source = Ec2::new(&config);
    assert!(source.needs_key());
    fetch_with(&source, &http_kit().0, Some(&Stage::key())).await
}

fn dollars(offer: &Offer) -> String {
    offer.price.per_hour.to_string()
}

#[tokio::test]
async fn types_and_prices_are_joined_by_region_and_zone() {
    let stage = Stage::start().await;
    let h100 = "<networkInfo><networkPerformance>3200 Gigabit</networkPerformance><efaSupported>true</efaSupported></networkInfo>\
        <instanceStorageInfo><totalSizeInGB>30400</totalSizeInGB></instanceStorageInfo>";
    let here = [
        kind("p5.48xlarge", &gpus("H100", 8, 8, "1.0", 81920), BOTH, h100),
        // The memory of four was once told for each of them.
        kind("g6.12xlarge", &gpus("L4", 4, 4, "1.0", 91553), BOTH, ""),
        kind("g6f.large", &gpus("L4", 0, 1, "0.125", 2861), BOTH, ""),
        kind("g4dn.metal", &gpus("T4", 8, 8, "1.0", 16384), &["on-demand"], "<bareMetal>true</bareMetal>"),
        kind("p5e.48xlarge", &gpus("H200", 8, 8, "1.0", 144_384), &["capacity-block"], ""),
        kind("g7e.2xlarge", &gpus("RTX PRO Server 6000", 1, 1, "1.0", 98304), BOTH, ""),
        kind(
            "trn1.32xlarge",
            "<neuronInfo><neuronDevices><item><name>Trainium</name><count>16</count></item></neuronDevices></neuronInfo>",
            BOTH,
            "",
        ),
        kind("p9.new", &gpus("Z100", 1, 1, "1.0", 204_800), BOTH, ""),
        kind("gp.none", "", BOTH, ""),
        "<item><gpuInfo/></item>".to_owned(),
    ];
    // An empty page with a token is legal.
    stage.say_in(
        "us-east-1",
        "DescribeInstanceTypes",
        200,
        &page("DescribeInstanceTypes", "instanceTypeSet", "", "t1"),
    );
    stage.say_in("us-east-1", "DescribeInstanceTypes", 200, &types(&here.concat()));
    stage.say_in(
        "eu-central-1",
        "DescribeInstanceTypes",
        200,
        &types(&kind("g6.12xlarge", &gpus("L4", 4, 4, "1.0", 22888), BOTH, "")),
    );
    let zones = [
        spot_row("p5.48xlarge", "us-east-1a", "31.1234", "2026-10-02T00:00:00.000Z"),
        spot_row("p5.48xlarge", "us-east-1a", "30.0000", "2026-11-29T00:00:00.000Z"),
        spot_row("p5.48xlarge", "us-east-1f", "28.5", "2026-11-01T00:00:00.000Z"),
        spot_row("c7i.large", "us-east-1a", "0.04", "2026-11-01T00:00:00.000Z"),
    ];
    stage.say_in("us-east-1", "DescribeSpotPriceHistory", 200, &spots(&zones.concat()));
    stage.say_in("eu-central-1", "DescribeSpotPriceHistory", 200, &spots(""));
    let list = [
        product("p5.48xlarge", "us-east-1", "55.0400000000"),
        product("p5e.48xlarge", "us-east-1", "0.0000000000"),
        product("g6.12xlarge", "us-east-1", "4.6016000000"),
        product("g6.12xlarge", "eu-central-1", "5.7520000000"),
        product("g6f.large", "us-east-1", "0.2024000000"),
        product("g4dn.metal", "us-east-1", "7.8240000000"),
        product("g7e.2xlarge", "us-east-1", "3.3631000000"),
        product("trn1.32xlarge", "us-east-1", "21.5000000000"),
        product("p9.new", "us-east-1", "9.0000000000"),
        product("g6.12xlarge", "us-west-2-lax-1", "6.0000000000"),
    ];
    prices(&stage, &list);
    let fetched = refresh(&stage).await.unwrap();

    let h100 = offer(&fetched, "aws:p5.48xlarge@us-east-1-on-demand");
    assert_eq!(
        (h100.gpu.model.as_deref(), h100.gpu.count, h100.gpu.vram_gib),
        (Some("H100 SXM"), 8, Some(80.0))
    );
    assert_eq!(
        (dollars(h100).as_str(), h100.per_gpu_hour().to_string().as_str()),
        ("55.04", "6.88"),
        "a machine of eight"
    );
    assert_eq!((h100.fabric.as_deref(), h100.net.up_mbit_s), (Some("EFA 3200 Gb/s"), Some(3_200_000.0)));
    assert_eq!((h100.disk.included_gb, h100.supply.state), (Some(30400.0), SupplyState::Unknown));
    assert_eq!((h100.price.increment_s, h100.price.minimum_s), (Some(1), Some(60)));
    let spot = offer(&fetched, "aws:p5.48xlarge@us-east-1a-spot");
    assert_eq!((dollars(spot).as_str(), spot.price.kind), ("30", PriceKind::Spot), "the newest of the zone");
    assert_eq!(
        (spot.place.region.as_deref(), spot.place.country.as_deref()),
        (Some("us-east-1a"), Some("US"))
    );
    assert_eq!(dollars(offer(&fetched, "aws:p5.48xlarge@us-east-1f-spot")), "28.5");

    for id in ["aws:g6.12xlarge@us-east-1-on-demand", "aws:g6.12xlarge@eu-central-1-on-demand"] {
        let l4 = offer(&fetched, id);
        assert_eq!(
            (l4.gpu.model.as_deref(), l4.gpu.vram_gib, l4.gpu.count),
            (Some("L4"), Some(24.0), 4),
            "{id}"
        );
    }
    let part = offer(&fetched, "aws:g6f.large@us-east-1-on-demand");
    assert_eq!((part.form, part.gpu.fraction, part.gpu.count), (Form::Fraction, Some(0.125), 1));
    assert_eq!((part.gpu.model.as_deref(), part.gpu.vram_gib), (Some("L4"), Some(3.0)));
    let metal = offer(&fetched, "aws:g4dn.metal@us-east-1-on-demand");
    assert_eq!((metal.form, metal.isolation), (Form::BareMetal, Isolation::DedicatedHost));
    let server = offer(&fetched, "aws:g7e.2xlarge@us-east-1-on-demand");
    assert_eq!(server.gpu.model.as_deref(), Some("RTX PRO 6000 Blackwell Server"));
    assert_eq!(
        offer(&fetched, "aws:trn1.32xlarge@us-east-1-on-demand").gpu.model.as_deref(),
        Some("Trainium")
    );
    let unknown = offer(&fetched, "aws:p9.new@us-east-1-on-demand");
    assert_eq!(
        (unknown.gpu.model.as_deref(), unknown.gpu.raw_name.as_str(), unknown.gpu.vram_gib),
        (None, "Z100", Some(200.0))
    );

    assert_eq!(fetched.rows_not_gpu, 1);
    let reasons: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(reasons, [ReasonCode::PriceMissing, ReasonCode::Unreadable], "{:?}", fetched.quarantined);
    assert!(fetched.quarantined[0].reason.detail.contains("reservation"), "0.00 is no price");
    assert_eq!(stage.asked("DescribeInstanceTypes").len(), 3, "a region that is switched off is not asked");
    let asked = &stage.asked("GetProducts")[0];
    assert_eq!((asked.region.as_str(), &asked.json["ServiceCode"]), ("us-east-1", &json!("AmazonEC2")));
    assert!(fetched.offers.iter().all(|offer| !offer.place.region.as_deref().unwrap().contains("lax")));
}

fn simple(stage: &Stage) {
    stage.say("DescribeInstanceTypes", &types(&kind("g6.xlarge", &gpus("L4", 1, 1, "1.0", 22888), BOTH, "")));
    stage.say("DescribeSpotPriceHistory", &spots(""));
    prices(
        stage,
        &[product("g6.xlarge", "us-east-1", "0.8048"), product("g6.xlarge", "eu-central-1", "1.006")],
    );
}

#[tokio::test]
async fn a_region_that_lets_the_key_in_nowhere_costs_only_itself() {
    let stage = Stage::start().await;
    stage.say_in(
        "eu-central-1",
        "DescribeInstanceTypes",
        403,
        &error("UnauthorizedOperation", "You are not authorized."),
    );
    simple(&stage);
    let fetched = refresh(&stage).await.unwrap();
    assert_eq!(fetched.offers.len(), 1);
    assert_eq!(fetched.notes, ["the key is not let into eu-central-1"]);
}

#[tokio::test]
async fn what_is_not_whole_replaces_nothing() {
    let in_a_region = |status, body: String| ("eu-central-1", "DescribeInstanceTypes", status, body);
    let looping = page("DescribeInstanceTypes", "instanceTypeSet", "", "same");
    for (region, action, status, body) in [
        in_a_region(503, error("RequestLimitExceeded", "Request limit exceeded.")),
        in_a_region(500, error("InternalError", "An internal error.")),
        in_a_region(200, "<html><title>Sign in</title></html>".to_owned()),
        in_a_region(200, "<DescribeInstanceTypesResponse><instanceTypeSet>".to_owned()),
        in_a_region(200, set("DescribeInstanceTypes", "otherSet", "")),
        in_a_region(200, looping),
        (
            "",
            "DescribeRegions",
            401,
            error("AuthFailure", "AWS was not able to validate the access credentials"),
        ),
        (
            "us-east-1",
            "GetProducts",
            400,
            json!({ "__type": "AccessDeniedException", "Message": "no" }).to_string(),
        ),
        ("us-east-1", "GetProducts", 200, json!({ "PriceList": [] }).to_string()),
        ("us-east-1", "GetProducts", 200, json!({ "Prices": [] }).to_string()),
    ] {
        let stage = Stage::start().await;
        stage.forget(if action == "DescribeRegions" { action } else { "" });
        stage.say_in(region, action, status, &body);
        simple(&stage);
        let error = refresh(&stage).await.unwrap_err();
        let text = format!("{error:?}");
        assert!(!text.contains(SECRET) && !text.contains(ID), "{text}");
        assert!(!error.detail.is_empty(), "{action} {status}");
    }
}

#[tokio::test]
async fn a_key_in_the_wrong_form_is_told_by_what_it_lacks() {
    let (http, _) = http_kit();
    let source = Ec2::new(&SourceConfig::default());
    let key = gpudesk_providers::http::Secret::new(format!(r#"{{"access_key_id":"{ID}"}}"#));
    let error = fetch_with(&source, &http, Some(&key)).await.unwrap_err();
    assert!(error.detail.contains("secret_access_key") && !format!("{error:?}").contains(ID), "{error:?}");
}
