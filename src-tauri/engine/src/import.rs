//! Price lists read from files.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Instant;

use futures::stream::{self, StreamExt};
use gpudesk_core::feed::FeedName;
use gpudesk_providers::catalogue::{self, CatalogueError, Imported};

use crate::DeskError;
use crate::desk::Desk;
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
                Ok(fetched) => self.keep(&fetched, None, now, seconds, true).await,
                Err(error) => FeedReport {
                    feed: FeedName(path.display().to_string()),
                    seconds,
                    result: Err(DeskError::Import {
                        path: path.display().to_string(),
                        missing: matches!(&error, CatalogueError::Read(e) if e.kind() == ErrorKind::NotFound),
                        detail: error.to_string(),
                    }),
                },
            });
        }
        self.settle_board().await?;
        Ok(reports)
    }
}
