//! The board in memory: built from the database at start and after each change, swapped whole, never changed.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::{DateTime, Duration, Utc};
use gpudesk_core::board::{Board, BoardBuilder, FeedMeta};
use gpudesk_core::feed::FeedName;
use gpudesk_store::{Failure, FeedRow};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::desk::Desk;
use crate::{DeskError, Event};

/// How far back the change of a price is told.
const CHANGE_DAYS: i64 = 30;
/// How long a price must have been seen the same before it counts as one that did not move.
const WATCHED: Duration = Duration::days(1);

/// What every answer about the market is read from.
pub struct Snapshot {
    /// Grows with each swap.
    pub number: u32,
    /// The offers.
    pub board: Board,
    /// Feeds as they were when it was built.
    pub feeds: Vec<FeedRow>,
    changes: Changes,
}

/// By how much prices changed in the last 30 days, in percent; also those that were watched and did not. By a hash
/// of the offer's id: the ids themselves would take more room than the board.
#[derive(Default)]
struct Changes {
    hasher: RandomState,
    percent: HashMap<u64, f32>,
}

impl Changes {
    fn insert(&mut self, offer: &str, percent: f32) {
        self.percent.insert(self.hasher.hash_one(offer), percent);
    }

    fn get(&self, offer: &str) -> Option<f32> {
        self.percent.get(&self.hasher.hash_one(offer)).copied()
    }
}

impl Snapshot {
    /// Change of an offer's price in percent since 30 days ago, or since it was first seen if that is later; `None`
    /// where that is not known: a price that was not seen again a day or more after it was first seen has not been
    /// watched.
    #[must_use]
    pub fn change_30d(&self, offer: &str) -> Option<f64> {
        self.changes.get(offer).map(f64::from)
    }

    /// A feed by name.
    #[must_use]
    pub fn feed(&self, name: &str) -> Option<&FeedRow> {
        self.feeds.iter().find(|feed| feed.name.0 == name)
    }
}

/// Where the newest snapshot stands.
#[derive(Clone)]
pub(crate) enum Slot {
    /// The first one is being built.
    Loading,
    /// It is there.
    Ready(Arc<Snapshot>),
    /// The first one could not be built.
    Failed(Failure),
}

impl Desk {
    /// The newest snapshot; waits for the first one.
    ///
    /// # Errors
    /// When the first one could not be built.
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>, DeskError> {
        let mut slot = self.inner().slot.subscribe();
        let settled = slot.wait_for(|slot| !matches!(slot, Slot::Loading)).await;
        match settled.as_deref() {
            Ok(Slot::Ready(snapshot)) => Ok(Arc::clone(snapshot)),
            Ok(Slot::Failed(failure)) => Err(DeskError::Board(failure.clone())),
            Ok(Slot::Loading) | Err(_) => Err(DeskError::Task("the board was never loaded".to_owned())),
        }
    }

    /// Says that the database holds something the board does not show yet.
    pub(crate) fn board_is_stale(&self) {
        self.inner().stale.store(true, Ordering::Release);
        self.inner().wake.notify_one();
    }

    /// Builds and swaps the board where another program has written offers or rates since it was built.
    ///
    /// # Errors
    /// When the database cannot be read; the old board stays.
    pub async fn follow_other_programs(&self) -> Result<(), DeskError> {
        // A board that is being built now shows what is there now.
        let Ok(none_is_built) = self.inner().building.try_lock() else { return Ok(()) };
        let Slot::Ready(shown) = self.inner().slot.borrow().clone() else { return Ok(()) };
        let told = |feeds: &[FeedRow]| -> Vec<_> {
            feeds
                .iter()
                .map(|feed| (feed.name.clone(), feed.as_of, feed.offers, feed.price_changes))
                .collect()
        };
        let is_old = told(&self.store().feeds().await?) != told(&shown.feeds)
            || self.store().rates().await? != *shown.board.rates();
        drop(none_is_built);
        if is_old {
            self.inner().stale.store(true, Ordering::Release);
        }
        self.settle_board().await
    }

