//! Prices of power and of hardware that public sources state, each with its date.

use std::sync::OnceLock;

use rust_decimal::Decimal;

use crate::embedded::rows;
use crate::money::Currency;

const POWER: &str = include_str!("../../data/power-prices.csv");
const PURCHASE: &str = include_str!("../../data/purchase-prices.csv");

/// What a kWh costs somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PowerPrice {
    /// Where: a country of ISO 3166-1, a part of one of ISO 3166-2, or `EU`.
    pub place: &'static str,
    /// Its English name.
    pub name_en: &'static str,
    /// Its Russian name.
    pub name_ru: &'static str,
    /// Price of a kWh.
    pub per_kwh: Decimal,
    /// Its currency.
    pub currency: Currency,
    /// Year or month that it is of.
    pub dated: &'static str,
    /// Whose price it is.
    pub covers: &'static str,
    /// Who states it.
    pub source: &'static str,
}

/// What a card costs to buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchasePrice {
    /// The model of the GPU table.
    pub model: &'static str,
    /// Price of one.
    pub price: Decimal,
    /// The least and the most that the source states; the price itself where it states one figure.
    pub range: Option<(Decimal, Decimal)>,
    /// Its currency.
    pub currency: Currency,
    /// Month that it is of.
    pub dated: &'static str,
    /// What it is the price of.
    pub covers: &'static str,
    /// Who states it.
    pub source: &'static str,
}

/// Every price of power, by place.
#[must_use]
pub fn power_prices() -> &'static [PowerPrice] {
    static TABLE: OnceLock<Vec<PowerPrice>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let row = |[place, name_en, name_ru, per_kwh, currency, dated, covers, source]: [&'static str; 8]| {
            let (per_kwh, currency) = (per_kwh.parse().ok()?, currency.parse().ok()?);
            Some(PowerPrice { place, name_en, name_ru, per_kwh, currency, dated, covers, source })
        };
        rows::<8>(POWER).into_iter().filter_map(row).collect()
    })
}

/// The price of power at a place, by its code.
#[must_use]
pub fn power_price(place: &str) -> Option<&'static PowerPrice> {
    power_prices().iter().find(|price| price.place.eq_ignore_ascii_case(place))
}

fn purchase_prices() -> &'static [PurchasePrice] {
    static TABLE: OnceLock<Vec<PurchasePrice>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let row = |[model, price, low, high, currency, dated, covers, source]: [&'static str; 8]| {
            let (price, currency) = (price.parse().ok()?, currency.parse().ok()?);
            let range = low.parse().ok().zip(high.parse().ok());
            Some(PurchasePrice { model, price, range, currency, dated, covers, source })
        };
        rows::<8>(PURCHASE).into_iter().filter_map(row).collect()
    })
}

/// What a model of the GPU table costs to buy, where a public source states it.
#[must_use]
pub fn purchase_price(model: &str) -> Option<&'static PurchasePrice> {
    purchase_prices().iter().find(|price| price.model == model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu;

    #[test]
    fn every_row_of_both_tables_reads_and_names_its_source_and_date() {
        let lines = |text: &str| text.lines().count() - 1;
        assert_eq!(power_prices().len(), lines(POWER));
        assert_eq!(purchase_prices().len(), lines(PURCHASE));
        for price in power_prices() {
            assert!(
                price.dated.len() >= 4 && !price.source.is_empty() && !price.covers.is_empty(),
                "{price:?}"
            );
            assert!(price.per_kwh > Decimal::ZERO && !price.name_ru.is_empty(), "{price:?}");
        }
        for price in purchase_prices() {
            assert!(gpu::model(price.model).is_some(), "{} is no model of the table", price.model);
            assert!(price.dated.len() >= 4 && !price.source.is_empty(), "{price:?}");
            let (low, high) = price.range.unwrap_or((price.price, price.price));
            assert!(low <= price.price && price.price <= high, "{price:?}");
        }
    }

    #[test]
    fn a_price_nobody_states_is_not_known() {
        assert_eq!(purchase_price("A16"), None);
        assert_eq!(power_price("AQ"), None);
        assert_eq!(power_price("us-tx").map(|price| price.per_kwh), Some("0.0882".parse().unwrap()));
    }
}
