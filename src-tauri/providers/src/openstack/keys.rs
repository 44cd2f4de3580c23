//! Key pairs. They belong to the user, not to the project, and a name is given once, even for the same key.

use reqwest::Method;
use serde_json::{Value, json};

use super::pages;
use super::session::{Service, Session, Version};
use super::wire::KeypairBox;
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::redact;

/// The name under which the user has a public key in a region; it is registered where there is none.
pub(super) async fn name_of(session: &Session, region: &str, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(session.what(doing), public_key)?;
    if let Some(known) = find(session, region, wanted).await? {
        return Ok(known);
    }
    let at = (region, Service::Compute);
    let typed = session.version(region).await? >= Version(2, 2);
    let mut last = None;
    for name in ssh_key::names(wanted) {
        let mut pair = json!({ "name": name, "public_key": public_key.trim() });
        if typed {
            pair["type"] = Value::from("ssh");
        }
        let body = json!({ "keypair": pair });
        match session.change(doing, at, (Method::POST, "/os-keypairs"), Some(&body)).await {
            Ok(_) => return Ok(name),
            Err(error) if error.code == CloudErrorCode::Conflict => {
                // Registered meanwhile by another desk, or the name of another key.
                if let Some(known) = find(session, region, wanted).await? {
                    return Ok(known);
                }
                last = Some(error);
            }
            Err(error) => return Err(ssh_key::unregistered(error)),
        }
    }
    let taken = || session.error(CloudErrorCode::SshKeyRefused, doing, "no name is free");
    Err(last.map_or_else(taken, |error| CloudError { effect: Effect::Nothing, ..error }))
}

async fn find(session: &Session, region: &str, wanted: (&str, &str)) -> Result<Option<String>, CloudError> {
    let at = (region, Service::Compute);
    let all = pages::all(session, "SSH key", at, ("/os-keypairs", "keypairs"), &[]).await?;
    let found = all.rows.iter().find_map(|json| {
        let known: KeypairBox<'_> = serde_json::from_str(json).ok()?;
        let key = known.keypair.public_key.text()?;
        let name = known.keypair.name.text()?;
        // A name with control characters would not be found again.
        (material(&key) == Some(wanted) && redact::words(&name) == name).then(|| name.into_owned())
    });
    Ok(found)
}
