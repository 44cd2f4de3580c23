//! The price list, and the spot prices of each zone.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::clock::iso;
use super::super::document;
use super::Place;
use super::catalogue::{REGIONS, TYPES, Type};
use super::said::{Fields, page};

/// What a region's prices are to those of us-east-1.
fn dearer(region: &str) -> f64 {
    if region == "eu-central-1" { 1.25 } else { 1.0 }
}

/// The list price of a type in a region.
pub fn on_demand(kind: &Type, region: &str, factor: f64) -> f64 {
    (kind.price * dearer(region) * factor * 1e10).round() / 1e10
}

/// The spot price of a type in a zone: the later the letter, the dearer.
pub fn spot_price(kind: &Type, zone: &str, factor: f64) -> f64 {
    let letter = zone.bytes().last().map_or(0, |letter| letter.saturating_sub(b'a'));
    let region = zone.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let price = on_demand(kind, region, factor) * (0.3 + 0.05 * f64::from(letter));
    (price * 1e6).round() / 1e6
}

/// A page of the price list has so many products here.
const PAGE: usize = 7;

/// Products of the price list, each a text that holds JSON.
pub fn products(at: &Place<'_>, body: &[u8]) -> Response {
    let asked = document(body);
    let lets = |field: &str, value: &str| {
        let filters = asked["Filters"].as_array().into_iter().flatten();
        let mut wanted = filters.filter(|filter| filter["Field"] == field);
        wanted.all(|filter| filter["Value"] == value)
    };
    let factor = at.market.factor();
    let mut rows: Vec<Value> = Vec::new();
    for kind in TYPES.iter().filter(|kind| lets("instanceType", kind.name)) {
        let family = if kind.driver_cards().count > 0 { "GPU instance" } else { "General purpose" };
        let here =
            REGIONS.iter().map(|(region, _)| *region).filter(|region| !kind.zones_in(region).is_empty());
        for region in here.filter(|region| lets("regionCode", region) && lets("instanceFamily", family)) {
            let price = on_demand(kind, region, factor);
            rows.push(product(kind.name, region, family, "Linux", price));
            // Whoever does not ask for one system gets all of them.
            if lets("operatingSystem", "Windows") {
                rows.push(product(kind.name, region, family, "Windows", price * 1.8));
            }
        }
    }
    let from: usize = asked["NextToken"].as_str().and_then(|token| token.parse().ok()).unwrap_or(0);
    let total = rows.len();
    let shown: Vec<Value> = rows.into_iter().skip(from).take(PAGE).collect();
    let mut told = json!({ "FormatVersion": "aws_v1", "PriceList": shown });
    if from + PAGE < total {
        told["NextToken"] = (from + PAGE).to_string().into();
    }
    ([(header::CONTENT_TYPE, "application/x-amz-json-1.1")], told.to_string()).into_response()
}

fn product(name: &str, region: &str, family: &str, system: &str, price: f64) -> Value {
    let dimension = json!({ "unit": "Hrs", "beginRange": "0", "endRange": "Inf", "pricePerUnit": { "USD": format!("{price:.10}") } });
    let text = json!({
        "product": { "productFamily": "Compute Instance", "sku": "PRACTICE", "attributes": {
            "instanceType": name, "regionCode": region, "locationType": "AWS Region", "operatingSystem": system, "tenancy": "Shared",
            "capacitystatus": "Used", "preInstalledSw": "NA", "marketoption": "OnDemand", "instanceFamily": family,
        } },
        "serviceCode": "AmazonEC2", "version": "practice",
        "terms": { "OnDemand": { "PRACTICE.T": { "sku": "PRACTICE", "priceDimensions": { "PRACTICE.T.D": dimension } } } },
    });
    Value::String(text.to_string())
}

/// Spot prices: the one in force, and one that it replaced.
pub fn spot(at: &Place<'_>, fields: &Fields) -> Response {
    let factor = at.market.factor();
    let named = fields.list("InstanceType");
    let wanted_zone = fields.text("AvailabilityZone");
    let day = 86_400 * super::super::clock::SECOND;
    let mut rows = Vec::new();
    let types =
        TYPES.iter().filter(|kind| kind.is_for_everybody() && fields.lets("instance-type", kind.name));
    for kind in types.filter(|kind| named.is_empty() || named.contains(&kind.name)) {
        for zone in kind
            .zones_in(at.region)
            .into_iter()
            .filter(|zone| wanted_zone.is_none_or(|wanted| wanted == *zone))
        {
            for (age, times) in [(20, 1.1), (3, 1.0)] {
                rows.push(json!({
                    "instanceType": kind.name, "productDescription": "Linux/UNIX", "availabilityZone": zone,
                    "spotPrice": format!("{:.6}", spot_price(kind, zone, factor) * times), "timestamp": iso(at.now - age * day),
                }));
            }
        }
    }
    page("DescribeSpotPriceHistory", "spotPriceHistorySet", rows, fields, 20)
}
