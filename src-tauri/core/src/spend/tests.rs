use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::json;

use super::*;
use crate::money::{Currency, RateHistory, RateSheet, RateSource};
use crate::rental::{
    Billed, Event, EventKind, MachineState, OnExpiry, Record, Rental, RentalTerms, StopTerms, Who,
};

mod billed;

fn at(seconds: i64) -> DateTime<Utc> {
    "2026-11-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::seconds(seconds)
}

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

const HOUR: i64 = 3600;

fn record(name: &str, price: serde_json::Value) -> Record {
    serde_json::from_value(json!({
        "id": name, "token": format!("gpudesk-{name}"), "name": name, "provider": "nobody", "account": "",
        "offer": {
            "id": "nobody:1", "provider": "nobody", "cloud": "nobody", "source": "live", "name": "1", "form": "vm",
            "isolation": "vm", "gpu": {"count": 1, "raw_name": "L4", "model": "L4"}, "price": price,
            "supply": {"state": "in-stock"},
        },
        "spec": null, "owner": "ann", "project": "chat",
        "lease": {"until": null, "max_spend": null, "idle_minutes": null, "on_expiry": "notify"},
        "created_at": at(0),
    }))
    .unwrap()
}

fn terms() -> RentalTerms {
    let stop = StopTerms {
        exists: true,
        ends_compute: true,
        keeps_disk: Some(true),
        disk_billed: Some(true),
        ..RentalTerms::plain().stop
    };
    RentalTerms { disk_billed_apart: true, stop, ..RentalTerms::plain() }
}

fn seen(state: MachineState) -> EventKind {
    EventKind::Seen { state, word: state.word().to_owned(), detail: None, since: None }
}

/// One that runs from 0 on at 3.60 an hour with a disk at 0.036 (0.072 while stopped), and what happened after.
fn life(record: Record, more: Vec<(i64, EventKind)>) -> Rental {
    let first = vec![
        (
            0,
            EventKind::Requested {
                per_hour: dec("3.60"),
                disk_per_hour: Some(dec("0.036")),
                disk_stopped_per_hour: Some(dec("0.072")),
            },
        ),
        (0, EventKind::Placed { remote_id: "7".to_owned(), found: false, since: None }),
        (0, seen(MachineState::Running)),
    ];
    let all = first.into_iter().chain(more).map(|(second, kind)| Event { at: at(second), kind });
    Rental::of(record, &all.collect::<Vec<_>>(), Some(&terms()))
}

fn usd() -> serde_json::Value {
    json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60"})
}

fn ended(second: i64) -> Vec<(i64, EventKind)> {
    vec![
        (second, EventKind::EndAsked { by: Who::Person, why: String::new() }),
        (second, EventKind::Gone { since: None, proof: String::new() }),
    ]
}

fn stopped(second: i64) -> Vec<(i64, EventKind)> {
    vec![
        (second, EventKind::StopAsked { by: Who::Person, why: String::new() }),
        (second, seen(MachineState::Stopped)),
    ]
}

fn whole() -> Period {
    Period { from: at(0), to: at(60 * 24 * HOUR) }
}

#[test]
fn each_meter_has_its_part() {
    let rental = life(record("a", usd()), [stopped(10 * HOUR), ended(20 * HOUR)].concat());
    let all = spent(&rental, whole(), at(30 * 24 * HOUR)).unwrap();
    assert_eq!(all.compute, dec("36"));
    assert_eq!(all.disk, dec("0.36"));
    assert_eq!(all.disk_stopped, dec("0.72"));
    let later = Period { from: at(10 * HOUR), to: at(15 * HOUR) };
    let part = spent(&rental, later, at(30 * 24 * HOUR)).unwrap();
    assert_eq!((part.compute, part.disk_stopped), (dec("0"), dec("0.36")));
    let before = Period { from: at(-HOUR), to: at(0) };
    assert_eq!(spent(&rental, before, at(30 * 24 * HOUR)), None);
}

