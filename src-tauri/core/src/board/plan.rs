//! A query made ready for one board: which filters each variant, seller, setting and country fails, and what is left
//! to ask of single rows.

use std::ops::RangeInclusive;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::columns::{Seller, Setting, Variant};
use super::policies::{self, Broken};
use super::symbols::{NONE, Symbol, Symbols};
use super::zones::Zones;
use super::{Board, Facts, View};
use crate::gpu::Card;
use crate::money::{Currency, NANOS};
use crate::offer::{Form, Isolation, SupplyState};
use crate::query::{Bounds, Fact, Holds, Number, Query, Set, Term, UNKNOWN, Version, Versioned, plain};

/// Filters a facet is counted without, by the number of their bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    Gpu,
    Vram,
    Form,
    Zone,
    Link,
    Fabric,
    Cloud,
    Kind,
    Seller,
    Source,
    Supply,
    Policy,
    /// Everything that has no facet.
    Rest,
}

impl Dimension {
    pub(super) fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// What is left to ask of each row.
pub(super) enum RowTest<'a> {
    /// A figure lies within.
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
        within: RangeInclusive<f64>,
    },
    /// A price, in nano-units of the currency that the factors of the sellers lead to.
    Price {
        within: RangeInclusive<f64>,
        factors: Vec<f64>,
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
    pub variants: Vec<u16>,
    pub sellers: Vec<u16>,
    pub settings: Vec<u16>,
    pub countries: Vec<u16>,
    /// Zones that ask for place and seller together, each perhaps negated.
    pub zones: Vec<(Zones, bool)>,
    pub policies: Vec<(Vec<Broken>, bool)>,
    pub tests: Vec<RowTest<'a>>,
    /// What an answer must be for a row to pass.
    pub enough: Holds,
    /// Worked out where something needs it.
    pub totals: Totals,
}

impl<'a> Plan<'a> {
    /// The bits of the dimensions each profile fails.
    pub(super) fn failed(&self, board: &Board) -> Vec<u16> {
        let profiles = &board.profiles;
        let pointers =
            profiles.variant.iter().zip(&profiles.seller).zip(&profiles.setting).zip(&profiles.country);
        let mut failed: Vec<u16> = pointers
            .clone()
            .map(|(((variant, seller), setting), country)| {
                self.variants[*variant as usize]
                    | self.sellers[*seller as usize]
                    | self.settings[*setting as usize]
                    | self.countries[*country as usize]
            })
            .collect();
        for (zones, negated) in &self.zones {
            for (failed, (((_, seller), _), country)) in failed.iter_mut().zip(pointers.clone()) {
                let holds = zones.hold(*country, board.sellers[*seller as usize].country).negate_if(*negated);
                *failed |= if holds < self.enough { Dimension::Zone.bit() } else { 0 };
            }
        }
        policies::mark(board, &self.policies, &mut failed);
        failed
    }

    /// `with_totals`: totals are wanted for the order, whether or not the query asks for them.
    pub(super) fn new(board: &'a Board, view: &View<'_>, with_totals: bool) -> Self {
        let mut plan = Plan {
            variants: vec![0; board.variants.len()],
            sellers: vec![0; board.sellers.len()],
            settings: vec![0; board.settings.len()],
            countries: vec![0; board.texts.countries.len()],
            zones: Vec::new(),
            policies: Vec::new(),
            tests: Vec::new(),
            enough: if view.include_unknown { Holds::Unknown } else { Holds::Yes },
            totals: Vec::new(),
        };
        if !view.include_quarantine && board.quarantined > 0 {
            plan.sellers(board, Dimension::Rest, |seller| Holds::from(Some(!seller.quarantined)));
        }
        if !view.asks_for_serverless() {
            plan.settings(board, Dimension::Form, |setting| {
                Holds::from(Some(setting.form != Form::Serverless))
            });
        }
        plan.cards(board, view.query);
        let mut totals_asked = with_totals;
        for term in view.query.terms() {
            match term {
                // All of them together are one wish, see `cards`.
                Term::Gpu { .. } | Term::Raw { .. } => {}
                Term::Set { column: Set::Policy, values, negated } => {
                    plan.policies.push((Broken::named(board, view.policies, values), *negated));
                }
                Term::Set { column, values, negated } => plan.set(board, *column, values, *negated),
                Term::Fact { fact, negated } => plan.fact(board, *fact, *negated),
                Term::Number { column, bounds, currency } => {
                    totals_asked |= *column == Number::Total;
                    plan.number(board, view, *column, bounds, currency.unwrap_or(view.currency));
                }
                Term::Version { column, bounds } => plan.version(board, *column, bounds),
            }
        }
        if totals_asked {
            plan.totals = totals(board, view);
        }
        plan
    }

    /// Marks every variant for which the answer is not good enough.
    fn variants(&mut self, board: &Board, fails: Dimension, holds: impl Fn(&Variant, &Facts) -> Holds) {
        for ((failed, variant), facts) in self.variants.iter_mut().zip(&board.variants).zip(&board.facts) {
            *failed |= if holds(variant, facts) < self.enough { fails.bit() } else { 0 };
        }
    }

