//! What one part promises another, in files that both read.

mod bindings;
