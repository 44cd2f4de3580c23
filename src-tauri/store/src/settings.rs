//! Settings: JSON texts by key. What a key means is its owner's business.

use serde::de::IgnoredAny;

use crate::{Store, StoreError};

impl Store {
    /// The JSON text stored under `key`; `None` where nothing was ever set.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT value FROM settings WHERE key = ?1")
            .bind(key)
            .fetch_optional(self.readers())
            .await
            .map_err(self.during("read a setting"))
    }

    /// Stores a JSON text under `key`.
    ///
    /// # Errors
    /// [`StoreError::NotJson`], and the old value stays; or the database cannot be written.
    pub async fn set_setting(&self, key: &str, json: &str) -> Result<(), StoreError> {
        serde_json::from_str::<IgnoredAny>(json)
            .map_err(|error| StoreError::NotJson { key: key.to_owned(), detail: error.to_string() })?;
        sqlx::query(
            "INSERT INTO settings (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )
        .bind(key)
        .bind(json)
        .execute(self.writer())
        .await
        .map_err(self.during("store a setting"))?;
        Ok(())
    }
}
