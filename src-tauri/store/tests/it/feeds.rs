//! Health of the feeds.

use gpudesk_store::{Answer, Failure, StoreError};

use crate::support::{at, desk, feed, fetched, kept_out, offer};

fn failure(code: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        what: "read offers of `vast`".to_owned(),
        detail: "503 Service Unavailable".to_owned(),
        hint: Some("try again later".to_owned()),
        retry_at: (code == "rate-limited").then(|| at(70)),
    }
}

#[test]
fn a_failure_that_was_kept_without_a_time_is_still_read() {
    let kept = r#"{"code":"network","what":"read offers of `vast`","detail":"cut","hint":"wait"}"#;
    let read: Failure = serde_json::from_str(kept).unwrap();
    assert_eq!((read.hint.as_deref(), read.retry_at), (Some("wait"), None));
}

#[tokio::test]
async fn a_success_is_told_in_full() {
    let desk = desk().await;
    let mut list = fetched("catalogue/aws", 0, vec![offer("aws:a", "1"), offer("aws:b", "2")]);
    list.quarantined = vec![kept_out("aws.csv line 4", None)];
    list.rows_read = 10;
    list.rows_used = 2;
    list.rows_not_gpu = 7;
    list.notes = vec!["1 card is not in the GPU table: X9".to_owned()];
    let answer = Answer {
        fetched: &list,
        version: Some("\"etag-1\""),
        tried_at: at(3),
        seconds: 2.25,
        allow_shrink: false,
    };
    desk.store.replace(&answer).await.unwrap();

    let feeds = desk.store.feeds().await.unwrap();
    let [row] = feeds.as_slice() else { panic!("{feeds:?}") };
    assert_eq!(row.name, feed("catalogue/aws"));
    assert_eq!(row.origin.as_deref(), Some("catalogue/aws, test"));
    assert_eq!(row.as_of, Some(at(0)), "what the source said, not when it was asked");
    assert_eq!(row.tried_at, at(3));
    assert_eq!(row.version.as_deref(), Some("\"etag-1\""));
    assert_eq!(
        (row.offers, row.rows_read, row.rows_used, row.rows_not_gpu, row.quarantined),
        (2, 10, 2, 7, 1)
    );
    assert_eq!((row.seconds, row.price_changes), (Some(2.25), 0));
    assert_eq!(row.notes, list.notes);
    assert_eq!((row.failing_since, row.error.as_ref()), (None, None));
}

#[tokio::test]
async fn a_failure_keeps_the_offers_and_remembers_since_when() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("vast:1", "1")])).await.unwrap();
    desk.store.record_failure(&feed("vast"), at(5), &failure("network")).await.unwrap();
    desk.store.record_failure(&feed("vast"), at(10), &failure("rate-limited")).await.unwrap();
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!(row.as_of, Some(at(0)));
    assert_eq!(row.tried_at, at(10));
    assert_eq!(row.failing_since, Some(at(5)));
    assert_eq!(row.error, Some(failure("rate-limited")));
    assert_eq!(row.offers, 1);
    assert_eq!(desk.ids("vast").await, ["vast:1"]);

    desk.replace(&fetched("vast", 15, vec![offer("vast:1", "1")])).await.unwrap();
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!((row.failing_since, row.error, row.as_of), (None, None, Some(at(15))));
}

#[tokio::test]
async fn a_feed_that_never_worked_has_no_date() {
    let desk = desk().await;
    desk.store.record_failure(&feed("runpod"), at(0), &failure("network")).await.unwrap();
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!((row.origin, row.as_of, row.seconds, row.version), (None, None, None, None));
    assert_eq!(row.failing_since, Some(at(0)));
    assert_eq!(desk.load().await, []);
}

#[tokio::test]
async fn a_failure_older_than_the_last_try_changes_nothing() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 5, vec![offer("vast:1", "1")])).await.unwrap();
    let before = desk.store.feeds().await.unwrap();
    desk.store.record_failure(&feed("vast"), at(4), &failure("network")).await.unwrap();
    assert_eq!(desk.store.feeds().await.unwrap(), before);
}

#[tokio::test]
async fn unchanged_makes_the_offers_fresh_without_writing_one() {
    let desk = desk().await;
    let list = fetched("catalogue/aws", 0, vec![offer("aws:a", "1")]);
    let answer =
        Answer { fetched: &list, version: Some("v1"), tried_at: at(0), seconds: 1.0, allow_shrink: false };
    desk.store.replace(&answer).await.unwrap();
    desk.store.record_failure(&feed("catalogue/aws"), at(5), &failure("network")).await.unwrap();

    desk.store.record_unchanged(&feed("catalogue/aws"), at(10), None).await.unwrap();
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!((row.as_of, row.tried_at), (Some(at(10)), at(10)));
    assert_eq!((row.failing_since, row.error), (None, None));
    assert_eq!(row.version.as_deref(), Some("v1"), "no news of the version keeps it");

    desk.store.record_unchanged(&feed("catalogue/aws"), at(8), Some("v2")).await.unwrap();
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!(row.as_of, Some(at(10)), "an older word does not make it older");
    assert_eq!(row.version.as_deref(), Some("v2"));
}

#[tokio::test]
async fn unchanged_against_nothing_stored_is_an_error() {
    let desk = desk().await;
    desk.store.record_failure(&feed("vast"), at(0), &failure("network")).await.unwrap();
    for name in ["vast", "runpod"] {
        let error = desk.store.record_unchanged(&feed(name), at(1), None).await.unwrap_err();
        assert!(matches!(error, StoreError::UnknownFeed(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_row_that_cannot_be_understood_is_named() {
    let desk = desk().await;
    desk.store.record_failure(&feed("vast"), at(0), &failure("network")).await.unwrap();
    sqlx::query("UPDATE feeds SET error = 'oops'").execute(&mut desk.raw().await).await.unwrap();
    let error = desk.store.feeds().await.unwrap_err();
    assert!(error.to_string().starts_with("row `vast` of table `feeds` cannot be read: error: "), "{error}");
}
