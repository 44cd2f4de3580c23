//! Which meters of a rental run, by what its provider bills.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::bill::{Interval, Meter};
use super::{BillsFrom, Rental, RentalTerms};

/// What the meters go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The provider has the order; nothing runs.
    Ordered,
    /// It runs.
    Running,
    /// It stands still, its disk is kept.
    Stopped,
    /// Nothing is left.
    Gone,
}

impl Rental {
    pub(super) fn meters(&mut self, phase: Phase, at: DateTime<Utc>, terms: Option<&RentalTerms>) {
        // Without terms nothing may be assumed free: the machine counts from the order on.
        let from_order = terms.is_none_or(|t| t.bills_from == BillsFrom::Order);
        let stop_ends = terms.is_none_or(|t| t.stop.ends_compute);
        let disk = terms.is_some_and(|t| t.disk_billed_apart);
        let compute = match phase {
            // What runs already and starts anew, or shows no status for a moment, is billed on.
            Phase::Ordered => from_order || self.is_open(Meter::Compute),
            Phase::Running => true,
            Phase::Stopped => !stop_ends && self.is_open(Meter::Compute),
            Phase::Gone => false,
        };
        let stopped_free = terms.is_some_and(|t| t.stop.disk_billed == Some(false));
        let standing = terms.is_some_and(RentalTerms::bills_standing_disk);
        let up = matches!(phase, Phase::Ordered | Phase::Running);
        let stopped = (standing && phase == Phase::Stopped && !stopped_free).then_some(self.disk_stopped);
        let storage = (disk && up).then_some(self.disk);
        self.set(Meter::Compute, compute.then_some(self.per_hour), at);
        self.set(Meter::Storage, storage, at);
        self.set(Meter::StorageStopped, stopped, at);
    }

    /// It stands, and the stop that was just seen saves nothing: the cards' meter never stood still.
    pub(super) fn billed_on(&mut self, at: DateTime<Utc>, terms: Option<&RentalTerms>) {
        if let Some(last) = self.intervals.iter_mut().rfind(|i| i.kind == Meter::Compute) {
            last.to = None;
        }
        self.meters(Phase::Running, at, terms);
    }

    fn set(&mut self, kind: Meter, rate: Option<Option<Decimal>>, at: DateTime<Utc>) {
        match rate {
            Some(rate) if !self.is_open(kind) => self.open(kind, at, rate),
            None => {
                self.close(kind, at);
            }
            Some(_) => {}
        }
    }

    fn is_open(&self, kind: Meter) -> bool {
        self.intervals.iter().any(|i| i.kind == kind && i.to.is_none())
    }

    pub(super) fn open(&mut self, kind: Meter, at: DateTime<Utc>, per_hour: Option<Decimal>) {
        // Meters of a kind never overlap, whatever clocks say.
        let last = self.intervals.iter().filter(|i| i.kind == kind).filter_map(|i| i.to).max();
        let from = last.map_or(at, |last| at.max(last));
        self.intervals.push(Interval { kind, from, to: None, per_hour });
    }

    pub(super) fn close(&mut self, kind: Meter, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let interval = self.intervals.iter_mut().find(|i| i.kind == kind && i.to.is_none())?;
        let to = at.max(interval.from);
        interval.to = Some(to);
        Some(to)
    }
}
