//! A key of several parts: a JSON object whose names are those of [`KeyField`].

use std::collections::BTreeMap;

use gpudesk_core::rental::KeyField;

use super::{Access, CloudError, CloudErrorCode};
use crate::http::Secret;

/// The parts of a key, each as long as it is not empty.
#[derive(Debug)]
pub struct KeyParts(BTreeMap<&'static str, Secret>);

impl KeyParts {
    /// Reads the parts of the account's key. `title` names the provider in errors, which repeat nothing of the key.
    ///
    /// # Errors
    /// [`CloudErrorCode::BadKey`] where the key is no JSON object of texts, or a required part is missing, which is
    /// then named.
    pub fn of(access: &Access, title: &str, fields: &[KeyField]) -> Result<Self, CloudError> {
        let bad = |detail: String| {
            let names: Vec<String> = fields.iter().map(|field| format!("\"{}\": …", field.name)).collect();
            CloudError::new(CloudErrorCode::BadKey, format!("{title} account"), detail)
                .hint(format!("give the key as {{{}}}", names.join(", ")))
        };
        let told: BTreeMap<String, serde_json::Value> = serde_json::from_str(access.key.expose().trim())
            .map_err(|_| bad("the key is not a JSON object of its parts".to_owned()))?;
        let mut parts = BTreeMap::new();
        for field in fields {
            let text = match told.get(field.name) {
                None | Some(serde_json::Value::Null) => "",
                Some(serde_json::Value::String(text)) => text.trim(),
                Some(_) => return Err(bad(format!("the key's `{}` is not a text", field.name))),
            };
            if !text.is_empty() {
                parts.insert(field.name, Secret::new(text));
            } else if field.required {
                return Err(bad(format!("the key lacks `{}` ({})", field.name, field.title)));
            }
        }
        Ok(Self(parts))
    }

    /// A part, where it was given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Secret> {
        self.0.get(name)
    }

    /// A part that [`KeyParts::of`] has required; empty where it was not.
    #[must_use]
    pub fn need(&self, name: &str) -> Secret {
        self.0.get(name).cloned().unwrap_or_else(|| Secret::new(""))
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::http::{Http, HttpConfig};

    const FIELDS: &[KeyField] = &[
        KeyField { name: "id", title: "Client ID", secret: false, required: true, example: "" },
        KeyField { name: "secret", title: "Client secret", secret: true, required: true, example: "" },
        KeyField { name: "project", title: "Project", secret: false, required: false, example: "" },
    ];

    fn read(key: &str) -> Result<KeyParts, CloudError> {
        let http = Http::new(HttpConfig::new(std::sync::Arc::new(|| DateTime::UNIX_EPOCH))).unwrap();
        KeyParts::of(&Access { http, key: Secret::new(key), addresses: BTreeMap::new() }, "A Cloud", FIELDS)
    }

    #[test]
    fn parts_are_found_by_name_and_empty_ones_are_none() {
        let parts = read(r#" {"id": " a1 ", "secret": "hush", "project": "", "more": 1} "#).unwrap();
        assert_eq!(parts.need("id").expose(), "a1");
        assert_eq!(parts.get("secret").map(Secret::expose), Some("hush"));
        assert!(parts.get("project").is_none());
    }

    #[test]
    fn a_key_of_another_form_says_which_part_is_missing_and_nothing_of_itself() {
        for (key, says) in [
            ("hush-hush", "not a JSON object"),
            (r#"{"id": "hush"}"#, "lacks `secret` (Client secret)"),
            (r#"{"id": "hush", "secret": "  "}"#, "lacks `secret`"),
            (r#"{"id": {"hush": 1}, "secret": "x"}"#, "`id` is not a text"),
        ] {
            let error = read(key).unwrap_err();
            assert_eq!(error.code, CloudErrorCode::BadKey, "{key}");
            assert!(error.detail.contains(says), "{}", error.detail);
            assert!(!format!("{error:?}").contains("hush"), "{error:?}");
            assert!(error.hint.unwrap_or_default().contains("\"secret\": …"));
        }
    }
}
