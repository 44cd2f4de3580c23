//! What a launch refers to by id: SSH keys and first scripts of the account.

use serde_json::json;

use super::api::{TITLE, refused};
use super::session::Session;
use super::wire::Stored;
use crate::cloud::ssh_key::{self, material, name};
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, redact};

/// The id under which the account knows a public key; it is registered where it does not.
pub(super) async fn id_of(session: &Session, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(format!("{TITLE} {doing}"), public_key)?;
    let answer = session.get(doing, "/ssh-keys").await.map_err(refused)?;
    let text = answer.json_text();
    let known: Vec<Stored<'_>> = answer.parse(&text)?;
    let same = |key: &&Stored<'_>| key.key.text().is_some_and(|text| material(&text) == Some(wanted));
    if let Some(id) = known.iter().find(same).and_then(|key| key.id.text()) {
        return Ok(id.into_owned());
    }
    let body = json!({ "name": name(wanted), "key": public_key.trim() });
    store(session, doing, "/ssh-keys", &body).await.map_err(|mut error| {
        if error.code == CloudErrorCode::Conflict {
            error.code = CloudErrorCode::SshKeyRefused;
        }
        ssh_key::unregistered(error)
    })
}

/// The id of a first script. Its name is the launch's mark, so that a launch that is repeated finds it again.
pub(super) async fn script(session: &Session, mark: &str, text: &str) -> Result<String, CloudError> {
    let doing = "first script";
    let answer = session.get(doing, "/scripts").await.map_err(refused)?;
    let json = answer.json_text();
    let known: Vec<Stored<'_>> = answer.parse(&json)?;
    let same = |one: &&Stored<'_>| {
        one.name.text().as_deref() == Some(mark) && one.script.text().as_deref() == Some(text.trim())
    };
    if let Some(id) = known.iter().find(same).and_then(|one| one.id.text()) {
        return Ok(id.into_owned());
    }
    store(session, doing, "/scripts", &json!({ "name": mark, "script": text })).await
}

async fn store(
    session: &Session,
    doing: &str,
    path: &str,
    body: &serde_json::Value,
) -> Result<String, CloudError> {
    // Whatever became of it: no machine was made.
    let done = session.make(doing, path, body).await;
    let answer = done.map_err(|failure| CloudError { effect: Effect::Nothing, ..refused(failure) })?;
    made(&answer).ok_or_else(|| answer.bad("the answer names no id").into())
}

/// The id in the answer to something made: plain text, the same in quotes, or an object with it.
pub(super) fn made(answer: &Answer) -> Option<String> {
    let text = answer.text();
    let id = match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(serde_json::Value::Object(object)) => object.get("id")?.as_str()?.to_owned(),
        Ok(serde_json::Value::String(id)) => id,
        Ok(serde_json::Value::Number(number)) => number.to_string(),
        Ok(_) => return None,
        Err(_) => text.trim().to_owned(),
    };
    let id = redact::words(&id);
    let plain = !id.is_empty() && id.len() <= 128;
    (plain && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).then_some(id)
}
