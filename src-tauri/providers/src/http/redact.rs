//! What may be shown of addresses and of other people's words: no passwords, no keys, no control characters, and not
//! more than a person reads.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use gpudesk_core::text::is_invisible;
use url::Url;

/// The most characters of a provider's own words that are kept.
pub const MAX_WORDS: usize = 300;

/// What stands in place of a secret.
const HIDDEN: &str = "***";

/// Names of parameters and fields whose value is a secret.
const SECRET_NAMES: &[&str] = &[
    "api_key",
    "apikey",
    "api-key",
    "key",
    "token",
    "access_token",
    "secret",
    "password",
    "signature",
    "sig",
];

/// A text that is never printed: neither `Debug` nor `Display` shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text from being printed.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one header it goes into.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A number that tells two secrets apart within this run of the program and says nothing of either.
    pub(super) fn lane(&self) -> u64 {
        static KEYS: OnceLock<RandomState> = OnceLock::new();
        KEYS.get_or_init(RandomState::new).hash_one(self.0.trim())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// An address as it may be shown: without user and password, with the values of secret query parameters hidden. A
/// text that is no address is shown without anything before an `@`.
#[must_use]
pub fn address(text: &str) -> String {
    match Url::parse(text) {
        Ok(url) if url.has_host() => self::url(&url),
        _ => match text.rsplit_once('@') {
            Some((_, rest)) => format!("{HIDDEN}@{rest}"),
            None => text.to_owned(),
        },
    }
}

/// See [`address`].
#[must_use]
pub fn url(url: &Url) -> String {
    let mut shown = url.clone();
    // Both fail only for addresses that cannot carry a user at all.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    if url.query().is_some() {
        let pairs: Vec<(String, String)> = url
            .query_pairs()
            .map(|(name, value)| {
                let value = if is_secret_name(&name) { HIDDEN.into() } else { value };
                (name.into_owned(), value.into_owned())
            })
            .collect();
        shown.query_pairs_mut().clear().extend_pairs(pairs);
    }
    shown.to_string()
}

/// The path of an address for a log line: what stands in a query is not written down.
#[must_use]
pub fn log_path(url: &Url) -> &str {
    url.path()
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_NAMES.iter().any(|secret| name == *secret || name.ends_with(&format!("_{secret}")))
}

/// Somebody else's words as they may be shown: one line, at most [`MAX_WORDS`] characters, control characters gone,
/// and whatever looks like a credential hidden.
#[must_use]
pub fn words(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(2 * MAX_WORDS));
    let mut previous = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if line.chars().count() > MAX_WORDS {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        let visible: String = word.chars().filter(|c| !is_invisible(*c)).collect();
        // `Authorization: Bearer KEY`, also quoted: the key is the word after the scheme.
        if matches!(previous.as_str(), "bearer" | "basic") && visible.len() >= 8 {
            line.push_str(HIDDEN);
        } else {
            line.push_str(&without_credentials(&visible));
        }
        previous = visible.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
    }
    if line.chars().count() > MAX_WORDS {
        line = line.chars().take(MAX_WORDS - 1).collect();
        line.push('…');
    }
    line
}

fn without_credentials(word: &str) -> String {
    if let Some(start) = word.find("://") {
        let end = word[start..].find(['"', '\'', ')', '>', '<']).map_or(word.len(), |at| start + at);
        let scheme = word[..start].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        if let Some(inner) = word.get(scheme..end) {
            return format!("{}{}{}", &word[..scheme], address(inner), &word[end..]);
        }
    }
    for separator in ['=', ':'] {
        if let Some((name, value)) = word.split_once(separator) {
            let bare = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let value_chars = value.chars().filter(char::is_ascii_alphanumeric).count();
            if is_secret_name(bare) && value_chars >= 6 {
                return format!("{name}{separator}{HIDDEN}");
            }
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_prints_as_stars() {
        let secret = Secret::new("sk-live-1");
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert_eq!(secret.expose(), "sk-live-1");
    }

    #[test]
    fn addresses_lose_their_user_and_secret_parameters() {
        assert_eq!(
            address("https://me:pw@h.example/p?api_key=abc&page=2"),
            "https://h.example/p?api_key=***&page=2"
        );
        assert_eq!(address("me:pw@proxy"), "***@proxy");
        assert_eq!(address("https://h.example/p"), "https://h.example/p");
    }

    #[test]
    fn words_are_one_short_line_without_credentials() {
        assert_eq!(words("no\nsuch\u{7}  ask\r\n"), "no such ask");
        assert_eq!(
            words("sent Authorization: Bearer abcdef123456 to it"),
            "sent Authorization: Bearer *** to it"
        );
        assert_eq!(words("url \"https://u:p@h/x?token=123\" failed"), "url \"https://h/x?token=***\" failed");
        assert_eq!(words("api_key=abcdef123456"), "api_key=***");
        assert_eq!(words("{\"api_key\":\"abcdef123456\"}"), "{\"api_key\":***");
        assert_eq!(words("ratio a:b key:value"), "ratio a:b key:value");
        assert_eq!(words("\u{202e}evil\u{200b}"), "evil");
        let long = words(&"ä ".repeat(5000));
        assert_eq!(long.chars().count(), MAX_WORDS);
        assert!(long.ends_with('…'));
    }
}
