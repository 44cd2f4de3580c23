//! What this run remembers of each rental, and the task that tends them all.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use gpudesk_core::rental::{Machine, MachineState, Rental, State};
use gpudesk_store::{StoreError, Which};

use super::reconcile::Round;
use super::step::ASK_AGAIN;
use crate::DeskError;
use crate::desk::Desk;

/// How often it is looked which rental is due. While one boots it is a part of a second, so that a shell is not kept
/// waiting; a provider is asked no more often than its terms say.
const PULSE: Duration = Duration::from_millis(500);
const CALM_PULSE: Duration = Duration::from_secs(2);
/// Least time between two looks at a machine somebody waits for.
const SWIFT: Duration = Duration::from_secs(1);
/// The part of the time already waited that passes between two looks: what looking adds to a wait stays small beside
/// it, and a slow boot costs few calls.
const PART_OF_WAIT: u32 = 60;
/// Between two looks at a machine that changes by itself only rarely.
const CALM: Duration = Duration::from_secs(20);
/// Between two comparisons of all accounts with the records.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// What this run knows and no other needs.
#[derive(Default)]
pub(crate) struct Book {
    memories: Mutex<BTreeMap<String, Memory>>,
    turns: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>,
    launches: Mutex<BTreeMap<String, Duration>>,
    /// What the last list of an account showed: whoever it was asked for, all of its rentals have it at their next
    /// turn.
    shown: Mutex<BTreeMap<String, Shown>>,
    pub(super) round: Mutex<Round>,
}

/// What is remembered of one rental; times are ticks of the clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    /// When it was made, or first seen in this run.
    pub born: Duration,
    /// Whether it was made by this run.
    pub placed_here: bool,
    /// Last look at the machine.
    pub looked_at: Option<Duration>,
    /// Whether its launch call was sent by this run.
    pub sent_here: bool,
    /// Since when its launch is known to be unclear.
    pub unclear_since: Option<Duration>,
    /// Before when a launch does not go out again, and how often it has been put off in a row.
    pub launch_after: Option<Duration>,
    pub pauses: u32,
    /// When a full listing first lacked it in this run.
    pub absent_at: Option<Duration>,
    /// Which ask the next fields are about.
    pub ask: Option<(&'static str, DateTime<Utc>)>,
    /// Since when that ask is known here.
    pub ask_since: Duration,
    /// Last call for it.
    pub called_at: Option<Duration>,
    /// Calls for it that failed.
    pub refusals: u32,
    /// Whether it was told that it is not confirmed.
    pub alarmed: bool,
    /// Last greeting, and probes that failed.
    pub greeted_at: Option<Duration>,
    pub probes: u32,
    /// When the key was last let in.
    pub admitted_at: Option<Duration>,
    /// The machine as last seen.
    pub machine: Option<Machine>,
    /// Whether a repeat of a call that was taken got no clear answer: whichever of the two ends it, when is not known.
    pub repeat_unclear: bool,
    /// When it was last seen up, or may have been, by the wall clock.
    pub up_at: Option<DateTime<Utc>>,
    /// Since when it has not been there, by the wall clock.
    pub gone_at: Option<DateTime<Utc>>,
    /// When the provider's contract ends.
    pub ends_at: Option<DateTime<Utc>>,
}

impl Memory {
    pub fn forget_seeking(&mut self) {
        self.unclear_since = None;
        self.absent_at = None;
        self.looked_at = None;
    }

    /// Takes up what the record asks for, where that is another ask than the one it knows: since now. One that was taken
    /// so long ago that it should have come true, by another run, may be called for again at once: a run may be too
    /// short to wait for that itself.
    pub fn take_up(&mut self, rental: &Rental, ticks: Duration, now: DateTime<Utc>) {
        let ask = rental.asked_for().zip(rental.asked_at);
        if ask.is_none() || self.ask == ask {
            return;
        }
        self.ask = ask;
        self.ask_since = ticks;
        // Taken before it was known here: when, no tick of this run says. A wall clock that was set back says nothing.
        let is_fresh =
            |at: &DateTime<Utc>| (now - *at).to_std().is_ok_and(|age| age < ASK_AGAIN) || now < *at;
        self.called_at = rental.accepted_at.filter(is_fresh).map(|_| ticks);
        self.refusals = 0;
        self.alarmed = false;
        self.repeat_unclear = false;
    }

