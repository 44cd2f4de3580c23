//! From offers to a board.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use foldhash::fast::RandomState;

use super::columns::{Billing, Period, Pointers, Profiles, Rows, Seller, Setting, Texts, Variant, narrow};
use super::symbols::{Interner, Symbol, Symbols};
use super::{Board, Facts, FeedMeta};
use crate::gpu::{self, Card};
use crate::money::Rates;
use crate::offer::{Form, Offer, Source};
use crate::policy::is_certified_by_region;
use crate::query::Holds;

/// Things kept once and spoken of by number.
#[derive(Debug)]
struct Numbered<T>(HashMap<T, u32, RandomState>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T: Hash + Eq> Numbered<T> {
    fn number(&mut self, thing: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(thing).or_insert(next)
    }

    fn in_order(self) -> Vec<T> {
        let mut pairs: Vec<(T, u32)> = self.0.into_iter().collect();
        pairs.sort_unstable_by_key(|(_, number)| *number);
        pairs.into_iter().map(|(thing, _)| thing).collect()
    }
}

/// Collects offers feed by feed.
///
/// Where a provider has a live feed with offers, the rows that price lists and catalogues have for the same provider
/// are left out: they are the same things, older.
#[derive(Debug, Default)]
pub struct BoardBuilder {
    rates: Rates,
    feeds: Vec<FeedMeta>,
    rows: Rows,
    /// Variant, seller, setting and country of each profile.
    profiles: Numbered<[u32; 4]>,
    profile_of: Vec<u32>,
    variants: Numbered<Variant>,
    sellers: Numbered<Seller>,
    settings: Numbered<Setting>,
    periods: Numbered<Period>,
    billings: Numbered<Billing>,
    ids: String,
    id_ends: Vec<u32>,
    cards: Interner,
    raws: Interner,
    links: Interner,
    fabrics: Interner,
    providers: Interner,
    countries: Interner,
    regions: Interner,
    names: Interner,
    versions: Interner,
    terms: Interner,
    pages: Interner,
}

impl BoardBuilder {
    /// An empty board-to-be. Prices are converted by these rates.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self { rates, ..Self::default() }
    }

    /// The offers pushed from now on belong to this feed.
    pub fn feed(&mut self, feed: FeedMeta) {
        self.feeds.push(feed);
    }

    /// Adds an offer of the current feed.
    pub fn push(&mut self, offer: &Offer) {
        self.add(offer, false);
    }

    /// Adds a quarantined offer of the current feed.
    pub fn push_quarantined(&mut self, offer: &Offer) {
        self.add(offer, true);
    }

    fn add(&mut self, offer: &Offer, quarantined: bool) {
        let place = &offer.place;
        let provider = self.providers.intern(&offer.provider);
        let card = self.cards.intern_some(offer.gpu.model.as_deref());
        let raw = self.raws.intern(&offer.gpu.raw_name);
        let own_link = self.links.intern_some(offer.gpu.link.as_deref());
        let certified_in = place.region.as_deref().filter(|_| is_certified_by_region(&offer.cloud));
        let seller = Seller {
            provider,
            cloud: self.providers.intern(&offer.cloud),
            country: self.countries.intern_some(place.seller.as_deref()),
            certified_in: self.regions.intern_some(certified_in),
            feed: self.feeds.len().saturating_sub(1) as u32,
            currency: offer.price.currency,
            kind: offer.price.kind,
            source: offer.source,
            quarantined,
        };
        let setting = Setting {
            fabric: self.fabrics.intern_some(offer.fabric.as_deref()),
            form: offer.form,
            isolation: offer.isolation,
            supply: offer.supply.state,
            verified: offer.verified,
        };
        let term = self.terms.intern_some(offer.price.term.as_deref());
        let period = self.periods.number(Period::of(offer, provider, term));
        let profile = [
            self.variants.number(Variant::of(offer, card, raw, own_link)),
            self.sellers.number(seller),
            self.settings.number(setting),
            self.countries.intern_some(place.country.as_deref()),
        ];
        self.profile_of.push(self.profiles.number(profile));
        let page = self.pages.intern_some(offer.price.page.as_deref());
        let to = Pointers {
            driver: self.versions.intern_some(offer.driver.as_deref()),
            cuda: self.versions.intern_some(offer.cuda.as_deref()),
            region: self.regions.intern_some(place.region.as_deref()),
            name: self.names.intern(&offer.name),
            billing: self.billings.number(Billing::of(offer, period, page)),
        };
        self.rows.push(offer, to);
        self.ids.push_str(&offer.id);
        self.id_ends.push(self.ids.len() as u32);
    }

    /// Puts everything in its final order.
    #[must_use]
    pub fn build(mut self) -> Board {
        let cards = self.cards.finish();
        let raws = self.raws.finish();
        let known: Vec<Option<Card>> = cards.table(None, gpu::card);
        let card_links: Vec<Symbol> = known
            .iter()
            .map(|card| self.links.intern_some(card.and_then(Card::link).map(|link| link.text)))
            .collect();
        let links = self.links.finish();

        let variants = self.variants.in_order();
        let sellers = self.sellers.in_order();
        let group_of = groups(&variants, &known, &cards, &raws);
        let facts = variants.iter().zip(&group_of).map(|(variant, group)| {
            let card = known[variant.card as usize];
            let own_link = links.some(variant.own_link);
            Facts {
                card,
                bandwidth: narrow(card.and_then(Card::bandwidth_gb_s)),
                tflops: tflops(card, variant.fraction()),
                link: if own_link.is_some() { variant.own_link } else { card_links[variant.card as usize] },
                nvlink: nvlink(card, own_link),
                group: *group,
            }
        });
        let facts: Vec<Facts> = facts.collect();

        let stays = staying(&sellers);
        let mut profiles: Vec<([u32; 4], u32)> = self.profiles.in_order().into_iter().zip(0..).collect();
        profiles.retain(|([_, seller, ..], _)| stays[*seller as usize]);
        profiles.sort_by_key(|([variant, ..], _)| group_of[*variant as usize]);
        let (order, profiles) = stand_together(&profiles, &self.profile_of, &self.rows);
        let groups = group_starts(profiles.variant.iter().map(|variant| group_of[*variant as usize]));
        let left_out = (self.rows.len() - order.len()) as u32;
        let rows = self.rows.in_order(&order);
        let in_quarantine =
            (0..profiles.len()).filter(|profile| sellers[profiles.seller[*profile] as usize].quarantined);
        let quarantined = in_quarantine.map(|profile| profiles.range(profile).len() as u32).sum();
        let settings = self.settings.in_order();
        let is_serverless = |profile: &usize| {
            settings[profiles.setting[*profile] as usize].form == Form::Serverless
                && !sellers[profiles.seller[*profile] as usize].quarantined
        };
        let serverless = (0..profiles.len()).filter(is_serverless);
        let serverless = serverless.map(|profile| profiles.range(profile).len() as u32).sum();
        let (ids, id_starts) = move_ids(&self.ids, &self.id_ends, &order);
        let by_id = sorted_ids(&ids, &id_starts);
        let mut id_ranks = vec![0; by_id.len()];
        for (rank, row) in by_id.iter().enumerate() {
            id_ranks[*row as usize] = rank as u32;
        }
        Board {
            rows,
            profiles,
            variants,
            facts,
            sellers,
            settings,
            periods: self.periods.in_order(),
            billings: self.billings.in_order(),
            texts: Texts {
                cards,
                raws,
                links,
                fabrics: self.fabrics.finish(),
                providers: self.providers.finish(),
                countries: self.countries.finish(),
                regions: self.regions.finish(),
                names: self.names.finish(),
                versions: self.versions.finish(),
                terms: self.terms.finish(),
                pages: self.pages.finish(),
            },
            groups,
            ids,
            id_starts,
            by_id,
            id_ranks,
            feeds: self.feeds,
            rates: self.rates,
            quarantined,
            serverless,
            left_out,
        }
    }
}

