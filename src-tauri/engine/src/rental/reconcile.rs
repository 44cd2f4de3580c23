//! The machines of all accounts against our records.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::{EventKind, Machine, MachineState, Rental, State};
use gpudesk_providers::cloud::{Cloud, Listing, Look};
use gpudesk_store::{Failure, StoreError};
use tokio::task::JoinSet;

use super::Unmanaged;
use super::life::Life;
use super::seek::marked;
use crate::desk::Desk;
use crate::{DeskError, Event};

/// What the last comparison left.
#[derive(Default)]
pub(crate) struct Round {
    /// When it was; `None` = never.
    pub(super) at: Option<DateTime<Utc>>,
    strangers: BTreeMap<String, Vec<Machine>>,
    blind: BTreeMap<String, Blind>,
}

impl Round {
    pub(super) fn strangers(&self) -> Vec<(String, Machine)> {
        let each = self.strangers.iter();
        each.flat_map(|(account, list)| list.iter().map(|m| (account.clone(), m.clone()))).collect()
    }

    pub(super) fn take(&mut self, account: &str, remote_id: &str) {
        if let Some(list) = self.strangers.get_mut(account) {
            list.retain(|machine| machine.remote_id != remote_id);
        }
    }
}

/// An account that could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blind {
    /// Which.
    pub account: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// Why.
    pub failure: Failure,
}

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReconcileReport {
    /// Accounts that were listed in full.
    pub complete: Vec<String>,
    /// Accounts that could not be.
    pub blind: Vec<Blind>,
    /// Names of rentals whose machine was found by its mark just now.
    pub found: Vec<String>,
    /// Names of rentals that are gone at the provider.
    pub lost: Vec<String>,
    /// Machines that are not ours.
    pub unmanaged: Vec<Unmanaged>,
}

/// For so long after its end a machine is known as ours.
const REMEMBERED: TimeDelta = TimeDelta::days(7);

impl Desk {
    /// When accounts and records were last compared in this run.
    #[must_use]
    pub fn reconciled_at(&self) -> Option<DateTime<Utc>> {
        self.book().round().at
    }

    /// Accounts that could not be looked into at the last comparison.
    #[must_use]
    pub fn blind_accounts(&self) -> Vec<Blind> {
        self.book().round().blind.values().cloned().collect()
    }

    /// Compares the machines of each account with our records. Only a full listing proves that something is gone, and
    /// only the second one.
    ///
    /// # Errors
    /// When the database cannot be read or written. An account that cannot be listed is part of the report.
    pub async fn reconcile(&self) -> Result<ReconcileReport, DeskError> {
        // A machine that is found long after its end is a stranger again: reading years of records each minute to
        // know it would cost more than it tells.
        let rentals = self.rentals_since(self.now() - REMEMBERED).await?;
        let mut accounts: BTreeSet<String> =
            self.account_names().await?.iter().map(ToString::to_string).collect();
        accounts.extend(self.config().clouds.keys().cloned());
        let ticks = self.config().clock.ticks();
        for rental in rentals.iter().filter(|rental| !rental.is_over()) {
            self.book().read(rental, ticks, self.now());
            accounts.insert(rental.record.account_name());
        }
        let mut report = ReconcileReport::default();
        // All at once, and on their own while one is compared: a cloud that does not answer holds up none of the others.
        let mut asking = JoinSet::new();
        for account in accounts.clone() {
            let desk = self.clone();
            asking.spawn(async move {
                let listed = desk.listed(&account).await;
                (account, listed)
            });
        }
        while let Some(asked) = asking.join_next().await {
            let (account, listed) = asked.map_err(|error| DeskError::Task(error.to_string()))?;
            match listed {
                Ok((cloud, listing)) => {
                    let ours: Vec<&Rental> =
                        rentals.iter().filter(|r| r.record.account_name() == account).collect();
                    self.compare(&account, &*cloud, listing, &ours, &mut report).await?;
                }
                Err(error) => self.is_blind(&account, &error),
            }
        }
        {
            let mut round = self.book().round();
            round.at = Some(self.now());
            round.strangers.retain(|account, _| accounts.contains(account));
            round.blind.retain(|account, _| accounts.contains(account));
            report.blind = round.blind.values().cloned().collect();
        }
        self.renew_all_tags().await?;
        report.unmanaged = self.unmanaged_now().await?;
        self.tell_strangers(&report.unmanaged).await?;
        self.tell(Event::RentalsChanged { rental: String::new() });
        Ok(report)
    }

    /// The machines of an account, and who lists them.
    async fn listed(&self, account: &str) -> Result<(Arc<dyn Cloud>, Listing), DeskError> {
        let cloud = self.cloud(account).await?;
        let asked_at = self.config().clock.ticks();
        let listing = cloud.list().await?;
        self.book().show(account, asked_at, self.now(), &listing.machines);
        Ok((cloud, listing))
    }

    async fn unmanaged_now(&self) -> Result<Vec<Unmanaged>, DeskError> {
        // The round has its time by now: this reads and does not compare again.
        Box::pin(self.unmanaged()).await
    }

    /// Tells once of each machine that is not ours, all new ones together.
    async fn tell_strangers(&self, strangers: &[Unmanaged]) -> Result<(), DeskError> {
        let mut new = Vec::new();
        for Unmanaged { account, machine, .. } in strangers.iter().filter(|stranger| !stranger.ignored) {
            let name = machine.name.clone().unwrap_or_else(|| machine.remote_id.clone());
            let text = format!("runs in the account `{account}` and is not ours");
            if self.notice("unmanaged", account, &machine.remote_id, &name, &text).await? {
                new.push(name);
            }
        }
        if let Some(first) = new.first() {
            let text = match new.len() {
                1 => "runs in an account of yours and is not ours".to_owned(),
                many => format!("and {} more run in accounts of yours and are not ours", many - 1),
            };
            let (rental, name, what) = (String::new(), first.clone(), "unmanaged");
            let system = self.goes_by_system(what);
            self.tell(Event::Told { rental, name, what: what.to_owned(), text, system });
        }
        Ok(())
    }

