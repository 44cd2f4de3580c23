//! The lease as the watchdog is told it.

use chrono::{DateTime, Utc};
use gpudesk_core::rental::OnExpiry;

/// How a machine ends itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// It shuts down. Only where a shutdown from inside ends the billing
    /// ([`StopTerms::guest_shutdown_ends_compute`](gpudesk_core::rental::StopTerms)).
    PowerOff,
    /// By Vast's interface, with the `CONTAINER_API_KEY` that acts on this instance only.
    Vast,
    /// By RunPod's interface, with the pod's own `RUNPOD_API_KEY`.
    RunPod,
}

impl Method {
    /// The word in the lease file.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::PowerOff => "poweroff",
            Self::Vast => "vast",
            Self::RunPod => "runpod",
        }
    }
}

/// What the watchdog keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxLease {
    /// Until when, by the desk's clock; `None` = no limit of time.
    pub deadline: Option<DateTime<Utc>>,
    /// Minutes without work after which it acts; `None` (or 0) = it does not judge that.
    pub idle_minutes: Option<u32>,
    /// Nothing before counts as idle; `None` = from the first arming on, and a renewal takes nothing away.
    pub idle_from: Option<DateTime<Utc>>,
    /// Whether memory held on a card without any computing is idle, too.
    pub stops_parked: bool,
    /// How many seconds the machine's programs have to end before it acts; 0 = it waits for nothing.
    pub part_s: u32,
    /// What it does then. With [`OnExpiry::Notify`] it only tells whoever has a terminal open there.
    pub action: OnExpiry,
    /// How.
    pub method: Method,
    /// Another address of the provider's interface than the public one: `http://127.0.0.1:8080`.
    pub base: Option<String>,
}

impl BoxLease {
    /// The lease as variables of the script: nothing but numbers, our own words and a checked address. `now` is the
    /// desk's time; without one the machine's own clock is all there is. `None` where the address is none.
    pub(super) fn variables(&self, now: Option<DateTime<Utc>>) -> Option<String> {
        let base = self.base.as_deref().unwrap_or_default().trim_end_matches('/');
        let scheme = base.is_empty() || base.starts_with("http://") || base.starts_with("https://");
        let sound =
            base.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '/' | '-' | '_'));
        if !(scheme && sound) {
            return None;
        }
        let second = |time: Option<DateTime<Utc>>| time.map(|time| time.timestamp().max(1).to_string());
        let lines = [
            ("n_armed", second(now)),
            ("n_deadline", second(self.deadline)),
            ("n_idle", self.idle_minutes.filter(|minutes| *minutes > 0).map(|minutes| minutes.to_string())),
            ("n_from", second(self.idle_from)),
            ("n_parked", self.stops_parked.then(|| "1".to_owned())),
            ("n_part", Some(self.part_s.to_string())),
            ("n_action", Some(self.action.word().to_owned())),
            ("n_method", Some(self.method.word().to_owned())),
            ("n_base", Some(base.to_owned())),
        ];
        Some(lines.map(|(name, value)| format!("{name}='{}'\n", value.unwrap_or_default())).concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_words_and_a_checked_address_reach_the_script() {
        let lease = BoxLease {
            deadline: Some("2026-11-30T17:00:00Z".parse().unwrap()),
            idle_minutes: Some(0),
            idle_from: None,
            stops_parked: true,
            part_s: 60,
            action: OnExpiry::End,
            method: Method::Vast,
            base: Some("http://127.0.0.1:8080/".into()),
        };
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        assert_eq!(
            lease.variables(Some(now)).unwrap(),
            "n_armed='1796029200'\nn_deadline='1796058000'\nn_idle=''\nn_from=''\nn_parked='1'\nn_part='60'\n\
             n_action='end'\nn_method='vast'\nn_base='http://127.0.0.1:8080'\n"
        );
        for bad in ["ftp://x", "http://x'; id; '", "http://x y", "http://x\n", "$(id)", "https://x/?a=b"] {
            let lease = BoxLease { base: Some(bad.into()), ..lease.clone() };
            assert_eq!(lease.variables(None), None, "{bad:?}");
        }
    }
}
