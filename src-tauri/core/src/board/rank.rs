//! What rows are ordered by, and the best few of many.

use std::ops::Range;

use super::plan::{Plan, Totals};
use super::scan::Scan;
use super::view::{Sort, View};
use super::{Board, Facts};
use crate::board::columns::Profile;
use crate::money::Currency;

/// A row with the key it is ordered by; the smallest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    key: u64,
    id_rank: u32,
    pub row: u32,
}

/// How the value of a row is found.
enum Value<'a> {
    /// Price of the offer, or of a card of it, times a figure of the profile.
    Price {
        per_card: bool,
        times: Vec<f64>,
    },
    Total(&'a Totals),
    Figure(&'a [f32]),
    Count,
    VramSize,
    Place,
    /// The same for all rows of a profile.
    Profile(Vec<f64>),
}

impl<'a> Value<'a> {
    fn of(board: &'a Board, plan: &'a Plan<'_>, view: &View<'_>) -> Self {
        let texts = &board.texts;
        let each = |value: &dyn Fn(&Profile, &Facts) -> f64| {
            board.profiles.iter().zip(&board.facts).map(|(profile, facts)| value(profile, facts)).collect()
        };
        // Dollars order everything that has a rate; the display currency would give the same order.
        let factors = board.factors(Currency::USD);
        let price = |per_card, by: &dyn Fn(&Profile, &Facts) -> f32| Self::Price {
            per_card,
            times: each(&|p, f| factors.of(p.currency) / f64::from(by(p, f))),
        };
        match view.sort {
            Sort::GpuHour => price(true, &|_, _| 1.0),
            Sort::MachineHour => price(false, &|_, _| 1.0),
            Sort::PerVram => price(true, &|p, _| f32::from_bits(p.vram)),
            Sort::PerTflops => price(true, &|_, f| f.tflops),
            // What a slice gets of the bandwidth is not stated.
            Sort::PerBandwidth => price(true, &|p, f| {
                if f32::from_bits(p.fraction).is_nan() { f.bandwidth } else { f32::NAN }
            }),
            Sort::Total => Self::Total(&plan.totals),
            Sort::Age => Self::Profile(each(&|p, _| {
                let feed = board.feeds.get(p.feed as usize);
                feed.map_or(f64::NAN, |feed| (view.now - feed.as_of).num_seconds() as f64)
            })),
            Sort::Count => Self::Count,
            Sort::VramSize => Self::VramSize,
            Sort::BandwidthSize => Self::Profile(each(&|_, f| f64::from(f.bandwidth))),
            Sort::Ram => Self::Figure(&board.rows.ram),
            Sort::Vcpu => Self::Figure(&board.rows.vcpu),
            Sort::Place => Self::Place,
            Sort::Provider => Self::Profile(each(&|p, _| f64::from(texts.providers.rank(p.provider)))),
            Sort::Model => Self::Profile(each(&|_, f| f64::from(f.group))),
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
    let value = Value::of(board, plan, view);
    let rows = &board.rows;
    let mut best = Best::new(board, view.descending, offset.saturating_add(limit));
    for (profile, failed) in plan.failed.iter().enumerate() {
        if *failed != 0 || scan.passed[profile] == 0 {
            continue;
        }
        let range = board.range(profile);
        let kept = Kept { range, keep: scan.keep.as_deref() };
        match &value {
            Value::Price { per_card: true, times } => {
                let times = times[profile];
                let price =
                    |row: usize| rows.per_hour[row] as f64 / f64::from(rows.count[row].max(1)) * times;
                best.add(kept, price);
            }
            Value::Price { per_card: false, times } => {
                let times = times[profile];
                best.add(kept, |row| rows.per_hour[row] as f64 * times);
            }
            Value::Total(totals) => best.add(kept, |row| {
                let (hours, rest) = totals[rows.billing[row] as usize];
                rows.per_hour[row] as f64 * hours + rest
            }),
            Value::Figure(column) => best.add(kept, |row| f64::from(column[row])),
            Value::Count => best.add(kept, |row| f64::from(rows.count[row])),
            Value::VramSize => {
                let vram = f64::from(f32::from_bits(board.profiles[profile].vram));
                best.add(kept, |row| vram * f64::from(rows.count[row]));
            }
            Value::Place => {
                let country = board.profiles[profile].country;
                let country =
                    if country == 0 { f64::NAN } else { f64::from(board.texts.countries.rank(country)) };
                let regions = &board.texts.regions;
                best.add(kept, |row| country * 4_294_967_296.0 + f64::from(regions.rank(rows.region[row])));
            }
            Value::Profile(values) => best.add(kept, |_| values[profile]),
        }
    }
    best.window(offset, limit)
}

/// Rows of a profile that pass.
struct Kept<'a> {
    range: Range<usize>,
    keep: Option<&'a [bool]>,
}

/// The first `wanted` of all candidates shown to it, in no order.
struct Best<'a> {
    board: &'a Board,
    descending: bool,
    wanted: usize,
    found: Vec<Candidate>,
    /// No candidate from here on is among the first.
    worst: Option<Candidate>,
}

impl<'a> Best<'a> {
    fn new(board: &'a Board, descending: bool, wanted: usize) -> Self {
        Self { board, descending, wanted, found: Vec::new(), worst: None }
    }

    fn add(&mut self, kept: Kept<'_>, value: impl Fn(usize) -> f64) {
        let Kept { range, keep } = kept;
        for row in range {
            if keep.is_some_and(|keep| !keep[row]) {
                continue;
            }
            let key = key(value(row), self.descending);
            if self.worst.is_some_and(|worst| key > worst.key) {
                continue;
            }
            let candidate = Candidate { key, id_rank: self.board.id_ranks[row], row: row as u32 };
            if self.worst.is_none_or(|worst| candidate < worst) {
                self.found.push(candidate);
                self.trim();
            }
        }
    }

    /// Throws away what cannot be among the first, once there is twice as much as is wanted.
    fn trim(&mut self) {
        if self.wanted > 0 && self.found.len() >= self.wanted.saturating_mul(2).max(512) {
            let (_, worst, _) = self.found.select_nth_unstable(self.wanted - 1);
            self.worst = Some(*worst);
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
