//! What can go wrong with the database, by what is to be done about it.

use std::path::{Path, PathBuf};

use gpudesk_core::feed::FeedName;

/// Why the store did not do what it was asked to. `Display` says what happened and to what, [`StoreError::hint`]
/// what to do next. Nothing is half done after any of these: the operation's transaction is rolled back.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A later version of the program wrote the file. It was not touched.
    #[error(
        "database `{}` has schema {found}, written by a newer version; this version knows schema {known}",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The file's schema version.
        found: i64,
        /// The newest schema version known here.
        known: i64,
    },
    /// The file is no readable database: cut short, overwritten, or never one. It was not touched.
    #[error("database `{}` is damaged: {detail}", path.display())]
    Damaged {
        /// The database.
        path: PathBuf,
        /// SQLite's own words.
        detail: String,
    },
    /// The file is a healthy SQLite database of some other program. It was not touched.
    #[error("`{}` is a database of another program", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder cannot be created or written.
    #[error("database `{}` cannot be written: {detail}", path.display())]
    NotWritable {
        /// The database.
        path: PathBuf,
        /// The system's own words.
        detail: String,
    },
    /// No room on the disk. What was stored before is intact.
    #[error("disk is full: database `{}` cannot grow", path.display())]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// Another process kept the write lock for longer than [`crate::BUSY_TIMEOUT`].
    #[error("database `{}` is locked by another process", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The disk or the file system failed.
    #[error("database `{}`: input or output failed: {detail}", path.display())]
    Io {
        /// The database.
        path: PathBuf,
        /// SQLite's own words.
        detail: String,
    },
    /// An answer that is empty or has lost most of the feed's offers. The stored offers were kept.
    #[error("answer for `{feed}` has {offered} offers where {stored} are stored; the stored ones are kept")]
    SuspiciousAnswer {
        /// The feed.
        feed: FeedName,
        /// Offers stored.
        stored: u64,
        /// Offers in the answer.
        offered: u64,
    },
    /// An answer that has the same offer id twice: a fault of the adapter. The stored offers were kept.
    #[error("answer for `{feed}` has the offer `{id}` twice; the stored ones are kept")]
    DuplicateOffer {
        /// The feed.
        feed: FeedName,
        /// The id.
        id: String,
    },
    /// A stored row that cannot be understood.
    #[error("row `{key}` of table `{table}` cannot be read: {detail}")]
    BadRow {
        /// The table.
        table: &'static str,
        /// Which row.
        key: String,
        /// What is wrong with it, naming the column.
        detail: String,
    },
    /// A setting that is not JSON.
    #[error("setting `{key}` is not JSON: {detail}")]
    NotJson {
        /// The setting.
        key: String,
        /// The parser's own words.
        detail: String,
    },
    /// A feed from which nothing was ever stored.
    #[error("feed `{0}` has never been fetched")]
    UnknownFeed(FeedName),
    /// A watch that does not exist (any more).
    #[error("watch {0} does not exist")]
    UnknownWatch(u32),
    /// A live rental has this name.
    #[error("the name `{0}` is taken by another rental")]
    NameTaken(String),
    /// Another rental has this machine.
    #[error("machine `{0}` belongs to another rental")]
    MachineTaken(String),
    /// Something happened to the rental since it was read: whatever was decided has to be decided anew.
    #[error("rental `{0}` was changed by another program at the same moment")]
    Moved(String),
    /// A thread that reads offers broke: a fault of this program.
    #[error("offers could not be read: {0}")]
    Task(tokio::task::JoinError),
    /// Anything else SQLite or its driver refused: a fault of this program.
    #[error("database: could not {doing}: {source}")]
    Sql {
        /// What was being done.
        doing: &'static str,
        /// The driver's error.
        source: sqlx::Error,
    },
}

impl StoreError {
    /// What a person can do about it, in one or two sentences; `None` where it is our fault.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Newer { .. } => {
                Some("Install the newer version, or start this one with another data folder.".to_owned())
            }
            Self::Damaged { path, .. } => Some(format!(
                "Close the program, move `{0}` (and `{0}-wal`, `{0}-shm` where they exist) to another place and \
                 start again: a new database is made and the offers are fetched anew. Watches, settings and price \
                 history stay in the file that was moved.",
                path.display()
            )),
            Self::Foreign { .. } => Some("Choose another data folder.".to_owned()),
            Self::NotWritable { path, .. } => Some(format!(
                "Give this user the right to write `{}`, or choose another data folder.",
                path.parent().unwrap_or(path).display()
            )),
            Self::DiskFull { path } => Some(format!(
                "Free some space on the disk of `{}` and try again.",
                path.parent().unwrap_or(path).display()
            )),
            Self::Busy { .. } => {
                Some("Wait until the other program that uses it has finished, or close that one.".to_owned())
            }
            Self::Io { .. } => Some("Check the disk and the file system, then start again.".to_owned()),
            Self::SuspiciousAnswer { feed, .. } => Some(format!(
                "If `{feed}` really has so few offers now, refresh it by name to accept the answer."
            )),
            Self::NameTaken(_) => Some("Choose another name.".to_owned()),
            Self::Moved(_) => Some("Look at it again, then repeat.".to_owned()),
            Self::MachineTaken(_)
            | Self::NotJson { .. }
            | Self::DuplicateOffer { .. }
            | Self::BadRow { .. }
            | Self::UnknownFeed(_)
            | Self::UnknownWatch(_)
            | Self::Task(_)
            | Self::Sql { .. } => None,
        }
    }
}

/// SQLite's primary result codes that are acted on, see <https://www.sqlite.org/rescode.html>.
mod code {
    pub const PERM: i32 = 3;
    pub const BUSY: i32 = 5;
    pub const LOCKED: i32 = 6;
    pub const READONLY: i32 = 8;
    pub const IOERR: i32 = 10;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const CANTOPEN: i32 = 14;
    pub const NOTADB: i32 = 26;
}

/// Turns a driver's error about the database at `path` into ours. `doing` completes "could not …".
pub(crate) fn classify(path: &Path, doing: &'static str, source: sqlx::Error) -> StoreError {
    let path = path.to_path_buf();
    match &source {
        sqlx::Error::Database(database) => {
            let detail = database.message().to_owned();
            // The low byte of an extended code is the primary one.
            let primary = database.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
            match primary {
                Some(code::BUSY | code::LOCKED) => StoreError::Busy { path },
                Some(code::PERM | code::READONLY | code::CANTOPEN) => {
                    StoreError::NotWritable { path, detail }
                }
                Some(code::IOERR) => StoreError::Io { path, detail },
                Some(code::CORRUPT | code::NOTADB) => StoreError::Damaged { path, detail },
                Some(code::FULL) => StoreError::DiskFull { path },
                _ => StoreError::Sql { doing, source },
            }
        }
        sqlx::Error::PoolTimedOut => StoreError::Busy { path },
        sqlx::Error::Io(io) => StoreError::Io { path, detail: io.to_string() },
        _ => StoreError::Sql { doing, source },
    }
}
