//! Keeping one rental's lease.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::guard::{Due, Limit, Only, due};
use gpudesk_core::rental::{EventKind, Lease, OnExpiry, Rental, Who};
use gpudesk_store::StoreError;

use super::GuardAct;
use crate::DeskError;
use crate::desk::Desk;
use crate::rental::Life;

/// A lease nobody chose ends after so many hours.
const USUAL_HOURS: i64 = 8;

/// When a lease ends that nobody chose.
pub(crate) fn usual_end(now: DateTime<Utc>) -> DateTime<Utc> {
    now + TimeDelta::hours(USUAL_HOURS)
}

impl Desk {
    /// What is due for one rental, decided anew for as long as somebody else is faster.
    pub(super) async fn guard_rental(&self, id: &str) -> Result<Vec<GuardAct>, DeskError> {
        loop {
            let mut life = Life::read(self, id).await?;
            match self.guard_life(&mut life).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {}
                done => return done,
            }
        }
    }

    async fn guard_life(&self, life: &mut Life<'_>) -> Result<Vec<GuardAct>, DeskError> {
        let activity = self.activity_now(&life.rental).await?;
        let idleness = activity.as_ref().and_then(super::activity::ActivityNow::idleness);
        let mut acts = Vec::new();
        let (id, name) = (life.id().to_owned(), life.rental.record.name.clone());
        let act = |what, why: String| GuardAct { rental: id.clone(), name: name.clone(), what, why };
        for due in due(&life.rental, idleness, life.terms.as_ref(), self.now()) {
            match due {
                Due::Warn { limit, minutes, at, then, word } => {
                    let left = ((at - self.now()).num_seconds() + 59).div_euclid(60).clamp(0, minutes);
                    let why = format!("{}: in {left} min it is {}", reached(limit, false), action(then));
                    acts.push(act("warned", why.clone()));
                    life.tell_once(&format!("{}-soon", kind(limit)), &word, why).await?;
                }
                Due::Tell { limit, word, why } => {
                    let why = format!("{}: {}", reached(limit, true), only(why));
                    acts.push(act("told", why.clone()));
                    life.tell_once(&format!("{}-over", kind(limit)), &word, why).await?;
                }
                Due::Stop(limit) => {
                    let why = self.reason(limit, &life.rental, activity.as_ref());
                    let asked = EventKind::StopAsked { by: Who::Desk, why: why.clone() };
                    if life.ask_by_rule("stop", asked).await? {
                        acts.push(act("stopped", why.clone()));
                        life.note(&format!("{}-stopped", kind(limit)), format!("is being stopped: {why}"))
                            .await?;
                    }
                }
                Due::End(limit) => {
                    let why = self.reason(limit, &life.rental, activity.as_ref());
                    let asked = EventKind::EndAsked { by: Who::Desk, why: why.clone() };
                    if life.ask_by_rule("end", asked).await? {
                        acts.push(act("ended", why.clone()));
                        life.note(&format!("{}-ended", kind(limit)), format!("is being ended: {why}"))
                            .await?;
                    }
                    // Nothing else matters to it any more.
                    return Ok(acts);
                }
            }
        }
        Ok(acts)
    }

    /// Why a limit acts, with what was measured.
    fn reason(&self, limit: Limit, rental: &Rental, activity: Option<&super::ActivityNow>) -> String {
        let lease = &rental.lease;
        match (limit, activity) {
            (Limit::Time, _) => {
                let until = lease.until.map(|until| until.format("%Y-%m-%d %H:%M UTC").to_string());
                format!("its lease ran out at {}", until.unwrap_or_default())
            }
            (Limit::Money, _) => {
                let currency = rental.currency().map_or_else(String::new, |currency| format!(" {currency}"));
                let most = lease.max_spend.unwrap_or_default();
                format!("it cost {} of {most}{currency}", rental.costs(self.now()).total.round_dp(2))
            }
            (Limit::Idle, Some(activity)) => activity.measured(),
            (Limit::Idle, None) => "it was idle".to_owned(),
        }
    }

    /// Sets new limits, by a person.
    ///
    /// # Errors
    /// [`crate::RentalError`] where there is no such rental or it is over.
    pub async fn set_lease(&self, id_or_name: &str, lease: Lease) -> Result<Rental, DeskError> {
        self.change_lease(id_or_name, Who::Person, |_| Some(lease.clone())).await
    }

    /// A person says that a machine is needed: its idle time begins anew.
    ///
    /// # Errors
    /// As [`Self::set_lease`].
    pub async fn keep_rental(&self, id_or_name: &str) -> Result<Rental, DeskError> {
        let mut life = Life::read(self, id_or_name).await?;
        if life.rental.is_over() {
            return Err(life.refusal("keep").into());
        }
        life.add_fact(&[EventKind::Kept { by: Who::Person }]).await?;
        Ok(life.rental)
    }

    /// Changes a lease on the state in hand; `None` = it stays.
    pub(super) async fn change_lease(
        &self,
        id_or_name: &str,
        by: Who,
        change: impl Fn(&Rental) -> Option<Lease>,
    ) -> Result<Rental, DeskError> {
        loop {
            let mut life = Life::read(self, id_or_name).await?;
            if life.rental.is_over() {
                return Err(life.refusal("lease").into());
            }
            let Some(lease) = change(&life.rental) else { return Ok(life.rental) };
            match life.add(vec![EventKind::LeaseSet { lease, by }]).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {}
                done => return done.map(|()| life.rental),
            }
        }
    }
}

fn kind(limit: Limit) -> &'static str {
    if limit == Limit::Idle { "idle" } else { "lease" }
}

fn reached(limit: Limit, over: bool) -> &'static str {
    match (limit, over) {
        (Limit::Time, false) => "its lease ends soon",
        (Limit::Time, true) => "its lease ran out",
        (Limit::Money, false) => "it has nearly cost what it may",
        (Limit::Money, true) => "it has cost what it may",
        (Limit::Idle, false) => "it does nothing",
        (Limit::Idle, true) => "it did nothing for as long as it may",
    }
}

fn action(then: OnExpiry) -> &'static str {
    match then {
        OnExpiry::Notify => "told again, and nothing else is done",
        OnExpiry::Stop => "stopped",
        OnExpiry::End => "ended",
    }
}

fn only(why: Only) -> &'static str {
    match why {
        Only::Asked => "it runs on, as its lease asks",
        Only::NoStop => {
            "it cannot be stopped at its cloud, and its lease does not allow its end: it runs on and costs"
        }
        Only::Stands => "it is stopped; what it keeps there goes on to cost",
        Only::Parked => "nothing computes, but memory of its cards is held: it runs on",
    }
}
