//! Adding, checking and removing accounts.

use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudError, CloudErrorCode};
use gpudesk_providers::http::Secret;
use gpudesk_store::AccountRow;

use super::access::Route;
use super::keys::{tidy, write_file};
use super::{AccountError, AccountName};
use crate::desk::Desk;
use crate::{DeskError, Event};

/// Where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// In the system's keyring, or nowhere.
    Keyring,
    /// In the file of keys, which only its owner can read.
    File,
    /// In the memory of this run.
    Session,
}

impl Keep {
    /// Reads `keyring` (also an empty text), `file`, `session`.
    ///
    /// # Errors
    /// [`AccountError::UnknownKeep`].
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        match text {
            "" | "keyring" => Ok(Self::Keyring),
            "file" => Ok(Self::File),
            "session" => Ok(Self::Session),
            other => Err(AccountError::UnknownKeep(other.to_owned())),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Keyring => "keyring",
            Self::File => "file",
            Self::Session => "session",
        }
    }
}

/// A new account, or a new key for one.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// `vast`.
    pub provider: String,
    /// Empty for the only one.
    pub alias: String,
    /// The key, as it was typed.
    pub key: Secret,
    /// Where to keep it.
    pub keep: Keep,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy; empty = the desk's.
    pub proxy: String,
    /// CA file; empty = the desk's.
    pub ca_file: String,
    /// Keep the key although the provider could not be asked about it.
    pub unchecked: bool,
}

impl Desk {
    /// Asks the provider who the key is and, once that is known, keeps it. A key the provider does not know is not
    /// kept; neither is one it could not be asked about, unless [`NewAccount::unchecked`].
    ///
    /// # Errors
    /// When the name or the key cannot be one, the provider refuses the key or cannot be asked, or the key cannot be
    /// kept. Then nothing has changed.
    pub async fn account_add(&self, new: NewAccount) -> Result<AccountName, DeskError> {
        let name = AccountName::new(&new.provider, &new.alias)?;
        if self.config().keys.environment.contains_key(&name.variable()) {
            let variable = super::keys::variable_name(&name.to_string());
            return Err(AccountError::FromOutside(format!("the environment ({variable})")).into());
        }
        let key = tidy(&name, new.key.expose())?;
        let route = Route {
            address: new.address.trim().to_owned(),
            proxy: new.proxy.trim().to_owned(),
            ca_file: new.ca_file.trim().to_owned(),
        };
        let cloud = self.open_cloud(&name, key.clone(), &route).await?;
        let facts = match cloud.check().await {
            Ok(facts) => Some(facts),
            Err(error) if new.unchecked && is_unreachable(&error) => None,
            Err(error) => {
                self.forget_access(&name);
                return Err(with_way_out(error).into());
            }
        };
        let before = self.store().account(&name.to_string()).await?;
        let key_ref = before.as_ref().map(|row| row.key_ref.clone()).filter(|name| !name.is_empty());
        let key_ref = key_ref.unwrap_or_else(|| format!("{name} {:08x}", fastrand::u32(..)));
        self.keep_key(&name, &key, new.keep, &key_ref).await?;
        let now = self.now();
        self.store()
            .set_account(&AccountRow {
                name: name.to_string(),
                key_in: new.keep.word().to_owned(),
                key_ref: key_ref.clone(),
                address: route.address,
                proxy: route.proxy,
                ca_file: route.ca_file,
                changed_at: now,
                checked_at: facts.is_some().then_some(now),
                facts: facts.as_ref().map(as_json).transpose()?,
                error: None,
            })
            .await?;
        self.forget_elsewhere(&name, new.keep, before.as_ref()).await?;
        self.forget_access(&name);
        self.tell(Event::AccountsChanged);
        Ok(name)
    }

    async fn keep_key(
        &self,
        name: &AccountName,
        key: &Secret,
        keep: Keep,
        key_ref: &str,
    ) -> Result<(), DeskError> {
        match keep {
            Keep::Keyring => self.config().vault.set(key_ref, key).await.map_err(AccountError::from)?,
            Keep::File => self.write_key_file(name, Some(key.clone())).await?,
            Keep::Session => self.keep_in_session(name, Some(key.clone())),
        }
        Ok(())
    }

    /// An older key of the account, where it was kept before, would hold before the new one or lie about unused.
    async fn forget_elsewhere(
        &self,
        name: &AccountName,
        keep: Keep,
        before: Option<&AccountRow>,
    ) -> Result<(), DeskError> {
        if keep != Keep::Session {
            self.keep_in_session(name, None);
        }
        if keep != Keep::File && self.keys_in_file().await?.contains_key(&name.to_string()) {
            self.write_key_file(name, None).await?;
        }
        if let Some(row) = before.filter(|row| row.key_in == "keyring" && keep != Keep::Keyring) {
            self.config().vault.forget(&row.key_ref).await.map_err(AccountError::from)?;
        }
        Ok(())
    }

