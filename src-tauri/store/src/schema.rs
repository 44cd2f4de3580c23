//! The schema and its history.
//!
//! The migrations run here and not through `sqlx::migrate!`: its SQLite driver takes no lock, so two processes that
//! open a new file at the same moment would both run them. Here the write lock is taken first, and whoever comes
//! second finds nothing left to do. The version is SQLite's own `user_version`, inside the same transaction.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};

use crate::StoreError;
use crate::error::classify;
use crate::store::BUSY_TIMEOUT;

/// Append only: a migration that was ever released is never edited. Version 1 is the first.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_market.sql"),
    include_str!("../migrations/0002_rentals.sql"),
    include_str!("../migrations/0003_accounts.sql"),
    include_str!("../migrations/0004_names.sql"),
    include_str!("../migrations/0005_policies.sql"),
    include_str!("../migrations/0006_guard.sql"),
    include_str!("../migrations/0007_own.sql"),
];

/// `GPUd` in SQLite's `application_id`: this is our file.
const APPLICATION_ID: i64 = 0x4750_5564;

/// The newest schema version known.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.len().try_into().unwrap_or(i64::MAX)
}

/// Looks at an existing file without writing a byte of it: readable, ours, and not newer than we are.
pub(crate) async fn probe(path: &Path) -> Result<(), StoreError> {
    let fail = |source| classify(path, "look at it", source);
    let mut connection = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(BUSY_TIMEOUT)
        .connect()
        .await
        .map_err(fail)?;
    let found = sqlx::query_as::<_, (i64, i64, i64)>(
        "SELECT (SELECT user_version FROM pragma_user_version),
                (SELECT application_id FROM pragma_application_id),
                (SELECT count(*) FROM sqlite_schema)",
    )
    .fetch_one(&mut connection)
    .await;
    // Closed before the verdict: a read-only connection folds no log into the file.
    connection.close().await.map_err(fail)?;
    let (version, application, objects) = found.map_err(fail)?;
    if application != APPLICATION_ID && (objects > 0 || application != 0) {
        return Err(StoreError::Foreign { path: path.to_path_buf() });
    }
    refuse_newer(path, version)
}

/// Brings the schema up to date, in one transaction. A file that is up to date is only read: opening it never waits
/// for somebody's write.
pub(crate) async fn migrate(path: &Path, writer: &SqlitePool) -> Result<(), StoreError> {
    let fail = |source| classify(path, "bring its schema up to date", source);
    let mut connection = writer.acquire().await.map_err(fail)?;
    if missing(path, version(&mut connection).await.map_err(fail)?)?.is_empty() {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(fail)?;
    // Read again: another process may have been here before we had the lock.
    let missing = missing(path, version(&mut transaction).await.map_err(fail)?)?;
    for migration in missing {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(fail)?;
    }
    // A pragma takes no bound values.
    let stamp = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}", newest());
    sqlx::raw_sql(AssertSqlSafe(stamp)).execute(&mut *transaction).await.map_err(fail)?;
    transaction.commit().await.map_err(fail)
}

async fn version(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await
}

/// The migrations a file of this version has not seen.
fn missing(path: &Path, version: i64) -> Result<&'static [&'static str], StoreError> {
    refuse_newer(path, version)?;
    usize::try_from(version).ok().and_then(|done| MIGRATIONS.get(done..)).ok_or_else(|| StoreError::Damaged {
        path: path.to_path_buf(),
        detail: format!("its schema version is {version}"),
    })
}

fn refuse_newer(path: &Path, found: i64) -> Result<(), StoreError> {
    let known = newest();
    if found > known {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known });
    }
    Ok(())
}
