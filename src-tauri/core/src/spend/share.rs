//! Rounding a column of amounts so that it sums to its rounded total.

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

/// Amounts in whole units of `10^-digits`, so that they sum to the sum of the exact ones, rounded half up. Each is off by
/// less than one unit: what is left after rounding down goes to those that lost most, the earlier first.
#[must_use]
pub fn shared(amounts: &[Decimal], digits: u32) -> Vec<Decimal> {
    let total: Decimal = amounts.iter().sum();
    let wanted = total.round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero);
    let mut rounded: Vec<Decimal> = amounts
        .iter()
        .map(|amount| amount.round_dp_with_strategy(digits, RoundingStrategy::ToNegativeInfinity))
        .collect();
    let unit = Decimal::new(1, digits);
    let missing = ((wanted - rounded.iter().sum::<Decimal>()) / unit).round().to_usize().unwrap_or_default();
    let mut order: Vec<usize> = (0..amounts.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(amounts[at] - rounded[at]));
    for at in order.into_iter().take(missing) {
        rounded[at] += unit;
    }
    rounded
}
