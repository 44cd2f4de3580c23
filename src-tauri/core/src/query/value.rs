//! Numbers with their units, amounts of money, versions, and the bounds they make.

use std::fmt;

use rust_decimal::Decimal;

use super::column::Number;
use crate::money::Currency;

/// What a comparison asks of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bounds<T> {
    /// This or more.
    AtLeast(T),
    /// More than this.
    Above(T),
    /// This or less.
    AtMost(T),
    /// Less than this.
    Below(T),
    /// Just this. A version is met by every longer one that begins with it.
    Exactly(T),
    /// From the first to the second, both included.
    Between(T, T),
}

impl<T> Bounds<T> {
    /// The same bounds over another kind of value.
    pub fn map<U>(&self, mut change: impl FnMut(&T) -> U) -> Bounds<U> {
        match self {
            Self::AtLeast(v) => Bounds::AtLeast(change(v)),
            Self::Above(v) => Bounds::Above(change(v)),
            Self::AtMost(v) => Bounds::AtMost(change(v)),
            Self::Below(v) => Bounds::Below(change(v)),
            Self::Exactly(v) => Bounds::Exactly(change(v)),
            Self::Between(low, high) => Bounds::Between(change(low), change(high)),
        }
    }

    /// The operator as shown in a chip.
    #[must_use]
    pub fn sign(&self) -> &'static str {
        match self {
            Self::AtLeast(_) => "≥",
            Self::Above(_) => ">",
            Self::AtMost(_) => "≤",
            Self::Below(_) => "<",
            Self::Exactly(_) => "=",
            Self::Between(..) => ":",
        }
    }

    /// Operator and value as typed.
    pub(super) fn typed(&self, show: impl Fn(&T) -> String) -> String {
        match self {
            Self::AtLeast(v) => format!(">={}", show(v)),
            Self::Above(v) => format!(">{}", show(v)),
            Self::AtMost(v) => format!("<={}", show(v)),
            Self::Below(v) => format!("<{}", show(v)),
            Self::Exactly(v) => format!(":{}", show(v)),
            Self::Between(low, high) => format!(":{}..{}", show(low), show(high)),
        }
    }

    /// The value alone, for a chip.
    pub(super) fn shown(&self, show: impl Fn(&T) -> String) -> String {
        match self {
            Self::AtLeast(v) | Self::Above(v) | Self::AtMost(v) | Self::Below(v) | Self::Exactly(v) => {
                show(v)
            }
            Self::Between(low, high) => format!("{}–{}", show(low), show(high)),
        }
    }
}

impl<T: PartialOrd> Bounds<T> {
    /// Whether a value lies within.
    #[must_use]
    pub fn contain(&self, value: &T) -> bool {
        match self {
            Self::AtLeast(v) => value >= v,
            Self::Above(v) => value > v,
            Self::AtMost(v) => value <= v,
            Self::Below(v) => value < v,
            Self::Exactly(v) => value == v,
            Self::Between(low, high) => low <= value && value <= high,
        }
    }
}

/// A version of up to four parts, such as `12.8` or `570.86.10`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version(Vec<u16>);

impl Version {
    /// Reads digits and dots; what follows them (`-server`) is not looked at.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let parts: Option<Vec<u16>> = text[..end].split('.').map(|part| part.parse().ok()).collect();
        parts.filter(|parts| (1..=4).contains(&parts.len())).map(Self)
    }

    /// A number that orders versions part by part; missing parts are zero.
    #[must_use]
    pub fn key(&self) -> u64 {
        (0..4).fold(0, |key, part| (key << 16) | u64::from(self.0.get(part).copied().unwrap_or(0)))
    }

    /// Whether `longer` begins with all parts of this one.
    #[must_use]
    pub fn begins(&self, longer: &Self) -> bool {
        let padded = longer.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().copied().zip(padded).all(|(own, other)| own == other)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{part}")?;
        }
        Ok(())
    }
}

impl Bounds<Version> {
    /// Whether a version lies within.
    #[must_use]
    pub fn contain_version(&self, version: &Version) -> bool {
        match self {
            Self::Exactly(wanted) => wanted.begins(version),
            other => other.map(Version::key).contain(&version.key()),
        }
    }
}

