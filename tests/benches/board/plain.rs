//! The limit: one loop over columns of small numbers, a bit for each failed filter, and a partial selection. It knows
//! nothing but these few filters, is not exact about money and keeps nothing else of an offer.

use std::collections::HashMap;

use rust_decimal::prelude::ToPrimitive;

use gpudesk_core::gpu;
use gpudesk_core::offer::Offer;
use gpudesk_core::place;
use gpudesk_core::query::{Bounds, Holds, Number, Set, Term};

use crate::questions::Question;

const DIMENSIONS: usize = 11;

/// The columns with a facet, each a small number, and the price.
#[derive(Default)]
pub struct Columns {
    /// Card, VRAM, form, zone, link, fabric, cloud, kind, seller, source, supply.
    facets: [Vec<u16>; DIMENSIONS],
    /// The same row by row, for counting.
    rows: Vec<[u16; DIMENSIONS]>,
    cards: Vec<String>,
    zones: Vec<String>,
    forms: Vec<String>,
    kinds: Vec<String>,
    vram: Vec<f32>,
    price: Vec<f64>,
}

/// A filter as tables: which numbers of a column are good.
pub struct Wanted {
    good: [Option<Vec<bool>>; DIMENSIONS],
    vram: f32,
    price: f64,
}

#[derive(Default)]
struct Numbers(HashMap<String, u16>);

impl Numbers {
    fn of(&mut self, text: &str) -> u16 {
        let next = self.0.len() as u16;
        *self.0.entry(text.to_owned()).or_insert(next)
    }

    fn names(self) -> Vec<String> {
        let mut names: Vec<(u16, String)> = self.0.into_iter().map(|(name, number)| (number, name)).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}

impl Columns {
    pub fn new(offers: &[Offer]) -> Self {
        let mut columns = Self::default();
        let mut numbers: [Numbers; DIMENSIONS] = Default::default();
        for offer in offers {
            let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
            let zone = offer
                .place
                .country
                .as_deref()
                .and_then(|iso2| place::zones(iso2).first())
                .map_or("", |z| z.0);
            let link = gpu::card(card).and_then(gpu::Card::link).map_or("", |link| link.text);
            let vram = offer.gpu.vram_gib.map(|vram| vram.to_string()).unwrap_or_default();
            let said = |text: &Option<String>| text.clone().unwrap_or_default();
            let values: [&str; DIMENSIONS] = [
                card,
                &vram,
                offer.form.word(),
                zone,
                link,
                &said(&offer.fabric),
                &offer.cloud,
                offer.price.kind.word(),
                &said(&offer.place.seller),
                offer.source.word(),
                offer.supply.state.word(),
            ];
            let mut row = [0; DIMENSIONS];
            for ((place, numbers), value) in row.iter_mut().zip(&mut numbers).zip(values) {
                *place = numbers.of(value);
            }
            columns.facets.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            columns.rows.push(row);
            columns.vram.push(offer.gpu.vram_gib.map_or(f32::NAN, |vram| vram as f32));
            columns.price.push(offer.per_gpu_hour().to_f64().unwrap_or(f64::NAN));
        }
        let [cards, _, forms, zones, _, _, _, kinds, ..] = numbers.map(Numbers::names);
        columns.cards = cards;
        columns.zones = zones;
        columns.forms = forms;
        columns.kinds = kinds;
        columns
    }

