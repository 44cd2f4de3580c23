//! Simulators, behaviour suites and benchmarks.

// The rows of the simulators are objects of many fields, each a step of the `json!` macro.
#![recursion_limit = "512"]

#[path = "../sim/mod.rs"]
pub mod sim;
