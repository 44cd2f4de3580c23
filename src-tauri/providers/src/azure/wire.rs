//! The rows of the price list as they are sent.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::Literal;

/// A page.
#[derive(Debug, Deserialize)]
pub(super) struct Page<'a> {
    #[serde(borrow, rename = "Items", default)]
    pub items: Option<Vec<&'a RawValue>>,
    /// Absent, null or empty at the end.
    #[serde(borrow, rename = "NextPageLink", default)]
    pub next_page_link: Literal<'a>,
}

/// A price.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Item<'a> {
    #[serde(borrow)]
    pub currency_code: Literal<'a>,
    #[serde(borrow)]
    pub retail_price: Literal<'a>,
    #[serde(borrow)]
    pub unit_of_measure: Literal<'a>,
    #[serde(borrow)]
    pub arm_region_name: Literal<'a>,
    #[serde(borrow)]
    pub arm_sku_name: Literal<'a>,
    #[serde(borrow)]
    pub product_name: Literal<'a>,
    #[serde(borrow)]
    pub meter_name: Literal<'a>,
    #[serde(borrow)]
    pub service_name: Literal<'a>,
    /// `Consumption`, `Reservation`, `DevTestConsumption`.
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
    /// `1 Year`, `3 Years`: the price is that of the whole term.
    #[serde(borrow)]
    pub reservation_term: Literal<'a>,
    #[serde(borrow)]
    pub effective_start_date: Literal<'a>,
    /// Above zero: the price begins at this many units.
    #[serde(borrow)]
    pub tier_minimum_units: Literal<'a>,
}
