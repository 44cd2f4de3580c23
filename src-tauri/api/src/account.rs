//! Requests and answers about accounts at providers. None of them ever carries a key out.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::cloud::{CallRate, CloudHealth, KeyField, KeyScope};
use crate::desk::ApiError;

/// An account at a provider. Never holds a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Account {
    /// `vast`, or `vast/team` for one of several.
    pub name: String,
    /// `vast`.
    pub provider: String,
    /// Shown name of the provider.
    pub title: String,
    /// What tells several accounts of one provider apart; empty for the only one.
    pub alias: String,
    /// Where its key is kept: `keyring`, `environment`, `file`, `missing`.
    pub key_in: String,
    /// `ok`, `checking`, `failed`, `never`.
    pub state: String,
    /// Who it is, where told.
    pub who: Option<String>,
    /// Money left, where told.
    pub balance: Option<String>,
    /// Currency of the balance.
    pub currency: Option<String>,
    /// The account's own limit per hour.
    pub spend_limit_per_hour: Option<String>,
    /// What its key may do: `read-only`, `read-write`, `unknown`.
    pub rights: String,
    /// What the key needs at least, in the provider's own words.
    pub needs: String,
    /// Where a key is made.
    pub key_page: String,
    /// What works with this key: `offers`, `watch`, `rent`, `stop`, `spot`, `bid`, `balance`, `usage`.
    pub can: Vec<String>,
    /// Rights the key was seen to lack, each with the page that grants it.
    pub missing: Vec<KeyScope>,
    /// Whether the provider last said that it was asked too often.
    pub rate_limited: bool,
    /// What else should be known.
    pub remarks: Vec<String>,
    /// RFC 3339, when it was last asked.
    pub checked_at: Option<String>,
    /// Why the last check failed.
    pub error: Option<ApiError>,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy of this account; empty = the desk's.
    pub proxy: String,
    /// CA file of this account; empty = the desk's.
    pub ca_file: String,
}

/// Accounts, and what can be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Accounts {
    /// Those there are.
    pub accounts: Vec<Account>,
    /// Providers that can be rented from here.
    pub providers: Vec<AccountProvider>,
    /// Whether keys can be kept in the system's keyring, and why not.
    pub keyring: KeyringState,
}

/// A provider an account can be added for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountProvider {
    /// `vast`.
    pub provider: String,
    /// Shown name.
    pub title: String,
    /// What the key needs at least, in the provider's own words.
    pub needs: String,
    /// Where a key is made.
    pub key_page: String,
    /// The parts of a key; empty = one text.
    pub fields: Vec<KeyField>,
    /// The rights a key can have; empty = a key may do all that its owner may.
    pub scopes: Vec<KeyScope>,
    /// What works with a key that has every right: words as in [`Account::can`].
    pub can: Vec<String>,
    /// Whether offers are told only with a key.
    pub offers_need_key: bool,
    /// The published limits of calls; empty = none is published.
    pub rates: Vec<CallRate>,
    /// How its offers fare.
    pub health: CloudHealth,
}

/// Whether the keyring works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeyringState {
    /// Whether keys can be kept there.
    pub works: bool,
    /// Shown name: `Secret Service`.
    pub name: String,
    /// Why not.
    pub problem: Option<String>,
    /// Where keys are kept instead.
    pub instead: Option<String>,
}

/// A new account, or a new key for one.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountAddRequest {
    /// `vast`.
    pub provider: String,
    /// Empty for the only one.
    pub alias: String,
    /// The key. It is put into the keyring and never comes back.
    pub key: String,
    /// Where to keep it when the keyring does not work: `keyring` (fail then), `file`, `session`.
    pub keep: String,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy; empty = the desk's.
    pub proxy: String,
    /// CA file; empty = the desk's.
    pub ca_file: String,
    /// Keep the key although the provider cannot be asked about it now.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub unchecked: bool,
}

impl std::fmt::Debug for AccountAddRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccountAddRequest")
            .field("provider", &self.provider)
            .field("alias", &self.alias)
            .finish_non_exhaustive()
    }
}

/// One account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountRequest {
    /// `vast` or `vast/team`.
    pub name: String,
}
