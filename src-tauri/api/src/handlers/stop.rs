//! What a stop means for one machine, and which rings guard it.

use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Rental, RentalTerms, disk_rates};
use gpudesk_core::terms::{self, USUAL_MONTH_HOURS};
use gpudesk_engine::Desk;
use rust_decimal::Decimal;

use super::rows::{provider_title, text};
use crate::rental::{Ring, StopTruth};

/// What a stop means here. Without terms nothing is promised.
pub(super) fn truth(offer: Option<&Offer>, disk_gb: Option<u32>, rules: Option<&RentalTerms>) -> StopTruth {
    let currency = offer.map(|offer| offer.price.currency.to_string()).unwrap_or_default();
    let Some(rules) = rules else {
        return StopTruth {
            exists: false,
            ends_compute: false,
            keeps_disk: None,
            disk_per_month: None,
            currency,
            start_may_wait: false,
        };
    };
    let per_month = offer.filter(|_| rules.stop.exists).and_then(|offer| {
        let (_, stopped) = disk_rates(offer, disk_gb, rules);
        let hours = terms::terms(&offer.provider).and_then(|t| t.month_hours).unwrap_or(USUAL_MONTH_HOURS);
        stopped?.checked_mul(Decimal::from(hours)).map(|month| text(month.round_dp(2)))
    });
    StopTruth {
        exists: rules.stop.exists,
        ends_compute: rules.stop.ends_compute,
        keeps_disk: rules.stop.keeps_disk,
        disk_per_month: per_month,
        currency,
        start_may_wait: rules.stop.start_may_wait,
    }
}

/// The rings of one machine, or of one that is still to be rented.
pub(super) fn rings(
    desk: &Desk,
    provider: &str,
    rules: Option<&RentalTerms>,
    rental: Option<&Rental>,
) -> Vec<Ring> {
    let title = provider_title(provider);
    let own = rental.map_or_else(|| Desk::provider_ring_of(rules), |rental| desk.provider_ring(rental));
    let ring = |ring: &str, on, code: &str, why: String| Ring {
        ring: ring.to_owned(),
        on,
        why,
        code: code.to_owned(),
    };
    let desk_ring = if desk.is_watching() {
        let why =
            "this desk keeps its lease for as long as it runs: in the window, the tray or `gpudesk guard`";
        ring("desk", true, "desk-guards", why.to_owned())
    } else {
        let why = "this command ends; only a desk that goes on running watches".to_owned();
        ring("desk", false, "desk-off", why)
    };
    let on_box = rental.map_or_else(|| Desk::box_ring_of(rules), |rental| desk.box_ring(rental));
    vec![
        ring("provider", own.on, own.code, format!("{title}: {}", own.why)),
        ring("box", on_box.on, on_box.code, on_box.why),
        desk_ring,
    ]
}
