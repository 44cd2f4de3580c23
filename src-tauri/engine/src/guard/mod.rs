//! The guard: leases are kept, idle machines are found, budgets are watched. It runs inside every desk that goes on
//! running (the window, the tray, `gpudesk guard`), and a single round of it can be asked for.
//!
//! Whatever it does is decided on the state in hand and written down before it is done: of two desks that guard the
//! same rental only one acts, and whoever extends a lease at the last moment has extended it.

mod activity;
mod budgets;
mod defaults;
mod lease;
mod parting;
mod rings;
mod timer;

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use gpudesk_core::rental::Rental;
use gpudesk_store::Which;
use tokio::task::JoinHandle;

pub use activity::ActivityNow;
pub(crate) use activity::Measured;
pub use defaults::LeaseDefaults;
pub use rings::Ring;
pub(crate) use rings::Rings;

use crate::DeskError;
use crate::desk::Desk;
use crate::reach::Parted;

/// Between two rounds.
const EVERY: Duration = Duration::from_secs(10);

/// Between two looks for what stays and costs without a machine.
const LEFTOVERS_EVERY: Duration = Duration::from_secs(3600);

/// Something that a round did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardAct {
    /// Rental id; empty for a budget.
    pub rental: String,
    /// Name of the rental or budget.
    pub name: String,
    /// `warned`, `told`, `stopped`, `ended`, `budget`, `shortened`.
    pub what: &'static str,
    /// Why, in English.
    pub why: String,
}

/// What was done for one rental.
struct Guarded {
    acts: Vec<GuardAct>,
    /// Its programs are to be given their time before it is stopped.
    parted: Option<Parted>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GuardRound {
    /// Rentals that were looked at.
    pub rentals: usize,
    /// What was done.
    pub acts: Vec<GuardAct>,
}

impl Desk {
    /// Guards for as long as the process lives.
    pub(crate) fn watch_leases(&self) {
        let desk = self.clone();
        tokio::spawn(async move {
            loop {
                // Watchdogs take their time, and no lease waits for them.
                match AssertUnwindSafe(desk.guard_round_and_rings(false)).catch_unwind().await {
                    Ok(Ok(round)) => {
                        log(&round.acts);
                    }
                    Ok(Err(error)) => tracing::error!("the guard could not make its round: {error}"),
                    Err(_) => tracing::error!("a round of the guard broke"),
                }
                desk.send_notices().await;
                desk.config().clock.sleep(EVERY).await;
            }
        });
    }

    /// Looks for what stays and costs without a machine, for as long as the process lives.
    pub(crate) fn watch_leftovers(&self) {
        let desk = self.clone();
        tokio::spawn(async move {
            loop {
                match AssertUnwindSafe(desk.ask_leftovers()).catch_unwind().await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::error!("the accounts could not be read: {error}"),
                    Err(_) => tracing::error!("looking for what stays and costs broke"),
                }
                desk.config().clock.sleep(LEFTOVERS_EVERY).await;
            }
        });
    }

    /// One round, and the other rings: watchdogs and the providers' timers are armed, told of new leases, looked at.
    /// With `wait` it ends when they are.
    ///
    /// # Errors
    /// As [`Self::guard_round`].
    pub async fn guard_round_and_rings(&self, wait: bool) -> Result<GuardRound, DeskError> {
        let (mut round, partings) = self.guard_all().await?;
        let rentals = self.rentals(false).await?;
        let part_s = self.lease_defaults().await?.part_s;
        let mut tasks = self.tend_rings(&rentals, part_s);
        tasks.extend(self.tend_timers(&rentals));
        if wait {
            rings::settled(tasks).await;
            round.acts.extend(parting::parted(partings).await);
        } else if !partings.is_empty() {
            tokio::spawn(async move { log(&parting::parted(partings).await) });
        }
        Ok(round)
    }

    /// One round: the budgets, then every rental's lease. It ends when the programs of machines that are to be stopped
    /// have had their time, and the machines are asked to stop.
    ///
    /// # Errors
    /// When the database cannot be read. What goes wrong with one rental is logged, and the others are looked at.
    pub async fn guard_round(&self) -> Result<GuardRound, DeskError> {
        let (mut round, partings) = self.guard_all().await?;
        round.acts.extend(parting::parted(partings).await);
        Ok(round)
    }

    /// The round; the programs of a machine that is to be stopped have their time in a task of their own.
    async fn guard_all(&self) -> Result<(GuardRound, Vec<JoinHandle<Vec<GuardAct>>>), DeskError> {
        let mut partings = Vec::new();
        let mut round = GuardRound::default();
        // Budgets first: one that is used up may shorten a lease that is then warned of at once.
        round.acts.extend(self.watch_budgets().await?);
        let rows = self.store().rentals(Which::Live).await?;
        let rentals: Vec<Rental> = rows.into_iter().map(|row| self.fold(row)).collect();
        self.measured().keep_only(&rentals);
        round.rentals = rentals.len();
        for rental in rentals {
            let id = &rental.record.id;
            match AssertUnwindSafe(self.guard_rental(id)).catch_unwind().await {
                Ok(Ok(guarded)) => {
                    round.acts.extend(guarded.acts);
                    if let Some(parted) = guarded.parted {
                        let (desk, id) = (self.clone(), id.clone());
                        partings.push(tokio::spawn(async move { desk.part(&id, parted).await }));
                    }
                }
                Ok(Err(error)) => tracing::warn!(rental = id, "its lease could not be looked at: {error}"),
                Err(_) => tracing::error!(rental = id, "guarding it broke"),
            }
        }
        Ok((round, partings))
    }
}

fn log(acts: &[GuardAct]) {
    for act in acts {
        tracing::info!(rental = act.name, "{}: {}", act.what, act.why);
    }
}
