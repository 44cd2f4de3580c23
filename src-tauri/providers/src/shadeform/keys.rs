//! SSH keys: without one of its own a machine is given the account's default key, with which nobody here can log in.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, get, refused};
use super::wire::{Made, SshKeys};
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::redact;

/// The id under which the account knows a public key; it is registered where it does not.
pub(super) async fn id_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    let answer = get(account, doing, "/sshkeys").await?;
    let text = answer.json_text();
    let known: SshKeys<'_> = answer.parse(&text)?;
    let Some(known) = known.ssh_keys else {
        return Err(answer.bad("JSON without the list of `ssh_keys`").into());
    };
    let same =
        known.iter().find(|key| key.public_key.text().is_some_and(|text| material(&text) == Some(wanted)));
    if let Some(id) = same.and_then(|key| key.id.text()) {
        return Ok(redact::words(&id));
    }
    let mut last = None;
    for name in ssh_key::names(wanted) {
        let body = json!({ "name": name, "public_key": public_key.trim() });
        match account.change(doing, (Method::POST, "/v1/sshkeys/add"), Some(&body), &[PACE]).await {
            Ok(answer) => {
                let text = answer.json_text();
                let made: Made<'_> = answer.parse(&text)?;
                return match made.id.text() {
                    Some(id) => Ok(redact::words(&id)),
                    None => Err(answer.bad("the answer names no new key").into()),
                };
            }
            Err(failure) => {
                let error = ssh_key::unregistered(refused(failure));
                if !error.detail.to_ascii_lowercase().contains("name must be unique") {
                    return Err(error);
                }
                last = Some(error);
            }
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::SshKeyRefused, doing, "no name is free")))
}
