//! What a person does in a terminal, against the practice market: the real program, a real database, real HTTP on
//! loopback.
#![cfg(test)]

mod bad_days;
mod bad_disks;
mod buying;
mod by_hand;
mod connecting;
mod contract;
mod fresh;
mod homes;
mod orders;
mod own;
mod planning;
mod refresh;
mod renting;
mod residency;
mod shapes;
mod spending;
mod support;
mod unmanaged;
