//! Copies into machines and out of them.

use std::path::PathBuf;
use std::time::Duration;

use gpudesk_remote::{Terminal, Transfer, TransferCommand, last_words};
use tokio::task::AbortHandle;

use super::error::ConnectError;
use super::{Place, lock};
use crate::{Desk, DeskError, Event};

/// Copies that are over and still listed.
const KEPT: usize = 20;
/// How long one read of the program's output waits.
const PATIENCE: Duration = Duration::from_secs(30);

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the machine.
    To,
    /// From the machine.
    From,
}

impl Direction {
    /// Its fixed word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::From => "from",
        }
    }

    /// The one of this word; `None` where there is none.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::To, Self::From].into_iter().find(|one| one.word() == word)
    }
}

/// How a copy stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyState {
    /// Under way.
    Running,
    /// Complete.
    Done,
    /// It stopped before its end; what was copied stays.
    Failed,
    /// Stopped by a person; what was copied stays.
    Cancelled,
}

impl CopyState {
    /// Its fixed word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A copy.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyInfo {
    /// Its number.
    pub id: u32,
    /// The rental.
    pub rental: String,
    /// Which way.
    pub direction: Direction,
    /// What a person reads.
    pub title: String,
    /// How it stands.
    pub state: CopyState,
    /// Percent of the whole; `None` = not known.
    pub percent: Option<f64>,
    /// The newest line of the program that copies.
    pub line: String,
    /// Why it failed.
    pub problem: Option<String>,
}

pub(super) struct Open {
    info: CopyInfo,
    task: Option<AbortHandle>,
}

impl Desk {
    /// The copies under way, and the last ones that are over.
    #[must_use]
    pub fn copies(&self) -> Vec<CopyInfo> {
        lock(&self.ways().copies).values().map(|open| open.info.clone()).collect()
    }

    /// Copies files and folders to a folder of a rental, or something of it to a folder here.
    ///
    /// # Errors
    /// When there is no such rental, it has no address, or the request makes no sense. What happens afterwards is in
    /// its state.
    pub async fn copy_start(
        &self,
        rental: &str,
        direction: Direction,
        local: Vec<PathBuf>,
        remote: String,
    ) -> Result<CopyInfo, DeskError> {
        let place = self.place(rental).await?;
        self.copy_at(place, direction, local, remote)
    }

    pub(crate) fn copy_at(
        &self,
        place: Place,
        direction: Direction,
        local: Vec<PathBuf>,
        remote: String,
    ) -> Result<CopyInfo, DeskError> {
        let title = title(direction, &local, &remote);
        let transfer = match (direction, local) {
            (_, local) if local.is_empty() => {
                return Err(ConnectError::Invalid("there is nothing to copy".to_owned()).into());
            }
            (Direction::To, from) => Transfer::In { from, to: remote },
            (Direction::From, mut to) if to.len() == 1 => Transfer::Out { from: remote, to: to.remove(0) },
            (Direction::From, _) => {
                return Err(
                    ConnectError::Invalid("a copy from a machine goes into one folder".to_owned()).into()
                );
            }
        };
        let connect = self.ways();
        let id = connect.number();
        let info = CopyInfo {
            id,
            rental: place.host.rental.clone(),
            direction,
            title,
            state: CopyState::Running,
            percent: None,
            line: String::new(),
            problem: None,
        };
        {
            let mut copies = lock(&connect.copies);
            let over: Vec<u32> = copies
                .iter()
                .filter(|(_, open)| open.info.state != CopyState::Running)
                .map(|(id, _)| *id)
                .collect();
            for old in over.iter().take(over.len().saturating_sub(KEPT)) {
                copies.remove(old);
            }
            copies.insert(id, Open { info: info.clone(), task: None });
        }
        let desk = self.clone();
        let task = tokio::spawn(async move {
            let problem = desk.copy(id, &place, &transfer).await.err();
            let state = if problem.is_some() { CopyState::Failed } else { CopyState::Done };
            desk.set_copy(id, |info| {
                info.state = state;
                info.problem = problem;
                if state == CopyState::Done {
                    info.percent = Some(100.0);
                }
            });
        });
        if let Some(open) = lock(&connect.copies).get_mut(&id) {
            open.task = Some(task.abort_handle());
        }
        self.tell(Event::ForwardsChanged);
        Ok(info)
    }

    /// Stops a copy; what was copied stays.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn copy_cancel(&self, id: u32) -> Result<CopyInfo, DeskError> {
        let info = {
            let mut copies = lock(&self.ways().copies);
            let open = copies.get_mut(&id).ok_or(ConnectError::Unknown { what: "copy", number: id })?;
            if open.info.state == CopyState::Running {
                open.info.state = CopyState::Cancelled;
                // The program ends with the task that holds it.
                if let Some(task) = open.task.take() {
                    task.abort();
                }
            }
            open.info.clone()
        };
        self.tell(Event::ForwardsChanged);
        Ok(info)
    }

    async fn copy(&self, id: u32, place: &Place, transfer: &Transfer) -> Result<(), String> {
        let ssh = &self.ways().ssh;
        let mut command = transfer.prepare(ssh, &place.host).await.map_err(|error| error.to_string())?;
        let TransferCommand { program, arguments, .. } = command.clone();
        // scp shows its progress to a terminal only.
        let started =
            tokio::task::spawn_blocking(move || Terminal::start(&program, &arguments, 120, 24)).await;
        let terminal = started.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        let (mut offset, mut half) = (0, String::new());
        let mut said = String::new();
        loop {
            let printed = terminal.read(offset, PATIENCE).await;
            offset = printed.offset;
            half.push_str(&String::from_utf8_lossy(&printed.bytes));
            let mut newest = None;
            let mut percent = None;
            // A progress line is written over itself.
            while let Some(end) = half.find(['\r', '\n']) {
                let line: String = half.drain(..=end).filter(|c| !c.is_control()).collect();
                if line.trim().is_empty() {
                    continue;
                }
                match command.percent(&line) {
                    Some(share) => percent = Some(share),
                    None => {
                        said.push_str(&line);
                        said.push('\n');
                    }
                }
                newest = Some(line);
            }
            if newest.is_some() {
                self.set_copy(id, |info| {
                    info.percent = percent.or(info.percent);
                    info.line = newest.map(|line| line.trim().to_owned()).unwrap_or_default();
                });
            }
            match printed.exit {
                Some(0) => return Ok(()),
                Some(code) => return Err(format!("it ended with {code}: {}", last_words(&said))),
                None => {}
            }
        }
    }

    fn set_copy(&self, id: u32, change: impl FnOnce(&mut CopyInfo)) {
        {
            let mut copies = lock(&self.ways().copies);
            match copies.get_mut(&id) {
                Some(open) if open.info.state == CopyState::Running => change(&mut open.info),
                _ => return,
            }
        }
        self.tell(Event::ForwardsChanged);
    }
}

fn title(direction: Direction, local: &[PathBuf], remote: &str) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match (direction, local) {
        (Direction::From, _) => remote.rsplit('/').find(|part| !part.is_empty()).unwrap_or(remote).to_owned(),
        (Direction::To, [one]) => name(one),
        (Direction::To, [first, rest @ ..]) => format!("{} + {}", name(first), rest.len()),
        (Direction::To, []) => String::new(),
    }
}
