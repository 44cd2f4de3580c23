//! Rentals: written once, their events only ever added to, and by one program at a time.

use gpudesk_core::rental::{Event, EventKind, Lease, OnExpiry, Record};
use gpudesk_store::{Standing, Store, StoreError, Which};

use crate::support::{at, desk};

const LIVE: Standing<'_> = Standing { remote_id: None, over: false, settled: false, finished: None };
const OVER: Standing<'_> = Standing { over: true, ..LIVE };

fn record(id: &str, name: &str) -> Record {
    Record {
        id: id.to_owned(),
        token: format!("gpudesk-{}", id.to_lowercase()),
        name: name.to_owned(),
        provider: "vast".to_owned(),
        account: String::new(),
        offer: None,
        spec: None,
        owner: None,
        project: None,
        lease: Lease { until: None, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify },
        created_at: at(0),
    }
}

fn event(minute: i64, what: &str) -> Event {
    Event { at: at(minute), kind: EventKind::Told { what: what.to_owned() } }
}

fn on(machine: &str) -> Standing<'_> {
    Standing { remote_id: Some(machine), ..LIVE }
}

async fn add(store: &Store, id: &str, name: &str, standing: Standing<'_>) -> Result<(), StoreError> {
    store.add_rental(&record(id, name), &[event(0, "made")], standing).await
}

async fn ids(store: &Store, which: Which) -> Vec<String> {
    store.rentals(which).await.unwrap().into_iter().map(|row| row.record.id).collect()
}

#[tokio::test]
async fn a_rental_is_read_as_it_was_written_in_the_order_of_its_events() {
    let desk = desk().await;
    add(&desk.store, "01A", "train", LIVE).await.unwrap();
    let more = [event(2, "b"), event(1, "c")];
    desk.store.add_rental_events("01A", 1, &more, on("7")).await.unwrap();
    let row = desk.store.rental("train").await.unwrap().unwrap();
    assert_eq!(row.record, record("01A", "train"));
    assert_eq!(row.events, [event(0, "made"), event(2, "b"), event(1, "c")]);
    assert_eq!(desk.store.rental("01A").await.unwrap(), Some(row));
    assert_eq!(desk.store.rental("other").await.unwrap(), None);
}

#[tokio::test]
async fn of_two_that_decided_on_the_same_state_the_second_is_told_and_adds_nothing() {
    let desk = desk().await;
    add(&desk.store, "01A", "train", LIVE).await.unwrap();
    // Another process has the same file open.
    let other = Store::open(&desk.path()).await.unwrap();
    other.add_rental_events("01A", 1, &[event(1, "first")], LIVE).await.unwrap();
    let late = desk.store.add_rental_events("01A", 1, &[event(1, "second")], OVER).await;
    assert!(matches!(late, Err(StoreError::Moved(id)) if id == "01A"));
    let row = desk.store.rental("01A").await.unwrap().unwrap();
    assert_eq!(row.events, [event(0, "made"), event(1, "first")]);
    assert_eq!(ids(&desk.store, Which::Live).await, ["01A"], "nor did its standing change");
    let unknown = desk.store.add_rental_events("01B", 0, &[event(1, "x")], LIVE).await;
    assert!(matches!(unknown, Err(StoreError::Moved(_))));
}

#[tokio::test]
async fn what_happened_can_be_neither_changed_nor_removed() {
    let desk = desk().await;
    add(&desk.store, "01A", "train", LIVE).await.unwrap();
    let before = desk.store.rental("01A").await.unwrap();
    let mut raw = desk.raw().await;
    for forbidden in [
        "UPDATE rental_events SET body = '{}'",
        "UPDATE rental_events SET number = number + 1",
        "DELETE FROM rental_events",
        "DELETE FROM rental_events WHERE number = 0",
    ] {
        let error = sqlx::query(forbidden).execute(&mut raw).await.unwrap_err();
        assert!(error.to_string().contains("events are only added"), "{forbidden}: {error}");
    }
    let again = "INSERT INTO rental_events VALUES ('01A', 0, '{}')";
    assert!(sqlx::query(again).execute(&mut raw).await.is_err(), "a number is given once");
    assert_eq!(desk.store.rental("01A").await.unwrap(), before);
}

