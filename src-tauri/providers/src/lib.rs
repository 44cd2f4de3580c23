//! Where offers come from: one folder a cloud, one HTTP kit under all of them. Everything here turns somebody else's
//! answer into [`gpudesk_core::offer::Offer`]s, once; nothing here stores, sorts or shows them.

pub mod aws;
pub mod azure;
mod card;
pub mod catalogue;
pub mod cloud;
pub mod cudo;
pub mod deepinfra;
pub mod digitalocean;
mod entry;
pub mod http;
pub mod hyperstack;
pub mod lambda;
pub mod nebius;
mod one_list;
pub mod openrouter;
pub mod openstack;
pub mod prime;
pub mod rates;
mod resold;
pub mod runpod;
pub mod scaleway;
pub mod shadeform;
pub mod sheets;
pub mod source;
pub mod tensordock;
mod tokens;
pub mod vast;
pub mod verda;
pub mod vultr;
mod walk;

pub use source::{
    FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceConfig, SourceError, SourceErrorCode, fresh_for,
    registry,
};
