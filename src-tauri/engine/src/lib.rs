//! What HAPPENS at the desk: sources are fetched, answers stored, the board swapped, watches told. The engine owns the
//! clock and the tasks; it knows no window and no terminal.

mod accounts;
mod budget;
mod clock;
mod config;
mod connect;
mod desk;
mod error;
mod event;
mod guard;
mod import;
mod leftovers;
mod live_offer;
mod notices;
mod opener;
mod own;
mod plan;
mod policies;
mod poll;
mod practice;
mod rates;
mod reach;
mod refresh;
mod rental;
mod report;
mod reports;
mod savings;
mod snapshot;
mod spend;
mod watches;

pub use accounts::{
    AccountError, AccountInfo, AccountName, AccountState, Keep, KeyringState, NewAccount, OutsideKeys,
    SystemVault, Vault, VaultError, can_rent, offer_terms, rentable_providers, rental_terms,
};
pub use budget::{BudgetError, Effect as BudgetEffect, Planned, Standing as BudgetStanding};
pub use clock::{Clock, SystemClock};
pub use config::{DeskConfig, NetSettings};
pub use connect::{
    AtWork, ConnectError, CopyInfo, CopyState, Direction, ForwardInfo, ForwardState, NEW_KEY, OpenedIn,
    Preset, TerminalInfo, TerminalOutput, UsageNow,
};
pub use desk::{Desk, SourceInfo};
pub use error::DeskError;
pub use event::Event;
/// Who an account is and what its key may do.
pub use gpudesk_providers::cloud::AccountFacts;
/// Something that stays and costs without a machine.
pub use gpudesk_providers::cloud::Leftover;
/// A text that is never printed.
pub use gpudesk_providers::cloud::keys_of_environment;
pub use gpudesk_providers::http::Secret;
/// Where the line in the person's SSH configuration stands.
pub use gpudesk_remote::IncludeState as SshIncludeState;
/// Where an SSH key was found.
pub use gpudesk_remote::keys::KeySource;
/// An error as it is kept beside what it concerns.
pub use gpudesk_store::Failure;
/// Which policy holds for a project.
pub use gpudesk_store::ProjectPolicy;
pub use guard::{ActivityNow, GuardAct, GuardRound, LeaseDefaults, Ring};
pub use notices::{
    KINDS as NOTICE_KINDS, MailServer, NoticeConfig, NoticeError, Security, Ways, WebhookForm, kind_of,
};
pub use opener::Opener;
pub use own::{NewOwnHost, OwnError, OwnHostInfo};
pub use plan::TakenBack;
pub use policies::PolicyError;
pub use practice::PracticeMarket;
pub use reach::{Answered, Parted, Reach, ReachError, Target};
pub use rental::{Blind, Order, Outcome, Receipt, ReconcileReport, RentalError, Unmanaged};
pub use report::{Done, FeedReport, ReasonCount};
pub use savings::Saving;
pub use snapshot::{Snapshot, is_stale};
pub use spend::{Burning, DaySpending, Spending, Waste};
pub use watches::Sight;
