//! What stays and costs without a machine: volumes, filesystems, addresses of every account.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use gpudesk_providers::cloud::Leftover;

use crate::desk::Desk;
use crate::{DeskError, Event};

/// How long one account may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What was found at the last look, by account. An account that could not be asked keeps what it had.
#[derive(Default)]
pub(crate) struct Leftovers(Mutex<BTreeMap<String, Vec<Leftover>>>);

impl Leftovers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Leftover>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    /// Asks every account what stays and costs there without a machine.
    ///
    /// # Errors
    /// When the accounts cannot be read. One that cannot be asked is logged and keeps what it had.
    pub async fn ask_leftovers(&self) -> Result<(), DeskError> {
        let mut accounts: Vec<String> = self.account_names().await?.iter().map(ToString::to_string).collect();
        accounts.extend(self.config().clouds.keys().cloned());
        accounts.sort();
        accounts.dedup();
        let asking = accounts.iter().map(|account| async move {
            let asked = async { Ok::<_, DeskError>(self.cloud(account).await?.leftovers().await?) };
            (account, tokio::time::timeout(PATIENCE, asked).await)
        });
        let answers = join_all(asking).await;
        let mut known = self.inner().leftovers.lock();
        known.retain(|account, _| accounts.contains(account));
        for (account, answer) in answers {
            match answer {
                Ok(Ok(found)) => {
                    known.insert(account.clone(), found);
                }
                Ok(Err(error)) => tracing::warn!(account, "what stays and costs there is not known: {error}"),
                Err(_) => {
                    tracing::warn!(account, "what stays and costs there is not known: no answer in time")
                }
            }
        }
        drop(known);
        self.tell(Event::RentalsChanged { rental: String::new() });
        Ok(())
    }

    /// What stays and costs without a machine, by account, as it was found at the last look of this run.
    #[must_use]
    pub fn left_behind(&self) -> Vec<(String, Leftover)> {
        let known = self.inner().leftovers.lock();
        known.iter().flat_map(|(account, all)| all.iter().map(|one| (account.clone(), one.clone()))).collect()
    }
}
