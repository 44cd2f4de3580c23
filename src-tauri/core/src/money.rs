//! Money: decimal amounts with their currency, and dated exchange rates between currencies.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

mod currency;
mod history;

pub use currency::{Currency, NotACurrency};
pub use history::{DayQuote, RateHistory};

/// Nano-units in one unit of a currency: how money is kept in columns and in the database.
pub const NANOS: i64 = 1_000_000_000;

/// A decimal as whole nano-units, rounded half to even; `None` outside what an `i64` holds (about nine thousand
/// million units).
#[must_use]
pub fn to_nanos(amount: Decimal) -> Option<i64> {
    amount.checked_mul(Decimal::from(NANOS))?.round().to_i64()
}

/// Nano-units as a decimal without trailing zeros.
#[must_use]
pub fn from_nanos(nanos: i64) -> Decimal {
    Decimal::new(nanos, 9).normalize()
}

/// An amount as it is kept: to nano-units, half to even, without trailing zeros. Providers calculate in binary and send
/// the tail along (`0.07876485000000001`); nobody is billed by it, and two readings of one price must be equal.
#[must_use]
pub fn kept(amount: Decimal) -> Decimal {
    amount.round_dp(9).normalize()
}

/// Where a set of exchange rates came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RateSource {
    /// European Central Bank, euro reference rates (information only; no rouble since March 2022).
    #[serde(rename = "ECB")]
    Ecb,
    /// Bank of Russia, official daily rates.
    #[serde(rename = "CBR")]
    Cbr,
}

impl RateSource {
    /// The short name shown beside a converted figure.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecb => "ECB",
            Self::Cbr => "CBR",
        }
    }
}

/// One day's rates of one bank. `per_unit` holds the value of ONE unit of each currency in the bank's own `base`
/// (ECB: euro, turned round from its "units per euro"; CBR: roubles per unit, its nominal already divided out).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateSheet {
    /// Who published it.
    pub source: RateSource,
    /// The currency the bank quotes in.
    pub base: Currency,
    /// The day the rates are for, by the bank's own calendar (not the day of the call).
    pub date: NaiveDate,
    /// When it was fetched.
    pub fetched_at: DateTime<Utc>,
    /// Value of one unit of the currency in `base`.
    pub per_unit: BTreeMap<Currency, Decimal>,
}

impl RateSheet {
    fn value(&self, currency: Currency) -> Option<Decimal> {
        if currency == self.base {
            return Some(Decimal::ONE);
        }
        self.per_unit.get(&currency).copied().filter(|rate| *rate > Decimal::ZERO)
    }

    /// How many units of `to` one unit of `from` is worth; `None` where the sheet does not know one of them.
    #[must_use]
    pub fn rate(&self, from: Currency, to: Currency) -> Option<Decimal> {
        if from == to {
            return Some(Decimal::ONE);
        }
        self.value(from)?.checked_div(self.value(to)?)
    }
}

/// A rate with its origin: what stands beside every converted figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoted {
    /// Units of the target currency for one unit of the source currency.
    pub rate: Decimal,
    /// Who published it; `None` where no conversion was needed.
    pub origin: Option<(RateSource, NaiveDate)>,
}

/// The rates at hand. Anything to or from the rouble goes by the Bank of Russia, everything else by the ECB, and by
/// the other bank's cross rate only where the first does not know a currency. Without a rate there is no conversion:
/// never a made-up one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// The newest sheet of the ECB.
    pub ecb: Option<RateSheet>,
    /// The newest sheet of the Bank of Russia.
    pub cbr: Option<RateSheet>,
}

impl Rates {
    /// The rate from one currency to another with its origin, or `None` where no sheet knows both.
    #[must_use]
    pub fn quote(&self, from: Currency, to: Currency) -> Option<Quoted> {
        if from == to {
            return Some(Quoted { rate: Decimal::ONE, origin: None });
        }
        let rouble = from == Currency::RUB || to == Currency::RUB;
        let order = if rouble { [&self.cbr, &self.ecb] } else { [&self.ecb, &self.cbr] };
        order.into_iter().flatten().find_map(|sheet| {
            sheet.rate(from, to).map(|rate| Quoted { rate, origin: Some((sheet.source, sheet.date)) })
        })
    }

    /// `amount` of `from` in `to`, not rounded; `None` where no rate is known.
    #[must_use]
    pub fn convert(&self, amount: Decimal, from: Currency, to: Currency) -> Option<Decimal> {
        amount.checked_mul(self.quote(from, to)?.rate)
    }
}

