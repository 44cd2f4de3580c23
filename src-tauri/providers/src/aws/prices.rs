//! What types cost: the list price from the Price List service, the spot price by zone from EC2.
//!
//! The same prices stand in public files, but those of EC2 hold every tariff of every machine: hundreds of megabytes a
//! region. The service takes filters and answers with the rows that are wanted.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};

use super::service::{Aws, Service, fields, filter};
use super::types::{self, pages};
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::redact;
use crate::source::SourceErrorCode;

/// Where the service is (<https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-price-list-query-api.html>).
const REGION: &str = "us-east-1";
const REGION_CHINA: &str = "cn-northwest-1";

/// Pages of 100 that are read at most; there are about twenty.
const MAX_PAGES: usize = 200;

/// The families that have cards, in the service's own words.
const FAMILIES: [&str; 2] = ["GPU instance", "Machine Learning ASIC Instances"];

/// A price an hour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    pub per_hour: Decimal,
    pub currency: Currency,
}

/// A type and its region or zone.
pub(super) type ByPlace = (String, String);

/// Prices by type and region, or by type and zone.
pub(super) type Prices = BTreeMap<ByPlace, Rate>;

/// One page. Each product is a text that holds JSON.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    price_list: Option<Vec<Value>>,
    #[serde(default)]
    next_token: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Product {
    product: Described,
    terms: Terms,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Described {
    attributes: BTreeMap<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Terms {
    #[serde(rename = "OnDemand")]
    on_demand: BTreeMap<String, Term>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Term {
    price_dimensions: BTreeMap<String, Dimension>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Dimension {
    unit: String,
    price_per_unit: BTreeMap<String, String>,
}

/// What a row must say of itself: whole machines for anybody, with Linux and nothing on it. The service is asked for
/// these alone, and what it answers is looked at all the same.
const WANTED: [(&str, &str); 5] = [
    ("operatingSystem", "Linux"),
    ("tenancy", "Shared"),
    ("capacitystatus", "Used"),
    ("preInstalledSw", "NA"),
    ("marketoption", "OnDemand"),
];

/// The list prices of every type with cards in every region.
pub(super) async fn list(aws: &Aws) -> Result<Prices, CloudError> {
    let mut all = Prices::new();
    for family in FAMILIES {
        all.extend(ask(aws, &[("instanceFamily", family)]).await?);
    }
    if all.is_empty() {
        return Err(aws.error(
            CloudErrorCode::Http(SourceErrorCode::BadAnswer),
            "prices",
            "the price list has not a single machine with cards",
        ));
    }
    Ok(all)
}

/// The list price of one type in one region; `None` where the list has none.
pub(super) async fn one(aws: &Aws, name: &str, region: &str) -> Result<Option<Rate>, CloudError> {
    let mut found = ask(aws, &[("instanceType", name), ("regionCode", region)]).await?;
    Ok(found.remove(&(name.to_owned(), region.to_owned())))
}

async fn ask(aws: &Aws, more: &[(&str, &str)]) -> Result<Prices, CloudError> {
    let doing = "prices";
    let region = if aws.key.home.starts_with("cn-") { REGION_CHINA } else { REGION };
    let filters: Vec<Value> = WANTED
        .iter()
        .chain(more)
        .map(|(field, value)| json!({ "Type": "TERM_MATCH", "Field": field, "Value": value }))
        .collect();
    let mut body = json!({
        "ServiceCode": "AmazonEC2", "FormatVersion": "aws_v1", "MaxResults": 100, "Filters": filters,
    });
    let mut prices = Prices::new();
    for _ in 0..MAX_PAGES {
        let answer = aws.ask_json(doing, (Service::Pricing, region), "GetProducts", &body).await?;
        let text = answer.json_text();
        let page: Page = answer.parse(&text)?;
        let rows = page.price_list.ok_or_else(|| answer.bad("JSON without `PriceList`"))?;
        prices.extend(rows.iter().filter_map(product));
        match page.next_token.filter(|token| !token.is_empty()) {
            None => return Ok(prices),
            Some(token) if body["NextToken"] == token.as_str() => {
                return Err(answer.bad("a page that leads to itself").into());
            }
            Some(token) => body["NextToken"] = token.into(),
        }
    }
    Err(aws.error(
        CloudErrorCode::Http(SourceErrorCode::BadAnswer),
        doing,
        format!("more than {MAX_PAGES} pages"),
    ))
}

/// One product: type and region, and its price an hour. Tariffs of another kind are passed over, and so are local
/// zones, which are no regions of the API.
fn product(row: &Value) -> Option<(ByPlace, Rate)> {
    let product: Product = match row {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => serde_json::from_value(other.clone()).ok()?,
    };
    let attribute = |name: &str| product.product.attributes.get(name).and_then(Value::as_str);
    let as_wanted = |(name, value): &(&str, &str)| attribute(name).is_none_or(|said| said == *value);
    let in_region = attribute("locationType").is_none_or(|kind| kind == "AWS Region");
    if !WANTED.iter().all(as_wanted) || !in_region {
        return None;
    }
    let dimensions = product.terms.on_demand.values().flat_map(|term| term.price_dimensions.values());
    let mut hourly = dimensions.filter(|dimension| dimension.unit == "Hrs");
    let dimension = hourly.next()?;
    let rate = [Currency::USD, Currency::CNY].into_iter().find_map(|currency| {
        let per_hour = dimension.price_per_unit.get(&currency.to_string())?.parse::<Decimal>().ok()?;
        Some(Rate { per_hour: per_hour.normalize(), currency })
    })?;
    let key = (redact::words(attribute("instanceType")?), redact::words(attribute("regionCode")?));
    Some((key, rate))
}

/// The spot prices of a region by type and zone: the newest of each, however old.
pub(super) async fn spot(aws: &Aws, region: &str, only: Option<(&str, &str)>) -> Result<Prices, CloudError> {
    let now = aws.http.now().to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut asked = fields(&[("ProductDescription.1", "Linux/UNIX"), ("StartTime", &now)]);
    match only {
        Some((name, zone)) => asked.extend(fields(&[("InstanceType.1", name), ("AvailabilityZone", zone)])),
        None => asked.extend(filter(1, "instance-type", &types::FAMILIES)),
    }
    let what = ("DescribeSpotPriceHistory", "spotPriceHistorySet", 1000);
    let rows = pages(aws, "spot prices", region, what, asked).await?;
    let mut newest: BTreeMap<ByPlace, (Option<DateTime<Utc>>, Rate)> = BTreeMap::new();
    let currency = if region.starts_with("cn-") { Currency::CNY } else { Currency::USD };
    for row in &rows {
        let text = |path: &str| row.text(path).map(redact::words);
        // The name of the product is another in accounts that once had the network before VPCs.
        let is_linux = row.text("productDescription").is_none_or(|said| said.starts_with("Linux/UNIX"));
        let (Some(name), Some(zone), Some(price)) =
            (text("instanceType"), text("availabilityZone"), row.text("spotPrice"))
        else {
            continue;
        };
        let Some(per_hour) = price.parse::<Decimal>().ok().filter(|_| is_linux) else { continue };
        let since = row.text("timestamp").and_then(|text| DateTime::parse_from_rfc3339(text).ok());
        let since = since.map(|time| time.to_utc());
        let rate = Rate { per_hour: per_hour.normalize(), currency };
        let slot = newest.entry((name, zone)).or_insert((since, rate));
        if since > slot.0 {
            *slot = (since, rate);
        }
    }
    Ok(newest.into_iter().map(|(key, (_, rate))| (key, rate)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(attributes: Value, unit: &str, prices: Value) -> Value {
        let mut all = json!({
            "instanceType": "p5.48xlarge", "regionCode": "us-east-1", "locationType": "AWS Region", "operatingSystem": "Linux",
            "tenancy": "Shared", "capacitystatus": "Used", "preInstalledSw": "NA", "marketoption": "OnDemand", "gpu": "8",
        });
        for (name, value) in attributes.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        let text = json!({
            "product": { "productFamily": "Compute Instance", "attributes": all, "sku": "S" },
            "terms": { "OnDemand": { "S.T": { "priceDimensions": { "S.T.D": { "unit": unit, "pricePerUnit": prices } } } },
                       "Reserved": { "S.R": { "priceDimensions": { "x": { "unit": "Hrs", "pricePerUnit": { "USD": "1" } } } } } },
        });
        Value::String(text.to_string())
    }

    #[test]
    fn a_product_is_a_text_that_holds_json() {
        let (key, rate) = product(&row(json!({}), "Hrs", json!({ "USD": "98.3200000000" }))).unwrap();
        assert_eq!(key, ("p5.48xlarge".to_owned(), "us-east-1".to_owned()));
        assert_eq!((rate.per_hour.to_string().as_str(), rate.currency), ("98.32", Currency::USD));
        let china =
            product(&row(json!({ "regionCode": "cn-north-1" }), "Hrs", json!({ "CNY": "43.218" }))).unwrap();
        assert_eq!(china.1.currency, Currency::CNY);
        let free = product(&row(json!({}), "Hrs", json!({ "USD": "0.0000000000" }))).unwrap();
        assert_eq!(free.1.per_hour, Decimal::ZERO, "told as it is, for the caller to judge");
    }

    #[test]
    fn tariffs_of_another_kind_are_passed_over() {
        let usd = json!({ "USD": "98.32" });
        for other in [
            json!({ "operatingSystem": "Windows" }),
            json!({ "tenancy": "Dedicated" }),
            json!({ "capacitystatus": "UnusedCapacityReservation" }),
            json!({ "preInstalledSw": "SQL Std" }),
            json!({ "marketoption": "CapacityBlock" }),
            json!({ "locationType": "AWS Local Zone" }),
        ] {
            assert_eq!(product(&row(other.clone(), "Hrs", usd.clone())), None, "{other}");
        }
        assert_eq!(product(&row(json!({}), "Quantity", usd)), None);
        assert_eq!(product(&row(json!({}), "Hrs", json!({ "USD": "much" }))), None);
        assert_eq!(product(&json!("no json")), None);
    }
}
