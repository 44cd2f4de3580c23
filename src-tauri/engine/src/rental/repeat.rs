//! An order that goes out again: when, and only where the call before surely made nothing.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{EventKind, Idempotency};
use gpudesk_providers::cloud::{Cloud, Quote};

use super::life::Life;
use super::seek::marked;
use crate::DeskError;

/// Launch calls for one order at most: the first, and repeats after the provider surely made nothing.
pub(super) const ATTEMPTS: u32 = 3;
/// For so long an order is repeated to a provider that is too busy for it. Then nobody waits for it any more.
pub(super) const PATIENCE_S: i64 = 600;
/// Longest pause between two repeats, whatever the provider asks for: it is looked anew then.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

impl Life<'_> {
    /// Whether the order may not go out yet.
    pub(super) fn is_put_off(&self, cloud: &dyn Cloud) -> bool {
        let (ticks, memory) = (self.desk.config().clock.ticks(), self.desk.book().memory(self.id()));
        if memory.launch_after.is_some_and(|after| ticks < after) {
            return true;
        }
        // What another run was told holds here, too. The wall clock may leap: for a while only.
        if memory.launch_after.is_none()
            && let Some(refused_at) = self.rental.refused_at
        {
            let terms = cloud.terms();
            let least = refused_at + terms.list_lag.max(terms.between_launches);
            let until = self.rental.retry_at.map_or(least, |at| at.max(least));
            if let Ok(wait) = (until - self.desk.now()).to_std()
                && wait > Duration::ZERO
            {
                self.desk.book().change(self.id(), |memory| {
                    memory.launch_after = Some(ticks + wait.min(LONGEST_PAUSE));
                });
                return true;
            }
        }
        false
    }

    /// No launch of this order for a while: until the provider's own time, or longer from time to time, and no sooner
    /// than `least`.
    pub(super) fn pause(&self, until: Option<DateTime<Utc>>, least: Duration) {
        let (now, ticks) = (self.desk.now(), self.desk.config().clock.ticks());
        let asked = until.and_then(|until| (until - now).to_std().ok());
        self.desk.book().change(self.id(), |memory| {
            let usual = Duration::from_secs(1 << memory.pauses.min(6));
            memory.pauses += 1;
            memory.launch_after = Some(ticks + asked.unwrap_or(usual).min(LONGEST_PAUSE).max(least));
        });
    }

    /// Launch calls that the provider did not just put off.
    pub(super) fn judged(&self) -> u32 {
        self.rental.attempts.saturating_sub(self.rental.put_off)
    }

    /// Before a repeat: the offer must still be there at the price that was agreed to.
    pub(super) async fn still_stands(&mut self, cloud: &dyn Cloud, offer: &Offer) -> Result<bool, DeskError> {
        let disk = self.rental.record.spec.as_ref().and_then(|spec| spec.disk_gb);
        let age = (self.desk.now() - self.rental.record.created_at).num_seconds();
        let reason = if self.judged() >= ATTEMPTS {
            "the provider took the order several times and made nothing".to_owned()
        } else if age > PATIENCE_S {
            "the provider was too busy for the order; nothing was made".to_owned()
        } else {
            match cloud.quote(offer, disk).await {
                Ok(Quote::Stands(now)) if Some(now.price.per_hour) <= self.rental.per_hour => {
                    return Ok(true);
                }
                Ok(Quote::Stands(now)) => format!("the price rose to {} meanwhile", now.price.per_hour),
                Ok(Quote::Gone { words }) => format!("the offer is gone: {words}"),
                Err(error) => {
                    self.pause(error.retry_at, Duration::ZERO);
                    return Ok(false);
                }
            }
        };
        self.add(vec![EventKind::Failed { reason }]).await?;
        Ok(false)
    }

    /// Before a repeat: the call that was put off must have made nothing all the same. Where it has, that is our machine.
    pub(super) async fn made_nothing(&mut self, cloud: &dyn Cloud) -> Result<bool, DeskError> {
        if cloud.terms().idempotency == Idempotency::Key {
            // The provider itself makes one machine of two calls.
            return Ok(true);
        }
        let listing = match cloud.list().await {
            Ok(listing) => listing,
            Err(error) => {
                self.pause(error.retry_at, Duration::ZERO);
                return Ok(false);
            }
        };
        if let Some(first) = marked(&listing.machines, &self.rental.record.token).first() {
            self.found(first).await?;
            return Ok(false);
        }
        if !listing.complete {
            self.pause(None, Duration::ZERO);
        }
        Ok(listing.complete)
    }
}
