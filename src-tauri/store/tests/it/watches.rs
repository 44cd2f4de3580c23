//! Watches.

use gpudesk_store::{StoreError, Watch};

use crate::support::{at, desk};

#[tokio::test]
async fn a_watch_is_added_told_about_and_removed() {
    let desk = desk().await;
    let first = desk.store.add_watch("h100 x8 price<2 instock", at(0)).await.unwrap();
    let second = desk.store.add_watch("rtx 4090", at(1)).await.unwrap();
    assert_eq!(first.line, "h100 x8 price<2 instock");
    assert_eq!(
        (first.created_at, first.best_usd, first.told_at, &first.last_hit),
        (at(0), None, None, &None)
    );
    assert_ne!(first.id, second.id);

    let told = Watch {
        best_usd: Some(1_990_000_000),
        told_at: Some(at(7)),
        last_hit: Some("verda:1".to_owned()),
        ..first.clone()
    };
    desk.store.update_watch(&told).await.unwrap();
    assert_eq!(desk.store.watches().await.unwrap(), [told, second.clone()]);

    desk.store.remove_watch(first.id).await.unwrap();
    assert_eq!(desk.store.watches().await.unwrap(), [second]);
}

#[tokio::test]
async fn a_removed_watch_is_an_error_and_its_number_is_not_given_again() {
    let desk = desk().await;
    let gone = desk.store.add_watch("t4", at(0)).await.unwrap();
    desk.store.remove_watch(gone.id).await.unwrap();
    for error in [
        desk.store.remove_watch(gone.id).await.unwrap_err(),
        desk.store.update_watch(&gone).await.unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::UnknownWatch(id) if id == gone.id), "{error:?}");
    }
    assert_ne!(desk.store.add_watch("t4", at(1)).await.unwrap().id, gone.id);
}
