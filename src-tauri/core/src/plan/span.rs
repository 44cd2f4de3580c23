//! A figure that is not known exactly: everything between two ends, both of them possible.

use std::ops::{Add, Div, Mul};

/// Two ends of a figure that is never negative. `high` is infinite where nothing bounds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Span {
    /// Nothing.
    pub const ZERO: Self = Self::exact(0.0);

    /// One value.
    #[must_use]
    pub const fn exact(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// Two ends.
    #[must_use]
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// From `low` on, without an end.
    #[must_use]
    pub const fn at_least(low: f64) -> Self {
        Self { low, high: f64::INFINITY }
    }

    /// The value in the middle.
    #[must_use]
    pub fn middle(self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Whether a value lies within, to a millionth of it.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        let slack = value.abs() * 1e-6 + 1e-9;
        self.low - slack <= value && value <= self.high + slack
    }

    /// The larger of two, end by end.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The upper end, where there is one.
    #[must_use]
    pub fn bounded_high(self) -> Option<f64> {
        self.high.is_finite().then_some(self.high)
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Mul for Span {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { low: self.low * other.low, high: times(self.high, other.high) }
    }
}

impl Mul<f64> for Span {
    type Output = Self;

    fn mul(self, times_by: f64) -> Self {
        Self { low: self.low * times_by, high: times(self.high, times_by) }
    }
}

impl Div for Span {
    type Output = Self;

    fn div(self, by: Self) -> Self {
        Self { low: self.low / by.high, high: self.high / by.low }
    }
}

impl Div<f64> for Span {
    type Output = Self;

    fn div(self, by: f64) -> Self {
        Self { low: self.low / by, high: self.high / by }
    }
}

/// A product in which nothing of something unbounded is nothing.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}
