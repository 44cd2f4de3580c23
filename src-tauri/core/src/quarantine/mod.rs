//! Keeps impossible rows out of the table without losing them: every row a source sent is used, known to be no GPU,
//! or set aside with a reason a person can read.
//!
//! An adapter reads each row of its source into a [`Row`] and hands all of them to [`settle`], which judges each
//! offer alone ([`judge`]), then against its neighbours in the feed (duplicates, prices far from the card's median),
//! and gives back counts that always sum.

mod peers;
mod rules;

use chrono::{DateTime, Utc};

use crate::feed::{FeedName, Fetched, Quarantined, Reason, ReasonCode};
use crate::gpu;
use crate::offer::{Flag, Offer};

pub use rules::{judge, price};

/// One row of a source, as far as the adapter could read it.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// The row holds these offers (one, or one a price kind).
    Offers {
        /// Where it stood: `aws.csv line 1841`, `ask 31881234`.
        origin: String,
        /// What it offers.
        offers: Vec<Offer>,
    },
    /// The row is no GPU at all.
    NotGpu,
    /// The adapter itself found the row to be unusable.
    Bad(Quarantined),
}

impl Row {
    /// A row that cannot be used, with nothing made of it.
    #[must_use]
    pub fn bad(origin: impl Into<String>, code: ReasonCode, detail: impl Into<String>) -> Self {
        Self::Bad(Quarantined {
            reason: Reason { code, detail: detail.into() },
            origin: origin.into(),
            offer: None,
        })
    }
}

/// What [`settle`] made of the rows: `rows_read = rows_used + rows_not_gpu + quarantined.len()`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settled {
    /// The offers of the used rows, in the order of the source.
    pub offers: Vec<Offer>,
    /// Rows kept out.
    pub quarantined: Vec<Quarantined>,
    /// Rows the source sent.
    pub rows_read: u64,
    /// Rows of which at least one offer is used.
    pub rows_used: u64,
    /// Rows that are no GPU.
    pub rows_not_gpu: u64,
    /// Things worth telling that cost no row.
    pub notes: Vec<String>,
}

impl Settled {
    /// The same as the answer of one fetch. `origin` is said to people, `as_of` is when the source said it.
    #[must_use]
    pub fn into_fetched(self, feed: FeedName, origin: impl Into<String>, as_of: DateTime<Utc>) -> Fetched {
        Fetched {
            feed,
            origin: origin.into(),
            as_of,
            offers: self.offers,
            quarantined: self.quarantined,
            rows_read: self.rows_read,
            rows_used: self.rows_used,
            rows_not_gpu: self.rows_not_gpu,
            notes: self.notes,
        }
    }
}

/// An offer on trial.
struct Case {
    /// Index of its row among the rows with offers.
    row: usize,
    offer: Offer,
    reason: Option<Reason>,
}

/// Judges the rows of one feed together. Flags that follow from the offer itself (`country-unknown`,
/// `model-unknown`, `vram-contradicts-model`, `price-suspect`) are set here, so that adapters need not.
///
/// A row of two offers of which one is impossible counts as used; the other is left out and told in the notes.
#[must_use]
pub fn settle(rows: impl IntoIterator<Item = Row>) -> Settled {
    let mut settled = Settled::default();
    let mut origins = Vec::new();
    let mut cases: Vec<Case> = Vec::new();
    for row in rows {
        settled.rows_read += 1;
        match row {
            Row::NotGpu => settled.rows_not_gpu += 1,
            Row::Bad(quarantined) => settled.quarantined.push(quarantined),
            Row::Offers { origin, offers } if offers.is_empty() => settled.quarantined.push(Quarantined {
                reason: Reason {
                    code: ReasonCode::PriceMissing,
                    detail: "the row gives no price".to_owned(),
                },
                origin,
                offer: None,
            }),
            Row::Offers { origin, offers } => {
                cases.extend(offers.into_iter().map(|offer| Case {
                    row: origins.len(),
                    reason: judge(&offer),
                    offer,
                }));
                origins.push(origin);
            }
        }
    }
    peers::mark_duplicates(&mut cases, &origins);
    peers::mark_outliers(&mut cases);
    let mut notes = Notes::default();
    share_out(cases, origins, &mut settled, &mut notes);
    settled.notes = notes.sentences();
    settled
}

