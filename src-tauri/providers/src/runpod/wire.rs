//! What the GraphQL service answers, as it stands on the wire (<https://docs.runpod.io/sdks/graphql/manage-pods>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Each, List, Literal};

/// Any answer: data, errors, or some of both, always with status 200.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow, default)]
    pub data: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub errors: Option<List<GraphQlError<'a>>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GraphQlError<'a> {
    #[serde(borrow, default)]
    pub message: Literal<'a>,
}

/// What there is at all.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Directory<'a> {
    #[serde(borrow)]
    pub gpu_types: Option<Each<GpuType<'a>>>,
    #[serde(borrow)]
    pub data_centers: Option<Each<DataCenter<'a>>>,
    #[serde(borrow)]
    pub country_codes: Option<List<Literal<'a>>>,
}

/// A card RunPod rents or has rented.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GpuType<'a> {
    /// The spelling a launch wants: `NVIDIA H100 80GB HBM3`.
    #[serde(borrow)]
    pub id: Literal<'a>,
    /// GB of one card, the marketing number.
    #[serde(borrow)]
    pub memory_in_gb: Literal<'a>,
    /// Offered in that cloud at all. The price beside it is a number even where it is not.
    #[serde(borrow)]
    pub secure_cloud: Literal<'a>,
    #[serde(borrow)]
    pub community_cloud: Literal<'a>,
    /// USD an hour for one card.
    #[serde(borrow)]
    pub secure_price: Literal<'a>,
    #[serde(borrow)]
    pub community_price: Literal<'a>,
    /// The most cards of one pod; no stock.
    #[serde(borrow)]
    pub max_gpu_count: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DataCenter<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
}

/// One place's cards.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct PlaceAnswer<'a> {
    #[serde(borrow)]
    pub gpu_types: Option<Each<Here<'a>>>,
}

/// One card in one place, for each number of cards asked.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Here<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub x1: Literal<'a>,
    #[serde(borrow)]
    pub x2: Literal<'a>,
    #[serde(borrow)]
    pub x4: Literal<'a>,
    #[serde(borrow)]
    pub x8: Literal<'a>,
}

impl<'a> Here<'a> {
    /// The answer for so many cards.
    pub(super) fn lowest(&self, count: u32) -> LowestPrice<'a> {
        let literal = match count {
            1 => self.x1,
            2 => self.x2,
            4 => self.x4,
            8 => self.x8,
            _ => Literal::default(),
        };
        literal.object()
    }
}

/// The cheapest pod of one size in one place.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct LowestPrice<'a> {
    /// `High`, `Medium`, `Low`, `None`; null where the card is not there at all.
    #[serde(borrow)]
    pub stock_status: Literal<'a>,
    /// USD an hour for one card; null when nothing is free.
    #[serde(borrow)]
    pub uninterruptable_price: Literal<'a>,
    /// Of the whole pod of that size.
    #[serde(borrow)]
    pub min_vcpu: Literal<'a>,
    /// GB of the whole pod of that size.
    #[serde(borrow)]
    pub min_memory: Literal<'a>,
}