    /// Least time between two looks at it while something is waited for, where `usual` is its provider's.
    pub fn poll(&self, rental: &Rental, usual: Duration, ticks: Duration) -> Duration {
        let reachable = rental.seen == Some(MachineState::Running) && rental.ssh.is_some();
        if reachable && rental.asked_for().is_none() {
            // Only the machine itself is waited for: a provider that lets one look rarely would hold up the greeting.
            return usual;
        }
        let asked = self.ask.is_some_and(|(_, at)| rental.asked_at == Some(at));
        let since = if asked { self.ask_since } else { self.born };
        (ticks.saturating_sub(since) / PART_OF_WAIT).max(SWIFT).min(usual)
    }
}

/// Machines of an account, as a list showed them.
#[derive(Debug, Clone, Default)]
struct Shown {
    /// When it was asked for.
    at: Duration,
    /// When it was here, by the wall clock.
    came: Option<DateTime<Utc>>,
    machines: Vec<Machine>,
}

/// A rental that may have its turn.
struct Turn {
    rental: Rental,
    /// Whether its provider is asked for it again.
    look: bool,
    /// Whether it has its turn in any case.
    due: bool,
}

/// A machine as a listing showed it.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub machine: Machine,
    /// When the listing was asked for.
    pub at: Duration,
    /// When it was here, by the wall clock.
    pub came: Option<DateTime<Utc>>,
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Book {
    pub(super) fn memory(&self, id: &str) -> Memory {
        locked(&self.memories).get(id).cloned().unwrap_or_default()
    }

    pub(super) fn change(&self, id: &str, change: impl FnOnce(&mut Memory)) {
        change(locked(&self.memories).entry(id.to_owned()).or_default());
    }

    /// A rental as its record has it, before a list is asked for: one that shows done what is asked of it then counts,
    /// whoever asked and called.
    pub(super) fn read(&self, rental: &Rental, ticks: Duration, now: DateTime<Utc>) {
        locked(&self.memories)
            .entry(rental.record.id.clone())
            .or_insert_with(|| Memory { born: ticks, ..Memory::default() })
            .take_up(rental, ticks, now);
    }

    /// A machine as it was last seen in this run.
    pub(crate) fn machine(&self, id: &str) -> Option<Machine> {
        locked(&self.memories).get(id).and_then(|memory| memory.machine.clone())
    }

    /// Lets a machine be looked at with the next turn.
    pub(crate) fn look_again_at(&self, id: &str) {
        self.change(id, |memory| memory.looked_at = None);
    }

    /// Keeps what a list showed that was asked for at `at` and came at `came`.
    pub(super) fn show(&self, account: &str, at: Duration, came: DateTime<Utc>, machines: &[Machine]) {
        let shown = Shown { at, came: Some(came), machines: machines.to_vec() };
        locked(&self.shown).insert(account.to_owned(), shown);
    }

    pub(super) fn turn(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        Arc::clone(locked(&self.turns).entry(id.to_owned()).or_default())
    }

    pub(super) fn round(&self) -> std::sync::MutexGuard<'_, Round> {
        locked(&self.round)
    }

    /// How long a launch of this account has to wait, and takes its place in the line.
    pub(super) fn launch_turn(&self, account: &str, ticks: Duration, apart: Duration) -> Duration {
        let mut launches = locked(&self.launches);
        let at = launches.get(account).map_or(ticks, |last| ticks.max(*last + apart));
        launches.insert(account.to_owned(), at);
        at.saturating_sub(ticks)
    }
}

impl Desk {
    pub(crate) fn book(&self) -> &Book {
        &self.inner().book
    }

    /// Tends all rentals for as long as the process lives. A rental whose turn fails or panics keeps no other waiting.
    pub fn watch_rentals(&self) {
        let desk = self.clone();
        tokio::spawn(async move {
            loop {
                let pulse = match desk.spawn_due().await {
                    Ok(pulse) => pulse,
                    Err(error) => {
                        tracing::error!("the rentals could not be read: {error}");
                        CALM_PULSE
                    }
                };
                desk.config().clock.sleep(pulse).await;
            }
        });
        let desk = self.clone();
        tokio::spawn(async move {
            loop {
                let round = AssertUnwindSafe(desk.reconcile()).catch_unwind().await;
                match round {
                    Ok(Err(error)) => tracing::error!("accounts and records could not be compared: {error}"),
                    Err(_) => tracing::error!("comparing accounts and records broke"),
                    Ok(Ok(_)) => {}
                }
                desk.config().clock.sleep(RECONCILE_EVERY).await;
            }
        });
    }

