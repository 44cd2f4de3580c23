//! SSH keys: the account has a list of named ones, and a launch names exactly one.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, data, get, refused};
use super::wire::SshKey;
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::Each;

/// The name under which the account knows a public key; it is registered where it does not.
pub(super) async fn name_of(account: &Account, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    let answer = get(account, doing, "/ssh-keys").await?;
    let text = answer.json_text();
    let known: Each<SshKey<'_>> = data(&answer, &text)?;
    let same = |key: &&SshKey<'_>| key.public_key.text().is_some_and(|text| material(&text) == Some(wanted));
    if let Some(name) = known.good().find(same).and_then(|key| key.name.text()) {
        return Ok(name.into_owned());
    }
    let mut last = None;
    for name in ssh_key::names(wanted) {
        // Without a public key the service would make a pair and send the private half.
        let body = json!({ "name": name, "public_key": public_key.trim() });
        match account.change(doing, (Method::POST, "/api/v1/ssh-keys"), Some(&body), &[PACE]).await {
            Ok(_) => return Ok(name),
            Err(failure) => match ssh_key::unregistered(refused(failure)) {
                error if error.code == CloudErrorCode::Conflict => last = Some(error),
                error => return Err(error),
            },
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::SshKeyRefused, doing, "no name is free")))
}
