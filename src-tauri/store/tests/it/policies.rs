//! Policies of the team's own, and the projects under them.

use gpudesk_core::policy::{Area, Policy};
use gpudesk_store::{ProjectPolicy, StoreError};

use crate::support::{at, desk};

fn policy(name: &str, country: &str) -> Policy {
    let mut policy = Policy::built_in().remove(0);
    name.clone_into(&mut policy.name);
    policy.place = vec![country.parse::<Area>().unwrap()];
    policy
}

#[tokio::test]
async fn a_policy_is_what_was_last_kept() {
    let desk = desk().await;
    assert_eq!(desk.store.policies().await.unwrap(), []);
    desk.store.set_policy(&policy("b", "DE"), at(0)).await.unwrap();
    desk.store.set_policy(&policy("a", "FR"), at(1)).await.unwrap();
    desk.store.set_policy(&policy("b", "FI"), at(2)).await.unwrap();
    assert_eq!(desk.store.policies().await.unwrap(), [policy("a", "FR"), policy("b", "FI")]);
    assert!(desk.store.remove_policy("a").await.unwrap());
    assert!(!desk.store.remove_policy("a").await.unwrap(), "it is gone already");
    assert_eq!(desk.store.policies().await.unwrap(), [policy("b", "FI")]);
}

#[tokio::test]
async fn a_project_is_the_same_in_any_letters() {
    let desk = desk().await;
    desk.store.set_project_policy(" Клиенты-EU ", Some("gdpr")).await.unwrap();
    let of = async |project: &str| desk.store.project_policy(project).await.unwrap();
    assert_eq!(of("клиенты-eu").await.as_deref(), Some("gdpr"));
    assert_eq!(of("other").await, None);
    assert_eq!(of("").await, None);
    desk.store.set_project_policy("КЛИЕНТЫ-EU", Some("own")).await.unwrap();
    desk.store.set_project_policy("", Some("152-fz")).await.unwrap();
    let row = |project: &str, policy: &str| ProjectPolicy {
        project: project.to_owned(),
        policy: policy.to_owned(),
    };
    let all = desk.store.project_policies().await.unwrap();
    assert_eq!(all, [row("", "152-fz"), row("КЛИЕНТЫ-EU", "own")]);
    desk.store.set_project_policy("клиенты-EU", None).await.unwrap();
    assert_eq!(of("Клиенты-EU").await, None);
}

#[tokio::test]
async fn a_policy_that_a_project_is_under_stays() {
    let desk = desk().await;
    desk.store.set_policy(&policy("own", "DE"), at(0)).await.unwrap();
    desk.store.set_project_policy("p", Some("own")).await.unwrap();
    assert!(!desk.store.remove_policy("own").await.unwrap());
    desk.store.set_project_policy("p", None).await.unwrap();
    assert!(desk.store.remove_policy("own").await.unwrap());
}

#[tokio::test]
async fn a_policy_that_cannot_be_read_is_named_and_not_left_out() {
    let desk = desk().await;
    let mut raw = desk.raw().await;
    let broken = r#"INSERT INTO policies VALUES ('odd', 0, '{"name":"odd","place":["Europe"]}')"#;
    sqlx::query(broken).execute(&mut raw).await.unwrap();
    let error = desk.store.policies().await.unwrap_err();
    assert!(matches!(&error, StoreError::BadRow { table: "policies", key, .. } if key == "odd"), "{error:?}");
}
