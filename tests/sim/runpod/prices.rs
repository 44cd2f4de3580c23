//! RunPod's GraphQL: `POST /graphql` with `gpuTypes`, `dataCenters` and `countryCodes` for everybody, `myself` with
//! a key.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::super::Shared;
use super::super::account::caller;
use super::super::graphql::{Field, parse, select};

/// Data centres of the Secure cloud.
pub const DATA_CENTERS: [(&str, &str); 6] = [
    ("EU-SE-1", "Sweden"),
    ("EU-RO-1", "Romania"),
    ("EUR-IS-1", "Iceland"),
    ("US-DE-1", "Delaware"),
    ("US-TX-3", "Texas"),
    ("CA-MTL-1", "Montreal"),
];

/// Countries with Community hosts.
const COUNTRIES: [&str; 3] = ["US", "SE", "CZ"];

/// A kind of card.
pub struct Card {
    /// Its id.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// GB.
    pub gb: u32,
    /// Price in the Secure cloud.
    pub secure: f64,
    /// Price in the Community cloud.
    pub community: Option<f64>,
    /// Most of them in one pod.
    pub most: u32,
}

/// Every kind of card.
pub const CARDS: [Card; 7] = [
    Card {
        id: "NVIDIA GeForce RTX 4090",
        name: "RTX 4090",
        gb: 24,
        secure: 0.69,
        community: Some(0.34),
        most: 8,
    },
    Card { id: "NVIDIA RTX A6000", name: "RTX A6000", gb: 48, secure: 0.49, community: Some(0.33), most: 8 },
    Card { id: "NVIDIA A100-SXM4-80GB", name: "A100 SXM", gb: 80, secure: 1.49, community: None, most: 8 },
    Card { id: "NVIDIA H100 80GB HBM3", name: "H100 SXM", gb: 80, secure: 2.69, community: None, most: 8 },
    Card { id: "NVIDIA H200", name: "H200 SXM", gb: 141, secure: 3.59, community: None, most: 8 },
    Card { id: "NVIDIA  RTX A4500", name: "RTX A4500", gb: 20, secure: 0.25, community: Some(0.19), most: 4 },
    // A retired card: neither cloud has it, its prices are zero.
    Card { id: "NVIDIA GeForce RTX 3070", name: "RTX 3070", gb: 8, secure: 0.0, community: None, most: 1 },
];

/// What can be asked for. Nothing can be changed here: that is what v2 is for.
const ROOT: [&str; 5] = ["gpuTypes", "dataCenters", "countryCodes", "myself", "pod"];

/// Answers a query; what is asked about oneself needs a key.
pub async fn graphql(
    State(market): State<Shared>,
    headers: HeaderMap,
    body: axum::body::Bytes,
) -> Json<Value> {
    let request = super::super::document(&body);
    let query = request["query"].as_str().unwrap_or_default();
    let fields = match parse(query, &request["variables"]) {
        Ok(fields) => fields,
        // GraphQL reports its errors with status 200.
        Err(message) => return Json(json!({ "errors": [{ "message": message }] })),
    };
    let factor = market.factor();
    let mut root = root(factor);
    if let Some(unknown) = fields.iter().find(|field| !ROOT.contains(&field.name.as_str())) {
        let kind = if query.trim_start().starts_with("mutation") { "Mutation" } else { "Query" };
        let message = format!("Cannot query field \"{}\" on type \"{kind}\".", unknown.name);
        return Json(json!({ "errors": [{ "message": message }] }));
    }
    if fields.iter().any(|field| ["myself", "pod"].contains(&field.name.as_str())) {
        let Some(caller) = caller(&headers, &market.world()) else {
            return Json(json!({ "errors": [{ "message": "Unauthorized" }], "data": null }));
        };
        root["myself"] = super::oneself::myself(&market, &caller);
        let asked = fields.iter().find(|field| field.name == "pod");
        if let Some(id) = asked.and_then(|field| field.arguments["input"]["podId"].as_str()) {
            let pods = root["myself"]["pods"].as_array().cloned().unwrap_or_default();
            root["pod"] = pods.into_iter().find(|pod| pod["id"] == id).unwrap_or_default();
        }
    }
    Json(json!({ "data": select(&root, &fields, &|object, field| compute(object, field, factor)) }))
}

