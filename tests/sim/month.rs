//! Calendar months of a bill, for sellers that bill by them.

use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};

use super::account::Account;
use super::clock::Nanos;
use super::machine::{Machine, Meter, Service};
use super::world::World;

/// A month in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Month {
    /// Its first instant.
    pub from: Nanos,
    /// The first instant of the next.
    pub to: Nanos,
    /// Its year.
    pub year: i32,
    /// Its number from 1 on.
    pub month: u32,
}

/// A time as a date.
#[must_use]
pub fn date(at: Nanos) -> DateTime<Utc> {
    DateTime::from_timestamp_nanos(at)
}

impl Month {
    /// Every month from the account's first machine at a seller to the running one, which comes last.
    #[must_use]
    pub fn all(world: &World, service: Service, account: Account, now: Nanos) -> Vec<Self> {
        let theirs = world.machines.iter().filter(|m| m.service == service && m.account == account);
        let first = date(theirs.map(|m| m.created).min().unwrap_or(now)).date_naive();
        let mut at = first.with_day(1).unwrap_or(first).and_time(NaiveTime::MIN).and_utc();
        let nanos = |at: DateTime<Utc>| at.timestamp_nanos_opt().unwrap_or(Nanos::MAX);
        let mut months = Vec::new();
        while at <= date(now) {
            let next = at + Months::new(1);
            months.push(Self { from: nanos(at), to: nanos(next), year: at.year(), month: at.month() });
            at = next;
        }
        months
    }

    /// The part of a machine's life that lies in the month until now.
    #[must_use]
    pub fn part(&self, machine: &Machine, now: Nanos) -> (Nanos, Nanos) {
        let end = machine.ended.unwrap_or(now).min(self.to).min(now);
        (machine.created.max(self.from).min(end), end)
    }

    /// What a machine cost in the month until now, in nano-dollars.
    #[must_use]
    pub fn cost(&self, machine: &Machine, now: Nanos) -> i64 {
        let until = self.to.min(now);
        machine.within(Meter::Compute, self.from, until) + machine.within(Meter::Disk, self.from, until)
    }
}
