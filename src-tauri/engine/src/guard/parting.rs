//! The time that a machine's programs get before a rule stops it.
//!
//! That it is given is written down before anybody is asked, with the moment at which the stop goes on whatever came
//! of it: a machine that cannot be reached, or a desk that is gone meanwhile, keeps no machine alive.

use futures::future::join_all;
use gpudesk_core::guard::{Before, Limit, before};
use gpudesk_core::rental::{EventKind, Parting};
use tokio::task::JoinHandle;

use super::GuardAct;
use super::rings::is_here;
use crate::DeskError;
use crate::desk::Desk;
use crate::reach::Parted;
use crate::rental::Life;

/// Whether a stop goes on.
pub(super) enum Time {
    /// Its programs had their time, or get none.
    Over,
    /// They have it.
    Running,
    /// They have it from now on; whoever is told so gives it.
    Begun(Parted),
}

impl Desk {
    /// Whether a rule's stop goes on now, on the state in hand.
    ///
    /// # Errors
    /// [`gpudesk_store::StoreError::Moved`] where something else happened to the rental: the rule decides anew.
    pub(super) async fn time_before(
        &self,
        life: &mut Life<'_>,
        limit: Limit,
        why: &str,
        ends: bool,
    ) -> Result<Time, DeskError> {
        let here = life.rental.ssh.as_ref().is_some_and(|ssh| is_here(&ssh.host));
        // What answers at an address of this computer is this computer: its programs are nobody's to end.
        if here && !self.config().practice {
            return Ok(Time::Over);
        }
        let seconds = self.lease_defaults().await?.part_s;
        match before(&life.rental, life.terms.as_ref(), seconds, self.now()) {
            Before::Nothing => Ok(Time::Over),
            Before::Wait => Ok(Time::Running),
            Before::Part(until) => {
                life.add(vec![EventKind::PartingBegun { limit, why: why.to_owned(), until }]).await?;
                Ok(Time::Begun(Parted { ends, limit, seconds, here }))
            }
        }
    }

    /// Gives a machine's programs their time, and goes on with the stop.
    pub(super) async fn part(&self, id: &str, parted: Parted) -> Vec<GuardAct> {
        let (parting, words) = match self.ask_to_end(id, parted).await {
            Ok(parting) => (Some(parting), None),
            Err(words) => (None, Some(words)),
        };
        let over = [EventKind::PartingOver { parting, words }];
        let added = match Life::read(self, id).await {
            Ok(mut life) => life.add_fact(&over).await,
            Err(error) => Err(error),
        };
        if let Err(error) = added {
            // The moment that was written down before holds all the same.
            tracing::warn!(rental = id, "the end of its programs' time could not be written down: {error}");
        }
        match self.guard_rental(id).await {
            Ok(guarded) => guarded.acts,
            Err(error) => {
                tracing::warn!(rental = id, "its lease could not be looked at: {error}");
                Vec::new()
            }
        }
    }

    async fn ask_to_end(&self, id: &str, parted: Parted) -> Result<Parting, String> {
        let rental = self.rental(id).await.map_err(|error| error.to_string())?;
        let target = self.target(&rental).ok_or_else(|| "it has no address".to_owned())?;
        self.reach().part(&target, parted).await.map_err(|error| error.to_string())
    }
}

/// Waits for what was begun, and gives what was done then.
pub(super) async fn parted(tasks: Vec<JoinHandle<Vec<GuardAct>>>) -> Vec<GuardAct> {
    let mut acts = Vec::new();
    for ended in join_all(tasks).await {
        match ended {
            Ok(done) => acts.extend(done),
            Err(error) => tracing::error!("giving programs their time broke: {error}"),
        }
    }
    acts
}
