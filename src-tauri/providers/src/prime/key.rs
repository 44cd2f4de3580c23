//! The key: one text, or an object that also names the team whose wallet pays.

use gpudesk_core::rental::KeyField;

use super::api::TITLE;
use crate::cloud::{Access, CloudError, CloudErrorCode, KeyParts};
use crate::http::Secret;

/// The parts of a key. None is required, since a key that stands alone is taken too.
pub(super) const FIELDS: &[KeyField] = &[
    KeyField { name: "api_key", title: "API key", secret: true, required: false, example: "" },
    KeyField {
        name: "team_id",
        title: "Team ID",
        secret: false,
        required: false,
        example: "empty: the wallet of the person pays",
    },
];

/// A key and the team it acts for.
#[derive(Debug)]
pub(super) struct Key {
    pub secret: Secret,
    /// Without it everything lands on the wallet of the person, also where the person works in a team.
    pub team: Option<String>,
}

/// Reads the key as the person gave it.
///
/// # Errors
/// `CloudErrorCode::BadKey` naming what is missing, never what is there.
pub(super) fn read(access: &Access) -> Result<Key, CloudError> {
    if !access.key.expose().trim_start().starts_with('{') {
        return Ok(Key { secret: access.key.clone(), team: None });
    }
    let parts = KeyParts::of(access, TITLE, FIELDS)?;
    let team = parts.get("team_id").map(|team| team.expose().to_owned());
    match parts.get("api_key") {
        Some(secret) => Ok(Key { secret: secret.clone(), team }),
        None => {
            let what = format!("{TITLE} account");
            let error = CloudError::new(CloudErrorCode::BadKey, what, "the key lacks `api_key`");
            Err(error.hint("give the key alone, or as {\"api_key\": …, \"team_id\": …}"))
        }
    }
}
