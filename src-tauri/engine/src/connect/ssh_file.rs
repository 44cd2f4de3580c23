//! The desk's own SSH files, the line in the person's, and host keys that changed.

use gpudesk_remote::{Host, IncludeState};

use super::error::ConnectError;
use crate::{Desk, DeskError};

/// What is named when the person's own file is the trouble.
const CONFIGURATION: &str = "the SSH configuration";

impl Desk {
    /// Where the line in the person's own SSH configuration stands. Changes nothing.
    ///
    /// # Errors
    /// When the desk's own path cannot be written into a configuration.
    pub async fn ssh_include(&self) -> Result<IncludeState, DeskError> {
        self.with_include(gpudesk_remote::UserConfig::look).await
    }

    /// Adds that line at the top of the file, and nothing else.
    ///
    /// # Errors
    /// When the file cannot be changed; it is then as it was.
    pub async fn ssh_include_add(&self) -> Result<IncludeState, DeskError> {
        // The line is of no use before there is a file of ours behind it.
        self.prepare_ssh().await?;
        self.with_include(gpudesk_remote::UserConfig::add).await
    }

    /// Takes that line away, and nothing else.
    ///
    /// # Errors
    /// When the file cannot be changed; it is then as it was.
    pub async fn ssh_include_remove(&self) -> Result<IncludeState, DeskError> {
        self.with_include(gpudesk_remote::UserConfig::remove).await
    }

    async fn with_include(
        &self,
        act: fn(&gpudesk_remote::UserConfig) -> Result<IncludeState, gpudesk_remote::SshError>,
    ) -> Result<IncludeState, DeskError> {
        let user = self.ways().user.clone();
        let done = tokio::task::spawn_blocking(move || act(&user)).await;
        let done = done.map_err(|error| DeskError::Task(error.to_string()))?;
        Ok(done.map_err(|error| ConnectError::ssh(CONFIGURATION, error))?)
    }

    async fn prepare_ssh(&self) -> Result<(), DeskError> {
        let files = self.ways().ssh.files().clone();
        let done = tokio::task::spawn_blocking(move || {
            files.prepare()?;
            if files.config().exists() { Ok(()) } else { files.set_hosts(&[]) }
        });
        let done = done.await.map_err(|error| DeskError::Task(error.to_string()))?;
        Ok(done.map_err(|error| ConnectError::ssh(CONFIGURATION, error))?)
    }

    /// Makes the desk's file hold exactly these machines.
    pub(super) async fn write_hosts(&self, hosts: Vec<Host>) -> Result<(), DeskError> {
        let files = self.ways().ssh.files().clone();
        let done = tokio::task::spawn_blocking(move || files.set_hosts(&hosts)).await;
        let done = done.map_err(|error| DeskError::Task(error.to_string()))?;
        Ok(done.map_err(|error| ConnectError::ssh(CONFIGURATION, error))?)
    }
}
