//! Opening the file, and the two pools through which everything goes.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Sqlite, SqliteConnection, Transaction};
use tokio::time::{Instant, sleep};

use crate::StoreError;
use crate::error::classify;
use crate::schema;

/// Between two tries to open a file that another process is opening.
const OPEN_AGAIN: Duration = Duration::from_millis(20);

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
        let given_up = Instant::now() + BUSY_TIMEOUT;
        loop {
            match Self::try_open(path).await {
                // Where waiting could end in a deadlock (two that turn a new file to the write-ahead log, one that
                // reads it meanwhile) SQLite answers "busy" at once, whatever its time limit: the other one is done
                // in a moment.
                Err(StoreError::Busy { .. }) if Instant::now() < given_up => sleep(OPEN_AGAIN).await,
                opened => return opened,
            }
        }
    }

    async fn try_open(path: &Path) -> Result<Self, StoreError> {
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
            // What a statement needs for a moment (to sort, to undo itself) is small; on disk it would double the writes.
            .pragma("temp_store", "MEMORY")
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
        .after_release(|connection, _| Box::pin(has_ended(connection)))
}

/// Whether a connection may be used again. On a full disk SQLite ends a transaction by itself; the driver's own
/// rollback then fails, and it refuses every later transaction: such a connection is closed.
async fn has_ended(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // A rollback may still be on its way to the driver's thread; the answer comes after it.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

#[derive(PartialEq, Eq)]
enum File {
    Empty,
    MayHoldData,
}

/// Makes folder and file. SQLite gives its companion files the permissions of the main one.
fn prepare_file(path: &Path) -> Result<File, StoreError> {
    let refused = |error: io::Error| {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::StorageFull => StoreError::DiskFull { path },
            _ => StoreError::NotWritable { path, detail: error.to_string() },
        }
    };
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
    use chrono::{DateTime, Utc};
    use gpudesk_core::feed::{FeedName, Fetched};
    use gpudesk_core::offer::Offer;

    use super::*;
    use crate::Answer;

    async fn opened() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("gpudesk.db")).await.unwrap();
        (folder, store)
    }

    fn fetched(offers: usize) -> Fetched {
        let offer = |n: usize| -> Offer {
            serde_json::from_value(serde_json::json!({
                "id": format!("vast:{n}"), "provider": "vast", "cloud": "vast", "source": "live", "name": n.to_string(),
                "form": "container", "isolation": "shared-host", "gpu": {"count": 1, "raw_name": "RTX 4090"},
                "price": {"kind": "on-demand", "currency": "USD", "per_hour": "0.5"}, "supply": {"state": "in-stock"},
            }))
            .unwrap()
        };
        Fetched {
            feed: FeedName("vast".to_owned()),
            origin: "test".to_owned(),
            as_of: DateTime::<Utc>::UNIX_EPOCH,
            offers: (0..offers).map(offer).collect(),
            quarantined: Vec::new(),
            rows_read: offers as u64,
            rows_used: offers as u64,
            rows_not_gpu: 0,
            notes: Vec::new(),
        }
    }

    async fn replace(store: &Store, fetched: &Fetched) -> Result<u64, StoreError> {
        let answer =
            Answer { fetched, version: None, tried_at: fetched.as_of, seconds: 1.0, allow_shrink: false };
        store.replace(&answer).await.map(|done| done.added)
    }

    #[tokio::test]
    async fn a_disk_that_fills_up_in_a_refresh_is_told_and_keeps_what_was_stored() {
        let (_folder, store) = opened().await;
        assert_eq!(replace(&store, &fetched(10)).await.unwrap(), 10);
        // The writer's own limit stands in for the disk's: SQLite answers both with SQLITE_FULL.
        sqlx::query("PRAGMA max_page_count = 100").execute(store.writer()).await.unwrap();
        let error = replace(&store, &fetched(20_000)).await.unwrap_err();
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}");
        assert!(error.hint().unwrap().contains("Free some space"));
        assert_eq!(store.load(|_, _, _| ()).await.unwrap().offers, 10);

        sqlx::query("PRAGMA max_page_count = 100000").execute(store.writer()).await.unwrap();
        assert_eq!(replace(&store, &fetched(20_000)).await.unwrap(), 19_990, "with space again it goes on");
    }

    #[tokio::test]
    async fn a_connection_whose_transaction_the_database_ended_is_replaced() {
        let (_folder, store) = opened().await;
        let mut transaction = store.begin_write("test").await.unwrap();
        sqlx::query("ROLLBACK").execute(&mut *transaction).await.unwrap();
        drop(transaction);
        assert_eq!(replace(&store, &fetched(1)).await.unwrap(), 1);
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
