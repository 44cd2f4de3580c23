//! A launch whose outcome is not known: the machine is looked for by its mark.

use std::time::Duration;

use gpudesk_core::rental::{EventKind, Idempotency, Machine, MachineState};
use gpudesk_providers::cloud::{Cloud, CloudError};

use super::life::{Life, words};
use crate::DeskError;

/// How long a launch call that was cut off may still be on its way to have an effect: no proxy or gateway keeps a
/// request for longer. Listings before it tell nothing; after it they are good evidence, and no proof: lists lag and
/// lie. So the call is repeated only where the provider itself makes one machine of two calls.
const LATE: Duration = Duration::from_secs(90);

impl Life<'_> {
    /// Looks for our machine in a full list of the account.
    pub(super) async fn seek(&mut self, cloud: &dyn Cloud) -> Result<(), DeskError> {
        let ticks = self.desk.config().clock.ticks();
        let lag = cloud.terms().list_lag;
        let mut since = ticks;
        let mut last = None;
        self.desk.book().change(self.id(), |memory| {
            since = *memory.unclear_since.get_or_insert(ticks);
            last = memory.looked_at;
        });
        if last.is_some_and(|last| ticks.saturating_sub(last) < lag) {
            return Ok(());
        }
        let Ok(listing) = cloud.list().await else { return Ok(()) };
        let account = self.rental.record.account_name();
        self.desk.book().show(&account, ticks, self.desk.now(), &listing.machines);
        let ours = marked(&listing.machines, &self.rental.record.token);
        if let Some(first) = ours.first() {
            self.desk.book().change(self.id(), |memory| memory.forget_seeking());
            return self.found(first).await;
        }
        self.desk.book().change(self.id(), |memory| memory.looked_at = Some(ticks));
        // The wall clock, which may leap, tells how old the call of an earlier run is.
        let sent_here = self.desk.book().memory(self.id()).sent_here;
        let age = self.rental.unclear_at.and_then(|at| (self.desk.now() - at).to_std().ok());
        let age = age.filter(|_| !sent_here);
        let late = ticks.saturating_sub(since) >= LATE || age.is_some_and(|age| age >= LATE);
        if !(listing.complete && late && self.missed_twice().await?) {
            return Ok(());
        }
        self.desk.book().change(self.id(), |memory| memory.forget_seeking());
        let words = "two full listings have no machine with its mark".to_owned();
        let absent =
            EventKind::LaunchRefused { code: "absent".to_owned(), words: words.clone(), retry_at: None };
        let next = if self.rental.end_asked() {
            Some(EventKind::Gone { since: None, proof: words })
        } else if cloud.terms().idempotency == Idempotency::Key {
            None
        } else {
            let reason =
                format!("the provider did not answer the order, and {words}; one that appears is ended");
            Some(EventKind::Failed { reason })
        };
        self.add(std::iter::once(absent).chain(next).collect()).await
    }
}

impl Life<'_> {
    /// The provider says that there was none to be had, and leaves open whether it made one all the same. Its words are
    /// taken where a full list has no machine with the mark, once a list would show one; then the order has failed, and
    /// one that appears is ended. Gives the refusal then. Otherwise it is looked for as after any unclear answer.
    pub(super) async fn none_was_left(
        &mut self,
        cloud: &dyn Cloud,
        error: CloudError,
    ) -> Result<Option<CloudError>, DeskError> {
        self.desk.config().clock.sleep(cloud.terms().list_lag).await;
        let asked_at = self.desk.config().clock.ticks();
        let Ok(listing) = cloud.list().await else { return Ok(None) };
        let account = self.rental.record.account_name();
        self.desk.book().show(&account, asked_at, self.desk.now(), &listing.machines);
        if let Some(first) = marked(&listing.machines, &self.rental.record.token).first() {
            self.found(first).await?;
            return Ok(None);
        }
        if !listing.complete {
            return Ok(None);
        }
        let refused = EventKind::LaunchRefused {
            code: error.code.word().to_owned(),
            words: words(&error),
            retry_at: error.retry_at,
        };
        self.add(vec![refused, EventKind::Failed { reason: words(&error) }]).await?;
        Ok(Some(error))
    }
}

/// Machines with a mark that are not on their way out, the oldest first.
pub(super) fn marked<'m>(machines: &'m [Machine], token: &str) -> Vec<&'m Machine> {
    let alive = |m: &&Machine| {
        m.token.as_deref() == Some(token) && !matches!(m.state, MachineState::Ended | MachineState::Ending)
    };
    let mut ours: Vec<&Machine> = machines.iter().filter(alive).collect();
    ours.sort_by_key(|m| (m.created_at, m.remote_id.clone()));
    ours
}
