//! SSH as the desk uses it: the system's own OpenSSH client, started with argument vectors, never through a shell.
//! This is the only crate that starts programs of the system on the desk's behalf.

mod alias;
mod client;
mod config;
mod error;
mod files;
mod forward;
pub mod gpu;
mod host_keys;
mod include;
pub mod keys;
pub mod parting;
pub mod programs;
mod say;
mod ssh;
mod terminal;
mod transfer;
pub mod watchdog;

pub use alias::alias_of;
pub use client::{SshClient, find_client};
pub use config::Host;
pub use error::SshError;
pub use files::Files;
pub use forward::Forward;
pub use host_keys::{HostKey, forget, known};
pub use include::{IncludeState, UserConfig};
pub use say::{last_words, of_client};
pub use ssh::{Printed, Ssh};
pub use terminal::{Printout, Terminal};
pub use transfer::{Transfer, TransferCommand};
