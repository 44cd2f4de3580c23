//! Keeping one rental's lease.

use gpudesk_core::activity::Why;
use gpudesk_core::guard::{Due, Idleness, Limit, Only, due, parts_idle};
use gpudesk_core::rental::{EventKind, Lease, OnExpiry, Rental, Who};
use gpudesk_store::StoreError;

use super::parting::Time;
use super::{GuardAct, Guarded};
use crate::DeskError;
use crate::desk::Desk;
use crate::reach::Parted;
use crate::rental::Life;

impl Desk {
    /// What is due for one rental, decided anew for as long as somebody else is faster.
    pub(super) async fn guard_rental(&self, id: &str) -> Result<Guarded, DeskError> {
        let mut parted = None;
        loop {
            let mut life = Life::read(self, id).await?;
            match self.guard_life(&mut life, &mut parted).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {}
                done => return done.map(|acts| Guarded { acts, parted }),
            }
        }
    }

    /// What is due on the state in hand. A time that is given from now on is put into `parted`, whatever comes after.
    async fn guard_life(
        &self,
        life: &mut Life<'_>,
        parted: &mut Option<Parted>,
    ) -> Result<Vec<GuardAct>, DeskError> {
        let activity = self.activity_now(&life.rental).await?;
        let mut idleness = activity.as_ref().and_then(super::activity::ActivityNow::idleness);
        if parts_idle(&life.rental, self.now()) {
            let why = activity.as_ref().map(|activity| activity.verdict.why);
            if matches!(why, Some(Why::Human | Why::Marker)) {
                // Somebody came back: what its programs do is one thing, what a person does another.
                life.add(vec![EventKind::Kept { by: Who::Box }]).await?;
            } else {
                idleness = life.rental.lease.idle_minutes.map(|minutes| Idleness { minutes, parked: false });
            }
        }
        let mut acts = Vec::new();
        for due in due(&life.rental, idleness, life.terms.as_ref(), self.now()) {
            match due {
                Due::Warn { limit, minutes, at, then, word } => {
                    let left = ((at - self.now()).num_seconds() + 59).div_euclid(60).clamp(0, minutes);
                    let why = format!("{}: in {left} min it is {}", reached(limit, false), action(then));
                    acts.push(acted(life, "warned", why.clone()));
                    life.tell_once(&format!("{}-soon", kind(limit)), &word, why).await?;
                }
                Due::Tell { limit, word, why } => {
                    let why = format!("{}: {}", reached(limit, true), only(why));
                    acts.push(acted(life, "told", why.clone()));
                    life.tell_once(&format!("{}-over", kind(limit)), &word, why).await?;
                }
                Due::Stop(limit) | Due::End(limit) => {
                    let ends = matches!(due, Due::End(_));
                    let why = self.reason(limit, &life.rental, activity.as_ref());
                    match self.time_before(life, limit, &why, ends).await? {
                        Time::Over => acts.extend(self.act_by_rule(life, limit, ends, why).await?),
                        Time::Running => {}
                        Time::Begun(begun) => *parted = Some(begun),
                    }
                    if ends {
                        // Nothing else matters to it any more.
                        break;
                    }
                }
            }
        }
        Ok(acts)
    }

    /// Asks for the stop or the end, and tells of it.
    async fn act_by_rule(
        &self,
        life: &mut Life<'_>,
        limit: Limit,
        ends: bool,
        why: String,
    ) -> Result<Option<GuardAct>, DeskError> {
        let (by, told) = (Who::Desk, why.clone());
        let (what, done, asked) = if ends {
            ("end", "ended", EventKind::EndAsked { by, why: told })
        } else {
            ("stop", "stopped", EventKind::StopAsked { by, why: told })
        };
        if !life.ask_by_rule(what, asked).await? {
            return Ok(None);
        }
        life.note(&format!("{}-{done}", kind(limit)), format!("is being {done}: {why}")).await?;
        Ok(Some(acted(life, done, why)))
    }

    /// Why a limit acts, with what was measured: before its programs were asked to end, where they were.
    fn reason(&self, limit: Limit, rental: &Rental, activity: Option<&super::ActivityNow>) -> String {
        if limit == Limit::Idle
            && parts_idle(rental, self.now())
            && let Some(parting) = &rental.parting
        {
            return parting.why.clone();
        }
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
        let changed = self.change_lease(id_or_name, Who::Person, |_| Some(lease.clone())).await?;
        self.renew_tags_of(&changed.record.id).await;
        self.rental(&changed.record.id).await
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

fn acted(life: &Life<'_>, what: &'static str, why: String) -> GuardAct {
    GuardAct { rental: life.id().to_owned(), name: life.rental.record.name.clone(), what, why }
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
