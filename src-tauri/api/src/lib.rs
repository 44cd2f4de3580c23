//! The one surface of the desk. The window, the terminal and the test host all speak these requests, answers, error
//! codes and events; the TypeScript in `ui/src/lib/host/bindings.ts` is generated from them. Lower crates never see
//! these types: domain values become them at this edge.

pub mod account;
pub mod bindings;
pub mod buy;
pub mod cloud;
pub mod commands;
pub mod connect;
mod convert;
pub mod desk;
mod error;
mod events;
pub mod guard;
pub mod handlers;
pub mod launch;
pub mod line;
pub mod market;
pub mod offer;
mod open;
pub mod own;
pub mod plan;
pub mod policy;
pub mod practice;
pub mod rental;
mod seat;
pub mod spend;
pub mod unmanaged;

pub use convert::parse_job;
pub use events::event;
pub use open::{HOME, open, practise};
pub use seat::Seat;
