//! Times as they stand in the database: whole milliseconds since 1970 UTC, which sort and subtract as integers.

use chrono::{DateTime, Utc};

use crate::StoreError;

pub(crate) fn to_ms(at: DateTime<Utc>) -> i64 {
    at.timestamp_millis()
}

/// A stored time of one row; `table`, `key` and `column` name it in the error.
pub(crate) fn from_ms(
    ms: i64,
    table: &'static str,
    key: &str,
    column: &'static str,
) -> Result<DateTime<Utc>, StoreError> {
    DateTime::from_timestamp_millis(ms).ok_or_else(|| StoreError::BadRow {
        table,
        key: key.to_owned(),
        detail: format!("{column} is no time: {ms}"),
    })
}
