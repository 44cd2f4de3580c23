//! A rental as its events make it: state, address, meters. Nothing of this is stored.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::bill::{Billed, Interval, Meter};
use super::meters::Phase;
use super::sight::is_down;
use super::{
    Event, EventKind, Lease, MachineState, Notice, PartingAt, Record, RentalTerms, SshAddress, State, Tagged,
    Verification,
};
use crate::money::Currency;
use crate::offer::Place;
use crate::policy::{Judgement, Policy, Reason};

/// What was asked of the provider and is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    Stop,
    Start,
    End,
}

/// A rental, folded from what happened to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rental {
    /// What was asked for.
    pub record: Record,
    /// Where it stands.
    pub state: State,
    /// Since when.
    pub state_since: DateTime<Utc>,
    /// The provider's id; `None` until it has one.
    pub remote_id: Option<String>,
    /// The provider's newest word.
    pub word: Option<String>,
    /// What it waits for, in the provider's words.
    pub detail: Option<String>,
    /// Why it failed or is lost.
    pub reason: Option<String>,
    /// The newest machine state that was seen, `offline` and `unknown` included.
    pub seen: Option<MachineState>,
    /// Since when its provider has our machine, by this desk's clock.
    pub placed_at: Option<DateTime<Utc>>,
    /// When a full listing first lacked it, unless it was seen since.
    pub missed_at: Option<DateTime<Utc>>,
    /// When the newest launch call went out or gave no clear answer.
    pub unclear_at: Option<DateTime<Utc>>,
    /// Since when it runs by the provider's own clock, where that is told.
    pub running_since: Option<DateTime<Utc>>,
    /// Newest way in; `None` until told, and again after it was stopped.
    pub ssh: Option<SshAddress>,
    /// Fingerprint of its host key.
    pub fingerprint: Option<String>,
    /// When it was first ready.
    pub ready_at: Option<DateTime<Utc>>,
    /// When it was gone at the provider.
    pub ended_at: Option<DateTime<Utc>>,
    /// When the provider's own contract ends it, where a listing told: filled in by whoever has looked.
    pub ends_at: Option<DateTime<Utc>>,
    /// The limits in force.
    pub lease: Lease,
    /// Compute per hour, as billed now; `None` = not known.
    pub per_hour: Option<Decimal>,
    /// Newest comparison with the offer.
    pub verification: Option<Verification>,
    /// Where it is: as its provider tells now, or else as offered.
    pub place: Option<Place>,
    /// The residency policy it was rented under.
    pub policy: Option<Policy>,
    /// What that policy said of the offer; what it says of the machine is in `verification`.
    pub judgement: Option<Judgement>,
    /// Rules that a person overrode, each with the reason.
    pub overrides: Vec<(String, String)>,
    /// What is to be known, the newest of each kind.
    pub notices: Vec<Notice>,
    /// Which meter ran when.
    pub intervals: Vec<Interval>,
    /// Whether the provider may have made a machine that we cannot name.
    pub unclear: bool,
    /// Launch calls so far.
    pub attempts: u32,
    /// Those of them that the provider only put off, because it was asked too often.
    pub put_off: u32,
    /// When the provider last made nothing in answer to one.
    pub refused_at: Option<DateTime<Utc>>,
    /// Before when it wants no other, where it said so.
    pub retry_at: Option<DateTime<Utc>>,
    /// Whether SSH answered since the last start.
    pub answered: bool,
    /// Second looks after the end, by their minutes.
    pub looks: Vec<u32>,
    /// What its provider says it billed, and when it said so.
    pub billed: Option<(DateTime<Utc>, Billed)>,
    /// Whether the disk may be billed and nothing is known of it, for want of the provider's terms.
    pub storage_unknown: bool,
    /// When the newest stop, start or end was asked for and not yet confirmed.
    pub asked_at: Option<DateTime<Utc>>,
    /// When the provider took that call.
    pub accepted_at: Option<DateTime<Utc>>,
    /// When a person last said that it is needed.
    pub kept_at: Option<DateTime<Utc>>,
    /// The time given to its programs before a rule stops it, unless somebody wanted it to go on since.
    pub parting: Option<PartingAt>,
    /// What its own tags say of its lease, where it was launched with any.
    pub tagged: Option<Tagged>,
    /// How often its provider took it back.
    pub taken_back: u32,
    /// Words of [`EventKind::Told`], so that a thing is told once.
    pub told: Vec<String>,
    pub(super) disk: Option<Decimal>,
    pub(super) disk_stopped: Option<Decimal>,
    pub(super) ask: Option<Ask>,
    pub(super) end_asked: bool,
    /// The newest machine state that says where it stands.
    pub(super) stood: Option<MachineState>,
    /// Whether it was seen down, or starting anew, since a start was asked for or just before.
    pub(super) begun: bool,
}

