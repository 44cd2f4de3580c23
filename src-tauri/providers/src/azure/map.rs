//! From a row of the price list to an offer. The list has no fact of any card: they come from the table of sizes that
//! ships with the desk.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, PriceKind, Source};
use gpudesk_core::place;
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;

use super::wire::Item;
use crate::catalogue::listing::{Listing, Memory, Tariff};
use crate::catalogue::shipped::{Machine, machines};
use crate::entry;
use crate::http::redact;

pub(super) const PROVIDER: &str = "azure";

/// The rows of the list.
#[derive(Default)]
pub(super) struct List {
    /// Each with how well its product names it, for the choice between two prices of one thing.
    rows: Vec<(Claim, Row)>,
    /// Rows of other meters, by what they are.
    others: BTreeMap<&'static str, u64>,
    has_spot: bool,
}

/// Of two prices of one thing the one of the plain product stands, the lower of two plain ones, and the higher where
/// neither is: the other is probably a cloud service's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    is_other_product: bool,
    price: Decimal,
}

impl List {
    /// Takes one row as it was sent.
    pub(super) fn take(&mut self, json: &str, now: DateTime<Utc>) {
        let at = self.rows.len() + 1;
        let item: Item<'_> = match entry::read(json, "a price") {
            Ok(item) => item,
            Err(words) => return self.keep_bad(format!("row {at}"), ReasonCode::Unreadable, words),
        };
        if let Some(other) = other_meter(&item, now) {
            *self.others.entry(other).or_default() += 1;
            self.rows.push((Claim { is_other_product: true, price: Decimal::ZERO }, Row::NotGpu));
            return;
        }
        let text = |value: crate::http::Literal<'_>| value.text().map(|text| redact::words(&text));
        let (Some(size), Some(region)) = (text(item.arm_sku_name), text(item.arm_region_name)) else {
            return self.keep_bad(
                format!("row {at}"),
                ReasonCode::Unreadable,
                "no size or no region".to_owned(),
            );
        };
        let origin = format!("{size} in {region}, row {at}");
        let tariff = match tariff(&item) {
            Ok(tariff) => tariff,
            Err((code, detail)) => return self.keep_bad(origin, code, detail),
        };
        self.has_spot |= tariff.kind == PriceKind::Spot;
        let product = item.product_name.text().unwrap_or_default();
        let is_other_product = !product.starts_with("Virtual Machines");
        let claim = Claim {
            is_other_product,
            price: if is_other_product { -tariff.per_hour } else { tariff.per_hour },
        };
        self.rows.push((claim, row(&size, &region, tariff, origin)));
    }

    fn keep_bad(&mut self, origin: String, code: ReasonCode, detail: String) {
        let claim = Claim { is_other_product: true, price: Decimal::ZERO };
        self.rows.push((claim, Row::bad(origin, code, detail)));
    }

    /// Whether there is not a single price of a machine with cards.
    pub(super) fn is_empty(&self) -> bool {
        !self.rows.iter().any(|(_, row)| matches!(row, Row::Offers { .. }))
    }

    /// The rows, those that claim best first: of two with one id the first stands, the other is set aside.
    pub(super) fn into_rows(mut self) -> impl Iterator<Item = Row> {
        self.rows.sort_by(|a, b| a.0.cmp(&b.0));
        self.rows.into_iter().map(|(_, row)| row)
    }

    /// What is worth telling besides.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.others.is_empty() {
            let list: Vec<String> = self.others.iter().map(|(what, rows)| format!("{rows} {what}")).collect();
            notes.push(format!("rows without an offer of their own: {}", list.join(", ")));
        }
        if self.has_spot {
            notes.push(
                "spot prices of this list are indicative; the portal shows the ones in force".to_owned(),
            );
        }
        notes
    }
}

