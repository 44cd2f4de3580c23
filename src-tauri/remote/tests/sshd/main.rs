//! The desk's SSH against a real OpenSSH server on loopback. Skipped, with a word, where there is none.
#![cfg(test)]
#![cfg(unix)]

mod forwards;
mod greet;
mod hostile;
mod own;
#[cfg(target_os = "linux")]
mod parting;
mod support;
mod transfers;
#[cfg(target_os = "linux")]
mod watchdog;
