//! Tags that travel with a machine: renewed where the cloud lets them, and nothing else of them is touched.

use gpudesk_core::offer::PriceKind;
use gpudesk_providers::cloud::{Cloud, CloudErrorCode, Effect};

use crate::stage::{Stage, everywhere};

const MARK: &str = "gpudesk-01tagged";

/// What the market has of a machine's tags, in any spelling.
fn tags(at: &Stage, id: &str) -> String {
    let world = at.sim.market.world();
    let machine = world.machines.iter().find(|machine| machine.id == id).unwrap();
    let told =
        if machine.facts["tags"].is_array() { &machine.facts["tags"] } else { &machine.request["tags"] };
    told.to_string().to_lowercase()
}

fn until(text: &str) -> [(String, String); 1] {
    [("until".to_owned(), text.to_owned())]
}

/// A machine that is up, whose tags name the 24th and an owner.
async fn up(at: &Stage, cloud: &dyn Cloud) -> String {
    let mut order = at.order(cloud, at.offer(PriceKind::OnDemand).await, MARK);
    order.tags = until("2026-12-24T12:00:00Z").into();
    order.tags.push(("owner".to_owned(), "anna".to_owned()));
    let made = cloud.launch(&order).await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
    cloud.admit(&made.remote_id, &order.spec).await.unwrap();
    at.until_up(cloud, &made.remote_id).await;
    made.remote_id
}

#[tokio::test]
async fn a_deadline_is_renewed_beside_everything_else_that_stands_there() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = up(at, &*cloud).await;
        let later = until("2026-12-26T12:00:00Z");
        if !cloud.terms().retags {
            let error = cloud.retag(&id, &later).await.expect_err(at.name());
            assert_eq!((error.code, error.effect), (CloudErrorCode::Unsupported, Effect::Nothing));
            return;
        }
        let before = tags(at, &id);
        assert!(before.contains("2026-12-24") && before.contains("anna"), "{}: {before}", at.name());
        for _ in 0..2 {
            cloud.retag(&id, &later).await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
            let now = tags(at, &id);
            assert!(!now.contains("2026-12-24") && now.contains("anna"), "{}: {now}", at.name());
            let count = |tags: &str, word: &str| tags.matches(word).count();
            assert_eq!(count(&now, "2026-12-26"), 1, "{}: {now}", at.name());
            assert_eq!(count(&now, "gpudesk"), count(&before, "gpudesk"), "{}: {now}", at.name());
        }
        cloud.retag(&id, &until("none")).await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
        let now = tags(at, &id);
        assert!(now.contains("none") && !now.contains("2026-12-26"), "{}: {now}", at.name());
        assert_eq!(at.marked(&*cloud, MARK).await.len(), 1, "{}: known by its mark as before", at.name());
        cloud.end(&id).await.unwrap();
        at.until_gone(&*cloud, &id).await;
        let error = cloud.retag(&id, &later).await.expect_err(at.name());
        assert_eq!(error.code, CloudErrorCode::NoSuchMachine, "{}: {error}", at.name());
    })
    .await;
}
