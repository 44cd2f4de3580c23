//! A machine as its provider describes it, and as it describes itself.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::money::Currency;
use crate::offer::Place;
use crate::policy::Judgement;
use crate::words::words;

words! {
    /// What a provider says of a machine, in our words. An adapter maps every status word of its cloud to one.
    MachineState {
        /// Being placed; nothing runs yet.
        Provisioning = "provisioning",
        /// Being started: image pull, boot, or waiting for a GPU after a start.
        Booting = "booting",
        /// Running. Whether one can get in is not said.
        Running = "running",
        /// On its way to a stop.
        Stopping = "stopping",
        /// Stopped.
        Stopped = "stopped",
        /// On its way out.
        Ending = "ending",
        /// Gone.
        Ended = "ended",
        /// Broken for good.
        Failed = "failed",
        /// Taken back by the provider.
        Preempted = "preempted",
        /// Its host does not answer; it may come back.
        Offline = "offline",
        /// A word nobody knows: the last state holds.
        Unknown = "unknown",
    }
}

impl MachineState {
    /// Whether it is gone or on its way out.
    #[must_use]
    pub fn is_ending(self) -> bool {
        matches!(self, Self::Ending | Self::Ended)
    }
}

/// Where SSH is to be found. Checked: see [`SshAddress::new`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SshAddress {
    /// IP address or DNS name.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// User to log in as.
    pub user: String,
    /// Whether it is the provider's proxy: a shell only, slow, often without file copy and port forwards.
    pub proxy: bool,
    /// Whether `host` is a name in the person's own SSH configuration, which knows the way: jump hosts, keys, host keys.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_alias: bool,
}

impl SshAddress {
    /// An address whose parts are what they should be: a host of letters, digits, dots, hyphens and colons that begins
    /// with none but a letter or digit (or is a bare IPv6 address), a port above 0, a user `[A-Za-z_][A-Za-z0-9_.-]*`
    /// of at most 64 characters. White space round the host is taken away (a line break was seen behind an address).
    #[must_use]
    pub fn new(host: &str, port: u16, user: &str, proxy: bool) -> Option<Self> {
        let host = host.trim();
        let bare_v6 = host.parse::<std::net::Ipv6Addr>().is_ok();
        let name = host.len() <= 253
            && host.starts_with(|c: char| c.is_ascii_alphanumeric())
            && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
        let person = user.len() <= 64
            && user.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        ((bare_v6 || name) && person && port > 0).then(|| Self {
            host: host.to_owned(),
            port,
            user: user.to_owned(),
            proxy,
            by_alias: false,
        })
    }

    /// A server that the person's own SSH configuration knows by this name; `user` and `port` are what it says, for
    /// people to read. `None` where that is no name ([`crate::own::is_alias`]).
    #[must_use]
    pub fn of_alias(alias: &str, port: u16, user: &str) -> Option<Self> {
        crate::own::is_alias(alias).then(|| Self {
            host: alias.to_owned(),
            port,
            user: user.to_owned(),
            proxy: false,
            by_alias: true,
        })
    }
}

/// Something about a machine that a person should know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Notice {
    /// The host wants more; unless refused it holds from `from` on.
    PriceRise {
        /// The new price per hour.
        per_hour: Decimal,
        /// From when on; `None` where not told.
        from: Option<DateTime<Utc>>,
    },
    /// Not running, and yet the GPU is billed.
    StillBilled {
        /// The provider's word for it.
        word: String,
    },
    /// It came back without its cards.
    NoGpu,
    /// The provider refuses stop and end until it is unlocked.
    Locked,
    /// A message of the provider that is no state.
    Says {
        /// Its words.
        words: String,
    },
}

