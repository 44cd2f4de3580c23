//! The public catalogue of OVHcloud: prices without a key, in the currency of a subsidiary, net of taxes
//! (`GET /v1/order/catalog/public/cloud?ovhSubsidiary=FR`).

use std::collections::BTreeMap;

use gpudesk_core::money::Currency;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::names::Named;
use super::prices::Priced;
use crate::http::{Answer, Block, Literal, redact};
use crate::source::SourceError;

/// A price of 1 stands for so many digits behind the point.
const DIGITS: u32 = 8;

/// Where the same machine has another price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Zone {
    Usual,
    Local,
    Three,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'a> {
    #[serde(borrow)]
    locale: Block<Locale<'a>>,
    #[serde(borrow)]
    addons: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[serde(rename_all = "camelCase")]
struct Locale<'a> {
    #[serde(borrow)]
    currency_code: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[serde(rename_all = "camelCase")]
struct Addon<'a> {
    #[serde(borrow)]
    plan_code: Literal<'a>,
    #[serde(borrow)]
    pricings: Option<Vec<Pricing<'a>>>,
    #[serde(borrow)]
    blobs: Option<Blobs<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[serde(rename_all = "camelCase")]
struct Pricing<'a> {
    /// Tells whether an hour, a minute or a month is meant.
    #[serde(borrow)]
    description: Literal<'a>,
    #[serde(borrow)]
    interval_unit: Literal<'a>,
    #[serde(borrow)]
    price: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Blobs<'a> {
    #[serde(borrow)]
    tags: Option<Vec<Literal<'a>>>,
    #[serde(borrow)]
    technical: Option<Technical<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Technical<'a> {
    #[serde(borrow)]
    gpu: Option<Gpu<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Gpu<'a> {
    #[serde(borrow)]
    model: Literal<'a>,
    #[serde(borrow)]
    number: Literal<'a>,
}

/// The hourly prices by flavor and kind of place, and the cards as the catalogue has them.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    prices: BTreeMap<(String, Zone), Priced>,
    cards: BTreeMap<String, Named>,
}

/// The address and the path for a subsidiary: those of the Americas and Asia have a service of their own.
pub(super) fn place(subsidiary: &str) -> (&'static str, String) {
    let letters = subsidiary.chars().filter(char::is_ascii_alphabetic);
    let subsidiary: String = letters.map(|letter| letter.to_ascii_uppercase()).collect();
    let host = match subsidiary.as_str() {
        "CA" | "QC" | "WE" | "WS" | "ASIA" | "AU" | "IN" | "SG" => "https://ca.api.ovh.com",
        _ => "https://eu.api.ovh.com",
    };
    (host, format!("/v1/order/catalog/public/cloud?ovhSubsidiary={subsidiary}"))
}

/// Reads an answer.
pub(super) fn read(answer: &Answer) -> Result<Catalogue, SourceError> {
    let text = answer.json_text();
    let document: Document<'_> = answer.parse(&text)?;
    let currency: Currency = document
        .locale
        .currency_code
        .text()
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| answer.bad("JSON without a currency"))?;
    let addons = document.addons.ok_or_else(|| answer.bad("JSON without `addons`"))?;
    let mut catalogue = Catalogue::default();
    for addon in &addons {
        // One that cannot be read costs only itself.
        if let Ok(addon) = serde_json::from_str::<Addon<'_>>(addon.get()) {
            catalogue.add(&addon, currency);
        }
    }
    Ok(catalogue)
}

impl Catalogue {
    fn add(&mut self, addon: &Addon<'_>, currency: Currency) -> Option<()> {
        let code = addon.plan_code.text()?.to_ascii_lowercase();
        let (flavor, kind) = code.split_once('.')?;
        let zone = match kind {
            "consumption" => Zone::Usual,
            "consumption.lz" | "lz.consumption" => Zone::Local,
            "consumption.3az" | "3az.consumption" => Zone::Three,
            _ => return None,
        };
        let blobs = addon.blobs.as_ref();
        let tags = blobs.and_then(|blobs| blobs.tags.as_deref()).unwrap_or_default();
        if tags.iter().filter_map(|tag| tag.text()).any(|tag| tag == "legacy" || tag == "coming_soon") {
            return None;
        }
        if let Some(gpu) = blobs.and_then(|blobs| blobs.technical.as_ref()?.gpu.as_ref())
            && let (Some(model), Some(count)) = (gpu.model.text(), gpu.number.whole())
            && let Ok(count @ 1..) = u32::try_from(count)
        {
            let card = Named { card: redact::words(&model), count, slice_gib: None };
            self.cards.insert(flavor.to_owned(), card);
        }
        let per_hour = addon.pricings.iter().flatten().find_map(hourly)?;
        self.prices.insert((flavor.to_owned(), zone), Priced { per_hour, currency });
        Some(())
    }

