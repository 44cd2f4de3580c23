//! Accounts, rentals and the ways into them.

use gpudesk_engine::Desk;

use crate::desk::ApiError;
use crate::rental::{
    CopyDto, CopyRequestById, CopyStartRequest, EndChecklist, ExtendRequest, ForwardDto, ForwardOpenRequest,
    ForwardRequest, HostKeyAcceptRequest, LaunchOutcome, LaunchRequest, LaunchSheet, LaunchSheetRequest,
    OpenInRequest, Opened, ReconcileReport, RentalDetails, RentalDto, RentalRequest, RentalsPage,
    RentalsRequest, SshInclude, SshIncludeRequest, Terminal, TerminalBytes, TerminalOpenRequest,
    TerminalReadRequest, TerminalRequest, TerminalResizeRequest, TerminalWriteRequest, UnmanagedRequest,
};

fn later(what: &str) -> ApiError {
    ApiError::new("internal", what, "not built yet")
}

/// What there is to choose before an offer is rented.
///
/// # Errors
/// Always, until it is built.
pub async fn launch_sheet(_desk: &Desk, _request: LaunchSheetRequest) -> Result<LaunchSheet, ApiError> {
    Err(later("launch_sheet"))
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

/// Opens a terminal in a rental.
///
/// # Errors
/// Always, until it is built.
pub async fn terminal_open(_desk: &Desk, _request: TerminalOpenRequest) -> Result<Terminal, ApiError> {
    Err(later("terminal_open"))
}

/// Types into a terminal.
///
/// # Errors
/// Always, until it is built.
pub async fn terminal_write(_desk: &Desk, _request: TerminalWriteRequest) -> Result<(), ApiError> {
    Err(later("terminal_write"))
}

/// Tells a terminal its size.
///
/// # Errors
/// Always, until it is built.
pub async fn terminal_resize(_desk: &Desk, _request: TerminalResizeRequest) -> Result<(), ApiError> {
    Err(later("terminal_resize"))
}

/// What a terminal printed; waits for something to print.
///
/// # Errors
/// Always, until it is built.
pub async fn terminal_read(_desk: &Desk, _request: TerminalReadRequest) -> Result<TerminalBytes, ApiError> {
    Err(later("terminal_read"))
}

/// Closes a terminal.
///
/// # Errors
/// Always, until it is built.
pub async fn terminal_close(_desk: &Desk, _request: TerminalRequest) -> Result<(), ApiError> {
    Err(later("terminal_close"))
}

/// Opens a rental in another program.
///
/// # Errors
/// Always, until it is built.
pub async fn open_in(_desk: &Desk, _request: OpenInRequest) -> Result<Opened, ApiError> {
    Err(later("open_in"))
}

/// Port forwards.
///
/// # Errors
/// Always, until it is built.
pub async fn forwards_list(_desk: &Desk, _request: ()) -> Result<Vec<ForwardDto>, ApiError> {
    Err(later("forwards_list"))
}

/// Opens a port forward and keeps it open.
///
/// # Errors
/// Always, until it is built.
pub async fn forward_open(_desk: &Desk, _request: ForwardOpenRequest) -> Result<ForwardDto, ApiError> {
    Err(later("forward_open"))
}

/// Closes one.
///
/// # Errors
/// Always, until it is built.
pub async fn forward_close(_desk: &Desk, _request: ForwardRequest) -> Result<Vec<ForwardDto>, ApiError> {
    Err(later("forward_close"))
}

/// Copies files in or out.
///
/// # Errors
/// Always, until it is built.
pub async fn copy_start(_desk: &Desk, _request: CopyStartRequest) -> Result<CopyDto, ApiError> {
    Err(later("copy_start"))
}

/// Stops a copy.
///
/// # Errors
/// Always, until it is built.
pub async fn copy_cancel(_desk: &Desk, _request: CopyRequestById) -> Result<CopyDto, ApiError> {
    Err(later("copy_cancel"))
}

/// The line in the user's own SSH configuration.
///
/// # Errors
/// Always, until it is built.
pub async fn ssh_include(_desk: &Desk, _request: SshIncludeRequest) -> Result<SshInclude, ApiError> {
    Err(later("ssh_include"))
}

/// Accepts a changed host key by a person's word.
///
/// # Errors
/// Always, until it is built.
pub async fn host_key_accept(_desk: &Desk, _request: HostKeyAcceptRequest) -> Result<RentalDto, ApiError> {
    Err(later("host_key_accept"))
}
