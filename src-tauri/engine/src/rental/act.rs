//! What a person or a rule asks of a rental.

use gpudesk_core::rental::{Event as Happened, EventKind, Rental, State, Who};
use gpudesk_store::{StoreError, Which};

use super::RentalError;
use super::life::Life;
use crate::DeskError;
use crate::desk::Desk;

/// Hours of a century: longer is a slip of the hand.
const MOST_HOURS: f64 = 876_000.0;

impl Desk {
    /// Rentals, oldest first; `all` = those too of which nothing is left.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn rentals(&self, all: bool) -> Result<Vec<Rental>, DeskError> {
        let rows = self.store().rentals(if all { Which::All } else { Which::Live }).await?;
        Ok(rows.into_iter().map(|row| self.fold(row)).collect())
    }

    /// One rental, by id or name.
    ///
    /// # Errors
    /// [`RentalError::Unknown`], or when the database cannot be read.
    pub async fn rental(&self, id_or_name: &str) -> Result<Rental, DeskError> {
        Ok(Life::read(self, id_or_name).await?.rental)
    }

    /// What happened to it, oldest first.
    ///
    /// # Errors
    /// As [`Self::rental`].
    pub async fn rental_events(&self, id_or_name: &str) -> Result<Vec<Happened>, DeskError> {
        let row = self.store().rental(id_or_name).await?;
        Ok(row.ok_or_else(|| RentalError::Unknown(id_or_name.to_owned()))?.events)
    }

    /// Asks for a stop. What was asked is written down first, then called, and called again until it is true.
    ///
    /// # Errors
    /// [`RentalError::NoStop`], [`RentalError::State`]; or when the database cannot be written. A provider that cannot
    /// be reached is no error: the call is repeated.
    pub async fn stop(&self, id_or_name: &str, by: Who, why: &str) -> Result<Rental, DeskError> {
        self.ask(id_or_name, "stop", EventKind::StopAsked { by, why: why.to_owned() }).await
    }

    /// Asks for a start.
    ///
    /// # Errors
    /// As [`Self::stop`].
    pub async fn start_rental(&self, id_or_name: &str, by: Who) -> Result<Rental, DeskError> {
        self.ask(id_or_name, "start", EventKind::StartAsked { by }).await
    }

    /// Asks for the end, irreversibly.
    ///
    /// # Errors
    /// As [`Self::stop`]; a rental that is ended already is none.
    pub async fn end(&self, id_or_name: &str, by: Who, why: &str) -> Result<Rental, DeskError> {
        self.ask(id_or_name, "end", EventKind::EndAsked { by, why: why.to_owned() }).await
    }

    async fn ask(&self, id_or_name: &str, what: &'static str, kind: EventKind) -> Result<Rental, DeskError> {
        let id = loop {
            let mut life = Life::read(self, id_or_name).await?;
            if may(&life, what)? {
                match life.add(vec![kind.clone()]).await {
                    // Something else happened to it at this moment: whether it may still be asked is seen anew.
                    Err(DeskError::Store(StoreError::Moved(_))) => continue,
                    done => done?,
                }
            }
            break life.id().to_owned();
        };
        // Called at once where nobody is at it; else whoever is at it, or the next look, does.
        let turn = self.book().turn(&id);
        if let Ok(_turn) = turn.try_lock() {
            self.book().change(&id, |memory| memory.looked_at = None);
            match self.step_rental(&id, None).await {
                Ok(_) | Err(DeskError::Store(StoreError::Moved(_))) => {}
                Err(error) => tracing::warn!(rental = id, "{what}: {error}"),
            }
        }
        self.rental(&id).await
    }

    /// Tells once of something that was done to a rental, whatever else happens to it meanwhile.
    pub(crate) async fn tell_rental_once(
        &self,
        id: &str,
        what: &str,
        word: &str,
        text: String,
    ) -> Result<(), DeskError> {
        loop {
            let mut life = Life::read(self, id).await?;
            if life.rental.told.iter().any(|known| known == word) {
                return Ok(());
            }
            match life.tell_once(what, word, text.clone()).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {}
                done => return done,
            }
        }
    }

    /// More time: `hours` from the later of now and the present end.
    ///
    /// # Errors
    /// [`RentalError::State`] where it is over, [`DeskError::Settings`] where the hours are none.
    pub async fn extend(&self, id_or_name: &str, hours: f64) -> Result<Rental, DeskError> {
        if !(hours.is_finite() && hours > 0.0 && hours <= MOST_HOURS) {
            return Err(DeskError::Settings(format!(
                "`{hours}` hours cannot be added: more than 0 are needed"
            )));
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most a century in milliseconds")]
        let more = chrono::TimeDelta::milliseconds((hours * 3_600_000.0) as i64);
        loop {
            let mut life = Life::read(self, id_or_name).await?;
            if life.rental.is_over() {
                return Err(refusal(&life.rental, "extend").into());
            }
            let mut lease = life.rental.lease.clone();
            lease.until = Some(lease.until.unwrap_or(self.now()).max(self.now()) + more);
            match life.add(vec![EventKind::LeaseSet { lease, by: Who::Person }]).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {}
                done => {
                    done?;
                    self.renew_tags_of(&life.rental.record.id).await;
                    return self.rental(&life.rental.record.id).await;
                }
            }
        }
    }

    /// A person looked at a changed host key, or it was seen for the first time.
    ///
    /// # Errors
    /// As [`Self::rental`].
    pub async fn host_key_changed(
        &self,
        id_or_name: &str,
        fingerprint: &str,
        replaced: bool,
    ) -> Result<(), DeskError> {
        let mut life = Life::read(self, id_or_name).await?;
        life.add_fact(&[EventKind::HostKey { fingerprint: fingerprint.to_owned(), replaced }]).await
    }
}

