//! What past rentals have shown that a plan can lean on: how often spot machines of each provider were taken back.

use std::collections::BTreeMap;

use gpudesk_core::offer::PriceKind;
use gpudesk_core::plan::Span;
use gpudesk_core::rental::{Meter, Rental};

use crate::desk::Desk;

/// Hours of spot machines below which a provider's own record says too little.
const ENOUGH_HOURS: f64 = 24.0;

/// How often spot machines of one provider were taken back here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TakenBack {
    /// So many times.
    pub times: u32,
    /// In so many hours that they ran.
    pub hours: f64,
}

impl TakenBack {
    /// Interruptions in an hour. The upper end is the one that would be seen more rarely with a chance of five in a
    /// hundred where nothing was (the rule of three), and that much more where something was.
    #[must_use]
    pub fn rate(&self) -> Span {
        let times = f64::from(self.times);
        Span::new(times / self.hours, (times + 3.0) / self.hours)
    }
}

impl Desk {
    /// How often spot machines were taken back, by provider; those that ran for less than a day together are left out.
    #[must_use]
    pub fn taken_back(&self, rentals: &[Rental]) -> BTreeMap<String, TakenBack> {
        taken_back(rentals, |rental| hours(rental, self))
    }
}

fn taken_back(rentals: &[Rental], hours: impl Fn(&Rental) -> f64) -> BTreeMap<String, TakenBack> {
    let mut seen: BTreeMap<String, TakenBack> = BTreeMap::new();
    let is_spot = |rental: &&Rental| {
        let kind = rental.record.offer.as_ref().map(|offer| offer.price.kind);
        matches!(kind, Some(PriceKind::Spot | PriceKind::Bid))
    };
    for rental in rentals.iter().filter(is_spot) {
        let one = seen.entry(rental.record.provider.clone()).or_insert(TakenBack { times: 0, hours: 0.0 });
        one.hours += hours(rental);
        one.times += rental.taken_back;
    }
    seen.retain(|_, one| one.hours >= ENOUGH_HOURS);
    seen
}

/// Hours that a machine ran.
fn hours(rental: &Rental, desk: &Desk) -> f64 {
    let now = desk.now();
    let ran = rental.intervals.iter().filter(|interval| interval.kind == Meter::Compute);
    let seconds = ran.map(|interval| (interval.to.unwrap_or(now) - interval.from).num_seconds().max(0));
    seconds.sum::<i64>() as f64 / 3600.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_what_was_seen_and_up_to_what_chance_may_have_hidden() {
        let never = TakenBack { times: 0, hours: 300.0 };
        assert_eq!(never.rate(), Span::new(0.0, 0.01));
        let twice = TakenBack { times: 2, hours: 50.0 };
        assert_eq!(twice.rate(), Span::new(0.04, 0.1));
    }

    #[test]
    fn nothing_is_said_of_providers_without_spot_machines() {
        assert!(taken_back(&[], |_| 100.0).is_empty());
    }
}
