//! Rentals and their events.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use gpudesk_core::rental::{Event, Record};
use sqlx::SqliteConnection;

use crate::time::to_ms;
use crate::{Store, StoreError};

/// A rental with everything that happened to it.
#[derive(Debug, Clone, PartialEq)]
pub struct RentalRow {
    /// What was asked for.
    pub record: Record,
    /// Its events, oldest first.
    pub events: Vec<Event>,
}

/// What follows from a rental's events and is kept beside them for look-ups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing<'a> {
    /// The provider's id.
    pub remote_id: Option<&'a str>,
    /// Nothing is left at the provider.
    pub over: bool,
    /// Nothing is left to be looked at.
    pub settled: bool,
    /// When nothing was left at the provider.
    pub finished: Option<DateTime<Utc>>,
}

/// Which rentals to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All.
    All,
    /// Those of which something may be left at a provider.
    Live,
    /// Those, and the ones that still have to be looked at.
    Unsettled,
    /// Those of which something was left at a provider at this moment or later.
    Since(DateTime<Utc>),
}

impl Store {
    /// Writes down a new rental with its first events.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`]; [`StoreError::MachineTaken`] where it names a machine that another rental has; or
    /// the database cannot be written.
    pub async fn add_rental(
        &self,
        record: &Record,
        events: &[Event],
        standing: Standing<'_>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin_write("write down a rental").await?;
        let inserted = sqlx::query(
            "INSERT INTO rentals (id, token, name, account, remote_id, events, over, settled, body, finished)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )
        .bind(&record.id)
        .bind(&record.token)
        .bind(&record.name)
        .bind(record.account_name())
        .bind(standing.remote_id)
        .bind(count(events.len()))
        .bind(standing.over)
        .bind(standing.settled)
        .bind(json(record, "rentals", &record.id)?)
        .bind(standing.finished.map(to_ms))
        .execute(&mut *transaction)
        .await;
        inserted.map_err(|error| self.taken(error, &record.name, standing.remote_id))?;
        self.add_rows(&mut transaction, &record.id, 0, events).await?;
        transaction.commit().await.map_err(self.during("write down a rental"))
    }

    /// Adds events to a rental of which the caller has seen `seen` events.
    ///
    /// # Errors
    /// [`StoreError::Moved`] where there are more by now, and nothing is added; [`StoreError::MachineTaken`]; or the
    /// database cannot be written.
    pub async fn add_rental_events(
        &self,
        rental: &str,
        seen: usize,
        events: &[Event],
        standing: Standing<'_>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin_write("write down what happened to a rental").await?;
        let done = sqlx::query(
            "UPDATE rentals SET events = events + ?3, remote_id = ?4, over = ?5, settled = ?6, finished = ?7
             WHERE id = ?1 AND events = ?2",
        )
        .bind(rental)
        .bind(count(seen))
        .bind(count(events.len()))
        .bind(standing.remote_id)
        .bind(standing.over)
        .bind(standing.settled)
        .bind(standing.finished.map(to_ms))
        .execute(&mut *transaction)
        .await
        .map_err(|error| self.taken(error, rental, standing.remote_id))?;
        if done.rows_affected() == 0 {
            return Err(StoreError::Moved(rental.to_owned()));
        }
        self.add_rows(&mut transaction, rental, seen, events).await?;
        transaction.commit().await.map_err(self.during("write down what happened to a rental"))
    }

    async fn add_rows(
        &self,
        connection: &mut SqliteConnection,
        rental: &str,
        seen: usize,
        events: &[Event],
    ) -> Result<(), StoreError> {
        for (number, event) in events.iter().enumerate() {
            sqlx::query("INSERT INTO rental_events (rental, number, body) VALUES (?1, ?2, ?3)")
                .bind(rental)
                .bind(count(seen + number))
                .bind(json(event, "rental_events", rental)?)
                .execute(&mut *connection)
                .await
                .map_err(self.during("write down what happened to a rental"))?;
        }
        Ok(())
    }

    /// Tells a name or a machine that another rental has from other failures.
    fn taken(&self, error: sqlx::Error, name: &str, remote_id: Option<&str>) -> StoreError {
        let words = error.as_database_error().map(|e| e.message().to_owned()).unwrap_or_default();
        if words.contains("rentals.remote_id") {
            StoreError::MachineTaken(remote_id.unwrap_or_default().to_owned())
        } else if words.contains("rentals.name") {
            StoreError::NameTaken(name.to_owned())
        } else {
            self.during("write down a rental")(error)
        }
    }

    /// Rentals, oldest first.
    ///
    /// # Errors
    /// When the database or a rental cannot be read.
    pub async fn rentals(&self, which: Which) -> Result<Vec<RentalRow>, StoreError> {
        let (condition, value) = match which {
            Which::All => ("1", String::new()),
            Which::Live => ("over = 0", String::new()),
            Which::Unsettled => ("settled = 0", String::new()),
            // A provider may bill an ended rental late; and it may be found again after its end.
            Which::Since(moment) => {
                ("over = 0 OR finished IS NULL OR finished >= CAST(?1 AS INTEGER)", to_ms(moment).to_string())
            }
        };
        self.read_rentals(condition, &value).await
    }

    /// One rental: by id, else the newest live one of that name, else the newest of that name.
    ///
    /// # Errors
    /// When the database or the rental cannot be read.
    pub async fn rental(&self, id_or_name: &str) -> Result<Option<RentalRow>, StoreError> {
        let found = self.read_rentals("id = ?1 OR name = ?1", id_or_name).await?;
        let newest = found.len().checked_sub(1);
        let mut best = found.iter().position(|row| row.record.id == id_or_name);
        if best.is_none() && found.len() > 1 {
            let live: Option<String> =
                sqlx::query_scalar("SELECT max(id) FROM rentals WHERE name = ?1 AND over = 0")
                    .bind(id_or_name)
                    .fetch_one(self.readers())
                    .await
                    .map_err(self.during("read a rental"))?;
            best = live.and_then(|live| found.iter().position(|row| row.record.id == live));
        }
        Ok(best.or(newest).and_then(|index| found.into_iter().nth(index)))
    }

    async fn read_rentals(&self, condition: &str, value: &str) -> Result<Vec<RentalRow>, StoreError> {
        // One statement, so that records and events are of one moment.
        let rows: Vec<(String, String, String)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
            "SELECT r.id, r.body, e.body FROM rentals r JOIN rental_events e ON e.rental = r.id
             WHERE ?1 IS NOT NULL AND ({condition}) ORDER BY r.id, e.number"
        )))
        .bind(value)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read the rentals"))?;
        let mut rentals: Vec<RentalRow> = Vec::new();
        for (id, record, event) in rows {
            if rentals.last().is_none_or(|last| last.record.id != id) {
                rentals.push(RentalRow { record: parse(&record, "rentals", &id)?, events: Vec::new() });
            }
            if let Some(last) = rentals.last_mut() {
                last.events.push(parse(&event, "rental_events", &id)?);
            }
        }
        Ok(rentals)
    }

    /// Puts a machine that is not ours out of sight, or back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_ignored(
        &self,
        account: &str,
        remote_id: &str,
        since: Option<DateTime<Utc>>,
    ) -> Result<(), StoreError> {
        let query = match since {
            Some(since) => sqlx::query("INSERT OR IGNORE INTO ignored_machines VALUES (?1, ?2, ?3)")
                .bind(account)
                .bind(remote_id)
                .bind(to_ms(since)),
            None => sqlx::query("DELETE FROM ignored_machines WHERE account = ?1 AND remote_id = ?2")
                .bind(account)
                .bind(remote_id),
        };
        query.execute(self.writer()).await.map_err(self.during("ignore a machine"))?;
        Ok(())
    }

    /// Machines out of sight: account and the provider's id.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn ignored(&self) -> Result<BTreeSet<(String, String)>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT account, remote_id FROM ignored_machines")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the ignored machines"))?;
        Ok(rows.into_iter().collect())
    }
}

fn count(number: usize) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn json<T: serde::Serialize>(value: &T, table: &'static str, key: &str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| bad(table, key, &error))
}

fn parse<T: serde::de::DeserializeOwned>(
    text: &str,
    table: &'static str,
    key: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| bad(table, key, &error))
}

fn bad(table: &'static str, key: &str, error: &serde_json::Error) -> StoreError {
    StoreError::BadRow { table, key: key.to_owned(), detail: format!("body: {error}") }
}
