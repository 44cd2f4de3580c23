//! Opening: new files, newer ones, damaged ones, foreign ones, and places where nothing can be written.

use std::fs;
use std::path::Path;

use gpudesk_store::{Store, StoreError};
use sqlx::Connection;

use crate::support::{at, desk, fetched, many, raw};

async fn refusal(path: &Path) -> StoreError {
    let before = fs::read(path).unwrap();
    let error = Store::open(path).await.unwrap_err();
    assert!(fs::read(path).unwrap() == before, "the file was touched");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    assert!(error.hint().is_some(), "{error}");
    error
}

/// A closed database with some offers.
async fn filled() -> crate::support::Desk {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, many(2_000))).await.unwrap();
    desk.store.close().await;
    desk
}

#[tokio::test]
async fn a_new_file_is_made_with_its_folders_for_this_user_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some/where/gpudesk.db");
    let store = Store::open(&path).await.unwrap();
    store.set_setting("theme", "1").await.unwrap();
    assert_eq!(store.path(), path);
    assert_eq!(store.schema_version(), 7);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(&path.with_extension("db-wal")), 0o600);
        assert_eq!(mode(path.parent().unwrap()), 0o700);
    }
}

#[tokio::test]
async fn what_was_stored_is_there_after_opening_again() {
    let desk = filled().await;
    assert!(!desk.folder.path().join("gpudesk.db-wal").exists(), "closing folds the log into the file");
    let again = Store::open(&desk.path()).await.unwrap();
    let loaded = again.load(|_, _, _| ()).await.unwrap();
    assert_eq!(loaded.offers, 2_000);
}

#[tokio::test]
async fn an_empty_file_left_by_an_interrupted_start_becomes_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gpudesk.db");
    fs::write(&path, "").unwrap();
    Store::open(&path).await.unwrap().set_setting("theme", "1").await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let desk = filled().await;
    let mut other = desk.raw().await;
    sqlx::query("PRAGMA user_version = 99").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    let error = refusal(&desk.path()).await;
    assert!(matches!(error, StoreError::Newer { found: 99, known: 7, .. }), "{error:?}");
}

#[tokio::test]
async fn a_newer_schema_is_refused_also_where_it_stands_in_the_log_only() {
    let desk = filled().await;
    let mut other = desk.raw().await;
    sqlx::query("PRAGMA user_version = 99").execute(&mut other).await.unwrap();
    // What a killed process leaves: the file and its log, not folded together.
    let path = desk.folder.path().join("left.db");
    fs::copy(desk.path(), &path).unwrap();
    fs::copy(desk.folder.path().join("gpudesk.db-wal"), desk.folder.path().join("left.db-wal")).unwrap();
    assert!(matches!(refusal(&path).await, StoreError::Newer { found: 99, .. }));
}

#[tokio::test]
async fn a_schema_version_below_zero_is_damage() {
    let desk = filled().await;
    let mut other = desk.raw().await;
    sqlx::query("PRAGMA user_version = -1").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    assert!(matches!(refusal(&desk.path()).await, StoreError::Damaged { .. }));
}

#[tokio::test]
async fn a_file_that_never_was_a_database_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gpudesk.db");
    for text in ["no".to_owned(), "<html>not found</html>".repeat(2_000), "\0".repeat(100_000)] {
        fs::write(&path, text).unwrap();
        let error = refusal(&path).await;
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        assert!(error.hint().unwrap().contains("move"), "{error}");
    }
}

#[tokio::test]
async fn a_database_cut_short_is_damage() {
    let desk = filled().await;
    let whole = fs::read(desk.path()).unwrap();
    for length in [16, 50, 99, 100, 4_096, 8_192, 8_193, whole.len() / 2, whole.len() - 8_192] {
        fs::write(desk.path(), &whole[..length]).unwrap();
        let error = refusal(&desk.path()).await;
        assert!(matches!(error, StoreError::Damaged { .. }), "cut to {length}: {error:?}");
    }
}

#[tokio::test]
async fn a_torn_header_is_damage() {
    let desk = filled().await;
    let whole = fs::read(desk.path()).unwrap();
    for range in [0..16, 0..100, 16..24, 100..200] {
        let mut torn = whole.clone();
        torn[range.clone()].fill(0xa5);
        fs::write(desk.path(), torn).unwrap();
        let error = refusal(&desk.path()).await;
        assert!(matches!(error, StoreError::Damaged { .. }), "torn {range:?}: {error:?}");
    }
}

#[tokio::test]
async fn a_damaged_page_is_told_by_whoever_reads_it_and_the_file_is_kept() {
    let desk = filled().await;
    let mut bytes = fs::read(desk.path()).unwrap();
    let middle = bytes.len() / 2 / 8_192 * 8_192;
    bytes[middle..middle + 8_192].fill(0xa5);
    fs::write(desk.path(), &bytes).unwrap();
    let store = Store::open(&desk.path()).await.unwrap();
    let error = store.load(|_, _, _| ()).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    store.close().await;
    assert!(fs::read(desk.path()).unwrap() == bytes, "the file was touched");
}

#[tokio::test]
async fn a_refresh_that_meets_a_damaged_page_changes_nothing() {
    let desk = filled().await;
    let mut bytes = fs::read(desk.path()).unwrap();
    let middle = bytes.len() / 2 / 8_192 * 8_192;
    bytes[middle..middle + 8_192].fill(0xa5);
    fs::write(desk.path(), &bytes).unwrap();
    let store = Store::open(&desk.path()).await.unwrap();
    let mut dearer = fetched("vast", 5, many(2_000));
    for offer in &mut dearer.offers {
        offer.price.per_hour *= rust_decimal::Decimal::TWO;
    }
    let error = store.replace(&crate::support::answer(&dearer)).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert_eq!(store.feeds().await.unwrap()[0].as_of, Some(at(0)));
    store.close().await;
    assert!(fs::read(desk.path()).unwrap() == bytes, "the file was touched");
}

#[tokio::test]
async fn a_database_of_another_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gpudesk.db");
    let mut other = raw(&path).await;
    sqlx::query("CREATE TABLE notes (text)").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    assert!(matches!(refusal(&path).await, StoreError::Foreign { .. }));
}

#[tokio::test]
async fn a_place_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    // Below a file no folder can be made, and a folder is no file: both hold for the superuser too.
    for path in [file.join("gpudesk.db"), folder.path().to_path_buf()] {
        let error = Store::open(&path).await.unwrap_err();
        assert!(matches!(error, StoreError::NotWritable { .. }), "{}: {error:?}", path.display());
        assert!(error.hint().unwrap().contains("write"), "{error}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_read_only_folder_is_told_and_the_file_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let desk = filled().await;
    let lock = |mode| fs::set_permissions(desk.folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    lock(0o555);
    if fs::write(desk.folder.path().join("probe"), "").is_ok() {
        lock(0o755);
        println!("skipped, the superuser may write into any folder");
        return;
    }
    let error = refusal(&desk.path()).await;
    lock(0o755);
    assert!(matches!(error, StoreError::NotWritable { .. }), "{error:?}");
}
