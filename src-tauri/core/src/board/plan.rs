//! A query made ready for one board: which filters each profile fails, and what is left to ask of each row.

use std::ops::RangeInclusive;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::symbols::{NONE, Symbol, Symbols};
use super::zones::Zones;
use super::{Board, Factors, Facts, View};
use crate::board::columns::Profile;
use crate::job::Quote;
use crate::money::{Currency, NANOS};
use crate::query::{Bounds, Fact, Holds, Number, Set, Term, UNKNOWN, Version, Versioned, plain};

/// Filters a facet is counted without, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Dimension {
    Gpu = 1 << 0,
    Vram = 1 << 1,
    Form = 1 << 2,
    Zone = 1 << 3,
    Link = 1 << 4,
    Fabric = 1 << 5,
    Cloud = 1 << 6,
    Kind = 1 << 7,
    Seller = 1 << 8,
    Source = 1 << 9,
    Supply = 1 << 10,
    /// Everything that has no facet.
    Rest = 1 << 11,
}

/// What is left to ask of each row.
pub(super) enum RowTest<'a> {
    /// A column lies within; the same for all rows.
    Figure {
        column: &'a [f32],
        within: RangeInclusive<f32>,
    },
    /// The most disk that can be had lies within.
    Disk {
        within: RangeInclusive<f32>,
    },
    Count {
        within: RangeInclusive<f64>,
    },
    /// A column's symbol is among the good ones.
    Symbol {
        column: &'a [Symbol],
        good: Vec<bool>,
    },
    /// VRAM of all cards.
    VramTotal {
        within: RangeInclusive<f32>,
    },
    /// A price, in nano-units of the currency the factors lead to.
    Price {
        within: RangeInclusive<f64>,
        factors: Factors,
        per_card: bool,
    },
    /// The upper end of the job's total, in USD.
    Total {
        within: RangeInclusive<f64>,
    },
}

/// A total as `per_hour × .0 + .1` in USD for each billing; NaN where none can be given.
pub(super) type Totals = Vec<(f64, f64)>;

pub(super) struct Plan<'a> {
    /// Bits of the dimensions each profile fails.
    pub failed: Vec<u16>,
    pub tests: Vec<RowTest<'a>>,
    /// Rows that do not say what is asked match.
    pub include_unknown: bool,
    /// Worked out when a job is given and something needs it.
    pub totals: Totals,
}

impl<'a> Plan<'a> {
    /// `with_totals`: totals are wanted for sorting, whether or not the query asks for them.
    pub(super) fn new(board: &'a Board, view: &View<'_>, with_totals: bool) -> Self {
        let mut plan = Plan {
            failed: vec![0; board.profiles.len()],
            tests: Vec::new(),
            include_unknown: view.include_unknown,
            totals: Vec::new(),
        };
        if !view.include_quarantine && board.quarantined > 0 {
            plan.profiles(board, Dimension::Rest, |profile, _| Holds::from(Some(!profile.quarantined)));
        }
        plan.cards(board, view);
        let mut totals_asked = with_totals;
        for term in view.query.terms() {
            match term {
                // All of them together are one wish, see `cards`.
                Term::Gpu { .. } | Term::Raw { .. } => {}
                Term::Set { column: Set::Region, values, negated } => plan.region(board, values, *negated),
                Term::Set { column, values, negated } => plan.set(board, *column, values, *negated),
                Term::Fact { fact, negated } => plan.fact(board, *fact, *negated),
                Term::Number { column, bounds, currency } => {
                    totals_asked |= *column == Number::Total;
                    plan.number(board, *column, bounds, currency.unwrap_or(view.currency), view.now);
                }
                Term::Version { column, bounds } => plan.version(board, *column, bounds),
            }
        }
        if totals_asked {
            plan.totals = totals(board, view);
        }
        plan
    }

    /// Marks every profile for which the answer is not good enough.
    fn profiles(
        &mut self,
        board: &Board,
        fails: Dimension,
        mut holds: impl FnMut(&Profile, &Facts) -> Holds,
    ) {
        let enough = if self.include_unknown { Holds::Unknown } else { Holds::Yes };
        for ((failed, profile), facts) in self.failed.iter_mut().zip(&board.profiles).zip(&board.facts) {
            if holds(profile, facts) < enough {
                *failed |= fails as u16;
            }
        }
    }

    fn cards(&mut self, board: &Board, view: &View<'_>) {
        let terms = view.query.terms();
        let asks = |wanted: bool| {
            terms.iter().any(|term| match term {
                Term::Gpu { negated, .. } | Term::Raw { negated, .. } => *negated != wanted,
                _ => false,
            })
        };
        for wanted in [true, false] {
            if !asks(wanted) {
                continue;
            }
            // Any of the wanted cards, or any of the unwanted ones.
            let mut by_card = vec![Holds::No; board.texts.cards.len()];
            let mut by_raw = vec![Holds::No; board.texts.raws.len()];
            for term in terms {
                match term {
                    Term::Gpu { cards, negated } if *negated != wanted => {
                        let answers = board.texts.cards.table(Holds::Unknown, |name| cards.hold(name));
                        by_card.iter_mut().zip(answers).for_each(|(best, answer)| *best = answer.max(*best));
                    }
                    Term::Raw { text, negated } if *negated != wanted => {
                        let has = |raw: &str| Holds::from(Some(raw.to_lowercase().contains(text)));
                        let answers = board.texts.raws.table(Holds::Unknown, has);
                        by_raw.iter_mut().zip(answers).for_each(|(best, answer)| *best = answer.max(*best));
                    }
                    _ => {}
                }
            }
            self.profiles(board, Dimension::Gpu, |profile, _| {
                by_card[profile.card as usize].max(by_raw[profile.raw as usize]).negate_if(!wanted)
            });
        }
    }

