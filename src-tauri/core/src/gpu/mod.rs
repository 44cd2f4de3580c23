//! The GPU table: what each card is, how providers spell it, and what a word of the query line selects.

mod resolve;
mod search;
mod slice;
mod table;

pub use resolve::{Hints, Resolution, resolve};
pub use search::{Selection, nearest, search_word};
pub use slice::{Slice, slice};
pub use table::{Card, Family, Link, Model, ModelId, Vram, card, families, family, model, nominal_vram, table};