/// A number as typed: digits, perhaps with the sign of a currency or a unit.
pub(super) fn number(column: Number, text: &str) -> Option<(Decimal, Option<Currency>)> {
    let is_figure = |c: char| c.is_ascii_digit() || c == '.';
    let start = text.find(is_figure)?;
    let end = text.rfind(is_figure)? + 1;
    let (before, figure, after) = (&text[..start], &text[start..end], text[end..].trim());
    let value: Decimal = figure.parse().ok()?;
    let (factor, currency) = match column {
        Number::Price | Number::Hour | Number::Total => {
            let currency = match (before, after) {
                ("", "") => None,
                (sign, "") | ("", sign) => Some(currency(sign)?),
                _ => return None,
            };
            return Some((value, currency));
        }
        _ if !before.is_empty() => return None,
        Number::Reliability if after.is_empty() && value <= Decimal::ONE => (Decimal::ONE, None),
        Number::Reliability if after.is_empty() || after == "%" => (Decimal::new(1, 2), None),
        _ => (unit(column, after)?, None),
    };
    Some((value.checked_mul(factor)?.normalize(), currency))
}

/// Whether a word standing alone behind a number is its unit.
pub(super) fn is_unit(column: Number, word: &str) -> bool {
    !word.is_empty()
        && match column {
            Number::Price | Number::Hour | Number::Total => currency(word).is_some(),
            Number::Reliability => word == "%",
            Number::Age => word.chars().count() > 1 && unit(column, word).is_some(),
            _ => unit(column, word).is_some(),
        }
}

fn currency(sign: &str) -> Option<Currency> {
    match sign {
        "$" => Some(Currency::USD),
        "€" => Some(Currency::EUR),
        "₽" | "р" | "руб" => Some(Currency::RUB),
        code => code.parse().ok().filter(|currency: &Currency| CURRENCIES.contains(&currency.code())),
    }
}

/// Currencies that the European Central Bank or the Bank of Russia give a rate for: other three letters behind a
/// number are a word of their own (`price<3 bid`).
const CURRENCIES: [&str; 44] = [
    "AED", "AMD", "AUD", "AZN", "BRL", "BYN", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "GEL",
    "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KGS", "KRW", "KZT", "MDL", "MXN", "MYR", "NOK", "NZD",
    "PHP", "PLN", "RON", "RSD", "RUB", "SEK", "SGD", "THB", "TJS", "TRY", "USD", "UZS", "VND", "ZAR",
];

/// What one of the unit is worth in the column's own unit; an empty unit is the column's own.
fn unit(column: Number, unit: &str) -> Option<Decimal> {
    const HOUR: i64 = 3600;
    let unit = unit.to_lowercase();
    let unit = unit.trim_end_matches("/s").trim_end_matches("ps");
    let factor = match (column, unit) {
        (Number::Age, "" | "h" | "ч") => HOUR,
        (_, "") => 1,
        (Number::Vram | Number::VramTotal | Number::Ram, "g" | "gb" | "gib") => 1,
        (Number::Vram | Number::VramTotal | Number::Ram, "t" | "tb" | "tib") => 1024,
        (Number::Bandwidth | Number::Disk, "g" | "gb") => 1,
        (Number::Bandwidth | Number::Disk, "t" | "tb") => 1000,
        (Number::Down | Number::Up, "m" | "mb" | "mbit") => 1,
        (Number::Down | Number::Up, "g" | "gb" | "gbit") => 1000,
        (Number::Tflops, "tflo" | "tflop" | "tflops") => 1,
        (Number::Age, "s" | "с") => 1,
        (Number::Age, "m" | "min" | "мин") => 60,
        (Number::Age, "d" | "д") => 24 * HOUR,
        _ => return None,
    };
    Some(Decimal::from(factor))
}

/// A number of a column as typed, in the shortest spelling that is read back as the same.
pub(super) fn shown(column: Number, value: Decimal, currency: Option<Currency>) -> String {
    if let Some(currency) = currency {
        return format!("{}{}", value.normalize(), currency.code().to_lowercase());
    }
    if column == Number::Age {
        for (unit, seconds) in [("d", 86_400), ("h", 3600), ("m", 60)] {
            let whole = value / Decimal::from(seconds);
            if whole.is_integer() && !whole.is_zero() {
                return format!("{}{unit}", whole.normalize());
            }
        }
        return format!("{}s", value.normalize());
    }
    value.normalize().to_string()
}
