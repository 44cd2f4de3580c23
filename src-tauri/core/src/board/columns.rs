//! What is kept of an offer, and how it becomes an offer again.
//!
//! Whatever many rows share (the card, who sells it, where, in what form) makes a [`Profile`]; the rows of a profile
//! stand next to each other, so most of a query is answered once a profile instead of once a row.

use std::collections::HashMap;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::symbols::{Symbol, Symbols};
use crate::job::PriceTerms;
use crate::money::{Currency, from_nanos, to_nanos};
use crate::offer::{
    Disk, Flag, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};

/// A figure that is not said.
pub(super) const UNSAID: f32 = f32::NAN;

/// A number that is not said.
const NO_NUMBER: u32 = u32::MAX;

/// An amount that is not said.
const NO_AMOUNT: i64 = i64::MIN;

/// What many rows have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Profile {
    pub card: Symbol,
    pub raw: Symbol,
    pub own_link: Symbol,
    pub fabric: Symbol,
    pub provider: Symbol,
    pub cloud: Symbol,
    pub country: Symbol,
    pub seller: Symbol,
    pub feed: u32,
    /// Bits of an `f32`.
    pub vram: u32,
    /// Bits of an `f32`.
    pub fraction: u32,
    pub currency: Currency,
    pub form: Form,
    pub isolation: Isolation,
    pub kind: PriceKind,
    pub source: Source,
    pub supply: SupplyState,
    pub verified: Option<bool>,
    pub quarantined: bool,
}

/// What rows pay alike apart from the price per hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Billing {
    pub provider: Symbol,
    pub kind: PriceKind,
    pub currency: Currency,
    pub term: Symbol,
    increment_s: u32,
    minimum_s: u32,
    storage: i64,
    storage_stopped: i64,
    egress: i64,
    ingress: i64,
    /// Bits of an `f32`.
    included: u32,
}

impl Billing {
    pub(super) fn of(offer: &Offer, provider: Symbol, term: Symbol) -> Self {
        let price = &offer.price;
        let amount = |amount: Option<Decimal>| amount.and_then(to_nanos).unwrap_or(NO_AMOUNT);
        Self {
            provider,
            kind: price.kind,
            currency: price.currency,
            term,
            increment_s: price.increment_s.unwrap_or(NO_NUMBER),
            minimum_s: price.minimum_s.unwrap_or(NO_NUMBER),
            storage: amount(price.storage_gb_month),
            storage_stopped: amount(price.storage_stopped_gb_month),
            egress: amount(price.egress_gb),
            ingress: amount(price.ingress_gb),
            included: narrow(offer.disk.included_gb).to_bits(),
        }
    }

    /// Disk inside the price, GB.
    pub(super) fn included(&self) -> f32 {
        f32::from_bits(self.included)
    }

    pub(super) fn terms<'a>(&self, providers: &'a Symbols, periods: &'a Symbols) -> PriceTerms<'a> {
        PriceTerms {
            provider: providers.get(self.provider),
            kind: self.kind,
            currency: self.currency,
            term: periods.some(self.term),
            increment_s: number(self.increment_s),
            minimum_s: number(self.minimum_s),
            storage_gb_month: amount(self.storage),
            egress_gb: amount(self.egress),
            included_gb: widen(f32::from_bits(self.included)),
        }
    }
}

/// The columns of the rows, in the order of their profiles.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Whole offer, own currency, nano-units.
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
    pub supply: Vec<u32>,
    pub flags: Vec<u8>,
    /// Prices that nano-units do not hold.
    pub vast_prices: HashMap<u32, Decimal>,
    pub duplicates: HashMap<u32, Box<str>>,
}

const FLAGS: [Flag; 5] =
    [Flag::PriceSuspect, Flag::VramContradictsModel, Flag::CountryUnknown, Flag::Stale, Flag::ModelUnknown];

/// The symbols of a row's own strings.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowSymbols {
    pub driver: Symbol,
    pub cuda: Symbol,
    pub region: Symbol,
    pub name: Symbol,
    pub billing: u32,
}

