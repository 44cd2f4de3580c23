//! The one pass over the rows.

use super::Board;
use super::columns::UNSAID;
use super::plan::{Plan, RowTest};

/// Which rows pass what is asked of each row, and how many of each profile do.
pub(super) struct Scan {
    /// `None` where nothing is asked of single rows: all pass.
    pub keep: Option<Vec<bool>>,
    /// Rows of each profile that pass; 0 where the profile itself fails too much to matter.
    pub passed: Vec<u32>,
}

impl Scan {
    /// `almost`: profiles that fail just one dimension matter as well (its facet counts them).
    pub(super) fn new(board: &Board, plan: &Plan<'_>, almost: bool) -> Self {
        let most = u32::from(almost);
        let matters = |profile: usize| plan.failed[profile].count_ones() <= most;
        let keep = (!plan.tests.is_empty()).then(|| {
            let mut keep = vec![true; board.rows.count.len()];
            for test in &plan.tests {
                apply(board, plan, test, &matters, &mut keep);
            }
            keep
        });
        let passed = (0..board.profiles.len()).map(|profile| {
            let range = board.range(profile);
            match &keep {
                _ if !matters(profile) => 0,
                Some(keep) => keep[range].iter().map(|keep| u32::from(*keep)).sum(),
                None => range.len() as u32,
            }
        });
        Self { passed: passed.collect(), keep }
    }
}

fn apply(
    board: &Board,
    plan: &Plan<'_>,
    test: &RowTest<'_>,
    matters: &dyn Fn(usize) -> bool,
    keep: &mut [bool],
) {
    let rows = &board.rows;
    let unknown = plan.include_unknown;
    let profiles = || (0..board.profiles.len()).filter(|profile| matters(*profile));
    match test {
        RowTest::Figure { column, within } => {
            let (low, high) = (*within.start(), *within.end());
            let pass = |value: f32| (value >= low) & (value <= high) | (unknown & value.is_nan());
            keep.iter_mut().zip(*column).for_each(|(keep, value)| *keep &= pass(*value));
        }
        RowTest::Disk { within } => {
            let (low, high) = (*within.start(), *within.end());
            for ((keep, most), billing) in keep.iter_mut().zip(&rows.disk_max).zip(&rows.billing) {
                let value = if most.is_nan() {
                    board.billings.get(*billing as usize).map_or(UNSAID, |billing| billing.included())
                } else {
                    *most
                };
                *keep &= (value >= low) & (value <= high) | (unknown & value.is_nan());
            }
        }
        RowTest::Count { within } => {
            let (low, high) = (*within.start(), *within.end());
            for (keep, count) in keep.iter_mut().zip(&rows.count) {
                let count = f64::from(*count);
                *keep &= (count >= low) & (count <= high);
            }
        }
        RowTest::Symbol { column, good } => {
            for (keep, symbol) in keep.iter_mut().zip(*column) {
                *keep &= good[*symbol as usize];
            }
        }
        RowTest::VramTotal { within } => {
            for profile in profiles() {
                let range = board.range(profile);
                let vram = f32::from_bits(board.profiles[profile].vram);
                for (keep, count) in keep[range.clone()].iter_mut().zip(&rows.count[range]) {
                    *keep &= within.contains(&(vram * *count as f32)) | (unknown & vram.is_nan());
                }
            }
        }
        RowTest::Price { within, factors, per_card } => {
            for profile in profiles() {
                let range = board.range(profile);
                let factor = factors.of(board.profiles[profile].currency);
                let priced = rows.per_hour[range.clone()].iter().zip(&rows.count[range.clone()]);
                for (keep, (per_hour, count)) in keep[range].iter_mut().zip(priced) {
                    let cards = if *per_card { f64::from((*count).max(1)) } else { 1.0 };
                    let price = *per_hour as f64 / cards * factor;
                    *keep &= within.contains(&price) | (unknown & price.is_nan());
                }
            }
        }
        RowTest::Total { within } => {
            for profile in profiles() {
                let range = board.range(profile);
                let priced = rows.per_hour[range.clone()].iter().zip(&rows.billing[range.clone()]);
                for (keep, (per_hour, billing)) in keep[range].iter_mut().zip(priced) {
                    let (hours, rest) = plan.totals[*billing as usize];
                    let total = *per_hour as f64 * hours + rest;
                    *keep &= within.contains(&total) | (unknown & total.is_nan());
                }
            }
        }
    }
}
