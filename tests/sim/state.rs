//! What a practice market keeps between two runs: its machines, in one JSON file of its folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::world::World;

/// A folder that one market has for itself.
pub struct State {
    folder: PathBuf,
    /// Held as long as this market runs.
    _lock: File,
}

/// What was found in the folder.
pub enum Opened {
    /// It is ours now.
    Ours(State),
    /// Another market has it; this is what it announced.
    Taken(String),
}

impl State {
    /// Takes the folder.
    ///
    /// # Errors
    /// When it cannot be made or written.
    pub fn open(folder: &Path) -> std::io::Result<Opened> {
        std::fs::create_dir_all(folder)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Opened::Ours(Self { folder: folder.to_owned(), _lock: lock })),
            Err(TryLockError::WouldBlock) => {
                std::fs::read_to_string(folder.join("announced")).map(Opened::Taken)
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Where the machines' own folders are.
    #[must_use]
    pub fn machines(&self) -> PathBuf {
        self.folder.join("machines")
    }

    /// The world as it was left; a new one where there is none or it cannot be read.
    #[must_use]
    pub fn load(&self) -> World {
        let text = std::fs::read(self.folder.join("market.json")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Keeps the world, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, world: &str) -> std::io::Result<()> {
        self.put("market.json", world)
    }

    /// Keeps what was announced, for a second market of the same folder.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn announce(&self, lines: &str) -> std::io::Result<()> {
        self.put("announced", lines)
    }

    fn put(&self, name: &str, text: &str) -> std::io::Result<()> {
        let fresh = self.folder.join(format!("{name}.new"));
        std::fs::write(&fresh, text)?;
        std::fs::rename(fresh, self.folder.join(name))
    }
}
