//! Time as the kit sees it, and how often each provider may be asked.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

/// Waiting and chance, so that tests need neither.
pub trait Pacing: Send + Sync {
    /// Time since some fixed point; never goes back.
    fn elapsed(&self) -> Duration;

    /// A number from 0 up to 1, different each time.
    fn jitter(&self) -> f64;

    /// Waits.
    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()>;
}

/// Real time.
#[derive(Debug)]
pub struct RealPacing {
    start: Instant,
}

impl Default for RealPacing {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl Pacing for RealPacing {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn jitter(&self) -> f64 {
        fastrand::f64()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// How often a provider may be asked: so many calls at once, then one each `per / calls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Who sets the limit, and for what where one provider has several; calls of one name and one account share one
    /// allowance.
    pub provider: &'static str,
    /// Calls allowed within `per`.
    pub calls: NonZeroU32,
    /// The time `calls` are allowed in.
    pub per: Duration,
}

impl Pace {
    /// `calls` a minute (at least one).
    #[must_use]
    pub const fn per_minute(provider: &'static str, calls: u32) -> Self {
        let calls = match NonZeroU32::new(calls) {
            Some(calls) => calls,
            None => NonZeroU32::MIN,
        };
        Self { provider, calls, per: Duration::from_secs(60) }
    }

    /// One call each `per`.
    #[must_use]
    pub const fn one_each(provider: &'static str, per: Duration) -> Self {
        Self { provider, calls: NonZeroU32::MIN, per }
    }
}

#[derive(Clone)]
struct PacingClock(Arc<dyn Pacing>);

impl Clock for PacingClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Whose allowance a call takes from: an account's own, or everybody's where no key is sent.
pub(super) type Lane = Option<u64>;

/// One provider's allowance for one account.
pub(super) struct Allowance {
    pub(super) pace: Pace,
    pub(super) lane: Lane,
    limiter: RateLimiter<NotKeyed, InMemoryState, PacingClock, NoOpMiddleware<Duration>>,
    pacing: Arc<dyn Pacing>,
}

impl Allowance {
    pub(super) fn new(pace: Pace, lane: Lane, pacing: Arc<dyn Pacing>) -> Self {
        let one = pace.per / pace.calls.get();
        let quota = Quota::with_period(one).unwrap_or(Quota::per_second(pace.calls)).allow_burst(pace.calls);
        let limiter = RateLimiter::direct_with_clock(quota, PacingClock(Arc::clone(&pacing)));
        Self { pace, lane, limiter, pacing }
    }

    /// Waits until one more call is within the allowance, and takes it.
    pub(super) async fn take(&self) {
        while let Err(not_yet) = self.limiter.check() {
            let wait = not_yet.wait_time_from(self.pacing.elapsed());
            self.pacing.sleep(wait.max(Duration::from_millis(1))).await;
        }
    }
}
