//! One step in the life of one rental.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::rental::{EventKind, Machine, MachineState, Notice, State};
use gpudesk_providers::cloud::{Cloud, CloudError, CloudErrorCode, Effect, Look};

use super::life::{Life, words};
use super::watch::Listed;
use crate::DeskError;
use crate::desk::Desk;
use crate::reach::ReachError;

/// After so long without the provider's confirmation a person is told.
const UNCONFIRMED: Duration = Duration::from_secs(300);
/// A stop or end that was taken and has not come true is asked for again after this.
pub(super) const ASK_AGAIN: Duration = Duration::from_secs(60);
/// Longest pause between two calls that are refused.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Between two greetings of a machine that does not answer.
const GREET_EVERY: Duration = Duration::from_millis(450);
/// Between two times of letting the key in, for a machine that refuses it.
const ADMIT_EVERY: Duration = Duration::from_secs(15);
/// A start that is not taken for so long, at a machine that runs all the time, has nothing to start.
const NOTHING_TO_START: Duration = Duration::from_secs(90);
/// Questions about the cards until the comparison is made without them.
const PROBES: u32 = 4;

impl Desk {
    /// Takes a rental's turn and one step of its life. Gives the provider's refusal of a launch.
    pub(super) async fn tend_rental(
        &self,
        id: &str,
        machine: Option<Listed>,
    ) -> Result<Option<CloudError>, DeskError> {
        let turn = self.book().turn(id);
        let _turn = turn.lock().await;
        self.step_rental(id, machine).await
    }

    /// The step itself; the caller has the turn.
    pub(super) async fn step_rental(
        &self,
        id: &str,
        machine: Option<Listed>,
    ) -> Result<Option<CloudError>, DeskError> {
        let mut life = Life::read(self, id).await?;
        let cloud = self.cloud(&life.rental.record.account_name()).await?;
        let rental = &life.rental;
        if rental.is_over() {
            life.look_again(&*cloud).await?;
        } else if rental.remote_id.is_some() {
            let machine = match machine {
                Some(listed) if life.is_down(&listed) => Some(listed),
                listed => {
                    life.call(&*cloud).await?;
                    // What was listed before a call says nothing of what came of it.
                    let called_at = self.book().memory(id).called_at;
                    listed.filter(|listed| called_at.is_none_or(|called| called < listed.at))
                }
            };
            life.watch(&*cloud, machine).await?;
        } else if rental.unclear {
            life.seek(&*cloud).await?;
        } else if rental.end_asked() {
            let proof = "nothing had been made".to_owned();
            life.add(vec![EventKind::Gone { since: None, proof }]).await?;
        } else {
            return life.launch(&*cloud).await;
        }
        Ok(None)
    }
}

