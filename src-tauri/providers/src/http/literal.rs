//! Values as they literally stand in a JSON text, for answers whose fields change type, come as numbers with long
//! binary tails, or are not JSON at all (`NaN`). One odd field never costs the row, and one odd row never the answer.

use std::borrow::Cow;

use gpudesk_core::money::{Currency, kept, stated, to_nanos};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The text of one JSON value; absent and `null` are the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct Literal<'a>(Option<&'a str>);

impl<'de: 'a, 'a> Deserialize<'de> for Literal<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Option::<&'a RawValue>::deserialize(deserializer)?;
        Ok(Self(raw.map(|raw| raw.get().trim()).filter(|text| *text != "null")))
    }
}

impl<'a> Literal<'a> {
    /// The value as text: a string without its quotes, anything else as it stands. `None` for an empty string.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        let literal = self.0?;
        let text = if literal.starts_with('"') {
            Cow::Owned(serde_json::from_str::<String>(literal).ok()?.trim().to_owned())
        } else {
            Cow::Borrowed(literal)
        };
        (!text.is_empty()).then_some(text)
    }

    /// The value as it stands in the JSON text, a string with its quotes.
    #[must_use]
    pub fn raw(self) -> Option<&'a str> {
        self.0
    }

    /// The value read as an object of its own; the default where it is none.
    #[must_use]
    pub fn object<T: Deserialize<'a> + Default>(self) -> T {
        self.0.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// The exact decimal; `None` where it is no number.
    #[must_use]
    pub fn decimal(self) -> Option<Decimal> {
        let text = self.text()?;
        text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()
    }

    /// An amount of a currency, in whatever form it is written ([`stated`]), not rounded; `None` where it is no amount
    /// or one of another currency.
    #[must_use]
    pub fn amount(self, currency: Currency) -> Option<Decimal> {
        stated(&self.text()?, currency)
    }

    /// The same as it is kept; `None` also beyond what is kept, so that amounts can be added up.
    #[must_use]
    pub fn money(self, currency: Currency) -> Option<Decimal> {
        self.amount(currency).map(kept).filter(|amount| to_nanos(*amount).is_some())
    }

    /// A finite number.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        self.text()?.parse::<f64>().ok().filter(|number| number.is_finite())
    }

    /// A number above zero: for sizes and speeds, where zero and less mean that nobody measured.
    #[must_use]
    pub fn positive(self) -> Option<f64> {
        self.number().filter(|number| *number > 0.0)
    }

    /// A whole number, also when written as `2.0`.
    #[must_use]
    pub fn whole(self) -> Option<u64> {
        let number = self.decimal()?;
        if number.is_integer() { number.normalize().to_string().parse().ok() } else { None }
    }

    /// An id as it stands in paths: a number without a fraction as its digits (`31881234.0` is 31881234), else the text.
    #[must_use]
    pub fn id(self) -> Option<Cow<'a, str>> {
        match self.0?.starts_with('"') {
            true => self.text(),
            false => self.whole().map(|id| Cow::Owned(id.to_string())),
        }
    }

    /// True or false, also when written as 1 or 0.
    #[must_use]
    pub fn flag(self) -> Option<bool> {
        match self.text()?.as_ref() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
}

/// The text with bare `NaN`, `Infinity` and `-Infinity` put in quotes. Some servers write them although JSON has no
/// such numbers, and a single one would make the whole answer unreadable.
pub(super) fn quote_non_numbers(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];
    if !WORDS.iter().any(|word| text.contains(word)) {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find(['"', 'N', 'I', '-']) {
        let (before, from) = rest.split_at(at);
        quoted.push_str(before);
        if let Some(word) = WORDS.iter().find(|word| from.starts_with(**word)) {
            quoted.push('"');
            quoted.push_str(word);
            quoted.push('"');
            rest = &from[word.len()..];
        } else {
            let end = if from.starts_with('"') { string_end(from) } else { 1 };
            quoted.push_str(&from[..end]);
            rest = &from[end..];
        }
    }
    quoted.push_str(rest);
    Cow::Owned(quoted)
}

/// Length of the JSON string at the beginning of `text`, quotes included.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row<'a> {
        #[serde(borrow, default)]
        a: Literal<'a>,
        #[serde(borrow, default)]
        b: Literal<'a>,
    }

    fn a(text: &str) -> Row<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_value_is_read_from_its_literal_text() {
        let row = a(r#"{"a": 0.74670000000000003, "z": [1]}"#);
        assert_eq!(row.a.decimal().unwrap().to_string(), "0.74670000000000003");
        assert!(row.b.text().is_none());
        assert_eq!(row.a.money(Currency::USD).unwrap().to_string(), "0.7467");
        assert_eq!(a(r#"{"a":1e20}"#).a.money(Currency::USD), None, "no amount of any currency");
        assert_eq!(a(r#"{"a":"0.2"}"#).a.decimal().unwrap().to_string(), "0.2");
        assert_eq!(a(r#"{"a":1.5e-3}"#).a.decimal().unwrap().to_string(), "0.0015");
        assert_eq!(a(r#"{"a":2.0}"#).a.whole(), Some(2));
        assert_eq!(a(r#"{"a":2.5}"#).a.whole(), None);
        assert_eq!(a(r#"{"a":-1}"#).a.whole(), None);
        assert_eq!(a(r#"{"a":{"x":1}}"#).a.number(), None);
        assert_eq!(a(r#"{"a":" x \u00e9"}"#).a.text().unwrap(), "x é");
        assert_eq!(a(r#"{"a":null}"#).a.text(), None);
        assert_eq!(a(r#"{"a":0}"#).a.positive(), None);
        assert_eq!(a(r#"{"a":1}"#).a.flag(), Some(true));
        assert_eq!(a(r#"{"a":"maybe"}"#).a.flag(), None);
    }

    #[test]
    fn money_is_read_whatever_form_it_has_and_never_as_another_currency() {
        for form in
            ["1.2", "1.20", "12e-1", "\"1.2\"", "\"$1.20\"", "\"1.20 USD\"", "\"USD 1.20\"", "\" 1.2 \""]
        {
            let text = format!("{{\"a\":{form}}}");
            assert_eq!(a(&text).a.money(Currency::USD).unwrap().to_string(), "1.2", "{form}");
        }
        for form in
            ["\"€1.20\"", "\"1.20 EUR\"", "\"1,234\"", "\"\"", "null", "true", "[1]", "{\"x\":1}", "\"NaN\""]
        {
            let text = format!("{{\"a\":{form}}}");
            assert_eq!(a(&text).a.money(Currency::USD), None, "{form}");
        }
        let exact = a(r#"{"a":"0.00000000012 USD"}"#).a;
        assert_eq!(exact.amount(Currency::USD).unwrap().to_string(), "0.00000000012", "of one token");
    }

    #[test]
    fn non_numbers_are_quoted_outside_of_strings_only() {
        let text = r#"{"a":NaN,"b":[-Infinity, Infinity,-1],"c":"NaN \" NaN","N":"I"}"#;
        let quoted = quote_non_numbers(text);
        assert_eq!(quoted, r#"{"a":"NaN","b":["-Infinity", "Infinity",-1],"c":"NaN \" NaN","N":"I"}"#);
        assert_eq!(a(&quote_non_numbers(r#"{"a":NaN}"#)).a.number(), None);
        assert!(matches!(quote_non_numbers(r#"{"a":1}"#), Cow::Borrowed(_)));
        assert_eq!(quote_non_numbers("NaN\"cut"), "\"NaN\"\"cut");
    }
}
