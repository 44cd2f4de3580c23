//! What things ARE at the desk: graphics cards, offers, money, places, residency policies, the query line, the cost of a job, and the
//! board that answers a query. No input or output, no clock, no async: everything here can be called from anywhere
//! and gives the same answer for the same arguments.

pub mod activity;
pub mod board;
pub mod buy;
mod embedded;
pub mod feed;
pub mod gpu;
pub mod guard;
pub mod job;
pub mod meter;
pub mod money;
pub mod offer;
pub mod own;
pub mod place;
pub mod plan;
pub mod policy;
pub mod quarantine;
pub mod query;
#[cfg(test)]
mod reference;
pub mod rental;
pub mod spend;
pub mod terms;
pub mod text;
mod words;
