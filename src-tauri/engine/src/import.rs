//! Price lists read from files.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Instant;

use gpudesk_core::feed::FeedName;
use gpudesk_providers::catalogue::{self, CatalogueError, Imported};
use tokio::sync::mpsc;

use crate::DeskError;
use crate::desk::Desk;
use crate::report::FeedReport;

/// Files read ahead of the one being stored.
const AHEAD: usize = 2;

impl Desk {
    /// Reads CSV files in SkyPilot's form, or folders of them, one feed a file. A file that cannot be read is only
    /// its own failure; what was known of that cloud stays.
    ///
    /// # Errors
    /// When the board cannot be rebuilt afterwards.
    pub async fn import_skypilot(&self, paths: Vec<PathBuf>) -> Result<Vec<FeedReport>, DeskError> {
        let now = self.now();
        // Reading and storing take about as long as each other: one thread each.
        let (send, mut receive) = mpsc::channel::<(Imported, f64)>(AHEAD);
        let reading = tokio::task::spawn_blocking(move || {
            let mut began = Instant::now();
            for imported in catalogue::import(&paths, now) {
                if send.blocking_send((imported, began.elapsed().as_secs_f64())).is_err() {
                    return;
                }
                began = Instant::now();
            }
        });
        let mut reports = Vec::new();
        while let Some((Imported { path, result }, seconds)) = receive.recv().await {
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
        reading.await.map_err(|error| DeskError::Task(error.to_string()))?;
        self.settle_board().await?;
        Ok(reports)
    }
}
