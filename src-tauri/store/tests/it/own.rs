//! Servers of the team's own, and who books them.

use std::path::Path;

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::own::{Booking, Health, HostCard, HostFacts, OwnCost, OwnHost, Want, pick};
use gpudesk_store::{Bookings, OwnHostRow, Removal, Store};
use rust_decimal::Decimal;
use sqlx::Connection;

use crate::support::{at, desk, raw};

fn host(alias: &str) -> OwnHost {
    let cost = OwnCost {
        currency: Currency::EUR,
        price: Some(Decimal::new(3_000_050, 2)),
        bought: Some("2026-01-15".parse().unwrap()),
        resale: Some("30%@18m".parse().unwrap()),
        running: None,
    };
    let place = Place { region: Some("Rack 4".into()), country: Some("DE".into()), seller: None };
    OwnHost { alias: alias.into(), cost, place, owner: Some("ada".into()), added_at: at(0) }
}

fn facts(count: u32) -> HostFacts {
    let card = |index| HostCard {
        index,
        id: format!("GPU-{index}"),
        name: "NVIDIA L4".into(),
        memory_mib: Some(23_034),
        divided: false,
        slices: Vec::new(),
    };
    HostFacts { cards: (0..count).map(card).collect(), ..HostFacts::default() }
}

fn take(row: &OwnHostRow, live: &[Booking], count: u32) -> Option<Vec<String>> {
    let (facts, _) = row.facts.as_ref()?;
    pick(facts, live, &Want::Cards { name: "NVIDIA L4".into(), count })
}

async fn with_server(path: &Path, cards: u32) -> Store {
    let store = Store::open(path).await.unwrap();
    store.set_own_host(&host("rack4")).await.unwrap();
    store.record_own_check("rack4", at(1), (Health::Ok, ""), Some(&facts(cards))).await.unwrap();
    store
}

#[tokio::test]
async fn what_was_read_stays_when_a_server_is_ill_or_described_anew() {
    let desk = desk().await;
    let store = &desk.store;
    assert_eq!(store.own_hosts().await.unwrap(), []);
    store.set_own_host(&host("rack4")).await.unwrap();
    let row = store.own_host("rack4").await.unwrap().unwrap();
    assert_eq!((row.host, row.facts, row.health, row.checked_at), (host("rack4"), None, None, None));
    store.record_own_check("rack4", at(1), (Health::Ok, ""), Some(&facts(2))).await.unwrap();
    store.record_own_check("rack4", at(2), (Health::CardLost, "1 of 2 cards answer"), None).await.unwrap();
    let cheaper = OwnHost { owner: None, ..host("rack4") };
    store.set_own_host(&cheaper).await.unwrap();
    let row = store.own_host("rack4").await.unwrap().unwrap();
    assert_eq!(row.host, cheaper);
    assert_eq!(row.facts, Some((facts(2), at(1))));
    assert_eq!(row.health, Some((Health::CardLost, "1 of 2 cards answer".to_owned())));
    assert_eq!(row.checked_at, Some(at(2)));
    // One that was removed meanwhile stays removed.
    assert_eq!(store.remove_own_host("rack4").await.unwrap(), Removal::Done);
    store.record_own_check("rack4", at(3), (Health::Ok, ""), Some(&facts(2))).await.unwrap();
    assert_eq!(store.own_host("rack4").await.unwrap(), None);
    assert_eq!(store.remove_own_host("rack4").await.unwrap(), Removal::Absent);
}

#[tokio::test]
async fn a_booking_takes_what_is_free_and_one_mark_books_once() {
    let desk = desk().await;
    let store = with_server(&desk.path(), 4).await;
    let book = |token: &'static str, count| {
        let store = store.clone();
        async move {
            store.book_own_host(("rack4", token), at(5), |row, live| take(row, live, count)).await.unwrap()
        }
    };
    let first = book("gpudesk-a", 3).await.unwrap();
    assert_eq!((first.units.len(), first.begun_at, first.ended_at), (3, at(5), None));
    assert_eq!(book("gpudesk-a", 1).await, Some(first.clone()), "the same mark is the same booking");
    assert_eq!(book("gpudesk-b", 2).await, None);
    let second = book("gpudesk-b", 1).await.unwrap();
    assert_eq!(second.units, ["GPU-3"]);
    assert_eq!(store.remove_own_host("rack4").await.unwrap(), Removal::Booked(2));
    assert!(store.end_own_booking(first.id, at(9)).await.unwrap());
    assert!(store.end_own_booking(first.id, at(10)).await.unwrap());
    assert_eq!(store.own_booking(first.id).await.unwrap().unwrap().ended_at, Some(at(9)), "an end is kept");
    assert!(!store.end_own_booking(999, at(9)).await.unwrap());
    let ids = |which| {
        let store = store.clone();
        async move { store.own_bookings(which).await.unwrap().iter().map(|b| b.id).collect::<Vec<_>>() }
    };
    assert_eq!(ids(Bookings::Live).await, [second.id]);
    assert_eq!(ids(Bookings::Since(at(9))).await, [first.id, second.id]);
    assert_eq!(ids(Bookings::Since(at(10))).await, [second.id]);
    let nowhere = store.book_own_host(("rack9", "gpudesk-c"), at(5), |_, _| Some(vec![])).await.unwrap();
    assert_eq!(nowhere, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_programs_that_want_the_last_card_one_gets_it() {
    let desk = desk().await;
    with_server(&desk.path(), 4).await.close().await;
    let asking: Vec<_> = (0..12)
        .map(|n| {
            let path = desk.path();
            tokio::spawn(async move {
                let store = Store::open(&path).await.unwrap();
                let token = format!("gpudesk-{n}");
                store.book_own_host(("rack4", &token), at(5), |row, live| take(row, live, 1)).await.unwrap()
            })
        })
        .collect();
    let mut units = Vec::new();
    for booked in asking {
        units.extend(booked.await.unwrap().into_iter().flat_map(|booking| booking.units));
    }
    units.sort();
    assert_eq!(units, ["GPU-0", "GPU-1", "GPU-2", "GPU-3"]);
}

/// A file as version 6 left it: what the seventh migration made is taken away again.
#[tokio::test]
async fn a_file_of_the_version_before_gets_the_tables() {
    let desk = desk().await;
    desk.store.set_setting("theme", "1").await.unwrap();
    desk.store.close().await;
    let mut older = raw(&desk.path()).await;
    sqlx::raw_sql("DROP TABLE own_hosts; DROP TABLE own_bookings; PRAGMA user_version = 6")
        .execute(&mut older)
        .await
        .unwrap();
    older.close().await.unwrap();
    let store = with_server(&desk.path(), 1).await;
    assert_eq!(store.schema_version(), 7);
    assert_eq!(store.setting("theme").await.unwrap().as_deref(), Some("1"));
    assert_eq!(store.own_hosts().await.unwrap().len(), 1);
}