/// What else a row is, where it is no price that everybody pays now for a machine without a licence.
fn other_meter(item: &Item<'_>, now: DateTime<Utc>) -> Option<&'static str> {
    let has =
        |value: crate::http::Literal<'_>, word: &str| value.text().is_some_and(|text| text.contains(word));
    let starts = item.effective_start_date.text();
    let starts = starts.and_then(|text| DateTime::parse_from_rfc3339(&text).ok());
    if has(item.product_name, "Windows") {
        Some("of Windows")
    } else if has(item.meter_name, "Low Priority") || has(item.product_name, "Low Priority") {
        Some("of low priority, which is retired")
    } else if has(item.product_name, "Dedicated") {
        Some("of dedicated hosts")
    } else if has(item.kind, "DevTest") {
        Some("for development and test subscriptions")
    } else if starts.is_some_and(|start| start.to_utc() > now) {
        Some("not in force yet")
    } else if item.tier_minimum_units.decimal().is_some_and(|units| units > Decimal::ZERO) {
        Some("of larger quantities")
    } else if item.service_name.text().is_some_and(|name| name != "Virtual Machines") {
        Some("of other services")
    } else {
        None
    }
}

/// The price of a row per hour, and on what terms.
fn tariff(item: &Item<'_>) -> Result<Tariff, (ReasonCode, String)> {
    let unreadable = |detail: String| (ReasonCode::Unreadable, detail);
    let word =
        |value: crate::http::Literal<'_>| value.text().map(|text| redact::words(&text)).unwrap_or_default();
    let currency = word(item.currency_code);
    if currency != Currency::USD.code() {
        return Err(unreadable(format!("currency `{currency}` where USD was asked for")));
    }
    let stated = word(item.retail_price);
    let amount = price(&stated).map_err(|reason| (reason.code, reason.detail))?;
    let kind = word(item.kind);
    if kind == "Reservation" {
        let term = word(item.reservation_term);
        let (months, name) = match term.as_str() {
            "1 Year" => (12, "12 months"),
            "3 Years" => (36, "36 months"),
            other => return Err(unreadable(format!("reserved for `{other}`"))),
        };
        let month_hours = terms(PROVIDER).and_then(|terms| terms.month_hours);
        let hours = month_hours.map(|hours| Decimal::from(hours * months));
        let per_hour = hours.and_then(|hours| amount.checked_div(hours));
        let per_hour =
            per_hour.ok_or_else(|| unreadable("the hours of the term are not known".to_owned()))?;
        return Ok(Tariff { kind: PriceKind::Reserved, per_hour, term: Some(name) });
    }
    // On what terms another kind of price is to be had is not known: it is nobody's price on demand.
    if kind != "Consumption" {
        return Err(unreadable(format!("a price of the kind `{kind}`")));
    }
    let unit = word(item.unit_of_measure);
    if unit != "1 Hour" {
        return Err(unreadable(format!("priced per `{unit}`, not per hour")));
    }
    let is_spot = word(item.meter_name).contains("Spot");
    let kind = if is_spot { PriceKind::Spot } else { PriceKind::OnDemand };
    Ok(Tariff { kind, per_hour: amount, term: None })
}

fn row(size: &str, region: &str, tariff: Tariff, origin: String) -> Row {
    let Some(machine) = sizes().get(size) else {
        let detail = format!("which cards {size} has is not in the table of sizes");
        return Row::bad(origin, ReasonCode::CountImpossible, detail);
    };
    let Some(cards) = machine.cards else {
        let detail = format!("how many {} {size} has is not published", machine.card);
        return Row::bad(origin, ReasonCode::CountImpossible, detail);
    };
    let listing = Listing {
        provider: PROVIDER,
        cloud: PROVIDER,
        machine: size,
        card: &machine.card,
        cards,
        memory: Memory::default(),
        vcpu: machine.vcpu,
        ram_gib: machine.ram_gib,
        disk_gb: None,
        region,
        country: place::locate(PROVIDER, region).country,
        variant: "",
        says_nvlink: false,
        is_cluster: false,
        currency: Currency::USD,
        prices: vec![tariff],
    };
    match listing.into_row(|| origin) {
        Row::Offers { origin, offers } => {
            let live = |offer| Offer { source: Source::Live, ..offer };
            Row::Offers { origin, offers: offers.into_iter().map(live).collect() }
        }
        other => other,
    }
}

fn sizes() -> &'static BTreeMap<String, Machine> {
    static SIZES: OnceLock<BTreeMap<String, Machine>> = OnceLock::new();
    SIZES.get_or_init(|| machines(PROVIDER))
}