/// An amount as people type it: with either decimal mark, and with spaces, apostrophes or the other mark between
/// thousands. `None` where it is no number, and for one comma with three digits behind it (`1,500`), which one reader
/// takes for a thousand and a half and another for one and a half. A point alone is a decimal mark.
#[must_use]
pub fn typed(text: &str) -> Option<Decimal> {
    let digits: String = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '\'').collect();
    let (commas, points) = (digits.matches(',').count(), digits.matches('.').count());
    let grouped = |mark: char| {
        let mut groups = digits.split(mark);
        let first = groups.next().unwrap_or_default().trim_start_matches('-');
        (1..=3).contains(&first.len())
            && groups.all(|group| group.split(['.', ',']).next().is_some_and(|g| g.len() == 3))
    };
    let plain = match (commas, points) {
        (0, 0 | 1) => digits,
        (1, 0) => {
            let (before, after) = digits.split_once(',')?;
            let whole = before.trim_start_matches('-');
            if after.len() == 3 && !whole.is_empty() && !whole.starts_with('0') && whole.len() <= 3 {
                return None;
            }
            format!("{before}.{after}")
        }
        (_, 0) if grouped(',') => digits.replace(',', ""),
        (0, _) if grouped('.') => digits.replace('.', ""),
        // Both: the last one is the decimal mark, the other parts thousands.
        (1.., 1) if digits.rfind('.') > digits.rfind(',') && grouped(',') => digits.replace(',', ""),
        (1, 1..) if digits.rfind(',') > digits.rfind('.') && grouped('.') => {
            digits.replace('.', "").replace(',', ".")
        }
        _ => return None,
    };
    plain.parse().ok()
}

/// An amount of a currency as services write it: a number, also in scientific form or with the marks that [`typed`]
/// reads, and before or behind it the sign or the code of the currency (`$1.20`, `1.20 USD`). `None` where it is no
/// number, where it may be read in two ways, and where another currency stands there.
#[must_use]
pub fn stated(text: &str, currency: Currency) -> Option<Decimal> {
    let text = text.trim();
    if let Ok(plain) = text.parse() {
        return Some(plain);
    }
    let text = text.to_ascii_uppercase();
    let (minus, mut bare) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text.as_str()),
    };
    let mut marks: Vec<&str> = signs(currency).to_vec();
    marks.push(currency.code());
    if let Some(rest) = marks.iter().find_map(|mark| bare.strip_prefix(*mark)) {
        bare = rest.trim_start();
    }
    if let Some(rest) = marks.iter().find_map(|mark| bare.strip_suffix(*mark)) {
        bare = rest.trim_end();
    }
    let number = format!("{minus}{bare}");
    // What a decimal cannot hold of the tail of a binary fraction (`5.5511151231257827E-17`) is worth nothing.
    let plain = number.parse().or_else(|_| Decimal::from_scientific_lossy(&number));
    plain.ok().or_else(|| typed(&number))
}

