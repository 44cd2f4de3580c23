//! Opening the file, and the two pools through which everything goes.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Sqlite, Transaction};

use crate::StoreError;
use crate::error::classify;
use crate::schema;

/// How long a write waits for another process's write before it gives up.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(15);

/// Readers work side by side with the writer and each other; the board, a price line and a list are the most that
/// are read at once.
const READERS: u32 = 3;

/// Of a new file. Twice SQLite's default: an offer takes about half a KiB, and reading all of them back takes a third
/// less time. Larger pages gain nothing more and make small writes larger.
const PAGE_BYTES: u32 = 8192;

/// After a large refresh the write-ahead log is cut back to this size.
const LOG_BYTES_KEPT: &str = "16777216";

/// The open database. Cheap to clone; all clones share the connections.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Store {
    /// Opens the database at `path`; makes its folder and the file where they are missing (readable by this user
    /// only, on Unix), and brings an older schema up to date.
    ///
    /// # Errors
    /// [`StoreError::Newer`], [`StoreError::Damaged`] and [`StoreError::Foreign`] leave the file exactly as it was;
    /// [`StoreError::NotWritable`], [`StoreError::DiskFull`], [`StoreError::Busy`] and [`StoreError::Io`] say what
    /// is in the way.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let fail = |doing| move |source| classify(path, doing, source);
        if prepare_file(path)? == File::MayHoldData {
            schema::probe(path).await?;
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .page_size(PAGE_BYTES)
            .pragma("journal_size_limit", LOG_BYTES_KEPT)
            // Statements of a refresh are long and alike; what is worth a line is logged by whoever asked for it.
            .disable_statement_logging();
        let writer = pool(1)
            .connect_with(
                options
                    .clone()
                    .journal_mode(SqliteJournalMode::Wal)
                    // What a person typed must survive a power cut, not only a crash.
                    .synchronous(SqliteSynchronous::Full),
            )
            .await
            .map_err(fail("open it for writing"))?;
        schema::migrate(path, &writer).await?;
        let readers =
            pool(READERS).connect_with(options.read_only(true)).await.map_err(fail("open it for reading"))?;
        Ok(Self { path: path.to_path_buf(), writer, readers })
    }

    /// Where the database is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The schema version of the open file: the newest one this version knows.
    #[must_use]
    pub fn schema_version(&self) -> i64 {
        schema::newest()
    }

    /// Waits for running operations and closes the file, folding the write-ahead log into it.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    pub(crate) fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// A transaction that holds the write lock from its first moment: what it reads cannot change under it.
    pub(crate) async fn begin_write(
        &self,
        doing: &'static str,
    ) -> Result<Transaction<'_, Sqlite>, StoreError> {
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(self.during(doing))
    }

    /// For `map_err`: turns a driver's error into ours. `doing` completes "could not …".
    pub(crate) fn during(&self, doing: &'static str) -> impl FnOnce(sqlx::Error) -> StoreError {
        move |source| classify(&self.path, doing, source)
    }
}

/// Connections to a file do not go stale: none is closed for its age or checked before its use.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(BUSY_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
}

#[derive(PartialEq, Eq)]
enum File {
    Empty,
    MayHoldData,
}

/// Makes folder and file. SQLite gives its companion files the permissions of the main one.
fn prepare_file(path: &Path) -> Result<File, StoreError> {
    let refused =
        |error: io::Error| StoreError::NotWritable { path: path.to_path_buf(), detail: error.to_string() };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(refused)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let length = options.open(path).and_then(|file| file.metadata()).map_err(refused)?.len();
    Ok(if length == 0 { File::Empty } else { File::MayHoldData })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn opened() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("gpudesk.db")).await.unwrap();
        (folder, store)
    }

    #[tokio::test]
    async fn a_full_disk_is_told_and_keeps_what_was_stored() {
        let (_folder, store) = opened().await;
        store.set_setting("theme", "\"dark\"").await.unwrap();
        // The writer's own limit stands in for the disk's: SQLite answers both with SQLITE_FULL.
        sqlx::query("PRAGMA max_page_count = 1").execute(store.writer()).await.unwrap();
        let large = format!("\"{}\"", "x".repeat(1_000_000));
        let error = store.set_setting("theme", &large).await.unwrap_err();
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}");
        assert!(error.hint().unwrap().contains("Free some space"));
        assert_eq!(store.setting("theme").await.unwrap().as_deref(), Some("\"dark\""));
    }

    #[tokio::test]
    async fn a_lock_held_for_too_long_is_told() {
        let (_folder, store) = opened().await;
        let other = Store::open(store.path()).await.unwrap();
        let lock = other.begin_write("hold the lock").await.unwrap();
        sqlx::query("PRAGMA busy_timeout = 1").execute(store.writer()).await.unwrap();
        let error = store.set_setting("theme", "1").await.unwrap_err();
        assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
        assert_eq!(store.setting("theme").await.unwrap(), None, "reading goes on");
        drop(lock);
        sqlx::query("PRAGMA busy_timeout = 15000").execute(store.writer()).await.unwrap();
        store.set_setting("theme", "1").await.unwrap();
    }
}