impl Rows {
    pub(super) fn push(&mut self, offer: &Offer, symbols: RowSymbols) {
        let row = self.count.len() as u32;
        let nanos = to_nanos(offer.price.per_hour);
        if nanos.is_none() {
            self.vast_prices.insert(row, offer.price.per_hour);
        }
        self.per_hour.push(nanos.unwrap_or(i64::MAX));
        self.count.push(offer.gpu.count);
        self.vcpu.push(narrow(offer.vcpu));
        self.ram.push(narrow(offer.ram_gib));
        self.disk_max.push(narrow(offer.disk.max_gb));
        self.down.push(narrow(offer.net.down_mbit_s));
        self.up.push(narrow(offer.net.up_mbit_s));
        self.reliability.push(narrow(offer.reliability));
        self.driver.push(symbols.driver);
        self.cuda.push(symbols.cuda);
        self.region.push(symbols.region);
        self.name.push(symbols.name);
        self.billing.push(symbols.billing);
        self.supply.push(offer.supply.count.unwrap_or(NO_NUMBER));
        let mut flags = 0;
        for flag in &offer.flags {
            match FLAGS.iter().position(|known| known == flag) {
                Some(bit) => flags |= 1 << bit,
                None => {
                    if let Flag::DuplicateOf(id) = flag {
                        self.duplicates.insert(row, Box::from(id.as_str()));
                    }
                }
            }
        }
        self.flags.push(flags);
    }

    /// The same rows in another order.
    pub(super) fn in_order(self, order: &[u32]) -> Self {
        fn pick<T: Copy>(column: &[T], order: &[u32]) -> Vec<T> {
            order.iter().map(|row| column[*row as usize]).collect()
        }
        let special: HashMap<u32, u32> = if self.vast_prices.is_empty() && self.duplicates.is_empty() {
            HashMap::new()
        } else {
            order.iter().enumerate().map(|(new, old)| (*old, new as u32)).collect()
        };
        let moved = |row: u32| special.get(&row).copied();
        Self {
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

    pub(super) fn heap_bytes(&self) -> usize {
        self.per_hour.capacity() * 8
            + self.flags.capacity()
            + self.count.capacity() * 13 * 4
            + self.vast_prices.capacity() * 24
            + self.duplicates.values().map(|id| id.len() + 24).sum::<usize>()
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
    pub periods: Symbols,
}

impl Texts {
    pub(super) fn heap_bytes(&self) -> usize {
        let Self { cards, raws, links, fabrics, providers, countries, regions, names, versions, periods } =
            self;
        [cards, raws, links, fabrics, providers, countries, regions, names, versions, periods]
            .iter()
            .map(|symbols| symbols.heap_bytes())
            .sum()
    }
}

/// Makes the offer of a row again.
pub(super) fn offer(
    row: usize,
    id: &str,
    profile: &Profile,
    billing: &Billing,
    rows: &Rows,
    texts: &Texts,
) -> Offer {
    let key = row as u32;
    let mut flags: Vec<Flag> = FLAGS
        .iter()
        .enumerate()
        .filter(|(bit, _)| rows.flags[row] & (1 << bit) != 0)
        .map(|(_, f)| f.clone())
        .collect();
    flags.extend(rows.duplicates.get(&key).map(|id| Flag::DuplicateOf(id.to_string())));
    Offer {
        id: id.to_owned(),
        provider: texts.providers.get(profile.provider).to_owned(),
        cloud: texts.providers.get(profile.cloud).to_owned(),
        source: profile.source,
        name: texts.names.get(rows.name[row]).to_owned(),
        form: profile.form,
        isolation: profile.isolation,
        gpu: OfferGpu {
            model: texts.cards.owned(profile.card),
            count: rows.count[row],
            fraction: widen(f32::from_bits(profile.fraction)),
            vram_gib: widen(f32::from_bits(profile.vram)),
            link: texts.links.owned(profile.own_link),
            raw_name: texts.raws.get(profile.raw).to_owned(),
        },
        fabric: texts.fabrics.owned(profile.fabric),
        vcpu: widen(rows.vcpu[row]),
        ram_gib: widen(rows.ram[row]),
        disk: Disk {
            included_gb: widen(f32::from_bits(billing.included)),
            max_gb: widen(rows.disk_max[row]),
        },
        net: Net { down_mbit_s: widen(rows.down[row]), up_mbit_s: widen(rows.up[row]) },
        driver: texts.versions.owned(rows.driver[row]),
        cuda: texts.versions.owned(rows.cuda[row]),
        reliability: widen(rows.reliability[row]),
        verified: profile.verified,
        place: Place {
            region: texts.regions.owned(rows.region[row]),
            country: texts.countries.owned(profile.country),
            seller: texts.countries.owned(profile.seller),
        },
        price: Price {
            kind: profile.kind,
            currency: profile.currency,
            per_hour: rows.vast_prices.get(&key).copied().unwrap_or_else(|| from_nanos(rows.per_hour[row])),
            term: texts.periods.owned(billing.term),
            increment_s: number(billing.increment_s),
            minimum_s: number(billing.minimum_s),
            storage_gb_month: amount(billing.storage),
            storage_stopped_gb_month: amount(billing.storage_stopped),
            egress_gb: amount(billing.egress),
            ingress_gb: amount(billing.ingress),
        },
        supply: Supply { state: profile.supply, count: number(rows.supply[row]) },
        flags,
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
