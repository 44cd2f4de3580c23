//! The ring on the machine: a watchdog that keeps the lease with the laptop closed.
//!
//! It goes along with the launch where a cloud takes a text for the first boot, is armed over SSH once the machine is
//! ready, told of each new lease, and looked at now and then: what cannot be seen to be armed counts as not armed.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use gpudesk_core::guard::PARTING_S;
use gpudesk_core::rental::{BoxStop, OnExpiry, Rental, RentalTerms, State};
use gpudesk_remote::watchdog::{self, BoxLease, Method, WatchdogState};

use crate::desk::Desk;

/// Between two looks at a watchdog that is armed.
const LOOK_EVERY: Duration = Duration::from_secs(300);
/// Between two tries to arm one.
pub(super) const TRY_EVERY: Duration = Duration::from_secs(60);
/// A program that runs once waits no longer for one look.
const LOOK_PATIENCE: Duration = Duration::from_secs(10);
/// A loop that was last seen longer ago than this does not run.
const TICK_S: u64 = 180;

/// Bytes of a text for the first boot that are left to the adapter.
const ROOM_FOR_A_KEY: u32 = 1024;

/// What is known of the watchdogs in this run.
#[derive(Default)]
pub(crate) struct Rings(Arc<Mutex<BTreeMap<String, OnBox>>>);

#[derive(Debug, Clone, Default)]
struct OnBox {
    /// The lease it was last given.
    lease: Option<BoxLease>,
    /// What it says, or why it cannot be asked.
    state: Option<Result<WatchdogState, String>>,
    tried_at: Option<Duration>,
    timer_tried_at: Option<Duration>,
    looked_at: Option<Duration>,
    busy: bool,
}

/// Whether a ring holds, with a fixed word of why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// Whether it was seen to.
    pub on: bool,
    /// `box-armed`, `box-none`, `box-unneeded`, `box-here`, `box-unset`, `box-failed`, `box-fired`, `box-will`; or
    /// `provider-armed`, `provider-none`, `provider-blind`, `provider-unneeded`, `provider-unset`, `provider-will`.
    pub code: &'static str,
    /// In English.
    pub why: String,
}

impl Ring {
    pub(super) fn off(code: &'static str, why: impl Into<String>) -> Self {
        Self { on: false, code, why: why.into() }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a machine of these terms would be given to keep; why not, where it would not.
fn wanted(
    rental: &Rental,
    terms: Option<&RentalTerms>,
    base: Option<String>,
    is_played: bool,
) -> Result<BoxLease, Ring> {
    let none = "its cloud gives a machine nothing by which it could stop itself alone";
    let own = terms.and_then(RentalTerms::own_stop).ok_or_else(|| Ring::off("box-none", none))?;
    let lease = &rental.lease;
    let idles = lease.idle_minutes.is_some();
    if lease.on_expiry == OnExpiry::Notify || (lease.until.is_none() && !idles) {
        return Err(Ring::off(
            "box-unneeded",
            "its lease asks for nothing that a machine could do by itself",
        ));
    }
    let method = match own {
        BoxStop::PowerOff => Method::PowerOff,
        BoxStop::Vast => Method::Vast,
        BoxStop::RunPod => Method::RunPod,
    };
    // What answers at an address of this computer is this computer, or a program on it. Only a machine that is played
    // has a folder that a watchdog stays in, and nothing of it is ever shut down.
    let here = rental.ssh.as_ref().is_some_and(|ssh| is_here(&ssh.host));
    if here && (method == Method::PowerOff || !is_played) {
        return Err(Ring::off("box-here", "it is on this computer, which is not stopped for it"));
    }
    Ok(BoxLease {
        deadline: lease.until,
        idle_minutes: lease.idle_minutes,
        idle_from: rental.kept_at,
        stops_parked: false,
        part_s: PARTING_S,
        action: lease.on_expiry,
        method,
        base,
    })
}

pub(super) fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
}

impl Desk {
    /// The watchdog as a text for the first boot, where the cloud takes one along: a machine is armed before anybody can
    /// log in. Nothing for a machine that would not be given one; what is armed by SSH later takes its place.
    pub(crate) fn first_boot(&self, rental: &Rental) -> String {
        let record = &rental.record;
        let Some(terms) = self.rental_terms(&record.provider, &record.account_name()) else {
            return String::new();
        };
        let lease = wanted(rental, Some(&terms), self.base_of(&record.provider), self.config().practice);
        // An adapter may put the key that is let in beside it.
        let most = terms.user_data.max_bytes.map(|most| most.saturating_sub(ROOM_FOR_A_KEY));
        let text = lease.ok().and_then(|lease| watchdog::user_data(&lease, terms.user_data.kind, most));
        text.unwrap_or_default()
    }

