//! Currencies: which there are, and about what a dollar is worth in each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The currencies of ISO 4217 that are in use, without funds, metals and the codes for tests, and the special drawing
/// right that banks quote (list one of <https://www.six-group.com/en/products-services/financial-information/data-standards.html>).
const ISO_4217: &str = "\
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP \
    CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF \
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD \
    MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB \
    RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD \
    UYU UZS VED VES VND VUV WST XAF XCD XCG XDR XOF XPF YER ZAR ZMW ZWG";

/// About how many units of a currency a dollar was worth in 2023 to 2026, to one or two figures. They convert nothing:
/// they only tell a price in cents, by the month or in another currency from a price, which needs no more.
const TO_A_DOLLAR: [(&str, f64); 38] = [
    ("AED", 3.7),
    ("AUD", 1.5),
    ("BGN", 1.8),
    ("BRL", 5.5),
    ("BYN", 3.2),
    ("CAD", 1.4),
    ("CHF", 0.9),
    ("CNY", 7.2),
    ("CZK", 23.0),
    ("DKK", 6.9),
    ("EUR", 0.9),
    ("GBP", 0.8),
    ("HKD", 7.8),
    ("HUF", 360.0),
    ("IDR", 16_000.0),
    ("ILS", 3.6),
    ("INR", 85.0),
    ("JPY", 150.0),
    ("KRW", 1_400.0),
    ("KZT", 500.0),
    ("MXN", 18.0),
    ("MYR", 4.4),
    ("NOK", 10.5),
    ("NZD", 1.7),
    ("PHP", 57.0),
    ("PLN", 4.0),
    ("RON", 4.6),
    ("RUB", 85.0),
    ("SAR", 3.75),
    ("SEK", 10.0),
    ("SGD", 1.3),
    ("THB", 34.0),
    ("TRY", 35.0),
    ("TWD", 32.0),
    ("UAH", 41.0),
    ("USD", 1.0),
    ("UZS", 12_500.0),
    ("VND", 25_500.0),
];

/// An ISO 4217 currency code: three upper-case letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// United States dollar: what most clouds bill in.
    pub const USD: Self = Self(*b"USD");
    /// Euro.
    pub const EUR: Self = Self(*b"EUR");
    /// Russian rouble.
    pub const RUB: Self = Self(*b"RUB");
    /// Chinese yuan.
    pub const CNY: Self = Self(*b"CNY");

    /// About how many units a dollar is worth: for judging whether a price can be one, never for converting it. `None`
    /// where we do not know.
    #[must_use]
    pub fn rough_to_a_dollar(self) -> Option<f64> {
        TO_A_DOLLAR.iter().find(|(code, _)| *code == self.code()).map(|(_, units)| *units)
    }

    /// The three letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("???")
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why a text is not a currency code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a currency: three letters such as USD, EUR or RUB are expected")]
pub struct NotACurrency(pub String);

impl FromStr for Currency {
    type Err = NotACurrency;

    /// Reads what somebody wrote: a currency of ISO 4217.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let currency = letters(text)?;
        let is_one = ISO_4217.split_ascii_whitespace().any(|code| code == currency.code());
        if is_one { Ok(currency) } else { Err(NotACurrency(text.to_owned())) }
    }
}

impl TryFrom<String> for Currency {
    type Error = NotACurrency;

    /// Reads what was kept: whatever it was once taken for, a row with it must not become unreadable.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        letters(&text)
    }
}

fn letters(text: &str) -> Result<Currency, NotACurrency> {
    match text.trim().as_bytes() {
        [a, b, c] if [a, b, c].iter().all(|l| l.is_ascii_alphabetic()) => {
            Ok(Currency([a.to_ascii_uppercase(), b.to_ascii_uppercase(), c.to_ascii_uppercase()]))
        }
        _ => Err(NotACurrency(text.to_owned())),
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_one_of_iso_4217() {
        assert_eq!("usd".parse::<Currency>(), Ok(Currency::USD));
        assert!("US".parse::<Currency>().is_err());
        for none in ["US1", "ZZZ", "RUR", "XTS", "BTC", "₽", "", "US DOLLAR"] {
            assert_eq!(none.parse::<Currency>(), Err(NotACurrency(none.to_owned())));
        }
        assert_eq!(Currency::try_from("ZZZ".to_owned()).map(String::from), Ok("ZZZ".to_owned()), "once kept");
    }

    #[test]
    fn what_a_dollar_is_worth_is_said_of_currencies_that_there_are() {
        for (code, units) in TO_A_DOLLAR {
            assert_eq!(code.parse::<Currency>().unwrap().rough_to_a_dollar(), Some(units));
        }
        let tugrik: Currency = "MNT".parse().unwrap();
        assert_eq!(tugrik.rough_to_a_dollar(), None);
    }
}
