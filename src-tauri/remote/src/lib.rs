//! SSH as the desk uses it: the system's own OpenSSH client, started with argument vectors, never through a shell.
//! This is the only crate that starts programs of the system on the desk's behalf.

mod client;

pub use client::{SshClient, find_client};