#[test]
fn what_is_to_come_is_not_spent() {
    let rental = life(record("a", usd()), vec![]);
    assert_eq!(spent(&rental, whole(), at(HOUR)).unwrap().compute, dec("3.6"));
    for hours in [1, 2, 500] {
        let later = Period { from: at(hours * HOUR), to: at((hours + 24) * HOUR) };
        assert_eq!(spent(&rental, later, at(HOUR)), None, "a period that begins in {hours} h");
    }
}

/// Whatever the calendar is cut into, what is to come of each piece sums to what is to come of all.
#[test]
fn a_forecast_of_a_later_period_is_of_that_period_alone() {
    let mut limited = record("a", usd());
    limited.lease.until = Some(at(20 * HOUR));
    limited.lease.on_expiry = OnExpiry::End;
    let mut budget = record("b", usd());
    budget.lease.on_expiry = OnExpiry::Stop;
    budget.lease.max_spend = Some(dec("60"));
    let now = at(10 * HOUR);
    for record in [limited, budget, record("c", usd())] {
        let rental = life(record, vec![]);
        let whole = forecast(&rental, Period { from: at(0), to: at(30 * HOUR) }, now);
        let mut sum = Forecast::default();
        for hour in 0..30 {
            let more = forecast(&rental, Period { from: at(hour * HOUR), to: at((hour + 1) * HOUR) }, now);
            assert!(more.low >= Decimal::ZERO && more.high >= more.low, "hour {hour}: {more:?}");
            sum.low += more.low;
            sum.high += more.high;
        }
        assert_eq!(sum, whole);
    }
}

#[test]
fn a_least_time_belongs_to_its_beginning() {
    let price = json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60", "increment_s": 3600, "minimum_s": 7200});
    let rental = life(record("a", price), ended(600));
    let now = at(30 * 24 * HOUR);
    let first = spent(&rental, Period { from: at(0), to: at(60) }, now).unwrap();
    assert_eq!(first.compute, dec("7.2"), "two hours from the first moment on");
    let rest = spent(&rental, Period { from: at(60), to: at(24 * HOUR) }, now).unwrap();
    assert_eq!(rest.compute, dec("0"));
}

proptest! {
    #[test]
    fn however_a_life_is_cut_its_pieces_sum_to_the_whole(
        stops in 0_i64..200_000,
        ends in 0_i64..200_000,
        rate in 0_i64..100_000,
        step in prop::option::of(1_u32..7200),
        least in prop::option::of(0_u32..7200),
        cuts in prop::collection::vec(-1000_i64..600_000, 0..12),
    ) {
        let price = json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60", "increment_s": step, "minimum_s": least});
        let more = [
            vec![(stops / 2, EventKind::Rate { per_hour: Decimal::new(rate, 4), since: None })],
            stopped(stops),
            ended(stops + ends),
        ].concat();
        let rental = life(record("a", price), more);
        let now = at(1_000_000);
        let mut moments = cuts;
        moments.extend([-1000, 900_000]);
        moments.sort_unstable();
        let mut sum = [Decimal::ZERO; 3];
        for pair in moments.windows(2) {
            let period = Period { from: at(pair[0]), to: at(pair[1]) };
            if let Some(part) = spent(&rental, period, now) {
                sum[0] += part.compute;
                sum[1] += part.disk;
                sum[2] += part.disk_stopped;
            }
        }
        let costs = rental.costs(now);
        let of = |kind| crate::money::kept(costs.parts.get(&kind).copied().unwrap_or_default());
        use crate::rental::Meter::{Compute, Storage, StorageStopped};
        prop_assert_eq!(sum, [of(Compute), of(Storage), of(StorageStopped)]);
    }

    #[test]
    fn a_column_of_cents_sums_to_the_cents_of_its_sum(nanos in prop::collection::vec(-1_000_000_000_i64..5_000_000_000, 0..40)) {
        let exact: Vec<Decimal> = nanos.iter().map(|n| Decimal::new(*n, 9)).collect();
        let rounded = shared(&exact, 2);
        let total: Decimal = exact.iter().sum();
        let wanted = total.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        prop_assert_eq!(rounded.iter().sum::<Decimal>(), wanted);
        for (exact, rounded) in exact.iter().zip(&rounded) {
            prop_assert!((*exact - *rounded).abs() < Decimal::new(1, 2), "{} {}", exact, rounded);
        }
    }
}

