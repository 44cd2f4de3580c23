//! Port forwards: opened, kept open, opened again when the machine comes back.

use std::time::Duration;

use gpudesk_remote::{Forward, SshError};
use tokio::task::AbortHandle;

use super::error::ConnectError;
use super::{Place, jupyter, lock};
use crate::{Desk, DeskError, Event};

/// The longest wait before the next try.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What a forward is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// Jupyter, usually on 8888.
    Jupyter,
    /// TensorBoard, usually on 6006.
    TensorBoard,
    /// vLLM's server, usually on 8000.
    Vllm,
    /// Anything else.
    Plain,
}

impl Preset {
    /// Its fixed word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Jupyter => "jupyter",
            Self::TensorBoard => "tensorboard",
            Self::Vllm => "vllm",
            Self::Plain => "",
        }
    }

    /// The one of this word; `None` where there is none.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Jupyter, Self::TensorBoard, Self::Vllm, Self::Plain].into_iter().find(|one| one.word() == word)
    }
}

/// How a forward stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForwardState {
    /// Being opened for the first time.
    Opening,
    /// The port here is open.
    Open,
    /// It was lost, or could not be opened yet, and is tried again.
    Retrying,
    /// Given up: a person has to do something.
    Failed,
}

impl ForwardState {
    /// Its fixed word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Open => "open",
            Self::Retrying => "retrying",
            Self::Failed => "failed",
        }
    }
}

/// A port forward.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForwardInfo {
    /// Its number.
    pub id: u32,
    /// The rental.
    pub rental: String,
    /// Port on the machine.
    pub remote_port: u16,
    /// Port here.
    pub local_port: u16,
    /// What it is for.
    pub preset: Preset,
    /// How it stands.
    pub state: ForwardState,
    /// What to open in a browser.
    pub url: String,
    /// Why it is not open, or what the machine says of its port.
    pub problem: Option<String>,
}

pub(super) struct Open {
    info: ForwardInfo,
    task: Option<AbortHandle>,
}

impl Drop for Open {
    fn drop(&mut self) {
        // Ends its ssh as well.
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Desk {
    /// The port forwards there are.
    #[must_use]
    pub fn forwards(&self) -> Vec<ForwardInfo> {
        lock(&self.ways().forwards).values().map(|open| open.info.clone()).collect()
    }

    /// Opens a port of a rental on a port here (`None` = a free one) and keeps it open until it is closed.
    ///
    /// # Errors
    /// When there is no such rental, it has no address or only a proxy, or no port here is free. What happens
    /// afterwards is in its state.
    pub async fn forward_open(
        &self,
        rental: &str,
        remote_port: u16,
        local_port: Option<u16>,
        preset: Preset,
    ) -> Result<ForwardInfo, DeskError> {
        let place = self.place(rental).await?;
        self.forward_at(place, remote_port, local_port, preset)
    }

    pub(crate) fn forward_at(
        &self,
        place: Place,
        remote_port: u16,
        local_port: Option<u16>,
        preset: Preset,
    ) -> Result<ForwardInfo, DeskError> {
        if remote_port == 0 || local_port == Some(0) {
            return Err(ConnectError::Invalid("a port is a number from 1 to 65535".to_owned()).into());
        }
        let local_port = match local_port {
            Some(port) => port,
            None => {
                free_port().map_err(|error| ConnectError::Invalid(format!("no free port here: {error}")))?
            }
        };
        let connect = self.ways();
        let id = connect.number();
        let info = ForwardInfo {
            id,
            rental: place.host.rental.clone(),
            remote_port,
            local_port,
            preset,
            state: ForwardState::Opening,
            url: url(local_port, "/"),
            problem: None,
        };
        lock(&connect.forwards).insert(id, Open { info: info.clone(), task: None });
        let desk = self.clone();
        let task =
            tokio::spawn(async move { desk.keep_open(id, place, remote_port, local_port, preset).await });
        if let Some(open) = lock(&connect.forwards).get_mut(&id) {
            open.task = Some(task.abort_handle());
        }
        self.tell(Event::ForwardsChanged);
        Ok(info)
    }

    /// Closes a forward. Closing one that is closed is no error.
    pub fn forward_close(&self, id: u32) {
        let closed = lock(&self.ways().forwards).remove(&id);
        if closed.is_some() {
            self.tell(Event::ForwardsChanged);
        }
    }

    async fn keep_open(&self, id: u32, mut place: Place, remote: u16, local: u16, preset: Preset) {
        let ssh = self.ways().ssh.clone();
        let mut wait = Duration::from_secs(1);
        loop {
            let error = match Forward::open(&ssh, &place.host, local, remote).await {
                Ok(mut forward) => {
                    wait = Duration::from_secs(1);
                    self.set_forward(id, ForwardState::Open, None, None);
                    if preset == Preset::Jupyter
                        && let Some(path) = jupyter::path(&ssh, &place.host, remote).await
                    {
                        self.set_forward(id, ForwardState::Open, None, Some(url(local, &path)));
                    }
                    while let Some(words) = forward.next_refusal().await {
                        self.set_forward(id, ForwardState::Open, Some(words), None);
                    }
                    forward.ended(&ssh, &place.host, local).await
                }
                Err(error) => error,
            };
            // Neither gets better by itself.
            if matches!(error, SshError::HostKeyChanged { .. } | SshError::Here(_)) {
                self.set_forward(id, ForwardState::Failed, Some(error.to_string()), None);
                return;
            }
            self.set_forward(id, ForwardState::Retrying, Some(error.to_string()), None);
            // It may come back elsewhere, or be gone for good.
            loop {
                self.config().clock.sleep(wait).await;
                wait = (wait * 2).min(LONGEST_WAIT);
                match self.place(&place.host.rental).await {
                    Ok(now) => {
                        place = now;
                        break;
                    }
                    Err(error) => {
                        let over =
                            matches!(&error, DeskError::Connect(ConnectError::NoAddress { over: true, .. }));
                        let state = if over { ForwardState::Failed } else { ForwardState::Retrying };
                        self.set_forward(id, state, Some(error.to_string()), None);
                        if over {
                            return;
                        }
                    }
                }
            }
        }
    }

    fn set_forward(&self, id: u32, state: ForwardState, problem: Option<String>, url: Option<String>) {
        {
            let mut forwards = lock(&self.ways().forwards);
            let Some(open) = forwards.get_mut(&id) else { return };
            open.info.state = state;
            open.info.problem = problem;
            if let Some(url) = url {
                open.info.url = url;
            }
        }
        self.tell(Event::ForwardsChanged);
    }
}

fn url(port: u16, path: &str) -> String {
    format!("http://127.0.0.1:{port}{path}")
}

/// A port that is free now. Somebody else may take it before ssh does; ssh then says so.
fn free_port() -> std::io::Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
