//! One click, one machine, whatever happens on the way.

use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::Idempotency;
use gpudesk_providers::cloud::Effect;
use gpudesk_tests::sim::fault::Kind;

use crate::stage::everywhere;

const MARK: &str = "gpudesk-01launch";

#[tokio::test]
async fn a_launch_whose_answer_is_lost_is_found_by_its_mark() {
    for kind in [Kind::LostAfter, Kind::DoneButFailed, Kind::Truncated] {
        everywhere(async |at| {
            let cloud = at.cloud();
            let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, MARK);
            at.fault_launch(kind.clone());
            let error = cloud.launch(&order).await.expect_err(at.name());
            assert_ne!(
                error.effect,
                Effect::Nothing,
                "{}: {kind:?}: it may have been made: {error}",
                at.name()
            );
            assert_eq!(at.really(), 1, "{}: {kind:?}: sent once, and not repeated", at.name());
            let found = at.marked(&*cloud, MARK).await;
            assert_eq!(found.len(), 1, "{}: {kind:?}: {found:?}", at.name());
            // What was found can be ended like any other.
            cloud.end(&found[0].remote_id).await.unwrap();
            at.until_gone(&*cloud, &found[0].remote_id).await;
            assert_eq!(at.really(), 0, "{}", at.name());
            assert!(cloud.leftovers().await.unwrap().is_empty(), "{}: nothing leaks", at.name());
        })
        .await;
    }
}

#[tokio::test]
async fn a_launch_that_never_arrived_made_nothing() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, MARK);
        at.fault_launch(Kind::LostBefore);
        cloud.launch(&order).await.expect_err(at.name());
        assert_eq!(at.really(), 0, "{}: nobody asked a second time", at.name());
        assert!(at.marked(&*cloud, MARK).await.is_empty(), "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn the_same_mark_twice_makes_one_machine_where_the_cloud_promises_it() {
    everywhere(async |at| {
        let cloud = at.cloud();
        if cloud.terms().idempotency == Idempotency::None {
            return;
        }
        let order = at.order(&*cloud, at.offer(PriceKind::OnDemand).await, MARK);
        let first = cloud.launch(&order).await.unwrap().remote_id;
        let second = cloud.launch(&order).await;
        match cloud.terms().idempotency {
            Idempotency::Key => assert_eq!(second.unwrap().remote_id, first, "{}", at.name()),
            _ => assert!(second.is_err(), "{}: an offer is taken once", at.name()),
        }
        assert_eq!(at.really(), 1, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn deadline_and_owner_travel_where_the_terms_say() {
    use gpudesk_core::rental::TagRoom;
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, MARK).await;
        let world = at.sim.market.world();
        let machine = world.machines.iter().find(|m| m.id == id).unwrap();
        // Some clouds allow no colon, some no capital: the digits of the time are there in any spelling.
        let said = machine.request.to_string().to_lowercase();
        let travels = said.contains("2026") && said.contains("anna");
        assert_eq!(travels, cloud.terms().tags != TagRoom::None, "{}: {said}", at.name());
    })
    .await;
}