/// Roubles for a dollar, from these days of November on.
fn rates(days: &[(u32, &str)]) -> RateHistory {
    let mut history = RateHistory::default();
    for (day, dollar) in days {
        history.put(RateSheet {
            source: RateSource::Cbr,
            base: Currency::RUB,
            date: NaiveDate::from_ymd_opt(2026, 11, *day).unwrap(),
            fetched_at: at(0),
            per_unit: [(Currency::USD, dec(dollar))].into(),
        });
    }
    history
}

fn roubles() -> serde_json::Value {
    json!({"kind": "on-demand", "currency": "RUB", "per_hour": "3.60"})
}

/// What a period cost in dollars.
fn dollars(rental: &Rental, period: Period, rates: &RateHistory) -> Table {
    table([rental], period, By::Rental, (Currency::USD, rates), at(30 * 24 * HOUR))
}

#[test]
fn each_day_is_worth_what_it_was_worth_then() {
    // 3.60 and a disk at 0.036 an hour: 87.264 roubles a day, for two days.
    let rental = life(record("a", roubles()), ended(48 * HOUR));
    let rates = rates(&[(1, "80"), (2, "100"), (27, "50")]);
    let whole = dollars(&rental, whole(), &rates);
    assert_eq!(whole.total.low(), dec("1.96"), "87.264 / 80 + 87.264 / 100 = 1.09080 + 0.87264");
    let day = |n: i64| Period { from: at(n * 24 * HOUR), to: at((n + 1) * 24 * HOUR) };
    assert_eq!(dollars(&rental, day(0), &rates).total.low(), dec("1.09"));
    assert_eq!(dollars(&rental, day(1), &rates).total.low(), dec("0.87"));
    let half = Period { from: at(12 * HOUR), to: at(36 * HOUR) };
    assert_eq!(dollars(&rental, half, &rates).total.low(), dec("0.98"), "43.632 / 80 + 43.632 / 100");
    assert!(whole.later.is_empty() && whole.unconverted.is_empty());
}

#[test]
fn a_day_before_every_rate_has_the_oldest_one_and_says_so() {
    let rental = life(record("a", roubles()), ended(48 * HOUR));
    let table = dollars(&rental, whole(), &rates(&[(2, "100"), (27, "50")]));
    assert_eq!(table.total.low(), dec("1.75"), "174.528 / 100");
    let later: Vec<_> = table.later.iter().map(|(of, quote)| (*of, quote.quoted.origin)).collect();
    let second = NaiveDate::from_ymd_opt(2026, 11, 2).unwrap();
    assert_eq!(later, [(Currency::RUB, Some((RateSource::Cbr, second)))]);
}

#[test]
fn a_bill_is_compared_at_the_rates_of_what_it_bills() {
    let billed = |total: &str| {
        let bill = Billed {
            total: dec(total),
            currency: Currency::RUB,
            compute: None,
            storage: None,
            traffic: None,
        };
        [ended(48 * HOUR), vec![(49 * HOUR, EventKind::Billed { bill })]].concat()
    };
    let rates = rates(&[(1, "80"), (2, "100")]);
    let same = dollars(&life(record("a", roubles()), billed("174.528")), whole(), &rates);
    assert_eq!((same.rows[0].billed, same.rows[0].differences.len()), (Some(dec("1.96")), 0));
}

