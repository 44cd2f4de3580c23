//! Accounts at providers and their keys. A key is in the keyring, or where its person said out loud; it is in no
//! answer, no log line, no error and not in the database.

mod access;
mod change;
mod error;
mod keys;
mod list;
mod name;
mod scrub;
mod vault;

pub(crate) use access::AccessCache;
pub use change::{Keep, NewAccount};
pub use error::AccountError;
pub use keys::OutsideKeys;
pub use list::{
    AccountInfo, AccountState, KeyringState, can_rent, offer_terms, rentable_providers, rental_terms,
};
pub use name::AccountName;
pub use vault::{SystemVault, Vault, VaultError};
