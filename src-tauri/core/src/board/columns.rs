//! What is kept of an offer: a few numbers a row, each pointing to something many rows share, and its own figures.

use std::collections::HashMap;
use std::ops::Range;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::symbols::{Symbol, Symbols};
use crate::job::{Extras, Tariff};
use crate::meter::Meter;
use crate::money::{Currency, NANOS, from_nanos, to_nanos};
use crate::offer::{Flag, Form, Isolation, Offer, PriceKind, Source, SupplyState};

/// A figure that is not said.
const UNSAID: f32 = f32::NAN;

/// A number that is not said.
const NO_NUMBER: u32 = u32::MAX;

/// An amount that is not said.
const NO_AMOUNT: i64 = i64::MIN;

/// What a row says of its cards, their number apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    pub card: Symbol,
    pub raw: Symbol,
    pub own_link: Symbol,
    /// Bits of an `f32`, GiB of one card.
    vram: u32,
    /// Bits of an `f32`, share of one card.
    fraction: u32,
}

impl Variant {
    pub(super) fn of(offer: &Offer, card: Symbol, raw: Symbol, own_link: Symbol) -> Self {
        let vram = narrow(offer.gpu.vram_gib).to_bits();
        Self { card, raw, own_link, vram, fraction: narrow(offer.gpu.fraction).to_bits() }
    }

    pub(super) fn vram(&self) -> f32 {
        f32::from_bits(self.vram)
    }

    pub(super) fn fraction(&self) -> f32 {
        f32::from_bits(self.fraction)
    }
}

/// Who offers, and on what terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Seller {
    pub provider: Symbol,
    pub cloud: Symbol,
    pub country: Symbol,
    /// The region, where what the cloud is certified for hangs on it.
    pub certified_in: Symbol,
    pub feed: u32,
    pub currency: Currency,
    pub kind: PriceKind,
    pub source: Source,
    pub quarantined: bool,
}

/// What kind of machine, and whether it can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Setting {
    pub fabric: Symbol,
    pub form: Form,
    pub isolation: Isolation,
    pub supply: SupplyState,
    pub verified: Option<bool>,
}

/// How time is billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Period {
    provider: Symbol,
    kind: PriceKind,
    currency: Currency,
    pub term: Symbol,
    increment_s: u32,
    minimum_s: u32,
}

impl Period {
    pub(super) fn of(offer: &Offer, provider: Symbol, term: Symbol) -> Self {
        let price = &offer.price;
        Self {
            provider,
            kind: price.kind,
            currency: price.currency,
            term,
            increment_s: price.increment_s.unwrap_or(NO_NUMBER),
            minimum_s: price.minimum_s.unwrap_or(NO_NUMBER),
        }
    }

    pub(super) fn tariff<'a>(&self, texts: &'a Texts) -> Tariff<'a> {
        Tariff {
            provider: texts.providers.get(self.provider),
            kind: self.kind,
            currency: self.currency,
            term: texts.terms.some(self.term),
            increment_s: number(self.increment_s),
            minimum_s: number(self.minimum_s),
        }
    }
}

/// What is billed besides, by whom time is billed so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Billing {
    pub period: u32,
    storage: i64,
    storage_stopped: i64,
    egress: i64,
    ingress: i64,
    /// Bits of an `f32`.
    included: u32,
    pub meter: Option<Meter>,
    /// The page it is to be had at.
    pub page: Symbol,
}

impl Billing {
    pub(super) fn of(offer: &Offer, period: u32, page: Symbol) -> Self {
        let price = &offer.price;
        let amount = |amount: Option<Decimal>| amount.and_then(to_nanos).unwrap_or(NO_AMOUNT);
        Self {
            period,
            storage: amount(price.storage_gb_month),
            storage_stopped: amount(price.storage_stopped_gb_month),
            egress: amount(price.egress_gb),
            ingress: amount(price.ingress_gb),
            included: narrow(offer.disk.included_gb).to_bits(),
            meter: price.meter,
            page,
        }
    }

    /// Disk inside the price, GB.
    pub(super) fn included(&self) -> f32 {
        f32::from_bits(self.included)
    }

    pub(super) fn extras(&self) -> Extras {
        Extras {
            storage_gb_month: amount(self.storage),
            egress_gb: amount(self.egress),
            included_gb: widen(self.included()),
        }
    }

