//! What rows are ordered by, and the best few of many.

use std::ops::Range;

use super::plan::{Plan, Totals};
use super::scan::Scan;
use super::symbols::NONE;
use super::view::{Sort, View};
use super::{Board, Facts};
use crate::board::columns::Variant;
use crate::money::Currency;

/// A row with the key it is ordered by; the smallest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    key: u64,
    id_rank: u32,
    row: u32,
}

/// How the value of a row is found. Prices are in nano-units of dollars: they order everything that has a rate, and
/// the display currency would give the same order.
enum Value<'a> {
    /// Price of a card, for each unit of something the variant has.
    PerCard {
        factors: Vec<f64>,
        units: Option<Vec<f64>>,
    },
    PerHour {
        factors: Vec<f64>,
    },
    Total(&'a Totals),
    Figure(&'a [f32]),
    Count,
    VramSize,
    Place,
    Variant(Vec<f64>),
    Seller(Vec<f64>),
}

impl<'a> Value<'a> {
    fn of(board: &'a Board, plan: &'a Plan<'_>, view: &View<'_>) -> Self {
        let factors = || board.factors(Currency::USD);
        let each = |value: fn(&Variant, &Facts) -> f32| -> Vec<f64> {
            board.variants.iter().zip(&board.facts).map(|(v, f)| f64::from(value(v, f))).collect()
        };
        let per = |units| Self::PerCard { factors: factors(), units: Some(units) };
        match view.sort {
            Sort::GpuHour => Self::PerCard { factors: factors(), units: None },
            Sort::MachineHour => Self::PerHour { factors: factors() },
            Sort::PerVram => per(each(|variant, _| variant.vram())),
            Sort::PerTflops => per(each(|_, facts| facts.tflops)),
            // What a slice gets of the bandwidth is not stated.
            Sort::PerBandwidth => {
                per(each(
                    |variant, facts| {
                        if variant.fraction().is_nan() { facts.bandwidth } else { f32::NAN }
                    },
                ))
            }
            Sort::Total => Self::Total(&plan.totals),
            Sort::Age => {
                let age = |feed: u32| board.feeds.get(feed as usize).map(|feed| view.now - feed.as_of);
                let seconds = |feed| age(feed).map_or(f64::NAN, |age| age.num_seconds() as f64);
                Self::Seller(board.sellers.iter().map(|seller| seconds(seller.feed)).collect())
            }
            Sort::Count => Self::Count,
            Sort::VramSize => Self::VramSize,
            Sort::BandwidthSize => Self::Variant(each(|_, facts| facts.bandwidth)),
            Sort::Ram => Self::Figure(&board.rows.ram),
            Sort::Vcpu => Self::Figure(&board.rows.vcpu),
            Sort::Place => Self::Place,
            Sort::Provider => {
                let rank = |provider| f64::from(board.texts.providers.rank(provider));
                Self::Seller(board.sellers.iter().map(|seller| rank(seller.provider)).collect())
            }
            Sort::Model => Self::Variant(board.facts.iter().map(|facts| f64::from(facts.group)).collect()),
        }
    }
}

/// The rows that match, ordered, from `offset` on, at most `limit`.
pub(super) fn ordered(
    board: &Board,
    plan: &Plan<'_>,
    scan: &Scan,
    view: &View<'_>,
    offset: usize,
    limit: usize,
) -> Vec<u32> {
    let (rows, profiles) = (&board.rows, &board.profiles);
    let value = Value::of(board, plan, view);
    let mut best = Best::new(board, scan.keep.as_deref(), view.descending, offset.saturating_add(limit));
    for (profile, _) in scan.matching() {
        let range = profiles.range(profile);
        let variant = profiles.variant[profile] as usize;
        let seller = profiles.seller[profile] as usize;
        match &value {
            Value::PerCard { factors, units } => {
                let unit = units.as_ref().map_or(1.0, |units| units[variant]);
                let factor = factors[seller];
                best.add_sorted(range, |row| rows.per_card[row] * factor / unit);
            }
            Value::PerHour { factors } => best.add(range, |row| rows.per_hour[row] as f64 * factors[seller]),
            Value::Total(totals) => best.add(range, |row| {
                let (hours, rest) = totals[rows.billing[row] as usize];
                rows.per_hour[row] as f64 * hours + rest
            }),
            Value::Figure(column) => best.add(range, |row| f64::from(column[row])),
            Value::Count => best.add(range, |row| f64::from(rows.count[row])),
            Value::VramSize => {
                let vram = f64::from(board.variants[variant].vram());
                best.add(range, |row| vram * f64::from(rows.count[row]));
            }
            Value::Place => {
                let texts = &board.texts;
                let country = match profiles.country[profile] {
                    NONE => f64::NAN,
                    said => f64::from(texts.countries.rank(said)),
                };
                // Country first: regions are fewer than 2³².
                let region = |row: usize| f64::from(texts.regions.rank(rows.region[row]));
                best.add(range, |row| country * 4_294_967_296.0 + region(row));
            }
            Value::Variant(values) => best.add(range, |_| values[variant]),
            Value::Seller(values) => best.add(range, |_| values[seller]),
        }
    }
    best.window(offset, limit)
}

/// The first `wanted` of all candidates shown to it, in no order.
struct Best<'a> {
    board: &'a Board,
    keep: Option<&'a [bool]>,
    descending: bool,
    wanted: usize,
    found: Vec<Candidate>,
    /// No candidate from here on is among the first.
    worst: Candidate,
}