/// Whether the rows of each seller stay on the board.
fn staying(sellers: &[Seller]) -> Vec<bool> {
    let is_live = |seller: &&Seller| seller.source == Source::Live && !seller.quarantined;
    let live: HashSet<Symbol> = sellers.iter().filter(is_live).map(|seller| seller.provider).collect();
    let stays = |seller: &Seller| seller.source != Source::Catalogue || !live.contains(&seller.provider);
    sellers.iter().map(stays).collect()
}

/// The group of each variant: known cards by name, then unknown ones by their raw names.
fn groups(variants: &[Variant], known: &[Option<Card>], cards: &Symbols, raws: &Symbols) -> Vec<u32> {
    let key = |variant: &Variant| match known[variant.card as usize] {
        Some(_) => (0, cards.rank(variant.card)),
        None => (1, raws.rank(variant.raw)),
    };
    let mut keys: Vec<(u8, u32)> = variants.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    variants.iter().map(|variant| keys.partition_point(|known| *known < key(variant)) as u32).collect()
}

/// The order of rows in which those of each profile follow each other, the cheapest card first. Rows of profiles that
/// are not among these are left out. Each profile comes with the number its rows know it by.
fn stand_together(profiles: &[([u32; 4], u32)], profile_of: &[u32], rows: &Rows) -> (Vec<u32>, Profiles) {
    let known = profile_of.iter().max().map_or(0, |most| *most as usize + 1);
    let mut lengths = vec![0u32; known];
    for profile in profile_of {
        lengths[*profile as usize] += 1;
    }
    let mut standing = Profiles::default();
    let mut next = vec![None; known];
    let mut end = 0;
    for ([variant, seller, setting, country], number) in profiles {
        standing.variant.push(*variant);
        standing.seller.push(*seller);
        standing.setting.push(*setting);
        standing.country.push(*country);
        standing.start.push(end);
        next[*number as usize] = Some(end);
        end += lengths[*number as usize];
    }
    standing.start.push(end);
    let mut order = vec![0; end as usize];
    for (row, profile) in profile_of.iter().enumerate() {
        if let Some(place) = &mut next[*profile as usize] {
            order[*place as usize] = row as u32;
            *place += 1;
        }
    }
    for profile in 0..standing.len() {
        let own = &mut order[standing.range(profile)];
        own.sort_by(|a, b| rows.per_card[*a as usize].total_cmp(&rows.per_card[*b as usize]));
        let most = own.iter().map(|row| rows.count[*row as usize]).max();
        standing.most_cards.push(most.unwrap_or(0));
    }
    (order, standing)
}

