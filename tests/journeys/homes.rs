//! The folder of a desk when something is wrong with it: the file is kept, and the way on is named.

use std::fs;
use std::path::PathBuf;

use crate::support::Desk;

async fn database(desk: &Desk) -> PathBuf {
    desk.count("").await;
    let mut files = fs::read_dir(desk.home()).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|e| e == "sqlite3")).unwrap()
}

#[tokio::test]
async fn a_damaged_database_is_kept_and_named() {
    let desk = Desk::offline();
    let file = database(&desk).await;
    for rest in ["sqlite3-wal", "sqlite3-shm"] {
        // What SQLite keeps beside the file could repair it.
        let _ = fs::remove_file(file.with_extension(rest));
    }
    let damage = b"this was a database once".repeat(500);
    fs::write(&file, &damage).unwrap();
    let ran = desk.run("offers").await;
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(file.file_name().unwrap().to_str().unwrap()), "{}", ran.err);
    assert_eq!(fs::read(&file).unwrap(), damage);
}

#[tokio::test]
async fn a_home_that_cannot_be_made_is_named() {
    let desk = Desk::offline();
    let file = desk.home().join("a-file");
    fs::write(&file, "").unwrap();
    let ran = desk.run_with(&["--home", file.join("below").to_str().unwrap(), "offers"]).await;
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a-file"), "{}", ran.err);
}
