//! Ways into a machine: terminals, port forwards, copies, other programs, and the SSH files that make them work. All
//! of it goes through the system's OpenSSH with the desk's own configuration.

mod alias;
mod at_work;
mod copies;
mod error;
mod forwards;
mod jupyter;
mod keys;
mod open_in;
mod place;
mod reach;
mod rentals;
mod ssh_file;
mod terminals;
mod usage;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gpudesk_remote::{Files, Host, Ssh, UserConfig};

pub use at_work::AtWork;
pub use copies::{CopyInfo, CopyState, Direction};
pub use error::ConnectError;
pub use forwards::{ForwardInfo, ForwardState, Preset};
pub use keys::NEW_KEY;
pub use open_in::OpenedIn;
pub use terminals::{TerminalInfo, TerminalOutput};
pub use usage::UsageNow;

use crate::config::DeskConfig;
use crate::reach::{Reach, Target};

/// What the desk holds open, and what it needs for it.
pub(crate) struct Connect {
    ssh: Ssh,
    user: UserConfig,
    reach: Arc<dyn Reach>,
    /// Alias by rental id, from the first time it was asked for.
    aliases: Mutex<BTreeMap<String, String>>,
    numbers: AtomicU32,
    terminals: Mutex<BTreeMap<u32, Arc<terminals::Open>>>,
    forwards: Mutex<BTreeMap<u32, forwards::Open>>,
    copies: Mutex<BTreeMap<u32, copies::Open>>,
    usage: usage::Watched,
}

/// A machine to connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The rental's name.
    pub name: String,
    /// As SSH knows it.
    pub host: Host,
}

impl Connect {
    pub fn new(config: &DeskConfig) -> Self {
        let folder = config.ssh_folder.clone().unwrap_or_else(|| config.home.join("no-home"));
        let ssh = Ssh::new(Files::new(&config.home)).with_person(folder.clone());
        let user = UserConfig::new(folder, ssh.files());
        let reach = config.reach.clone();
        let reach =
            reach.unwrap_or_else(|| Arc::new(reach::RealReach::new(ssh.clone(), Arc::clone(&config.clock))));
        Self {
            ssh,
            user,
            reach,
            aliases: Mutex::default(),
            numbers: AtomicU32::new(0),
            terminals: Mutex::default(),
            forwards: Mutex::default(),
            copies: Mutex::default(),
            usage: usage::Watched::default(),
        }
    }

    fn number(&self) -> u32 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl crate::Desk {
    pub(crate) fn ssh(&self) -> &Ssh {
        &self.ways().ssh
    }

    /// How machines are reached: the system's OpenSSH, unless the desk was opened with something else.
    #[must_use]
    pub fn reach(&self) -> Arc<dyn Reach> {
        Arc::clone(&self.ways().reach)
    }
}

fn host(target: &Target) -> Host {
    Host {
        rental: target.rental.clone(),
        alias: target.alias.clone(),
        address: target.address.clone(),
        identity: target.identity.clone(),
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
