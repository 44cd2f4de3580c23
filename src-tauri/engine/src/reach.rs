//! What the engine needs of a machine once it has an address. The real one goes through the system's OpenSSH; a
//! simulation of thousands of lives brings its own.

use std::path::PathBuf;

use async_trait::async_trait;
use gpudesk_core::rental::{Parting, Probe, SshAddress};
pub use gpudesk_remote::parting::Parted;

/// A machine to be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Our id: host keys are pinned to it, not to an address.
    pub rental: String,
    /// The name in `ssh NAME`.
    pub alias: String,
    /// Where it is.
    pub address: SshAddress,
    /// The file of the private key; `None` = an agent holds it.
    pub identity: Option<PathBuf>,
}

/// Why a machine could not be reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// Nobody answers there (yet): refused, unreachable, no banner in time.
    #[error("no answer from SSH: {0}")]
    Silent(String),
    /// SSH answers and does not let the key in (yet: keys may arrive late).
    #[error("SSH does not accept the key: {0}")]
    Denied(String),
    /// The machine shows another host key than before: somebody else may be listening.
    #[error("the host key changed: {found} instead of {known}")]
    HostKeyChanged {
        /// Fingerprint known for this rental.
        known: String,
        /// Fingerprint shown now.
        found: String,
    },
    /// A server of the person's own whose host key they never accepted.
    #[error("its host key is not known on this computer: {0}")]
    HostKeyUnknown(String),
    /// The command on the machine failed or did not end in time.
    #[error("the machine did not do what it was asked: {0}")]
    Command(String),
    /// There is no SSH client here, or our own files cannot be written.
    #[error("{0}")]
    Here(String),
}

/// A machine answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// `SHA256:…` of its host key, pinned from now on.
    pub fingerprint: String,
}

/// Reaches machines.
#[async_trait]
pub trait Reach: Send + Sync {
    /// Connects with the rental's key, once: pins the host key the first time, refuses another one later.
    async fn greet(&self, target: &Target) -> Result<Answered, ReachError>;

    /// Asks the machine for its cards, driver and clock.
    async fn probe(&self, target: &Target) -> Result<Probe, ReachError>;

    /// Gives the programs on a machine their time before a rule stops it, and waits for its end or theirs.
    async fn part(&self, target: &Target, parted: Parted) -> Result<Parting, ReachError>;
}
