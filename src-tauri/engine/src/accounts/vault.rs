//! Where keys are kept: the system's keyring, behind a small interface so that tests bring their own.
//!
//! The store is opened by us and not by the crate's default, so that an open that failed can be tried again. A call
//! may block for as long as the system asks the person to unlock the keyring; it therefore runs on a thread of its
//! own and is given up after a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use gpudesk_providers::http::Secret;
use keyring_core::{CredentialStore, Entry, Error};

/// What entries are filed under.
const SERVICE: &str = "GPU Desk";
/// The entry by which writing is tried.
const TRIAL: &str = "trial of writing";
/// A person may be asked to unlock the keyring; after that long it counts as silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why the keyring did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct VaultError {
    /// Shown name of the keyring.
    pub store: String,
    /// What happened; never holds a key.
    pub problem: String,
    /// Whether it gave no answer in time.
    pub silent: bool,
}

impl VaultError {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(if self.silent {
            "The system may be asking to unlock the keyring: answer it and try again.".to_owned()
        } else {
            "Unlock or start the keyring and try again, or keep the key in a file that only you can read \
             (`--keep file`) or in GPUDESK_<PROVIDER>_KEY."
                .to_owned()
        })
    }
}

/// Keeps secrets by name.
#[async_trait]
pub trait Vault: Send + Sync {
    /// Shown name: `Secret Service`.
    fn name(&self) -> &'static str;

    /// The secret of that name; `None` = there is none.
    ///
    /// # Errors
    /// When the keyring cannot be opened or does not answer.
    async fn get(&self, name: &str) -> Result<Option<Secret>, VaultError>;

    /// Keeps a secret, over the one that may be there.
    ///
    /// # Errors
    /// When it cannot be kept.
    async fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError>;

    /// Forgets a secret; one that is not there is forgotten already.
    ///
    /// # Errors
    /// When it may still be there.
    async fn forget(&self, name: &str) -> Result<(), VaultError>;

    /// Proves with a write that secrets can be kept: a keyring that opens and reads may still refuse that.
    ///
    /// # Errors
    /// Why they cannot.
    async fn works(&self) -> Result<(), VaultError> {
        self.set(TRIAL, &Secret::new("works")).await?;
        self.forget(TRIAL).await
    }
}

/// The keyring of the platform.
pub struct SystemVault {
    open: fn() -> keyring_core::Result<Arc<CredentialStore>>,
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
    /// One call at a time: a prompt that nobody answers costs one thread, not one for each try.
    turn: Arc<tokio::sync::Mutex<()>>,
    patience: Duration,
}

impl Default for SystemVault {
    fn default() -> Self {
        Self::with(platform_store, PATIENCE)
    }
}

impl SystemVault {
    fn with(open: fn() -> keyring_core::Result<Arc<CredentialStore>>, patience: Duration) -> Self {
        Self { open, store: Arc::default(), turn: Arc::default(), patience }
    }

    async fn call<T: Send + 'static>(
        &self,
        name: &str,
        job: impl FnOnce(Entry) -> keyring_core::Result<T> + Send + 'static,
    ) -> Result<T, VaultError> {
        let silent = |_| self.error("it did not answer in time".to_owned(), true);
        let (open, store, name) = (self.open, Arc::clone(&self.store), name.to_owned());
        let work = async {
            let turn = Arc::clone(&self.turn).lock_owned().await;
            tokio::task::spawn_blocking(move || {
                let _turn = turn;
                let store = opened(open, &store)?;
                job(Entry::new_in_store(&store, SERVICE, &name)?)
            })
            .await
        };
        match tokio::time::timeout(self.patience, work).await.map_err(silent)? {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(self.error(words(&error), false)),
            Err(_) => Err(self.error("the call to it broke off".to_owned(), false)),
        }
    }

    fn error(&self, problem: String, silent: bool) -> VaultError {
        VaultError { store: self.name().to_owned(), problem, silent }
    }
}

