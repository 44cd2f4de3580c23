//! The team's own price sheets: CSV files in a folder of the desk's home, for sellers that no program can ask. The
//! columns are told in `docs/price-sheet.md`.

mod cell;
mod file;
mod row;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use gpudesk_core::feed::{FeedName, Fetched};

pub use file::read;

use crate::catalogue::PRICE_LIST_FRESH_FOR;
use crate::source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode,
};

/// The name of the source, and of the part before `/` in its feeds.
pub const SHEETS: &str = "sheets";

/// The source.
pub struct Sheets {
    folder: Option<PathBuf>,
}

impl Sheets {
    /// The sheets of the desk's home.
    #[must_use]
    pub fn new(config: &SourceConfig) -> Self {
        Self { folder: config.price_sheets().map(Path::to_owned) }
    }

    /// The sheets there are, by name. A folder that is not there has none.
    fn files(&self) -> Vec<PathBuf> {
        let Some(entries) = self.folder.as_ref().and_then(|folder| folder.read_dir().ok()) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| is_sheet(file) && file.is_file());
        files.sort_unstable();
        files
    }
}

/// Whether a file is taken for a sheet: by its ending. What editors leave beside it is not.
fn is_sheet(file: &Path) -> bool {
    let hidden = file.file_name().is_none_or(|name| name.to_string_lossy().starts_with(['.', '~']));
    !hidden && file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// The feed of a sheet: `sheets/moscow` of `moscow.csv`.
#[must_use]
pub fn feed_of(file: &Path) -> FeedName {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    FeedName(format!("{SHEETS}/{}", stem.replace(['/', '\\'], "-")))
}

#[async_trait]
impl OfferSource for Sheets {
    fn name(&self) -> &'static str {
        SHEETS
    }

    fn title(&self) -> &'static str {
        "Team price sheets"
    }

    fn feeds(&self) -> Vec<FeedName> {
        self.files().iter().map(|file| feed_of(file)).collect()
    }

    /// Files of this computer: looked at often enough for a change to show while somebody waits for it.
    fn poll_every(&self) -> Duration {
        Duration::from_secs(5 * 60)
    }

    fn fresh_for(&self) -> Duration {
        PRICE_LIST_FRESH_FOR
    }

    /// What a person took out of a sheet is gone on purpose.
    fn is_own(&self) -> bool {
        true
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let files = self.files();
        // The rows of a sheet that was taken away go with it.
        let gone = cx.versions.keys().filter(|feed| feed.source() == SHEETS);
        for feed in gone.filter(|feed| !files.iter().any(|file| feed_of(file) == **feed)) {
            let fetched = empty(feed.clone(), (cx.now)());
            let result = Ok(FeedAnswer::Fetched { fetched, version: None });
            out(FeedOutcome { feed: feed.clone(), seconds: 0.0, result });
        }
        for path in files {
            let (begun, feed, now) = (Instant::now(), feed_of(&path), (cx.now)());
            let what = format!("price sheet {}", path.display());
            let read = tokio::task::spawn_blocking(move || file::read(&path, now)).await;
            let result = match read {
                Ok(Ok(fetched)) => Ok(FeedAnswer::Fetched { fetched, version: Some(VERSION.to_owned()) }),
                Ok(Err(error)) => Err(SourceError::new(SourceErrorCode::BadAnswer, what, error.to_string())
                    .hint("mend the file; the offers at hand stay in use")),
                Err(_) => Err(SourceError::new(SourceErrorCode::BadAnswer, what, "reading it broke off")),
            };
            out(FeedOutcome { feed, seconds: begun.elapsed().as_secs_f64(), result });
        }
    }
}

/// Every sheet has the same one: only with a version is a feed told back, and only so is a missing file noticed.
pub const VERSION: &str = "sheet";

fn empty(feed: FeedName, now: chrono::DateTime<chrono::Utc>) -> Fetched {
    Fetched {
        feed,
        origin: "a price sheet that was taken away".to_owned(),
        as_of: now,
        offers: Vec::new(),
        quarantined: Vec::new(),
        rows_read: 0,
        rows_used: 0,
        rows_not_gpu: 0,
        notes: Vec::new(),
    }
}
