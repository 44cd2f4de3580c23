//! The terminal companion.
fn main() {}
