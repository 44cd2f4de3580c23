//! What can go wrong between this machine and a rented one, by what it means.

/// Why a machine was not reached, or did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SshError {
    /// Nobody answers there (yet): refused, unreachable, no banner in time.
    #[error("no answer from SSH: {0}")]
    Silent(String),
    /// SSH answers and does not let the key in (yet: keys may arrive late).
    #[error("SSH does not accept the key: {0}")]
    Denied(String),
    /// The machine shows another host key than before.
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
    /// The machine was reached; the command on it failed or did not end in time.
    #[error("the machine did not do what it was asked: {0}")]
    Command(String),
    /// Something here: no SSH client, a file of ours that cannot be written, an option the client does not know.
    #[error("{0}")]
    Here(String),
}

impl SshError {
    /// A file of ours that cannot be used.
    pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Here(format!("`{}`: {error}", path.display()))
    }
}
