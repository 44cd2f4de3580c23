//! SSH keys to let into machines: the person's own, an agent's, or one of the desk.

use std::path::{Path, PathBuf};

use gpudesk_core::rental::{Record, SshAddress};
use gpudesk_remote::SshError;
use gpudesk_remote::keys::{self, ChosenKey, FoundKey};

use super::error::ConnectError;
use crate::{Desk, DeskError};

/// Chosen when a key of the desk's own is wanted, made if there is none yet.
pub const NEW_KEY: &str = "new";

impl Desk {
    /// Keys there are, the best first. Only public halves are read.
    pub async fn ssh_keys(&self) -> Vec<FoundKey> {
        keys::list(self.ways().ssh.files(), &self.ssh_folder()).await
    }

    /// The key of that choice: an id of the list, `file:PATH` of any other file, `new`, or, empty, the best one there
    /// is, else the desk's own.
    ///
    /// # Errors
    /// When there is none of that id or it cannot be used.
    pub async fn ssh_key(&self, choice: &str) -> Result<ChosenKey, DeskError> {
        let files = self.ways().ssh.files();
        let chosen = match choice {
            NEW_KEY => keys::own(files).await,
            "" => match self.ssh_keys().await.into_iter().find(|key| key.problem.is_none()) {
                Some(best) => keys::take(files, &self.ssh_folder(), &best.id).await,
                None => keys::own(files).await,
            },
            other => match other.strip_prefix("file:") {
                Some(path) => keys::of_file(files, Path::new(path)).await,
                None => keys::take(files, &self.ssh_folder(), other).await,
            },
        };
        chosen.map_err(|error| match error {
            // A person named it: the name is what is wrong.
            SshError::Here(detail) if !matches!(choice, NEW_KEY | "") => ConnectError::Invalid(detail).into(),
            error => ConnectError::ssh("the SSH key", error).into(),
        })
    }

    fn ssh_folder(&self) -> PathBuf {
        self.config().ssh_folder.clone().unwrap_or_else(|| self.config().home.join("no-home"))
    }

    /// The name under which `ssh NAME` finds a rental.
    #[must_use]
    pub fn ssh_alias(&self, rental: &str, name: &str) -> String {
        self.ways().alias(rental, name)
    }

    /// The names that the person's own SSH configuration gives to single machines, sorted.
    #[must_use]
    pub fn ssh_names(&self) -> Vec<String> {
        let mut names = self.ways().user.hosts();
        names.retain(|name| gpudesk_core::own::is_alias(name));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The name of a rental at this address in `ssh NAME`: a server of the team's own keeps the one it has.
    #[must_use]
    pub fn ssh_alias_at(&self, rental: &Record, address: &SshAddress) -> String {
        if address.by_alias { address.host.clone() } else { self.ssh_alias(&rental.id, &rental.name) }
    }
}
