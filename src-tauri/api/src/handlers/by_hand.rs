//! Offers that are rented by hand: the page to go to.

use gpudesk_engine::Desk;

use super::{market, rows};
use crate::desk::ApiError;
use crate::launch::{OfferPage, OfferPageRequest};

/// Opens the page where an offer is rented by hand.
///
/// # Errors
/// `not-found` when the offer is not on the board, or no page is known for it.
pub async fn offer_page_open(desk: &Desk, request: OfferPageRequest) -> Result<OfferPage, ApiError> {
    let (offer, _) = market::offer_of(desk, &request.offer).await?;
    let title = rows::provider_title(&offer.provider);
    let page = rows::rent_page(&offer).ok_or_else(|| {
        ApiError::new("not-found", format!("offer `{}`", offer.id), "no page to rent it at is known")
            .with_hint(format!("Look for `{}` at {title}.", offer.name))
    })?;
    Ok(OfferPage { opened: desk.open_page(&page).await, page })
}