#[test]
fn a_table_sums_to_the_cent_whatever_it_is_summed_by() {
    let rub = json!({"kind": "on-demand", "currency": "RUB", "per_hour": "100.00"});
    let eur = json!({"kind": "on-demand", "currency": "EUR", "per_hour": "1.00"});
    let rentals: Vec<Rental> = [(usd(), 1001), (usd(), 2003), (rub, 3007), (eur, 4001)]
        .into_iter()
        .enumerate()
        .map(|(number, (price, second))| life(record(&format!("r{number}"), price), ended(second)))
        .collect();
    for by in By::ALL {
        let table = table(&rentals, whole(), *by, (Currency::USD, &rates(&[(27, "80")])), at(24 * HOUR));
        let lines: Decimal = table.rows.iter().map(|row| row.tally.low()).sum();
        assert_eq!(table.total.low(), lines, "{by}");
        // 3.60 + 0.036 an hour in USD for 3004 s, and for 3007 s as many roubles at 80: 3.0341 + 0.0380.
        assert_eq!(lines, dec("3.07"), "{by}");
        assert!(lines.scale() <= 2);
        assert_eq!(table.unconverted.keys().collect::<Vec<_>>(), [&Currency::EUR], "no rate, no figure");
    }
}

#[test]
fn traffic_that_costs_and_is_not_told_has_no_upper_end() {
    let dear = json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60", "egress_gb": "0.09"});
    let free = json!({"kind": "on-demand", "currency": "USD", "per_hour": "3.60", "egress_gb": "0"});
    let of = |price: serde_json::Value, more: Vec<(i64, EventKind)>| {
        spent(&life(record("a", price), more), whole(), at(24 * HOUR)).unwrap().traffic
    };
    assert_eq!(of(dear.clone(), ended(HOUR)).high, None);
    assert_eq!(of(free, ended(HOUR)).high, Some(dec("0")));
    let bill = EventKind::Billed {
        bill: Billed {
            total: dec("4"),
            compute: None,
            storage: None,
            traffic: Some(dec("0.40")),
            currency: Currency::USD,
        },
    };
    let told = of(dear, [ended(HOUR), vec![(2 * HOUR, bill)]].concat());
    assert_eq!((told.low, told.high), (dec("0.40"), Some(dec("0.40"))));
}

fn bill(total: &str, storage: Option<&str>, traffic: Option<&str>) -> Billed {
    Billed {
        total: dec(total),
        compute: None,
        storage: storage.map(dec),
        traffic: traffic.map(dec),
        currency: Currency::USD,
    }
}

#[test]
fn a_difference_has_a_kind_and_the_kinds_sum_to_it() {
    // Ten hours: 36 and 0.36 for the disk.
    let plain = life(record("a", usd()), ended(10 * HOUR));
    let changed = EventKind::Rate { per_hour: dec("7.20"), since: None };
    let dearer = life(record("a", usd()), [vec![(5 * HOUR, changed)], ended(10 * HOUR)].concat());
    let stood = life(record("a", usd()), [stopped(10 * HOUR), ended(20 * HOUR)].concat());
    let cases = [
        (&plain, bill("36.37", None, None), vec![(DifferenceKind::Rounding, "0.01")]),
        (&plain, bill("37.36", None, Some("1")), vec![(DifferenceKind::Traffic, "1")]),
        (&plain, bill("43.632", None, None), vec![(DifferenceKind::Tax, "7.272")]),
        (&plain, bill("40", None, None), vec![(DifferenceKind::Unexplained, "3.64")]),
        (&plain, bill("36.86", Some("0.86"), None), vec![(DifferenceKind::Disk, "0.5")]),
        (&dearer, bill("52.36", None, None), vec![(DifferenceKind::PriceChange, "-2")]),
        (&stood, bill("38.08", Some("2.08"), None), vec![(DifferenceKind::StoppedDisk, "1")]),
        (&plain, bill("36.36", None, None), vec![]),
        (&plain, bill("-5", None, None), vec![(DifferenceKind::Unexplained, "-41.36")]),
    ];
    for (rental, bill, wanted) in cases {
        let found: Vec<_> = differences(rental, &bill).into_iter().map(|d| (d.kind, d.amount)).collect();
        let wanted: Vec<_> = wanted.into_iter().map(|(kind, amount)| (kind, dec(amount))).collect();
        assert_eq!(found, wanted, "{bill:?}");
        let sum: Decimal = found.iter().map(|(_, amount)| amount).sum();
        assert_eq!(sum, bill.total - rental.costs(at(24 * HOUR)).total);
    }
}

