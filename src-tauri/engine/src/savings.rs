//! What the work of a period would have cost at another offer on the board: the same cards, as many of them, cheaper
//! elsewhere or on spot, and what that would have risked.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gpudesk_core::board::{Board, Sort, View};
use gpudesk_core::money::{Currency, Rates};
use gpudesk_core::offer::{Flag, Isolation, Offer, PriceKind, Source, SupplyState};
use gpudesk_core::policy::{Policy, Subject, Verdict};
use gpudesk_core::query;
use gpudesk_core::rental::{Meter, Rental};
use gpudesk_core::spend::{Period, spent};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::DeskError;
use crate::desk::Desk;

/// Below this share of what was paid, and below a cent, nobody moves.
const LEAST_PERCENT: i64 = 5;
const LEAST: Decimal = Decimal::from_parts(1, 0, 0, false, 2);
/// What ran for less than an hour says nothing: its seller's least time is most of it.
const LEAST_S: i64 = 3_600;
/// So many of the cheapest rows are looked at for one that a policy allows.
const CHEAPEST: usize = 400;
/// More are not read.
const MOST: usize = 20;

/// The same work at another offer.
#[derive(Debug, Clone, PartialEq)]
pub struct Saving {
    /// `spot` or `elsewhere`.
    pub kind: &'static str,
    /// Rental id.
    pub rental: String,
    /// The rental's name.
    pub name: String,
    /// The offer, as it stands now.
    pub offer: Offer,
    /// How much less its cards would have cost, in the display currency.
    pub amount: Decimal,
    /// Hours that are compared.
    pub hours: f64,
    /// What the other offer risks and the rented machine does not: `taken-back`, `shared-host`, `private-host`,
    /// `other-country`, `not-in-stock`.
    pub risks: Vec<&'static str>,
}

/// What is compared with what.
pub(crate) struct Compared<'a> {
    pub rentals: &'a [Rental],
    pub period: Period,
    pub currency: Currency,
    pub rates: &'a Rates,
    pub now: DateTime<Utc>,
}

impl Desk {
    /// Savings on the rentals of a period, the largest first. An offer that the project's policy does not allow is none.
    ///
    /// # Errors
    /// When the board or the database cannot be read.
    pub(crate) async fn savings(&self, compared: &Compared<'_>) -> Result<Vec<Saving>, DeskError> {
        let snapshot = self.snapshot().await?;
        let mut policies: HashMap<Option<String>, Option<Policy>> = HashMap::new();
        let mut cheapest = HashMap::new();
        let mut savings = Vec::new();
        for rental in compared.rentals {
            let Some(paid) = Paid::of(rental, compared) else { continue };
            let project = rental.record.project.clone();
            if !policies.contains_key(&project) {
                policies.insert(project.clone(), self.policy_of(project.as_deref()).await?);
            }
            let policy = policies.get(&project).and_then(Option::as_ref);
            for kind in paid.kinds() {
                let key = (paid.model.to_owned(), paid.offer.gpu.count, kind, project.clone());
                let found = cheapest.entry(key).or_insert_with(|| {
                    cheapest_on(&snapshot.board, &paid, kind, policy, (compared.currency, compared.now))
                });
                savings.extend(found.as_ref().and_then(|offer| paid.saving(rental, offer, compared)));
            }
        }
        savings.sort_by(|a, b| b.amount.cmp(&a.amount).then_with(|| a.rental.cmp(&b.rental)));
        savings.truncate(MOST);
        Ok(savings)
    }
}

/// What was paid for the cards of one rental.
struct Paid<'a> {
    offer: &'a Offer,
    model: &'a str,
    hours: Decimal,
    /// In the display currency.
    amount: Decimal,
}

