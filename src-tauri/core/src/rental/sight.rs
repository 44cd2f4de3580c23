//! What the sight of a machine, or its absence, makes of a rental.

use chrono::{DateTime, Utc};

use super::fold::Ask;
use super::meters::Phase;
use super::{BillsFrom, MachineState, Rental, RentalTerms, State};

impl Rental {
    pub(super) fn see(&mut self, seen: MachineState, since: DateTime<Utc>, terms: Option<&RentalTerms>) {
        self.seen = Some(seen);
        if matches!(seen, MachineState::Offline | MachineState::Unknown) {
            // Where it stands is not told: what was known holds.
            return;
        }
        let before = self.stood.replace(seen);
        self.begun |= is_down(seen) || matches!(seen, MachineState::Provisioning | MachineState::Booting);
        if self.state.is_over() {
            // What was taken for gone is there.
            self.back(since);
        }
        let phase = match seen {
            MachineState::Provisioning | MachineState::Booting => Some(Phase::Ordered),
            MachineState::Running => Some(Phase::Running),
            MachineState::Stopped if self.stands_billed() => Some(Phase::Running),
            MachineState::Stopped | MachineState::Preempted => Some(Phase::Stopped),
            MachineState::Failed if terms.is_some_and(|t| t.bills_from == BillsFrom::Running) => {
                Some(Phase::Stopped)
            }
            _ => None,
        };
        if let Some(phase) = phase {
            self.meters(phase, since, terms);
        }
        if matches!(seen, MachineState::Stopped | MachineState::Preempted | MachineState::Failed) {
            self.answered = false;
            self.ssh = None;
        }
        self.state = match (self.ask, seen) {
            (Some(Ask::End), _) | (_, MachineState::Ending | MachineState::Ended) => State::Ending,
            (Some(Ask::Stop), MachineState::Stopped) => {
                self.settled();
                State::Stopped
            }
            (_, MachineState::Failed) => {
                self.reason = self.detail.clone().or_else(|| self.word.clone());
                State::Failed
            }
            (Some(Ask::Start), MachineState::Preempted | MachineState::Stopped) => State::Starting,
            (_, MachineState::Preempted) => {
                self.settled();
                self.taken_back += u32::from(self.state != State::Preempted);
                State::Preempted
            }
            (Some(Ask::Stop), _) | (None, MachineState::Stopping) => State::Stopping,
            (None, MachineState::Stopped) => State::Stopped,
            (Some(Ask::Start), _) if !self.answered => State::Starting,
            (_, MachineState::Running) if self.answered && self.state.has_shell() => self.state,
            (_, MachineState::Running) if self.answered => State::Verifying,
            (_, MachineState::Provisioning) => State::Provisioning,
            _ => State::Booting,
        };
        if seen == MachineState::Booting && before == Some(MachineState::Running) {
            // It restarts: SSH has to answer anew.
            self.answered = false;
        }
    }

    pub(super) fn gone(&mut self, at: DateTime<Utc>, proof: &str, terms: Option<&RentalTerms>) {
        if self.ended_at.is_some() {
            // Told twice, by two programs: it was gone at the first time.
            return;
        }
        self.meters(Phase::Gone, at, terms);
        self.ended_at = Some(at);
        self.settled();
        self.unclear = false;
        self.ssh = None;
        self.answered = false;
        self.state = if self.end_asked {
            State::Ended
        } else {
            let why = match self.state {
                State::Preempted => "taken back by the provider, then gone",
                State::Failed => "failed, then gone",
                _ => "gone at the provider without our asking",
            };
            self.reason = Some(format!("{why} ({proof})"));
            State::Lost
        };
    }

    /// Takes back a [`Self::gone`]: the machine is there after all, as was seen at `at`, and its meters never stood still.
    /// An end that was asked for is asked for anew.
    pub(super) fn back(&mut self, at: DateTime<Utc>) {
        let Some(ended) = self.ended_at.take() else { return };
        for interval in self.intervals.iter_mut().filter(|i| i.to == Some(ended)) {
            interval.to = None;
        }
        self.reason = None;
        self.accepted_at = None;
        self.missed_at = None;
        self.looks.clear();
        if self.end_asked {
            self.asked(Ask::End, State::Ending, at);
        } else {
            self.state = State::Booting;
        }
    }
}

/// Whether a machine that stands so has nothing that could answer.
pub(super) fn is_down(state: MachineState) -> bool {
    matches!(state, MachineState::Stopped | MachineState::Preempted | MachineState::Failed)
}