    pub(super) fn storage_stopped(&self) -> Option<Decimal> {
        amount(self.storage_stopped)
    }

    pub(super) fn ingress(&self) -> Option<Decimal> {
        amount(self.ingress)
    }

    /// Storage, traffic out and disk inside as plain numbers.
    pub(super) fn plain_extras(&self) -> (Option<f64>, Option<f64>, Option<f64>) {
        let plain = |nanos: i64| (nanos != NO_AMOUNT).then(|| nanos as f64 / NANOS as f64);
        let included = self.included();
        (plain(self.storage), plain(self.egress), (!included.is_nan()).then(|| f64::from(included)))
    }
}

/// What rows with the same variant, seller, setting and country have in common. The rows of a profile stand together,
/// the cheapest card first; profiles of a card stand together likewise.
#[derive(Debug, Default)]
pub(super) struct Profiles {
    pub variant: Vec<u32>,
    pub seller: Vec<u32>,
    pub setting: Vec<u32>,
    pub country: Vec<Symbol>,
    /// First row of each, and the number of all rows.
    pub start: Vec<u32>,
    /// Most cards of any of its rows.
    pub most_cards: Vec<u32>,
}

impl Profiles {
    pub(super) fn len(&self) -> usize {
        self.variant.len()
    }

    /// Rows of a profile.
    pub(super) fn range(&self, profile: usize) -> Range<usize> {
        self.start[profile] as usize..self.start[profile + 1] as usize
    }

    /// Profile of a row.
    pub(super) fn of(&self, row: u32) -> usize {
        self.start.partition_point(|start| *start <= row).saturating_sub(1)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.start.capacity() * 6 * size_of::<u32>()
    }
}

/// The columns of the rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Price of one card in the offer's currency, nano-units.
    pub per_card: Vec<f64>,
    /// Price of the whole offer, likewise.
    pub per_hour: Vec<i64>,
    pub count: Vec<u32>,
    pub vcpu: Vec<f32>,
    pub ram: Vec<f32>,
    pub disk_max: Vec<f32>,
    pub down: Vec<f32>,
    pub up: Vec<f32>,
    pub reliability: Vec<f32>,
    pub driver: Vec<Symbol>,
    pub cuda: Vec<Symbol>,
    pub region: Vec<Symbol>,
    pub name: Vec<Symbol>,
    pub billing: Vec<u32>,
    supply: Vec<u32>,
    flags: Vec<u8>,
    /// Prices that nano-units do not hold.
    vast_prices: HashMap<u32, Decimal>,
    duplicates: HashMap<u32, Box<str>>,
}

const FLAGS: [Flag; 7] = [
    Flag::PriceSuspect,
    Flag::VramContradictsModel,
    Flag::CountryUnknown,
    Flag::Stale,
    Flag::ModelUnknown,
    Flag::Datacenter,
    Flag::PrivateHost,
];

