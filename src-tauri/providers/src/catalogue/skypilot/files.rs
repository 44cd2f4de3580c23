//! Files and folders of SkyPilot CSVs on disk.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use gpudesk_core::feed::Fetched;

use super::read_csv;
use crate::catalogue::CatalogueError;

/// What became of one file.
#[derive(Debug)]
pub struct Imported {
    /// The file, or the folder that could not be listed.
    pub path: PathBuf,
    /// Its rows, or why there are none.
    pub result: Result<Fetched, CatalogueError>,
}

/// A file that is still to be read.
pub struct ToRead {
    /// Its cloud: of two files of one cloud the one that is stored later stays.
    pub cloud: String,
    /// Its size in bytes; 0 where that cannot be told.
    pub bytes: u64,
    found: Result<PathBuf, (PathBuf, io::Error)>,
    now: DateTime<Utc>,
}

impl ToRead {
    fn new(found: Result<PathBuf, (PathBuf, io::Error)>, now: DateTime<Utc>) -> Self {
        let path = match &found {
            Ok(path) | Err((path, _)) => path,
        };
        Self { cloud: cloud_of(path), bytes: path.metadata().map_or(0, |file| file.len()), found, now }
    }

    /// Reads it, which takes a while.
    #[must_use]
    pub fn read(self) -> Imported {
        match self.found {
            Ok(path) => {
                let result = read_file(&path, self.now);
                Imported { path, result }
            }
            Err((path, error)) => Imported { path, result: Err(error.into()) },
        }
    }
}

/// Files, and the `.csv` files of folders, each to be read by the caller where and when it likes; the trouble of one is
/// only its own. The cloud is the file's name (`aws.csv`), or its folder's where the file is called `vms.csv` as in
/// SkyPilot's own repository. A list is as old as its file, but never newer than `now`.
pub fn import(paths: &[PathBuf], now: DateTime<Utc>) -> impl Iterator<Item = ToRead> {
    paths.iter().flat_map(|path| csv_files(path)).map(move |found| ToRead::new(found, now))
}

fn csv_files(path: &Path) -> Vec<Result<PathBuf, (PathBuf, io::Error)>> {
    if !path.is_dir() {
        return vec![Ok(path.to_owned())];
    }
    let mut files: Vec<PathBuf> = match path.read_dir() {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => return vec![Err((path.to_owned(), error))],
    };
    files.retain(|file| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")));
    files.sort_unstable();
    if files.is_empty() {
        let none = io::Error::new(io::ErrorKind::NotFound, "no .csv file in this folder");
        return vec![Err((path.to_owned(), none))];
    }
    files.into_iter().map(Ok).collect()
}

fn read_file(path: &Path, now: DateTime<Utc>) -> Result<Fetched, CatalogueError> {
    let file = File::open(path)?;
    let written = file.metadata()?.modified().map_or(now, DateTime::<Utc>::from).min(now);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read_csv(&cloud_of(path), file, written, &format!("SkyPilot catalogue, {name}"))
}

fn cloud_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).filter(|_| stem == "vms");
    folder.unwrap_or(stem).to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cloud_is_the_name_of_the_file_or_of_its_folder() {
        assert_eq!(cloud_of(Path::new("/x/aws.csv")), "aws");
        assert_eq!(cloud_of(Path::new("/x/RunPod-v5.CSV")), "runpod-v5");
        assert_eq!(cloud_of(Path::new("catalogs/v8/gcp/vms.csv")), "gcp");
        assert_eq!(cloud_of(Path::new("vms.csv")), "vms");
    }
}
