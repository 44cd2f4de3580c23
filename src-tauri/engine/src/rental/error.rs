//! Why a rental did not do what it was asked to.

use chrono::{DateTime, Utc};
use gpudesk_core::rental::State;

/// Why a rental did not do what it was asked to; to what it happened is said apart, by [`RentalError::what`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RentalError {
    /// None of that id or name.
    #[error("there is no rental of that name or id")]
    Unknown(String),
    /// None of that id in the account.
    #[error("account `{account}` has no machine `{remote_id}` that is not ours")]
    UnknownMachine {
        /// Account.
        account: String,
        /// The provider's id.
        remote_id: String,
    },
    /// Not possible where it stands.
    #[error("it is {state} and cannot be asked to {what}")]
    State {
        /// Its name.
        name: String,
        /// Where it stands.
        state: State,
        /// `stop`, `start`, `extend`.
        what: &'static str,
    },
    /// The host takes its machine back before the lease is over.
    #[error("the offer ends at {ends_at}, before the lease until {until}")]
    LeaseTooLong {
        /// Until when it was to be rented.
        until: DateTime<Utc>,
        /// When the offer ends.
        ends_at: DateTime<Utc>,
    },
    /// Its cloud has no stop.
    #[error("it cannot be stopped: this cloud has no stop, only an end")]
    NoStop(String),
    /// Not a name.
    #[error(
        "`{0}` cannot be a name: letters, digits, `.`, `_` and `-`, at most 40, beginning with a letter or digit"
    )]
    Name(String),
}

impl RentalError {
    /// The fixed word that windows and scripts act on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) | Self::UnknownMachine { .. } => "not-found",
            Self::State { .. } => "conflict",
            Self::NoStop(_) => "unsupported",
            Self::Name(_) => "request-invalid",
            Self::LeaseTooLong { .. } => "refused",
        }
    }

    /// To what it happened.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Unknown(name) | Self::NoStop(name) | Self::State { name, .. } => format!("rental `{name}`"),
            Self::UnknownMachine { remote_id, .. } => format!("machine `{remote_id}`"),
            Self::Name(_) => "the name".to_owned(),
            Self::LeaseTooLong { .. } => "the lease".to_owned(),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown(_) => Some("List them with `gpudesk rentals --all`.".to_owned()),
            Self::UnknownMachine { .. } => Some("Compare the accounts anew: `gpudesk reconcile`.".to_owned()),
            Self::NoStop(_) => Some("Copy what you need, then end it.".to_owned()),
            Self::LeaseTooLong { .. } => {
                Some("Choose a lease that ends before that, or another offer.".to_owned())
            }
            Self::State { .. } | Self::Name(_) => None,
        }
    }
}