/// What a row points to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pointers {
    pub driver: Symbol,
    pub cuda: Symbol,
    pub region: Symbol,
    pub name: Symbol,
    pub billing: u32,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.count.len()
    }

    pub(super) fn push(&mut self, offer: &Offer, to: Pointers) {
        let row = self.count.len() as u32;
        let nanos = to_nanos(offer.price.per_hour);
        if nanos.is_none() {
            self.vast_prices.insert(row, offer.price.per_hour);
        }
        let per_hour = nanos.unwrap_or(i64::MAX);
        self.per_hour.push(per_hour);
        self.per_card.push(per_hour as f64 / f64::from(offer.gpu.count.max(1)));
        self.count.push(offer.gpu.count);
        self.vcpu.push(narrow(offer.vcpu));
        self.ram.push(narrow(offer.ram_gib));
        self.disk_max.push(narrow(offer.disk.max_gb));
        self.down.push(narrow(offer.net.down_mbit_s));
        self.up.push(narrow(offer.net.up_mbit_s));
        self.reliability.push(narrow(offer.reliability));
        self.driver.push(to.driver);
        self.cuda.push(to.cuda);
        self.region.push(to.region);
        self.name.push(to.name);
        self.billing.push(to.billing);
        self.supply.push(offer.supply.count.unwrap_or(NO_NUMBER));
        let mut flags = 0;
        for flag in &offer.flags {
            if let Flag::DuplicateOf(id) = flag {
                self.duplicates.insert(row, Box::from(id.as_str()));
            }
            if let Some(bit) = FLAGS.iter().position(|known| known == flag) {
                flags |= 1 << bit;
            }
        }
        self.flags.push(flags);
    }

    /// The rows of these numbers, in this order.
    pub(super) fn in_order(self, order: &[u32]) -> Self {
        fn pick<T: Copy>(column: &[T], order: &[u32]) -> Vec<T> {
            order.iter().map(|row| column[*row as usize]).collect()
        }
        let moved: HashMap<u32, u32> = if self.vast_prices.is_empty() && self.duplicates.is_empty() {
            HashMap::new()
        } else {
            order.iter().enumerate().map(|(new, old)| (*old, new as u32)).collect()
        };
        let moved = |row: u32| moved.get(&row).copied();
        Self {
            per_card: pick(&self.per_card, order),
            per_hour: pick(&self.per_hour, order),
            count: pick(&self.count, order),
            vcpu: pick(&self.vcpu, order),
            ram: pick(&self.ram, order),
            disk_max: pick(&self.disk_max, order),
            down: pick(&self.down, order),
            up: pick(&self.up, order),
            reliability: pick(&self.reliability, order),
            driver: pick(&self.driver, order),
            cuda: pick(&self.cuda, order),
            region: pick(&self.region, order),
            name: pick(&self.name, order),
            billing: pick(&self.billing, order),
            supply: pick(&self.supply, order),
            flags: pick(&self.flags, order),
            vast_prices: self.vast_prices.into_iter().filter_map(|(row, p)| Some((moved(row)?, p))).collect(),
            duplicates: self.duplicates.into_iter().filter_map(|(row, id)| Some((moved(row)?, id))).collect(),
        }
    }

    /// The whole price as it was said.
    pub(super) fn price(&self, row: usize) -> Decimal {
        let vast = self.vast_prices.get(&(row as u32)).copied();
        vast.unwrap_or_else(|| from_nanos(self.per_hour[row]))
    }

    pub(super) fn supply(&self, row: usize) -> Option<u32> {
        number(self.supply[row])
    }

    pub(super) fn flags(&self, row: usize) -> Vec<Flag> {
        let set = FLAGS.iter().enumerate().filter(|(bit, _)| self.flags[row] & (1 << bit) != 0);
        let duplicate = self.duplicates.get(&(row as u32)).map(|id| Flag::DuplicateOf(id.to_string()));
        set.map(|(_, flag)| flag.clone()).chain(duplicate).collect()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let small = self.count.capacity() * 13 * size_of::<u32>() + self.flags.capacity();
        let prices = self.per_card.capacity() * 2 * size_of::<f64>();
        let rare = self.vast_prices.capacity() * 24
            + self.duplicates.values().map(|id| id.len() + 24).sum::<usize>();
        small + prices + rare
    }
}

/// The string columns.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub cards: Symbols,
    pub raws: Symbols,
    pub links: Symbols,
    pub fabrics: Symbols,
    pub providers: Symbols,
    pub countries: Symbols,
    pub regions: Symbols,
    pub names: Symbols,
    pub versions: Symbols,
    pub terms: Symbols,
    pub pages: Symbols,
}

impl Texts {
    pub(super) fn heap_bytes(&self) -> usize {
        let Self {
            cards,
            raws,
            links,
            fabrics,
            providers,
            countries,
            regions,
            names,
            versions,
            terms,
            pages,
        } = self;
        [cards, raws, links, fabrics, providers, countries, regions, names, versions, terms, pages]
            .iter()
            .map(|symbols| symbols.heap_bytes())
            .sum()
    }
}

/// Sizes and speeds keep seven digits, more than any provider means.
pub(super) fn narrow(value: Option<f64>) -> f32 {
    value.and_then(|value| value.to_f32()).filter(|value| value.is_finite()).unwrap_or(UNSAID)
}

/// The shortest decimal of the kept figure: 62.9 comes back as 62.9, not as 62.900001525878906.
pub(super) fn widen(value: f32) -> Option<f64> {
    if value.is_nan() { None } else { value.to_string().parse().ok() }
}

fn number(value: u32) -> Option<u32> {
    (value != NO_NUMBER).then_some(value)
}

fn amount(nanos: i64) -> Option<Decimal> {
    (nanos != NO_AMOUNT).then(|| from_nanos(nanos))
}