impl Life<'_> {
    pub(super) fn ticks(&self) -> Duration {
        self.desk.config().clock.ticks()
    }

    pub(super) fn remote_id(&self) -> String {
        self.rental.remote_id.clone().unwrap_or_default()
    }

    /// Whether a listing shows down what is asked to go down. That holds however often it was asked again since: the
    /// call before, whose answer was lost or refused, has done it.
    fn is_down(&self, listed: &Listed) -> bool {
        let wanted = match self.rental.asked_for() {
            Some("stop") => matches!(listed.machine.state, MachineState::Stopped | MachineState::Ended),
            Some("end") => listed.machine.state == MachineState::Ended,
            _ => false,
        };
        wanted && self.rental.seen != Some(listed.machine.state) && self.asked_before(listed.at)
    }

    /// Whether what is asked for was asked before a moment of this run.
    fn asked_before(&self, ticks: Duration) -> bool {
        let memory = self.desk.book().memory(self.id());
        memory.ask == self.rental.asked_for().zip(self.rental.asked_at) && memory.ask_since <= ticks
    }

    /// Calls for what was asked, until the provider takes it, and again where it does not come true.
    pub(super) async fn call(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let Some(what) = self.rental.asked_for().filter(|_| self.rental.asked_at.is_some()) else {
            return Ok(());
        };
        let (ticks, now) = (self.ticks(), self.desk.now());
        let (accepted, mut due, mut alarm) = (self.rental.accepted_at.is_some(), false, false);
        self.desk.book().change(self.id(), |memory| {
            memory.take_up(&self.rental, ticks, now);
            let pause = if accepted {
                ASK_AGAIN
            } else {
                Duration::from_secs(1 << memory.refusals.min(6)).min(LONGEST_PAUSE)
            };
            // A start that was taken waits for a card; asking again changes nothing.
            let again = !accepted || what != "start";
            due = again && memory.called_at.is_none_or(|at| ticks.saturating_sub(at) >= pause);
            if due {
                memory.called_at = Some(ticks);
            }
            alarm =
                what != "start" && !memory.alarmed && ticks.saturating_sub(memory.ask_since) >= UNCONFIRMED;
            memory.alarmed |= alarm;
        });
        if alarm {
            self.not_confirmed(what).await?;
        }
        if !due {
            return Ok(());
        }
        if accepted {
            if self.came_true(cloud, what).await? {
                return Ok(());
            }
            let asked_for = self.rental.asked_at.and_then(|at| (self.desk.now() - at).to_std().ok());
            if what != "start" && asked_for.is_some_and(|time| time >= UNCONFIRMED) {
                self.not_confirmed(what).await?;
            }
        }
        let id = self.remote_id();
        let done = match what {
            "stop" => cloud.stop(&id).await,
            "start" => cloud.start(&id).await,
            _ => cloud.end(&id).await,
        };
        let gone = |error: &CloudError| error.code == CloudErrorCode::NoSuchMachine && what == "end";
        match done {
            Err(error) if !gone(&error) => {
                self.desk.book().change(self.id(), |memory| {
                    memory.refusals += 1;
                    memory.repeat_unclear |= accepted && error.effect == Effect::Unclear;
                });
                let words = words(&error);
                if self.rental.detail.as_ref() != Some(&words) {
                    self.add_fact(&[EventKind::Refused { what: what.to_owned(), words }]).await?;
                }
            }
            Err(_) if accepted => {}
            // A repeat that is taken: the call before may have been taken and not carried out, so that it was up, and
            // billed, until now.
            Ok(()) if accepted => {
                let now = self.desk.now();
                self.desk.book().change(self.id(), |memory| memory.up_at = Some(now));
            }
            _ => self.add_fact(&[EventKind::Accepted { what: what.to_owned() }]).await?,
        }
        Ok(())
    }

    /// Tells once, whichever run sees it, that what was asked for has not come true.
    async fn not_confirmed(&mut self, what: &str) -> Result<(), DeskError> {
        let Some(asked_at) = self.rental.asked_at else { return Ok(()) };
        let word = format!("not-confirmed {what} {}", asked_at.timestamp());
        if self.rental.told.contains(&word) {
            return Ok(());
        }
        let text = format!("the provider has not confirmed the {what} for 5 minutes; it is asked again");
        self.tell_once("not-confirmed", &word, text).await
    }

    /// Looks whether a stop or end that was taken has come true, before it is asked for again: a repeat is taken of a
    /// machine that is down, too, and would move the end of its bill to now.
    async fn came_true(&mut self, cloud: &dyn Cloud, what: &str) -> Result<bool, DeskError> {
        match cloud.look(&self.remote_id()).await {
            Ok(Look::There(machine)) => {
                let ticks = self.ticks();
                self.desk.book().change(self.id(), |memory| memory.looked_at = Some(ticks));
                self.seen(*machine).await?;
                Ok(self.rental.is_over() || self.rental.asked_for() != Some(what))
            }
            // What is to be made of it is decided by the look that follows.
            Ok(Look::Absent) => Ok(true),
            Err(error) => Ok(error.code == CloudErrorCode::NoSuchMachine),
        }
    }

    /// Looks at the machine and goes on from what is seen.
    async fn watch(&mut self, cloud: &dyn Cloud, listed: Option<Listed>) -> Result<(), DeskError> {
        if self.rental.is_over() {
            // Another program saw its end meanwhile.
            return Ok(());
        }
        let (memory, ticks) = (self.desk.book().memory(self.id()), self.ticks());
        let poll = memory.poll(&self.rental, cloud.terms().poll, ticks);
        let fresh_look = memory.looked_at.is_some_and(|at| ticks.saturating_sub(at) < poll);
        let mut came = None;
        let (machine, looked_at) = match listed {
            Some(listed) => {
                came = listed.came;
                (Some(listed.machine), listed.at)
            }
            // Between two looks only the machine itself is asked.
            None if fresh_look => return self.reach(cloud).await,
            None => match cloud.look(&self.remote_id()).await {
                Ok(Look::There(machine)) => (Some(*machine), ticks),
                Ok(Look::Absent) => (None, ticks),
                Err(error) if error.code == CloudErrorCode::NoSuchMachine => (None, ticks),
                Err(_) => {
                    self.desk.book().change(self.id(), |memory| memory.looked_at = Some(ticks));
                    return Ok(());
                }
            },
        };
        self.desk.book().change(self.id(), |memory| memory.looked_at = Some(looked_at));
        match machine {
            Some(machine) => {
                self.seen_at(machine, came).await?;
                self.reach(cloud).await
            }
            None => self.absent(cloud).await,
        }
    }

    /// Writes down what is new about the machine, as it is told now.
    pub(super) async fn seen(&mut self, machine: Machine) -> Result<(), DeskError> {
        self.seen_at(machine, None).await
    }

    /// Writes down what is new about the machine. One that is down was so when that was told.
    async fn seen_at(&mut self, mut machine: Machine, told: Option<DateTime<Utc>>) -> Result<(), DeskError> {
        let mut kinds = Vec::new();
        // A wall clock may have been set back since.
        let told = told.filter(|at| *at <= self.desk.now());
        if machine.state == MachineState::Unknown && machine.detail.is_none() {
            machine.detail = Some("where it stands is not told".to_owned());
        }
        let taken_back = self.taken_back(&machine);
        let state = if taken_back { MachineState::Preempted } else { machine.state };
        let restarted = state == MachineState::Running
            && machine.running_since.is_some()
            && machine.running_since != self.rental.running_since;
        let news = self.rental.seen != Some(state)
            || self.rental.word.as_deref() != Some(machine.word.as_str())
            || (machine.detail.is_some() && self.rental.detail != machine.detail)
            || self.rental.missed_at.is_some()
            || restarted;
        // Another program may have written its end down already.
        let over = self.rental.state.is_over();
        let gone_again = over && machine.state == MachineState::Ended;
        if (news || over) && !gone_again {
            let since = match state {
                MachineState::Running => machine.running_since,
                MachineState::Stopped => self.down_since("stop").into_iter().chain(told).min(),
                _ => None,
            };
            let (word, detail) = (machine.word.clone(), machine.detail.clone());
            kinds.push(EventKind::Seen { state, word, detail, since });
        }
        if state == MachineState::Running {
            let way = machine.ssh.iter().find(|ssh| !ssh.proxy).or(machine.ssh.first());
            if let Some(ssh) = way.filter(|ssh| self.rental.ssh.as_ref() != Some(ssh)) {
                kinds.push(EventKind::Address { ssh: ssh.clone() });
            }
            // Without an offer, as of a machine that was taken over, amounts are in dollars.
            let ours = self.rental.currency().unwrap_or(Currency::USD);
            let same_money = machine.currency.is_none_or(|theirs| theirs == ours);
            if let Some(per_hour) =
                machine.per_hour.filter(|rate| same_money && self.rental.per_hour != Some(*rate))
            {
                kinds.push(EventKind::Rate { per_hour, since: None });
            }
        }
        let new: Vec<Notice> =
            machine.notices.iter().filter(|notice| !self.rental.notices.contains(notice)).cloned().collect();
        kinds.extend(new.iter().map(|notice| EventKind::Noticed { notice: notice.clone() }));
        if machine.state == MachineState::Ended && !over {
            let proof = format!("the provider says: {}", machine.word);
            let seen = self.repeat_is_unclear().then(|| self.desk.now());
            let since = self.down_since("end").into_iter().chain(told).min().or(seen);
            kinds.push(EventKind::Gone { since, proof });
        }
        let up = matches!(
            state,
            MachineState::Provisioning
                | MachineState::Booting
                | MachineState::Running
                | MachineState::Stopping
                // What nobody tells may be up.
                | MachineState::Unknown
        );
        let now = self.desk.now();
        self.desk.book().change(self.id(), |memory| {
            memory.absent_at = None;
            memory.gone_at = None;
            memory.up_at = if up { Some(now) } else { memory.up_at };
            memory.ends_at = machine.ends_at;
            memory.machine = Some(machine);
        });
        self.add(kinds).await?;
        for notice in new {
            if let Some((what, text)) = told_of(&notice) {
                self.tell(what, text).await?;
            }
        }
        Ok(())
    }

    /// Whether its provider took it back: it was rented here by a price that allows that, stands still, and nobody
    /// here asked for it. Who asked is not always told; where it is, that holds.
    fn taken_back(&self, machine: &Machine) -> bool {
        let ours = self.rental.record.offer.is_some() && self.rental.state != State::Stopped;
        machine.state == MachineState::Stopped
            && machine.spot
            && self.rental.asked_for().is_none()
            && (machine.asked == Some(false) || (machine.asked.is_none() && ours))
    }

    /// Greets the machine and compares it with the offer, as far as it has come.
    async fn reach(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let asked_long_ago = || {
            let since = self.desk.book().memory(self.id()).ask_since;
            self.ticks().saturating_sub(since) >= NOTHING_TO_START
        };
        let wanted = match self.rental.asked_for() {
            None => true,
            Some("start") => self.rental.starts_anew() || asked_long_ago(),
            _ => false,
        };
        if self.rental.seen != Some(MachineState::Running) || self.rental.ssh.is_none() || !wanted {
            return Ok(());
        }
        if !self.rental.answered {
            self.greet(cloud).await?;
        }
        if self.rental.state == State::Verifying {
            self.verify().await?;
        }
        Ok(())
    }

    async fn greet(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let ticks = self.ticks();
        let memory = self.desk.book().memory(self.id());
        if memory.greeted_at.is_some_and(|at| ticks.saturating_sub(at) < GREET_EVERY) {
            return Ok(());
        }
        self.desk.book().change(self.id(), |memory| memory.greeted_at = Some(ticks));
        let Some(target) = self.desk.target(&self.rental) else { return Ok(()) };
        match self.desk.reach().greet(&target).await {
            Ok(answered) => {
                let mut kinds = Vec::new();
                if self.rental.fingerprint.as_ref() != Some(&answered.fingerprint) {
                    kinds.push(EventKind::HostKey { fingerprint: answered.fingerprint, replaced: false });
                }
                kinds.push(EventKind::Answered);
                self.desk.book().change(self.id(), |memory| memory.probes = 0);
                self.add(kinds).await
            }
            Err(ReachError::Denied(_)) => {
                // Keys may arrive late; some clouds take them only once the machine runs.
                let due = memory.admitted_at.is_none_or(|at| ticks.saturating_sub(at) >= ADMIT_EVERY);
                if let Some(spec) = self.rental.record.spec.clone().filter(|_| due) {
                    self.desk.book().change(self.id(), |memory| memory.admitted_at = Some(ticks));
                    if let Err(error) = cloud.admit(&self.remote_id(), &spec).await {
                        tracing::warn!(rental = self.id(), "the key could not be let in: {error}");
                    }
                }
                Ok(())
            }
            Err(ReachError::HostKeyChanged { known, found }) => {
                let what = format!("host-key-changed {found}");
                if self.rental.told.contains(&what) {
                    return Ok(());
                }
                self.add_fact(&[EventKind::Told { what }]).await?;
                self.say(
                    "host-key-changed",
                    format!("shows another host key: {found} instead of {known}; nothing connects to it"),
                );
                Ok(())
            }
            Err(
                ReachError::Silent(_)
                | ReachError::HostKeyUnknown(_)
                | ReachError::Command(_)
                | ReachError::Here(_),
            ) => Ok(()),
        }
    }

    async fn verify(&mut self) -> Result<(), DeskError> {
        let Some(target) = self.desk.target(&self.rental) else { return Ok(()) };
        let probe = self.desk.reach().probe(&target).await;
        let mut probes = 0;
        self.desk.book().change(self.id(), |memory| {
            memory.probes += 1;
            probes = memory.probes;
        });
        let probe = match probe {
            Err(error) if probes < PROBES => {
                tracing::info!(rental = self.id(), "the cards could not be asked for: {error}");
                return Ok(());
            }
            done => done.map_err(|error| error.to_string()),
        };
        let machine = self.desk.book().memory(self.id()).machine;
        let is_booking = self.terms.as_ref().is_some_and(|terms| terms.booking);
        let verification = super::verify::verify(&self.rental, probe.as_ref(), machine.as_ref(), is_booking);
        self.add(vec![EventKind::Verified { verification }]).await?;
        let broken: Vec<String> = self.rental.new_breaches().map(ToString::to_string).collect();
        if broken.is_empty() {
            return Ok(());
        }
        let title = self.rental.policy.as_ref().map(|policy| policy.title.clone()).unwrap_or_default();
        self.tell("policy-broken", format!("breaks the policy “{title}”: {}", broken.join("; "))).await
    }
}

fn told_of(notice: &Notice) -> Option<(&'static str, String)> {
    Some(match notice {
        Notice::PriceRise { per_hour, .. } => ("price-rise", format!("will cost {per_hour} an hour")),
        Notice::StillBilled { word } => ("still-billed", format!("is `{word}` and billed all the same")),
        Notice::NoGpu => ("no-gpu", "came back without its cards".to_owned()),
        Notice::Locked => {
            ("locked", "is locked at the provider: stop and end are refused until it is unlocked".to_owned())
        }
        Notice::Says { .. } => return None,
    })
}
