//! The watchdog's own script on a machine that is a folder, by a clock that only `sleep` moves.

mod amd;
mod idle;
mod lease;
mod machine;
mod parting;
mod providers;
