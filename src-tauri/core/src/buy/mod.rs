//! Rent or buy: what a month of owning cards costs, and how many hours of rent a month that is worth.
//!
//! The derivation, with units, stands in `docs/plan.md`. Money is decimal; one currency throughout, whichever it is.

mod band;
mod cost;
mod curve;
mod figures;
mod known;
#[cfg(test)]
mod tests;

pub use band::{Band, Swing, band, sensitivity};
pub use cost::{
    BreakEven, Monthly, NoBreakEven, break_even, break_even_with, lost_per_month, months_to_break_even,
    owned_per_hour, reserved_per_hour,
};
pub use curve::{Curve, CurveError, Resale};
pub use figures::{Case, Deal, Figure, Input, OutOfRange, Side, Unit};
pub use known::{PowerPrice, PurchasePrice, power_price, power_prices, purchase_price};

/// Hours of a month.
pub use crate::terms::USUAL_MONTH_HOURS as MONTH_HOURS;
