//! Finding an account's key and opening its cloud.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use gpudesk_core::own::PROVIDER;
use gpudesk_providers::cloud::{Access, Cloud, CloudError, CloudErrorCode, cloud};
use gpudesk_providers::http::{Http, Secret};
use gpudesk_store::AccountRow;

use super::keys::{read_file, tidy};
use super::scrub::{Scrubbed, scrubbed_error};
use super::{AccountError, AccountName};
use crate::DeskError;
use crate::config::NetSettings;
use crate::desk::Desk;
use crate::own::OwnCloud;

/// What was opened in this run. A key that was read once is not asked of the keyring again: each call there may make
/// the system ask its person.
#[derive(Default)]
pub(crate) struct AccessCache {
    clouds: Mutex<BTreeMap<AccountName, Opened>>,
    keys: Mutex<BTreeMap<AccountName, (DateTime<Utc>, Secret)>>,
    session: Mutex<BTreeMap<AccountName, Secret>>,
    /// What a write to the keyring last gave.
    pub(super) keyring: tokio::sync::Mutex<Option<Result<(), super::VaultError>>>,
}

struct Opened {
    with: With,
    cloud: Arc<dyn Cloud>,
}

/// Everything an opened cloud depends on.
#[derive(Clone, PartialEq, Eq)]
struct With {
    key: Secret,
    net: NetSettings,
    addresses: BTreeMap<String, String>,
}

/// How an account is reached, apart from its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Route {
    pub address: String,
    pub proxy: String,
    pub ca_file: String,
}

impl From<&AccountRow> for Route {
    fn from(row: &AccountRow) -> Self {
        Self { address: row.address.clone(), proxy: row.proxy.clone(), ca_file: row.ca_file.clone() }
    }
}

/// A key that was found, and where.
pub(super) struct FoundKey {
    pub key: Secret,
    /// `environment`, `file`, `session`, `keyring`.
    pub place: &'static str,
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why an account cannot be opened. Nobody was asked yet: what is wrong with the key is what was typed or set.
fn unopened(name: &AccountName, error: CloudError) -> DeskError {
    match error.code {
        CloudErrorCode::BadKey => {
            let (account, problem, hint) = (name.to_string(), error.detail, error.hint);
            AccountError::KeyForm { account, problem, hint }.into()
        }
        _ => error.into(),
    }
}

impl Desk {
    /// The cloud seen through an account (`vast`, `vast/team`). Opened once and kept until key, address, proxy or CA
    /// file change.
    ///
    /// # Errors
    /// When there is no such account, its key is nowhere to be found, or its address, proxy or CA file cannot work.
    pub async fn cloud(&self, account: &str) -> Result<Arc<dyn Cloud>, DeskError> {
        if let Some(cloud) = self.config().clouds.get(account) {
            return Ok(Arc::clone(cloud));
        }
        if account == PROVIDER {
            return Ok(Arc::new(OwnCloud::new(self)));
        }
        let name = AccountName::parse(account)?;
        let row = self.store().account(&name.to_string()).await?;
        let key = self.find_key(&name, row.as_ref()).await?.key;
        let route = row.as_ref().map(Route::from).unwrap_or_default();
        self.open_cloud(&name, key, &route).await
    }

    /// The key of an account by its name; `None` where it has none or it cannot be read.
    pub(crate) async fn key_of_source(&self, provider: &str) -> Option<Secret> {
        let accounts = self.account_names().await.ok()?;
        // The account without an alias first: it sorts first.
        for name in accounts.into_iter().filter(|name| name.provider() == provider) {
            let row = self.store().account(&name.to_string()).await.ok()?;
            match self.find_key(&name, row.as_ref()).await {
                Ok(found) => return Some(found.key),
                Err(error) => tracing::warn!(account = %name, "no key for reading offers: {error}"),
            }
        }
        None
    }

