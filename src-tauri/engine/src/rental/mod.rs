//! The life of a rental: asked for, found, watched, ended, and looked for again. Never two machines for one click,
//! never a machine that nobody knows.
//!
//! - What will be asked is written before it is asked; what came of it is written after. A run that is cut off between
//!   the two leaves an unclear launch, which is looked for by its mark before anything else is done.
//! - [`Desk::tend`] takes one step in the life of each rental; [`Desk::watch_rentals`] does so again and again.
//! - Two programs may tend the same rental: each says how many events it had seen when it decided, and the store takes
//!   only the first.
//! - Waiting goes by [`Clock::ticks`](crate::Clock::ticks), so that a wall clock that leaps gives nobody up.

mod act;
mod error;
mod gone;
mod launch;
mod life;
mod order;
mod receipt;
mod reconcile;
mod repeat;
mod seek;
mod step;
mod tags;
mod unmanaged;
mod verify;
mod watch;

pub use error::RentalError;
pub use order::{Order, Outcome};
pub use receipt::Receipt;
pub use reconcile::{Blind, ReconcileReport};
pub use unmanaged::Unmanaged;

pub(crate) use life::Life;
pub(crate) use watch::Book;
