//! Cells as people write them.

use chrono::NaiveDate;
use gpudesk_core::money::typed;
use rust_decimal::Decimal;

/// A number as people write it; `None` where it is none, or one that is read in two ways.
pub(super) fn number(text: &str) -> Option<Decimal> {
    typed(text)
}

/// A size above zero.
pub(super) fn size(text: &str) -> Option<f64> {
    use rust_decimal::prelude::ToPrimitive;
    number(text).and_then(|number| number.to_f64()).filter(|size| *size > 0.0)
}

/// `2026-12-31` or `31.12.2026`.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    ["%Y-%m-%d", "%d.%m.%Y"].iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok())
}

/// A page a person may be sent to.
pub(super) fn page(text: &str) -> Option<&str> {
    let is_page = text.starts_with("https://")
        && text.len() <= 500
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && url::Url::parse(text).is_ok_and(|url| url.host_str().is_some_and(|host| host.contains('.')));
    is_page.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_either_mark() {
        let read = |text: &str| number(text).map(|number| number.to_string());
        for (text, value) in [
            ("1234.5", "1234.5"),
            ("1 234,50", "1234.50"),
            ("1\u{a0}234", "1234"),
            ("1,234.50", "1234.50"),
            ("0,9", "0.9"),
            ("1'234", "1234"),
            ("1.234,50", "1234.50"),
            ("1,234,567", "1234567"),
            ("0,875", "0.875"),
        ] {
            assert_eq!(read(text).as_deref(), Some(value), "{text}");
        }
        for odd in ["", "free", "1,2,3", "$5", "12%", "1,500"] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_page_is_a_whole_https_address() {
        assert!(page("https://seller.example/gpu?x=1").is_some());
        for odd in
            ["http://seller.example", "seller.example", "https://", "https://a b.example", "javascript:x"]
        {
            assert_eq!(page(odd), None, "{odd}");
        }
    }

    #[test]
    fn dates_are_written_two_ways() {
        assert_eq!(date("2026-12-31"), date("31.12.2026"));
        assert_eq!(date("12/31/2026"), None, "which is the month is not to be guessed");
    }
}
