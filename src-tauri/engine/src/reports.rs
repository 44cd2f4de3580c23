//! Reports: files in the desk's folder that a person opens, prints or hands on.

use std::path::{Path, PathBuf};

use crate::DeskError;
use crate::desk::Desk;

impl Desk {
    /// Writes a report into `reports` of the desk's folder, over one of the same name: whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn write_report(&self, name: &str, text: &str) -> Result<PathBuf, DeskError> {
        let folder = self.config().home.join("reports");
        let path = folder.join(name);
        let beside = folder.join(format!(".{name}.{}", std::process::id()));
        let (text, target) = (text.to_owned(), path.clone());
        let written = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(&folder)?;
            std::fs::write(&beside, text)?;
            std::fs::rename(&beside, &target).inspect_err(|_| {
                // Half a report is of no use to anybody.
                let _ = std::fs::remove_file(&beside);
            })
        });
        let failed = |detail: String| DeskError::Report { path: path.display().to_string(), detail };
        match written.await {
            Ok(Ok(())) => Ok(path),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(error) => Err(DeskError::Task(error.to_string())),
        }
    }

    /// Opens a report in what the system opens such files with; `false` where nothing can be started from here.
    pub async fn open_report(&self, path: &Path) -> bool {
        match url::Url::from_file_path(path) {
            Ok(address) => self.open_page(address.as_str()).await,
            Err(()) => false,
        }
    }
}
