//! Feeds and how they fare.

use chrono::{DateTime, Utc};
use gpudesk_core::feed::FeedName;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqliteConnection};

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

/// What went wrong at the last try of a feed, in the shape of an error as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The error code that is acted on.
    pub code: String,
    /// What was being done, to what.
    pub what: String,
    /// The other side's words, shortened, without secrets.
    pub detail: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// From when on the other side may be asked again, where it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<DateTime<Utc>>,
}

/// A feed that was tried at least once. The counts are those of the last success, and 0 before the first one.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedRow {
    /// Which feed.
    pub name: FeedName,
    /// Where the rows come from, as said to people; `None` before the first success.
    pub origin: Option<String>,
    /// When the source said the stored rows; `None` before the first success.
    pub as_of: Option<DateTime<Utc>>,
    /// What to send so that the source can say "unchanged": an `ETag` or the content of a version file.
    pub version: Option<String>,
    /// The last try, whatever came of it.
    pub tried_at: DateTime<Utc>,
    /// Since when every try has failed; `None` while it works.
    pub failing_since: Option<DateTime<Utc>>,
    /// What went wrong at the last try; `None` while it works.
    pub error: Option<Failure>,
    /// Offers stored.
    pub offers: u64,
    /// Rows the source sent.
    pub rows_read: u64,
    /// Rows that became offers.
    pub rows_used: u64,
    /// Rows that are no GPU.
    pub rows_not_gpu: u64,
    /// Rows in quarantine.
    pub quarantined: u64,
    /// Seconds the last successful fetch took; `None` before the first one.
    pub seconds: Option<f64>,
    /// Prices that differed from those stored before.
    pub price_changes: u64,
    /// Remarks that cost no row.
    pub notes: Vec<String>,
}

/// The columns of `feeds` as they stand.
#[derive(Debug, FromRow)]
pub(crate) struct StoredFeed {
    pub id: i64,
    name: String,
    origin: Option<String>,
    as_of: Option<i64>,
    version: Option<String>,
    tried_at: i64,
    pub succeeded_at: Option<i64>,
    seconds: Option<f64>,
    failing_since: Option<i64>,
    error: Option<String>,
    pub offers: i64,
    rows_read: i64,
    rows_used: i64,
    rows_not_gpu: i64,
    quarantined: i64,
    price_changes: i64,
    notes: String,
    pub history_at: Option<i64>,
}

impl TryFrom<StoredFeed> for FeedRow {
    type Error = StoreError;

    fn try_from(row: StoredFeed) -> Result<Self, StoreError> {
        let key = row.name;
        let time = |ms: i64, column| from_ms(ms, "feeds", &key, column);
        let bad = |column: &str, error: &dyn std::fmt::Display| StoreError::BadRow {
            table: "feeds",
            key: key.clone(),
            detail: format!("{column}: {error}"),
        };
        let count = |n: i64, column| u64::try_from(n).map_err(|error| bad(column, &error));
        Ok(Self {
            origin: row.origin,
            as_of: row.as_of.map(|ms| time(ms, "as_of")).transpose()?,
            version: row.version,
            tried_at: time(row.tried_at, "tried_at")?,
            failing_since: row.failing_since.map(|ms| time(ms, "failing_since")).transpose()?,
            error: row
                .error
                .map(|text| serde_json::from_str(&text).map_err(|error| bad("error", &error)))
                .transpose()?,
            offers: count(row.offers, "offers")?,
            rows_read: count(row.rows_read, "rows_read")?,
            rows_used: count(row.rows_used, "rows_used")?,
            rows_not_gpu: count(row.rows_not_gpu, "rows_not_gpu")?,
            quarantined: count(row.quarantined, "quarantined")?,
            seconds: row.seconds,
            price_changes: count(row.price_changes, "price_changes")?,
            notes: serde_json::from_str(&row.notes).map_err(|error| bad("notes", &error))?,
            name: FeedName(key),
        })
    }
}

/// The feed's row inside a write transaction; makes one where the feed is new.
pub(crate) async fn find_or_add(
    connection: &mut SqliteConnection,
    name: &FeedName,
    tried_at: DateTime<Utc>,
) -> Result<StoredFeed, sqlx::Error> {
    // The no-op update makes RETURNING answer for an existing row too.
    sqlx::query_as(
        "INSERT INTO feeds (name, tried_at) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET name = excluded.name
         RETURNING *",
    )
    .bind(&name.0)
    .bind(to_ms(tried_at))
    .fetch_one(connection)
    .await
}

impl Store {
    /// All feeds that were ever tried, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn feeds(&self) -> Result<Vec<FeedRow>, StoreError> {
        sqlx::query_as::<_, StoredFeed>("SELECT * FROM feeds ORDER BY name")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("list the feeds"))?
            .into_iter()
            .map(FeedRow::try_from)
            .collect()
    }

    /// Writes down that a try of `feed` at `at` failed. Its offers, counts and `as_of` stay as they were. A failure
    /// that is older than the feed's last try (another process has been there since) changes nothing.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn record_failure(
        &self,
        feed: &FeedName,
        at: DateTime<Utc>,
        failure: &Failure,
    ) -> Result<(), StoreError> {
        const DOING: &str = "record a failed refresh";
        let error = serde_json::to_string(failure)
            .map_err(|error| StoreError::Sql { doing: DOING, source: sqlx::Error::Encode(error.into()) })?;
        sqlx::query(
            "INSERT INTO feeds (name, tried_at, failing_since, error) VALUES (?1, ?2, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET
                 tried_at = excluded.tried_at,
                 failing_since = coalesce(failing_since, excluded.failing_since),
                 error = excluded.error
             WHERE feeds.tried_at <= excluded.tried_at",
        )
        .bind(&feed.0)
        .bind(to_ms(at))
        .bind(error)
        .execute(self.writer())
        .await
        .map_err(self.during(DOING))?;
        Ok(())
    }

    /// Writes down that the source of `feed` said at `at` that nothing has changed: the stored offers are as fresh
    /// as `at`. No offer row is written. `version` is what the source sent this time; `None` keeps the stored one.
    ///
    /// # Errors
    /// [`StoreError::UnknownFeed`] where nothing was ever stored for the feed; or the database cannot be written.
    pub async fn record_unchanged(
        &self,
        feed: &FeedName,
        at: DateTime<Utc>,
        version: Option<&str>,
    ) -> Result<(), StoreError> {
        let done = sqlx::query(
            "UPDATE feeds SET
                 as_of = max(as_of, ?2), tried_at = max(tried_at, ?2), succeeded_at = max(succeeded_at, ?2),
                 version = coalesce(?3, version), failing_since = NULL, error = NULL, price_changes = 0
             WHERE name = ?1 AND as_of IS NOT NULL",
        )
        .bind(&feed.0)
        .bind(to_ms(at))
        .bind(version)
        .execute(self.writer())
        .await
        .map_err(self.during("record an unchanged feed"))?;
        match done.rows_affected() {
            0 => Err(StoreError::UnknownFeed(feed.clone())),
            _ => Ok(()),
        }
    }
}
