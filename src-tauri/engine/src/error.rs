//! What can go wrong at the desk, by what is to be done about it.

use chrono::{DateTime, Utc};
use gpudesk_core::feed::FeedName;
use gpudesk_providers::cloud::{CloudError, CloudErrorCode};
use gpudesk_providers::{SourceError, SourceErrorCode};
use gpudesk_store::{Failure, StoreError};

use crate::accounts::AccountError;
use crate::budget::BudgetError;
use crate::connect::ConnectError;
use crate::notices::NoticeError;
use crate::own::OwnError;
use crate::policies::PolicyError;
use crate::rental::RentalError;

/// Why the desk did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A source of offers or rates.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A cloud, asked through an account.
    #[error(transparent)]
    Cloud(#[from] CloudError),
    /// An account or its key.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// A source that does not exist.
    #[error("source `{name}`: there is none of that name")]
    UnknownSource {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// A settings document that is not one.
    #[error("settings: {0}")]
    Settings(String),
    /// A file or folder that cannot be imported.
    #[error("`{path}`: {detail}")]
    Import {
        /// The path.
        path: String,
        /// What is wrong with it.
        detail: String,
        /// Whether it is simply not there.
        missing: bool,
    },
    /// A list that ends in the middle of a row and has fewer offers than are stored.
    #[error(
        "list of `{feed}` is cut short at {at}: {offered} offers can be read, {stored} are stored and stay"
    )]
    Torn {
        /// The feed.
        feed: FeedName,
        /// Where it ends: `lambda.csv line 17`.
        at: String,
        /// Offers that can be read.
        offered: u64,
        /// Offers stored.
        stored: u64,
    },
    /// An answer most of whose rows cannot be used, and that has far fewer offers than are stored.
    #[error(
        "most rows of `{feed}` cannot be used: {bad} of {read}, the first: {example}; the {stored} offers stored stay"
    )]
    MostlyBad {
        /// The feed.
        feed: FeedName,
        /// Rows read.
        read: u64,
        /// Rows that cannot be used.
        bad: u64,
        /// The first of them, and why.
        example: String,
        /// Offers stored.
        stored: u64,
    },
    /// The first load of the board failed; the error is the one every waiting caller is told.
    #[error("the board could not be loaded: {}", .0.detail)]
    Board(Failure),
    /// The practice market cannot be started.
    #[error("the practice market: {0}")]
    Practice(String),
    /// A machine that could not be connected to.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A rental that is not there, or not in a state for what was asked.
    #[error(transparent)]
    Rental(#[from] RentalError),
    /// A server of the team's own.
    #[error(transparent)]
    Own(#[from] OwnError),
    /// A residency policy: it is none, or it forbids a launch.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A budget: it is none, or it forbids a launch.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// Notices: settings that cannot work, or one that did not go.
    #[error(transparent)]
    Notice(#[from] NoticeError),
    /// A report that cannot be written.
    #[error("`{path}`: {detail}")]
    Report {
        /// The file.
        path: String,
        /// What is wrong.
        detail: String,
    },
    /// A background task of ours died.
    #[error("a background task ended: {0}")]
    Task(String),
}

impl DeskError {
    /// The fixed word that windows and scripts act on.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Store(StoreError::SuspiciousAnswer { .. } | StoreError::DuplicateOffer { .. })
            | Self::Torn { .. }
            | Self::MostlyBad { .. } => "bad-answer",
            Self::Store(StoreError::UnknownWatch(_) | StoreError::UnknownFeed(_))
            | Self::UnknownSource { .. } => "not-found",
            Self::Store(StoreError::NotJson { .. }) | Self::Settings(_) => "settings-invalid",
            Self::Store(StoreError::NameTaken(_) | StoreError::MachineTaken(_) | StoreError::Moved(_)) => {
                "conflict"
            }
            Self::Store(_) => "database",
            Self::Source(error) => http_word(error.code),
            Self::Cloud(error) => match error.code {
                CloudErrorCode::Http(code) => http_word(code),
                code => code.word(),
            },
            Self::Account(error) => error.code(),
            Self::Import { missing: true, .. } => "not-found",
            Self::Import { missing: false, .. } => "request-invalid",
            Self::Board(failure) => &failure.code,
            Self::Practice(_) => "practice",
            Self::Connect(error) => error.code(),
            Self::Rental(error) => error.code(),
            Self::Own(error) => error.code(),
            Self::Policy(error) => error.code(),
            Self::Budget(error) => error.code(),
            Self::Notice(error) => error.code(),
            Self::Report { .. } | Self::Task(_) => "internal",
        }
    }

    /// What was being done, to what.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Store(StoreError::NameTaken(_)) => "the name".to_owned(),
            Self::Store(_) => "the database".to_owned(),
            Self::Source(error) => error.what.clone(),
            Self::Cloud(error) => error.what.clone(),
            Self::Account(error) => error.what(),
            Self::UnknownSource { name, .. } => format!("source `{name}`"),
            Self::Settings(_) => "the settings".to_owned(),
            Self::Import { path, .. } | Self::Report { path, .. } => format!("`{path}`"),
            Self::Torn { feed, .. } | Self::MostlyBad { feed, .. } => format!("list of `{feed}`"),
            Self::Board(failure) => failure.what.clone(),
            Self::Practice(_) => "the practice market".to_owned(),
            Self::Connect(error) => error.what(),
            Self::Rental(error) => error.what(),
            Self::Own(error) => error.what(),
            Self::Policy(error) => error.what(),
            Self::Budget(error) => error.what(),
            Self::Notice(_) => "the notices".to_owned(),
            Self::Task(_) => "the engine".to_owned(),
        }
    }

    /// What happened, in one sentence.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Self::Source(error) => error.detail.clone(),
            Self::Cloud(error) => error.detail.clone(),
            Self::Account(error) => error.to_string(),
            Self::UnknownSource { .. } => "there is none of that name".to_owned(),
            Self::Settings(detail)
            | Self::Import { detail, .. }
            | Self::Report { detail, .. }
            | Self::Practice(detail)
            | Self::Task(detail) => detail.clone(),
            Self::Board(failure) => failure.detail.clone(),
            Self::Torn { at, offered, stored, .. } => {
                format!("it is cut short at {at}: {offered} offers can be read, {stored} are stored and stay")
            }
            Self::MostlyBad { read, bad, example, stored, .. } => format!(
                "most rows cannot be used: {bad} of {read}, the first: {example}; the {stored} offers stored stay"
            ),
            Self::Rental(error) => error.to_string(),
            Self::Own(error) => error.to_string(),
            Self::Policy(error) => error.to_string(),
            Self::Budget(error) => error.to_string(),
            Self::Notice(error) => error.to_string(),
            Self::Store(error) => error.to_string(),
            Self::Connect(error) => error.detail(),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Connect(error) => error.hint(),
            Self::Source(error) => with_time(error.hint.clone(), error.retry_at),
            Self::Cloud(error) => with_time(
                error.hint.clone().or_else(|| next_step(error.code).map(str::to_owned)),
                error.retry_at,
            ),
            Self::Account(error) => error.hint(),
            Self::UnknownSource { known, .. } => Some(format!("Known sources: {}.", known.join(", "))),
            Self::Board(failure) => failure.hint.clone(),
            Self::Import { missing: true, .. } => Some("Check the path.".to_owned()),
            Self::Torn { .. } => Some("Fetch it anew, or copy the whole file.".to_owned()),
            Self::MostlyBad { .. } => {
                Some("The source may have changed its form: try again later, or update the desk.".to_owned())
            }
            Self::Rental(error) => error.hint(),
            Self::Own(error) => error.hint(),
            Self::Policy(error) => error.hint(),
            Self::Budget(error) => error.hint(),
            Self::Notice(error) => error.hint(),
            Self::Report { .. } => Some("Make room on the disk, or the desk's folder writable.".to_owned()),
            Self::Settings(_) | Self::Import { .. } | Self::Practice(_) | Self::Task(_) => None,
        }
    }

    /// The same as it is kept with a feed.
    #[must_use]
    pub fn failure(&self) -> Failure {
        Failure {
            code: self.code().to_owned(),
            what: self.what(),
            detail: self.detail(),
            hint: self.hint(),
            retry_at: self.retry_at(),
        }
    }

    /// From when on the other side may be asked again, where it said so.
    #[must_use]
    pub fn retry_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Source(error) => error.retry_at,
            Self::Cloud(error) => error.retry_at,
            Self::Board(failure) => failure.retry_at,
            _ => None,
        }
    }

    /// Whether it concerns one feed's answer only, so that the others go on.
    pub(crate) fn is_of(&self, feed: &FeedName) -> bool {
        match self {
            Self::Store(
                StoreError::SuspiciousAnswer { feed: of, .. } | StoreError::DuplicateOffer { feed: of, .. },
            )
            | Self::Torn { feed: of, .. }
            | Self::MostlyBad { feed: of, .. } => of == feed,
            Self::Source(_) => true,
            _ => false,
        }
    }
}

