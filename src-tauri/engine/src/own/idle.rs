//! Hours of the team's own servers that nobody booked: they cost all the same.

use gpudesk_core::money::{Currency, Rates};
use gpudesk_core::own::{Booking, utilisation};
use gpudesk_core::spend::Period;
use gpudesk_core::terms::USUAL_MONTH_HOURS;
use gpudesk_store::Bookings;
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use crate::DeskError;
use crate::desk::Desk;
use crate::spend::Waste;

impl Desk {
    /// What the idle hours of each server came to in a period, since it is known here, at what an hour of it costs now.
    /// A server whose cost or cards are not known has no line: what it wastes is not known.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) async fn idle_capacity(
        &self,
        period: Period,
        currency: Currency,
        rates: &Rates,
    ) -> Result<Vec<Waste>, DeskError> {
        let (now, rows) = (self.now(), self.store().own_hosts().await?);
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let bookings = self.store().own_bookings(Bookings::Since(period.from)).await?;
        let mut found = Vec::new();
        for row in &rows {
            let (from, to) = (period.from.max(row.host.added_at), period.to.min(now));
            let mine: Vec<Booking> =
                bookings.iter().filter(|booking| booking.host == row.host.alias).cloned().collect();
            let Some(used) = row.facts.as_ref().and_then(|(facts, _)| utilisation(facts, &mine, from, to))
            else {
                continue;
            };
            let Some(idle) = Decimal::from_f64(1.0 - used).map(|share| share.round_dp(9)) else { continue };
            let hours = Decimal::from((to - from).num_seconds()) / Decimal::from(3600) * idle;
            let per_hour = row.host.cost.per_hour(now.date_naive()).ok();
            let per_hour =
                per_hour.and_then(|own| Some(own * rates.quote(row.host.cost.currency, currency)?.rate));
            if let Some(per_hour) = per_hour.filter(|_| !hours.is_zero()) {
                found.push(Waste {
                    kind: "idle-capacity",
                    name: row.host.alias.clone(),
                    rental: None,
                    stranger: None,
                    amount: Some(per_hour * hours),
                    per_month: Some(per_hour * Decimal::from(USUAL_MONTH_HOURS) * idle),
                    hours: hours.try_into().ok(),
                    since: Some(from),
                    remedy: "book",
                });
            }
        }
        Ok(found)
    }
}