    /// The question as tables; `None` where this loop does not know one of its filters.
    pub fn wanted(&self, question: &Question) -> Option<Wanted> {
        let mut wanted = Wanted { good: Default::default(), vram: f32::NEG_INFINITY, price: f64::INFINITY };
        for term in question.query.terms() {
            match term {
                Term::Gpu { cards, negated: false } => {
                    let good = self.cards.iter().map(|card| cards.hold(card) == Holds::Yes);
                    wanted.good[0] = Some(good.collect());
                }
                Term::Set { column: Set::Zone, values, negated: false } => {
                    wanted.good[3] = Some(self.zones.iter().map(|zone| values.contains(zone)).collect());
                }
                Term::Set { column: Set::Form, values, negated: false } => {
                    wanted.good[2] = Some(self.forms.iter().map(|form| values.contains(form)).collect());
                }
                Term::Set { column: Set::Kind, values, negated: false } => {
                    wanted.good[7] = Some(self.kinds.iter().map(|kind| values.contains(kind)).collect());
                }
                Term::Number { column: Number::Vram, bounds: Bounds::AtLeast(vram), .. } => {
                    wanted.vram = vram.to_f32()?;
                }
                Term::Number { column: Number::Price, bounds: Bounds::Below(price), .. } => {
                    wanted.price = price.to_f64()?;
                }
                _ => return None,
            }
        }
        Some(wanted)
    }

    /// The first rows by price, and every facet's counts if wanted.
    pub fn page(&self, wanted: &Wanted, window: usize, facets: bool) -> (u32, Vec<u32>, Vec<Vec<u32>>) {
        let rows = self.price.len();
        let mut failed = vec![0u16; rows];
        for (bit, (column, good)) in self.facets.iter().zip(&wanted.good).enumerate() {
            if let Some(good) = good {
                for (failed, value) in failed.iter_mut().zip(column) {
                    *failed |= u16::from(!good[usize::from(*value)]) << bit;
                }
            }
        }
        for (failed, vram) in failed.iter_mut().zip(&self.vram) {
            *failed |= u16::from(!in_range(*vram, wanted.vram)) << 1;
        }
        for (failed, price) in failed.iter_mut().zip(&self.price) {
            *failed |= u16::from(*price >= wanted.price) << 11;
        }
        let mut best: Vec<(u64, u32)> = failed
            .iter()
            .zip(&self.price)
            .enumerate()
            .filter(|(_, (failed, _))| **failed == 0)
            .map(|(row, (_, price))| (price.to_bits(), row as u32))
            .collect();
        let total = best.len() as u32;
        if best.len() > window {
            best.select_nth_unstable(window);
            best.truncate(window);
        }
        best.sort_unstable();
        let counts = if facets { self.count(&failed) } else { Vec::new() };
        (total, best.into_iter().map(|(_, row)| row).collect(), counts)
    }

    /// A row counts for every facet if it matches, and for the one facet whose filter alone it fails.
    fn count(&self, failed: &[u16]) -> Vec<Vec<u32>> {
        let length = |column: &Vec<u16>| column.iter().max().map_or(0, |most| usize::from(*most) + 1);
        let mut counts: Vec<Vec<u32>> = self.facets.iter().map(|column| vec![0; length(column)]).collect();
        for (failed, row) in failed.iter().zip(&self.rows) {
            if *failed == 0 {
                for (counts, value) in counts.iter_mut().zip(row) {
                    counts[usize::from(*value)] += 1;
                }
            } else if failed.is_power_of_two() {
                let facet = failed.trailing_zeros() as usize;
                if let (Some(counts), Some(value)) = (counts.get_mut(facet), row.get(facet)) {
                    counts[usize::from(*value)] += 1;
                }
            }
        }
        counts
    }

    /// Number, lowest and median price of each card.
    pub fn groups(&self) -> Vec<(u32, f64, f64)> {
        let mut prices: Vec<Vec<f64>> = vec![Vec::new(); self.cards.len()];
        for (card, price) in self.facets[0].iter().zip(&self.price) {
            prices[usize::from(*card)].push(*price);
        }
        prices
            .into_iter()
            .filter(|prices| !prices.is_empty())
            .map(|mut prices| {
                let lowest = prices.iter().copied().fold(f64::INFINITY, f64::min);
                let middle = prices.len() / 2;
                let median = *prices.select_nth_unstable_by(middle, f64::total_cmp).1;
                (prices.len() as u32, lowest, median)
            })
            .collect()
    }
}

/// An unknown size passes only where none is asked for.
fn in_range(vram: f32, least: f32) -> bool {
    vram >= least || least == f32::NEG_INFINITY
}
