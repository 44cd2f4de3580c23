//! The live offer that a row of a price list stands for.

use gpudesk_core::board::Board;
use gpudesk_core::offer::{Offer, Source, SupplyState};

use crate::DeskError;
use crate::desk::Desk;

impl Desk {
    /// The id of the live offer that is meant by this one: itself where it is live, else the nearest of the same
    /// provider with the same cards on the same terms in the same country. `None` where there is none now. A row of a
    /// price list is known also when live offers have taken its place on the board.
    ///
    /// # Errors
    /// When the board or the database cannot be read.
    pub async fn live_offer(&self, id: &str) -> Result<Option<String>, DeskError> {
        let snapshot = self.snapshot().await?;
        let board = &snapshot.board;
        let listed = match board.find(id).and_then(|row| board.offer(row)) {
            Some(offer) if offer.source != Source::Catalogue => return Ok(Some(offer.id)),
            Some(offer) => Some(offer),
            None => self.store().offer(id).await?.filter(|offer| offer.source == Source::Catalogue),
        };
        Ok(listed.and_then(|listed| live_on(board, &listed)))
    }
}

fn live_on(board: &Board, listed: &Offer) -> Option<String> {
    let same_card = |offer: &Offer| match &listed.gpu.model {
        Some(model) => offer.gpu.model.as_ref() == Some(model),
        None => offer.gpu.raw_name == listed.gpu.raw_name,
    };
    let is_like = |offer: &Offer| {
        offer.source == Source::Live
            && offer.provider == listed.provider
            && offer.cloud == listed.cloud
            && offer.price.kind == listed.price.kind
            && offer.gpu.count == listed.gpu.count
            && offer.gpu.fraction == listed.gpu.fraction
            && same_card(offer)
            && (listed.place.country.is_none() || offer.place.country == listed.place.country)
    };
    let distance = |offer: &Offer| {
        (
            offer.supply.state == SupplyState::OutOfStock,
            offer.name != listed.name,
            offer.place.region != listed.place.region,
            offer.price.per_hour,
        )
    };
    (0..board.len())
        .filter(|row| !board.is_quarantined(*row))
        .filter_map(|row| board.offer(row))
        .filter(is_like)
        .min_by_key(distance)
        .map(|offer| offer.id)
}
