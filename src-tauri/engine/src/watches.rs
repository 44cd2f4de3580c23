//! Watches: standing questions that are looked at whenever the board changes.

use chrono::{DateTime, Utc};
use gpudesk_core::board::{Board, Sort, View};
use gpudesk_core::money::{Currency, from_nanos, to_nanos};
use gpudesk_core::place;
use gpudesk_core::policy::Policy;
use gpudesk_core::query::{self, Query};
use gpudesk_store::{ModelDay, Watch};

use crate::desk::Desk;
use crate::snapshot::Snapshot;
use crate::{DeskError, Event};

/// Offers that a source confirmed within a day.
const TODAY: &str = "age<1d";

/// What a watch sees on one board.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// Offers that match.
    pub matches: u32,
    /// The cheapest by card-hour: its id, shown name, and price in nano-USD.
    pub best: Option<(String, String, i64)>,
}

/// Every offer the query finds, the cheapest card-hour first.
fn cheapest<'a>(query: &'a Query, policies: &'a [Policy], now: DateTime<Utc>) -> View<'a> {
    View {
        query,
        sort: Sort::GpuHour,
        descending: false,
        job: None,
        currency: Currency::USD,
        include_unknown: false,
        include_quarantine: false,
        policies,
        now,
    }
}

fn look(board: &Board, line: &str, policies: &[Policy], now: DateTime<Utc>) -> Option<Sight> {
    let query = query::parse(line).ok()?;
    let page = board.page(&cheapest(&query, policies, now), 0, 1, false);
    let best = page.rows.first().and_then(|row| {
        let offer = board.offer(*row)?;
        let usd = board.rates().convert(offer.per_gpu_hour(), offer.price.currency, Currency::USD)?;
        let card = offer.gpu.model.clone().unwrap_or_else(|| offer.gpu.raw_name.clone());
        let provider = place::provider_title(&offer.provider).unwrap_or(&offer.provider);
        Some((offer.id.clone(), format!("{}× {card} · {provider}", offer.gpu.count), to_nanos(usd)?))
    });
    Some(Sight { matches: page.total, best })
}

impl Desk {
    /// All watches with what each sees now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn watches(&self) -> Result<Vec<(Watch, Option<Sight>)>, DeskError> {
        let snapshot = self.snapshot().await?;
        let policies = self.policies().await?;
        let watches = self.store().watches().await?;
        Ok(watches
            .into_iter()
            .map(|watch| {
                let sight = look(&snapshot.board, &watch.line, &policies, self.now());
                (watch, sight)
            })
            .collect())
    }

    /// Sets a watch. What matches already is the mark to beat, not news.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn add_watch(&self, line: &str) -> Result<(), DeskError> {
        let snapshot = self.snapshot().await?;
        let policies = self.policies().await?;
        let mut watch = self.store().add_watch(line, self.now()).await?;
        let sight = look(&snapshot.board, line, &policies, self.now());
        if let Some((id, _, usd)) = sight.and_then(|sight| sight.best) {
            watch.best_usd = Some(usd);
            watch.last_hit = Some(id);
            self.store().update_watch(&watch).await?;
        }
        Ok(())
    }

    /// Ends a watch.
    ///
    /// # Errors
    /// When there is none of that number, or it cannot be removed.
    pub async fn remove_watch(&self, id: u32) -> Result<(), DeskError> {
        Ok(self.store().remove_watch(id).await?)
    }

    /// After each swap: today's line of every card, and the watches.
    pub(crate) async fn after_swap(&self) -> Result<(), DeskError> {
        let snapshot = self.snapshot().await?;
        self.keep_day(&snapshot).await?;
        let policies = self.policies().await?;
        for mut watch in self.store().watches().await? {
            let Some(sight) = look(&snapshot.board, &watch.line, &policies, self.now()) else { continue };
            let best = sight.best.as_ref().map(|(_, _, usd)| *usd);
            let better = match (best, watch.best_usd) {
                (Some(now), Some(before)) => now < before,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if best == watch.best_usd {
                continue;
            }
            watch.best_usd = best;
            if let (true, Some((id, _, _))) = (better, &sight.best) {
                watch.told_at = Some(self.now());
                watch.last_hit = Some(id.clone());
            }
            // Written before it is told: a crash in between loses one notice, never tells one twice.
            self.store().update_watch(&watch).await?;
            if let (true, Some((offer, title, usd))) = (better, sight.best) {
                let usd = from_nanos(usd);
                self.tell(Event::WatchHit { id: watch.id, line: watch.line, offer, title, usd });
            }
        }
        Ok(())
    }

    /// Today's line of every card, from what sources have confirmed today: an old price list is no market of today.
    async fn keep_day(&self, snapshot: &Snapshot) -> Result<(), DeskError> {
        let now = self.now();
        let Ok(query) = query::parse(TODAY) else { return Ok(()) };
        let day = now.date_naive();
        let groups = snapshot.board.groups(&cheapest(&query, &[], now)).groups;
        let days: Vec<ModelDay> = groups
            .into_iter()
            .filter_map(|group| {
                let (lowest, median) = (to_nanos(group.from?)?, to_nanos(group.median?)?);
                Some(ModelDay { gpu: group.name, day, lowest, median, offers: group.offers })
            })
            .collect();
        if days.is_empty() {
            return Ok(());
        }
        Ok(self.store().put_model_days(&days).await?)
    }
}
