//! What providers billed, beside what the meters of the desk counted.

use super::*;
use crate::rental::BillsFrom;

/// One that was ordered and failed before any meter ran, and was gone at this moment.
fn failed(price: serde_json::Value, second: i64, bill: Option<Billed>) -> Rental {
    let at_once = RentalTerms { bills_from: BillsFrom::Running, ..RentalTerms::plain() };
    let asked =
        EventKind::Requested { per_hour: dec("3.60"), disk_per_hour: None, disk_stopped_per_hour: None };
    let placed = EventKind::Placed { remote_id: "7".to_owned(), found: false, since: None };
    let broken = EventKind::Failed { reason: "no such image".to_owned() };
    let mut events = vec![(0, asked), (0, placed), (60, broken)];
    events.extend(ended(second));
    events.extend(bill.map(|bill| (second + HOUR, EventKind::Billed { bill })));
    let events: Vec<Event> =
        events.into_iter().map(|(second, kind)| Event { at: at(second), kind }).collect();
    let rental = Rental::of(record("failed", price), &events, Some(&at_once));
    assert!(rental.intervals.is_empty(), "nothing was metered");
    rental
}

#[test]
fn what_was_billed_is_shown_also_where_nothing_was_metered() {
    let month = |number: i64| Period { from: at(number * 720 * HOUR), to: at((number + 1) * 720 * HOUR) };
    let now = at(5 * 720 * HOUR);
    let read = |rental: &Rental, period| {
        table([rental], period, By::Provider, (Currency::USD, &rates(&[(1, "80")])), now)
    };
    let billed = failed(usd(), 600, Some(bill("2.50", None, None)));
    for by in By::ALL {
        let table = table([&billed], month(0), *by, (Currency::USD, &RateHistory::default()), now);
        let [row] = table.rows.as_slice() else { panic!("{by}: {:?}", table.rows) };
        assert_eq!((row.rentals, row.tally.low(), row.billed), (1, dec("0"), Some(dec("2.50"))), "{by}");
        let [difference] = row.differences.as_slice() else { panic!("{by}: {:?}", row.differences) };
        assert_eq!((difference.kind, difference.amount), (DifferenceKind::Unexplained, dec("2.50")));
    }
    assert_eq!(read(&failed(usd(), 600, None), month(0)).rows, [], "neither metered nor billed");
    // Over the end of a month it is told once, in the month in which it ended.
    let over = failed(usd(), 721 * HOUR, Some(bill("2.50", None, None)));
    let told: Vec<_> =
        (0..3).map(|n| read(&over, month(n)).rows.first().and_then(|row| row.billed)).collect();
    assert_eq!(told, [None, Some(dec("2.50")), None]);
    let rub = Billed { currency: Currency::RUB, ..bill("200", None, None) };
    assert_eq!(read(&failed(usd(), 600, Some(rub)), month(0)).rows[0].billed, Some(dec("2.50")), "200 / 80");
    let eur = Billed { currency: Currency::EUR, ..bill("2", None, None) };
    let unknown = read(&failed(usd(), 600, Some(eur)), month(0));
    assert_eq!((unknown.rows.len(), unknown.unconverted), (0, [(Currency::EUR, dec("2"))].into()));
}

#[test]
fn a_bill_in_another_currency_is_compared_and_never_taken_for_the_same() {
    // Ten hours, 36.36 dollars; the bill is 40 dollars in roubles.
    let rub = Billed { currency: Currency::RUB, ..bill("3200", None, Some("80")) };
    let events = [ended(10 * HOUR), vec![(11 * HOUR, EventKind::Billed { bill: rub })]].concat();
    let rental = life(record("a", usd()), events);
    let row = dollars(&rental, whole(), &rates(&[(1, "80")])).rows.remove(0);
    assert_eq!(
        (row.billed, row.tally.traffic_low),
        (Some(dec("40.00")), dec("0")),
        "80 roubles are no dollars"
    );
    let found: Vec<_> = row.differences.iter().map(|d| (d.kind, d.amount)).collect();
    assert_eq!(found, [(DifferenceKind::Traffic, dec("1")), (DifferenceKind::Unexplained, dec("2.64"))]);
    let without = dollars(&rental, whole(), &RateHistory::default()).rows.remove(0);
    assert_eq!((without.billed, without.differences), (None, vec![]), "without a rate it is not known");
}

#[test]
fn a_bill_that_is_told_anew_replaces_the_one_before() {
    let told = |second: i64, total: &str| (second, EventKind::Billed { bill: bill(total, None, None) });
    let events = [ended(10 * HOUR), vec![told(11 * HOUR, "20"), told(35 * HOUR, "36.36")]].concat();
    let row = dollars(&life(record("a", usd()), events), whole(), &RateHistory::default()).rows.remove(0);
    assert_eq!((row.billed, row.differences), (Some(dec("36.36")), vec![]));
}