    /// The watchdog of a rental, as far as this run has seen it.
    #[must_use]
    pub fn box_ring(&self, rental: &Rental) -> Ring {
        let record = &rental.record;
        let terms = self.rental_terms(&record.provider, &record.account_name());
        let lease =
            match wanted(rental, terms.as_ref(), self.base_of(&record.provider), self.config().practice) {
                Ok(lease) => lease,
                Err(ring) => return ring,
            };
        let known = lock(&self.inner().rings.0).get(&record.id).cloned().unwrap_or_default();
        match known.state {
            None => Ring::off("box-unset", "no watchdog was seen on the machine yet"),
            Some(Ok(state)) if state.version.is_none() => {
                Ring::off("box-unset", "the watchdog was not put on the machine yet")
            }
            Some(Err(why)) => Ring::off("box-failed", format!("the watchdog cannot be seen: {why}")),
            Some(Ok(state)) => {
                let keeps = state.armed
                    && state.deadline
                        == lease.deadline.map(|at| {
                            at - chrono::TimeDelta::nanoseconds(i64::from(at.timestamp_subsec_nanos()))
                        })
                    && state.tick_age_s.is_some_and(|age| age <= TICK_S);
                if let Some(fired) = state.fired_at {
                    let why = format!("the watchdog acted at {}", fired.format("%H:%M UTC"));
                    return Ring { on: keeps, code: "box-fired", why };
                }
                if let Some(missing) = &state.unable {
                    let why = format!("the watchdog has nothing to stop the machine by: {missing}");
                    return Ring::off("box-failed", why);
                }
                if !keeps {
                    return Ring::off("box-failed", "the watchdog does not keep this lease");
                }
                let version = state.version.map_or(String::new(), |version| format!(" {version}"));
                // As old as it was at the look, and as the look is by now.
                let since = known
                    .looked_at
                    .map_or(Duration::ZERO, |at| self.config().clock.ticks().saturating_sub(at));
                let age = state.tick_age_s.unwrap_or_default() + since.as_secs();
                Ring { on: true, code: "box-armed", why: format!("watchdog{version}, last seen {age} s ago") }
            }
        }
    }

    /// The ring that a machine of these terms would have.
    #[must_use]
    pub fn box_ring_of(terms: Option<&RentalTerms>) -> Ring {
        match terms.and_then(RentalTerms::own_stop) {
            Some(_) => Ring {
                on: true,
                code: "box-will",
                why: "a watchdog is put on the machine once it is ready".to_owned(),
            },
            None => {
                Ring::off("box-none", "its cloud gives a machine nothing by which it could stop itself alone")
            }
        }
    }

    /// Whether the provider's timer may be set now, and takes the turn.
    pub(super) fn may_try_timer(&self, id: &str, ticks: Duration, apart: Duration) -> bool {
        let mut known = lock(&self.inner().rings.0);
        let on_box = known.entry(id.to_owned()).or_default();
        let due = on_box.timer_tried_at.is_none_or(|at| ticks.saturating_sub(at) >= apart);
        if due {
            on_box.timer_tried_at = Some(ticks);
        }
        due
    }

    fn base_of(&self, provider: &str) -> Option<String> {
        self.config().addresses.get(provider).cloned()
    }

    /// Arms, renews and looks at the watchdogs that are due, each of which gives programs so many seconds; gives the
    /// tasks, so that somebody may wait for them.
    pub(super) fn tend_rings(&self, rentals: &[Rental], part_s: u32) -> Vec<tokio::task::JoinHandle<()>> {
        let ticks = self.config().clock.ticks();
        let mut tasks = Vec::new();
        {
            let mut known = lock(&self.inner().rings.0);
            known.retain(|id, _| rentals.iter().any(|rental| rental.record.id == *id));
        }
        for rental in rentals.iter().filter(|rental| rental.state == State::Ready && rental.answered) {
            let record = &rental.record;
            let terms = self.rental_terms(&record.provider, &record.account_name());
            let Ok(lease) =
                wanted(rental, terms.as_ref(), self.base_of(&record.provider), self.config().practice)
            else {
                continue;
            };
            let lease = BoxLease { part_s, ..lease };
            let mut known = lock(&self.inner().rings.0);
            let on_box = known.entry(record.id.clone()).or_default();
            let apart =
                |at: Option<Duration>, by: Duration| at.is_none_or(|at| ticks.saturating_sub(at) >= by);
            let is_new = on_box.lease.as_ref() != Some(&lease);
            let failed = !matches!(on_box.state, Some(Ok(WatchdogState { armed: true, .. })));
            let arms = (is_new || failed) && apart(on_box.tried_at, TRY_EVERY);
            if on_box.busy || !(arms || apart(on_box.looked_at, LOOK_EVERY)) {
                continue;
            }
            on_box.busy = true;
            if arms {
                on_box.tried_at = Some(ticks);
            }
            drop(known);
            let (desk, id) = (self.clone(), record.id.clone());
            tasks.push(tokio::spawn(async move { desk.tend_ring(&id, arms.then_some(lease)).await }));
        }
        tasks
    }

