//! What can be wrong with a server of one's own, for people.

/// Why a server was not taken in, changed or forgotten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OwnError {
    /// It cannot be a name in an SSH configuration that is safe to use.
    #[error(
        "`{0}` cannot be the name of a server: letters, digits, `.`, `_` and `-`, no hyphen first, at most 64"
    )]
    NotAnAlias(String),
    /// Two letters that are no country.
    #[error("`{0}` is no country of two letters")]
    NotACountry(String),
    /// An amount that cannot be.
    #[error("{0}")]
    Cost(&'static str),
    /// There is none of that name.
    #[error("there is none of that name")]
    Unknown(String),
    /// Somebody has a part of it.
    #[error("it is booked: {}", rentals.join(", "))]
    Booked {
        /// Which server.
        alias: String,
        /// By which rentals.
        rentals: Vec<String>,
    },
}

impl OwnError {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NotAnAlias(_) | Self::NotACountry(_) | Self::Cost(_) => "request-invalid",
            Self::Unknown(_) => "not-found",
            Self::Booked { .. } => "refused",
        }
    }

    pub(crate) fn what(&self) -> String {
        match self {
            Self::Unknown(alias) | Self::Booked { alias, .. } => format!("server `{alias}`"),
            Self::NotAnAlias(_) | Self::NotACountry(_) | Self::Cost(_) => "the server".to_owned(),
        }
    }

    pub(crate) fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotAnAlias(_) => {
                "Give it a `Host` of such a name in your ~/.ssh/config, and name that.".to_owned()
            }
            Self::NotACountry(_) => "Write it like DE, RU or US.".to_owned(),
            Self::Cost(_) => "Write amounts with a point and without a currency, such as 30000.".to_owned(),
            Self::Unknown(_) => "`gpudesk hosts list` lists them; `gpudesk hosts add` adds one.".to_owned(),
            Self::Booked { .. } => "End the bookings first.".to_owned(),
        })
    }
}
