//! Who a key is and what it may do.

use gpudesk_core::offer::PriceKind;
use gpudesk_providers::cloud::{CloudErrorCode, Effect};
use gpudesk_tests::sim::account::{READ_ONLY_KEY, TEAM_KEY};

use crate::stage::everywhere;

#[tokio::test]
async fn a_good_key_is_taken() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let facts = cloud.check().await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
        assert_ne!(facts.may_read, Some(false), "{}", at.name());
        assert_eq!(facts.balance.is_some(), cloud.terms().tells_balance, "{}: {facts:?}", at.name());
        let scopes: Vec<&str> = cloud.terms().key.scopes.iter().map(|scope| scope.name).collect();
        assert!(facts.missing.iter().all(|name| scopes.contains(&name.as_str())), "{}: {facts:?}", at.name());
    })
    .await;
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_not_repeated() {
    everywhere(async |at| {
        let wrong = "practice-key-of-nobody";
        let error = match at.opened(&(at.seller.given)(wrong)) {
            Ok(cloud) => cloud.check().await.expect_err(at.name()),
            Err(error) => error,
        };
        assert_eq!(error.code, CloudErrorCode::BadKey, "{}: {error}", at.name());
        assert_eq!(error.effect, Effect::Nothing, "{}", at.name());
        assert!(error.hint.is_some(), "{}: what to do next", at.name());
        assert!(!format!("{error:?}").contains(wrong), "{error:?}");
    })
    .await;
}

#[tokio::test]
async fn a_key_in_another_form_names_what_is_missing() {
    everywhere(async |at| {
        let fields = at.cloud().terms().key.fields;
        let Some(first) = fields.iter().find(|field| field.required) else { return };
        for key in ["one-text-alone".to_owned(), without(&(at.seller.given)(TEAM_KEY), first.name)] {
            let Err(error) = at.opened(&key) else { panic!("{}: opened with {key}", at.name()) };
            assert_eq!(error.code, CloudErrorCode::BadKey, "{}: {error}", at.name());
            let told = format!("{error} {:?}", error.hint);
            assert!(told.contains(first.name), "{}: {told}", at.name());
            assert!(!told.contains("one-text-alone") && !told.contains(TEAM_KEY), "{told}");
        }
    })
    .await;
}

/// The key without one of its parts.
fn without(key: &str, part: &str) -> String {
    let mut parts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(key).unwrap();
    assert!(parts.remove(part).is_some(), "the simulator's key has no {part}");
    serde_json::Value::Object(parts).to_string()
}

#[tokio::test]
async fn a_key_that_may_only_look_makes_nothing() {
    everywhere(async |at| {
        if !at.cloud().terms().key.read_only {
            return;
        }
        let cloud = at.as_holder(READ_ONLY_KEY);
        let facts = cloud.check().await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
        assert_ne!(facts.may_write, Some(true), "{}", at.name());
        assert!(cloud.list().await.unwrap().complete, "{}", at.name());
        let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, "gpudesk-01readonly");
        let error = cloud.launch(&order).await.expect_err(at.name());
        assert_eq!(error.code, CloudErrorCode::Forbidden, "{}: {error}", at.name());
        assert_eq!(error.effect, Effect::Nothing, "{}: {error}", at.name());
        assert!(error.hint.is_some(), "{}: what to do next", at.name());
        assert_eq!(at.really(), 0, "{}", at.name());
    })
    .await;
}
