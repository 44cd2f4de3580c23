//! SSH keys: the account has a list of them, and a launch names one by its id.

use reqwest::Method;
use serde_json::json;

use super::api::{KEYS, PACE, number, refused, rows};
use super::wire::SshKey;
use crate::cloud::ssh_key::{self, material, name};
use crate::cloud::{Account, CloudError};

/// The id under which the account knows a public key; it is registered where it does not.
pub(super) async fn id_of(account: &Account, public_key: &str) -> Result<u64, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    if let Some(id) = known(account, wanted).await? {
        return Ok(id);
    }
    let body = json!({ "name": name(wanted), "public_key": public_key.trim() });
    let sent = account.change(doing, (Method::POST, "/v2/account/keys"), Some(&body), &[PACE]).await;
    let failure = match sent {
        Ok(answer) => {
            let text = answer.json_text();
            let made: Made<'_> = answer.parse(&text)?;
            return number(made.ssh_key.id).ok_or_else(|| answer.bad("the answer names no new key").into());
        }
        Err(failure) => failure,
    };
    // A key that somebody has just added is refused as already in use.
    let in_use = failure.status == Some(422);
    if in_use && let Some(id) = known(account, wanted).await? {
        return Ok(id);
    }
    Err(ssh_key::unregistered(refused(failure)))
}

async fn known(account: &Account, wanted: (&str, &str)) -> Result<Option<u64>, CloudError> {
    let all = rows(account, "SSH key", ("/v2/account/keys", "ssh_keys"), KEYS).await.map_err(refused)?;
    Ok(all.rows.iter().find_map(|row| {
        let key: SshKey<'_> = serde_json::from_str(row.get()).ok()?;
        let same = key.public_key.text().is_some_and(|text| material(&text) == Some(wanted));
        same.then(|| number(key.id)).flatten()
    }))
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Made<'a> {
    #[serde(borrow)]
    ssh_key: SshKey<'a>,
}
