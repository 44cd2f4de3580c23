//! The deadline in the machine's own tags, renewed with the lease where a cloud lets it.

use chrono::{DateTime, SecondsFormat, Utc};
use futures::future::join_all;
use gpudesk_core::rental::{EventKind, Rental};

use super::life::Life;
use crate::DeskError;
use crate::desk::Desk;

/// The name of the tag that holds the deadline.
const UNTIL: &str = "until";
/// What it says where a lease that had an end has none any more: a tag that is left as it was would go on to name it.
const NO_END: &str = "none";

/// A deadline as it travels.
fn deadline(until: DateTime<Utc>) -> String {
    until.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Deadline and owner as they travel with a machine from its launch on.
pub(super) fn of_launch(rental: &Rental) -> Vec<(String, String)> {
    let tags = [(UNTIL, rental.lease.until.map(deadline)), ("owner", rental.record.owner.clone())];
    tags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

impl Desk {
    /// Renews the tags of a machine that name another end than its lease. That they could not be is written down once
    /// for each reason, and tried again with the next comparison of accounts and records.
    async fn renew_tags(&self, id: &str) -> Result<(), DeskError> {
        let mut life = Life::read(self, id).await?;
        if !life.rental.is_mistagged(life.terms.as_ref()) {
            return Ok(());
        }
        let until = life.rental.lease.until;
        let tags = [(UNTIL.to_owned(), until.map_or(NO_END.to_owned(), deadline))];
        let done = match self.cloud(&life.rental.record.account_name()).await {
            Ok(cloud) => cloud.retag(&life.remote_id(), &tags).await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let kind = match done {
            Ok(()) => EventKind::Retagged { until },
            Err(words) => {
                let failed = Some((until, words.clone()));
                if life.rental.tagged.as_ref().is_some_and(|tagged| tagged.failed == failed) {
                    return Ok(());
                }
                EventKind::RetagFailed { until, words }
            }
        };
        life.add_fact(&[kind]).await
    }

    /// Renews the tags of a machine whose lease was changed: whatever comes of that, it is changed.
    pub(crate) async fn renew_tags_of(&self, id: &str) {
        if let Err(error) = self.renew_tags(id).await {
            tracing::warn!(rental = id, "what came of its tags could not be written down: {error}");
        }
    }

    /// Renews the tags of all machines that lag behind.
    pub(super) async fn renew_all_tags(&self) -> Result<(), DeskError> {
        let rentals = self.rentals(false).await?;
        let lags = |rental: &&Rental| {
            let record = &rental.record;
            rental.is_mistagged(self.rental_terms(&record.provider, &record.account_name()).as_ref())
        };
        join_all(rentals.iter().filter(lags).map(|rental| self.renew_tags_of(&rental.record.id))).await;
        Ok(())
    }
}
