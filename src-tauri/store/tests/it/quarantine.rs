//! Rows kept out of the table.

use gpudesk_core::feed::Quarantined;
use gpudesk_store::Answer;

use crate::support::{Desk, answer, desk, feed, fetched, kept_out, offer};

async fn stored(desk: &Desk) -> Vec<(String, Quarantined)> {
    let mut rows = Vec::new();
    let count = desk.store.load_quarantine(|feed, row| rows.push((feed.0.clone(), row))).await.unwrap();
    assert_eq!(count, rows.len() as u64);
    rows
}

fn rows(origins: &[&str]) -> Vec<Quarantined> {
    origins.iter().map(|origin| kept_out(origin, None)).collect()
}

#[tokio::test]
async fn rows_come_back_as_they_went_in() {
    let desk = desk().await;
    let mut list = fetched("catalogue/aws", 0, vec![offer("a", "1")]);
    list.quarantined =
        vec![kept_out("aws.csv line 9", Some(offer("b", "0"))), kept_out("aws.csv line 4", None)];
    desk.replace(&list).await.unwrap();
    let expected: Vec<_> =
        list.quarantined.into_iter().map(|row| ("catalogue/aws".to_owned(), row)).collect();
    assert_eq!(stored(&desk).await, expected);
    assert_eq!(desk.ids("catalogue/aws").await, ["a"], "never among the offers");
}

#[tokio::test]
async fn only_differences_are_written() {
    let desk = desk().await;
    let mut list = fetched("vast", 0, vec![offer("a", "1")]);
    list.quarantined = rows(&["ask 1", "ask 2", "ask 2", "ask 3"]);
    assert_eq!(desk.replace(&list).await.unwrap().rows_written, 5);
    assert_eq!(desk.replace(&list).await.unwrap().rows_written, 0);

    list.quarantined = rows(&["ask 4", "ask 3", "ask 2"]);
    assert_eq!(desk.replace(&list).await.unwrap().rows_written, 3, "ask 1 and one ask 2 go, ask 4 comes");
    let mut origins: Vec<_> = stored(&desk).await.into_iter().map(|(_, row)| row.origin).collect();
    origins.sort();
    assert_eq!(origins, ["ask 2", "ask 3", "ask 4"]);
}

#[tokio::test]
async fn each_feed_has_its_own() {
    let desk = desk().await;
    for name in ["vast", "catalogue/aws"] {
        let mut list = fetched(name, 0, Vec::new());
        list.quarantined = rows(&["row 1", "row 2", "row 3"]);
        desk.replace(&list).await.unwrap();
    }
    let empty = fetched("vast", 5, Vec::new());
    desk.store.replace(&Answer { allow_shrink: true, ..answer(&empty) }).await.unwrap();
    let feeds: Vec<_> = stored(&desk).await.into_iter().map(|(feed, _)| feed).collect();
    assert_eq!(feeds, ["catalogue/aws"; 3]);
}

#[tokio::test]
async fn pages_tell_the_whole_number() {
    let desk = desk().await;
    for name in ["vast", "catalogue/aws"] {
        let mut list = fetched(name, 0, Vec::new());
        list.quarantined = rows(&["row 1", "row 2", "row 3"]);
        desk.replace(&list).await.unwrap();
    }
    let page = desk.store.quarantine_page(None, 2, 2).await.unwrap();
    assert_eq!(page.total, 6);
    let found: Vec<_> = page.rows.iter().map(|(feed, row)| (feed.0.as_str(), row.origin.as_str())).collect();
    assert_eq!(found, [("catalogue/aws", "row 3"), ("vast", "row 1")]);

    let page = desk.store.quarantine_page(Some(&feed("vast")), 0, 10).await.unwrap();
    assert_eq!((page.total, page.rows.len()), (3, 3));
    let page = desk.store.quarantine_page(Some(&feed("runpod")), 0, 10).await.unwrap();
    assert_eq!((page.total, page.rows.len()), (0, 0));
}
