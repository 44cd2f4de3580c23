//! From offers to a board.

use std::collections::{HashMap, HashSet};

use super::columns::{Billing, Profile, RowSymbols, Rows, Texts, narrow};
use super::symbols::{Interner, Symbol};
use super::{Board, Facts, FeedMeta};
use crate::gpu::{self, Card};
use crate::money::Rates;
use crate::offer::{Offer, Source};
use crate::query::Holds;

/// Collects offers feed by feed.
///
/// Where a provider has a live feed with offers, the rows that price lists and catalogues have for the same provider
/// are left out: they are the same things, older.
#[derive(Debug)]
pub struct BoardBuilder {
    rates: Rates,
    feeds: Vec<FeedMeta>,
    profiles: HashMap<Profile, u32>,
    profile_of: Vec<u32>,
    billings: HashMap<Billing, u32>,
    rows: Rows,
    ids: String,
    id_starts: Vec<u32>,
    cards: Interner,
    raws: Interner,
    links: Interner,
    fabrics: Interner,
    providers: Interner,
    countries: Interner,
    regions: Interner,
    names: Interner,
    versions: Interner,
    periods: Interner,
}

impl BoardBuilder {
    /// An empty board-to-be. Prices are converted by these rates.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            feeds: Vec::new(),
            profiles: HashMap::new(),
            profile_of: Vec::new(),
            billings: HashMap::new(),
            rows: Rows::default(),
            ids: String::new(),
            id_starts: vec![0],
            cards: Interner::default(),
            raws: Interner::default(),
            links: Interner::default(),
            fabrics: Interner::default(),
            providers: Interner::default(),
            countries: Interner::default(),
            regions: Interner::default(),
            names: Interner::default(),
            versions: Interner::default(),
            periods: Interner::default(),
        }
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
        let provider = self.providers.intern(&offer.provider);
        let profile = Profile {
            card: self.cards.intern_some(offer.gpu.model.as_deref()),
            raw: self.raws.intern(&offer.gpu.raw_name),
            own_link: self.links.intern_some(offer.gpu.link.as_deref()),
            fabric: self.fabrics.intern_some(offer.fabric.as_deref()),
            provider,
            cloud: self.providers.intern(&offer.cloud),
            country: self.countries.intern_some(offer.place.country.as_deref()),
            seller: self.countries.intern_some(offer.place.seller.as_deref()),
            feed: self.feeds.len().saturating_sub(1) as u32,
            vram: narrow(offer.gpu.vram_gib).to_bits(),
            fraction: narrow(offer.gpu.fraction).to_bits(),
            currency: offer.price.currency,
            form: offer.form,
            isolation: offer.isolation,
            kind: offer.price.kind,
            source: offer.source,
            supply: offer.supply.state,
            verified: offer.verified,
            quarantined,
        };
        let next = self.profiles.len() as u32;
        self.profile_of.push(*self.profiles.entry(profile).or_insert(next));
        let term = self.periods.intern_some(offer.price.term.as_deref());
        let next = self.billings.len() as u32;
        let billing = *self.billings.entry(Billing::of(offer, provider, term)).or_insert(next);
        let symbols = RowSymbols {
            driver: self.versions.intern_some(offer.driver.as_deref()),
            cuda: self.versions.intern_some(offer.cuda.as_deref()),
            region: self.regions.intern_some(offer.place.region.as_deref()),
            name: self.names.intern(&offer.name),
            billing,
        };
        self.rows.push(offer, symbols);
        self.ids.push_str(&offer.id);
        self.id_starts.push(self.ids.len() as u32);
    }

    /// Puts everything in its final order.
    #[must_use]
    pub fn build(mut self) -> Board {
        let raw_profiles = in_order(self.profiles);
        let live: HashSet<Symbol> = raw_profiles
            .iter()
            .filter(|profile| profile.source == Source::Live && !profile.quarantined)
            .map(|profile| profile.provider)
            .collect();
        let stays =
            |profile: &Profile| profile.source != Source::Catalogue || !live.contains(&profile.provider);

        let cards = self.cards.finish();
        let raws = self.raws.finish();
        let known: Vec<Option<Card>> = cards.table(None, gpu::card);
        let card_links: Vec<Symbol> = known
            .iter()
            .map(|card| self.links.intern_some(card.and_then(Card::link).map(|link| link.text)))
            .collect();
        let links = self.links.finish();

        // Rows of a card stand together, so that a group is a stretch of rows; within it, rows of a profile.
        let group_key = |profile: &Profile| match known[profile.card as usize] {
            Some(_) => (0, cards.rank(profile.card)),
            None => (1, raws.rank(profile.raw)),
        };
        let all = 0..raw_profiles.len() as u32;
        let mut places: Vec<u32> = all.filter(|index| stays(&raw_profiles[*index as usize])).collect();
        places.sort_by_cached_key(|index| group_key(&raw_profiles[*index as usize]));
        let profiles: Vec<Profile> = places.iter().map(|index| raw_profiles[*index as usize]).collect();

        let (order, starts) = stand_together(&self.profile_of, &places, raw_profiles.len());
        let mut facts: Vec<Facts> = Vec::with_capacity(profiles.len());
        for (index, profile) in profiles.iter().enumerate() {
            let range = starts[index] as usize..starts[index + 1] as usize;
            let most = order[range].iter().map(|row| self.rows.count[*row as usize]).max();
            let group = match (facts.last(), index.checked_sub(1).map(|last| group_key(&profiles[last]))) {
                (Some(last), Some(key)) if key == group_key(profile) => last.group,
                (Some(last), _) => last.group + 1,
                (None, _) => 0,
            };
            let card = known[profile.card as usize];
            let own_link = links.some(profile.own_link);
            facts.push(Facts {
                start: starts[index],
                card,
                bandwidth: narrow(card.and_then(Card::bandwidth_gb_s)),
                tflops: tflops(card, f32::from_bits(profile.fraction)),
                link: if own_link.is_some() { profile.own_link } else { card_links[profile.card as usize] },
                nvlink: nvlink(card, own_link),
                most_cards: most.unwrap_or(0),
                group,
            });
        }

        let (ids, id_starts) = move_ids(&self.ids, &self.id_starts, &order);
        let id = |row: u32| &ids[id_starts[row as usize] as usize..id_starts[row as usize + 1] as usize];
        let mut by_id: Vec<u32> = (0..order.len() as u32).collect();
        by_id.sort_unstable_by(|a, b| id(*a).cmp(id(*b)).then(a.cmp(b)));
        let mut id_ranks = vec![0; order.len()];
        for (rank, row) in by_id.iter().enumerate() {
            id_ranks[*row as usize] = rank as u32;
        }
        let mut currencies: Vec<_> = profiles.iter().map(|profile| profile.currency).collect();
        currencies.sort_unstable();
        currencies.dedup();
        let in_quarantine = profiles.iter().zip(starts.windows(2)).filter(|(profile, _)| profile.quarantined);
        Board {
            quarantined: in_quarantine.map(|(_, rows)| rows[1] - rows[0]).sum(),
            left_out: (self.profile_of.len() - order.len()) as u32,
            profiles,
            facts,
            billings: in_order(self.billings),
            rows: self.rows.in_order(&order),
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
                periods: self.periods.finish(),
            },
            ids,
            id_starts,
            by_id,
            id_ranks,
            feeds: self.feeds,
            currencies,
            rates: self.rates,
        }
    }
}

