//! The GPU table: what each card is, how providers spell it, and what a word of the query line selects.
//!
//! The facts stand in `data/gpus.csv` and its neighbours, each with its source; nothing here knows a card by itself.

mod data;
mod resolve;
mod search;
mod slice;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use resolve::{Candidates, Hints, Resolution, resolve};
pub use search::{Selection, nearest, search_word};
pub use slice::{Layout, Slice, card_of_virtual, slice, smallest_slice};
pub use table::{
    Card, Family, Link, Model, ModelId, VRAM_TOLERANCE, Vram, by_id, card, families, family, model,
    nominal_vram, table,
};