fn share_out(cases: Vec<Case>, origins: Vec<String>, settled: &mut Settled, notes: &mut Notes) {
    let mut cases = cases.into_iter().peekable();
    for (row, origin) in origins.into_iter().enumerate() {
        let mut used = false;
        let mut refused: Option<(Reason, Offer)> = None;
        while let Some(mut case) = cases.next_if(|case| case.row == row) {
            set_flags(&mut case);
            match case.reason {
                None => {
                    used = true;
                    notes.kept(&case.offer);
                    settled.offers.push(case.offer);
                }
                Some(reason) => {
                    refused.get_or_insert((reason, case.offer));
                }
            }
        }
        match refused {
            Some((reason, _)) if used => notes.left_out(&origin, &reason),
            Some((reason, offer)) => {
                settled.quarantined.push(Quarantined { reason, origin, offer: Some(offer) });
            }
            None => {}
        }
        settled.rows_used += u64::from(used);
    }
}

fn set_flags(case: &mut Case) {
    let offer = &mut case.offer;
    let mut flags = std::mem::take(&mut offer.flags);
    if offer.place.country.is_none() {
        flags.push(Flag::CountryUnknown);
    }
    if offer.gpu.model.is_none() && !offer.sells_tokens() {
        flags.push(Flag::ModelUnknown);
    }
    if rules::vram_is_odd(offer) {
        flags.push(Flag::VramContradictsModel);
    }
    match case.reason.as_ref().map(|reason| reason.code) {
        Some(
            ReasonCode::PriceMissing
            | ReasonCode::PriceImpossible
            | ReasonCode::PriceAbsurd
            | ReasonCode::IncompletePrice
            | ReasonCode::Expired,
        ) => flags.push(Flag::PriceSuspect),
        // A total for a number of cards that cannot be says nothing of one card.
        Some(ReasonCode::CountImpossible) => flags.push(Flag::PriceSuspect),
        Some(ReasonCode::Duplicate) => flags.push(Flag::DuplicateOf(offer.id.clone())),
        _ => {}
    }
    flags.sort_unstable();
    flags.dedup();
    offer.flags = flags;
}

/// Collects what is worth telling, so that a thousand rows with the same trouble make one sentence.
#[derive(Default)]
struct Notes {
    unknown_cards: Vec<String>,
    without_country: u64,
    left_out: u64,
    first_left_out: Option<String>,
}

impl Notes {
    fn kept(&mut self, offer: &Offer) {
        let is_unknown = offer.gpu.model.is_none() && !offer.sells_tokens();
        if is_unknown && !self.unknown_cards.contains(&offer.gpu.raw_name) {
            self.unknown_cards.push(offer.gpu.raw_name.clone());
        }
        self.without_country += u64::from(offer.place.country.is_none());
    }

    fn left_out(&mut self, origin: &str, reason: &Reason) {
        self.left_out += 1;
        self.first_left_out.get_or_insert_with(|| format!("{origin}: {}", reason.detail));
    }

    fn sentences(self) -> Vec<String> {
        let mut sentences = Vec::new();
        if !self.unknown_cards.is_empty() {
            sentences.push(format!(
                "cards not in the GPU table, kept as named: {}",
                self.unknown_cards.join(", ")
            ));
        }
        if self.without_country > 0 {
            sentences.push(format!("offers whose country cannot be proved: {}", self.without_country));
        }
        if let Some(first) = self.first_left_out {
            sentences
                .push(format!("rows used without one of their prices: {} (first: {first})", self.left_out));
        }
        sentences
    }
}

/// The card of an offer, where the GPU table knows it.
fn card(offer: &Offer) -> Option<gpu::Card> {
    gpu::card(offer.gpu.model.as_deref()?)
}

#[cfg(test)]
mod tests;
