//! Texts that others wrote, as they may be shown.

/// Whether a character changes how a line is shown without being seen: bidirectional marks and overrides, zero width,
/// soft hyphens, annotations, tags.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a terminal may do something else with a character than print it in its place.
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The nearest of some words to a mistyped one, where one is near enough to propose.
#[must_use]
pub fn nearest(typed: &str, known: &[&str]) -> Option<String> {
    crate::query::nearest(typed, known.iter().map(|word| (*word).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_may_obey_is_not_printed() {
        for c in [
            '\u{1b}',
            '\u{7}',
            '\u{9b}',
            '\u{7f}',
            '\n',
            '\u{202e}',
            '\u{2067}',
            '\u{200b}',
            '\u{2028}',
            '\u{e0041}',
        ] {
            assert!(is_unprintable(c), "{c:?}");
        }
        for c in ['a', ' ', '–', 'ü', 'Я', '中', '×', '…'] {
            assert!(!is_unprintable(c), "{c:?}");
        }
    }
}
