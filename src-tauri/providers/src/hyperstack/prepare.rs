//! What a machine needs before it can be made: an environment of its region, and the public key in it. Both are found
//! again when they exist and made once when they do not. Neither costs anything.

use reqwest::Method;
use serde_json::{Value, json};

use super::api::{PACE, believed, refused};
use super::pages;
use super::wire::{Environment, Keypair};
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{Account, CloudError, CloudErrorCode, Effect};

/// The name of an environment in this region: ours, made where there is none.
pub(super) async fn environment(account: &Account, region: &str) -> Result<String, CloudError> {
    let doing = "environment";
    let ours = format!("gpudesk-{}", region.to_ascii_lowercase());
    if let Some(found) = named_environment(account, &ours, region).await? {
        return Ok(found);
    }
    let mut last = None;
    for name in ssh_key::numbered(ours) {
        match make(account, doing, "/v1/core/environments", &json!({ "name": name, "region": region })).await
        {
            Ok(()) => return Ok(name),
            Err(error) if error.code == CloudErrorCode::Conflict => {
                // Made meanwhile by another desk, or the name of an environment elsewhere.
                if let Some(found) = named_environment(account, &name, region).await? {
                    return Ok(found);
                }
                last = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::Conflict, doing, "no name is free")))
}

/// An environment of the region whose name is `name` or begins with it.
async fn named_environment(
    account: &Account,
    name: &str,
    region: &str,
) -> Result<Option<String>, CloudError> {
    let all =
        pages::all(account, "environment", "/core/environments", |page| page.environments.as_ref()).await?;
    let mut ours: Vec<String> = all
        .rows
        .iter()
        .filter_map(|row| serde_json::from_str::<Environment<'_>>(row).ok())
        .filter(|one| one.region.text().is_some_and(|text| text == region))
        .filter_map(|one| one.name.text().map(std::borrow::Cow::into_owned))
        .filter(|known| known.starts_with(name))
        .collect();
    ours.sort();
    Ok(ours.into_iter().next())
}

/// The name under which an environment knows a public key; it is registered there where it does not.
pub(super) async fn key(
    account: &Account,
    environment: &str,
    public_key: &str,
) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(account.what(doing), public_key)?;
    let all = pages::all(account, doing, "/core/keypairs", |page| page.keypairs.as_ref()).await?;
    for row in &all.rows {
        let Ok(known) = serde_json::from_str::<Keypair<'_>>(row) else { continue };
        let place: Environment<'_> = known.environment.object();
        let here = place.name.text().is_some_and(|name| name == environment);
        let same = known.public_key.text().is_some_and(|text| material(&text) == Some(wanted));
        if let (true, true, Some(name)) = (here, same, known.name.text()) {
            return Ok(name.into_owned());
        }
    }
    let mut last = None;
    for name in ssh_key::names(wanted) {
        let body = json!({ "name": name, "environment_name": environment, "public_key": public_key.trim() });
        match make(account, doing, "/v1/core/keypairs", &body).await {
            Ok(()) => return Ok(name),
            Err(error) if error.code == CloudErrorCode::Conflict => last = Some(error),
            Err(error) => return Err(ssh_key::unregistered(error)),
        }
    }
    Err(last.unwrap_or_else(|| account.error(CloudErrorCode::SshKeyRefused, doing, "no name is free")))
}

async fn make(account: &Account, doing: &str, path: &str, body: &Value) -> Result<(), CloudError> {
    let sent = account.change(doing, (Method::POST, path), Some(body), &[PACE]).await;
    let done = sent.map_err(refused).and_then(|answer| believed(account, doing, answer));
    // Whatever became of it: no machine was made.
    done.map(|_| ()).map_err(|error| CloudError { effect: Effect::Nothing, ..error })
}
