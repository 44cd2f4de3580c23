//! The desk's memory: one SQLite file with the offers of every feed, what was kept out, prices over time, rates,
//! watches, residency policies, rentals, how they were used, budgets, notices, the team's own servers
//! and settings.
//!
//! - A refresh is one transaction ([`Store::replace`]): a torn, empty or suspicious answer never replaces good rows,
//!   and a crash in the middle leaves the old state.
//! - History is changes, not copies: what did not change is not written.
//! - Several processes (the window, the command line) may use one file at once: SQLite's own locks decide who writes,
//!   and whoever comes second compares with what the first has stored.
//!
//! No clock and no network: every moment is an argument. Times are kept to the millisecond.

mod accounts;
mod activity;
mod budgets;
mod difference;
mod error;
mod feeds;
mod history;
mod load;
mod model_days;
mod notices;
mod own;
mod page;
mod policies;
mod quarantine;
mod rates;
mod rentals;
mod replace;
mod schema;
mod settings;
mod store;
mod time;
mod watches;

pub use accounts::AccountRow;
pub use activity::Usage;
pub use error::StoreError;
pub use feeds::{Failure, FeedRow};
pub use history::{HistoryPoint, PricePoint};
pub use load::{Loaded, Unreadable};
pub use model_days::ModelDay;
pub use notices::{NewNotice, NoticeRow, Sent};
pub use own::{Bookings, OwnHostRow, Removal};
pub use policies::ProjectPolicy;
pub use quarantine::QuarantinePage;
pub use rentals::{RentalRow, Standing, Which};
pub use replace::{Answer, Replaced};
pub use store::{BUSY_TIMEOUT, Store};
pub use watches::Watch;
