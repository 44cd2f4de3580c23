//! A rental in another program: the system's terminal or an editor.

use gpudesk_remote::programs::{Start, browsers, editors, mac_script, shown, terminals};

use super::Place;
use super::error::ConnectError;
use crate::{Desk, DeskError};

/// What was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedIn {
    /// The program that was started; `None` = none was found.
    pub program: Option<String>,
    /// The command that does the same, to be copied.
    pub command: String,
}

impl Desk {
    /// Opens a rental in the system's terminal (`terminal`) or an editor (`vscode`, `cursor`).
    ///
    /// # Errors
    /// When there is no such rental or program, it has no address, or an editor could not find it.
    pub async fn open_in(&self, rental: &str, program: &str) -> Result<OpenedIn, DeskError> {
        let place = self.place(rental).await?;
        self.open_at(&place, program, std::env::consts::OS).await
    }

    pub(crate) async fn open_at(
        &self,
        place: &Place,
        program: &str,
        os: &str,
    ) -> Result<OpenedIn, DeskError> {
        let connect = self.ways();
        // Their own configuration knows a server of theirs anywhere.
        let included = place.host.by_alias() || self.ssh_include().await?.there;
        connect.ssh.put(&place.host).await.map_err(|error| ConnectError::ssh(&place.name, error))?;
        let alias = &place.host.alias;
        let (ways, command) = if program == "terminal" {
            let config = connect.ssh.config_of(&place.host).to_string_lossy().into_owned();
            let client = connect.ssh.program().to_string_lossy().into_owned();
            let vector = [client, "-F".to_owned(), config, "--".to_owned(), alias.clone()];
            let script = connect.ssh.files().folder().join(format!("{alias}.command"));
            if os == "macos" {
                write_script(&script, &mac_script(&vector)).map_err(|error| {
                    ConnectError::Invalid(format!("`{}` cannot be written: {error}", script.display()))
                })?;
            }
            let short = shown("ssh", std::slice::from_ref(alias));
            let (name, rest) =
                vector.split_first().map(|(name, rest)| (name.clone(), rest)).unwrap_or_default();
            (terminals(os, &vector, &script), if included { short } else { shown(&name, rest) })
        } else {
            let ways = editors(os, program, alias);
            let Some(first) = ways.first() else {
                let known = "`terminal`, `vscode` and `cursor` can be opened";
                return Err(ConnectError::Invalid(format!("`{program}` is not known: {known}")).into());
            };
            if !included {
                return Err(ConnectError::NoInclude.into());
            }
            let command = shown(&first.program, &first.arguments);
            (ways, command)
        };
        Ok(OpenedIn { program: self.start_first(ways).await, command })
    }

    /// Opens a page in the person's browser; whether a program for that was started. Only `https` pages are.
    pub async fn open_page(&self, page: &str) -> bool {
        self.start_first(browsers(std::env::consts::OS, page)).await.is_some()
    }

    /// Starts the first of these programs that this computer has.
    async fn start_first(&self, ways: Vec<Start>) -> Option<String> {
        let opener = self.config().opener.clone()?;
        for Start { program, arguments } in ways {
            match opener.start(&program, &arguments).await {
                Ok(()) => return Some(program),
                Err(why) => tracing::debug!(program, "not started: {why}"),
            }
        }
        None
    }
}

/// A file that the Terminal of macOS runs, for its owner only.
fn write_script(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    std::fs::write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
