//! Orders that cannot be, and two programs that want the same at once.

use std::net::SocketAddr;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::world::{Pace, World};

use crate::support::Desk;

/// A market, a desk with accounts, and an offer of RunPod.
async fn stocked() -> (Sim, Desk, String) {
    let world =
        World { pace: Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 }, ..World::default() };
    let sim = Sim::start_with(SocketAddr::from(([127, 0, 0, 1], 0)), world, None).await.unwrap();
    let desk = Desk::with(&sim, sim.keys());
    desk.json("refresh runpod").await;
    let offers = desk.json("offers cloud:runpod instock !spot --limit 1").await;
    let offer = offers["offers"][0]["id"].as_str().unwrap().to_owned();
    (sim, desk, offer)
}

#[tokio::test]
async fn an_order_that_cannot_be_is_refused_before_anything_is_asked_for() {
    let (sim, desk, offer) = stocked().await;
    let long = "x".repeat(41);
    for name in ["a b", "a;b", "$(id)", "`id`", "'", "\"", "имя", "-o", "..", "a\nb", "a/b", &long] {
        let ran = desk.run_with(&["rent", &offer, &format!("--name={name}")]).await;
        assert_eq!(ran.code, 2, "{name}: {}", ran.err);
        assert!(ran.err.contains("cannot be a name"), "{name}: {}", ran.err);
    }
    let wrong = [
        ["--hours=nan", "NaN hours"],
        ["--hours=-1", "-1 hours"],
        ["--max-spend=-5", "`-5` is no amount"],
        ["--ssh-key=/no/such/key", "there is no SSH key `/no/such/key.pub`"],
    ];
    for [option, words] in wrong {
        let ran = desk.run_with(&["rent", &offer, option]).await;
        assert_eq!(ran.code, 2, "{option}: {}", ran.err);
        assert!(ran.err.contains(words), "{option}: {}", ran.err);
    }
    assert!(sim.market.world().machines.is_empty());
}

#[tokio::test]
async fn one_name_is_rented_once() {
    let (sim, desk, offer) = stocked().await;
    let order = ["rent", offer.as_str(), "--name", "same", "--yes"];
    let (one, two) = tokio::join!(desk.run_with(&order), desk.run_with(&order));
    let (won, lost) = if one.code == 0 { (one, two) } else { (two, one) };
    assert_eq!((won.code, lost.code), (0, 4), "{}\n{}", won.err, lost.err);
    assert!(lost.err.contains("the name `same` is taken"), "{}", lost.err);
    assert_eq!(sim.market.world().machines.len(), 1);
}
