//! SSH keys: the account has a list of named ones, and a launch names exactly one.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, data, get, refused};
use super::wire::SshKey;
use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::redact;

/// How many names are tried for a key whose name somebody else has given away.
const NAMES: u32 = 3;

/// The name under which the account knows a public key; it is registered where it does not.
pub(super) async fn name_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let Some(wanted) = material(public_key) else {
        return Err(account
            .error(CloudErrorCode::SshKeyRefused, doing, "not a public key")
            .hint("give one line such as `ssh-ed25519 AAAA…`"));
    };
    let answer = get(account, doing, "/ssh-keys").await?;
    let text = answer.json_text();
    let known: Vec<SshKey<'_>> = data(&answer, &text)?;
    let same = |key: &&SshKey<'_>| key.public_key.text().is_some_and(|text| material(&text) == Some(wanted));
    if let Some(name) = known.iter().find(same).and_then(|key| key.name.text()) {
        return Ok(name.into_owned());
    }
    let mut last = None;
    for attempt in 1..=NAMES {
        let name = name(wanted, attempt);
        // Without a public key the service would make a pair and send the private half.
        let body = json!({ "name": name, "public_key": public_key.trim() });
        match account.change(doing, (Method::POST, "/api/v1/ssh-keys"), Some(&body), &[PACE]).await {
            Ok(_) => return Ok(name),
            Err(failure) => {
                let mut error = refused(failure);
                // Whatever became of the key: no machine was made.
                error.effect = Effect::Nothing;
                match error.code {
                    CloudErrorCode::Conflict => last = Some(error),
                    CloudErrorCode::Refused => {
                        error.code = CloudErrorCode::SshKeyRefused;
                        return Err(error);
                    }
                    _ => return Err(error),
                }
            }
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::SshKeyRefused, doing, "no name is free")))
}

/// Kind and body of a key: what tells two keys apart, whatever comments stand behind.
fn material(key: &str) -> Option<(&str, &str)> {
    let mut parts = key.split_whitespace();
    Some((parts.next()?, parts.next().filter(|body| body.len() >= 16)?))
}

/// A name that follows from the key, so that a key registered by a call whose answer was lost is not registered
/// again under another one: the end of its body, which differs from key to key.
fn name((_, body): (&str, &str), attempt: u32) -> String {
    let plain: Vec<char> = body.chars().filter(char::is_ascii_alphanumeric).collect();
    let tail: String = plain[plain.len().saturating_sub(12)..].iter().collect();
    let name = format!("gpudesk-{}", redact::words(&tail));
    if attempt == 1 { name } else { format!("{name}-{attempt}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_by_their_material() {
        let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBody anna@desk";
        assert_eq!(material(key), material("ssh-ed25519  AAAAC3NzaC1lZDI1NTE5AAAAIBody\n"));
        assert_ne!(material(key), material("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOther anna@desk"));
        assert_eq!(material("ssh-ed25519"), None);
        assert_eq!(material("ssh-ed25519 short"), None);
    }

    #[test]
    fn the_name_follows_from_the_key() {
        let key = ("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIBody/+=");
        assert_eq!(name(key, 1), name(key, 1));
        assert_eq!(name(key, 1), "gpudesk-E5AAAAIBody".to_owned().replace("E5AAAAIBody", "TE5AAAAIBody"));
        assert!(name(key, 2).ends_with("-2"));
    }
}
