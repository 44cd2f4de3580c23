//! The desk's engine over the real adapters and the practice market, by a clock that only moves when told: plain lives,
//! and thousands of random ones with faults, cut-off programs and leaping clocks.
//!
//! Machines' SSH is played; everything else is what ships: the database on disk, the HTTP kit, the adapters.
#![cfg(test)]

mod bill;
mod fifty;
mod found;
mod leases;
mod life;
mod notices;
mod orders;
mod parting;
mod random;
mod residency;
mod savings;
mod stage;
mod tags;
mod time;
mod watched;
mod weekend;
