//! Plans: what a piece of work needs, part by part, and on which machine of the board it is best done. Every figure is
//! a range between what may be assumed; what nobody knows is open at its upper end. The derivations with their units
//! are in `docs/plan.md`.

mod assume;
mod interrupt;
mod judge;
mod memory;
mod models;
mod span;
mod speed;
#[cfg(test)]
mod tests;
mod workload;

pub use assume::{Assumption, AssumptionError, Assumptions, Basis, Name, Origin};
pub use interrupt::{Interrupted, Terms, done_in_time, interrupted};
pub use judge::{Evidence, Fit, Judge, MOST_MACHINES, Run, Standing, Why};
pub use memory::{GIB, Memory, Part};
pub use models::{Kind, Shape, UnknownModel, find, model, models};
pub use span::Span;
pub use speed::{MOST_IN_A_BOX, Machine, gb, tokens_per_s};
pub use workload::{Amount, Method, Need, NoWorkload, Precision, Task, Workload};
