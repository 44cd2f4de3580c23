//! Which accounts there are and what is known of them.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::offer::{Form, Offer};
use gpudesk_core::own::PROVIDER;
use gpudesk_core::rental::RentalTerms;
use gpudesk_providers::cloud::{AccountFacts, clouds};
use gpudesk_store::{AccountRow, Failure};

use super::{AccountName, VaultError};
use crate::DeskError;
use crate::desk::Desk;
use crate::own;

/// How long a list waits for the keyring's word: longer means that the system asks its person to unlock it.
const KEYRING_WORD: Duration = Duration::from_secs(3);

/// How an account fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    /// The last check went well.
    Ok,
    /// The last check failed.
    Failed,
    /// It was never checked.
    Never,
}

/// An account. Never holds a key.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountInfo {
    /// Its name.
    pub name: AccountName,
    /// Where its key is: `keyring`, `environment`, `file`, `session`, `missing`.
    pub key_in: &'static str,
    /// How it fares.
    pub state: AccountState,
    /// What its provider last told of it.
    pub facts: Option<AccountFacts>,
    /// When it was last asked.
    pub checked_at: Option<DateTime<Utc>>,
    /// Why the last check failed.
    pub error: Option<Failure>,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy; empty = the desk's.
    pub proxy: String,
    /// CA file; empty = the desk's.
    pub ca_file: String,
}

/// Whether keys can be kept in the keyring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyringState {
    /// Shown name.
    pub name: &'static str,
    /// Why not; `None` = a write went well.
    pub problem: Option<String>,
}

impl Desk {
    /// The names of all accounts: those added, and those whose keys come from the environment or a file.
    pub(crate) async fn account_names(&self) -> Result<BTreeSet<AccountName>, DeskError> {
        let rows = self.store().accounts().await?;
        let mut names: BTreeSet<AccountName> =
            rows.iter().filter_map(|row| AccountName::parse(&row.name).ok()).collect();
        names.extend(self.keys_in_file().await?.keys().filter_map(|name| AccountName::parse(name).ok()));
        for variable in self.config().keys.environment.keys() {
            let (provider, alias) = variable.split_once('_').unwrap_or((variable, ""));
            let known = names.iter().any(|name| name.variable() == *variable);
            if !known && let Ok(name) = AccountName::new(provider, &alias.replace('_', "-")) {
                names.insert(name);
            }
        }
        Ok(names)
    }

    /// Every account, by name. Asks neither keyring nor provider.
    ///
    /// # Errors
    /// When the database or the file of keys cannot be read.
    pub async fn accounts(&self) -> Result<Vec<AccountInfo>, DeskError> {
        let rows = self.store().accounts().await?;
        let file = self.keys_in_file().await?;
        let environment = &self.config().keys.environment;
        let info = |name: AccountName| {
            let row = rows.iter().find(|row| row.name == name.to_string());
            let key_in = if environment.contains_key(&name.variable()) {
                "environment"
            } else if file.contains_key(&name.to_string()) {
                "file"
            } else if self.has_session_key(&name) {
                "session"
            } else if row.is_some_and(|row| row.key_in == "keyring") {
                "keyring"
            } else {
                "missing"
            };
            described(name, key_in, row)
        };
        Ok(self.account_names().await?.into_iter().map(info).collect())
    }

    /// Whether the keyring takes keys, proved by a write: once a run, and again for as long as it failed. Where it is
    /// silent for some seconds the answer says so, and the write goes on.
    pub async fn keyring(&self) -> KeyringState {
        let name = self.config().vault.name();
        let desk = self.clone();
        let trial = tokio::spawn(async move {
            let mut known = desk.inner().access.keyring.lock().await;
            if !matches!(*known, Some(Ok(()))) {
                *known = Some(desk.config().vault.works().await);
            }
            known.clone()
        });
        let problem = match tokio::time::timeout(KEYRING_WORD, trial).await {
            Ok(Ok(Some(Ok(())))) => None,
            Ok(Ok(Some(Err(VaultError { problem, .. })))) => Some(problem),
            Ok(Ok(None) | Err(_)) => Some("it could not be tried".to_owned()),
            Err(_) => Some("no answer yet; the system may be asking to unlock it".to_owned()),
        };
        KeyringState { name, problem }
    }
}

/// Providers that can be rented from here.
#[must_use]
pub fn rentable_providers() -> Vec<&'static str> {
    clouds().iter().map(|kind| kind.provider).collect()
}

/// Whether an offer can be rented from here: its provider can, it is a machine, and it does not name a page of its own
/// where a person has to go.
#[must_use]
pub fn can_rent(offer: &Offer) -> bool {
    offer.form != Form::Serverless && offer.price.page.is_none() && rental_terms(&offer.provider).is_some()
}

/// What renting an offer means; `None` where that is not possible from here.
#[must_use]
pub fn offer_terms(offer: &Offer) -> Option<RentalTerms> {
    can_rent(offer).then(|| rental_terms(&offer.provider)).flatten()
}

/// What renting at a provider means; `None` where that is not possible from here.
#[must_use]
pub fn rental_terms(provider: &str) -> Option<RentalTerms> {
    let cloud = gpudesk_providers::cloud::cloud(provider).map(|kind| (kind.terms)());
    cloud.or_else(|| (provider == PROVIDER).then(own::terms))
}

fn described(name: AccountName, key_in: &'static str, row: Option<&AccountRow>) -> AccountInfo {
    let facts = row.and_then(|row| row.facts.as_deref()).and_then(|text| serde_json::from_str(text).ok());
    let error: Option<Failure> =
        row.and_then(|row| row.error.as_deref()).and_then(|text| serde_json::from_str(text).ok());
    let checked_at = row.and_then(|row| row.checked_at);
    let state = match (&error, checked_at) {
        (Some(_), _) => AccountState::Failed,
        (None, Some(_)) => AccountState::Ok,
        (None, None) => AccountState::Never,
    };
    let text = |of: fn(&AccountRow) -> &String| row.map(|row| of(row).clone()).unwrap_or_default();
    AccountInfo {
        name,
        key_in,
        state,
        facts,
        checked_at,
        error,
        address: text(|row| &row.address),
        proxy: text(|row| &row.proxy),
        ca_file: text(|row| &row.ca_file),
    }
}
