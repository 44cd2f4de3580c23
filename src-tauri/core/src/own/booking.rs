//! Who has which part of a server.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{HostCard, HostFacts};

/// Cards or slices of a server that somebody has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    /// Its number.
    pub id: i64,
    /// Which server.
    pub host: String,
    /// The mark of the rental.
    pub token: String,
    /// What it has: ids of cards or of slices.
    pub units: Vec<String>,
    /// Since when.
    pub begun_at: DateTime<Utc>,
    /// Until when; `None` = still.
    pub ended_at: Option<DateTime<Utc>>,
}

/// What is wanted of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// So many whole cards of one name.
    Cards {
        /// As the driver names them.
        name: String,
        /// How many.
        count: u32,
    },
    /// One slice.
    Slice {
        /// The card's name.
        name: String,
        /// The profile.
        profile: String,
    },
}

/// Cards that nobody has, neither whole nor in part.
pub(super) fn free_cards<'f>(facts: &'f HostFacts, taken: &BTreeSet<&str>, name: &str) -> Vec<&'f HostCard> {
    let whole = facts.cards.iter().filter(|card| card.name == name && !card.divided);
    whole.filter(|card| !taken.contains(card.id.as_str())).collect()
}

/// Slices of this profile that nobody has.
pub(super) fn free_slices<'f>(
    facts: &'f HostFacts,
    taken: &BTreeSet<&str>,
    name: &str,
    profile: &str,
) -> Vec<&'f str> {
    let divided = facts.cards.iter().filter(|card| card.name == name && card.divided);
    divided
        // Somebody has had the whole card since before it was divided.
        .filter(|card| !taken.contains(card.id.as_str()))
        .flat_map(|card| &card.slices)
        .filter(|slice| slice.profile == profile && !taken.contains(slice.id.as_str()))
        .map(|slice| slice.id.as_str())
        .collect()
}

/// Chooses what a booking gets, out of what nobody has; `None` = there is not enough left. Among cards, those with the
/// most direct links between them.
#[must_use]
pub fn pick(facts: &HostFacts, booked: &[Booking], want: &Want) -> Option<Vec<String>> {
    let taken: BTreeSet<&str> = booked.iter().flat_map(|b| b.units.iter().map(String::as_str)).collect();
    match want {
        Want::Slice { name, profile } => {
            free_slices(facts, &taken, name, profile).first().map(|id| vec![(*id).to_owned()])
        }
        Want::Cards { name, count } => {
            let free = free_cards(facts, &taken, name);
            let count = usize::try_from(*count).ok().filter(|count| (1..=free.len()).contains(count))?;
            let mut best: Option<(usize, Vec<&HostCard>)> = None;
            for first in &free {
                let (total, chosen) = grown(facts, &free, first, count);
                if best.as_ref().is_none_or(|(most, _)| total > *most) {
                    best = Some((total, chosen));
                }
            }
            let (_, mut chosen) = best?;
            chosen.sort_by_key(|card| card.index);
            Some(chosen.iter().map(|card| card.id.clone()).collect())
        }
    }
}

/// So many cards round a first one, each with the most direct links to those chosen before it, and how many links they
/// have between them.
fn grown<'f>(
    facts: &HostFacts,
    free: &[&'f HostCard],
    first: &'f HostCard,
    count: usize,
) -> (usize, Vec<&'f HostCard>) {
    let links = |chosen: &[&HostCard], card: &HostCard| {
        chosen.iter().filter(|other| facts.linked(other.index, card.index)).count()
    };
    let (mut chosen, mut total) = (vec![first], 0);
    while chosen.len() < count {
        let rest = free.iter().filter(|card| chosen.iter().all(|other| other.id != card.id));
        // Of equals the one with the lowest number.
        let best = rest.min_by_key(|card| (std::cmp::Reverse(links(&chosen, card)), card.index));
        let Some(best) = best else { break };
        total += links(&chosen, best);
        chosen.push(*best);
    }
    (total, chosen)
}

/// Share of a server that was booked between two moments, 0 to 1, by card and hour; `None` where there is no hour or no
/// card. A slice counts as its share of the card's compute, or evenly where the table of profiles does not tell.
#[must_use]
pub fn utilisation(
    facts: &HostFacts,
    bookings: &[Booking],
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Option<f64> {
    let span = to - from;
    if facts.cards.is_empty() || span <= TimeDelta::zero() {
        return None;
    }
    let ms = |time: TimeDelta| {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of some years")]
        let ms = time.num_milliseconds() as f64;
        ms
    };
    let of = |booking: &Booking| {
        let begin = booking.begun_at.max(from);
        let end = booking.ended_at.unwrap_or(to).min(to);
        let cards: f64 = booking.units.iter().map(|unit| cards_of(facts, unit)).sum();
        cards * ms((end - begin).max(TimeDelta::zero()))
    };
    let used: f64 = bookings.iter().map(of).sum();
    #[expect(clippy::cast_precision_loss, reason = "cards of one machine")]
    let all = facts.cards.len() as f64 * ms(span);
    Some((used / all).clamp(0.0, 1.0))
}

/// How much of a card a unit is.
pub(super) fn cards_of(facts: &HostFacts, unit: &str) -> f64 {
    for card in &facts.cards {
        if card.id == unit {
            return 1.0;
        }
        if let Some(slice) = card.slices.iter().find(|slice| slice.id == unit) {
            #[expect(clippy::cast_precision_loss, reason = "slices of one card")]
            let even = 1.0 / card.slices.len() as f64;
            return card.share(slice).compute.unwrap_or(even);
        }
    }
    // A card or slice that is there no more was there when it was booked.
    1.0
}