    /// Builds and swaps the board if it is stale; what became stale meanwhile is built again.
    ///
    /// # Errors
    /// When the database cannot be read; the old board stays.
    pub(crate) async fn settle_board(&self) -> Result<(), DeskError> {
        let _one_at_a_time = self.inner().building.lock().await;
        while self.inner().stale.swap(false, Ordering::AcqRel) {
            match self.build().await {
                Ok(snapshot) => {
                    let board = snapshot.number;
                    self.inner().slot.send_replace(Slot::Ready(Arc::new(snapshot)));
                    self.tell(Event::BoardChanged { board });
                }
                Err(error) => {
                    let failure = error.failure();
                    self.inner().slot.send_if_modified(|slot| {
                        let first = matches!(slot, Slot::Loading);
                        if first {
                            *slot = Slot::Failed(failure);
                        }
                        first
                    });
                    return Err(error);
                }
            }
            self.after_swap().await?;
        }
        Ok(())
    }

    async fn build(&self) -> Result<Snapshot, DeskError> {
        let rates = self.store().rates().await?;
        let feeds = self.store().feeds().await?;
        let mut builder = BoardBuilder::new(rates);
        let mut at: Option<FeedName> = None;
        let mut changes = Changes::default();
        let since = self.now() - Duration::days(CHANGE_DAYS);
        let loaded = self
            .store()
            .load(|feed, offer, priced_at| {
                if at.as_ref() != Some(&feed.name) {
                    at = Some(feed.name.clone());
                    builder.feed(meta(feed));
                }
                builder.push(&offer);
                if feed.as_of.is_some_and(|as_of| as_of - priced_at.max(since) >= WATCHED) {
                    changes.insert(&offer.id, 0.0);
                }
            })
            .await?;
        for bad in &loaded.unreadable {
            tracing::error!(feed = %bad.feed, offer = %bad.id, "a stored offer cannot be read: {}", bad.detail);
        }
        at = None;
        self.store()
            .load_quarantine(|name, row| {
                let (Some(offer), Some(feed)) = (&row.offer, feeds.iter().find(|feed| feed.name == *name))
                else {
                    return;
                };
                if at.as_ref() != Some(name) {
                    at = Some(name.clone());
                    builder.feed(meta(feed));
                }
                builder.push_quarantined(offer);
            })
            .await?;
        self.add_moves(since, &mut changes).await?;
        Ok(Snapshot { number: self.inner().next_board(), board: builder.build(), feeds, changes })
    }

    /// Adds the prices that moved, over what was taken to stand still.
    async fn add_moves(&self, since: DateTime<Utc>, changes: &mut Changes) -> Result<(), DeskError> {
        let mut first: Option<(FeedName, String, Decimal)> = None;
        self.store()
            .history_since(since, |point| {
                let Some((price, _)) = point.point.price else { return };
                match &first {
                    Some((feed, offer, opening)) if *feed == point.feed && *offer == point.offer => {
                        if let Some(percent) = percent(*opening, price) {
                            changes.insert(&point.offer, percent);
                        }
                    }
                    _ => first = Some((point.feed, point.offer, price)),
                }
            })
            .await?;
        Ok(())
    }
}

/// Whether a feed's source should have confirmed it since `as_of`; each source says for how long it holds.
#[must_use]
pub fn is_stale(feed: &FeedName, as_of: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let limit = Duration::from_std(gpudesk_providers::fresh_for(feed.source())).unwrap_or(Duration::MAX);
    now - as_of > limit
}

fn meta(feed: &FeedRow) -> FeedMeta {
    FeedMeta {
        name: feed.name.clone(),
        origin: feed.origin.clone().unwrap_or_default(),
        as_of: feed.as_of.unwrap_or(feed.tried_at),
    }
}

fn percent(from: Decimal, to: Decimal) -> Option<f32> {
    ((to - from) * Decimal::ONE_HUNDRED).checked_div(from)?.to_f32()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_is_told_in_percent_of_the_opening_price() {
        assert_eq!(percent(Decimal::new(200, 2), Decimal::new(150, 2)), Some(-25.0));
        assert_eq!(percent(Decimal::ZERO, Decimal::ONE), None);
    }
}
