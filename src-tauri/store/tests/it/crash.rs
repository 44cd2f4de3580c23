//! A process that dies in the middle of a refresh leaves the old state.

use std::path::{Path, PathBuf};
use std::process::Command;

use gpudesk_store::Store;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::support::{answer, at, desk, fetched, many, offer};

const DATABASE: &str = "GPUDESK_TEST_CRASH_DATABASE";

/// Not a test of its own: what the child process of the next test does. Without its variable it does nothing.
#[tokio::test]
async fn child_replaces_and_hangs() {
    let Some(path) = std::env::var_os(DATABASE).map(PathBuf::from) else { return };
    let store = Store::open(&path).await.unwrap();
    let mut list = fetched("vast", 5, many(20_000));
    list.offers.push(offer("the last", "7"));
    store.replace(&answer(&list)).await.unwrap();
}

/// Whether somebody is inside a write transaction.
async fn is_written(path: &Path) -> bool {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(std::time::Duration::ZERO);
    let mut connection = options.connect().await.unwrap();
    let busy = match connection.begin_with("BEGIN IMMEDIATE").await {
        Ok(transaction) => {
            transaction.rollback().await.unwrap();
            false
        }
        Err(error) => {
            assert!(error.to_string().contains("locked"), "{error}");
            true
        }
    };
    connection.close().await.unwrap();
    busy
}

#[tokio::test]
async fn a_process_killed_inside_a_refresh_leaves_the_old_state() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("old", "1")])).await.unwrap();
    // The row that is written last never returns: the child can be killed inside the transaction without a race.
    sqlx::raw_sql(
        "CREATE TRIGGER hang AFTER INSERT ON offers WHEN NEW.id = 'the last' BEGIN
             SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                                   SELECT i FROM n LIMIT 1000000000000);
         END",
    )
    .execute(&mut desk.raw().await)
    .await
    .unwrap();
    let log = desk.folder.path().join("gpudesk.db-wal");
    let log_size = || std::fs::metadata(&log).map_or(0, |data| data.len());
    let quiet = log_size();

    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child_replaces_and_hangs", "--nocapture"])
        .env(DATABASE, desk.path())
        .spawn()
        .unwrap();
    // Inside the transaction, and with a part of the new rows already spilled into the log.
    while !(is_written(&desk.path()).await && log_size() > quiet + 1_000_000) {
        assert_eq!(child.try_wait().unwrap(), None, "the child ended by itself");
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();

    desk.store.close().await;
    let store = Store::open(&desk.path()).await.unwrap();
    let mut ids = Vec::new();
    store.load(|_, offer, _| ids.push(offer.id)).await.unwrap();
    assert_eq!(ids, ["old"]);
    assert_eq!(store.feeds().await.unwrap()[0].as_of, Some(at(0)));
    sqlx::raw_sql("DROP TRIGGER hang").execute(&mut desk.raw().await).await.unwrap();
    let done = store.replace(&answer(&fetched("vast", 10, many(100)))).await.unwrap();
    assert_eq!((done.added, done.removed), (100, 1));
}