    fn set(&mut self, board: &Board, column: Set, values: &[String], negated: bool) {
        let unknown = if values.iter().any(|value| value == UNKNOWN) { Holds::Yes } else { Holds::Unknown };
        let texts = &board.texts;
        let one_of = |symbols: &Symbols| {
            symbols.table(unknown, |text| Holds::from(Some(values.iter().any(|value| value == text))))
        };
        let begins = |symbols: &Symbols| {
            let values: Vec<String> = values.iter().map(|value| plain(value)).collect();
            symbols.table(unknown, |text| {
                let text = plain(text);
                Holds::from(Some(values.iter().any(|value| text.starts_with(value))))
            })
        };
        let word = |word: &str| values.iter().any(|value| value == word);
        let mut by = |dimension, table: Vec<Holds>, symbol: fn(&Profile, &Facts) -> Symbol| {
            self.profiles(board, dimension, |p, f| table[symbol(p, f) as usize].negate_if(negated));
        };
        match column {
            Set::Country => by(Dimension::Rest, one_of(&texts.countries), |p, _| p.country),
            Set::Seller => by(Dimension::Seller, one_of(&texts.countries), |p, _| p.seller),
            Set::Cloud => by(Dimension::Cloud, one_of(&texts.providers), |p, _| p.cloud),
            Set::Provider => by(Dimension::Rest, one_of(&texts.providers), |p, _| p.provider),
            Set::Link => by(Dimension::Link, begins(&texts.links), |_, f| f.link),
            Set::Fabric => by(Dimension::Fabric, begins(&texts.fabrics), |p, _| p.fabric),
            Set::Zone => {
                let zones = Zones::new(values, &texts.countries, unknown);
                self.profiles(board, Dimension::Zone, |p, _| zones.hold(p).negate_if(negated));
            }
            Set::Vendor => self.profiles(board, Dimension::Rest, |_, facts| {
                let said = facts.card.and_then(crate::gpu::Card::vendor).map(word);
                said.map_or(unknown, |said| Holds::from(Some(said))).negate_if(negated)
            }),
            Set::Form => self.words(board, Dimension::Form, negated, |p| Some(word(p.form.word()))),
            Set::Kind => self.words(board, Dimension::Kind, negated, |p| Some(word(p.kind.word()))),
            Set::Source => self.words(board, Dimension::Source, negated, |p| Some(word(p.source.word()))),
            Set::Isolation => self.words(board, Dimension::Rest, negated, |p| {
                let said = word(p.isolation.word());
                (said || p.isolation != crate::offer::Isolation::Unknown).then_some(said)
            }),
            Set::Supply => self.words(board, Dimension::Supply, negated, |p| {
                let said = word(p.supply.word());
                (said || p.supply != crate::offer::SupplyState::Unknown).then_some(said)
            }),
            Set::Region => {}
        }
    }

    fn words(
        &mut self,
        board: &Board,
        dimension: Dimension,
        negated: bool,
        said: impl Fn(&Profile) -> Option<bool>,
    ) {
        self.profiles(board, dimension, |profile, _| Holds::from(said(profile)).negate_if(negated));
    }

    fn region(&mut self, board: &'a Board, values: &[String], negated: bool) {
        let holds = board.texts.regions.table(Holds::Unknown, |region| {
            let region = region.to_lowercase();
            Holds::from(Some(values.iter().any(|value| region.contains(value))))
        });
        let column = &board.rows.region;
        self.symbols(column, holds.into_iter().map(|holds| holds.negate_if(negated)));
    }

    fn symbols(&mut self, column: &'a [Symbol], holds: impl Iterator<Item = Holds>) {
        let enough = if self.include_unknown { Holds::Unknown } else { Holds::Yes };
        let good = holds.map(|holds| holds >= enough).collect();
        self.tests.push(RowTest::Symbol { column, good });
    }

    fn fact(&mut self, board: &Board, fact: Fact, negated: bool) {
        match fact {
            Fact::Nvlink => self.profiles(board, Dimension::Link, |_, facts| facts.nvlink.negate_if(negated)),
            Fact::Fabric => self.profiles(board, Dimension::Fabric, |profile, _| {
                Holds::from((profile.fabric != NONE).then_some(true)).negate_if(negated)
            }),
            Fact::Verified => {
                self.words(board, Dimension::Rest, negated, |profile| profile.verified);
            }
        }
    }

