//! Azure's retail prices: an OData list of which a small part is understood, in pages that name the next one. Rows of
//! Windows, low priority, tests, terms, and prices of zero or of later days stand between those of machines.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

use super::moved;
use crate::sim::Shared;

/// Rows of a page. The service has 1,000; fewer make every region have two.
const PAGE: usize = 8;

/// Sizes with their price on demand in dollars.
const SIZES: [(&str, &str, f64); 5] = [
    ("Standard_NC24ads_A100_v4", "NCADS A100 v4", 3.673),
    ("Standard_NC40ads_H100_v5", "NCads H100 v5", 6.98),
    ("Standard_NV6ads_A10_v5", "NVadsA10v5", 0.454),
    ("Standard_NC4as_T4_v3", "NCasT4v3", 0.526),
    ("Standard_ND96isr_H100_v5", "NDsr H100 v5", 98.32),
];

/// Regions that sell them, and by what they are dearer than the first.
const REGIONS: [(&str, f64); 6] = [
    ("eastus", 1.0),
    ("westeurope", 1.2),
    ("uksouth", 1.25),
    ("switzerlandnorth", 1.35),
    ("swedencentral", 1.1),
    ("japaneast", 1.3),
];

pub fn routes() -> Router<Shared> {
    Router::new().route("/api/retail/prices", get(list))
}

fn refused(words: &str) -> Response {
    (StatusCode::BAD_REQUEST, axum::Json(json!({"Error": {"Code": "BadRequest", "Message": words}})))
        .into_response()
}

/// The value of `name eq 'value'` in a filter.
fn equals<'a>(filter: &'a str, name: &str) -> Option<&'a str> {
    let rest = filter.split_once(&format!("{name} eq '"))?.1;
    rest.split_once('\'').map(|(value, _)| value)
}

async fn list(
    State(market): State<Shared>,
    headers: HeaderMap,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let Some(filter) = query.get("$filter") else {
        return refused("a list of everything is not for practice");
    };
    if filter.contains(" or ") || filter.contains("not ") {
        return refused("Invalid OData parameters supplied");
    }
    if equals(filter, "serviceName").is_some_and(|name| name != "Virtual Machines") {
        // Values are compared as they are written.
        return axum::Json(json!({"BillingCurrency": "USD", "Items": [], "NextPageLink": null, "Count": 0}))
            .into_response();
    }
    let Some(region) = equals(filter, "armRegionName") else { return refused("armRegionName is missing") };
    let factor = REGIONS.iter().find(|(name, _)| *name == region).map(|(_, factor)| *factor);
    let rows = factor.map(|factor| rows(&market, region, factor)).unwrap_or_default();
    let skip: usize = query.get("$skip").and_then(|skip| skip.parse().ok()).unwrap_or(0);
    let page: Vec<Value> = rows.iter().skip(skip).take(PAGE).cloned().collect();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let next = (skip + PAGE < rows.len()).then(|| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("currencyCode", "USD")
            .append_pair("$filter", filter)
            .append_pair("$skip", &(skip + PAGE).to_string())
            .finish();
        format!("http://{host}/api/retail/prices?{query}")
    });
    axum::Json(
        json!({"BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail",
        "Items": page, "NextPageLink": next, "Count": page.len()}),
    )
    .into_response()
}

fn rows(market: &Shared, region: &str, factor: f64) -> Vec<Value> {
    let mut rows = Vec::new();
    for (size, series, price) in SIZES {
        let bare = size.trim_start_matches("Standard_").replace('_', " ");
        let row = |price: f64, meter: &str, product: &str, kind: &str| {
            json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
                "armRegionName": region, "location": region, "effectiveStartDate": "2025-03-01T00:00:00Z",
                "meterId": "0", "meterName": meter, "productId": "DZH318Z0", "skuId": "DZH318Z0/0",
                "productName": product, "skuName": meter, "serviceName": "Virtual Machines",
                "serviceFamily": "Compute", "unitOfMeasure": "1 Hour", "type": kind, "isPrimaryMeterRegion": true,
                "armSkuName": size})
        };
        let product = format!("Virtual Machines {series} Series");
        let price = moved(market, price * factor);
        rows.push(row(price, &bare, &product, "Consumption"));
        rows.push(row(moved(market, price * 0.3), &format!("{bare} Spot"), &product, "Consumption"));
        rows.push(row(price * 0.2, &format!("{bare} Low Priority"), &product, "Consumption"));
        rows.push(row(price * 1.4, &bare, &format!("{product} Windows"), "Consumption"));
        rows.push(row(price * 0.9, &bare, &product, "DevTestConsumption"));
        let mut year = row((price * 8760.0 * 0.6).round(), &bare, &product, "Reservation");
        year["reservationTerm"] = json!("1 Year");
        rows.push(year);
        let mut later = row(price * 2.0, &bare, &product, "Consumption");
        later["effectiveStartDate"] = json!("2099-01-01T00:00:00Z");
        rows.push(later);
    }
    rows.push(json!({"armSkuName": "Standard_NC80adis_H100_v5", "armRegionName": region, "retailPrice": 0.0, "currencyCode": "USD",
        "unitOfMeasure": "1 Hour", "type": "Consumption", "meterName": "NC80adis H100 v5",
        "productName": "Virtual Machines NCads H100 v5 Series", "serviceName": "Virtual Machines"}));
    rows
}
