//! One time for desk, HTTP kit and market: it moves when somebody waits, or is told to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::BoxFuture;
use gpudesk_engine::Clock;
use gpudesk_providers::http::Pacing;
use gpudesk_tests::sim::Shared;

/// The time of a stage.
pub struct Time {
    market: Shared,
    ticks: Mutex<Duration>,
    /// What the desk's wall clock is off by.
    off: Mutex<TimeDelta>,
}

impl Time {
    pub fn of(market: Shared) -> Arc<Self> {
        Arc::new(Self { market, ticks: Mutex::default(), off: Mutex::new(TimeDelta::zero()) })
    }

    /// Lets it move on to so many ticks, unless it is there already.
    fn until(&self, then: Duration) {
        let mut ticks = self.ticks.lock().unwrap();
        if let Some(by) = then.checked_sub(*ticks) {
            self.market.clock.advance(by);
            *ticks = then;
        }
    }

    /// Lets so much pass.
    pub fn pass(&self, by: Duration) {
        let now = *self.ticks.lock().unwrap();
        self.until(now + by);
    }

    /// Sets the desk's wall clock wrong by so much.
    pub fn leap(&self, off: TimeDelta) {
        *self.off.lock().unwrap() = off;
    }

    /// The true time.
    pub fn truth(&self) -> DateTime<Utc> {
        self.market.clock.date()
    }
}

#[async_trait]
impl Clock for Time {
    fn now(&self) -> DateTime<Utc> {
        self.truth() + *self.off.lock().unwrap()
    }

    fn ticks(&self) -> Duration {
        *self.ticks.lock().unwrap()
    }

    async fn sleep(&self, time: Duration) {
        self.pass(time);
        tokio::task::yield_now().await;
    }
}

/// The same time for the HTTP kit.
pub struct Paced(pub Arc<Time>);

impl Pacing for Paced {
    fn elapsed(&self) -> Duration {
        self.0.ticks()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        let clock = Arc::clone(&self.0);
        Box::pin(async move { Clock::sleep(&*clock, time).await })
    }
}
