//! Accounts, rentals and the ways into them.

use gpudesk_engine::Desk;

use crate::desk::ApiError;
use crate::rental::{
    EndChecklist, ExtendRequest, LaunchOutcome, LaunchRequest, ReconcileReport, RentalDetails, RentalDto,
    RentalRequest, RentalsPage, RentalsRequest, UnmanagedRequest,
};

fn later(what: &str) -> ApiError {
    ApiError::new("internal", what, "not built yet")
}

/// Rents an offer.
///
/// # Errors
/// Always, until it is built.
pub async fn launch(_desk: &Desk, _request: LaunchRequest) -> Result<LaunchOutcome, ApiError> {
    Err(later("launch"))
}

/// What runs, ours and not ours.
///
/// # Errors
/// Always, until it is built.
pub async fn rentals_list(_desk: &Desk, _request: RentalsRequest) -> Result<RentalsPage, ApiError> {
    Err(later("rentals_list"))
}

/// One rental with its story.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_get(_desk: &Desk, _request: RentalRequest) -> Result<RentalDetails, ApiError> {
    Err(later("rental_get"))
}

/// Asks for a stop.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_stop(_desk: &Desk, _request: RentalRequest) -> Result<RentalDto, ApiError> {
    Err(later("rental_stop"))
}

/// Asks for a start.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_start(_desk: &Desk, _request: RentalRequest) -> Result<RentalDto, ApiError> {
    Err(later("rental_start"))
}

/// What to settle before an end.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_end_checklist(_desk: &Desk, _request: RentalRequest) -> Result<EndChecklist, ApiError> {
    Err(later("rental_end_checklist"))
}

/// Ends a rental, irreversibly.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_end(_desk: &Desk, _request: RentalRequest) -> Result<RentalDto, ApiError> {
    Err(later("rental_end"))
}

/// More time.
///
/// # Errors
/// Always, until it is built.
pub async fn rental_extend(_desk: &Desk, _request: ExtendRequest) -> Result<RentalDto, ApiError> {
    Err(later("rental_extend"))
}

/// Adopts, ignores, shows again or ends a machine that is not ours.
///
/// # Errors
/// Always, until it is built.
pub async fn unmanaged_act(_desk: &Desk, _request: UnmanagedRequest) -> Result<RentalsPage, ApiError> {
    Err(later("unmanaged_act"))
}

/// Compares the accounts with the records now.
///
/// # Errors
/// Always, until it is built.
pub async fn reconcile(_desk: &Desk, _request: ()) -> Result<ReconcileReport, ApiError> {
    Err(later("reconcile"))
}