#[test]
fn a_forecast_is_bounded_by_leases_below_and_by_everything_running_on_above() {
    let mut end = record("a", usd());
    end.lease.until = Some(at(20 * HOUR));
    end.lease.on_expiry = OnExpiry::End;
    let period = Period { from: at(0), to: at(30 * HOUR) };
    let of = |record: Record| forecast(&life(record, vec![]), period, at(10 * HOUR));
    let seen = of(end.clone());
    assert_eq!((seen.low, seen.high), (dec("36.36"), dec("72.72")));
    end.lease.on_expiry = OnExpiry::Notify;
    assert_eq!(of(end.clone()).low, dec("72.72"), "a lease that only tells ends nothing");
    end.lease.on_expiry = OnExpiry::Stop;
    end.lease.max_spend = Some(dec("40"));
    assert_eq!(of(end).low, dec("3.64"), "36.36 is spent of 40");
    let over = life(record("b", usd()), ended(HOUR));
    assert_eq!(forecast(&over, period, at(10 * HOUR)), Forecast::default());
}

#[test]
fn periods_are_those_of_utc() {
    let moment: DateTime<Utc> =
        "2026-03-01T00:30:00+02:00".parse::<DateTime<chrono::FixedOffset>>().unwrap().into();
    let month = Period::around(PeriodKind::Month, moment);
    assert_eq!(month.from.to_rfc3339(), "2026-02-01T00:00:00+00:00");
    assert_eq!(month.to.to_rfc3339(), "2026-03-01T00:00:00+00:00");
    assert_eq!(month.days().count(), 28);
    let week = Period::around(PeriodKind::Week, "2026-11-29T23:59:59Z".parse().unwrap());
    assert_eq!(week.from.to_rfc3339(), "2026-11-23T00:00:00+00:00", "Monday");
    assert_eq!((week.to - week.from).num_days(), 7);
    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    assert_eq!(Period::of_days(day("2026-11-02"), day("2026-11-01")), None);
    assert_eq!(Period::of_days(day("2026-11-01"), day("2026-11-30")).unwrap().days().count(), 30);
}

fn budget() -> Budget {
    Budget {
        name: "chat-month".to_owned(),
        scope: BudgetScope::Project,
        of: " Chat ".to_owned(),
        period: PeriodKind::Month,
        amount: dec("100"),
        currency: Currency::USD,
        thresholds: vec![100, 50, 50],
        hard: Hard::Block,
    }
}

#[test]
fn a_budget_is_tidied_and_one_that_is_none_is_refused() {
    let kept = budget().checked().unwrap();
    assert_eq!((kept.of.as_str(), kept.thresholds.as_slice()), ("Chat", [50, 100].as_slice()));
    assert_eq!(Budget { thresholds: vec![], ..budget() }.checked().unwrap().thresholds, [50, 80, 100]);
    let bad = [
        (Budget { name: "No Name".to_owned(), ..budget() }, NoBudget::Name("No Name".to_owned())),
        (Budget { amount: dec("0"), ..budget() }, NoBudget::Amount),
        (Budget { amount: dec("-1"), ..budget() }, NoBudget::Amount),
        (Budget { thresholds: vec![0], ..budget() }, NoBudget::Thresholds),
        (Budget { of: String::new(), ..budget() }, NoBudget::Of),
        (Budget { scope: BudgetScope::Team, ..budget() }, NoBudget::Of),
    ];
    for (budget, why) in bad {
        assert_eq!(budget.checked(), Err(why));
    }
}

#[test]
fn a_budget_holds_its_own_whatever_the_case_and_tells_the_highest_threshold() {
    let kept = budget().checked().unwrap();
    assert!(kept.holds_names(Some("CHAT "), None));
    assert!(!kept.holds_names(Some("bot"), Some("chat")) && !kept.holds_names(None, None));
    for (spent, reached) in
        [("49.99", None), ("50", Some(50)), ("99.99", Some(50)), ("100", Some(100)), ("300", Some(100))]
    {
        assert_eq!(kept.state(dec(spent)).reached, reached, "{spent}");
    }
}