    /// The cards of a flavor.
    pub fn cards(&self, flavor: &str) -> Option<Named> {
        self.cards.get(&flavor.to_ascii_lowercase()).cloned()
    }

    /// The price of a flavor in a region.
    pub fn price(&self, flavor: &str, region: &str) -> Option<Priced> {
        // Regions of one data centre are called GRA11, of three EU-WEST-PAR, local zones EU-WEST-LZ-…
        let zone = match region.contains('-') {
            _ if region.to_ascii_uppercase().split('-').any(|part| part == "LZ") => Zone::Local,
            true => Zone::Three,
            false => Zone::Usual,
        };
        self.prices.get(&(flavor.to_ascii_lowercase(), zone)).copied()
    }
}

/// The price of an hour; `None` for one of a month, of nothing, or of a time nobody names.
fn hourly(pricing: &Pricing<'_>) -> Option<Decimal> {
    let words = [pricing.description, pricing.interval_unit]
        .map(|text| text.text().unwrap_or_default().to_lowercase());
    let says = |word: &str| words.iter().any(|text| text.contains(word));
    let times = match () {
        () if says("month") => return None,
        () if says("minute") => 60,
        () if says("hour") => 1,
        () => return None,
    };
    let price = i64::try_from(pricing.price.whole()?).ok().filter(|price| *price > 0)?;
    Some(Decimal::new(price, DIGITS).checked_mul(Decimal::from(times))?.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue(addons: &str) -> Catalogue {
        let mut catalogue = Catalogue::default();
        let addons: Vec<&RawValue> = serde_json::from_str(addons).unwrap();
        for addon in addons {
            catalogue.add(&serde_json::from_str(addon.get()).unwrap(), Currency::EUR);
        }
        catalogue
    }

    const ADDONS: &str = r#"[
        {"planCode": "h100-380.consumption", "invoiceName": "h100-380",
         "pricings": [{"price": 280000000, "description": "Hourly price", "intervalUnit": "none"}],
         "blobs": {"tags": ["active"], "technical": {"gpu": {"model": "H100", "number": 1, "memory": {"size": 80}}}}},
        {"planCode": "h100-380.monthly.postpaid", "pricings": [{"price": 194000000000, "description": "Monthly price"}]},
        {"planCode": "h100-380.consumption.3AZ", "pricings": [{"price": "310000000", "description": "hour"}]},
        {"planCode": "l4-90.consumption", "pricings": [{"price": 1250000, "description": "per minute"}]},
        {"planCode": "t1-45.consumption", "pricings": [{"price": 170000000, "description": "hour"}],
         "blobs": {"tags": ["legacy"]}},
        {"planCode": "a100-180.consumption", "pricings": [{"price": 275000000, "description": "consumption"}]},
        {"planCode": "l40s-90.LZ.consumption", "pricings": [{"price": 200000000, "description": "hour"}]}
    ]"#;

    fn price(catalogue: &Catalogue, flavor: &str, region: &str) -> Option<String> {
        catalogue.price(flavor, region).map(|priced| priced.per_hour.to_string())
    }

    #[test]
    fn prices_are_whole_numbers_of_the_eighth_digit() {
        let all = catalogue(ADDONS);
        assert_eq!(price(&all, "h100-380", "GRA11").as_deref(), Some("2.8"));
        assert_eq!(price(&all, "H100-380", "EU-WEST-PAR").as_deref(), Some("3.1"), "three data centres");
        assert_eq!(price(&all, "l4-90", "GRA11").as_deref(), Some("0.75"), "sixty minutes");
        assert_eq!(price(&all, "t1-45", "GRA11"), None, "legacy");
        assert_eq!(price(&all, "a100-180", "GRA11"), None, "of what time is not said");
        assert_eq!(price(&all, "l40s-90", "GRA11"), None, "a local zone's only");
        assert_eq!(price(&all, "l40s-90", "EU-SOUTH-LZ-MAD-A").as_deref(), Some("2"));
        let card = all.cards("h100-380").unwrap();
        assert_eq!((card.card.as_str(), card.count), ("H100", 1));
    }

    #[test]
    fn each_subsidiary_has_its_service() {
        assert_eq!(place("fr").1, "/v1/order/catalog/public/cloud?ovhSubsidiary=FR");
        assert_eq!((place("DE").0, place("CA").0), ("https://eu.api.ovh.com", "https://ca.api.ovh.com"));
    }
}