fn root(factor: f64) -> Value {
    let mut cards: Vec<Value> = CARDS
        .iter()
        .map(|card| {
            json!({
                "id": card.id, "displayName": card.name, "memoryInGb": card.gb, "manufacturer": "NVIDIA",
                "secureCloud": card.secure > 0.0, "communityCloud": card.community.is_some(),
                "securePrice": card.secure * factor, "communityPrice": card.community.map_or(0.0, |p| p * factor),
                "maxGpuCount": card.most, "maxGpuCountSecureCloud": card.most,
                "maxGpuCountCommunityCloud": card.most.min(4),
            })
        })
        .collect();
    cards.push(json!({ "id": "unknown", "displayName": "unknown", "memoryInGb": 0 }));
    let centers: Vec<Value> = DATA_CENTERS
        .iter()
        .map(|(id, name)| json!({ "id": id, "name": id, "location": name, "listed": true, "storageSupport": true }))
        .collect();
    json!({ "gpuTypes": cards, "dataCenters": centers, "countryCodes": COUNTRIES })
}

/// `lowestPrice` depends on what is asked; `gpuTypes` may be asked for one card.
fn compute(object: &Value, field: &Field, factor: f64) -> Option<Value> {
    let input = &field.arguments["input"];
    match field.name.as_str() {
        "gpuTypes" => {
            let wanted = input["id"].as_str()?;
            let all = object["gpuTypes"].as_array()?;
            Some(all.iter().filter(|card| card["id"] == wanted).cloned().collect())
        }
        "lowestPrice" => {
            let card = CARDS.iter().find(|card| object["id"] == card.id)?;
            Some(lowest_price(card, input, factor))
        }
        _ => None,
    }
}

fn lowest_price(card: &Card, input: &Value, factor: f64) -> Value {
    let count = input["gpuCount"].as_u64().unwrap_or(1);
    let secure = input["secureCloud"].as_bool().unwrap_or(false);
    let place = if secure {
        DATA_CENTERS.iter().position(|(id, _)| input["dataCenterId"] == *id)
    } else {
        COUNTRIES.iter().position(|code| input["countryCode"] == *code)
    };
    let price = if secure { Some(card.secure).filter(|price| *price > 0.0) } else { card.community };
    // Not every card is everywhere, and the more are asked for the fewer places have them.
    let somewhere = input["dataCenterId"].is_null() && input["countryCode"].is_null();
    let here =
        somewhere || place.is_some_and(|place| (place + card.gb as usize).is_multiple_of(2) || count <= 2);
    match price {
        Some(price) if here && count <= u64::from(card.most) => json!({
            "stockStatus": if count >= 8 { "Low" } else { "High" },
            "uninterruptablePrice": price * factor, "minimumBidPrice": Value::Null,
            // For the whole pod of that count.
            "minVcpu": 16 * count, "minMemory": 125 * count,
            "availableGpuCounts": [1, 2, 4, 8], "maxGpuCount": card.most,
        }),
        _ => json!({
            "stockStatus": Value::Null, "uninterruptablePrice": Value::Null, "minimumBidPrice": Value::Null,
            "minVcpu": Value::Null, "minMemory": Value::Null, "availableGpuCounts": [],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(card: usize, input: &Value) -> Value {
        lowest_price(&CARDS[card], input, 1.0)["uninterruptablePrice"].clone()
    }

    #[test]
    fn each_cloud_answers_with_its_own_price() {
        assert_eq!(ask(0, &json!({"gpuCount": 1, "secureCloud": true, "dataCenterId": "EU-SE-1"})), 0.69);
        assert_eq!(ask(0, &json!({"gpuCount": 1, "secureCloud": false, "countryCode": "SE"})), 0.34);
        assert_eq!(ask(3, &json!({"gpuCount": 1, "secureCloud": false, "countryCode": "SE"})), Value::Null);
    }
}