/// What stands for a currency beside an amount, the longest first. A sign that several currencies share (`$`, `¥`) is
/// taken for the one that is expected.
fn signs(currency: Currency) -> &'static [&'static str] {
    match currency.code() {
        "USD" => &["US$", "$"],
        "EUR" => &["€"],
        "GBP" => &["£"],
        "RUB" => &["₽"],
        "CNY" | "JPY" => &["¥"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn sheet(source: RateSource, base: Currency, rates: &[(Currency, &str)]) -> RateSheet {
        RateSheet {
            source,
            base,
            date: NaiveDate::from_ymd_opt(2026, 11, 27).unwrap(),
            fetched_at: "2026-11-30T09:00:00Z".parse().unwrap(),
            per_unit: rates.iter().map(|(c, r)| (*c, dec(r))).collect(),
        }
    }

    #[test]
    fn nanos_keep_nine_digits_and_refuse_what_does_not_fit() {
        assert_eq!(to_nanos(dec("0.7467")), Some(746_700_000));
        assert_eq!(to_nanos(dec("0.0000000005")), Some(0), "half to even");
        assert_eq!(to_nanos(dec("0.0000000015")), Some(2));
        assert_eq!(to_nanos(dec("99999999999")), None);
        assert_eq!(from_nanos(746_700_000).to_string(), "0.7467");
        assert_eq!(from_nanos(0).to_string(), "0");
    }

    #[test]
    fn a_binary_tail_is_not_kept() {
        assert_eq!(kept(dec("0.07876485000000001")).to_string(), "0.07876485");
        assert_eq!(kept(dec("0.7466999999999999")).to_string(), "0.7467");
        assert_eq!(kept(dec("2.50")).to_string(), "2.5");
        for text in ["0.0000000005", "0.0000000015", "-0.0000000015", "0.123456789499"] {
            let nanos = to_nanos(dec(text)).unwrap();
            assert_eq!(kept(dec(text)), from_nanos(nanos), "{text}: as the database keeps it");
        }
    }

    #[test]
    fn roubles_go_by_the_bank_of_russia_and_the_rest_by_the_ecb() {
        let rates = Rates {
            ecb: Some(sheet(RateSource::Ecb, Currency::EUR, &[(Currency::USD, "0.8")])),
            cbr: Some(sheet(RateSource::Cbr, Currency::RUB, &[(Currency::USD, "80"), (Currency::EUR, "90")])),
        };
        assert_eq!(rates.convert(dec("2"), Currency::USD, Currency::RUB), Some(dec("160")));
        assert_eq!(rates.convert(dec("160"), Currency::RUB, Currency::USD), Some(dec("2")));
        let quoted = rates.quote(Currency::EUR, Currency::USD).unwrap();
        assert_eq!(quoted.rate, dec("1.25"));
        assert_eq!(quoted.origin.unwrap().0, RateSource::Ecb);
    }

    #[test]
    fn without_a_sheet_nothing_is_converted_but_the_same_currency_always_is() {
        let none = Rates::default();
        assert_eq!(none.convert(dec("100"), Currency::RUB, Currency::USD), None);
        assert_eq!(none.convert(dec("100"), Currency::RUB, Currency::RUB), Some(dec("100")));
    }

    #[test]
    fn an_unknown_currency_falls_back_to_the_other_bank_only_if_it_knows_both() {
        let rates = Rates {
            ecb: Some(sheet(RateSource::Ecb, Currency::EUR, &[(Currency::USD, "0.8")])),
            cbr: Some(sheet(
                RateSource::Cbr,
                Currency::RUB,
                &[("KZT".parse().unwrap(), "0.2"), (Currency::USD, "80")],
            )),
        };
        let tenge: Currency = "KZT".parse().unwrap();
        assert_eq!(rates.convert(dec("400"), tenge, Currency::USD), Some(dec("1")));
        assert_eq!(rates.quote(tenge, Currency::USD).unwrap().origin.unwrap().0, RateSource::Cbr);
        assert_eq!(rates.convert(dec("1"), tenge, Currency::EUR), None);
    }

    #[test]
    fn typed_amounts_are_read_in_one_way_or_not_at_all() {
        let read = |text: &str| typed(text).map(|number| number.to_string());
        for (text, value) in [
            ("30000", "30000"),
            ("2.50", "2.50"),
            ("2,50", "2.50"),
            ("0,875", "0.875"),
            ("1.500", "1.500"),
            ("1 234,50", "1234.50"),
            ("1'234.5", "1234.5"),
            ("1,234.50", "1234.50"),
            ("1.234,50", "1234.50"),
            ("1.234.567,8", "1234567.8"),
            ("1,234,567", "1234567"),
            ("1.234.567", "1234567"),
            ("-1,5", "-1.5"),
            ("12345,678", "12345.678"),
        ] {
            assert_eq!(read(text).as_deref(), Some(value), "{text}");
        }
        for odd in [
            "", "30,000", "1,500", "-1,500", "1,2,3", "1.2.3", "1,23.4", "1.23,4", "1,234,56", "$5", "12%",
            "1e3x",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_amount_is_the_same_in_every_form_that_services_write() {
        let read = |text: &str, currency: &str| {
            stated(text, currency.parse().unwrap()).map(|amount| amount.normalize().to_string())
        };
        for (value, forms) in [
            (
                "1.2",
                [
                    "1.2",
                    "1.20",
                    "$1.20",
                    "$ 1.20",
                    "US$1.20",
                    "1.20 USD",
                    "1.20usd",
                    "USD 1.20",
                    "$1.20 USD",
                    "12e-1",
                ],
            ),
            (
                "-1.2",
                [
                    "-1.2",
                    "-$1.20",
                    "$-1.20",
                    "- $1.20",
                    "-1.20 USD",
                    "USD -1.20",
                    "-1.20$",
                    "-12E-1",
                    " -1.2 ",
                    "-1,2",
                ],
            ),
            (
                "1234.56",
                [
                    "1234.56",
                    "1,234.56",
                    "$1,234.56",
                    "1,234.56 USD",
                    "USD 1,234.56",
                    "1.23456e3",
                    "1'234.56",
                    "1 234,56",
                    "1.234,56",
                    "+1234.56",
                ],
            ),
            (
                "0.0012",
                [
                    "0.0012",
                    ".0012",
                    "$.0012",
                    "1.2e-3",
                    "1.2E-3",
                    "$1.2e-3",
                    "1.2e-3 USD",
                    "0,0012",
                    "USD .0012",
                    "12e-4",
                ],
            ),
        ] {
            for form in forms {
                assert_eq!(read(form, "USD").as_deref(), Some(value), "{form}");
            }
        }
        for (form, currency) in
            [("€1.20", "EUR"), ("1.20 eur", "EUR"), ("1,20 €", "EUR"), ("1,20 ₽", "RUB"), ("¥1.2", "CNY")]
        {
            assert_eq!(read(form, currency).as_deref(), Some("1.2"), "{form}");
            assert_eq!(read(form, "USD"), None, "{form} is no dollars");
        }
        assert_eq!(read("1.20", "EUR").as_deref(), Some("1.2"), "without a word it is what is expected");
        for odd in [
            "",
            " ",
            "$",
            "EUR",
            "-",
            "free",
            "NaN",
            "1.20 USD",
            "USD 1.20",
            "$1.20",
            "1.20 $",
            "--1",
            "€-1-",
            "1,234",
            "1.2.3",
            "1.20 an hour",
            "12%",
            "{\"x\":1}",
            "true",
        ] {
            assert_eq!(read(odd, "EUR"), None, "{odd}");
        }
        assert_eq!(read("-$-1", "USD"), None, "two signs");
        assert_eq!(read("$1,234", "USD"), None, "a thousand and a quarter, or one and a quarter");
        assert_eq!(kept(stated("5.5511151231257827e-17", Currency::USD).unwrap()), Decimal::ZERO);
    }
}
