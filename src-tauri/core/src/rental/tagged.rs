//! The lease as it travels with the machine itself, in its tags, where a teammate's desk or a script can see it.

use chrono::{DateTime, Utc};

use super::{EventKind, Lease, PartingAt, Rental, RentalTerms};

/// What a machine's own tags say of its lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// Until when; `None` = they name no end.
    pub until: Option<DateTime<Utc>>,
    /// The newest change that failed: what they were to say, and why they do not.
    pub failed: Option<(Option<DateTime<Utc>>, String)>,
}

impl Tagged {
    pub(super) fn at_launch(lease: &Lease) -> Self {
        Self { until: lease.until, failed: None }
    }
}

impl Rental {
    /// What happened to its lease: that it was set, what was done because of it, and where it is written.
    pub(super) fn guarded(&mut self, kind: &EventKind, at: DateTime<Utc>) {
        match kind {
            EventKind::LeaseSet { lease, .. } => {
                self.lease = lease.clone();
                self.parting = None;
            }
            EventKind::Kept { .. } => {
                self.kept_at = Some(at);
                self.parting = None;
            }
            EventKind::PartingBegun { limit, why, until } => {
                self.parting = Some(PartingAt::begun(*limit, why, at, *until));
            }
            EventKind::PartingOver { .. } => self.parting.iter_mut().for_each(|parting| parting.over = true),
            EventKind::Retagged { until } => self.tagged = Some(Tagged { until: *until, failed: None }),
            EventKind::RetagFailed { until, words } => {
                let failed = Some((*until, words.clone()));
                self.tagged.iter_mut().for_each(|tagged| tagged.failed.clone_from(&failed));
            }
            _ => {}
        }
    }

    /// Whether the tags of its machine name another end than its lease, and can be changed. Those of a machine that was
    /// not launched from here are not ours to change.
    #[must_use]
    pub fn is_mistagged(&self, terms: Option<&RentalTerms>) -> bool {
        terms.is_some_and(|terms| terms.retags)
            && self.remote_id.is_some()
            && !self.is_over()
            && !self.end_asked()
            && self.tagged.as_ref().is_some_and(|tagged| tagged.until != self.lease.until)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Event, OnExpiry, Record, Who};
    use super::*;

    fn at(hour: u32) -> DateTime<Utc> {
        format!("2026-11-30T{hour:02}:00:00Z").parse().unwrap()
    }

    fn lease(until: Option<u32>) -> Lease {
        Lease { until: until.map(at), max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Stop }
    }

    fn rental(kinds: Vec<EventKind>) -> Rental {
        let record: Record = serde_json::from_value(serde_json::json!({
            "id": "01", "token": "gpudesk-01", "name": "a", "provider": "nobody", "account": "", "offer": null,
            "spec": null, "owner": null, "project": null, "lease": lease(Some(17)), "created_at": at(9),
        }))
        .unwrap();
        let events: Vec<Event> = kinds.into_iter().map(|kind| Event { at: at(10), kind }).collect();
        Rental::of(record, &events, None)
    }

    #[test]
    fn tags_lag_behind_a_lease_until_they_are_changed() {
        let terms = RentalTerms { retags: true, ..RentalTerms::plain() };
        let lags = |kinds: &[EventKind]| rental(kinds.to_vec()).is_mistagged(Some(&terms));
        let sent = EventKind::LaunchSent { attempt: 1 };
        let placed = EventKind::Placed { remote_id: "7".to_owned(), found: false, since: None };
        let set = |until| EventKind::LeaseSet { lease: lease(until), by: Who::Person };
        let tagged = |until: Option<u32>| EventKind::Retagged { until: until.map(at) };
        assert!(!lags(&[sent.clone(), placed.clone()]), "it was launched with them");
        let longer = [sent, placed, set(Some(20))];
        let with = |more: &[EventKind]| [&longer[..], more].concat();
        assert!(lags(&longer) && !rental(longer.to_vec()).is_mistagged(Some(&RentalTerms::plain())));
        let failed = EventKind::RetagFailed { until: Some(at(20)), words: "no".to_owned() };
        assert!(lags(&with(std::slice::from_ref(&failed))), "it is tried again");
        assert!(!lags(&with(&[failed, tagged(Some(20))])));
        assert!(lags(&with(&[tagged(Some(20)), set(None)])), "without an end now");
        assert!(!lags(&with(&[set(None), tagged(None)])));
        let end = EventKind::EndAsked { by: Who::Person, why: String::new() };
        assert!(!lags(&with(&[end])), "nobody needs to know any more");
        let adopted = EventKind::Adopted { remote_id: "7".to_owned(), per_hour: None };
        assert!(!lags(&[adopted, set(Some(20))]), "launched elsewhere");
    }
}
