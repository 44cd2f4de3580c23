//! SSH keys: the account has a list of named ones, and a launch names exactly one.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, data, get, refused};
use super::wire::SshKey;
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};
use crate::http::Each;

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
    let known: Each<SshKey<'_>> = data(&answer, &text)?;
    let same = |key: &&SshKey<'_>| key.public_key.text().is_some_and(|text| material(&text) == Some(wanted));
    if let Some(name) = known.good().find(same).and_then(|key| key.name.text()) {
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

/// The name of a key: the usual one first, then numbered ones.
fn name(key: (&str, &str), attempt: u32) -> String {
    let name = ssh_key::name(key);
    if attempt == 1 { name } else { format!("{name}-{attempt}") }
}