    async fn write_key_file(&self, name: &AccountName, key: Option<Secret>) -> Result<(), DeskError> {
        let (path, name) = (self.config().keys_file(), name.to_string());
        let write = tokio::task::spawn_blocking(move || write_file(&path, &name, key.as_ref())).await;
        Ok(write.map_err(|error| DeskError::Task(error.to_string()))??)
    }

    /// Asks again who an account is, and writes down what came of it.
    ///
    /// # Errors
    /// When there is no such account or the database cannot be written. What the provider says against the key is
    /// part of the account's facts and no error of this call.
    pub async fn account_check(&self, account: &str) -> Result<(), DeskError> {
        let name = AccountName::parse(account)?;
        let text = name.to_string();
        let mut row = self.store().account(&text).await?;
        let checked = async {
            let found = self.find_key(&name, row.as_ref()).await?;
            let route = row.as_ref().map(Route::from).unwrap_or_default();
            let cloud = self.open_cloud(&name, found.key, &route).await?;
            Ok::<_, DeskError>((found.place, cloud.check().await.map_err(with_way_out)?))
        }
        .await;
        if let (None, Err(DeskError::Account(AccountError::Unknown(_)))) = (&row, &checked) {
            return checked.map(|_| ());
        }
        if row.is_none() {
            // Its key comes from outside: from now on it has a line of its own for what is known of it.
            row = Some(AccountRow {
                name: text.clone(),
                key_in: "environment".to_owned(),
                key_ref: String::new(),
                address: String::new(),
                proxy: String::new(),
                ca_file: String::new(),
                changed_at: self.now(),
                checked_at: None,
                facts: None,
                error: None,
            });
            if let Some(row) = &row {
                self.store().set_account(row).await?;
            }
        }
        let (facts, error) = match checked {
            Ok((_, facts)) => (Some(as_json(&facts)?), None),
            Err(error) => (None, Some(as_json(&error.failure())?)),
        };
        self.store().record_check(&text, self.now(), facts.as_deref(), error.as_deref()).await?;
        self.tell(Event::AccountsChanged);
        Ok(())
    }

    /// Forgets an account and its key.
    ///
    /// # Errors
    /// [`AccountError::InUse`] while machines of it are not over; when its key comes from the environment; when the
    /// key may still be in the keyring.
    pub async fn account_remove(&self, account: &str) -> Result<(), DeskError> {
        let name = AccountName::parse(account)?;
        let text = name.to_string();
        if !self.account_names().await?.contains(&name) {
            return Err(AccountError::Unknown(text).into());
        }
        let machines: Vec<String> = self
            .rentals(false)
            .await?
            .into_iter()
            .filter(|rental| rental.record.account_name() == text)
            .map(|rental| rental.record.name)
            .collect();
        if !machines.is_empty() {
            return Err(AccountError::InUse { account: text, machines }.into());
        }
        if self.config().keys.environment.contains_key(&name.variable()) {
            let variable = super::keys::variable_name(&text);
            return Err(AccountError::FromOutside(format!("the environment ({variable})")).into());
        }
        self.keep_in_session(&name, None);
        if self.keys_in_file().await?.contains_key(&text) {
            self.write_key_file(&name, None).await?;
        }
        if let Some(row) = self.store().account(&text).await?.filter(|row| row.key_in == "keyring") {
            self.config().vault.forget(&row.key_ref).await.map_err(AccountError::from)?;
        }
        self.store().remove_account(&text).await?;
        self.forget_access(&name);
        self.tell(Event::AccountsChanged);
        Ok(())
    }
}

/// Whether the provider could not be asked at all, so that nothing is known about the key.
fn is_unreachable(error: &CloudError) -> bool {
    matches!(
        error.code,
        CloudErrorCode::Http(
            SourceErrorCode::Network
                | SourceErrorCode::Timeout
                | SourceErrorCode::ProviderDown
                | SourceErrorCode::RateLimited
        )
    )
}

/// The same error with the way out of a provider that cannot be asked.
fn with_way_out(mut error: CloudError) -> CloudError {
    if is_unreachable(&error) {
        let before = error.hint.take().unwrap_or_else(|| "try again later".to_owned());
        error.hint = Some(format!(
            "{before}; or keep the key unchecked (`--unchecked`) and check it when the provider answers"
        ));
    }
    error
}

fn as_json<T: serde::Serialize>(value: &T) -> Result<String, DeskError> {
    serde_json::to_string(value).map_err(|error| DeskError::Task(error.to_string()))
}
