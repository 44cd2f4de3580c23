//! SSH keys of the account.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, refused};
use super::rent::all;
use super::wire::{One, SshKey};
use crate::cloud::ssh_key::{self, material, name};
use crate::cloud::{Account, CloudError};

/// The id under which the account knows a public key, whatever name it has there; it is registered where it does not.
pub(super) async fn id_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    let known = all(account, doing, "/ssh-keys", |page| page.ssh_keys.as_ref()).await?;
    for row in &known.rows {
        let Ok(key) = serde_json::from_str::<SshKey<'_>>(row) else { continue };
        let same = key.ssh_key.text().is_some_and(|text| material(&text) == Some(wanted));
        if let (true, Some(id)) = (same, key.id.text()) {
            return Ok(id.into_owned());
        }
    }
    let body = json!({ "name": name(wanted), "ssh_key": public_key.trim() });
    let sent = account.change(doing, (Method::POST, "/v2/ssh-keys"), Some(&body), &[PACE]).await;
    let answer = sent.map_err(|failure| ssh_key::unregistered(refused(failure)))?;
    let text = answer.json_text();
    let made: One<'_> = answer.parse(&text)?;
    let id = made.ssh_key.and_then(|key| key.id.text());
    id.map(std::borrow::Cow::into_owned).ok_or_else(|| answer.bad("the answer names no id").into())
}
