//! The practice market itself: each service's life, its refusals, its bill, and what its faults leave behind.

#![cfg(test)]

mod faults;
mod lambda;
mod prime;
mod runpod;
mod seller;
mod shadeform;
mod ssh;
mod support;
mod vast;
#[cfg(target_os = "linux")]
mod watchdog;
