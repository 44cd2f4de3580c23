//! When a new sheet of rates is believed.

use chrono::{DateTime, Days, Utc};
use gpudesk_core::money::{Currency, RateSheet, RateSource};
use rust_decimal::Decimal;

/// A daily sheet has 30 (ECB) or 54 (Bank of Russia) currencies.
const FEWEST: usize = 10;

/// A main rate that moves further than this between two sheets is a mistake until somebody looks.
const FARTHEST_PERCENT: i64 = 30;

/// Over the January holidays the Bank of Russia dates a sheet up to 12 days ahead.
const FARTHEST_AHEAD: Days = Days::new(14);

/// Why the sheet is not believed, in a phrase.
pub(super) fn believe(
    sheet: &RateSheet,
    previous: Option<&RateSheet>,
    now: DateTime<Utc>,
) -> Result<(), String> {
    if sheet.per_unit.len() < FEWEST {
        return Err(format!("only {} rates, at least {FEWEST} are expected", sheet.per_unit.len()));
    }
    if !sheet.per_unit.contains_key(&Currency::USD) {
        return Err("no rate of the US dollar".to_owned());
    }
    if sheet.date > now.date_naive() + FARTHEST_AHEAD {
        return Err(format!("dated {}, which is far ahead", sheet.date));
    }
    let Some(previous) = previous else { return Ok(()) };
    if sheet.date < previous.date {
        return Err(format!("dated {}, older than the rates of {} at hand", sheet.date, previous.date));
    }
    for currency in [Currency::USD, Currency::EUR, Currency::CNY] {
        let (Some(old), Some(new)) = (quoted(previous, currency), quoted(sheet, currency)) else { continue };
        if ((new - old) * Decimal::ONE_HUNDRED).abs() > old * Decimal::from(FARTHEST_PERCENT) {
            return Err(format!(
                "{currency} went from {} to {}, more than {FARTHEST_PERCENT} %",
                old.round_dp(4).normalize(),
                new.round_dp(4).normalize()
            ));
        }
    }
    Ok(())
}

/// The rate as its bank quotes it: roubles per unit, or units per euro.
fn quoted(sheet: &RateSheet, currency: Currency) -> Option<Decimal> {
    let per_unit = sheet.per_unit.get(&currency).copied()?;
    match sheet.source {
        RateSource::Cbr => Some(per_unit),
        RateSource::Ecb => Decimal::ONE.checked_div(per_unit),
    }
}

/// A positive rate, or why it is none.
pub(super) fn positive(currency: Currency, rate: Decimal) -> Result<Decimal, String> {
    if rate > Decimal::ZERO {
        Ok(rate)
    } else {
        Err(format!("the rate of {currency} is {}", rate.normalize()))
    }
}