impl Life<'_> {
    /// Asks for something by a rule, on the state in hand; `false` = it cannot be asked for there, or was already.
    ///
    /// # Errors
    /// [`StoreError::Moved`] where something else happened to it: the rule decides anew.
    pub(crate) async fn ask_by_rule(
        &mut self,
        what: &'static str,
        kind: EventKind,
    ) -> Result<bool, DeskError> {
        match may(self, what) {
            Ok(true) => {}
            Ok(false) | Err(RentalError::State { .. } | RentalError::NoStop(_)) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        self.add(vec![kind]).await?;
        let turn = self.desk.book().turn(self.id());
        if let Ok(_turn) = turn.try_lock() {
            self.desk.book().change(self.id(), |memory| memory.looked_at = None);
            match self.desk.step_rental(self.id(), None).await {
                Ok(_) | Err(DeskError::Store(StoreError::Moved(_))) => {}
                Err(error) => tracing::warn!(rental = self.id(), "{what}: {error}"),
            }
        }
        // The step has added to what is in hand.
        *self = Life::read(self.desk, self.id()).await?;
        Ok(true)
    }

    /// Why nothing of the kind is done to it.
    pub(crate) fn refusal(&self, what: &'static str) -> RentalError {
        refusal(&self.rental, what)
    }
}

fn refusal(rental: &Rental, what: &'static str) -> RentalError {
    RentalError::State { name: rental.record.name.clone(), state: rental.state, what }
}

/// Whether it has to be asked; `false` = it was already.
fn may(life: &Life<'_>, what: &'static str) -> Result<bool, RentalError> {
    let rental = &life.rental;
    if rental.asked_for() == Some(what) {
        return Ok(false);
    }
    match what {
        "end" => Ok(!rental.is_over()),
        "stop" if life.terms.as_ref().is_some_and(|terms| !terms.stop.exists) => {
            Err(RentalError::NoStop(rental.record.name.clone()))
        }
        _ if rental.is_over() || rental.end_asked() || rental.remote_id.is_none() => {
            Err(refusal(rental, what))
        }
        "stop" => Ok(rental.state != State::Stopped),
        _ => match rental.state {
            State::Stopped | State::Preempted | State::Stopping | State::Failed => Ok(true),
            _ => Err(refusal(rental, what)),
        },
    }
}
