//! Reading the banks' XML: character sets, names without namespaces, numbers with a comma.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::events::BytesStart;
use rust_decimal::Decimal;

/// The document as text, by the character set of the header, else of its own declaration, else UTF-8. The Bank of
/// Russia sends windows-1251, and has sent UTF-8 on some days.
pub(super) fn decode<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let label = content_type.and_then(|header| after(header, "charset="));
    let head = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
    let declared = head
        .split("?>")
        .next()
        .filter(|head| head.contains("<?xml"))
        .and_then(|head| after(head, "encoding="));
    let encoding = [label, declared]
        .into_iter()
        .flatten()
        .find_map(|label| Encoding::for_label(label.as_bytes()))
        .unwrap_or(UTF_8);
    encoding.decode(body).0
}

/// The value after `name`, without quotes: `charset="utf-8"; x` → `utf-8`.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.to_ascii_lowercase().find(name)? + name.len();
    let rest = text.get(at..)?.trim_start_matches(['"', '\'']);
    rest.split(['"', '\'', ';', ' ', '?']).next().filter(|value| !value.is_empty())
}

/// An attribute by its name without a namespace.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    element
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().into_inner() == name)
        .map(|attribute| attribute.value.trim().to_owned())
}

/// A number with a decimal comma or point, with or without an exponent; spaces between thousands are passed over.
pub(super) fn number(text: &str) -> Result<Decimal, String> {
    let plain: String =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == ',' { '.' } else { c }).collect();
    plain
        .parse::<Decimal>()
        .or_else(|_| Decimal::from_scientific(&plain))
        .map_err(|_| format!("`{}` is not a number", crate::http::redact::words(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_the_character_set_before_the_declaration() {
        let cyrillic = b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>\xc4\xee\xeb\xeb\xe0\xf0</a>";
        assert!(decode(cyrillic, None).contains("Доллар"));
        assert!(decode(cyrillic, Some("application/xml; charset=windows-1251")).contains("Доллар"));
        let utf8 = "<?xml version=\"1.0\" encoding='windows-1251'?><a>Доллар</a>".as_bytes();
        assert!(decode(utf8, Some("text/xml;charset=\"UTF-8\"")).contains("Доллар"));
        assert!(
            decode("<?xml version='1.0' encoding='UTF-8'?><a>Доллар</a>".as_bytes(), None).contains("Доллар")
        );
        assert!(decode("<a>Доллар</a>".as_bytes(), Some("text/xml")).contains("Доллар"));
    }

    #[test]
    fn numbers_have_a_comma_a_point_or_an_exponent() {
        for (text, value) in
            [("52,1000", "52.1"), ("1.0861", "1.0861"), ("6,7E-04", "0.00067"), ("1\u{a0}234,5", "1234.5")]
        {
            assert_eq!(number(text).unwrap(), value.parse::<Decimal>().unwrap(), "{text}");
        }
        for text in ["", "N/A", "1,2,3", "NaN", "1e99"] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
