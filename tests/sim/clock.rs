//! The simulator's time: the real one for people, a settable one for tests.

use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};

use super::lock;

/// Nanoseconds in a second.
pub const SECOND: i64 = 1_000_000_000;

/// Time as nanoseconds since 1970.
pub type Nanos = i64;

/// A clock that is the computer's own until it is set.
#[derive(Debug, Default)]
pub struct SimClock(Mutex<Option<Nanos>>);

impl SimClock {
    /// What it shows.
    #[must_use]
    pub fn now(&self) -> Nanos {
        lock(&self.0).unwrap_or_else(real)
    }

    /// Stops it at this time; from now on it only moves when told.
    pub fn set(&self, to: DateTime<Utc>) {
        *lock(&self.0) = to.timestamp_nanos_opt();
    }

    /// Moves it forward; a running clock is stopped first.
    pub fn advance(&self, by: Duration) {
        let mut held = lock(&self.0);
        let by = i64::try_from(by.as_nanos()).unwrap_or(i64::MAX);
        *held = Some(held.unwrap_or_else(real).saturating_add(by));
    }

    /// What it shows, as a date.
    #[must_use]
    pub fn date(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_nanos(self.now())
    }
}

fn real() -> Nanos {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// A time as seconds with a fraction, as Vast writes it.
#[must_use]
pub fn seconds(at: Nanos) -> f64 {
    at as f64 / SECOND as f64
}

/// A time in ISO 8601, as RunPod and Lambda write it.
#[must_use]
pub fn iso(at: Nanos) -> String {
    DateTime::from_timestamp_nanos(at).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A time in RFC 3339, with whatever offset.
#[must_use]
pub fn nanos(text: &str) -> Option<Nanos> {
    DateTime::parse_from_rfc3339(text).ok()?.timestamp_nanos_opt()
}
