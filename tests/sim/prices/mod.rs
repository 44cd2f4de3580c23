//! Price lists that answer without a key: clouds that are rented elsewhere, and sellers of tokens. They share the
//! market's own port; their prices follow the market's.

mod azure;
mod cudo;
mod tensordock;
mod tokens;

use axum::Router;

use super::Shared;

/// The variables that hold their base addresses.
pub const ADDRESSES: [&str; 5] = [
    "GPUDESK_AZURE_URL",
    "GPUDESK_CUDO_URL",
    "GPUDESK_TENSORDOCK_URL",
    "GPUDESK_OPENROUTER_URL",
    "GPUDESK_DEEPINFRA_URL",
];

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .merge(azure::routes())
        .merge(cudo::routes())
        .merge(tensordock::routes())
        .merge(tokens::routes())
}

/// A price that follows the market's, to six places.
fn moved(market: &Shared, price: f64) -> f64 {
    (price * market.factor() * 1e6).round() / 1e6
}
