//! Servers of the team's own, and their bookings.

use chrono::{DateTime, Utc};
use gpudesk_core::own::{Booking, Health, HostFacts, OwnHost};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{FromRow, SqliteConnection};

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

/// A server, and how it fared at its last check.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnHostRow {
    /// As a person described it.
    pub host: OwnHost,
    /// What was read of it when all was well for the last time, and when.
    pub facts: Option<(HostFacts, DateTime<Utc>)>,
    /// How it is, with what is wrong (empty where nothing is); `None` = never checked.
    pub health: Option<(Health, String)>,
    /// When it was last checked.
    pub checked_at: Option<DateTime<Utc>>,
}

/// What came of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is gone.
    Done,
    /// There is none of that name.
    Absent,
    /// So many bookings of it run: nothing was done.
    Booked(usize),
}

/// Which bookings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bookings {
    /// Those that run.
    Live,
    /// Those that ran at this moment or later.
    Since(DateTime<Utc>),
}

#[derive(FromRow)]
struct StoredHost {
    alias: String,
    body: String,
    facts: Option<String>,
    facts_at: Option<i64>,
    health: Option<String>,
    detail: Option<String>,
    checked_at: Option<i64>,
}

impl TryFrom<StoredHost> for OwnHostRow {
    type Error = StoreError;

    fn try_from(row: StoredHost) -> Result<Self, StoreError> {
        let time = |ms, column| from_ms(ms, "own_hosts", &row.alias, column);
        let facts: Option<HostFacts> =
            row.facts.as_deref().map(|text| parse(text, "own_hosts", &row.alias, "facts")).transpose()?;
        let facts_at = row.facts_at.map(|ms| time(ms, "facts_at")).transpose()?;
        let health = row.health.as_deref().map(|word| {
            word.parse::<Health>().map_err(|error| StoreError::BadRow {
                table: "own_hosts",
                key: row.alias.clone(),
                detail: format!("health: {error}"),
            })
        });
        Ok(Self {
            host: parse(&row.body, "own_hosts", &row.alias, "body")?,
            facts: facts.zip(facts_at),
            health: health.transpose()?.map(|health| (health, row.detail.clone().unwrap_or_default())),
            checked_at: row.checked_at.map(|ms| time(ms, "checked_at")).transpose()?,
        })
    }
}

#[derive(FromRow)]
struct StoredBooking {
    id: i64,
    host: String,
    token: String,
    units: String,
    begun_at: i64,
    ended_at: Option<i64>,
}

impl TryFrom<StoredBooking> for Booking {
    type Error = StoreError;

    fn try_from(row: StoredBooking) -> Result<Self, StoreError> {
        let key = row.id.to_string();
        let time = |ms, column| from_ms(ms, "own_bookings", &key, column);
        Ok(Self {
            id: row.id,
            units: parse(&row.units, "own_bookings", &key, "units")?,
            begun_at: time(row.begun_at, "begun_at")?,
            ended_at: row.ended_at.map(|ms| time(ms, "ended_at")).transpose()?,
            host: row.host,
            token: row.token,
        })
    }
}

fn parse<T: DeserializeOwned>(
    text: &str,
    table: &'static str,
    key: &str,
    column: &'static str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::BadRow {
        table,
        key: key.to_owned(),
        detail: format!("{column}: {error}"),
    })
}

fn json(value: &impl Serialize, key: &str) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::NotJson { key: key.to_owned(), detail: error.to_string() })
}

const HOST: &str = "SELECT alias, body, facts, facts_at, health, detail, checked_at FROM own_hosts";
const BOOKING: &str = "SELECT id, host, token, units, begun_at, ended_at FROM own_bookings";
const BOOK: &str = "book a server";

impl Store {
    /// The servers, by name.
    ///
    /// # Errors
    /// When the database or a server cannot be read.
    pub async fn own_hosts(&self) -> Result<Vec<OwnHostRow>, StoreError> {
        let rows: Vec<StoredHost> = sqlx::query_as(sqlx::AssertSqlSafe(format!("{HOST} ORDER BY alias")))
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the own servers"))?;
        rows.into_iter().map(OwnHostRow::try_from).collect()
    }

    /// One server.
    ///
    /// # Errors
    /// When the database or the server cannot be read.
    pub async fn own_host(&self, alias: &str) -> Result<Option<OwnHostRow>, StoreError> {
        let row: Option<StoredHost> = sqlx::query_as(sqlx::AssertSqlSafe(format!("{HOST} WHERE alias = ?1")))
            .bind(alias)
            .fetch_optional(self.readers())
            .await
            .map_err(self.during("read an own server"))?;
        row.map(OwnHostRow::try_from).transpose()
    }