    async fn spawn_due(&self) -> Result<Duration, DeskError> {
        let (due, pulse) = self.due().await?;
        for (id, machine) in due {
            let desk = self.clone();
            tokio::spawn(async move { desk.tend_safely(&id, machine).await });
        }
        Ok(pulse)
    }

    /// Takes one step in the life of each rental that is due, and waits for all of them.
    ///
    /// # Errors
    /// When the rentals cannot be read. What goes wrong with one of them is logged and tried again.
    pub async fn tend(&self) -> Result<(), DeskError> {
        let (due, _) = self.due().await?;
        let mut steps: FuturesUnordered<_> =
            due.iter().map(|(id, machine)| self.tend_safely(id, machine.clone())).collect();
        while steps.next().await.is_some() {}
        Ok(())
    }

    async fn tend_safely(&self, id: &str, machine: Option<Listed>) {
        let turn = self.book().turn(id);
        // Still at it since the last time.
        let Ok(_turn) = turn.try_lock() else { return };
        match AssertUnwindSafe(self.step_rental(id, machine)).catch_unwind().await {
            // Somebody else was faster; the next look decides anew.
            Ok(Ok(_) | Err(DeskError::Store(StoreError::Moved(_)))) => {}
            Ok(Err(error)) => tracing::warn!(rental = id, "{error}"),
            Err(_) => tracing::error!(rental = id, "tending it broke"),
        }
    }

    /// Rentals that are due, with the machine where one listing has served all of an account.
    async fn due(&self) -> Result<(Vec<(String, Option<Listed>)>, Duration), DeskError> {
        let rows = self.store().rentals(Which::Unsettled).await?;
        let ticks = self.config().clock.ticks();
        let mut pulse = CALM_PULSE;
        let mut turns: Vec<Turn> = Vec::new();
        for row in rows {
            let rental = self.fold(row);
            self.book().read(&rental, ticks, self.now());
            let memory = self.book().memory(&rental.record.id);
            let calm = is_calm(&rental);
            let least = self
                .rental_terms(&rental.record.provider, &rental.record.account_name())
                .map_or(CALM, |terms| terms.poll);
            let wait = if calm { CALM.max(least) } else { memory.poll(&rental, least, ticks) };
            let greeting =
                rental.ssh.is_some() && (!rental.answered || rental.verification.is_none()) && !calm;
            if !calm {
                pulse = PULSE;
            }
            let look = memory.looked_at.is_none_or(|at| ticks.saturating_sub(at) >= wait);
            if look || !calm {
                turns.push(Turn { rental, look, due: look || greeting });
            }
        }
        Ok((self.with_listings(turns, ticks).await, pulse))
    }

    /// One call for all machines of an account is cheaper than one each; and what it shows of a machine that something
    /// is waited for is not left lying until that one is due.
    async fn with_listings(&self, turns: Vec<Turn>, ticks: Duration) -> Vec<(String, Option<Listed>)> {
        let mut accounts: BTreeMap<String, Vec<Turn>> = BTreeMap::new();
        for turn in turns {
            accounts.entry(turn.rental.record.account_name()).or_default().push(turn);
        }
        let mut steps = Vec::new();
        for (account, turns) in accounts {
            let looking =
                |turn: &&Turn| turn.look && turn.rental.remote_id.is_some() && !turn.rental.is_over();
            if turns.iter().filter(looking).count() > 1
                && let Ok(cloud) = self.cloud(&account).await
                && let Ok(listing) = cloud.list().await
            {
                self.book().show(&account, ticks, self.now(), &listing.machines);
            }
            let shown = locked(&self.book().shown).remove(&account).unwrap_or_default();
            for Turn { rental, due, .. } in turns {
                let id = rental.record.id;
                let news = self.book().memory(&id).looked_at.is_none_or(|at| at < shown.at);
                let same = |machine: &&Machine| Some(&machine.remote_id) == rental.remote_id.as_ref();
                let found = shown.machines.iter().find(same).filter(|_| news);
                if due || found.is_some() {
                    let listed = |machine: &Machine| Listed {
                        machine: machine.clone(),
                        at: shown.at,
                        came: shown.came,
                    };
                    let listed = found.map(listed);
                    steps.push((id, listed));
                }
            }
        }
        steps
    }
}

/// Whether nothing is being waited for.
fn is_calm(rental: &Rental) -> bool {
    rental.is_over()
        || (rental.asked_for().is_none()
            && matches!(rental.state, State::Ready | State::Stopped | State::Preempted | State::Failed))
}
