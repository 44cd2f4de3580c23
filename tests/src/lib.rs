//! Simulators, behaviour suites and benchmarks.

#[path = "../sim/mod.rs"]
pub mod sim;
