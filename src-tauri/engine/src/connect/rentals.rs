//! The rentals as this part of the desk needs them.

use gpudesk_core::rental::Rental;

use crate::{Desk, DeskError};

impl Desk {
    pub(super) async fn rental_named(&self, rental: &str) -> Result<Rental, DeskError> {
        self.rental(rental).await
    }

    pub(super) async fn rentals_alive(&self) -> Result<Vec<Rental>, DeskError> {
        self.rentals(false).await
    }

    pub(super) async fn note_host_key(&self, rental: &str, fingerprint: &str) -> Result<(), DeskError> {
        self.host_key_changed(rental, fingerprint, true).await
    }
}
