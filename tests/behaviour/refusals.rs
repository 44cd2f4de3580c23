//! A refusal is read for what it is, and says what to do next.

use gpudesk_core::offer::PriceKind;
use gpudesk_providers::cloud::{CloudErrorCode, Effect};
use gpudesk_providers::source::SourceErrorCode;
use gpudesk_tests::sim::account::POOR_KEY;
use gpudesk_tests::sim::fault::Kind;
use gpudesk_tests::sim::refusal::Refusal;

use crate::stage::everywhere;

#[tokio::test]
async fn a_refused_launch_says_why() {
    let refusals = [
        (Refusal::NoCapacity, vec![CloudErrorCode::NoCapacity, CloudErrorCode::OfferGone]),
        (Refusal::NoFunds, vec![CloudErrorCode::NoFunds, CloudErrorCode::AccountNotReady]),
        // Some clouds have no code of their own for it; the words stay then.
        (Refusal::Quota, vec![CloudErrorCode::Quota, CloudErrorCode::Refused]),
        (Refusal::BadKey, vec![CloudErrorCode::BadKey]),
        (Refusal::Forbidden, vec![CloudErrorCode::Forbidden]),
    ];
    everywhere(async |at| {
        let cloud = at.cloud();
        for (why, codes) in &refusals {
            let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, "gpudesk-01refused");
            at.fault_launch(Kind::Refuse { why: *why });
            let error = cloud.launch(&order).await.expect_err(at.name());
            assert!(codes.contains(&error.code), "{}: {why:?}: {:?} {error}", at.name(), error.code);
            assert_eq!(error.effect, Effect::Nothing, "{}: {why:?}: {error}", at.name());
            let next = error.hint.is_some() || error.code == CloudErrorCode::Refused;
            assert!(next, "{}: {why:?}: what to do next", at.name());
            at.sim.disarm();
        }
        assert_eq!(at.really(), 0, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn asking_too_often_is_a_rate_limit() {
    everywhere(async |at| {
        let cloud = at.cloud();
        at.fault_list(Kind::Refuse { why: Refusal::TooMany });
        let error = cloud.list().await.expect_err(at.name());
        assert_eq!(error.code, CloudErrorCode::Http(SourceErrorCode::RateLimited), "{}: {error}", at.name());
    })
    .await;
}

#[tokio::test]
async fn trouble_of_the_cloud_is_its_trouble_and_unclear() {
    for kind in [Kind::Refuse { why: Refusal::Internal }, Kind::Refuse { why: Refusal::Gateway }] {
        everywhere(async |at| {
            let cloud = at.cloud();
            let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, "gpudesk-01trouble");
            at.fault_launch(kind.clone());
            let error = cloud.launch(&order).await.expect_err(at.name());
            assert!(matches!(error.code, CloudErrorCode::Http(_)), "{}: {error}", at.name());
            assert_eq!(error.effect, Effect::Unclear, "{}: {error}", at.name());
        })
        .await;
    }
}

#[tokio::test]
async fn an_account_without_money_rents_nothing() {
    everywhere(async |at| {
        let order = at.order(&*at.cloud(), at.offer(PriceKind::OnDemand).await, "gpudesk-01poor");
        let cloud = at.as_holder(POOR_KEY);
        let error = cloud.launch(&order).await.expect_err(at.name());
        let codes = [CloudErrorCode::NoFunds, CloudErrorCode::AccountNotReady];
        assert!(codes.contains(&error.code), "{}: {:?} {error}", at.name(), error.code);
        assert_eq!(error.effect, Effect::Nothing, "{}: {error}", at.name());
        assert_eq!(at.really(), 0, "{}", at.name());
    })
    .await;
}
