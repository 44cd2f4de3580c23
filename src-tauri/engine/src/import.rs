//! Price lists read from files.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{DateTime, Utc};
use futures::stream::{self, StreamExt};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_providers::catalogue::{self, CatalogueError, Imported, ToRead};
use gpudesk_providers::sheets;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::DeskError;
use crate::desk::Desk;
use crate::refresh::Trust;
use crate::report::FeedReport;

/// Files that are read while another is being stored: reading takes longer than storing.
const AT_ONCE: usize = 2;

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
        let (sender, mut read) = mpsc::channel(1);
        // On its own, so that the next files are read while this task stores one. It ends with the channel.
        tokio::spawn(async move {
            let mut reading = stream::iter(largest_first(files)).map(read_apart).buffered(AT_ONCE);
            while let Some(file) = reading.next().await {
                if sender.send(file).await.is_err() {
                    return;
                }
            }
        });
        let mut reports = Vec::new();
        while let Some(file) = read.recv().await {
            let (place, Imported { path, result }, seconds) =
                file.map_err(|error| DeskError::Task(error.to_string()))?;
            let report = match result {
                Ok(fetched) => self.keep(&fetched, None, now, seconds, Trust::Asked).await,
                Err(error) => FeedReport {
                    feed: FeedName(path.display().to_string()),
                    seconds,
                    result: Err(refused(&path, &error)),
                },
            };
            reports.push((place, report));
        }
        reports.sort_by_key(|(place, _)| *place);
        let reports = reports.into_iter().map(|(_, report)| report).collect();
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

/// The files with their places, in an order that leaves no long one for the end. Files of one cloud stay in theirs.
fn largest_first(files: Vec<ToRead>) -> Vec<(usize, ToRead)> {
    let mut largest: HashMap<String, u64> = HashMap::new();
    for file in &files {
        let bytes = largest.entry(file.cloud.clone()).or_default();
        *bytes = file.bytes.max(*bytes);
    }
    let mut placed: Vec<(usize, ToRead)> = files.into_iter().enumerate().collect();
    placed.sort_by_key(|(_, file)| Reverse(largest.get(&file.cloud).copied()));
    placed
}

/// Reads a file on a thread where waiting for a disk holds up nobody. Gives its place and how long it took in seconds.
fn read_apart((place, file): (usize, ToRead)) -> JoinHandle<(usize, Imported, f64)> {
    tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        (place, file.read(), began.elapsed().as_secs_f64())
    })
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
