//! SSH keys: a pod gets the one that is named, or else the account's primary one.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, refused};
use super::map::said;
use super::pages;
use super::wire::SshKey;
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};

/// How many names are tried for a key whose name somebody else has given away.
const NAMES: u32 = 3;

/// The id under which the account knows a public key; it is registered where it does not.
pub(super) async fn id_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let Some(wanted) = material(public_key) else {
        return Err(account
            .error(CloudErrorCode::SshKeyRefused, doing, "not a public key")
            .hint("give one line such as `ssh-ed25519 AAAA…`"));
    };
    let known = pages::all(account, doing, "/ssh_keys/").await?;
    let same = |json: &String| {
        let key: SshKey<'_> = serde_json::from_str(json).ok()?;
        key.public_key.text().filter(|text| material(text) == Some(wanted)).and_then(|_| said(key.id))
    };
    if let Some(id) = known.rows.iter().find_map(same) {
        return Ok(id);
    }
    let mut last = None;
    for attempt in 1..=NAMES {
        let name = match attempt {
            1 => ssh_key::name(wanted),
            more => format!("{}-{more}", ssh_key::name(wanted)),
        };
        let body = json!({ "name": name, "publicKey": public_key.trim() });
        match account.change(doing, (Method::POST, "/api/v1/ssh_keys/"), Some(&body), &[PACE]).await {
            Ok(answer) => {
                let text = answer.json_text();
                let made: SshKey<'_> = answer.parse(&text)?;
                return said(made.id).ok_or_else(|| answer.bad("the answer names no new key").into());
            }
            Err(failure) => {
                let mut error = refused(failure);
                // Whatever became of the key: no pod was made.
                error.effect = Effect::Nothing;
                let words = error.detail.to_ascii_lowercase();
                let taken = error.code == CloudErrorCode::Conflict || words.contains("already");
                match error.code {
                    _ if taken => last = Some(error),
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
