//! Rates of many days: what was spent on a day is worth what it was worth then.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::{Currency, Quoted, RateSheet, RateSource, Rates};

/// The sheets at hand, by bank and day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RateHistory {
    ecb: BTreeMap<NaiveDate, RateSheet>,
    cbr: BTreeMap<NaiveDate, RateSheet>,
}

/// The rate of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayQuote {
    /// The rate and its origin.
    pub quoted: Quoted,
    /// Whether it is the oldest one known, and younger than the day: the day's own is not at hand.
    pub is_later: bool,
}

impl RateHistory {
    /// Takes a sheet in; of two of one bank and day the one that was fetched later holds.
    pub fn put(&mut self, sheet: RateSheet) {
        let days = match sheet.source {
            RateSource::Ecb => &mut self.ecb,
            RateSource::Cbr => &mut self.cbr,
        };
        let known = days.get(&sheet.date);
        if known.is_none_or(|known| known.fetched_at <= sheet.fetched_at) {
            days.insert(sheet.date, sheet);
        }
    }

    /// The newest sheets.
    #[must_use]
    pub fn newest(&self) -> Rates {
        let last = |days: &BTreeMap<NaiveDate, RateSheet>| days.values().next_back().cloned();
        Rates { ecb: last(&self.ecb), cbr: last(&self.cbr) }
    }

    /// The rate from one currency to another that held on a day: of the newest sheet that is not younger, since banks
    /// publish none on weekends and holidays, and the banks in the order of [`Rates`]. Where no sheet is so old, the
    /// oldest one, and so marked; `None` where no sheet knows both.
    #[must_use]
    pub fn quote(&self, day: NaiveDate, from: Currency, to: Currency) -> Option<DayQuote> {
        if from == to {
            return Some(DayQuote {
                quoted: Quoted { rate: rust_decimal::Decimal::ONE, origin: None },
                is_later: false,
            });
        }
        let banks = match from == Currency::RUB || to == Currency::RUB {
            true => [&self.cbr, &self.ecb],
            false => [&self.ecb, &self.cbr],
        };
        let of = |sheet: &RateSheet| {
            let origin = Some((sheet.source, sheet.date));
            sheet.rate(from, to).map(|rate| Quoted { rate, origin })
        };
        let held = banks.iter().find_map(|days| days.range(..=day).rev().find_map(|(_, sheet)| of(sheet)));
        if let Some(quoted) = held {
            return Some(DayQuote { quoted, is_later: false });
        }
        let oldest = banks.iter().find_map(|days| days.values().find_map(of))?;
        Some(DayQuote { quoted: oldest, is_later: true })
    }
}

impl From<Rates> for RateHistory {
    fn from(rates: Rates) -> Self {
        let mut history = Self::default();
        [rates.ecb, rates.cbr].into_iter().flatten().for_each(|sheet| history.put(sheet));
        history
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    fn dec(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn sheet(source: RateSource, base: Currency, of: u32, rates: &[(Currency, &str)]) -> RateSheet {
        RateSheet {
            source,
            base,
            date: day(of),
            fetched_at: "2026-11-30T09:00:00Z".parse().unwrap(),
            per_unit: rates.iter().map(|(currency, rate)| (*currency, dec(rate))).collect(),
        }
    }

    fn history() -> RateHistory {
        let mut history = RateHistory::default();
        for (of, usd) in [(6, "80"), (9, "82"), (20, "90")] {
            history.put(sheet(RateSource::Cbr, Currency::RUB, of, &[(Currency::USD, usd)]));
        }
        history.put(sheet(RateSource::Ecb, Currency::EUR, 13, &[(Currency::USD, "0.8")]));
        history
    }

    #[test]
    fn a_day_has_the_rate_that_held_then_and_a_weekend_the_one_before() {
        let history = history();
        let on = |of: u32| history.quote(day(of), Currency::USD, Currency::RUB).unwrap();
        let quote = |of: u32| (on(of).quoted.rate, on(of).quoted.origin.unwrap().1, on(of).is_later);
        assert_eq!(quote(6), (dec("80"), day(6), false));
        assert_eq!(quote(8), (dec("80"), day(6), false), "a Sunday");
        assert_eq!(quote(9), (dec("82"), day(9), false));
        assert_eq!(quote(19), (dec("82"), day(9), false));
        assert_eq!(quote(30), (dec("90"), day(20), false));
        assert_eq!(quote(5), (dec("80"), day(6), true), "the oldest, and marked");
    }

    #[test]
    fn a_currency_that_no_sheet_knows_has_no_rate_and_one_without_conversion_has_one() {
        let history = history();
        assert_eq!(history.quote(day(9), Currency::CNY, Currency::USD), None);
        assert_eq!(RateHistory::default().quote(day(9), Currency::EUR, Currency::USD), None);
        let same = history.quote(day(1), Currency::CNY, Currency::CNY).unwrap();
        assert_eq!((same.quoted.rate, same.quoted.origin, same.is_later), (Decimal::ONE, None, false));
    }

    #[test]
    fn the_newest_sheets_are_the_rates_of_now_and_a_correction_holds() {
        let mut history = history();
        let newest = history.newest();
        assert_eq!((newest.cbr.unwrap().date, newest.ecb.unwrap().date), (day(20), day(13)));
        let mut corrected = sheet(RateSource::Cbr, Currency::RUB, 9, &[(Currency::USD, "83")]);
        let mut older = corrected.clone();
        corrected.fetched_at += chrono::TimeDelta::hours(1);
        older.per_unit = [(Currency::USD, dec("1"))].into();
        older.fetched_at -= chrono::TimeDelta::hours(1);
        history.put(corrected);
        history.put(older);
        let quote = history.quote(day(9), Currency::USD, Currency::RUB).unwrap();
        assert_eq!(quote.quoted.rate, dec("83"));
    }
}
