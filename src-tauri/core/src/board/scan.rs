//! The one pass over profiles, and over rows where the query asks for figures of single rows.

use std::ops::RangeInclusive;

use super::Board;
use super::plan::{Plan, RowTest};
use crate::query::Holds;

/// Which rows match.
pub(super) struct Scan {
    /// The bits of the dimensions each profile fails.
    pub failed: Vec<u16>,
    /// Whether each row passes what is asked of single rows; `None` where nothing is. Not to be trusted where the
    /// profile fails too much to matter.
    pub keep: Option<Vec<bool>>,
    /// Rows of each profile that pass; 0 where the profile fails too much to matter.
    pub passed: Vec<u32>,
}

impl Scan {
    /// `almost`: profiles that fail just one dimension matter as well (its facet counts them).
    pub(super) fn new(board: &Board, plan: &Plan<'_>, almost: bool) -> Self {
        let profiles = &board.profiles;
        let failed = plan.failed(board);
        let matters = |failed: u16| failed == 0 || (almost && failed.is_power_of_two());
        let keep = (!plan.tests.is_empty()).then(|| {
            let mut keep = vec![true; board.rows.len()];
            let mattering =
                || failed.iter().enumerate().filter(|(_, failed)| matters(**failed)).map(|(p, _)| p);
            for test in &plan.tests {
                apply(board, plan, test, mattering(), &mut keep);
            }
            keep
        });
        let passed = failed.iter().zip(profiles.start.windows(2)).map(|(failed, range)| match &keep {
            _ if !matters(*failed) => 0,
            Some(keep) => {
                keep[range[0] as usize..range[1] as usize].iter().map(|keep| u32::from(*keep)).sum()
            }
            None => range[1] - range[0],
        });
        let passed = passed.collect();
        Self { failed, keep, passed }
    }

    /// Profiles that match, each with the number of its rows that do.
    pub(super) fn matching(&self) -> impl Iterator<Item = (usize, u32)> {
        let rows = self.failed.iter().zip(&self.passed).enumerate();
        rows.filter(|(_, (failed, passed))| **failed == 0 && **passed > 0)
            .map(|(p, (_, passed))| (p, *passed))
    }
}

/// Keeps the rows whose value passes.
fn mark<T>(keep: &mut [bool], values: impl Iterator<Item = T>, passes: impl Fn(T) -> bool) {
    keep.iter_mut().zip(values).for_each(|(keep, value)| *keep &= passes(value));
}

/// Both ends by value, so that the loop over a column has nothing else to look at.
fn ends<T: Copy>(within: &RangeInclusive<T>) -> (T, T) {
    (*within.start(), *within.end())
}

fn apply(
    board: &Board,
    plan: &Plan<'_>,
    test: &RowTest<'_>,
    mattering: impl Iterator<Item = usize>,
    keep: &mut [bool],
) {
    let (rows, profiles) = (&board.rows, &board.profiles);
    let lenient = plan.enough == Holds::Unknown;
    match test {
        RowTest::Figure { column, within } => {
            let (low, high) = ends(within);
            mark(keep, column.iter(), |v| (*v >= low) & (*v <= high) | (lenient & v.is_nan()));
        }
        RowTest::Disk { within } => {
            let (low, high) = ends(within);
            let most = rows.disk_max.iter().zip(&rows.billing).map(|(most, billing)| {
                if most.is_nan() { board.billings[*billing as usize].included() } else { *most }
            });
            mark(keep, most, |v| (v >= low) & (v <= high) | (lenient & v.is_nan()));
        }
        RowTest::Count { within } => {
            let (low, high) = ends(within);
            mark(keep, rows.count.iter(), |v| (f64::from(*v) >= low) & (f64::from(*v) <= high));
        }
        RowTest::Symbol { column, good } => mark(keep, column.iter(), |symbol| good[*symbol as usize]),
        RowTest::VramTotal { within } => {
            for profile in mattering {
                let range = profiles.range(profile);
                let vram = f64::from(board.variants[profiles.variant[profile] as usize].vram());
                let sizes = rows.count[range.clone()].iter().map(|count| vram * f64::from(*count));
                mark(&mut keep[range], sizes, |v| within.contains(&v) | (lenient & v.is_nan()));
            }
        }
        RowTest::Price { within, factors, per_card } => {
            for profile in mattering {
                let range = profiles.range(profile);
                let factor = factors[profiles.seller[profile] as usize];
                let passes = |v: f64| within.contains(&v) | (lenient & v.is_nan());
                if *per_card {
                    let prices = rows.per_card[range.clone()].iter().map(|price| price * factor);
                    mark(&mut keep[range], prices, passes);
                } else {
                    let prices = rows.per_hour[range.clone()].iter().map(|price| *price as f64 * factor);
                    mark(&mut keep[range], prices, passes);
                }
            }
        }
        RowTest::Total { within } => {
            for profile in mattering {
                let range = profiles.range(profile);
                let priced = rows.per_hour[range.clone()].iter().zip(&rows.billing[range.clone()]);
                let totals = priced.map(|(per_hour, billing)| {
                    let (hours, rest) = plan.totals[*billing as usize];
                    *per_hour as f64 * hours + rest
                });
                mark(&mut keep[range], totals, |v| within.contains(&v) | (lenient & v.is_nan()));
            }
        }
    }
}
