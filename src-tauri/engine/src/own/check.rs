//! Looking at servers: reading each, and telling how it fares.

use futures::future::try_join_all;
use gpudesk_core::own::{Booking, Health, HostAddress, HostFacts, OwnHost, utilisation};
use gpudesk_remote::gpu::{HOST_LIMIT, host_script, read_host};
use gpudesk_remote::{Host, SshError};
use gpudesk_store::{Bookings, OwnHostRow};

use super::{OwnError, used_since};
use crate::desk::Desk;
use crate::{DeskError, Event};

/// Servers that are read at once.
const AT_ONCE: usize = 8;
/// Use is told from a day on: of an hour it says nothing.
const LEAST_HOURS: i64 = 24;

/// A server and how it fares.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnHostInfo {
    /// What is stored of it.
    pub row: OwnHostRow,
    /// Bookings that run, each with the name of its rental.
    pub bookings: Vec<(Booking, Option<String>)>,
    /// Share of its card-hours that were booked since it is known here, 0 to 1; `None` in its first day, and of one
    /// that was never read.
    pub utilisation: Option<f64>,
}

impl Desk {
    /// The servers, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn own_hosts(&self) -> Result<Vec<OwnHostInfo>, DeskError> {
        let (rows, live, now) = (self.store().own_hosts().await?, self.own_bookings().await?, self.now());
        let Some(since) = rows.iter().map(|row| used_since(&row.host, now)).min() else {
            return Ok(Vec::new());
        };
        let past = self.store().own_bookings(Bookings::Since(since)).await?;
        let info = |row: OwnHostRow| {
            let of = |booking: &Booking| booking.host == row.host.alias;
            let used: Vec<Booking> = past.iter().filter(|booking| of(booking)).cloned().collect();
            let since = used_since(&row.host, now);
            let known = (now - since).num_hours() >= LEAST_HOURS;
            let facts = row.facts.as_ref().filter(|_| known);
            OwnHostInfo {
                bookings: live.iter().filter(|(booking, _)| of(booking)).cloned().collect(),
                utilisation: facts.and_then(|(facts, _)| utilisation(facts, &used, since, now)),
                row,
            }
        };
        Ok(rows.into_iter().map(info).collect())
    }

    /// One server.
    ///
    /// # Errors
    /// [`OwnError::Unknown`], or when the database cannot be read.
    pub async fn own_host(&self, alias: &str) -> Result<OwnHostInfo, DeskError> {
        let mut hosts = self.own_hosts().await?.into_iter();
        hosts
            .find(|info| info.row.host.alias == alias)
            .ok_or_else(|| OwnError::Unknown(alias.to_owned()).into())
    }

    /// Reads a server, or all of them, now.
    ///
    /// # Errors
    /// [`OwnError::Unknown`], or when the database cannot be written. That one is not well is told of it.
    pub async fn check_own_hosts(&self, alias: Option<&str>) -> Result<Vec<OwnHostInfo>, DeskError> {
        let mut rows = self.store().own_hosts().await?;
        if let Some(alias) = alias {
            rows.retain(|row| row.host.alias == alias);
            if rows.is_empty() {
                return Err(OwnError::Unknown(alias.to_owned()).into());
            }
        }
        self.check_rows(&rows).await?;
        self.publish_own().await?;
        self.settle_board().await?;
        let mut infos = self.own_hosts().await?;
        infos.retain(|info| rows.iter().any(|row| row.host.alias == info.row.host.alias));
        Ok(infos)
    }

    pub(super) async fn check_rows(&self, rows: &[OwnHostRow]) -> Result<(), DeskError> {
        for some in rows.chunks(AT_ONCE) {
            let mut checks = Vec::with_capacity(some.len());
            for row in some {
                let facts = row.facts.as_ref().map(|(facts, _)| facts);
                checks.push(self.check_own_host(&row.host, facts));
            }
            try_join_all(checks).await?;
        }
        Ok(())
    }

    /// Reads one server and writes down what was found. `known` is what it is compared with: fewer cards than before
    /// are a loss, and what was read of a server that is not well replaces nothing.
    pub(super) async fn check_own_host(
        &self,
        host: &OwnHost,
        known: Option<&HostFacts>,
    ) -> Result<(), DeskError> {
        let (health, detail, facts) = self.read_own_host(&host.alias).await;
        let before = known.map_or(0, |known| known.cards.len());
        let (health, detail) = match &facts {
            Some(facts) if health == Health::Ok && facts.cards.len() < before => {
                (Health::CardLost, format!("{} of {before} cards answer", facts.cards.len()))
            }
            _ => (health, detail),
        };
        let good = facts.as_ref().filter(|_| health == Health::Ok);
        self.store().record_own_check(&host.alias, self.now(), (health, &detail), good).await?;
        self.tell(Event::OwnHostsChanged);
        Ok(())
    }

    async fn read_own_host(&self, alias: &str) -> (Health, String, Option<HostFacts>) {
        let Some(host) = Host::of_alias(alias) else {
            return (Health::Unreachable, OwnError::NotAnAlias(alias.to_owned()).to_string(), None);
        };
        let printed = match self.ssh().script(&host, &host_script(), HOST_LIMIT).await {
            Ok(printed) => printed,
            Err(error) => {
                let (health, words) = in_words(alias, &error);
                return (health, words, None);
            }
        };
        let mut reading = read_host(&printed.out);
        // Where it is, for people: its name stays the way to it.
        if let Ok((host, port, user)) = self.ssh().resolve(&host).await {
            reading.facts.address = Some(HostAddress { host, port, user });
        }
        (reading.health, reading.detail, Some(reading.facts))
    }
}

fn in_words(alias: &str, error: &SshError) -> (Health, String) {
    match error {
        SshError::Silent(words) | SshError::Here(words) => (Health::Unreachable, words.clone()),
        SshError::Command(words) => (Health::NotTold, words.clone()),
        SshError::Denied(words) => (Health::Denied, words.clone()),
        SshError::HostKeyUnknown(_) => (
            Health::HostKeyUnknown,
            format!(
                "its host key is not known on this computer: connect once by hand (`ssh {alias}`), compare the \
                 fingerprint with the server's, and accept it"
            ),
        ),
        SshError::HostKeyChanged { found, .. } => (
            Health::HostKeyChanged,
            format!(
                "it shows another host key ({found}) than your known_hosts has: it was set up anew, or somebody else \
                 answers there. Only if you know why: `ssh-keygen -R` the old one, then `ssh {alias}`"
            ),
        ),
    }
}