    pub(super) async fn find_key(
        &self,
        name: &AccountName,
        row: Option<&AccountRow>,
    ) -> Result<FoundKey, DeskError> {
        let config = self.config();
        let found = |key, place| Ok(FoundKey { key, place });
        if let Some(key) = config.keys.environment.get(&name.variable()) {
            return found(tidy(name, key.expose())?, "environment");
        }
        if let Some(key) = self.keys_in_file().await?.get(&name.to_string()) {
            return found(tidy(name, key.expose())?, "file");
        }
        if let Some(key) = locked(&self.inner().access.session).get(name) {
            return found(key.clone(), "session");
        }
        let Some(row) = row else { return Err(AccountError::Unknown(name.to_string()).into()) };
        if row.key_in != "keyring" {
            return Err(AccountError::NoKey(name.to_string()).into());
        }
        let kept = locked(&self.inner().access.keys).get(name).cloned();
        if let Some((of, key)) = kept
            && of == row.changed_at
        {
            return found(key, "keyring");
        }
        let key = config.vault.get(&row.key_ref).await.map_err(AccountError::from)?;
        let key = key.ok_or_else(|| AccountError::NoKey(name.to_string()))?;
        locked(&self.inner().access.keys).insert(name.clone(), (row.changed_at, key.clone()));
        found(key, "keyring")
    }

    /// The keys of the file of keys.
    pub(super) async fn keys_in_file(&self) -> Result<BTreeMap<String, Secret>, DeskError> {
        let path: PathBuf = self.config().keys_file();
        let read = tokio::task::spawn_blocking(move || read_file(&path)).await;
        Ok(read.map_err(|error| DeskError::Task(error.to_string()))??)
    }

    pub(super) async fn open_cloud(
        &self,
        name: &AccountName,
        key: Secret,
        route: &Route,
    ) -> Result<Arc<dyn Cloud>, DeskError> {
        let desk_net = self.net_settings().await?;
        let own = |own: &str, desks: &str| if own.is_empty() { desks.to_owned() } else { own.to_owned() };
        let net = NetSettings {
            proxy: own(&route.proxy, &desk_net.proxy),
            ca_file: own(&route.ca_file, &desk_net.ca_file),
            ..desk_net.clone()
        };
        let mut addresses = self.config().services();
        if !route.address.is_empty() {
            // What the environment says holds before what was stored.
            addresses.entry(name.provider().to_owned()).or_insert_with(|| route.address.clone());
        }
        let with = With { key, net, addresses };
        if let Some(opened) = locked(&self.inner().access.clouds).get(name)
            && opened.with == with
        {
            return Ok(Arc::clone(&opened.cloud));
        }
        // The desk's own kit carries each provider's pace; another proxy is another way and another kit.
        let http: Http = if with.net == desk_net { self.http().await? } else { self.connect(&with.net)? };
        let kind = cloud(name.provider())
            .ok_or_else(|| AccountError::UnknownProvider(name.provider().to_owned()))?;
        let access = Access { http, key: with.key.clone(), addresses: with.addresses.clone() };
        let opened = (kind.open)(access)
            .map_err(|error| unopened(name, scrubbed_error(error, &with.key, (kind.terms)().key.fields)))?;
        let cloud: Arc<dyn Cloud> = Arc::new(Scrubbed::new(opened, &with.key));
        let kept = Opened { with, cloud: Arc::clone(&cloud) };
        locked(&self.inner().access.clouds).insert(name.clone(), kept);
        Ok(cloud)
    }

    pub(super) fn keep_in_session(&self, name: &AccountName, key: Option<Secret>) {
        let mut session = locked(&self.inner().access.session);
        match key {
            Some(key) => session.insert(name.clone(), key),
            None => session.remove(name),
        };
    }

    pub(super) fn has_session_key(&self, name: &AccountName) -> bool {
        locked(&self.inner().access.session).contains_key(name)
    }

    /// What was opened with an account's old key is not used again.
    pub(super) fn forget_access(&self, name: &AccountName) {
        locked(&self.inner().access.clouds).remove(name);
        locked(&self.inner().access.keys).remove(name);
    }
}
