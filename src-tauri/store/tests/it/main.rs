//! The store against real files, one module a table.
#![expect(clippy::unwrap_used, reason = "a panic is how a test reports a failure")]

mod crash;
mod feeds;
mod guard;
mod history;
mod model_days;
mod offers;
mod open;
mod own;
mod policies;
mod property;
mod quarantine;
mod rates;
mod rentals;
mod settings;
mod support;
mod together;
mod watches;
