//! Price lists read from files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_providers::catalogue::{self, CatalogueError, Imported};
use gpudesk_providers::sheets;

use crate::DeskError;
use crate::desk::Desk;
use crate::refresh::Trust;
use crate::report::FeedReport;

/// Files that are read while another is being stored: reading takes more than twice as long as storing.
const AT_ONCE: usize = 3;

impl Desk {
    /// Reads CSV files in SkyPilot's form, or folders of them, one feed a file. A file that cannot be read is only
    /// its own failure; what was known of that cloud stays.
    ///
    /// # Errors
    /// When the board cannot be rebuilt afterwards.
    pub async fn import_skypilot(&self, paths: Vec<PathBuf>) -> Result<Vec<FeedReport>, DeskError> {
        let now = self.now();
        let listing = tokio::task::spawn_blocking(move || catalogue::import(&paths, now).collect::<Vec<_>>());
        let files = listing.await.map_err(|error| DeskError::Task(error.to_string()))?;
        let mut reading = stream::iter(files)
            .map(|read| {
                tokio::task::spawn_blocking(move || {
                    let began = Instant::now();
                    (read(), began.elapsed().as_secs_f64())
                })
            })
            .buffered(AT_ONCE);
        let mut reports = Vec::new();
        while let Some(read) = reading.next().await {
            let (Imported { path, result }, seconds) =
                read.map_err(|error| DeskError::Task(error.to_string()))?;
            reports.push(match result {
                Ok(fetched) => self.keep(&fetched, None, now, seconds, Trust::Asked).await,
                Err(error) => FeedReport {
                    feed: FeedName(path.display().to_string()),
                    seconds,
                    result: Err(refused(&path, &error)),
                },
            });
        }
        self.settle_board().await?;
        Ok(reports)
    }

    /// Takes price sheets of the team into the desk's folder of them and reads them. A file that cannot be read at all
    /// is refused and changes nothing there; of one that can, the good rows are kept and the bad ones counted.
    ///
    /// # Errors
    /// When the board cannot be rebuilt afterwards.
    pub async fn import_prices(&self, paths: Vec<PathBuf>) -> Result<Vec<FeedReport>, DeskError> {
        let (now, folder) = (self.now(), self.config().price_sheets());
        let mut reports = Vec::new();
        for path in paths {
            let (began, feed, into) = (Instant::now(), sheets::feed_of(&path), folder.clone());
            let from = path.clone();
            let read = tokio::task::spawn_blocking(move || take_in(&from, &into, now)).await;
            let read = read.map_err(|error| DeskError::Task(error.to_string()))?;
            let seconds = began.elapsed().as_secs_f64();
            reports.push(match read {
                Ok(fetched) => self.keep(&fetched, Some(sheets::VERSION), now, seconds, Trust::Own).await,
                Err(error) => FeedReport { feed, seconds, result: Err(refused(&path, &error)) },
            });
        }
        self.settle_board().await?;
        Ok(reports)
    }
}

fn refused(path: &Path, error: &CatalogueError) -> DeskError {
    DeskError::Import {
        path: path.display().to_string(),
        missing: matches!(error, CatalogueError::Read(e) if e.kind() == ErrorKind::NotFound),
        detail: error.to_string(),
    }
}

/// Reads a sheet, and puts a copy of it into the folder unless it lies there already. The copy takes the old one's
/// place at once, so that nobody reads half of it.
fn take_in(path: &Path, folder: &Path, now: DateTime<Utc>) -> Result<Fetched, CatalogueError> {
    let fetched = sheets::read(path, now)?;
    let Some(name) = path.file_stem() else { return Ok(fetched) };
    let kept = folder.join(name).with_extension("csv");
    let is_there = path.canonicalize().ok().zip(kept.canonicalize().ok()).is_some_and(|(a, b)| a == b);
    if !is_there {
        std::fs::create_dir_all(folder)?;
        let half = folder.join(format!(".{}.new", name.to_string_lossy()));
        std::fs::copy(path, &half)?;
        std::fs::rename(&half, &kept)?;
    }
    Ok(fetched)
}