    /// Looks at the watchdog of a rental that this run has not seen yet: a program that runs once knows of none that an
    /// earlier one has armed.
    pub async fn see_watchdog(&self, id: &str) {
        let Ok(rental) = self.rental(id).await else { return };
        let record = &rental.record;
        let terms = self.rental_terms(&record.provider, &record.account_name());
        let may_have_one =
            wanted(&rental, terms.as_ref(), self.base_of(&record.provider), self.config().practice).is_ok();
        let is_known = lock(&self.inner().rings.0).get(id).is_some_and(|on_box| on_box.state.is_some());
        if rental.state != State::Ready || !rental.answered || !may_have_one || is_known {
            return;
        }
        let looked = tokio::time::timeout(LOOK_PATIENCE, self.ask_watchdog(id, None)).await;
        let looked = looked.unwrap_or_else(|_| Err("the machine did not answer in time".to_owned()));
        let ticks = self.config().clock.ticks();
        let mut known = lock(&self.inner().rings.0);
        let on_box = known.entry(id.to_owned()).or_default();
        on_box.looked_at = Some(ticks);
        on_box.state = Some(looked);
    }

    /// Arms one where there is a lease for it, and looks at it.
    async fn tend_ring(&self, id: &str, lease: Option<BoxLease>) {
        let looked = self.ask_watchdog(id, lease.as_ref()).await;
        let ticks = self.config().clock.ticks();
        let mut known = lock(&self.inner().rings.0);
        if let Some(on_box) = known.get_mut(id) {
            on_box.busy = false;
            on_box.looked_at = Some(ticks);
            if looked.is_ok() && lease.is_some() {
                on_box.lease = lease;
            }
            on_box.state = Some(looked);
        }
        drop(known);
        self.tell(crate::Event::RentalsChanged { rental: id.to_owned() });
    }

    async fn ask_watchdog(&self, id: &str, lease: Option<&BoxLease>) -> Result<WatchdogState, String> {
        let place = self.place(id).await.map_err(|error| error.to_string())?;
        let ssh = self.ssh();
        ssh.put(&place.host).await.map_err(|error| error.to_string())?;
        if let Some(lease) = lease {
            watchdog::arm(ssh, &place.host, lease, self.now()).await.map_err(|error| error.to_string())?;
        }
        watchdog::look(ssh, &place.host).await.map_err(|error| error.to_string())
    }
}

/// Waits for what was begun.
pub(super) async fn settled(tasks: Vec<tokio::task::JoinHandle<()>>) {
    for ended in join_all(tasks).await {
        if let Err(error) = ended {
            tracing::error!("tending a watchdog broke: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_core::rental::{Event, EventKind, Lease, Record, SshAddress, StopTerms};

    use super::*;

    fn at(host: &str, on_expiry: OnExpiry) -> Rental {
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        let lease = Lease { until: Some(now), max_spend: None, idle_minutes: None, on_expiry };
        let record: Record = serde_json::from_value(serde_json::json!({
            "id": "01", "token": "gpudesk-01", "name": "a", "provider": "nobody", "account": "", "offer": null,
            "spec": null, "owner": null, "project": null, "lease": lease, "created_at": now,
        }))
        .unwrap();
        let ssh = SshAddress::new(host, 22, "root", false).unwrap();
        let kinds =
            [EventKind::Adopted { remote_id: "7".to_owned(), per_hour: None }, EventKind::Address { ssh }];
        Rental::of(record, &kinds.map(|kind| Event { at: now, kind }), None)
    }

    fn terms(own: Option<BoxStop>, shuts_down: Option<bool>) -> RentalTerms {
        let stop = StopTerms { guest_shutdown_ends_compute: shuts_down, ..RentalTerms::plain().stop };
        RentalTerms { box_stop: own, stop, ..RentalTerms::plain() }
    }

    fn code(rental: &Rental, terms: &RentalTerms, is_played: bool) -> &'static str {
        wanted(rental, Some(terms), None, is_played).map_or_else(|ring| ring.code, |_| "armed")
    }

    #[test]
    fn this_computer_is_never_shut_down() {
        let (vast, vm) = (terms(Some(BoxStop::Vast), None), terms(None, Some(true)));
        for host in ["127.0.0.1", "127.8.0.1", "::1", "localhost", "LOCALHOST", "0.0.0.0"] {
            let rental = at(host, OnExpiry::End);
            assert_eq!(code(&rental, &vm, true), "box-here", "{host}");
            assert_eq!(code(&rental, &vm, false), "box-here", "{host}");
            assert_eq!(code(&rental, &vast, false), "box-here", "{host}");
            assert_eq!(code(&rental, &vast, true), "armed", "{host}: a played machine");
        }
        let far = at("203.0.113.7", OnExpiry::End);
        assert_eq!((code(&far, &vm, false), code(&far, &vast, false)), ("armed", "armed"));
    }

    #[test]
    fn what_cannot_stop_itself_or_need_not_has_no_watchdog() {
        let far = at("203.0.113.7", OnExpiry::Stop);
        assert_eq!(code(&far, &terms(None, None), false), "box-none");
        assert_eq!(code(&far, &terms(None, Some(false)), false), "box-none", "a shutdown there is billed on");
        assert_eq!(wanted(&far, None, None, false).unwrap_err().code, "box-none");
        let told = at("203.0.113.7", OnExpiry::Notify);
        assert_eq!(code(&told, &terms(Some(BoxStop::Vast), None), false), "box-unneeded");
    }
}