impl<'a> Paid<'a> {
    /// `None` where nothing can be compared: a machine without an offer, a part of a card, an unknown card or price, a
    /// time too short.
    fn of(rental: &'a Rental, compared: &Compared<'_>) -> Option<Self> {
        let offer = rental.record.offer.as_ref()?;
        let model = offer.gpu.model.as_deref().filter(|_| offer.gpu.fraction.is_none())?;
        let (from, to) = (compared.period.from, compared.period.to.min(compared.now));
        let seconds: i64 = rental
            .intervals
            .iter()
            .filter(|interval| interval.kind == Meter::Compute)
            .map(|i| (i.to.unwrap_or(to).min(to) - i.from.max(from)).num_seconds().max(0))
            .sum();
        let spent = spent(rental, compared.period, compared.now)?;
        let rate = compared.rates.quote(rental.currency()?, compared.currency)?.rate;
        let is_known = seconds >= LEAST_S && !spent.unknown.contains(&Meter::Compute);
        is_known.then(|| Self {
            offer,
            model,
            hours: Decimal::from(seconds) / Decimal::from(3600),
            amount: spent.compute * rate,
        })
    }

    /// Price kinds it is compared with. What was rented for a term was not rented by the hour.
    fn kinds(&self) -> Vec<PriceKind> {
        match self.offer.price.kind {
            PriceKind::OnDemand => vec![PriceKind::OnDemand, PriceKind::Spot],
            PriceKind::Spot | PriceKind::Bid => vec![PriceKind::Spot],
            PriceKind::Reserved => Vec::new(),
        }
    }

    fn saving(&self, rental: &Rental, offer: &Offer, compared: &Compared<'_>) -> Option<Saving> {
        let rate = compared.rates.quote(offer.price.currency, compared.currency)?.rate;
        let amount = self.amount - offer.price.per_hour * rate * self.hours;
        let is_worth_it =
            amount >= LEAST && amount * Decimal::ONE_HUNDRED >= self.amount * Decimal::from(LEAST_PERCENT);
        let was_spot = self.offer.price.kind != PriceKind::OnDemand;
        let is_spot = offer.price.kind == PriceKind::Spot && !was_spot;
        if !is_worth_it {
            return None;
        }
        Some(Saving {
            kind: if is_spot { "spot" } else { "elsewhere" },
            rental: rental.record.id.clone(),
            name: rental.record.name.clone(),
            offer: offer.clone(),
            amount,
            hours: self.hours.to_f64()?,
            risks: self.risks(offer, is_spot),
        })
    }

    fn risks(&self, other: &Offer, is_spot: bool) -> Vec<&'static str> {
        let weaker = |of: fn(&Offer) -> bool| of(other) && !of(self.offer);
        let country = other.place.country.as_ref();
        let mut risks = Vec::new();
        let mut risk = |is: bool, word| is.then(|| risks.push(word));
        risk(is_spot, "taken-back");
        risk(weaker(|offer| offer.isolation == Isolation::SharedHost), "shared-host");
        risk(weaker(|offer| offer.flags.contains(&Flag::PrivateHost)), "private-host");
        risk(country.is_none() || country != self.offer.place.country.as_ref(), "other-country");
        let is_sure = other.source == Source::Live && other.supply.state == SupplyState::InStock;
        risk(!is_sure, "not-in-stock");
        risks
    }
}

/// The cheapest whole machine with the same cards that a policy allows and that can be had, by this kind of price.
fn cheapest_on(
    board: &Board,
    paid: &Paid<'_>,
    kind: PriceKind,
    policy: Option<&Policy>,
    (currency, now): (Currency, DateTime<Utc>),
) -> Option<Offer> {
    let line = format!("{} x{} {kind}", query::word_for_card(paid.model), paid.offer.gpu.count);
    let query = match query::parse(&line) {
        Ok(query) => query,
        Err(error) => {
            tracing::warn!("no offers like `{line}`: {error}");
            return None;
        }
    };
    let view = View {
        query: &query,
        sort: Sort::MachineHour,
        descending: false,
        job: None,
        currency,
        include_unknown: false,
        include_quarantine: false,
        policies: &[],
        now,
    };
    let allowed = |offer: &Offer| {
        policy.is_none_or(|policy| policy.judge(&Subject::of(offer)).verdict == Verdict::Allowed)
    };
    let fits = |offer: &Offer| {
        offer.gpu.model.as_deref() == Some(paid.model)
            && offer.gpu.fraction.is_none()
            && offer.id != paid.offer.id
            && offer.supply.state != SupplyState::OutOfStock
            && !offer.flags.contains(&Flag::Stale)
            && allowed(offer)
    };
    board.page(&view, 0, CHEAPEST, false).rows.into_iter().filter_map(|row| board.offer(row)).find(fits)
}