/// The keys of a map of numbers, by their number.
fn in_order<T>(map: HashMap<T, u32>) -> Vec<T> {
    let mut pairs: Vec<(T, u32)> = map.into_iter().collect();
    pairs.sort_unstable_by_key(|(_, number)| *number);
    pairs.into_iter().map(|(key, _)| key).collect()
}

/// The order of rows in which those of each profile in `places` follow each other, and where each begins (and the
/// last ends). Rows of profiles that have no place are left out.
fn stand_together(profile_of: &[u32], places: &[u32], profiles: usize) -> (Vec<u32>, Vec<u32>) {
    let mut lengths = vec![0u32; profiles];
    for profile in profile_of {
        lengths[*profile as usize] += 1;
    }
    let mut starts = Vec::with_capacity(places.len() + 1);
    let mut next = vec![u32::MAX; profiles];
    let mut end = 0;
    for profile in places {
        starts.push(end);
        next[*profile as usize] = end;
        end += lengths[*profile as usize];
    }
    starts.push(end);
    let mut order = vec![0; end as usize];
    for (row, profile) in profile_of.iter().enumerate() {
        let place = &mut next[*profile as usize];
        if *place != u32::MAX {
            order[*place as usize] = row as u32;
            *place += 1;
        }
    }
    (order, starts)
}

fn move_ids(ids: &str, starts: &[u32], order: &[u32]) -> (String, Vec<u32>) {
    let mut moved = String::with_capacity(ids.len());
    let mut moved_starts = Vec::with_capacity(order.len() + 1);
    moved_starts.push(0);
    for row in order {
        let row = *row as usize;
        moved.push_str(&ids[starts[row] as usize..starts[row + 1] as usize]);
        moved_starts.push(moved.len() as u32);
    }
    (moved, moved_starts)
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
