//! What a machine costs that stands still.

use super::*;

fn event(seconds: i64, kind: EventKind) -> Event {
    Event { at: at(seconds), kind }
}

#[test]
fn a_disk_inside_the_price_may_be_billed_once_the_machine_stands() {
    let inside = RentalTerms { disk_billed_apart: false, disk: None, ..terms() };
    let mut offer = plain().offer.unwrap();
    offer.price.storage_stopped_gb_month = Some(dec("0.073"));
    assert_eq!(disk_rates(&offer, None, &inside), (Some(Decimal::ZERO), None), "its size is not said");
    offer.disk.included_gb = Some(100.0);
    assert_eq!(disk_rates(&offer, None, &inside), (Some(Decimal::ZERO), Some(dec("0.01"))), "100 GB, 730 h");
    let mut record = plain();
    record.offer = Some(offer);
    let events = [
        event(
            0,
            EventKind::Requested {
                per_hour: dec("3.6"),
                disk_per_hour: Some(Decimal::ZERO),
                disk_stopped_per_hour: Some(dec("0.01")),
            },
        ),
        event(0, EventKind::Placed { remote_id: "9".to_owned(), found: false, since: None }),
        event(0, seen(MachineState::Running)),
        event(3600, seen(MachineState::Stopped)),
    ];
    let rental = Rental::of(record, &events, Some(&inside));
    assert_eq!(rental.burning(), Some(dec("0.01")));
    let costs = rental.costs(at(2 * 3600));
    assert_eq!(costs.total, dec("3.61"), "an hour of the machine and one of its disk");
}

#[test]
fn what_stands_still_and_is_billed_all_the_same_is_counted_on() {
    let word =
        |word: &str, state| EventKind::Seen { state, word: word.to_owned(), detail: None, since: None };
    let billed = EventKind::Noticed { notice: Notice::StillBilled { word: "SHUTOFF".to_owned() } };
    let mut events = vec![
        event(
            0,
            EventKind::Requested {
                per_hour: dec("3.6"),
                disk_per_hour: None,
                disk_stopped_per_hour: Some(Decimal::ZERO),
            },
        ),
        event(0, EventKind::Placed { remote_id: "9".to_owned(), found: false, since: None }),
        event(0, word("ACTIVE", MachineState::Running)),
        event(1800, word("SHUTOFF", MachineState::Stopped)),
        event(1800, billed),
    ];
    let cost = |events: &[Event], seconds| {
        let rental = Rental::of(plain(), events, Some(&terms()));
        (rental.state, rental.costs(at(seconds)).parts[&Meter::Compute])
    };
    assert_eq!(cost(&events, 3600), (State::Stopped, dec("3.6")), "a stop that saves nothing");
    events.push(event(3600, word("HIBERNATED", MachineState::Stopped)));
    assert_eq!(cost(&events, 7200).1, dec("3.6"), "another word, and it is free");
    events.push(event(7200, word("SHUTOFF", MachineState::Stopped)));
    assert_eq!(cost(&events, 10_800).1, dec("7.2"), "the notice was told once and still holds for its word");
}
