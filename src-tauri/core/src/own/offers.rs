//! From a server to the offers it makes: the whole machine, parts of it that can be booked beside each other, and the
//! slices of divided cards.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::booking::{free_cards, free_slices};
use super::{Booking, CostUnknown, Health, HostCard, HostFacts, OwnHost, PROVIDER, Want};
use crate::gpu::{self, Hints};
use crate::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Price, PriceKind, Source, Supply, SupplyState,
};

/// The offers of a server, each with what it would take of it. A server that is not well keeps its offers, and none of
/// them can be had.
///
/// # Errors
/// [`CostUnknown`]: an offer without a price is none.
pub fn offers(
    host: &OwnHost,
    facts: &HostFacts,
    health: Health,
    booked: &[Booking],
    today: NaiveDate,
) -> Result<Vec<(Offer, Want)>, CostUnknown> {
    let server = Server {
        host,
        facts,
        well: health == Health::Ok,
        taken: booked.iter().flat_map(|b| b.units.iter().map(String::as_str)).collect(),
        per_card: host.cost.per_hour(today)? / Decimal::from(facts.cards.len().max(1)),
    };
    let mut names: Vec<&str> = facts.cards.iter().map(|card| card.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mixed = names.len() > 1;
    let mut offers = Vec::new();
    for name in names {
        let tag = if mixed { format!("{}:", plain(name)) } else { String::new() };
        offers.extend(server.whole_cards(name, &tag));
        offers.extend(server.slices(name, &tag));
    }
    Ok(offers)
}

/// A card's name as a part of an id.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

struct Server<'a> {
    host: &'a OwnHost,
    facts: &'a HostFacts,
    well: bool,
    taken: BTreeSet<&'a str>,
    /// The server's hour, shared evenly among its cards.
    per_card: Decimal,
}

