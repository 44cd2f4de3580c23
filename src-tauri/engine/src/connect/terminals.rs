//! Terminals inside the desk.

use std::sync::Arc;
use std::time::Duration;

use gpudesk_remote::{SshError, Terminal};

use super::error::ConnectError;
use super::{Place, lock};
use crate::{Desk, DeskError};

/// How long a read waits for something to print.
const PATIENCE: Duration = Duration::from_secs(25);
/// The exit code that ssh keeps for its own failures.
const SSH_FAILED: i32 = 255;

/// A terminal that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalInfo {
    /// Its number.
    pub id: u32,
    /// The rental.
    pub rental: String,
    /// What a person reads.
    pub title: String,
}

/// What a terminal printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalOutput {
    /// The bytes, as they came.
    pub bytes: Vec<u8>,
    /// Offset behind them.
    pub offset: u64,
    /// The exit code, once it is over and everything was read.
    pub exit: Option<i32>,
    /// Why the connection ended, where it was SSH that ended it.
    pub problem: Option<ConnectError>,
}

pub(super) struct Open {
    terminal: Terminal,
    place: Place,
}

impl Desk {
    /// Opens a terminal in a rental.
    ///
    /// # Errors
    /// When there is no such rental, it has no address, or ssh cannot be started. What the machine says comes out of
    /// the terminal.
    pub async fn terminal_open(&self, rental: &str, cols: u16, rows: u16) -> Result<TerminalInfo, DeskError> {
        let place = self.place(rental).await?;
        self.terminal_at(place, cols, rows).await
    }

    pub(crate) async fn terminal_at(
        &self,
        place: Place,
        cols: u16,
        rows: u16,
    ) -> Result<TerminalInfo, DeskError> {
        let connect = self.ways();
        let (ssh, host) = (connect.ssh.clone(), place.host.clone());
        let wrap = |error: SshError| ConnectError::ssh(&place.name, error);
        ssh.put(&host).await.map_err(wrap)?;
        let mut arguments = ssh.arguments(&host);
        arguments.extend(["--".into(), host.alias.into()]);
        let program = ssh.program().to_owned();
        let started =
            tokio::task::spawn_blocking(move || Terminal::start(&program, &arguments, cols, rows)).await;
        let terminal = started.map_err(|error| DeskError::Task(error.to_string()))?.map_err(wrap)?;
        let id = connect.number();
        let info = TerminalInfo { id, rental: place.host.rental.clone(), title: place.name.clone() };
        lock(&connect.terminals).insert(id, Arc::new(Open { terminal, place }));
        Ok(info)
    }

    /// Types into a terminal.
    ///
    /// # Errors
    /// When there is none of that number, or it is over.
    pub async fn terminal_write(&self, id: u32, bytes: Vec<u8>) -> Result<(), DeskError> {
        let open = self.terminal(id)?;
        Ok(open.terminal.write(bytes).await.map_err(|error| ConnectError::ssh(&open.place.name, error))?)
    }

    /// Tells a terminal its size.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn terminal_resize(&self, id: u32, cols: u16, rows: u16) -> Result<(), DeskError> {
        let open = self.terminal(id)?;
        let resized = open.terminal.resize(cols, rows);
        Ok(resized.map_err(|error| ConnectError::ssh(&open.place.name, error))?)
    }

    /// What a terminal printed behind `offset`; with nothing new it waits for something.
    ///
    /// # Errors
    /// When there is none of that number.
    pub async fn terminal_read(&self, id: u32, offset: u64) -> Result<TerminalOutput, DeskError> {
        let open = self.terminal(id)?;
        let printed = open.terminal.read(offset, PATIENCE).await;
        let problem = match printed.exit {
            Some(SSH_FAILED) => {
                let said = gpudesk_remote::of_client(&open.terminal.tail());
                let error = self.ways().ssh.explain(&open.place.host, &said).await;
                Some(ConnectError::ssh(&open.place.name, error))
            }
            _ => None,
        };
        Ok(TerminalOutput { bytes: printed.bytes, offset: printed.offset, exit: printed.exit, problem })
    }

    /// Closes a terminal and ends what runs in it. Closing one that is closed is no error.
    pub fn terminal_close(&self, id: u32) {
        let closed = lock(&self.ways().terminals).remove(&id);
        if let Some(open) = closed {
            open.terminal.close();
        }
    }

    fn terminal(&self, id: u32) -> Result<Arc<Open>, DeskError> {
        let open = lock(&self.ways().terminals).get(&id).cloned();
        Ok(open.ok_or(ConnectError::Unknown { what: "terminal", number: id })?)
    }
}
