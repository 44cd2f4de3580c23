//! One rental in hand: what is stored of it, and what is added.

use chrono::{DateTime, Utc};
use gpudesk_core::rental::{Event as Happened, EventKind, Rental, RentalTerms, State};
use gpudesk_providers::cloud::CloudError;
use gpudesk_store::{RentalRow, Standing, StoreError};

use super::RentalError;
use crate::desk::Desk;
use crate::notices::kind_of;
use crate::{DeskError, Event};

/// After so many minutes each, an ended machine is looked for once more.
pub(super) const SECOND_LOOKS: [u32; 2] = [2, 30];

/// One rental in hand.
pub(crate) struct Life<'a> {
    pub desk: &'a Desk,
    pub rental: Rental,
    pub terms: Option<RentalTerms>,
    row: RentalRow,
}

impl Desk {
    /// What renting through an account means; `None` where its cloud is not known here.
    pub(crate) fn rental_terms(&self, provider: &str, account: &str) -> Option<RentalTerms> {
        match self.config().clouds.get(account) {
            Some(cloud) => Some(cloud.terms().clone()),
            None => crate::accounts::rental_terms(provider),
        }
    }

    pub(crate) fn fold(&self, row: RentalRow) -> Rental {
        let terms = self.rental_terms(&row.record.provider, &row.record.account_name());
        let mut rental = Rental::of(row.record, &row.events, terms.as_ref());
        rental.ends_at = self.book().memory(&rental.record.id).ends_at;
        rental
    }
}

impl<'a> Life<'a> {
    /// Reads a rental by id or name.
    pub async fn read(desk: &'a Desk, id_or_name: &str) -> Result<Self, DeskError> {
        let row = desk.store().rental(id_or_name).await?;
        Ok(Self::of(desk, row.ok_or_else(|| RentalError::Unknown(id_or_name.to_owned()))?))
    }

    pub fn of(desk: &'a Desk, row: RentalRow) -> Self {
        let terms = desk.rental_terms(&row.record.provider, &row.record.account_name());
        Self { desk, rental: desk.fold(row.clone()), terms, row }
    }

    pub fn id(&self) -> &str {
        &self.row.record.id
    }

    /// Adds what was decided on the state in hand.
    ///
    /// # Errors
    /// [`StoreError::Moved`] where somebody else was faster: the decision falls.
    pub async fn add(&mut self, kinds: Vec<EventKind>) -> Result<(), DeskError> {
        if kinds.is_empty() {
            return Ok(());
        }
        let at = self.desk.now();
        let added: Vec<Happened> = kinds.into_iter().map(|kind| Happened { at, kind }).collect();
        let mut row = self.row.clone();
        row.events.extend(added.iter().cloned());
        let rental = self.desk.fold(row.clone());
        let standing = standing(&rental);
        self.desk.store().add_rental_events(self.id(), self.row.events.len(), &added, standing).await?;
        let before = self.rental.state;
        self.row = row;
        self.rental = rental;
        self.desk.tell(Event::RentalsChanged { rental: self.id().to_owned() });
        if self.rental.state != before {
            self.say_state().await;
        }
        Ok(())
    }

    /// Adds what has happened already and holds whatever else did meanwhile.
    pub async fn add_fact(&mut self, kinds: &[EventKind]) -> Result<(), DeskError> {
        loop {
            match self.add(kinds.to_vec()).await {
                Err(DeskError::Store(StoreError::Moved(_))) => {
                    *self = Self::read(self.desk, self.id()).await?
                }
                done => return done,
            }
        }
    }

    /// Tells a person, and writes down that it was told.
    pub async fn tell(&mut self, what: &str, text: String) -> Result<(), DeskError> {
        self.add_fact(&[EventKind::Told { what: what.to_owned() }]).await?;
        self.note(what, text).await
    }

    /// Tells a person once of something that has a word of its own.
    ///
    /// # Errors
    /// [`StoreError::Moved`] where somebody else was faster: whether it is still to be told is seen anew.
    pub async fn tell_once(&mut self, what: &str, word: &str, text: String) -> Result<(), DeskError> {
        let name = self.rental.record.name.clone();
        // Written down for mail and webhook before the event that says it was told: cut off between the two, it is
        // told at the next look, and written down once.
        self.desk.notice(kind_of(what), self.id(), word, &name, &text).await?;
        self.add(vec![EventKind::Told { what: word.to_owned() }]).await?;
        self.say(what, text);
        Ok(())
    }

    /// Tells a person of what was just written down.
    pub async fn note(&mut self, what: &str, text: String) -> Result<(), DeskError> {
        let (name, key) = (self.rental.record.name.clone(), format!("{what} {}", self.row.events.len()));
        self.desk.notice(kind_of(what), self.id(), &key, &name, &text).await?;
        self.say(what, text);
        Ok(())
    }

    pub fn say(&self, what: &str, text: String) {
        self.desk.tell(Event::Told {
            rental: self.id().to_owned(),
            name: self.rental.record.name.clone(),
            what: what.to_owned(),
            text,
            system: self.desk.goes_by_system(what),
        });
    }

    /// Since when it is down, after a call that the provider took: since then, unless it was seen up later. Where this
    /// run has never seen it up, or a repeat of the call may have been the one that did it, it may have been up until now.
    pub fn down_since(&self, what: &str) -> Option<DateTime<Utc>> {
        let taken = self.rental.accepted_at.filter(|_| self.rental.asked_for() == Some(what))?;
        let up_at = self.desk.book().memory(self.id()).up_at.filter(|_| !self.repeat_is_unclear())?;
        Some(taken.max(up_at)).filter(|since| *since <= self.desk.now())
    }

    /// Whether a repeat of the call that is waited for may be the one that did it: then it is down since it is seen down.
    pub fn repeat_is_unclear(&self) -> bool {
        self.desk.book().memory(self.id()).repeat_unclear
    }

    /// Tells of states that a person waits for or must know of.
    async fn say_state(&mut self) {
        let why = self.rental.reason.clone().unwrap_or_default();
        let text = match self.rental.state {
            State::Ready => match &self.rental.verification {
                Some(verification) if !verification.ok => "can be used, but is not as offered".to_owned(),
                _ => "can be used".to_owned(),
            },
            State::Failed => format!("failed: {why}"),
            State::Lost => why,
            State::Preempted => "was taken back by its provider".to_owned(),
            State::Stopped => "is stopped".to_owned(),
            State::Ended => "is gone".to_owned(),
            _ => return,
        };
        let state = self.rental.state.word();
        if let Err(error) = self.note(state, text).await {
            tracing::error!(rental = self.id(), "a notice could not be written down: {error}");
        }
    }
}

/// What is kept beside the events for look-ups.
pub(super) fn standing(rental: &Rental) -> Standing<'_> {
    let over = rental.is_over();
    let looked = rental.remote_id.is_none() || SECOND_LOOKS.iter().all(|m| rental.looks.contains(m));
    let finished = rental.ended_at.unwrap_or(rental.state_since);
    Standing {
        remote_id: rental.remote_id.as_deref(),
        over,
        settled: over && looked,
        finished: over.then_some(finished),
    }
}

/// A failed call in one line, for the story.
pub(super) fn words(error: &CloudError) -> String {
    error.to_string()
}