impl Server<'_> {
    /// Powers of two, and all of them.
    fn whole_cards(&self, name: &str, tag: &str) -> Vec<(Offer, Want)> {
        let cards: Vec<&HostCard> =
            self.facts.cards.iter().filter(|card| card.name == name && !card.divided).collect();
        let Ok(all) = u32::try_from(cards.len()) else { return Vec::new() };
        let free = u32::try_from(free_cards(self.facts, &self.taken, name).len()).unwrap_or(0);
        let mut counts: Vec<u32> =
            (0..).map(|power| 1_u32 << power).take_while(|count| *count < all).collect();
        counts.extend((all > 0).then_some(all));
        let indices: Vec<u32> = cards.iter().map(|card| card.index).collect();
        let Some(first) = cards.first() else { return Vec::new() };
        let offer = |count: u32| {
            let whole = count as usize == self.facts.cards.len();
            let mut offer = self.offer(first, format!("{tag}{count}x"), self.per_card * Decimal::from(count));
            offer.gpu.count = count;
            offer.gpu.link = (count > 1).then(|| self.link(first, &indices)).flatten();
            offer.supply = self.supply(free / count);
            if whole {
                offer.vcpu = self.facts.cores.map(f64::from);
                offer.ram_gib = self.facts.ram_gib;
            }
            (offer, Want::Cards { name: name.to_owned(), count })
        };
        counts.into_iter().map(offer).collect()
    }

    /// The link as it was read, where it says something else than the card's own table. Of cards that are only linked
    /// in part the least is promised, although a booking gets linked ones where they are free.
    fn link(&self, card: &HostCard, indices: &[u32]) -> Option<String> {
        let linked = self.facts.all_linked(indices)?;
        let table = resolved(card).and_then(|card| card.shared(|model| model.link.map(|link| link.nvlink)));
        match (linked, table) {
            (true, Some(false)) if !card.name.contains("AMD") => Some("NVLink".to_owned()),
            (false, Some(true) | None) => Some("PCIe".to_owned()),
            _ => None,
        }
    }

    fn slices(&self, name: &str, tag: &str) -> Vec<(Offer, Want)> {
        let divided = self.facts.cards.iter().filter(|card| card.name == name && card.divided);
        // One offer a profile; of cards that are cut differently each slice costs by the fullest of them.
        let mut profiles: BTreeMap<&str, (&HostCard, f64, f64, f64)> = BTreeMap::new();
        for card in divided {
            let weights: Vec<Option<f64>> = card
                .slices
                .iter()
                .map(|slice| {
                    let share = card.share(slice);
                    share.compute.zip(share.bandwidth).map(|(compute, memory)| compute.max(memory))
                })
                .collect();
            // Slices that fill a card cost together what the card costs.
            let over = weights.iter().flatten().sum::<f64>().max(1.0);
            for (slice, weight) in card.slices.iter().zip(weights) {
                let share = card.share(slice);
                if let (Some(weight), Some(compute), Some(memory)) = (weight, share.compute, share.memory_gib)
                {
                    profiles.entry(&slice.profile).or_insert((card, weight / over, compute, memory));
                }
            }
        }
        let offer = |(profile, (card, part, compute, memory)): (&str, (&HostCard, f64, f64, f64))| {
            let price = self.per_card * Decimal::from_f64(part)?.round_dp(6);
            let mut offer = self.offer(card, format!("{tag}mig-{profile}"), price);
            offer.form = Form::Fraction;
            offer.gpu.fraction = Some(compute);
            offer.gpu.vram_gib = Some(memory);
            offer.gpu.raw_name = format!("{} MIG {profile}", card.name);
            let free = free_slices(self.facts, &self.taken, name, profile).len();
            offer.supply = self.supply(u32::try_from(free).unwrap_or(0));
            Some((offer, Want::Slice { name: name.to_owned(), profile: profile.to_owned() }))
        };
        profiles.into_iter().filter_map(offer).collect()
    }

    fn supply(&self, free: u32) -> Supply {
        match free {
            count if self.well && count > 0 => Supply { state: SupplyState::InStock, count: Some(count) },
            _ => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        }
    }

    fn offer(&self, card: &HostCard, part: String, per_hour: Decimal) -> Offer {
        let host = self.host;
        Offer {
            id: format!("{PROVIDER}:{}:{part}", host.alias),
            provider: PROVIDER.to_owned(),
            cloud: PROVIDER.to_owned(),
            source: Source::Own,
            name: host.alias.clone(),
            form: Form::Own,
            // Whoever has the other cards is one of the team: no stranger is on the iron.
            isolation: Isolation::DedicatedHost,
            gpu: OfferGpu {
                model: resolved(card).map(|card| card.name().to_owned()),
                count: 1,
                fraction: None,
                vram_gib: card.memory_gib(),
                link: None,
                raw_name: card.name.clone(),
            },
            fabric: None,
            vcpu: None,
            ram_gib: None,
            disk: Disk::default(),
            net: Net::default(),
            driver: self.facts.driver.clone(),
            cuda: self.facts.cuda.clone(),
            reliability: None,
            verified: None,
            place: host.place.clone(),
            price: Price {
                kind: PriceKind::OnDemand,
                currency: host.cost.currency,
                per_hour: crate::money::kept(per_hour),
                term: None,
                increment_s: Some(1),
                minimum_s: Some(0),
                // Its own disk is part of what was bought.
                storage_gb_month: Some(Decimal::ZERO),
                storage_stopped_gb_month: None,
                egress_gb: None,
                ingress_gb: None,
                meter: None,
                page: None,
            },
            supply: Supply { state: SupplyState::Unknown, count: None },
            flags: Vec::new(),
        }
    }
}

fn resolved(card: &HostCard) -> Option<gpu::Card> {
    let vram_gib = card.memory_mib.and_then(|mib| u32::try_from(mib).ok()).map(|mib| f64::from(mib) / 1024.0);
    gpu::resolve(&card.name, &Hints { vram_gib, ..Hints::default() }).card()
}
