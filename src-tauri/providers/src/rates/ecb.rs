//! The ECB's document: three nested elements named `Cube` in a default namespace, single quotes, units per euro.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use gpudesk_core::money::{Currency, RateSheet, RateSource};
use quick_xml::Reader;
use quick_xml::events::Event;
use rust_decimal::Decimal;

use super::document::{attribute, number};
use super::sheet::positive;

pub(super) fn parse(text: &str, now: DateTime<Utc>) -> Result<RateSheet, String> {
    let mut reader = Reader::from_str(text);
    let mut date: Option<NaiveDate> = None;
    let mut per_unit = BTreeMap::new();
    let mut open = 0_usize;
    loop {
        let event = reader.read_event().map_err(|error| format!("broken XML: {error}"))?;
        let element = match &event {
            Event::Start(element) => {
                open += 1;
                element
            }
            Event::Empty(element) => element,
            Event::End(_) => {
                open = open.saturating_sub(1);
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        if element.local_name().into_inner() != "Cube" {
            continue;
        }
        if let Some(time) = attribute(element, "time") {
            if date.is_some() {
                // The files of many days have the newest first.
                break;
            }
            let day = time.parse().map_err(|_| format!("`{time}` is not a date"))?;
            date = Some(day);
        }
        if let (Some(code), Some(rate)) = (attribute(element, "currency"), attribute(element, "rate"))
            && let Ok(currency) = code.parse::<Currency>()
        {
            let units = number(&rate).and_then(|rate| positive(currency, rate))?;
            let euros = Decimal::ONE
                .checked_div(units)
                .ok_or_else(|| format!("the rate of {currency} is {units}"))?;
            per_unit.insert(currency, positive(currency, euros)?);
        }
    }
    let date = date.ok_or("not the ECB's document: no `Cube` with a `time`")?;
    if open > 0 && reader.buffer_position() as usize >= text.len() {
        return Err(format!("the XML breaks off after {} bytes", text.len()));
    }
    Ok(RateSheet { source: RateSource::Ecb, base: Currency::EUR, date, fetched_at: now, per_unit })
}
