//! What one part promises another, in files that both read.
#![cfg(test)]

mod bindings;
mod matrix;
