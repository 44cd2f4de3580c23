//! Words and figures of a plan's request, as people type them.

use std::str::FromStr;

use gpudesk_core::plan::{Method, Precision, Task};

use crate::desk::ApiError;

/// A number with the letter of its thousands: `70B`, `300M`, `2T`, `7e9`.
pub(super) fn quantity(what: &'static str, text: &str) -> Result<f64, ApiError> {
    let text = text.trim();
    let (figure, times) = match text.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => (&text[..text.len() - 1], 1e3),
        Some('m') => (&text[..text.len() - 1], 1e6),
        Some('b' | 'g') => (&text[..text.len() - 1], 1e9),
        Some('t') => (&text[..text.len() - 1], 1e12),
        _ => (text, 1.0),
    };
    let value = figure.trim().replace(['_', ' '], "").parse::<f64>().ok().map(|figure| figure * times);
    value.filter(|value| value.is_finite() && *value >= 1.0 && *value <= 1e18).ok_or_else(|| {
        wrong(what, format!("`{text}` is no number of this kind"))
            .with_hint("Write it as 70B, 300M, 1.5T or 7e9.")
    })
}

/// Parameters of a model. Nobody rents a card for fewer than a hundred thousand: a bare `7` means seven thousand million.
pub(super) fn parameters(what: &'static str, text: &str) -> Result<f64, ApiError> {
    const FEWEST: f64 = 1e5;
    let count = quantity(what, text)?;
    if count < FEWEST {
        let text = text.trim();
        return Err(wrong(what, format!("`{text}` is no number of parameters"))
            .with_hint(format!("Name the unit: {text}B or {text}M.")));
    }
    Ok(count)
}

/// A figure that is more than nothing.
pub(super) fn above(what: &'static str, value: Option<f64>) -> Result<Option<f64>, ApiError> {
    match value {
        Some(value) if !(value > 0.0 && value <= 1e6) => {
            Err(wrong(what, format!("`{value}` must be more than 0 and at most a million")))
        }
        value => Ok(value),
    }
}

/// A size in GB.
pub(super) fn size(what: &'static str, value: Option<f64>) -> Result<Option<f64>, ApiError> {
    match value {
        Some(value) if !(0.0..=1e9).contains(&value) => {
            Err(wrong(what, format!("`{value}` must be 0 or more, in GB")))
        }
        value => Ok(value),
    }
}

/// A number of things.
pub(super) fn whole(what: &'static str, value: Option<u32>) -> Result<Option<u32>, ApiError> {
    match value {
        Some(value) if value == 0 || value > 100_000_000 => {
            Err(wrong(what, format!("`{value}` must be more than 0 and at most a hundred million")))
        }
        value => Ok(value),
    }
}

/// A word of a list, or the nearest one.
pub(super) fn word<T: FromStr + Known>(what: &'static str, text: &str) -> Result<T, ApiError> {
    text.trim().parse().map_err(|_| {
        let known = T::known();
        let near = gpudesk_core::text::nearest(text, &known);
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        wrong(what, format!("`{text}` is none{near}")).with_hint(format!("One of: {}.", known.join(", ")))
    })
}

/// A list of words.
pub(super) trait Known {
    /// All of it.
    fn known() -> Vec<&'static str>;
}

macro_rules! known {
    ($($list:ty),+) => { $(impl Known for $list {
        fn known() -> Vec<&'static str> {
            Self::ALL.iter().map(|one| one.word()).collect()
        }
    })+ };
}

known!(Task, Method, Precision);

/// A part of the request that cannot be.
pub(super) fn wrong(what: &str, detail: String) -> ApiError {
    ApiError::new("request-invalid", what, detail)
}