    fn sellers(&mut self, board: &Board, fails: Dimension, holds: impl Fn(&Seller) -> Holds) {
        for (failed, seller) in self.sellers.iter_mut().zip(&board.sellers) {
            *failed |= if holds(seller) < self.enough { fails.bit() } else { 0 };
        }
    }

    fn settings(&mut self, board: &Board, fails: Dimension, holds: impl Fn(&Setting) -> Holds) {
        for (failed, setting) in self.settings.iter_mut().zip(&board.settings) {
            *failed |= if holds(setting) < self.enough { fails.bit() } else { 0 };
        }
    }

    fn countries(&mut self, fails: Dimension, holds: impl IntoIterator<Item = Holds>) {
        for (failed, holds) in self.countries.iter_mut().zip(holds) {
            *failed |= if holds < self.enough { fails.bit() } else { 0 };
        }
    }

    fn symbols(&mut self, column: &'a [Symbol], holds: impl IntoIterator<Item = Holds>) {
        let good = holds.into_iter().map(|holds| holds >= self.enough).collect();
        self.tests.push(RowTest::Symbol { column, good });
    }

    fn cards(&mut self, board: &Board, query: &Query) {
        for unwanted in [false, true] {
            // Any of the wanted cards, or any of the unwanted ones.
            let mut by_card: Option<Vec<Holds>> = None;
            let mut by_raw: Option<Vec<Holds>> = None;
            for term in query.terms() {
                match term {
                    Term::Gpu { cards, negated } if *negated == unwanted => {
                        best(&mut by_card, board.texts.cards.table(Holds::Unknown, |name| cards.hold(name)));
                    }
                    Term::Raw { text, negated } if *negated == unwanted => {
                        let has = |raw: &str| Holds::from(Some(raw.to_lowercase().contains(text)));
                        best(&mut by_raw, board.texts.raws.table(has(""), has));
                    }
                    _ => {}
                }
            }
            let answer = |table: &Option<Vec<Holds>>, symbol: Symbol| {
                table.as_ref().map_or(Holds::No, |table| table[symbol as usize])
            };
            if by_card.is_some() || by_raw.is_some() {
                self.variants(board, Dimension::Gpu, |variant, _| {
                    answer(&by_card, variant.card).max(answer(&by_raw, variant.raw)).negate_if(unwanted)
                });
            }
        }
    }

    fn set(&mut self, board: &'a Board, column: Set, values: &[String], negated: bool) {
        let unknown = if values.iter().any(|value| value == UNKNOWN) { Holds::Yes } else { Holds::Unknown };
        let texts = &board.texts;
        let has = |text: &str| values.iter().any(|value| value == text);
        let word = |text: &str| Holds::from(Some(has(text))).negate_if(negated);
        let one_of = |symbols: &Symbols| symbols.table(unknown.negate_if(negated), word);
        let begins = |symbols: &Symbols| {
            let values: Vec<String> = values.iter().map(|value| plain(value)).collect();
            symbols.table(unknown.negate_if(negated), |text| {
                let text = plain(text);
                Holds::from(Some(values.iter().any(|value| text.starts_with(value)))).negate_if(negated)
            })
        };
        match column {
            Set::Country => self.countries(Dimension::Rest, one_of(&texts.countries)),
            Set::Zone => match Zones::new(values, &texts.countries, unknown) {
                zones if zones.ask_sellers() => self.zones.push((zones, negated)),
                zones => {
                    self.countries(Dimension::Zone, zones.of_places().map(|holds| holds.negate_if(negated)))
                }
            },
            Set::Region => {
                let holds = texts.regions.table(unknown.negate_if(negated), |region| {
                    let region = region.to_lowercase();
                    Holds::from(Some(values.iter().any(|value| region.contains(value)))).negate_if(negated)
                });
                self.symbols(&board.rows.region, holds);
            }
            Set::Seller => {
                let table = one_of(&texts.countries);
                self.sellers(board, Dimension::Seller, |seller| table[seller.country as usize]);
            }
            Set::Cloud => {
                let table = one_of(&texts.providers);
                self.sellers(board, Dimension::Cloud, |seller| table[seller.cloud as usize]);
            }
            Set::Provider => {
                let table = one_of(&texts.providers);
                self.sellers(board, Dimension::Rest, |seller| table[seller.provider as usize]);
            }
            Set::Kind => self.sellers(board, Dimension::Kind, |seller| word(seller.kind.word())),
            Set::Source => self.sellers(board, Dimension::Source, |seller| word(seller.source.word())),
            Set::Link => {
                let table = begins(&texts.links);
                self.variants(board, Dimension::Link, |_, facts| table[facts.link as usize]);
            }
            Set::Vendor => self.variants(board, Dimension::Rest, |_, facts| {
                facts.card.and_then(Card::vendor).map_or(unknown.negate_if(negated), word)
            }),
            Set::Fabric => {
                let table = begins(&texts.fabrics);
                self.settings(board, Dimension::Fabric, |setting| table[setting.fabric as usize]);
            }
            Set::Form => self.settings(board, Dimension::Form, |setting| word(setting.form.word())),
            Set::Isolation => self.settings(board, Dimension::Rest, |setting| match setting.isolation {
                Isolation::Unknown => unknown.negate_if(negated),
                said => word(said.word()),
            }),
            Set::Supply => self.settings(board, Dimension::Supply, |setting| match setting.supply {
                SupplyState::Unknown => unknown.negate_if(negated),
                said => word(said.word()),
            }),
            Set::Policy => {} // Its definition is the view's: see `new`.
        }
    }

