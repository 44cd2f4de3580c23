//! What is printed. Words of others are in it, and a terminal obeys some characters: none of those leaves here.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use gpudesk_api::desk::ApiError;
use gpudesk_core::text::is_unprintable;
use serde::Serialize;

/// Prints one JSON document to standard output.
pub fn print_json<T: Serialize>(answer: &T) -> Result<(), ApiError> {
    let text = serde_json::to_string_pretty(answer).map_err(|e| ApiError::wrong_shape("print", &e))?;
    print(&escaped(&text))
}

/// Prints lines for people to standard output.
pub fn print_text(text: &str) -> Result<(), ApiError> {
    print(&printable(text))
}

/// Prints lines for people to standard error.
pub fn tell(text: &str) {
    eprintln!("{}", printable(text));
}

/// A closed pipe (`gpudesk offers | head`) is not an error of ours.
fn print(text: &str) -> Result<(), ApiError> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(ApiError::output(&error)),
        _ => Ok(()),
    }
}

/// The text with a replacement in place of everything a terminal may obey, its own line ends aside.
fn printable(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c != '\n' && is_unprintable(c);
    if text.contains(odd) { text.replace(odd, "\u{fffd}").into() } else { text.into() }
}

/// The same JSON value, with everything a terminal may obey escaped; JSON itself asks that of some of it only. It can
/// stand nowhere but in strings.
pub fn escaped(json: &str) -> Cow<'_, str> {
    let odd = |c: char| c != '\n' && is_unprintable(c);
    if !json.contains(odd) {
        return json.into();
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if odd(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a text cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_is_printed() {
        assert_eq!(printable("a\u{1b}[31mb\n\u{202e}c"), "a\u{fffd}[31mb\n\u{fffd}c");
        assert!(matches!(printable("H100 – 2 × 80\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn escaped_json_is_the_same_value() {
        let name = "a\u{1b}\u{9b}31m\u{202e}\u{e0041}\u{7f}ü\n";
        let json = serde_json::to_string_pretty(&[name]).unwrap();
        let shown = escaped(&json);
        assert!(!shown.chars().any(|c| c != '\n' && is_unprintable(c)), "{shown:?}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [name]);
    }
}
