//! Why a machine could not be connected to, for people.

use gpudesk_remote::SshError;

/// A connection that did not come about, or was lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// SSH.
    #[error("`{name}`: {error}")]
    Ssh {
        /// The rental's name, or what else was being done.
        name: String,
        /// What SSH says.
        error: SshError,
    },
    /// The rental has no address: it is not up yet, stopped or gone.
    #[error("`{name}` cannot be reached: it is {state}")]
    NoAddress {
        /// The rental's name.
        name: String,
        /// Its state.
        state: String,
        /// Whether it will never have one again.
        over: bool,
    },
    /// A terminal, forward or copy that is not there (any more).
    #[error("{what} {number}: there is none of that number")]
    Unknown {
        /// `terminal`, `port forward`, `copy`.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// A request that makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// An editor cannot find the machine, because the person's SSH configuration does not include ours.
    #[error("editors find a machine by the person's SSH configuration, which does not include the desk's")]
    NoInclude,
}

impl ConnectError {
    pub(crate) fn ssh(name: &str, error: SshError) -> Self {
        Self::Ssh { name: name.to_owned(), error }
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Ssh { error: SshError::Silent(_), .. } => "ssh-silent",
            Self::Ssh { error: SshError::Denied(_), .. } => "ssh-denied",
            Self::Ssh { error: SshError::HostKeyChanged { .. }, .. } => "host-key-changed",
            Self::Ssh { error: SshError::HostKeyUnknown(_), .. } => "host-key-unknown",
            Self::Ssh { error: SshError::Command(_), .. } => "ssh-command",
            Self::Ssh { error: SshError::Here(_), .. } => "ssh-here",
            Self::NoAddress { .. } => "no-address",
            Self::Unknown { .. } => "not-found",
            Self::Invalid(_) => "request-invalid",
            Self::NoInclude => "ssh-include-missing",
        }
    }

    pub(crate) fn what(&self) -> String {
        match self {
            Self::Ssh { name, .. } | Self::NoAddress { name, .. } => format!("`{name}`"),
            Self::Unknown { what, number } => format!("{what} {number}"),
            Self::Invalid(_) => "the request".to_owned(),
            Self::NoInclude => "the SSH configuration".to_owned(),
        }
    }

    pub(crate) fn detail(&self) -> String {
        match self {
            Self::Ssh { error, .. } => error.to_string(),
            Self::NoAddress { state, .. } => format!("it cannot be reached: it is {state}"),
            Self::Unknown { .. } => "there is none of that number".to_owned(),
            Self::Invalid(detail) => detail.clone(),
            Self::NoInclude => self.to_string(),
        }
    }

    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Ssh { error: SshError::Silent(_), .. } => {
                "The machine may still be starting, or be gone. Look at its state and try again."
            }
            Self::Ssh { error: SshError::Denied(_), .. } => {
                "Keys arrive late on some clouds: try again in a minute. If it stays, the machine was made with another key."
            }
            Self::Ssh { error: SshError::HostKeyChanged { .. }, .. } => {
                "Either the machine was set up anew (a container makes its keys at each start), or somebody else answers at its \
                 address. Accept the new key (`gpudesk accept-key`) only if you know why it changed."
            }
            Self::Ssh { error: SshError::HostKeyUnknown(_), name } => {
                return Some(format!(
                    "Connect once by hand (`ssh {name}`), compare the fingerprint with the server's, and accept it."
                ));
            }
            Self::NoInclude => "Add the line to it in Settings, then open the editor again.",
            Self::Ssh { .. } | Self::NoAddress { .. } | Self::Unknown { .. } | Self::Invalid(_) => {
                return None;
            }
        };
        Some(hint.to_owned())
    }
}
