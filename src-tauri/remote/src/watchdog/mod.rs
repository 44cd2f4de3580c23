//! The watchdog on a machine: a shell script that keeps the machine's lease when no desk is there to keep it.
//!
//! It has no port and asks nobody: it reads a lease that the desk left, looks every half minute, and at the deadline,
//! or after the idle minutes, ends the machine by a method that needs no key of an account. Without contact it keeps
//! the last lease and never extends it. `sh/` holds the script in parts, which `script.rs` puts together.

mod calls;
mod lease;
mod script;
mod state;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

pub use calls::{arm, disarm, look, renew};
pub use lease::{BoxLease, Method};
pub use script::{VERSION, user_data};
pub use state::{Armed, BoxMeasured, WatchdogState};
