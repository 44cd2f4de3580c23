//! SSH keys: a pod gets the one that is named, or else the account's primary one.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, refused};
use super::map::said;
use super::pages;
use super::wire::SshKey;
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode};

/// The id under which the account knows a public key; it is registered where it does not.
pub(super) async fn id_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    let known = pages::all(account, doing, "/ssh_keys/").await?;
    let same = |json: &String| {
        let key: SshKey<'_> = serde_json::from_str(json).ok()?;
        key.public_key.text().filter(|text| material(text) == Some(wanted)).and_then(|_| said(key.id))
    };
    if let Some(id) = known.rows.iter().find_map(same) {
        return Ok(id);
    }
    let mut last = None;
    for name in ssh_key::names(wanted) {
        let body = json!({ "name": name, "publicKey": public_key.trim() });
        match account.change(doing, (Method::POST, "/api/v1/ssh_keys/"), Some(&body), &[PACE]).await {
            Ok(answer) => {
                let text = answer.json_text();
                let made: SshKey<'_> = answer.parse(&text)?;
                return said(made.id).ok_or_else(|| answer.bad("the answer names no new key").into());
            }
            Err(failure) => {
                let error = refused(failure);
                let words = error.detail.to_ascii_lowercase();
                let taken = error.code == CloudErrorCode::Conflict || words.contains("already");
                let error = ssh_key::unregistered(error);
                if !taken {
                    return Err(error);
                }
                last = Some(error);
            }
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::SshKeyRefused, doing, "no name is free")))
}
