//! The key of an account: a JSON object of two or three parts, or the name of a profile of the vendor's own tools.

use aws_credential_types::Credentials;
use serde::Deserialize;
use serde_json::json;

use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::Secret;

/// The region that is asked what concerns the whole account, unless the key names another.
const HOME: &str = "us-east-1";

/// The key as it was given.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Parts {
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
    session_token: Option<String>,
    profile: Option<String>,
    region: Option<String>,
    regions: Option<Vec<String>>,
}

/// Who signs.
#[derive(Clone)]
pub(super) enum Signer {
    /// Keys as they are.
    Given(Credentials),
    /// A profile in the files of the vendor's tools.
    Profile(String),
}

/// A key that has what it needs.
#[derive(Clone)]
pub(super) struct Key {
    pub signer: Signer,
    /// Where the account itself is asked.
    pub home: String,
    /// The only regions to look at; empty = all that are enabled.
    pub regions: Vec<String>,
}

impl Key {
    /// Reads a key. Nothing of it is repeated in the error.
    pub fn read(key: &Secret) -> Result<Self, CloudError> {
        let text = key.expose().trim();
        if !text.starts_with('{') {
            return Err(bad("the key is not a JSON object"));
        }
        // The parser's own words could repeat a part.
        let parts: Parts = serde_json::from_str(text)
            .map_err(|_| bad("the key is a JSON object with parts of another kind"))?;
        let region = |name: &str| {
            if is_region(name) {
                Ok(name.to_owned())
            } else {
                Err(bad("`region` is not the name of a region"))
            }
        };
        let home = filled(parts.region.as_deref());
        let regions: Vec<String> =
            parts.regions.iter().flatten().map(|name| region(name.trim())).collect::<Result<_, _>>()?;
        let home = home.or_else(|| regions.first().map(String::as_str)).unwrap_or(HOME);
        let home = region(home)?;
        let pair = (filled(parts.access_key_id.as_deref()), filled(parts.secret_access_key.as_deref()));
        let signer = match (pair, filled(parts.profile.as_deref())) {
            ((Some(id), Some(secret)), _) => {
                if !is_printable(id) || !is_printable(secret) {
                    return Err(bad("the key has characters that no key has"));
                }
                let token = filled(parts.session_token.as_deref()).map(str::to_owned);
                if token.as_deref().is_some_and(|token| !is_printable(token)) {
                    return Err(bad("`session_token` has characters that no token has"));
                }
                Signer::Given(Credentials::new(id, secret, token, None, "given"))
            }
            ((None, None), Some(profile))
                if profile.starts_with('-') || profile.contains(char::is_control) =>
            {
                return Err(bad("`profile` is not the name of a profile"));
            }
            ((None, None), Some(profile)) => Signer::Profile(profile.to_owned()),
            ((Some(_), None), _) => return Err(bad("the key lacks `secret_access_key`")),
            ((None, Some(_)), _) => return Err(bad("the key lacks `access_key_id`")),
            ((None, None), None) => {
                return Err(bad(
                    "the key lacks `access_key_id` and `secret_access_key`, and names no `profile`",
                ));
            }
        };
        Ok(Self { signer, home, regions })
    }
}

/// The key that the variables of the vendor's tools give: a pair, or the name of a profile
/// (<https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html>).
#[must_use]
pub fn key_of_environment(variable: &dyn Fn(&str) -> Option<String>) -> Option<Secret> {
    let filled =
        |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let pair = filled("AWS_ACCESS_KEY_ID").zip(filled("AWS_SECRET_ACCESS_KEY"));
    let mut parts = match pair {
        Some((id, secret)) => json!({
            "access_key_id": id, "secret_access_key": secret, "session_token": filled("AWS_SESSION_TOKEN"),
        }),
        None => json!({ "profile": filled("AWS_PROFILE")? }),
    };
    parts["region"] = filled("AWS_REGION").or_else(|| filled("AWS_DEFAULT_REGION")).into();
    Some(Secret::new(parts.to_string()))
}

fn bad(what: &str) -> CloudError {
    CloudError::new(CloudErrorCode::BadKey, "AWS key", what).hint(
        r#"give {"access_key_id": "…", "secret_access_key": "…"}, with "session_token" for temporary ones, or {"profile": "…"}"#,
    )
}

fn filled(part: Option<&str>) -> Option<&str> {
    part.map(str::trim).filter(|part| !part.is_empty())
}

fn is_printable(part: &str) -> bool {
    part.chars().all(|c| c.is_ascii_graphic())
}

