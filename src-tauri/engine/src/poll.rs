//! What goes on by itself while the window is open: sources are fetched when they are due, the board follows.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_providers::OfferSource;
use gpudesk_providers::rates::POLL_EVERY;

use crate::DeskError;
use crate::desk::Desk;
use crate::rates::RATES;

/// How often to look whether a source is due. The wall clock decides, so that a laptop that slept looks at once.
const LOOK_EVERY: Duration = Duration::from_secs(20);

/// How often to look whether another program, such as `gpudesk refresh`, wrote what the board does not show.
const FOLLOW_EVERY: Duration = Duration::from_secs(5);

/// How long past prices are kept: a year back is as far as anybody compares.
const PRICES_KEPT: chrono::Duration = chrono::Duration::days(365);
/// When old prices are looked for: not while the window starts, and then now and again.
const TIDY_AFTER: Duration = Duration::from_secs(120);
const TIDY_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// A wait that a source asks for is believed up to so long.
const LONGEST_WAIT: chrono::Duration = chrono::Duration::hours(24);

/// When a source was asked last, and from when on it may be asked again by its own word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tried {
    at: DateTime<Utc>,
    retry_at: Option<DateTime<Utc>>,
}

impl Tried {
    /// Two feeds of one source. They may come from different places: the one that may be asked keeps the other company.
    fn and(self, other: Self) -> Self {
        let retry_at = self.retry_at.zip(other.retry_at).map(|(one, other)| one.min(other));
        Self { at: self.at.max(other.at), retry_at }
    }

    /// Whether its time has come. A last try in the future is a clock that was set back: due at once, not in a year.
    fn is_due(&self, period: chrono::Duration, now: DateTime<Utc>) -> bool {
        let wait = self.retry_at.map_or(period, |at| (at - self.at).min(LONGEST_WAIT).max(period));
        now - self.at >= wait || self.at > now
    }
}

impl Desk {
    /// Starts fetching by itself. Once; it ends with the process.
    pub fn start(&self) {
        self.inner().watching.store(true, std::sync::atomic::Ordering::Release);
        self.follow_rentals();
        self.watch_rentals();
        self.watch_leases();
        self.watch_leftovers();
        let desk = self.clone();
        tokio::spawn(async move {
            loop {
                desk.inner().wake.notified().await;
                if let Err(error) = desk.settle_board().await {
                    tracing::error!("the board could not be built: {error}");
                }
            }
        });
        let desk = self.clone();
        tokio::spawn(async move {
            let mut look = tokio::time::interval(LOOK_EVERY);
            look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                look.tick().await;
                if let Err(error) = desk.fetch_due().await {
                    tracing::error!("looking for sources that are due failed: {error}");
                }
            }
        });
        let desk = self.clone();
        tokio::spawn(async move {
            let mut look = tokio::time::interval(FOLLOW_EVERY);
            look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                look.tick().await;
                if let Err(error) = desk.follow_other_programs().await {
                    tracing::error!("looking for what other programs wrote failed: {error}");
                }
            }
        });
        let desk = self.clone();
        tokio::spawn(async move {
            let mut tidy = tokio::time::interval_at(tokio::time::Instant::now() + TIDY_AFTER, TIDY_EVERY);
            loop {
                tidy.tick().await;
                if let Err(error) = desk.forget_old_prices().await {
                    tracing::error!("old prices could not be forgotten: {error}");
                }
            }
        });
    }

    async fn forget_old_prices(&self) -> Result<(), DeskError> {
        let forgotten = self.store().forget_prices(self.now() - PRICES_KEPT).await?;
        tracing::debug!("{forgotten} prices that ended more than a year ago are forgotten");
        Ok(())
    }

    /// Fetches the sources whose time has come, each on its own: a slow one keeps nobody waiting.
    async fn fetch_due(&self) -> Result<(), DeskError> {
        let net = self.net_settings().await?;
        if !net.auto_refresh {
            return Ok(());
        }
        let mut tried: BTreeMap<String, Tried> = BTreeMap::new();
        for feed in self.feeds().await? {
            // A list that shipped with the app was never asked for.
            if feed.version.as_deref().is_some_and(gpudesk_providers::catalogue::is_shipped_version)
                && feed.error.is_none()
            {
                continue;
            }
            let retry_at = feed.error.and_then(|error| error.retry_at);
            let new = Tried { at: feed.tried_at, retry_at };
            tried
                .entry(feed.name.source().to_owned())
                .and_modify(|tried| *tried = tried.and(new))
                .or_insert(new);
        }
        let sources = self.all_sources(&self.config().sources(&net)).await?;
        // A source that tells nothing without a key is not asked by itself before there is an account.
        let accounts = self.account_names().await?;
        let has_account = |source: &str| accounts.iter().any(|account| account.provider() == source);
        // Nor is one that has nothing to read and never had: a folder without files.
        let has_feeds =
            |source: &dyn OfferSource| tried.contains_key(source.name()) || !source.feeds().is_empty();
        let asked = sources.iter().filter(|source| {
            (!source.needs_key() || has_account(source.name())) && has_feeds(source.as_ref())
        });
        let every = asked.map(|s| (s.name(), s.poll_every())).chain([(RATES, POLL_EVERY)]);
        let now = self.now();
        for (name, period) in every {
            let period = chrono::Duration::from_std(period).unwrap_or(chrono::Duration::hours(1));
            if tried.get(name).is_none_or(|tried| tried.is_due(period, now)) && !self.is_busy(name) {
                let desk = self.clone();
                tokio::spawn(async move { desk.refresh_due(name).await });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: chrono::Duration = chrono::Duration::hours(1);

    fn asked(retry_at: Option<chrono::Duration>) -> (Tried, DateTime<Utc>) {
        let at: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
        (Tried { at, retry_at: retry_at.map(|wait| at + wait) }, at)
    }

    #[test]
    fn a_source_is_asked_when_its_period_is_over_and_at_once_after_a_clock_was_set_back() {
        let (tried, at) = asked(None);
        assert!(!tried.is_due(HOUR, at + HOUR - chrono::Duration::seconds(1)));
        assert!(tried.is_due(HOUR, at + HOUR));
        assert!(tried.is_due(HOUR, at - HOUR));
    }

    #[test]
    fn a_source_that_named_a_time_is_left_alone_until_then_and_a_day_at_most() {
        let (tried, at) = asked(Some(HOUR * 15));
        assert!(!tried.is_due(HOUR, at + HOUR * 15 - chrono::Duration::seconds(1)));
        assert!(tried.is_due(HOUR, at + HOUR * 15));
        assert!(tried.is_due(HOUR, at - HOUR), "the clock was set back");
        let (soon, at) = asked(Some(chrono::Duration::seconds(5)));
        assert!(!soon.is_due(HOUR, at + chrono::Duration::seconds(5)), "no sooner than it is asked anyway");
        let (never, at) = asked(Some(chrono::Duration::days(10_000)));
        assert!(!never.is_due(HOUR, at + HOUR * 23));
        assert!(never.is_due(HOUR, at + HOUR * 24));
    }

    #[test]
    fn of_several_feeds_the_one_that_may_be_asked_decides() {
        let ((waits, _), (fine, _), (longer, _)) =
            (asked(Some(HOUR * 2)), asked(None), asked(Some(HOUR * 9)));
        assert_eq!(waits.and(fine), fine);
        assert_eq!(fine.and(waits), fine);
        assert_eq!(waits.and(longer), waits);
        let later = Tried { at: fine.at + HOUR, ..fine };
        assert_eq!(fine.and(later).at, later.at);
    }
}