/// What to do next, with the time from when on the other side may be asked again where it said so. The time is that of
/// UTC: the sentence is kept with the feed, and is read later and elsewhere.
fn with_time(hint: Option<String>, retry_at: Option<DateTime<Utc>>) -> Option<String> {
    let Some(at) = retry_at else { return hint };
    let at = at.format("%Y-%m-%d %H:%M:%S UTC");
    Some(match hint {
        None => format!("It may be asked again from {at} on."),
        Some(hint) if hint.ends_with('.') => format!("{hint} It may be asked again from {at} on."),
        Some(hint) => format!("{hint}; it may be asked again from {at} on"),
    })
}

/// The word of a failed call as windows and scripts know it.
fn http_word(code: SourceErrorCode) -> &'static str {
    match code {
        SourceErrorCode::ProviderDown | SourceErrorCode::Gone => "provider-refused",
        SourceErrorCode::Config => "settings-invalid",
        code => code.word(),
    }
}

/// What to do next where the adapter names nothing better.
fn next_step(code: CloudErrorCode) -> Option<&'static str> {
    Some(match code {
        CloudErrorCode::Http(SourceErrorCode::ProviderRefused) => "Its words say what it did not like.",
        CloudErrorCode::Http(_) => return None,
        CloudErrorCode::BadKey => "Copy the key again from the provider's page; it may have been revoked.",
        CloudErrorCode::Forbidden => {
            "Make a key with the rights that `gpudesk accounts` names, and add it again."
        }
        CloudErrorCode::NoFunds => "Pay in at the provider, or choose a cheaper offer.",
        CloudErrorCode::AccountNotReady => {
            "Finish the account at the provider: mail, billing address, payment."
        }
        CloudErrorCode::Quota => "End another machine, or ask the provider for a higher limit.",
        CloudErrorCode::NoCapacity => "Choose another place or offer, or try again later.",
        CloudErrorCode::OfferGone => "Refresh the offers and choose another.",
        CloudErrorCode::BidTooLow => "Bid more, or take the offer at its fixed price.",
        CloudErrorCode::SshKeyRefused => "Choose another SSH key; Ed25519 is taken everywhere.",
        CloudErrorCode::Refused => "Its words say what it did not like: choose another image, disk or offer.",
        CloudErrorCode::NoSuchMachine => "Compare the accounts with the records: `gpudesk reconcile`.",
        CloudErrorCode::Conflict => "Wait until the machine has come to rest, then try again.",
        CloudErrorCode::Unsupported => "This cloud cannot do that; end the machine instead.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_a_wait_is_told_and_kept_with_its_time() {
        let at: DateTime<Utc> = "2026-11-30T09:00:05Z".parse().unwrap();
        let mut source = SourceError::new(SourceErrorCode::RateLimited, "Azure prices", "HTTP 429");
        source.retry_at = Some(at);
        let error = DeskError::from(source.clone());
        let told = "It may be asked again from 2026-11-30 09:00:05 UTC on.";
        assert_eq!(error.hint().as_deref(), Some(told));
        assert_eq!((error.failure().hint.as_deref(), error.failure().retry_at), (Some(told), Some(at)));
        let error = DeskError::from(source.clone().hint("the offers at hand stay in use"));
        let told = "the offers at hand stay in use; it may be asked again from 2026-11-30 09:00:05 UTC on";
        assert_eq!(error.hint().as_deref(), Some(told));
        let sold_out = CloudErrorCode::NoCapacity;
        let error = DeskError::from(CloudError { code: sold_out, ..source.clone().into() });
        let told = "Choose another place or offer, or try again later. \
                    It may be asked again from 2026-11-30 09:00:05 UTC on.";
        assert_eq!(error.hint().as_deref(), Some(told));
        let cloud = DeskError::from(CloudError::from(source.clone()));
        assert_eq!((cloud.retry_at(), cloud.hint()), (Some(at), DeskError::from(source.clone()).hint()));
        source.retry_at = None;
        assert_eq!(DeskError::from(source).hint(), None, "no wait was named");
    }
}