    /// Stores what a person says of a server, over what was said before; what was read of it stays.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_own_host(&self, host: &OwnHost) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO own_hosts (alias, body) VALUES (?1, ?2)
             ON CONFLICT (alias) DO UPDATE SET body = excluded.body",
        )
        .bind(&host.alias)
        .bind(json(host, &host.alias)?)
        .execute(self.writer())
        .await
        .map_err(self.during("store an own server"))?;
        Ok(())
    }

    /// Writes down what a check found; a server that was removed meanwhile stays removed. Without new facts those of
    /// an earlier check stay.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn record_own_check(
        &self,
        alias: &str,
        at: DateTime<Utc>,
        health: (Health, &str),
        facts: Option<&HostFacts>,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE own_hosts SET checked_at = ?2, health = ?3, detail = ?4, facts = coalesce(?5, facts),
                    facts_at = CASE WHEN ?5 IS NULL THEN facts_at ELSE ?2 END
             WHERE alias = ?1",
        )
        .bind(alias)
        .bind(to_ms(at))
        .bind(health.0.word())
        .bind(health.1)
        .bind(facts.map(|facts| json(facts, alias)).transpose()?)
        .execute(self.writer())
        .await
        .map_err(self.during("store what a check of a server found"))?;
        Ok(())
    }

    /// Forgets a server, unless somebody has a part of it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_own_host(&self, alias: &str) -> Result<Removal, StoreError> {
        const DOING: &str = "remove an own server";
        let mut transaction = self.begin_write(DOING).await?;
        let live = live_bookings(&mut transaction, alias).await.map_err(self.during(DOING))?;
        if !live.is_empty() {
            return Ok(Removal::Booked(live.len()));
        }
        let done = sqlx::query("DELETE FROM own_hosts WHERE alias = ?1")
            .bind(alias)
            .execute(&mut *transaction)
            .await
            .map_err(self.during(DOING))?;
        transaction.commit().await.map_err(self.during(DOING))?;
        Ok(if done.rows_affected() > 0 { Removal::Done } else { Removal::Absent })
    }

    /// Books a part of a server. `choose` sees the server as it is stored and its bookings that run, and says what the
    /// booking gets; both cannot change before it is written. The same mark gives the same booking.
    ///
    /// # Errors
    /// When the database cannot be written. `Ok(None)` where there is no such server, or `choose` gives nothing.
    pub async fn book_own_host(
        &self,
        (alias, token): (&str, &str),
        at: DateTime<Utc>,
        choose: impl FnOnce(&OwnHostRow, &[Booking]) -> Option<Vec<String>>,
    ) -> Result<Option<Booking>, StoreError> {
        let mut transaction = self.begin_write(BOOK).await?;
        let known: Option<StoredBooking> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("{BOOKING} WHERE token = ?1")))
                .bind(token)
                .fetch_optional(&mut *transaction)
                .await
                .map_err(self.during(BOOK))?;
        if let Some(known) = known {
            return known.try_into().map(Some);
        }
        let host: Option<StoredHost> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("{HOST} WHERE alias = ?1")))
                .bind(alias)
                .fetch_optional(&mut *transaction)
                .await
                .map_err(self.during(BOOK))?;
        let Some(host) = host else { return Ok(None) };
        let live = live_bookings(&mut transaction, alias).await.map_err(self.during(BOOK))?;
        let live = live.into_iter().map(Booking::try_from).collect::<Result<Vec<_>, _>>()?;
        let Some(units) = choose(&host.try_into()?, &live) else { return Ok(None) };
        let written: StoredBooking = sqlx::query_as(
            "INSERT INTO own_bookings (host, token, units, begun_at) VALUES (?1, ?2, ?3, ?4)
             RETURNING id, host, token, units, begun_at, ended_at",
        )
        .bind(alias)
        .bind(token)
        .bind(json(&units, alias)?)
        .bind(to_ms(at))
        .fetch_one(&mut *transaction)
        .await
        .map_err(self.during(BOOK))?;
        transaction.commit().await.map_err(self.during(BOOK))?;
        written.try_into().map(Some)
    }

    /// Ends a booking; one that ended before keeps its time.
    ///
    /// # Errors
    /// When the database cannot be written. `Ok(false)` where there is none of that number.
    pub async fn end_own_booking(&self, id: i64, at: DateTime<Utc>) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE own_bookings SET ended_at = coalesce(ended_at, ?2) WHERE id = ?1")
            .bind(id)
            .bind(to_ms(at))
            .execute(self.writer())
            .await
            .map_err(self.during("end a booking"))?;
        Ok(done.rows_affected() > 0)
    }

    /// Bookings, oldest first.
    ///
    /// # Errors
    /// When the database or a booking cannot be read.
    pub async fn own_bookings(&self, which: Bookings) -> Result<Vec<Booking>, StoreError> {
        let (condition, since) = match which {
            Bookings::Live => ("?1 = 0 AND ended_at IS NULL", 0),
            Bookings::Since(since) => ("ended_at IS NULL OR ended_at >= ?1", to_ms(since)),
        };
        let rows: Vec<StoredBooking> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("{BOOKING} WHERE {condition} ORDER BY id")))
                .bind(since)
                .fetch_all(self.readers())
                .await
                .map_err(self.during("read the bookings"))?;
        rows.into_iter().map(Booking::try_from).collect()
    }

    /// One booking.
    ///
    /// # Errors
    /// When the database or the booking cannot be read.
    pub async fn own_booking(&self, id: i64) -> Result<Option<Booking>, StoreError> {
        let row: Option<StoredBooking> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("{BOOKING} WHERE id = ?1")))
                .bind(id)
                .fetch_optional(self.readers())
                .await
                .map_err(self.during("read a booking"))?;
        row.map(Booking::try_from).transpose()
    }
}

async fn live_bookings(
    connection: &mut SqliteConnection,
    alias: &str,
) -> Result<Vec<StoredBooking>, sqlx::Error> {
    let live = format!("{BOOKING} WHERE host = ?1 AND ended_at IS NULL ORDER BY id");
    sqlx::query_as(sqlx::AssertSqlSafe(live)).bind(alias).fetch_all(connection).await
}
