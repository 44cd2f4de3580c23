//! The ring at the provider: its own timer, which counts only as far as it reads back.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::{OnExpiry, OwnTimer, Rental, RentalTerms};

use super::rings::{Ring, TRY_EVERY};
use crate::desk::Desk;

/// Providers keep whole seconds or minutes.
const CLOSE: TimeDelta = TimeDelta::seconds(60);

/// What the timer is to be set to: it can do nothing but end a machine.
fn wanted(rental: &Rental) -> Option<DateTime<Utc>> {
    rental.lease.until.filter(|_| rental.lease.on_expiry == OnExpiry::End)
}

fn same(a: Option<DateTime<Utc>>, b: Option<DateTime<Utc>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= CLOSE,
        (None, None) => true,
        _ => false,
    }
}

impl Desk {
    /// The provider's timer of a rental, as it last read back.
    #[must_use]
    pub fn provider_ring(&self, rental: &Rental) -> Ring {
        let record = &rental.record;
        let terms = self.rental_terms(&record.provider, &record.account_name());
        let ring = Self::provider_ring_of(terms.as_ref());
        if !ring.on {
            return ring;
        }
        let Some(wanted) = wanted(rental) else {
            return Ring::off(
                "provider-unneeded",
                "its timer can only end a machine, and the lease does not ask for that",
            );
        };
        match self.book().machine(&record.id).map(|machine| machine.timer) {
            Some(Some(timer)) if same(Some(timer), Some(wanted)) => {
                let why = format!("its timer reads back as {}", timer.format("%Y-%m-%d %H:%M UTC"));
                Ring { on: true, code: "provider-armed", why }
            }
            Some(_) => Ring::off("provider-unset", "its timer does not read back as the lease says"),
            None => Ring::off("provider-unset", "its timer was not read back yet"),
        }
    }

    /// The timer that a machine of these terms would have.
    #[must_use]
    pub fn provider_ring_of(terms: Option<&RentalTerms>) -> Ring {
        match terms.map(|terms| terms.own_timer) {
            Some(OwnTimer::ReadsBack) => Ring {
                on: true,
                code: "provider-will",
                why: "its own timer is set with the order and read back".to_owned(),
            },
            Some(OwnTimer::Blind) => Ring::off(
                "provider-blind",
                "it has a timer that cannot be read back, so it counts as not armed",
            ),
            Some(OwnTimer::None) | None => Ring::off("provider-none", "it has no auto-terminate"),
        }
    }

    /// Sets timers that do not read back as their leases say; gives the tasks.
    pub(super) fn tend_timers(&self, rentals: &[Rental]) -> Vec<tokio::task::JoinHandle<()>> {
        let ticks = self.config().clock.ticks();
        let mut tasks = Vec::new();
        for rental in rentals.iter().filter(|rental| !rental.is_over() && !rental.end_asked()) {
            let record = &rental.record;
            let terms = self.rental_terms(&record.provider, &record.account_name());
            let reads_back = terms.is_some_and(|terms| terms.own_timer == OwnTimer::ReadsBack);
            let (Some(remote_id), true) = (rental.remote_id.clone(), reads_back) else { continue };
            // Only what was seen to differ is changed: a machine nobody has looked at yet may be armed.
            let Some(machine) = self.book().machine(&record.id) else { continue };
            let wanted = wanted(rental);
            if same(machine.timer, wanted) || !self.may_try_timer(&record.id, ticks, TRY_EVERY) {
                continue;
            }
            let (desk, id, account) = (self.clone(), record.id.clone(), record.account_name());
            tasks.push(tokio::spawn(async move {
                let set = match desk.cloud(&account).await {
                    Ok(cloud) => cloud.set_timer(&remote_id, wanted).await.map_err(|error| error.to_string()),
                    Err(error) => Err(error.to_string()),
                };
                match set {
                    // What it was set to counts once it is read.
                    Ok(()) => desk.book().look_again_at(&id),
                    Err(why) => tracing::warn!(rental = id, "the provider's timer could not be set: {why}"),
                }
            }));
        }
        tasks
    }
}
