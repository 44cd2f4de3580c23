//! Settings.

use gpudesk_store::StoreError;

use crate::support::desk;

#[tokio::test]
async fn a_setting_is_what_was_last_set() {
    let desk = desk().await;
    assert_eq!(desk.store.setting("ui").await.unwrap(), None);
    desk.store.set_setting("ui", r#"{"theme":"dark","later":[1,null]}"#).await.unwrap();
    desk.store.set_setting("other", "null").await.unwrap();
    desk.store.set_setting("ui", r#"{ "theme": "light" }"#).await.unwrap();
    assert_eq!(desk.store.setting("ui").await.unwrap().as_deref(), Some(r#"{ "theme": "light" }"#));
    assert_eq!(desk.store.setting("other").await.unwrap().as_deref(), Some("null"));
}

#[tokio::test]
async fn what_is_not_json_is_refused_and_the_old_value_stays() {
    let desk = desk().await;
    desk.store.set_setting("ui", "1").await.unwrap();
    for text in ["", "dark", "{\"theme\":", "1 2"] {
        let error = desk.store.set_setting("ui", text).await.unwrap_err();
        assert!(matches!(&error, StoreError::NotJson { key, .. } if key == "ui"), "{text}: {error:?}");
    }
    assert_eq!(desk.store.setting("ui").await.unwrap().as_deref(), Some("1"));
}
