//! What a lease is unless somebody says otherwise: a part of the person's settings.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::guard::{MOST_PARTING_S, PARTING_S};
use gpudesk_core::rental::OnExpiry;
use serde::Deserialize;

use crate::DeskError;
use crate::desk::Desk;

/// The usual limits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct LeaseDefaults {
    /// Hours.
    pub hours: f64,
    /// Minutes without work after which a machine is idle; `None` = it may idle.
    pub idle_minutes: Option<u32>,
    /// What happens then; `None` = what loses nothing and saves most, by the terms of each cloud.
    pub on_expiry: Option<OnExpiry>,
    /// Seconds that a machine's programs have to end their work before a rule stops it.
    pub part_s: u32,
}

impl Default for LeaseDefaults {
    fn default() -> Self {
        Self { hours: 8.0, idle_minutes: None, on_expiry: None, part_s: PARTING_S }
    }
}

/// The settings, as far as leases go.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Document {
    lease: LeaseDefaults,
}

impl LeaseDefaults {
    /// As they stand in the person's settings. Figures that nobody can mean are as good as none.
    fn read(settings: Option<&str>) -> Self {
        let usual = Self::default();
        let document = settings.map(serde_json::from_str::<Document>);
        let mut lease = match document {
            Some(Ok(document)) => document.lease,
            Some(Err(error)) => {
                tracing::warn!("the lease in the settings is not understood, the usual one holds: {error}");
                return usual;
            }
            None => return usual,
        };
        if !Self::are_hours(lease.hours) {
            lease.hours = usual.hours;
        }
        lease.idle_minutes = lease.idle_minutes.filter(|minutes| *minutes > 0);
        lease.part_s = lease.part_s.min(MOST_PARTING_S);
        lease
    }

    /// Whether a lease may be so many hours long: more than a year is a slip of the hand.
    #[must_use]
    pub fn are_hours(hours: f64) -> bool {
        hours > 0.0 && hours <= Self::MOST_HOURS
    }

    /// The longest lease, hours.
    pub const MOST_HOURS: f64 = 24.0 * 366.0;

    /// When a lease ends that begins now and nobody chose.
    #[must_use]
    pub fn end(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        #[expect(clippy::cast_possible_truncation, reason = "at most a year in milliseconds")]
        let length = TimeDelta::milliseconds((self.hours * 3_600_000.0) as i64);
        now + length
    }
}

impl Desk {
    /// What a lease is unless somebody says otherwise.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn lease_defaults(&self) -> Result<LeaseDefaults, DeskError> {
        Ok(LeaseDefaults::read(self.settings().await?.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_chose_holds_and_what_nobody_can_mean_does_not() {
        let read = |text: &str| LeaseDefaults::read(Some(text));
        let usual = LeaseDefaults { hours: 8.0, idle_minutes: None, on_expiry: None, part_s: 60 };
        assert_eq!(LeaseDefaults::read(None), usual);
        assert_eq!(read(r#"{"theme": "dark"}"#), usual);
        let chosen = r#"{"lease": {"hours": 2.5, "idle_minutes": 45, "on_expiry": "end", "part_s": 0}}"#;
        let wanted =
            LeaseDefaults { hours: 2.5, idle_minutes: Some(45), on_expiry: Some(OnExpiry::End), part_s: 0 };
        assert_eq!(read(chosen), wanted);
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        assert_eq!(wanted.end(now), "2026-11-30T11:30:00Z".parse::<DateTime<Utc>>().unwrap());
        assert_eq!(read(r#"{"lease": {"hours": -1, "idle_minutes": 0}}"#), usual);
        assert_eq!(read(r#"{"lease": {"hours": 1e9}}"#), usual);
        assert_eq!(read(r#"{"lease": {"part_s": 86400}}"#).part_s, 600, "the machine costs meanwhile");
        assert_eq!(read(r#"{"lease": {"on_expiry": "hibernate", "hours": 2}}"#), usual, "a later version's");
    }
}