impl<'a> Best<'a> {
    fn new(board: &'a Board, keep: Option<&'a [bool]>, descending: bool, wanted: usize) -> Self {
        let worst = Candidate { key: u64::MAX, id_rank: u32::MAX, row: u32::MAX };
        Self { board, keep, descending, wanted, found: Vec::new(), worst }
    }

    fn add(&mut self, range: Range<usize>, value: impl Fn(usize) -> f64) {
        for row in range {
            self.consider(row, key(value(row), self.descending));
        }
    }

    /// The same for rows whose values grow: once one is too far behind, the rest of them are.
    fn add_sorted(&mut self, range: Range<usize>, value: impl Fn(usize) -> f64) {
        let (start, end) = (range.start, range.end);
        for step in 0..range.len() {
            let row = if self.descending { end - 1 - step } else { start + step };
            let key = key(value(row), self.descending);
            if key > self.worst.key {
                return;
            }
            self.consider(row, key);
        }
    }

    fn consider(&mut self, row: usize, key: u64) {
        if key > self.worst.key || self.keep.is_some_and(|keep| !keep[row]) {
            return;
        }
        let candidate = Candidate { key, id_rank: self.board.id_ranks[row], row: row as u32 };
        if candidate < self.worst {
            self.found.push(candidate);
            self.trim();
        }
    }

    /// Throws away what cannot be among the first, once there is twice as much as is wanted.
    fn trim(&mut self) {
        if self.wanted > 0 && self.found.len() >= self.wanted.saturating_mul(2).max(512) {
            let (_, worst, _) = self.found.select_nth_unstable(self.wanted - 1);
            self.worst = *worst;
            self.found.truncate(self.wanted);
        }
    }

    fn window(mut self, offset: usize, limit: usize) -> Vec<u32> {
        if offset >= self.found.len() || limit == 0 {
            return Vec::new();
        }
        if offset > 0 {
            self.found.select_nth_unstable(offset);
        }
        let window = &mut self.found[offset..];
        let limit = limit.min(window.len());
        if limit < window.len() {
            window.select_nth_unstable(limit);
        }
        let window = &mut window[..limit];
        window.sort_unstable();
        window.iter().map(|candidate| candidate.row).collect()
    }
}

/// A key in whose order unknown values come last in both directions.
fn key(value: f64, descending: bool) -> u64 {
    if value.is_nan() {
        return u64::MAX;
    }
    // The bits of floating-point numbers order like the numbers once the negative ones are turned round.
    let bits = value.to_bits();
    let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    if descending { !ordered } else { ordered }
}
