//! The clock: the one place that asks the system for the time, and the one that waits.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use chrono::{DateTime, Utc};

/// Tells the time and waits. Tests and simulations bring their own.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The wall clock, in UTC.
    fn now(&self) -> DateTime<Utc>;

    /// Time since some moment of this run. It never goes back or leaps, whatever happens to the wall clock.
    fn ticks(&self) -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    /// Waits. Whoever waits for a moment looks at [`Self::now`] again afterwards: a laptop may have slept.
    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
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
