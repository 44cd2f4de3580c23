//! The Bank of Russia's document: `ValCurs` with one `Valute` a currency, roubles for `Nominal` units.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use gpudesk_core::money::{Currency, RateSheet, RateSource};
use quick_xml::Reader;
use quick_xml::events::Event;
use rust_decimal::Decimal;

use super::document::{attribute, number};
use super::sheet::positive;

/// The texts of one `Valute`.
#[derive(Default)]
struct Valute {
    code: String,
    nominal: String,
    value: String,
    per_unit: String,
}

impl Valute {
    fn field(&mut self, name: &str) -> Option<&mut String> {
        match name {
            "CharCode" => Some(&mut self.code),
            "Nominal" => Some(&mut self.nominal),
            "Value" => Some(&mut self.value),
            "VunitRate" => Some(&mut self.per_unit),
            _ => None,
        }
    }

    /// Roubles for one unit: `Value` ÷ `Nominal`. The nominal of a currency changes over time, so it is read in every
    /// record; `VunitRate` (absent in older documents) says the same and must not say anything else.
    fn rate(&self, currency: Currency) -> Result<Decimal, String> {
        let nominal = number(&self.nominal).and_then(|nominal| positive(currency, nominal))?;
        let value = number(&self.value).and_then(|value| positive(currency, value))?;
        let rate =
            value.checked_div(nominal).ok_or_else(|| format!("the nominal of {currency} is {nominal}"))?;
        if !self.per_unit.trim().is_empty() {
            let stated = number(&self.per_unit)?;
            if (stated - rate).abs() * Decimal::ONE_THOUSAND > rate {
                return Err(format!("{currency}: {value} for {nominal} units, but {stated} for one"));
            }
        }
        Ok(rate)
    }
}

pub(super) fn parse(text: &str, now: DateTime<Utc>) -> Result<RateSheet, String> {
    let mut reader = Reader::from_str(text);
    let mut date: Option<NaiveDate> = None;
    let mut per_unit = BTreeMap::new();
    let mut valute = Valute::default();
    let mut field = String::new();
    let mut complete = false;
    loop {
        match reader.read_event().map_err(|error| format!("broken XML: {error}"))? {
            Event::Start(element) | Event::Empty(element) => {
                let name = element.local_name().into_inner();
                if name == "ValCurs" {
                    let day = attribute(&element, "Date").ok_or("the document has no date")?;
                    date = Some(
                        NaiveDate::parse_from_str(&day, "%d.%m.%Y")
                            .map_err(|_| format!("`{day}` is not a date"))?,
                    );
                    complete = false;
                } else if name == "Valute" {
                    valute = Valute::default();
                }
                name.clone_into(&mut field);
            }
            Event::Text(text) => {
                if let Some(slot) = valute.field(&field) {
                    slot.push_str(text.trim());
                }
            }
            Event::End(element) => {
                let name = element.local_name();
                match name.into_inner() {
                    "Valute" => {
                        if let Ok(currency) = valute.code.parse::<Currency>() {
                            per_unit.insert(currency, valute.rate(currency)?);
                        }
                    }
                    "ValCurs" => complete = true,
                    _ => {}
                }
                field.clear();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let date = date.ok_or("not the Bank of Russia's document: no `ValCurs`")?;
    if per_unit.is_empty() {
        return Err("the document holds no rates".to_owned());
    }
    if !complete {
        return Err(format!("the XML breaks off after {} bytes", text.len()));
    }
    Ok(RateSheet { source: RateSource::Cbr, base: Currency::RUB, date, fetched_at: now, per_unit })
}