/// One machine of an account, read just now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The provider's id.
    pub remote_id: String,
    /// Our mark on it, where it bears one (`gpudesk-…` in name, label or tag).
    pub token: Option<String>,
    /// Its name at the provider.
    pub name: Option<String>,
    /// What the provider says, in our words.
    pub state: MachineState,
    /// The provider's own words for it, all of its state fields: `running/running/stopped`.
    pub word: String,
    /// Whether the provider says that somebody asked for this state (a stop that nobody asked for is a preemption).
    pub asked: Option<bool>,
    /// Whether the provider may take it back.
    pub spot: bool,
    /// What it waits for, or why it failed, in the provider's words.
    pub detail: Option<String>,
    /// Ways in, the best first. Empty until there is one.
    pub ssh: Vec<SshAddress>,
    /// The cards under the provider's name.
    pub gpu_name: Option<String>,
    /// How many cards it has now.
    pub gpu_count: Option<u32>,
    /// Where it is.
    pub place: Place,
    /// Compute per hour while running, storage and traffic apart.
    pub per_hour: Option<Decimal>,
    /// Currency of `per_hour`.
    pub currency: Option<Currency>,
    /// Disk in GB.
    pub disk_gb: Option<Decimal>,
    /// When the provider made it.
    pub created_at: Option<DateTime<Utc>>,
    /// Since when its cards are billed, where the provider tells.
    pub running_since: Option<DateTime<Utc>>,
    /// When the provider's own contract ends it.
    pub ends_at: Option<DateTime<Utc>>,
    /// When the provider's own timer, which we may set, ends it, as the provider tells it now; `None` = no timer is
    /// set, or the call that was asked does not tell (where lists are shorter than looks, only a look does).
    #[serde(default)]
    pub timer: Option<DateTime<Utc>>,
    /// What else is to be known.
    pub notices: Vec<Notice>,
}

/// One card as `nvidia-smi` or `amd-smi` names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbedGpu {
    /// `NVIDIA H100 80GB HBM3`.
    pub name: String,
    /// Total memory in MiB; `None` where it did not tell.
    pub memory_mib: Option<u64>,
}

/// What a machine says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Its cards; `None` where they could not be listed, with the reason in `gpu_problem`.
    pub gpus: Option<Vec<ProbedGpu>>,
    /// Why the cards could not be listed.
    pub gpu_problem: Option<String>,
    /// Driver version.
    pub driver: Option<String>,
    /// Highest CUDA version the driver supports.
    pub cuda: Option<String>,
    /// The machine's clock minus ours, in seconds.
    pub clock_off_s: Option<f64>,
}

/// One way in which a machine is not what was offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// `model`, `count`, `vram`, `cuda`, `driver`, `country`, `region`, `price`.
    pub what: String,
    /// As offered.
    pub offered: String,
    /// As found.
    pub found: String,
}

/// The comparison of a machine with its offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Whether nothing differs.
    pub ok: bool,
    /// What differs.
    pub differs: Vec<Difference>,
    /// What could not be compared, and why.
    pub unknown: Vec<String>,
    /// Where its provider says that it stands; `None` = it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What the policy it was rented under says of that place; `None` = it was rented under none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Judgement>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_only_what_an_address_may_be() {
        let host = |host: &str| SshAddress::new(host, 22, "root", false).map(|a| a.host);
        assert_eq!(host(" 203.0.113.7\n").as_deref(), Some("203.0.113.7"));
        assert_eq!(host("ssh4.vast.ai").as_deref(), Some("ssh4.vast.ai"));
        assert_eq!(host("2001:db8::1").as_deref(), Some("2001:db8::1"));
        for bad in ["", "-oProxyCommand=x", "a b", "a\nHost *", "h%h", "$(id)", "a;b", "ä.example"] {
            assert_eq!(host(bad), None, "{bad:?}");
        }
        let user = |user: &str| SshAddress::new("h", 22, user, false).is_some();
        assert!(user("root") && user("ubuntu") && user("ab12-644117fe"));
        assert!(!user("-l") && !user("a b") && !user("") && !user("x\n"));
        assert_eq!(SshAddress::new("h", 0, "root", false), None);
    }
}
