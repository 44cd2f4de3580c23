//! Shipped snapshot.
use gpudesk_core::feed::Fetched;
/// TODO
#[must_use]
pub fn shipped() -> Vec<Fetched> {
    Vec::new()
}