impl Rental {
    /// Folds a rental. Events are in the order in which they were stored.
    #[must_use]
    pub fn of(record: Record, events: &[Event], terms: Option<&RentalTerms>) -> Self {
        let mut rental = Self {
            state: State::Draft,
            state_since: record.created_at,
            remote_id: None,
            word: None,
            detail: None,
            reason: None,
            seen: None,
            placed_at: None,
            missed_at: None,
            unclear_at: None,
            running_since: None,
            ssh: None,
            fingerprint: None,
            ready_at: None,
            ended_at: None,
            ends_at: None,
            lease: record.lease.clone(),
            per_hour: None,
            verification: None,
            place: record.offer.as_ref().map(|offer| offer.place.clone()),
            policy: None,
            judgement: None,
            overrides: Vec::new(),
            notices: Vec::new(),
            intervals: Vec::new(),
            unclear: false,
            attempts: 0,
            put_off: 0,
            refused_at: None,
            retry_at: None,
            answered: false,
            looks: Vec::new(),
            billed: None,
            storage_unknown: terms.is_none(),
            asked_at: None,
            accepted_at: None,
            kept_at: None,
            parting: None,
            tagged: None,
            taken_back: 0,
            told: Vec::new(),
            disk: None,
            disk_stopped: None,
            ask: None,
            end_asked: false,
            stood: None,
            begun: false,
            record,
        };
        for event in events {
            let before = rental.state;
            rental.take(event, terms);
            if rental.state != before {
                rental.state_since = event.at;
            }
        }
        rental
    }

