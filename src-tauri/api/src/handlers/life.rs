//! Rentals: what runs, the story of one, stop, start, end, more time.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::{MachineState, Rental, Who};
use gpudesk_engine::Desk;
use rust_decimal::Decimal;

use super::connect::{copies, forwards};
use super::launch::lease_hours;
use super::rental_shape::Shapes;
use super::rows::{rounded, time};
use super::story;
use super::unmanaged::{blind, unmanaged};
use crate::desk::ApiError;
use crate::rental::{ExtendRequest, RentalDetails, RentalDto, RentalRequest, RentalsPage, RentalsRequest};

/// What runs, ours and not ours. Asks no provider: it tells what the desk knows.
///
/// # Errors
/// `database`.
pub async fn rentals_list(desk: &Desk, request: RentalsRequest) -> Result<RentalsPage, ApiError> {
    let mut rentals = desk.rentals(request.all).await?;
    let shapes = Shapes::now(desk).await?.with_boots(&rentals).await?.with_activity(&rentals).await?;
    // The live ones first, the newest of each first.
    rentals.sort_by(|a, b| {
        a.is_over().cmp(&b.is_over()).then_with(|| b.record.created_at.cmp(&a.record.created_at))
    });
    // Before the first comparison nothing is known of others, and asking would keep the page waiting.
    let strangers = if desk.reconciled_at().is_some() { desk.unmanaged().await? } else { Vec::new() };
    let ours = rentals.iter().filter(|rental| is_billed(rental)).map(|r| (r.burning(), r.currency()));
    let theirs = strangers.iter().filter(|stranger| !stranger.ignored && runs(stranger.machine.state));
    let burning: Vec<Option<Decimal>> = ours
        .chain(theirs.map(|stranger| (stranger.machine.per_hour, stranger.machine.currency)))
        .map(|(per_hour, currency)| shapes.rates.convert(per_hour?, currency?, Currency::USD))
        .collect();
    let known = burning.iter().flatten().copied().sum::<Decimal>();
    let unknown = burning.iter().filter(|rate| rate.is_none()).count();
    Ok(RentalsPage {
        rentals: rentals.iter().map(|rental| shapes.rental(rental)).collect(),
        unmanaged: strangers.iter().map(|stranger| unmanaged(stranger, shapes.now)).collect(),
        burning_machines: burning.len().try_into().unwrap_or(u32::MAX),
        burning_usd: (unknown == 0).then(|| rounded(known)),
        burning_unknown: unknown.try_into().unwrap_or(u32::MAX),
        blind: desk.blind_accounts().iter().map(blind).collect(),
        reconciled_at: desk.reconciled_at().map(time),
    })
}

/// Whether a meter runs, or may run without our knowing its rate.
fn is_billed(rental: &Rental) -> bool {
    !rental.is_over() && rental.burning() != Some(Decimal::ZERO)
}

fn runs(state: MachineState) -> bool {
    !matches!(state, MachineState::Stopped | MachineState::Ended | MachineState::Failed)
}

/// One rental with its story.
///
/// # Errors
/// `not-found` where there is none of that id or name.
pub async fn rental_get(desk: &Desk, request: RentalRequest) -> Result<RentalDetails, ApiError> {
    let rental = desk.rental(&request.rental).await?;
    let shapes = Shapes::now(desk).await?.with_activity(std::slice::from_ref(&rental)).await?;
    let id = rental.record.id.as_str();
    Ok(RentalDetails {
        events: desk.rental_events(id).await?.iter().map(story::event).collect(),
        intervals: rental.intervals.iter().map(|interval| shapes.interval(interval)).collect(),
        forwards: forwards(desk, Some(id)),
        copies: copies(desk, id),
        receipt: desk.receipt(id).await?.map(|receipt| receipt.markdown),
        rental: shapes.rental(&rental),
    })
}

/// Asks for a stop.
///
/// # Errors
/// `not-found`; `unsupported` where there is no stop; `conflict` where it cannot be stopped now.
pub async fn rental_stop(desk: &Desk, request: RentalRequest) -> Result<RentalDto, ApiError> {
    let rental = desk.stop(&request.rental, Who::Person, "").await?;
    Ok(Shapes::one(desk, &rental).await?)
}

/// Asks for a start.
///
/// # Errors
/// As [`rental_stop`].
pub async fn rental_start(desk: &Desk, request: RentalRequest) -> Result<RentalDto, ApiError> {
    let rental = desk.start_rental(&request.rental, Who::Person).await?;
    Ok(Shapes::one(desk, &rental).await?)
}

/// Ends a rental, irreversibly. The provider is asked until it confirms.
///
/// # Errors
/// `not-found`.
pub async fn rental_end(desk: &Desk, request: RentalRequest) -> Result<RentalDto, ApiError> {
    let rental = desk.end(&request.rental, Who::Person, "").await?;
    Ok(Shapes::one(desk, &rental).await?)
}

/// More time.
///
/// # Errors
/// `not-found`; `request-invalid` for hours that are none; `conflict` where it is over.
pub async fn rental_extend(desk: &Desk, request: ExtendRequest) -> Result<RentalDto, ApiError> {
    let hours = lease_hours(request.hours)?;
    let rental = desk.extend(&request.rental, hours).await?;
    Ok(Shapes::one(desk, &rental).await?)
}
