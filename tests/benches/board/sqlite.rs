//! The same offers in SQLite: one table, indices on what is asked most, in a file.

use std::time::Instant;

use anyhow::Result;
use rust_decimal::prelude::ToPrimitive;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, QueryBuilder, SqliteConnection};
use tokio::runtime::{Builder, Runtime};

use gpudesk_core::offer::Offer;
use gpudesk_core::place;

use crate::measure::Times;

const RUNS: usize = 40;

const GROUPS: &str = "WITH ranked AS (
    SELECT gpu, price, row_number() OVER (PARTITION BY gpu ORDER BY price) AS place,
           count(*) OVER (PARTITION BY gpu) AS rows
    FROM offers WHERE price IS NOT NULL)
SELECT gpu, max(rows), min(price), avg(CASE WHEN place IN ((rows + 1) / 2, (rows + 2) / 2) THEN price END)
FROM ranked GROUP BY gpu ORDER BY 3";

/// A table of offers.
pub struct Database {
    runtime: Runtime,
    connection: std::cell::RefCell<SqliteConnection>,
    /// Removed with the database.
    _folder: tempfile::TempDir,
}

impl Database {
    pub fn new(offers: &[Offer]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("offers.sqlite"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal);
        let connection = runtime.block_on(async {
            let mut connection = options.connect().await?;
            fill(&mut connection, offers).await?;
            anyhow::Ok(connection)
        })?;
        Ok(Self { runtime, connection: connection.into(), _folder: folder })
    }

    /// The first rows by price.
    pub fn time_page(&self, condition: &str, window: usize) -> Result<Times> {
        self.time(&format!(
            "SELECT id, gpu, cards, price FROM offers WHERE {condition} ORDER BY price, id LIMIT {window}"
        ))
    }

    /// Lowest and median by card.
    pub fn time_groups(&self) -> Result<Times> {
        self.time(GROUPS)
    }

    fn time(&self, sql: &str) -> Result<Times> {
        let connection = &mut *self.connection.borrow_mut();
        self.runtime.block_on(async {
            let mut taken = Vec::with_capacity(RUNS);
            for _ in 0..RUNS {
                let start = Instant::now();
                let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut *connection).await?;
                // SQLite works on a thread of its own: there is only the clock.
                taken.push((start.elapsed(), start.elapsed()));
                drop(rows);
            }
            Ok(Times::of(&taken))
        })
    }
}

async fn fill(connection: &mut SqliteConnection, offers: &[Offer]) -> Result<()> {
    sqlx::query(
        "CREATE TABLE offers (id TEXT NOT NULL, gpu TEXT NOT NULL, cards INTEGER NOT NULL, vram REAL, zone TEXT,
            form TEXT NOT NULL, kind TEXT NOT NULL, cloud TEXT NOT NULL, price REAL NOT NULL) STRICT",
    )
    .execute(&mut *connection)
    .await?;
    let mut transaction = connection.begin().await?;
    for chunk in offers.chunks(1000) {
        let mut insert = QueryBuilder::new("INSERT INTO offers ");
        insert.push_values(chunk, |mut row, offer| {
            let zone =
                offer.place.country.as_deref().and_then(|iso2| place::zones(iso2).first()).map(|zone| zone.0);
            row.push_bind(&offer.id)
                .push_bind(offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name))
                .push_bind(offer.gpu.count)
                .push_bind(offer.gpu.vram_gib)
                .push_bind(zone)
                .push_bind(offer.form.word())
                .push_bind(offer.price.kind.word())
                .push_bind(&offer.cloud)
                .push_bind(offer.per_gpu_hour().to_f64().unwrap_or_default());
        });
        insert.build().execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    for statement in [
        "CREATE INDEX by_gpu ON offers (gpu, price)",
        "CREATE INDEX by_price ON offers (price, id)",
        "CREATE INDEX by_zone ON offers (zone, form, price)",
        "CREATE INDEX by_kind ON offers (kind, vram, price)",
        "ANALYZE",
    ] {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}