    /// Whether nothing of it is left to be watched or billed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.is_over() || (self.state == State::Failed && self.remote_id.is_none() && !self.unclear)
    }

    /// Whether an end was asked for; from then on it is only ever ended.
    #[must_use]
    pub fn end_asked(&self) -> bool {
        self.end_asked
    }

    /// What was asked of the provider and is not confirmed: `stop`, `start`, `end`.
    #[must_use]
    pub fn asked_for(&self) -> Option<&'static str> {
        self.ask.map(|ask| match ask {
            Ask::Stop => "stop",
            Ask::Start => "start",
            Ask::End => "end",
        })
    }

    /// Whether what answers now can be the machine that a start was asked for: the provider took the start, or the
    /// machine was seen down or starting since. Before that the one that is still on its way down answers.
    #[must_use]
    pub fn starts_anew(&self) -> bool {
        self.begun || self.accepted_at.is_some()
    }

    /// Currency of its rates, where an offer tells it.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.record.offer.as_ref().map(|offer| offer.price.currency)
    }

    /// What breaks its policy on the machine and did not in the offer.
    pub fn new_breaches(&self) -> impl Iterator<Item = &Reason> {
        let known = |reason: &&Reason| self.judgement.as_ref().is_some_and(|j| j.reasons.contains(reason));
        let found = self.verification.as_ref().and_then(|verification| verification.policy.as_ref());
        found.into_iter().flat_map(Judgement::breaches).filter(move |reason| !known(reason))
    }

    /// What all running meters come to per hour now; `None` where one of them is not known.
    #[must_use]
    pub fn burning(&self) -> Option<Decimal> {
        self.intervals.iter().filter(|i| i.to.is_none()).map(|i| i.per_hour).sum()
    }

    fn take(&mut self, event: &Event, terms: Option<&RentalTerms>) {
        let at = event.at;
        match &event.kind {
            EventKind::Requested { per_hour, disk_per_hour, disk_stopped_per_hour } => {
                self.state = State::Requested;
                self.per_hour = Some(*per_hour);
                self.disk = *disk_per_hour;
                self.disk_stopped = *disk_stopped_per_hour;
            }
            EventKind::LaunchSent { attempt } => {
                self.attempts = *attempt;
                self.tagged = Some(Tagged::at_launch(&self.lease));
                self.is_unclear(at);
            }
            EventKind::LaunchUnclear { words } => {
                self.is_unclear(at);
                self.detail = Some(words.clone());
            }
            EventKind::LaunchRefused { code, words, retry_at } => {
                self.unclear = false;
                self.refused_at = Some(at);
                self.retry_at = *retry_at;
                self.put_off += u32::from(code == super::event::PUT_OFF);
                self.detail = Some(words.clone());
            }
            EventKind::Placed { remote_id, since, .. } => {
                self.placed_at = Some(at);
                self.place(remote_id, since.unwrap_or(at), terms);
            }
            EventKind::Adopted { remote_id, per_hour } => {
                self.placed_at = Some(at);
                self.per_hour = *per_hour;
                self.place(remote_id, at, terms);
            }
            EventKind::Seen { state, word, detail, since } => {
                self.word = Some(word.clone());
                self.detail.clone_from(detail);
                self.missed_at = None;
                if *state == MachineState::Running && since.is_some() {
                    // The provider's own clock says that it was started again.
                    self.begun |= self.running_since.is_some() && self.running_since != *since;
                    self.running_since = *since;
                }
                self.see(*state, since.unwrap_or(at), terms);
            }
            EventKind::Missed => self.missed_at = self.missed_at.or(Some(at)),
            EventKind::Address { ssh } => self.ssh = Some(ssh.clone()),
            EventKind::Answered => {
                self.answered = true;
                self.up();
            }
            EventKind::HostKey { fingerprint, .. } => self.fingerprint = Some(fingerprint.clone()),
            EventKind::Verified { verification } => {
                self.verification = Some(verification.clone());
                verification.place.iter().for_each(|place| self.found_at(place));
                if self.state == State::Verifying {
                    self.state = State::Ready;
                    self.ready_at.get_or_insert(at);
                }
            }
            EventKind::StopAsked { .. } => self.asked(Ask::Stop, State::Stopping, at),
            EventKind::StartAsked { .. } => {
                self.parting = None;
                self.answered = false;
                self.ssh = None;
                self.begun = self.stood.is_some_and(is_down);
                self.asked(Ask::Start, State::Starting, at);
            }
            EventKind::EndAsked { .. } => {
                self.end_asked = true;
                self.asked(Ask::End, State::Ending, at);
            }
            EventKind::Accepted { .. } => self.accepted_at = Some(at),
            EventKind::Refused { words, .. } => self.detail = Some(words.clone()),
            EventKind::Rate { per_hour, since } => {
                self.per_hour = Some(*per_hour);
                if let Some(from) = self.close(Meter::Compute, since.unwrap_or(at)) {
                    self.open(Meter::Compute, from, Some(*per_hour));
                }
            }
            EventKind::Failed { reason } => {
                self.reason = Some(reason.clone());
                if !self.end_asked {
                    self.state = State::Failed;
                }
            }
            EventKind::Gone { since, proof } => {
                self.gone(since.or(self.end_taken()).unwrap_or(at), proof, terms)
            }
            EventKind::LookedAgain { minutes, there } => {
                if *there {
                    self.back(at);
                } else {
                    self.looks.push(*minutes);
                }
            }
            EventKind::Noticed { notice } => {
                self.notices.retain(|n| std::mem::discriminant(n) != std::mem::discriminant(notice));
                self.notices.push(notice.clone());
                if self.seen == Some(MachineState::Stopped) && self.stands_billed() {
                    self.billed_on(at, terms);
                }
            }
            EventKind::LeaseSet { .. }
            | EventKind::Kept { .. }
            | EventKind::PartingBegun { .. }
            | EventKind::PartingOver { .. }
            | EventKind::Retagged { .. }
            | EventKind::RetagFailed { .. } => self.guarded(&event.kind, at),
            EventKind::Billed { bill } => self.billed = Some((at, bill.clone())),
            EventKind::Told { what } => self.told.push(what.clone()),
            EventKind::PolicyChecked { policy, judgement } => {
                self.policy = Some(Policy::clone(policy));
                self.judgement = Some(judgement.clone());
            }
            EventKind::Override { rule, reason } => self.overrides.push((rule.clone(), reason.clone())),
        }
    }

    /// Whether the provider's present word is one of those that stand still and are billed all the same.
    pub(super) fn stands_billed(&self) -> bool {
        let now = |notice: &Notice| matches!(notice, Notice::StillBilled { word } if self.word.as_ref() == Some(word));
        self.notices.iter().any(now)
    }

    /// When the provider took our end: its meters stopped then.
    fn end_taken(&self) -> Option<DateTime<Utc>> {
        self.accepted_at.filter(|_| self.ask == Some(Ask::End))
    }

    fn is_unclear(&mut self, at: DateTime<Utc>) {
        self.unclear = true;
        self.unclear_at = Some(at);
        self.missed_at = None;
    }

    fn place(&mut self, remote_id: &str, since: DateTime<Utc>, terms: Option<&RentalTerms>) {
        // What was given up for not made is there after all.
        self.back(since);
        self.remote_id = Some(remote_id.to_owned());
        self.unclear = false;
        self.missed_at = None;
        if !self.end_asked {
            self.state = State::Provisioning;
        }
        self.meters(Phase::Ordered, since, terms);
    }

    pub(super) fn asked(&mut self, ask: Ask, state: State, at: DateTime<Utc>) {
        self.ask = Some(ask);
        self.asked_at = Some(at);
        self.accepted_at = None;
        self.state = state;
    }

    pub(super) fn settled(&mut self) {
        self.ask = None;
        self.asked_at = None;
        self.accepted_at = None;
    }

    /// The place was read back. One that is not told stays as offered.
    fn found_at(&mut self, found: &Place) {
        if let Some(place) = self.place.as_mut().filter(|_| found.country.is_some()) {
            place.country.clone_from(&found.country);
            place.region = found.region.clone().or(place.region.take());
        }
    }

    /// SSH answers: on to the comparison, unless it is on its way down.
    fn up(&mut self) {
        if matches!(self.state, State::Provisioning | State::Booting | State::Starting) {
            self.state = State::Verifying;
            self.settled();
        }
    }
}
