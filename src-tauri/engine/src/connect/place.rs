//! Where a rental is, for SSH.

use super::Place;
use super::error::ConnectError;
use crate::{Desk, DeskError};

impl Desk {
    /// The machine of a rental, by the rental's id or name.
    ///
    /// # Errors
    /// When there is no such rental, or it has no address.
    pub(crate) async fn place(&self, rental: &str) -> Result<Place, DeskError> {
        Err(ConnectError::NoAddress { name: rental.to_owned(), state: "not known".to_owned() }.into())
    }
}
