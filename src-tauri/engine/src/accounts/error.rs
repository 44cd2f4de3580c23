//! What can be wrong with an account or its key, by what is to be done about it. No text here ever holds a key.

use std::path::PathBuf;

use super::vault::VaultError;

/// Why an account cannot be used, added or removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// A provider that cannot be rented from here.
    #[error("it cannot be rented from here")]
    UnknownProvider(String),
    /// An alias of the wrong form.
    #[error("`{0}` is no alias: it may have up to 32 letters, digits and hyphens")]
    BadAlias(String),
    /// There is no account of that name.
    #[error("there is no account of that name")]
    Unknown(String),
    /// The account is known, its key is nowhere to be found.
    #[error("its key is missing")]
    NoKey(String),
    /// A key that cannot be one.
    #[error("the key {problem}")]
    BadKey {
        /// Account.
        account: String,
        /// What is wrong, without the key.
        problem: &'static str,
    },
    /// A key of another form than the provider's keys have: a part is missing. No provider was asked.
    #[error("{problem}")]
    KeyForm {
        /// Account.
        account: String,
        /// What is missing, and where, without the key.
        problem: String,
        /// What it should be.
        hint: Option<String>,
    },
    /// The file of keys cannot be used.
    #[error("{problem}")]
    KeysFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, without its contents.
        problem: String,
    },
    /// The keyring did not do what it was asked to.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The account still has machines.
    #[error("{} of its machines are not over: {}", .machines.len(), .machines.join(", "))]
    InUse {
        /// Account.
        account: String,
        /// Names of the rentals.
        machines: Vec<String>,
    },
    /// Where to keep a key, in a word nobody knows.
    #[error("`{0}` is no place for a key")]
    UnknownKeep(String),
    /// The key comes from outside, so it cannot be replaced or forgotten here.
    #[error("its key comes from {0}, which holds before any other")]
    FromOutside(String),
}

impl AccountError {
    /// The fixed word of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownProvider(_) | Self::Unknown(_) => "not-found",
            Self::BadAlias(_) | Self::UnknownKeep(_) => "request-invalid",
            Self::BadKey { .. } | Self::KeyForm { .. } => "key-invalid",
            Self::NoKey(_) => "no-key",
            Self::KeysFile { .. } => "keys-file",
            Self::Vault(_) => "keyring",
            Self::InUse { .. } | Self::FromOutside(_) => "refused",
        }
    }

    /// What it is about.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::UnknownProvider(provider) => format!("provider `{provider}`"),
            Self::BadAlias(_) => "the account's name".to_owned(),
            Self::Unknown(account) | Self::NoKey(account) => format!("account `{account}`"),
            Self::BadKey { account, .. } | Self::KeyForm { account, .. } | Self::InUse { account, .. } => {
                format!("account `{account}`")
            }
            Self::KeysFile { path, .. } => format!("file of keys `{}`", path.display()),
            Self::Vault(error) => error.store.clone(),
            Self::UnknownKeep(_) | Self::FromOutside(_) => "the account".to_owned(),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::UnknownProvider(_) => {
                let known: Vec<_> = gpudesk_providers::cloud::clouds().iter().map(|c| c.provider).collect();
                format!("Accounts can be added for: {}.", known.join(", "))
            }
            Self::BadAlias(_) => "Write it like `vast/team`.".to_owned(),
            Self::Unknown(account) => {
                format!("`gpudesk accounts` lists them; `gpudesk accounts add {account}` adds it.")
            }
            Self::NoKey(account) => format!(
                "Add it again with `gpudesk accounts add {account}` or in Settings → Accounts, or set {}.",
                super::keys::variable_name(account)
            ),
            Self::BadKey { .. } => "Copy it again from the provider's page.".to_owned(),
            Self::KeyForm { hint, .. } => return hint.clone(),
            Self::KeysFile { .. } => {
                "It must be a JSON object of account to key, readable by you alone (chmod 600).".to_owned()
            }
            Self::Vault(error) => return error.hint(),
            Self::InUse { .. } => "End them first, or they would go on costing unseen.".to_owned(),
            Self::UnknownKeep(_) => "One of: keyring, file, session.".to_owned(),
            Self::FromOutside(place) => format!("Change it in {place}."),
        };
        Some(hint)
    }
}
