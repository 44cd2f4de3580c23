//! A rental: one machine rented for somebody, from the intent to the proof that it is gone.
//!
//! What was asked for ([`Record`]) is written once, before any provider is called. What happened since is a list of
//! events ([`Event`]) that only grows; state, address, billing intervals and costs are folded from it and never
//! stored apart.

mod bill;
mod event;
mod fold;
mod key;
mod lease;
mod machine;
mod meters;
mod parting;
mod record;
mod sight;
mod state;
mod tagged;
mod terms;
#[cfg(test)]
mod tests;

pub use bill::{Billed, Costs, Interval, Meter, disk_rates};
pub use event::{Event, EventKind, PUT_OFF, Who};
pub use fold::Rental;
pub use key::{KeyField, KeyScope, KeyTerms, KeyUse};
pub use lease::{Lease, Limit, OnExpiry};
pub use machine::{Difference, Machine, MachineState, Notice, Probe, ProbedGpu, SshAddress, Verification};
pub use parting::{HookEnd, Parting, PartingAt};
pub use record::{Image, ImageKind, Record, Spec, account_name};
pub use state::State;
pub use tagged::Tagged;
pub use terms::{
    BillsFrom, BoxStop, CallRate, DiskRange, Idempotency, OwnTimer, PlaceTold, RentalTerms, SshAdmin,
    SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};