    fn is_blind(&self, account: &str, error: &DeskError) {
        let now = self.now();
        let mut round = self.book().round();
        let blind = round.blind.entry(account.to_owned()).or_insert_with(|| Blind {
            account: account.to_owned(),
            since: now,
            failure: error.failure(),
        });
        blind.failure = error.failure();
    }

    async fn compare(
        &self,
        account: &str,
        cloud: &dyn Cloud,
        listing: Listing,
        ours: &[&Rental],
        report: &mut ReconcileReport,
    ) -> Result<(), DeskError> {
        if listing.complete {
            self.book().round().blind.remove(account);
            report.complete.push(account.to_owned());
        } else {
            let detail =
                listing.unreadable.first().cloned().unwrap_or_else(|| "its end was not reached".to_owned());
            let what = format!("machines of account `{account}`");
            let failure = Failure { code: "bad-answer".to_owned(), what, detail, hint: None, retry_at: None };
            let (now, mut round) = (self.now(), self.book().round());
            let since = round.blind.get(account).map_or(now, |blind| blind.since);
            round.blind.insert(account.to_owned(), Blind { account: account.to_owned(), since, failure });
        }
        for rental in ours {
            match self.compare_one(cloud, &listing, rental, report).await {
                // Somebody tends it at this moment and knows better.
                Err(DeskError::Store(StoreError::Moved(_))) | Ok(()) => {}
                Err(error) => tracing::warn!(rental = rental.record.id, "{error}"),
            }
        }
        let known = |machine: &Machine| {
            ours.iter().any(|rental| {
                rental.remote_id.as_ref() == Some(&machine.remote_id)
                    || machine.token.as_ref() == Some(&rental.record.token)
            })
        };
        let strange = |machine: &Machine| !known(machine) && machine.state != MachineState::Ended;
        let strangers: Vec<Machine> = listing.machines.into_iter().filter(strange).collect();
        let mut round = self.book().round();
        let kept = round.strangers.entry(account.to_owned()).or_default();
        if !listing.complete {
            // A part of a list takes nobody out of sight.
            kept.retain(|old| strangers.iter().all(|new| new.remote_id != old.remote_id));
            kept.extend(strangers);
        } else {
            *kept = strangers;
        }
        Ok(())
    }

    async fn compare_one(
        &self,
        cloud: &dyn Cloud,
        listing: &Listing,
        rental: &Rental,
        report: &mut ReconcileReport,
    ) -> Result<(), DeskError> {
        let ours = marked(&listing.machines, &rental.record.token);
        let named = listing.machines.iter().find(|m| rental.remote_id.as_ref() == Some(&m.remote_id));
        if rental.remote_id.is_none() && ours.is_empty() {
            return Ok(());
        }
        let turn = self.book().turn(&rental.record.id);
        // Whoever has its turn looks by itself.
        let Ok(_turn) = turn.try_lock() else { return Ok(()) };
        let mut life = Life::read(self, &rental.record.id).await?;
        if life.rental.remote_id.is_none()
            && let Some(first) = ours.first()
        {
            life.found(first).await?;
            report.found.push(rental.record.name.clone());
        }
        let first = life.rental.remote_id.clone();
        for extra in ours.iter().filter(|m| Some(&m.remote_id) != first.as_ref()) {
            let what = format!("duplicate {}", extra.remote_id);
            if !life.rental.told.contains(&what) {
                life.add_fact(&[EventKind::Told { what }]).await?;
                let text =
                    format!("the provider made a second machine ({}); it is being ended", extra.remote_id);
                life.say("duplicate", text);
            }
            if let Err(error) = cloud.end(&extra.remote_id).await {
                tracing::warn!(rental = life.id(), "the second machine could not be ended: {error}");
            }
        }
        match named {
            Some(machine) if life.rental.is_over() => {
                let alive = !matches!(
                    machine.state,
                    MachineState::Ended
                        | MachineState::Ending
                        | MachineState::Unknown
                        | MachineState::Offline
                );
                if alive && !life.ended_lately() {
                    life.seen(machine.clone()).await?;
                    life.tell("still-there", "is there after all".to_owned()).await?;
                }
            }
            Some(machine) => life.seen(machine.clone()).await?,
            None if listing.complete && !life.rental.is_over() && life.rental.remote_id.is_some() => {
                // A list that lacks it may be a bad one: it is asked for by its id too.
                let Ok(look) = cloud.look(life.rental.remote_id.as_deref().unwrap_or_default()).await else {
                    return Ok(());
                };
                match look {
                    Look::There(machine) => life.seen(*machine).await?,
                    Look::Absent => {
                        let gone = life.missed().await?;
                        if gone && life.rental.state == State::Lost {
                            report.lost.push(rental.record.name.clone());
                        }
                    }
                }
            }
            None => {}
        }
        Ok(())
    }
}

impl Life<'_> {
    /// Whether it ended so lately that a provider's list may still have it.
    fn ended_lately(&self) -> bool {
        let lag = self.terms.as_ref().map_or(60, |terms| terms.fresh.as_secs());
        let lag = i64::try_from(lag).unwrap_or(60);
        let now = self.desk.now();
        self.rental.ended_at.is_some_and(|at| (0..lag).contains(&(now - at).num_seconds()))
    }
}
