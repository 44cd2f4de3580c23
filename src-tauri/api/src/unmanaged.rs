//! Machines that are not ours, and what a comparison of accounts and records found.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::desk::ApiError;
use crate::rental::LeftoverDto;

/// An account that could not be looked into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BlindAccount {
    /// Which.
    pub account: String,
    /// RFC 3339, since when.
    pub since: String,
    /// Why.
    pub error: ApiError,
}

/// A machine that is not ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UnmanagedDto {
    /// Account.
    pub account: String,
    /// Shown name of the provider.
    pub provider_title: String,
    /// The provider's id.
    pub remote_id: String,
    /// Name.
    pub name: Option<String>,
    /// What it is.
    pub title: String,
    /// State in our words.
    pub state: String,
    /// Since when, RFC 3339.
    pub created_at: Option<String>,
    /// Per hour.
    pub per_hour: Option<String>,
    /// Currency.
    pub currency: Option<String>,
    /// Cost since its creation, if it ran all the time.
    pub at_most: Option<String>,
    /// Whether a person said to leave it out of sight.
    pub ignored: bool,
    /// Whether it bears a mark of GPU Desk (of another desk, or of a record that was lost).
    pub marked: bool,
}

/// A machine that is not ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UnmanagedRequest {
    /// Account.
    pub account: String,
    /// The provider's id.
    pub remote_id: String,
    /// `adopt`, `ignore`, `show`, `end`.
    pub action: String,
    /// For an adoption: the name; empty = its own.
    pub name: String,
}

/// What a comparison of accounts and records found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ReconcileReport {
    /// Accounts that were listed in full.
    pub complete: Vec<String>,
    /// Accounts that could not be.
    pub blind: Vec<BlindAccount>,
    /// Rentals found by their mark just now.
    pub found: Vec<String>,
    /// Rentals that are gone at the provider.
    pub lost: Vec<String>,
    /// Machines that are not ours.
    pub unmanaged: Vec<UnmanagedDto>,
    /// What stays and costs without a machine.
    pub leftovers: Vec<AccountLeftover>,
}

/// Something that stays and costs without a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountLeftover {
    /// Account.
    pub account: String,
    /// It.
    pub leftover: LeftoverDto,
}
