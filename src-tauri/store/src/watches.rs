//! Watches: standing questions and what was last told about them.

use chrono::{DateTime, Utc};
use sqlx::FromRow;

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

/// A standing question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Its number; never given to another watch.
    pub id: u32,
    /// The query line.
    pub line: String,
    /// When it was set.
    pub created_at: DateTime<Utc>,
    /// The best match at the last look, in nano-USD of one card-hour; `None`: nothing matched, or no look yet.
    pub best_usd: Option<i64>,
    /// When it last told; `None`: never.
    pub told_at: Option<DateTime<Utc>>,
    /// The offer it last told about.
    pub last_hit: Option<String>,
}

#[derive(FromRow)]
struct StoredWatch {
    id: i64,
    line: String,
    created_at: i64,
    best_usd: Option<i64>,
    told_at: Option<i64>,
    last_hit: Option<String>,
}

impl TryFrom<StoredWatch> for Watch {
    type Error = StoreError;

    fn try_from(row: StoredWatch) -> Result<Self, StoreError> {
        let key = row.id.to_string();
        let time = |ms, column| from_ms(ms, "watches", &key, column);
        Ok(Self {
            id: u32::try_from(row.id).map_err(|error| StoreError::BadRow {
                table: "watches",
                key: key.clone(),
                detail: format!("id: {error}"),
            })?,
            line: row.line,
            created_at: time(row.created_at, "created_at")?,
            best_usd: row.best_usd,
            told_at: row.told_at.map(|ms| time(ms, "told_at")).transpose()?,
            last_hit: row.last_hit,
        })
    }
}

impl Store {
    /// Stores a new watch and gives it its number.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_watch(&self, line: &str, created_at: DateTime<Utc>) -> Result<Watch, StoreError> {
        sqlx::query_as::<_, StoredWatch>("INSERT INTO watches (line, created_at) VALUES (?1, ?2) RETURNING *")
            .bind(line)
            .bind(to_ms(created_at))
            .fetch_one(self.writer())
            .await
            .map_err(self.during("store a watch"))?
            .try_into()
    }

    /// All watches, oldest first.
    ///
    /// # Errors
    /// When the database or a watch cannot be read.
    pub async fn watches(&self) -> Result<Vec<Watch>, StoreError> {
        sqlx::query_as::<_, StoredWatch>("SELECT * FROM watches ORDER BY id")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("list the watches"))?
            .into_iter()
            .map(Watch::try_from)
            .collect()
    }

    /// Stores what was last seen and told: `best_usd`, `told_at` and `last_hit` of `watch`.
    ///
    /// # Errors
    /// [`StoreError::UnknownWatch`] where it was removed meanwhile; or the database cannot be written.
    pub async fn update_watch(&self, watch: &Watch) -> Result<(), StoreError> {
        let done = sqlx::query("UPDATE watches SET best_usd = ?2, told_at = ?3, last_hit = ?4 WHERE id = ?1")
            .bind(watch.id)
            .bind(watch.best_usd)
            .bind(watch.told_at.map(to_ms))
            .bind(&watch.last_hit)
            .execute(self.writer())
            .await
            .map_err(self.during("update a watch"))?;
        if done.rows_affected() == 0 { Err(StoreError::UnknownWatch(watch.id)) } else { Ok(()) }
    }

    /// Removes a watch.
    ///
    /// # Errors
    /// [`StoreError::UnknownWatch`] where there is none of that number; or the database cannot be written.
    pub async fn remove_watch(&self, id: u32) -> Result<(), StoreError> {
        let done = sqlx::query("DELETE FROM watches WHERE id = ?1")
            .bind(id)
            .execute(self.writer())
            .await
            .map_err(self.during("remove a watch"))?;
        if done.rows_affected() == 0 { Err(StoreError::UnknownWatch(id)) } else { Ok(()) }
    }
}
