//! The clock: the one place that asks the system for the time.

use chrono::{DateTime, Utc};

/// Tells the time. Tests and simulations bring their own.
pub trait Clock: Send + Sync + 'static {
    /// The wall clock, in UTC.
    fn now(&self) -> DateTime<Utc>;
}

/// The system's wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everybody else is given")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}
