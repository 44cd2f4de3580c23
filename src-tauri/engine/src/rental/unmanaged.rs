//! Machines in our accounts that are not ours.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Event as Happened, EventKind, Lease, Machine, OnExpiry, Record, Rental};

use super::RentalError;
use super::life::{Life, standing};
use crate::desk::Desk;
use crate::{DeskError, Event};

/// A machine in one of our accounts that no record of ours knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmanaged {
    /// `vast` or `vast/team`.
    pub account: String,
    /// It.
    pub machine: Machine,
    /// Whether a person said to leave it out of sight.
    pub ignored: bool,
}

impl Desk {
    /// Machines that are not ours, as the last comparison found them; compares where there was none yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn unmanaged(&self) -> Result<Vec<Unmanaged>, DeskError> {
        if self.book().round().at.is_none() {
            self.reconcile().await?;
        }
        let ignored = self.store().ignored().await?;
        let strangers = self.book().round().strangers();
        Ok(strangers
            .into_iter()
            .map(|(account, machine)| Unmanaged {
                ignored: ignored.contains(&(account.clone(), machine.remote_id.clone())),
                account,
                machine,
            })
            .collect())
    }

    /// Machines that are not ours, as far as accounts were looked into in this run.
    pub(crate) fn strangers_known(&self) -> Vec<(String, Machine)> {
        self.book().round().strangers()
    }

    async fn stranger(&self, account: &str, remote_id: &str) -> Result<Machine, DeskError> {
        let all = self.unmanaged().await?;
        all.into_iter()
            .find(|stranger| stranger.account == account && stranger.machine.remote_id == remote_id)
            .map(|stranger| stranger.machine)
            .ok_or_else(|| {
                let (account, remote_id) = (account.to_owned(), remote_id.to_owned());
                RentalError::UnknownMachine { account, remote_id }.into()
            })
    }

    /// Takes a machine over; from now on it is ours. `name` empty = its own, or one made of its id.
    ///
    /// # Errors
    /// When there is no such machine, its name is taken, or the database cannot be written.
    pub async fn adopt(&self, account: &str, remote_id: &str, name: &str) -> Result<Rental, DeskError> {
        let machine = self.stranger(account, remote_id).await?;
        let own = |text: &str| -> String {
            text.chars()
                .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
                .take(40)
                .collect()
        };
        let name = match name.trim() {
            "" => machine
                .name
                .as_deref()
                .map(own)
                .filter(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric()))
                .unwrap_or_else(|| format!("m-{}", own(remote_id).chars().take(30).collect::<String>())),
            asked if own(asked) == asked && asked.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                asked.to_owned()
            }
            asked => return Err(RentalError::Name(asked.to_owned()).into()),
        };
        let (provider, alias) = account.split_once('/').unwrap_or((account, ""));
        let id = self.new_id();
        let record = Record {
            token: Record::token_of(&id),
            name,
            provider: provider.to_owned(),
            account: alias.to_owned(),
            offer: None,
            spec: None,
            owner: None,
            project: None,
            // Nobody chose its limits yet: it is told of after the usual hours, and nothing is done to it.
            lease: Lease {
                until: Some(self.lease_defaults().await?.end(self.now())),
                max_spend: None,
                idle_minutes: None,
                on_expiry: OnExpiry::Notify,
            },
            created_at: self.now(),
            id: id.clone(),
        };
        // Amounts of a machine without an offer are in dollars.
        let in_dollars = machine.currency.is_none_or(|currency| currency == Currency::USD);
        let per_hour = machine.per_hour.filter(|_| in_dollars);
        let kind = EventKind::Adopted { remote_id: remote_id.to_owned(), per_hour };
        let events = vec![Happened { at: record.created_at, kind }];
        let terms = self.rental_terms(provider, account);
        let rental = Rental::of(record.clone(), &events, terms.as_ref());
        self.store().add_rental(&record, &events, standing(&rental)).await?;
        self.book().round().take(account, remote_id);
        self.tell(Event::RentalsChanged { rental: id.clone() });
        let mut life = Life::read(self, &id).await?;
        life.seen(machine).await?;
        Ok(life.rental)
    }

    /// Puts a machine that is not ours out of sight.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn ignore(&self, account: &str, remote_id: &str) -> Result<(), DeskError> {
        self.store().set_ignored(account, remote_id, Some(self.now())).await?;
        self.tell(Event::RentalsChanged { rental: String::new() });
        Ok(())
    }

    /// Shows it again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn unignore(&self, account: &str, remote_id: &str) -> Result<(), DeskError> {
        self.store().set_ignored(account, remote_id, None).await?;
        self.tell(Event::RentalsChanged { rental: String::new() });
        Ok(())
    }

    /// Ends a machine that is not ours, by a person's word.
    ///
    /// # Errors
    /// When there is no such machine, or the provider does not do it.
    pub async fn end_unmanaged(&self, account: &str, remote_id: &str) -> Result<(), DeskError> {
        self.stranger(account, remote_id).await?;
        self.cloud(account).await?.end(remote_id).await?;
        // Should it live on, the next comparison finds it again.
        self.book().round().take(account, remote_id);
        self.tell(Event::RentalsChanged { rental: String::new() });
        Ok(())
    }
}
