//! What is billed where it is not the hour: seconds of a worker, or the tokens of a model.
//!
//! Such a price stands on the axis of hourly ones only by an assumption, which is stated here with its source. It is
//! never the price of a card-hour of the same kind: tables keep the two apart.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Seconds of an hour.
const HOUR_S: Decimal = Decimal::from_parts(3600, 0, 0, false, 0);

/// Tokens that a price of tokens is given for.
const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);

/// The tokens that one H100 works through in an hour, by which prices of tokens are compared with those of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenHour {
    /// Tokens read.
    pub input: Decimal,
    /// Tokens written.
    pub output: Decimal,
    /// What was measured, and the page that says so.
    pub source: &'static str,
}

/// 920.9 tokens a second from two H100 are 1,657,620 an hour from one; each request reads ten times what it writes.
pub const TOKEN_HOUR: TokenHour = TokenHour {
    input: Decimal::from_parts(16_576_200, 0, 0, false, 0),
    output: Decimal::from_parts(1_657_620, 0, 0, false, 0),
    source: "Llama 3.3 70B in FP8 on two H100 80GB, 150 requests at a time of 5,000 tokens in and 500 out: 920.9 tokens \
             a second (docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance, NIM 1.8.0)",
};

/// What is billed instead of the hour, in the currency of the price it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "unit", rename_all = "kebab-case")]
pub enum Meter {
    /// A second of the whole offer while a worker runs, its start and idle time included.
    Second {
        /// Price of a second.
        price: Decimal,
    },
    /// A model's tokens.
    Tokens {
        /// Price of a million tokens read.
        input: Decimal,
        /// Price of a million tokens written.
        output: Decimal,
    },
}

impl Meter {
    /// What an hour costs: of a worker that is never idle, or of the tokens of [`TOKEN_HOUR`]. `None` beyond what a
    /// number holds.
    #[must_use]
    pub fn per_hour(&self) -> Option<Decimal> {
        let hour = match self {
            Self::Second { price } => price.checked_mul(HOUR_S)?,
            Self::Tokens { input, output } => {
                let read = input.checked_mul(TOKEN_HOUR.input)?;
                let written = output.checked_mul(TOKEN_HOUR.output)?;
                read.checked_add(written)?.checked_div(MILLION)?
            }
        };
        Some(hour.normalize())
    }

    /// Whether it counts tokens: then no card is rented at all.
    #[must_use]
    pub fn is_tokens(&self) -> bool {
        matches!(self, Self::Tokens { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn the_tokens_of_an_hour_follow_from_what_was_measured() {
        assert_eq!(TOKEN_HOUR.output, dec("920.9") * dec("3600") / dec("2"));
        assert_eq!(TOKEN_HOUR.input, TOKEN_HOUR.output * dec("10"));
    }

    #[test]
    fn an_hour_is_3600_seconds_or_the_tokens_of_one_card() {
        assert_eq!(Meter::Second { price: dec("0.00116") }.per_hour(), Some(dec("4.176")));
        let tokens = Meter::Tokens { input: dec("0.13"), output: dec("0.40") };
        // 16.5762 × 0.13 + 1.65762 × 0.40
        assert_eq!(tokens.per_hour(), Some(dec("2.817954")));
        assert_eq!(Meter::Tokens { input: Decimal::MAX, output: Decimal::ZERO }.per_hour(), None);
    }

    #[test]
    fn a_meter_keeps_its_shape_in_json() {
        let meter = Meter::Tokens { input: dec("0.1"), output: dec("0.3") };
        let text = serde_json::to_string(&meter).unwrap();
        assert_eq!(text, r#"{"unit":"tokens","input":"0.1","output":"0.3"}"#);
        assert_eq!(serde_json::from_str::<Meter>(&text).unwrap(), meter);
    }
}