#[tokio::test]
async fn a_live_name_is_given_once_and_again_when_its_rental_is_over() {
    let desk = desk().await;
    add(&desk.store, "01A", "train", LIVE).await.unwrap();
    let taken = add(&desk.store, "01B", "train", LIVE).await;
    assert!(matches!(taken, Err(StoreError::NameTaken(name)) if name == "train"));
    assert_eq!(ids(&desk.store, Which::All).await, ["01A"]);

    desk.store.add_rental_events("01A", 1, &[event(1, "over")], OVER).await.unwrap();
    add(&desk.store, "01B", "train", LIVE).await.unwrap();
    assert_eq!(desk.store.rental("train").await.unwrap().unwrap().record.id, "01B");
    assert_eq!(desk.store.rental("01A").await.unwrap().unwrap().record.id, "01A");
}

#[tokio::test]
async fn a_rental_that_was_given_up_is_taken_up_again_though_its_name_is_another_ones_now() {
    let desk = desk().await;
    add(&desk.store, "01A", "train", OVER).await.unwrap();
    add(&desk.store, "01B", "train", LIVE).await.unwrap();
    desk.store.add_rental_events("01A", 1, &[event(9, "found")], on("7")).await.unwrap();
    assert_eq!(ids(&desk.store, Which::Live).await, ["01A", "01B"]);
    assert_eq!(desk.store.rental("train").await.unwrap().unwrap().record.id, "01B", "the newest");
}

#[tokio::test]
async fn a_mark_is_on_one_rental_only() {
    let desk = desk().await;
    add(&desk.store, "01A", "a", LIVE).await.unwrap();
    let twin = Record { token: record("01A", "").token, ..record("01B", "b") };
    assert!(desk.store.add_rental(&twin, &[event(0, "made")], LIVE).await.is_err());
    assert!(add(&desk.store, "01A", "c", LIVE).await.is_err(), "nor is an id");
    assert_eq!(ids(&desk.store, Which::All).await, ["01A"]);
}

#[tokio::test]
async fn a_machine_belongs_to_one_rental_of_its_account() {
    let desk = desk().await;
    add(&desk.store, "01A", "a", on("7")).await.unwrap();
    let taken = add(&desk.store, "01B", "b", on("7")).await;
    assert!(matches!(taken, Err(StoreError::MachineTaken(id)) if id == "7"));
    add(&desk.store, "01B", "b", LIVE).await.unwrap();
    let taken = desk.store.add_rental_events("01B", 1, &[event(1, "placed")], on("7")).await;
    assert!(matches!(taken, Err(StoreError::MachineTaken(id)) if id == "7"));
    assert_eq!(desk.store.rental("b").await.unwrap().unwrap().events.len(), 1, "nothing was added");
    // Ids are the provider's: another account may have the same.
    let other = Record { account: "team".to_owned(), ..record("01C", "c") };
    desk.store.add_rental(&other, &[event(0, "made")], on("7")).await.unwrap();
}

#[tokio::test]
async fn what_is_over_leaves_the_live_ones_and_what_is_settled_is_not_looked_at() {
    let desk = desk().await;
    add(&desk.store, "01A", "a", LIVE).await.unwrap();
    add(&desk.store, "01B", "b", OVER).await.unwrap();
    add(&desk.store, "01C", "c", Standing { settled: true, ..OVER }).await.unwrap();
    assert_eq!(ids(&desk.store, Which::Live).await, ["01A"]);
    assert_eq!(ids(&desk.store, Which::Unsettled).await, ["01A", "01B"]);
    assert_eq!(ids(&desk.store, Which::All).await, ["01A", "01B", "01C"]);
}

#[tokio::test]
async fn a_machine_out_of_sight_comes_back_when_told() {
    let desk = desk().await;
    desk.store.set_ignored("vast", "7", Some(at(0))).await.unwrap();
    desk.store.set_ignored("vast", "7", Some(at(1))).await.unwrap();
    let one = ("vast".to_owned(), "7".to_owned());
    assert_eq!(desk.store.ignored().await.unwrap(), [one].into());
    desk.store.set_ignored("vast", "7", None).await.unwrap();
    assert!(desk.store.ignored().await.unwrap().is_empty());
}
