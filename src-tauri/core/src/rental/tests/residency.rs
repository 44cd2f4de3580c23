//! The policy a machine was rented under, and the place it was found at.

use super::*;
use crate::offer::Place;
use crate::policy::{Policy, Reason};

fn gdpr() -> Policy {
    Policy::built_in().into_iter().find(|policy| policy.name == "gdpr").unwrap()
}

fn place(country: Option<&str>, region: &str) -> Place {
    Place { region: Some(region.to_owned()), country: country.map(str::to_owned), seller: None }
}

/// Offered in Frankfurt by a company nobody knows, rented all the same, and found there.
fn rented(found: Place) -> Rental {
    let mut record = plain();
    let mut offer = record.offer.unwrap();
    offer.place = place(Some("DE"), "eu-1");
    let offered = gdpr().judge(&crate::policy::Subject::of(&offer));
    let read_back = gdpr().judge_found(&offer, Some(&found));
    record.offer = Some(offer);
    let verification = Verification {
        ok: true,
        differs: vec![],
        unknown: vec![],
        place: Some(found),
        policy: Some(read_back),
    };
    let reason = "only public data".to_owned();
    let events = [
        requested(),
        EventKind::PolicyChecked { policy: Box::new(gdpr()), judgement: offered },
        EventKind::Override { rule: "gdpr".to_owned(), reason },
        EventKind::LaunchSent { attempt: 1 },
        placed(),
        seen(MachineState::Running),
        EventKind::Answered,
        EventKind::Verified { verification },
    ];
    let events: Vec<Event> = events.into_iter().map(|kind| Event { at: at(0), kind }).collect();
    // What is stored is what is read.
    let text = serde_json::to_string(&events).unwrap();
    Rental::of(record, &serde_json::from_str::<Vec<Event>>(&text).unwrap(), Some(&terms()))
}

#[test]
fn only_what_was_not_known_before_the_launch_is_news() {
    let as_offered = rented(place(Some("DE"), "eu-1"));
    assert_eq!(as_offered.overrides, [("gdpr".to_owned(), "only public data".to_owned())]);
    assert_eq!(
        as_offered.judgement.iter().flat_map(|j| j.breaches()).count(),
        2,
        "who bills and who runs it"
    );
    assert_eq!(as_offered.new_breaches().count(), 0);
    let elsewhere = rented(place(Some("GB"), "eu-9"));
    assert_eq!(elsewhere.new_breaches().map(Reason::code).collect::<Vec<_>>(), ["place-elsewhere"]);
    let (country, region) = elsewhere.place.map(|place| (place.country, place.region)).unwrap();
    assert_eq!((country.as_deref(), region.as_deref()), (Some("GB"), Some("eu-9")), "where it really is");
    let untold = rented(place(None, "eu-1"));
    assert_eq!(untold.new_breaches().count(), 0);
    assert_eq!(untold.place.and_then(|place| place.country).as_deref(), Some("DE"), "as offered");
}

#[test]
fn what_was_stored_by_an_earlier_version_is_read() {
    let old = r#"{"at":"2026-11-30T09:00:00Z","event":"verified","verification":{"ok":true,"differs":[],"unknown":[]}}"#;
    let event: Event = serde_json::from_str(old).unwrap();
    let EventKind::Verified { verification } = event.kind else { panic!("{event:?}") };
    assert_eq!((verification.place, verification.policy), (None, None));
}
