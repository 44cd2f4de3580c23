//! Only a whole list proves that something is not there.

use std::collections::BTreeSet;

use gpudesk_tests::sim::fault::Kind;
use gpudesk_tests::sim::twist::Twist;

use crate::stage::everywhere;

fn odd(twist: Twist) -> Kind {
    Kind::Twist { twist, word: None }
}

#[tokio::test]
async fn a_torn_list_proves_nothing() {
    let faults = [
        Kind::Html,
        Kind::Cut,
        Kind::Truncated,
        Kind::Empty,
        Kind::LostAfter,
        Kind::Status { status: 500, retry_after: None },
        odd(Twist::NullList),
        odd(Twist::Text),
        odd(Twist::JsonText),
    ];
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, "gpudesk-01list").await;
        at.until_up(&*cloud, &id).await;
        for kind in &faults {
            at.fault_list(kind.clone());
            if let Ok(listing) = cloud.list().await {
                assert!(!listing.complete, "{}: {kind:?}: {listing:?}", at.name());
            }
            at.sim.disarm();
        }
        assert_eq!(at.marked(&*cloud, "gpudesk-01list").await.len(), 1, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn a_row_told_twice_is_one_machine() {
    everywhere(async |at| {
        let cloud = at.cloud();
        for mark in ["gpudesk-01one", "gpudesk-01two"] {
            let id = at.launched(&*cloud, mark).await;
            at.until_up(&*cloud, &id).await;
        }
        at.fault_list(odd(Twist::Duplicate));
        let listing = cloud.list().await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
        let ids: BTreeSet<&str> = listing.machines.iter().map(|m| m.remote_id.as_str()).collect();
        assert_eq!(ids.len(), 2, "{}", at.name());
        assert_eq!(listing.machines.len(), 2, "{}: {:?}", at.name(), listing.machines);
        // Pages that moved under the reader repeat one row and lose another.
        assert!(!listing.complete, "{}", at.name());
    })
    .await;
}

#[tokio::test]
async fn a_long_list_is_read_to_its_end() {
    everywhere(async |at| {
        let cloud = at.cloud();
        // More than any page of these clouds has.
        let many = 130;
        let id = at.launched(&*cloud, "gpudesk-01many").await;
        at.until_up(&*cloud, &id).await;
        {
            let mut world = at.sim.market.world();
            let pattern = world.machines.iter().find(|m| m.id == id).unwrap().clone();
            for n in 1..many {
                let mut twin = pattern.clone();
                twin.number = pattern.number + n;
                // Of the same form as the seller's own ids, and of the same length.
                twin.id = renumbered(&pattern.id, n);
                world.machines.push(twin);
            }
        }
        let listing = cloud.list().await.unwrap_or_else(|e| panic!("{}: {e}", at.name()));
        assert!(listing.complete, "{}: {:?}", at.name(), listing.unreadable);
        assert_eq!(listing.machines.len(), usize::try_from(many).unwrap(), "{}", at.name());
    })
    .await;
}

/// An id of the same form: its last digits are other ones.
fn renumbered(id: &str, n: u32) -> String {
    let keep = id.len() - 4;
    format!("{}{:04}", &id[..keep], (n + 7000) % 10_000)
}

#[tokio::test]
async fn a_strangers_machine_is_listed_without_a_mark() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let id = at.launched(&*cloud, "somebody-elses").await;
        at.until_up(&*cloud, &id).await;
        at.pass(cloud.terms().list_lag * 2);
        let listing = cloud.list().await.unwrap();
        let found =
            listing.machines.iter().find(|m| m.remote_id == id).unwrap_or_else(|| panic!("{}", at.name()));
        assert_eq!(found.token, None, "{}: {found:?}", at.name());
    })
    .await;
}