    fn number(
        &mut self,
        board: &'a Board,
        column: Number,
        bounds: &Bounds<Decimal>,
        currency: Currency,
        now: DateTime<Utc>,
    ) {
        let rows = &board.rows;
        let figure = |column: &'a [f32]| RowTest::Figure { column, within: within_f32(bounds) };
        let money =
            || within_f64(&bounds.map(|amount| amount.checked_mul(Decimal::from(NANOS)).unwrap_or(*amount)));
        match column {
            Number::Vram => self.figures(board, Dimension::Vram, bounds, |p, _| f32::from_bits(p.vram)),
            Number::Bandwidth => self.figures(board, Dimension::Rest, bounds, |_, facts| facts.bandwidth),
            Number::Tflops => self.figures(board, Dimension::Rest, bounds, |_, facts| facts.tflops),
            Number::Age => {
                let ages: Vec<Holds> = board
                    .feeds
                    .iter()
                    .map(|feed| bounds.contain(&Decimal::from((now - feed.as_of).num_seconds())))
                    .map(|holds| Holds::from(Some(holds)))
                    .collect();
                self.profiles(board, Dimension::Rest, |p, _| {
                    ages.get(p.feed as usize).copied().unwrap_or(Holds::Unknown)
                });
            }
            Number::Count => self.tests.push(RowTest::Count { within: within_f64(bounds) }),
            Number::VramTotal => self.tests.push(RowTest::VramTotal { within: within_f32(bounds) }),
            Number::Ram => self.tests.push(figure(&rows.ram)),
            Number::Vcpu => self.tests.push(figure(&rows.vcpu)),
            Number::Down => self.tests.push(figure(&rows.down)),
            Number::Up => self.tests.push(figure(&rows.up)),
            Number::Reliability => self.tests.push(figure(&rows.reliability)),
            Number::Disk => self.tests.push(RowTest::Disk { within: within_f32(bounds) }),
            Number::Price | Number::Hour => self.tests.push(RowTest::Price {
                within: money(),
                factors: board.factors(currency),
                per_card: column == Number::Price,
            }),
            Number::Total => {
                let rate = board.rates.quote(currency, Currency::USD).map(|quoted| quoted.rate);
                let usd = rate.map(|rate| bounds.map(|amount| amount.checked_mul(rate).unwrap_or(*amount)));
                // Without a rate nothing can be compared.
                let nothing = f64::INFINITY..=f64::NEG_INFINITY;
                self.tests.push(RowTest::Total { within: usd.map_or(nothing, |usd| within_f64(&usd)) });
            }
        }
    }

    fn figures(
        &mut self,
        board: &Board,
        dimension: Dimension,
        bounds: &Bounds<Decimal>,
        figure: impl Fn(&Profile, &Facts) -> f32,
    ) {
        let within = within_f32(bounds);
        self.profiles(board, dimension, |profile, facts| {
            let value = figure(profile, facts);
            Holds::from((!value.is_nan()).then(|| within.contains(&value)))
        });
    }

    fn version(&mut self, board: &'a Board, column: Versioned, bounds: &Bounds<Version>) {
        let column = match column {
            Versioned::Cuda => &board.rows.cuda,
            Versioned::Driver => &board.rows.driver,
        };
        let holds = board.texts.versions.table(Holds::Unknown, |text| {
            Holds::from(Version::parse(text).map(|version| bounds.contain_version(&version)))
        });
        self.symbols(column, holds.into_iter());
    }
}

fn totals(board: &Board, view: &View<'_>) -> Totals {
    let Some(job) = view.job else { return vec![(f64::NAN, f64::NAN); board.billings.len()] };
    board
        .billings
        .iter()
        .map(|billing| {
            let terms = billing.terms(&board.texts.providers, &board.texts.periods);
            let (hours, rest) = Quote::new(&terms, job, &board.rates)?.high_usd()?;
            Some((hours.to_f64()? / NANOS as f64, rest.to_f64()?))
        })
        .map(|total| total.unwrap_or((f64::NAN, f64::NAN)))
        .collect()
}

fn within_f64(bounds: &Bounds<Decimal>) -> RangeInclusive<f64> {
    match bounds.map(|value| value.to_f64().unwrap_or(f64::NAN)) {
        Bounds::AtLeast(low) => low..=f64::INFINITY,
        Bounds::Above(low) => low.next_up()..=f64::INFINITY,
        Bounds::AtMost(high) => f64::NEG_INFINITY..=high,
        Bounds::Below(high) => f64::NEG_INFINITY..=high.next_down(),
        Bounds::Exactly(value) => value..=value,
        Bounds::Between(low, high) => low..=high,
    }
}

fn within_f32(bounds: &Bounds<Decimal>) -> RangeInclusive<f32> {
    match bounds.map(|value| value.to_f32().unwrap_or(f32::NAN)) {
        Bounds::AtLeast(low) => low..=f32::INFINITY,
        Bounds::Above(low) => low.next_up()..=f32::INFINITY,
        Bounds::AtMost(high) => f32::NEG_INFINITY..=high,
        Bounds::Below(high) => f32::NEG_INFINITY..=high.next_down(),
        Bounds::Exactly(value) => value..=value,
        Bounds::Between(low, high) => low..=high,
    }
}
