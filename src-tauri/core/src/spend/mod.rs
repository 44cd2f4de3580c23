//! What was spent: the meters of rentals cut into periods, brought into one currency, summed by a key, compared with
//! what providers billed, forecast, and held against budgets. Nothing of it is stored but budgets: all of it follows
//! from what happened to the rentals.

mod budget;
mod converted;
mod difference;
mod forecast;
mod period;
mod share;
mod spent;
mod table;
#[cfg(test)]
mod tests;

pub use budget::{Budget, BudgetScope, BudgetState, Hard, NoBudget};
pub use converted::{Converted, Exchange, converted};
pub use difference::{Difference, DifferenceKind, differences};
pub use forecast::{Forecast, forecast};
pub use period::{Period, PeriodKind};
pub use share::shared;
pub use spent::{Spent, Traffic, spent};
pub use table::{By, Row, Table, Tally, key_of, table};