/// The store, opened now unless it is open already. What failed once is tried again the next time.
fn opened(
    open: fn() -> keyring_core::Result<Arc<CredentialStore>>,
    kept: &Mutex<Option<Arc<CredentialStore>>>,
) -> keyring_core::Result<Arc<CredentialStore>> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(store) = kept.as_ref() {
        return Ok(Arc::clone(store));
    }
    let store = open()?;
    *kept = Some(Arc::clone(&store));
    Ok(store)
}

/// The keyring's own words. Some of its errors carry the stored bytes: those are not repeated.
fn words(error: &Error) -> String {
    match error {
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "what is stored there is no text".to_owned(),
        Error::Ambiguous(_) => "several entries bear the same name".to_owned(),
        other => gpudesk_providers::http::redact::words(&other.to_string()),
    }
}

#[async_trait]
impl Vault for SystemVault {
    fn name(&self) -> &'static str {
        if cfg!(target_os = "macos") {
            "Keychain"
        } else if cfg!(windows) {
            "Credential Manager"
        } else {
            "Secret Service"
        }
    }

    async fn get(&self, name: &str) -> Result<Option<Secret>, VaultError> {
        self.call(name, |entry| match entry.get_password() {
            Ok(secret) => Ok(Some(Secret::new(secret))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    async fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError> {
        let secret = secret.clone();
        self.call(name, move |entry| entry.set_password(secret.expose())).await
    }

    async fn forget(&self, name: &str) -> Result<(), VaultError> {
        self.call(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        })
        .await
    }
}

#[cfg(target_os = "linux")]
fn platform_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn platform_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn platform_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn platform_store() -> keyring_core::Result<Arc<CredentialStore>> {
    Err(Error::NotSupportedByStore("no keyring is known for this system".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn mock() -> keyring_core::Result<Arc<CredentialStore>> {
        Ok(keyring_core::mock::Store::new()?)
    }

    #[tokio::test]
    async fn secrets_are_kept_replaced_and_forgotten() {
        let vault = SystemVault::with(mock, PATIENCE);
        vault.works().await.unwrap();
        assert_eq!(vault.get("vast 1").await.unwrap(), None);
        vault.set("vast 1", &Secret::new("a")).await.unwrap();
        vault.set("vast 1", &Secret::new("b")).await.unwrap();
        assert_eq!(vault.get("vast 1").await.unwrap().unwrap().expose(), "b");
        assert_eq!(vault.get("vast 2").await.unwrap(), None);
        vault.forget("vast 1").await.unwrap();
        vault.forget("vast 1").await.unwrap();
        assert_eq!(vault.get("vast 1").await.unwrap(), None);
    }

    static UP: AtomicBool = AtomicBool::new(false);

    #[tokio::test]
    async fn an_open_that_failed_is_tried_again() {
        let open = || {
            if UP.load(Ordering::Relaxed) {
                mock()
            } else {
                Err(Error::PlatformFailure("no session bus".into()))
            }
        };
        let vault = SystemVault::with(open, PATIENCE);
        let error = vault.works().await.unwrap_err();
        assert!(error.problem.contains("no session bus") && !error.silent, "{error:?}");
        UP.store(true, Ordering::Relaxed);
        vault.works().await.unwrap();
    }

    #[tokio::test]
    async fn a_keyring_that_waits_for_its_person_is_given_up() {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let vault = SystemVault::with(mock, Duration::from_millis(30));
        let error = vault
            .call("vast", move |_| {
                // Ends when the test drops its half.
                let _ = wait.recv();
                Ok(())
            })
            .await
            .unwrap_err();
        assert!(error.silent, "{error:?}");
        assert!(error.hint().unwrap().contains("unlock"));
        // The one behind it does not start a second thread, and is told the same.
        assert!(vault.get("vast").await.unwrap_err().silent);
        drop(release);
    }
}
