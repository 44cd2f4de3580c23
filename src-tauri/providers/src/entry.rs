//! One entry of a cloud's list.

use serde::Deserialize;

use crate::http::redact;

/// Reads one entry, or says what is wrong with it. `kind` is what it should be: `a plan`.
pub(crate) fn read<'a, T: Deserialize<'a>>(json: &'a str, kind: &str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| format!("not {kind}: {}", redact::words(&error.to_string())))
}
