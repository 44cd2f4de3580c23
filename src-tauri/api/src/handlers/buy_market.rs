//! What renting costs: the board's medians for a model, or a chosen offer.

use gpudesk_core::board::Sort;
use gpudesk_core::gpu::Model;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;
use gpudesk_core::query::word_for_card;
use gpudesk_engine::Desk;
use rust_decimal::Decimal;

use super::market::ask_sorted;
use super::rows::provider_title;
use crate::desk::ApiError;
use crate::market::MarketView;

/// A rent with where it is from.
pub(super) struct Rent {
    /// Of one card, in the display currency.
    pub per_hour: Decimal,
    /// `board` or `offer`.
    pub origin: &'static str,
    pub source: String,
}

/// What renting costs, as far as it is known.
#[derive(Default)]
pub(super) struct Rents {
    /// What owning is compared with.
    pub rent: Option<Rent>,
    pub reserved: Option<Rent>,
    pub spot: Option<Rent>,
}

/// Reads the rents of a model from the board, and of an offer where one is named.
///
/// # Errors
/// `not-found` for an offer that is not on the board; `database` where there is no board.
pub(super) async fn rents(
    desk: &Desk,
    gpu: Option<&'static Model>,
    offer: Option<&str>,
    currency: Currency,
) -> Result<Rents, ApiError> {
    let mut rents = Rents::default();
    if let Some(model) = gpu {
        rents.rent = median(desk, model, PriceKind::OnDemand, currency).await?;
        rents.reserved = median(desk, model, PriceKind::Reserved, currency).await?;
        rents.spot = median(desk, model, PriceKind::Spot, currency).await?;
    }
    if let Some(id) = offer {
        rents.rent = of_offer(desk, id, currency).await?;
    }
    Ok(rents)
}

/// The middle price of whole cards of this model that are rented so; `None` where there are none.
async fn median(
    desk: &Desk,
    model: &'static Model,
    kind: PriceKind,
    currency: Currency,
) -> Result<Option<Rent>, ApiError> {
    let view = MarketView {
        line: format!("{} {kind}", word_for_card(model.name)),
        sort: "gpu-hour".to_owned(),
        descending: false,
        job: None,
        currency: currency.to_string(),
        include_unknown: false,
        include_quarantine: false,
    };
    let asked = ask_sorted(desk, &view, Sort::default()).await?;
    let found = asked.snapshot.board.groups(&asked.view());
    if found.currency != currency {
        return Ok(None);
    }
    let group = found.groups.into_iter().find(|group| group.name == model.name);
    Ok(group.and_then(|group| {
        Some(Rent {
            per_hour: group.median.filter(|median| !median.is_zero())?,
            origin: "board",
            source: format!("median of {} {kind} offers of {} on the board", group.offers, model.name),
        })
    }))
}

async fn of_offer(desk: &Desk, id: &str, currency: Currency) -> Result<Option<Rent>, ApiError> {
    let snapshot = desk.snapshot().await?;
    let offer = snapshot.board.find(id).and_then(|row| snapshot.board.offer(row));
    let offer = offer.ok_or_else(|| ApiError::offer_not_found(id))?;
    let per_hour = snapshot.board.rates().convert(offer.per_gpu_hour(), offer.price.currency, currency);
    Ok(per_hour.map(|per_hour| Rent {
        per_hour,
        origin: "offer",
        source: format!(
            "{} at {} ({}), offer {id}",
            offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name),
            provider_title(&offer.provider),
            offer.price.kind,
        ),
    }))
}