/// Where each group begins among profiles in the order of their groups, and their number. Groups of which no profile
/// is left are empty.
fn group_starts(groups: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0];
    let mut profiles = 0;
    for group in groups {
        while starts.len() <= group as usize {
            starts.push(profiles);
        }
        profiles += 1;
    }
    starts.push(profiles);
    starts
}

fn move_ids(ids: &str, ends: &[u32], order: &[u32]) -> (String, Vec<u32>) {
    let mut moved = String::with_capacity(ids.len());
    let mut starts = Vec::with_capacity(order.len() + 1);
    starts.push(0);
    for row in order {
        let row = *row as usize;
        let start = row.checked_sub(1).map_or(0, |before| ends[before]);
        moved.push_str(&ids[start as usize..ends[row] as usize]);
        starts.push(moved.len() as u32);
    }
    (moved, starts)
}

fn sorted_ids(ids: &str, starts: &[u32]) -> Vec<u32> {
    let id = |row: u32| &ids[starts[row as usize] as usize..starts[row as usize + 1] as usize];
    let mut rows: Vec<u32> = (0..starts.len() as u32 - 1).collect();
    rows.sort_unstable_by(|a, b| id(*a).cmp(id(*b)).then(a.cmp(b)));
    rows
}

/// TFLOPS of what is rented of one card: a slice has its share of them.
fn tflops(card: Option<Card>, share: f32) -> f32 {
    let whole = narrow(card.and_then(Card::bf16_tflops));
    if share.is_nan() { whole } else { whole * share }
}

/// Whether the cards of a box talk over NVLink: as the offer says, else as the table does. Of a family it is known
/// where all candidates have it or none has.
fn nvlink(card: Option<Card>, own: Option<&str>) -> Holds {
    let own = own.map(str::to_lowercase).unwrap_or_default();
    if own.contains("nvlink") || own.contains("nvswitch") {
        return Holds::Yes;
    }
    if own.contains("pcie") {
        return Holds::No;
    }
    Holds::from(card.and_then(|card| card.shared(|model| model.link.map(|link| link.nvlink))))
}
