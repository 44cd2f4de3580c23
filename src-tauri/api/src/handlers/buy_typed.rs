//! Figures of a comparison as people type them: amounts, shares, terms, what is left of the price, the card.

use gpudesk_core::buy::{Curve, Figure, Input, Resale, Unit};
use gpudesk_core::gpu::{self, Card, Model};
use gpudesk_core::money::typed;
use rust_decimal::Decimal;

use crate::desk::ApiError;

/// The model somebody named: by its name in the table, or by a word that means just one.
///
/// # Errors
/// `request-invalid` where it is none, or several.
pub(super) fn model(name: &str) -> Result<&'static Model, ApiError> {
    let card = gpu::card(name).or_else(|| gpu::search_word(name).and_then(|found| gpu::card(&found.name)));
    match card {
        Some(Card::Model(model)) => Ok(model),
        Some(Card::Family(family)) => {
            let names: Vec<&str> = Card::Family(family).members().map(|model| model.name).collect();
            Err(wrong("gpu", format!("`{name}` is several cards"))
                .with_hint(format!("Name one: {}.", names.join(", "))))
        }
        None => {
            let error = wrong("gpu", format!("`{name}` is no card of the table"));
            Err(match gpu::nearest(name) {
                Some(near) => error.with_hint(format!("Perhaps `{near}`.")),
                None => error,
            })
        }
    }
}

/// A figure as typed, `30000` or `30000:27000..33000`, and whether its range is the desk's usual one.
pub(super) fn figure(name: &str, input: Input, typed: &str) -> Result<(Figure, bool), ApiError> {
    let one = |word: &str| -> Result<Decimal, ApiError> {
        let value = plain(input, word).ok_or_else(|| {
            wrong(name, format!("`{}` is not understood", word.trim()))
                .with_hint(format!("Write it as {}.", example(input)))
        })?;
        input.checked(value).map_err(|error| wrong(name, format!("`{}`: {error}", word.trim())))
    };
    let Some((value, range)) = typed.split_once(':') else {
        return Ok((input.usual(one(typed)?), true));
    };
    let (low, high) = range.split_once("..").ok_or_else(|| {
        wrong(name, format!("`{}` is no range", range.trim()))
            .with_hint("Write the least and the most behind the value: `30000:27000..33000`.")
    })?;
    let (value, low, high) = (one(value)?, one(low)?, one(high)?);
    if low > value || value > high {
        return Err(wrong(name, format!("`{}` does not hold `{value}`", range.trim())));
    }
    Ok((Figure { value, low, high }, false))
}

fn example(input: Input) -> &'static str {
    match input.unit() {
        Unit::Share | Unit::SharePerYear => "`8%`",
        Unit::Months => "`18m`",
        _ => "`2.50`",
    }
}

/// A number as typed, with either decimal mark and any spaces; a share with its percent sign, a term in months or years.
fn plain(input: Input, word: &str) -> Option<Decimal> {
    let word: String = word.chars().filter(|c| !c.is_whitespace()).collect();
    let number = |text: &str| typed(text);
    match input.unit() {
        Unit::Share | Unit::SharePerYear => Some(number(word.strip_suffix('%')?)? / Decimal::ONE_HUNDRED),
        Unit::Months => {
            let months = match word.strip_suffix('y') {
                Some(years) => number(years)?.checked_mul(Decimal::from(12))?,
                None => number(word.strip_suffix('m').unwrap_or(&word))?,
            };
            months.fract().is_zero().then_some(months)
        }
        _ => number(&word),
    }
}

/// The resale as typed: `30%@18m`, several points, or one with a range: `30%@18m:20%..40%`.
pub(super) fn resale(typed: &str) -> Result<Resale, ApiError> {
    let name = Input::Resale.word();
    let curve = |text: &str| {
        text.parse::<Curve>().map_err(|error| {
            wrong(name, error.to_string())
                .with_hint("Write the share left and the age: `30%@18m`, `60%@12m,30%@24m`.")
        })
    };
    let Some((stated, range)) = typed.split_once(':') else { return Ok(Resale::beside_ours(curve(typed)?)) };
    let stated = curve(stated)?;
    let (&[(months, share)], Some((low, high))) = (stated.points(), range.split_once("..")) else {
        return Err(wrong(name, format!("`{}` is no range of one point", range.trim()))
            .with_hint("Write `30%@18m:20%..40%`."));
    };
    let (low, high) = (curve(&format!("{low}@{months}m"))?, curve(&format!("{high}@{months}m"))?);
    if low.share(months) > share || share > high.share(months) {
        return Err(wrong(name, format!("`{}` does not hold what is stated", range.trim())));
    }
    Ok(Resale { stated, others: vec![low, high] })
}

/// A figure that cannot be, by its name.
pub(super) fn wrong(name: &str, detail: impl Into<String>) -> ApiError {
    ApiError::new("request-invalid", name, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn figures_are_read_as_people_type_them() {
        let value = |input, text| figure("x", input, text).unwrap().0.value;
        assert_eq!(value(Input::Price, " 30 000,50 "), dec("30000.50"));
        assert_eq!(value(Input::Capital, "8 %"), dec("0.08"));
        assert_eq!(value(Input::Term, "3y"), dec("36"));
        assert_eq!(value(Input::Term, "18"), dec("18"));
        let (open, usual) = figure("price", Input::Price, "30000:27000..33000").unwrap();
        assert_eq!((open.low, open.high, usual), (dec("27000"), dec("33000"), false));
    }

    #[test]
    fn what_cannot_be_names_figure_and_word() {
        for (input, text, word) in [
            (Input::Price, "-1", "`-1`"),
            (Input::Price, "much", "`much`"),
            (Input::Price, "99999999999999999999999999999999", "`99999999999999999999999999999999`"),
            (Input::Capital, "8", "`8`"),
            (Input::Draw, "101%", "`101%`"),
            (Input::Term, "0m", "`0m`"),
            (Input::Term, "18.5m", "`18.5m`"),
            (Input::Price, "30000:1..2", "`1..2`"),
            (Input::Price, "30000:x", "`x`"),
        ] {
            let error = figure("it", input, text).unwrap_err();
            assert!(error.what == "it" && error.detail.contains(word), "{text}: {error:?}");
        }
        assert!(resale("130%@18m").unwrap_err().detail.contains("`130%@18m`"));
        assert!(resale("30%@18m:40%..50%").unwrap_err().detail.contains("`40%..50%`"));
        assert!(model("h100").unwrap_err().hint.unwrap().contains("H100 SXM"));
        assert_eq!(model("h100-sxm").unwrap().name, "H100 SXM");
    }
}
