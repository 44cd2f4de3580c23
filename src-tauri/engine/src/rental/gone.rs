//! When a machine is gone: what proves it, the looks after it, and what its provider billed.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::{Billed, EventKind, MachineState};
use gpudesk_providers::cloud::{Cloud, CloudErrorCode, Look};

use super::life::{Life, SECOND_LOOKS};
use crate::DeskError;

impl Life<'_> {
    /// The provider does not know the machine.
    pub(super) async fn absent(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let known = self.rental.seen.is_some() || !self.is_fresh();
        if self.rental.asked_for() == Some("end") && self.rental.accepted_at.is_some() && known {
            let proof = "the provider says that there is none of its id".to_owned();
            let since = self.gone_since();
            return self.add(vec![EventKind::Gone { since, proof }]).await;
        }
        let asked_at = self.ticks();
        let Ok(listing) = cloud.list().await else { return Ok(()) };
        let account = self.rental.record.account_name();
        self.desk.book().show(&account, asked_at, self.desk.now(), &listing.machines);
        let id = self.remote_id();
        if let Some(machine) = listing.machines.into_iter().find(|m| m.remote_id == id) {
            return self.seen(machine).await;
        }
        if listing.complete { self.missed().await.map(|_| ()) } else { Ok(()) }
    }

    /// Whether it is so new that a provider's list may lack it.
    pub(super) fn is_fresh(&self) -> bool {
        let memory = self.desk.book().memory(self.id());
        let fresh = self.terms.as_ref().map_or(Duration::from_secs(60), |terms| terms.fresh);
        let met_lately = self.ticks().saturating_sub(memory.born) < fresh;
        if memory.placed_here {
            return met_lately;
        }
        // What an earlier run placed is not new to the provider because it is new to this one. Only here does the wall
        // clock decide, and one that was set back makes it no older.
        let age = self.rental.placed_at.and_then(|at| (self.desk.now() - at).to_std().ok());
        met_lately && age.is_none_or(|age| age < fresh)
    }

    /// A full listing lacks it. The second one, a while after the first, proves that it is gone.
    pub(super) async fn missed(&mut self) -> Result<bool, DeskError> {
        let now = self.desk.now();
        self.desk.book().change(self.id(), |memory| memory.gone_at = memory.gone_at.or(Some(now)));
        let fresh = self.is_fresh();
        if fresh && self.rental.seen.is_none() {
            return Ok(false);
        }
        if !self.missed_twice().await? || fresh {
            return Ok(false);
        }
        let since = self.gone_since();
        self.add(vec![EventKind::Gone { since, proof: "two full listings".to_owned() }]).await?;
        Ok(true)
    }

    /// Since when it is gone, as far as can be known: since the end was taken, unless it was seen up later; or since it
    /// was first missed, where that is earlier.
    fn gone_since(&self) -> Option<DateTime<Utc>> {
        let now = self.desk.now();
        let missed = [self.desk.book().memory(self.id()).gone_at, self.rental.missed_at];
        let missed = missed.into_iter().flatten().filter(|at| *at <= now).min();
        let taken = self.rental.accepted_at.filter(|_| self.rental.asked_for() == Some("end"));
        let unclear = self.repeat_is_unclear();
        self.down_since("end")
            .or(taken.filter(|_| !unclear))
            .into_iter()
            .chain(missed)
            .min()
            .or(unclear.then_some(now))
    }

    /// Counts a listing that lacks it, or its mark: whether it is the second, long enough after the first. The first
    /// is written down, so that the second may be another run's.
    pub(super) async fn missed_twice(&mut self) -> Result<bool, DeskError> {
        let (now, ticks) = (self.desk.now(), self.ticks());
        let lag = self.terms.as_ref().map_or(Duration::from_secs(15), |terms| terms.list_lag);
        let here = self.desk.book().memory(self.id()).absent_at;
        let Some(first) = self.rental.missed_at else {
            self.desk.book().change(self.id(), |memory| memory.absent_at = Some(ticks));
            self.add(vec![EventKind::Missed]).await?;
            return Ok(false);
        };
        // The wall clock says it of another run's listing only: it may leap.
        let apart = match here {
            Some(at) => Some(ticks.saturating_sub(at)),
            None => (now - first).to_std().ok(),
        };
        let twice = apart.is_some_and(|apart| apart >= lag);
        if !twice && here.is_none() {
            self.desk.book().change(self.id(), |memory| memory.absent_at = Some(ticks));
        }
        Ok(twice)
    }

    /// The looks after the end, to be sure.
    pub(super) async fn look_again(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let ticks = self.ticks();
        self.desk.book().change(self.id(), |memory| memory.looked_at = Some(ticks));
        let Some((ended, id)) = self.rental.ended_at.zip(self.rental.remote_id.clone()) else {
            return Ok(());
        };
        let since = (self.desk.now() - ended).num_minutes();
        let due = |minutes: &&u32| i64::from(**minutes) <= since && !self.rental.looks.contains(minutes);
        let Some(&minutes) = SECOND_LOOKS.iter().find(due) else { return Ok(()) };
        let there = match cloud.look(&id).await {
            Ok(Look::Absent) => false,
            Ok(Look::There(machine)) => match machine.state {
                MachineState::Ended => false,
                // On its way out, or a word nobody knows: looked at again.
                MachineState::Ending | MachineState::Unknown | MachineState::Offline => return Ok(()),
                _ => true,
            },
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => false,
            Err(_) => return Ok(()),
        };
        let billed = if there { None } else { self.billed(cloud).await };
        self.add(billed.into_iter().chain([EventKind::LookedAgain { minutes, there }]).collect()).await?;
        if there {
            self.tell(
                "still-there",
                format!("was found {minutes} minutes after its end; it is being ended again"),
            )
            .await?;
        }
        Ok(())
    }

    /// What the provider says it billed, where that is told and news. That it cannot be read keeps nobody waiting.
    async fn billed(&self, cloud: &dyn Cloud) -> Option<EventKind> {
        if !cloud.terms().tells_usage {
            return None;
        }
        // Some bill by whole days.
        let (from, now) = (self.rental.record.created_at - TimeDelta::days(1), self.desk.now());
        let id = self.remote_id();
        let usage = match cloud.usage(from, now).await {
            Ok(usage) => usage?,
            Err(error) => {
                tracing::warn!(rental = self.id(), "what was billed could not be read: {error}");
                return None;
            }
        };
        let token = &self.rental.record.token;
        let mut parts = usage.into_iter().filter(|usage| usage.is_of(&id, token)).map(|usage| Billed {
            total: usage.total,
            compute: usage.compute,
            storage: usage.storage,
            traffic: usage.traffic,
            currency: usage.currency,
        });
        let first = parts.next()?;
        // Amounts of two currencies make no sum.
        let sum = parts.try_fold(first, |sum, part| (sum.currency == part.currency).then(|| sum.and(part)));
        let Some(bill) = sum else {
            tracing::warn!(rental = self.id(), "what was billed is in several currencies");
            return None;
        };
        (self.rental.billed.as_ref().map(|(_, known)| known) != Some(&bill))
            .then_some(EventKind::Billed { bill })
    }
}