/// `us-east-1`, `ap-southeast-7`, `us-gov-west-1`: letters and hyphens, with a number at the end. Whatever else is put
/// into the name of a host would go to another one.
pub(super) fn is_region(name: &str) -> bool {
    let Some((words, number)) = name.rsplit_once('-') else { return false };
    let word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    words.contains('-')
        && words.split('-').all(word)
        && (1..=2).contains(&number.len())
        && number.chars().all(|c| c.is_ascii_digit())
}

/// The region of a region or of a zone of one: `us-east-1` of `us-east-1b`. Local and Wavelength zones
/// (`us-west-2-lax-1a`) are none.
pub(super) fn region_of(place: &str) -> Option<&str> {
    let region = place.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(place);
    // The last part of a local zone's region is a number as well; a region has no number before it.
    is_region(region).then_some(region)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(key: &str) -> Result<Key, CloudError> {
        Key::read(&Secret::new(key))
    }

    #[test]
    fn a_key_has_two_parts_and_may_have_more() {
        let key =
            read(r#"{"access_key_id":" AKIAEXAMPLE ","secret_access_key":"s3cr3t/+=","session_token":"t"}"#)
                .unwrap();
        let Signer::Given(credentials) = &key.signer else { panic!("no profile was named") };
        assert_eq!(
            (credentials.access_key_id(), credentials.secret_access_key()),
            ("AKIAEXAMPLE", "s3cr3t/+=")
        );
        assert_eq!((credentials.session_token(), key.home.as_str()), (Some("t"), "us-east-1"));
        let key = read(r#"{"profile":"work","regions":["eu-west-1","eu-north-1"]}"#).unwrap();
        assert!(matches!(&key.signer, Signer::Profile(name) if name == "work"));
        assert_eq!((key.home.as_str(), key.regions.len()), ("eu-west-1", 2));
    }

    #[test]
    fn a_key_in_another_form_is_refused_by_the_part_it_lacks() {
        for (key, words) in [
            ("AKIAEXAMPLE:SECRETSECRET", "not a JSON object"),
            (r#"{"access_key_id":"SECRETSECRET"}"#, "lacks `secret_access_key`"),
            (r#"{"access_key_id":"  ","secret_access_key":"SECRETSECRET"}"#, "lacks `access_key_id`"),
            (r#"{"key":"SECRETSECRET"}"#, "names no `profile`"),
            (r#"{"access_key_id":["SECRETSECRET"]}"#, "another kind"),
            (r#"{"access_key_id":"A","secret_access_key":"SECRET\nSECRET"}"#, "no key has"),
            (
                r#"{"access_key_id":"A","secret_access_key":"B","region":"evil.example/SECRETSECRET"}"#,
                "region",
            ),
        ] {
            let error = read(key).err().unwrap();
            assert_eq!(error.code, CloudErrorCode::BadKey, "{key}");
            assert!(error.detail.contains(words), "{}", error.detail);
            assert!(!format!("{error:?}").contains("SECRET"), "{error:?}");
        }
    }

    #[test]
    fn the_variables_of_the_vendors_tools_are_a_key() {
        let of = |set: &[(&str, &str)]| {
            let set: Vec<(String, String)> =
                set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            key_of_environment(&|name| {
                set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
            })
        };
        let pair = [
            ("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE"),
            ("AWS_SECRET_ACCESS_KEY", "s3cr3t"),
            ("AWS_PROFILE", "work"),
        ];
        let key = Key::read(&of(&pair).unwrap()).unwrap();
        assert!(
            matches!(&key.signer, Signer::Given(c) if c.access_key_id() == "AKIAEXAMPLE" && c.session_token().is_none())
        );
        let key =
            Key::read(&of(&[("AWS_PROFILE", "work"), ("AWS_DEFAULT_REGION", "eu-west-1")]).unwrap()).unwrap();
        assert!(matches!(&key.signer, Signer::Profile(name) if name == "work"));
        assert_eq!(key.home, "eu-west-1");
        for none in
            [&[][..], &[("AWS_PROFILE", " ")], &[("AWS_ACCESS_KEY_ID", "A")], &[("AWS_REGION", "eu-west-1")]]
        {
            assert_eq!(of(none), None);
        }
    }

    #[test]
    fn regions_and_their_zones_are_told_apart() {
        for region in ["us-east-1", "ap-southeast-7", "us-gov-west-1", "cn-northwest-1", "mx-central-1"] {
            assert!(is_region(region), "{region}");
            assert_eq!(region_of(region), Some(region));
        }
        assert_eq!(region_of("eu-central-1c"), Some("eu-central-1"));
        for other in [
            "us-west-2-lax-1a",
            "us-west-2-lax-1",
            "us-east-1-wl1-bos-wlz-1",
            "europe",
            "US-EAST-1",
            "us-east-",
            "a-1",
            "",
        ] {
            assert_eq!(region_of(other), None, "{other}");
        }
    }
}