    fn fact(&mut self, board: &Board, fact: Fact, negated: bool) {
        match fact {
            Fact::Nvlink => self.variants(board, Dimension::Link, |_, facts| facts.nvlink.negate_if(negated)),
            Fact::Fabric => self.settings(board, Dimension::Fabric, |setting| {
                Holds::from((setting.fabric != NONE).then_some(true)).negate_if(negated)
            }),
            Fact::Verified => self
                .settings(board, Dimension::Rest, |setting| Holds::from(setting.verified).negate_if(negated)),
        }
    }

    fn number(
        &mut self,
        board: &'a Board,
        view: &View<'_>,
        column: Number,
        bounds: &Bounds<Decimal>,
        currency: Currency,
    ) {
        let rows = &board.rows;
        let figure = |column: &'a [f32]| RowTest::Figure { column, within: within_f32(bounds) };
        let within = within_f32(bounds);
        let said = |value: f32| Holds::from((!value.is_nan()).then(|| within.contains(&value)));
        match column {
            Number::Vram => self.variants(board, Dimension::Vram, |variant, _| said(variant.vram())),
            Number::Bandwidth => self.variants(board, Dimension::Rest, |_, facts| said(facts.bandwidth)),
            Number::Tflops => self.variants(board, Dimension::Rest, |_, facts| said(facts.tflops)),
            Number::Age => {
                let age =
                    |feed: usize| board.feeds.get(feed).map(|feed| (view.now - feed.as_of).num_seconds());
                self.sellers(board, Dimension::Rest, |seller| {
                    Holds::from(age(seller.feed as usize).map(|age| bounds.contain(&Decimal::from(age))))
                });
            }
            Number::Count => self.tests.push(RowTest::Count { within: within_f64(bounds) }),
            Number::VramTotal => self.tests.push(RowTest::VramTotal { within: within_f64(bounds) }),
            Number::Ram => self.tests.push(figure(&rows.ram)),
            Number::Vcpu => self.tests.push(figure(&rows.vcpu)),
            Number::Down => self.tests.push(figure(&rows.down)),
            Number::Up => self.tests.push(figure(&rows.up)),
            Number::Reliability => self.tests.push(figure(&rows.reliability)),
            Number::Disk => self.tests.push(RowTest::Disk { within: within_f32(bounds) }),
            Number::Price | Number::Hour => self.tests.push(RowTest::Price {
                within: within_f64(
                    &bounds.map(|v| v.checked_mul(Decimal::from(NANOS)).unwrap_or(Decimal::MAX)),
                ),
                factors: board.factors(currency),
                per_card: column == Number::Price,
            }),
            Number::Total => {
                let rate = board.rates.quote(currency, Currency::USD).map(|quoted| quoted.rate);
                let usd = rate.map(|rate| bounds.map(|v| v.checked_mul(rate).unwrap_or(Decimal::MAX)));
                // Without a rate nothing can be compared.
                let nothing = f64::INFINITY..=f64::NEG_INFINITY;
                self.tests.push(RowTest::Total { within: usd.map_or(nothing, |usd| within_f64(&usd)) });
            }
        }
    }

    fn version(&mut self, board: &'a Board, column: Versioned, bounds: &Bounds<Version>) {
        let column = match column {
            Versioned::Cuda => &board.rows.cuda,
            Versioned::Driver => &board.rows.driver,
        };
        let holds = board.texts.versions.table(Holds::Unknown, |text| {
            Holds::from(Version::parse(text).map(|version| bounds.contain_version(&version)))
        });
        self.symbols(column, holds);
    }
}

/// Keeps the better of two answers for each.
fn best(known: &mut Option<Vec<Holds>>, answers: Vec<Holds>) {
    match known {
        Some(known) => known.iter_mut().zip(answers).for_each(|(best, answer)| *best = answer.max(*best)),
        None => *known = Some(answers),
    }
}

fn totals(board: &Board, view: &View<'_>) -> Totals {
    let Some(job) = view.job else { return vec![(f64::NAN, f64::NAN); board.billings.len()] };
    let high_end = |period: &super::columns::Period| {
        crate::job::Frame::new(&period.tariff(&board.texts), job, &board.rates)?.high_end()
    };
    let periods: Vec<_> = board.periods.iter().map(high_end).collect();
    let total = |billing: &super::columns::Billing| {
        let high_end = periods[billing.period as usize]?;
        let (storage, egress, included) = billing.plain_extras();
        Some((high_end.per_hour / NANOS as f64, high_end.rest(storage, egress, included)))
    };
    board.billings.iter().map(|billing| total(billing).unwrap_or((f64::NAN, f64::NAN))).collect()
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
