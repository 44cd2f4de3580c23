//! Machines in the account that another desk made: seen, put out of sight, taken over, ended.

use std::net::SocketAddr;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use gpudesk_tests::sim::world::{Pace, World};
use serde_json::Value;

use crate::support::Desk;

/// A desk, and the id of a machine at RunPod that a second desk of the same account rented.
async fn with_a_stranger() -> (Sim, Desk, String) {
    let world =
        World { pace: Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 }, ..World::default() };
    let sim = Sim::start_with(SocketAddr::from(([127, 0, 0, 1], 0)), world, None).await.unwrap();
    let other = Desk::with(&sim, sim.keys());
    other.json("refresh runpod").await;
    let offers = other.json("offers cloud:runpod instock !spot --limit 1").await;
    let offer = offers["offers"][0]["id"].as_str().unwrap().to_owned();
    let rented = other.run_with(&["rent", &offer, "--name", "theirs", "--json"]).await;
    assert_eq!(rented.code, 0, "{}", rented.err);
    let machine = rented.json()["remote_id"].as_str().unwrap().to_owned();
    let desk = Desk::with(&sim, sim.keys());
    (sim, desk, machine)
}

fn strangers(report: &Value) -> Vec<(&str, bool)> {
    let rows = report["unmanaged"].as_array().unwrap().iter();
    rows.map(|row| (row["remote_id"].as_str().unwrap(), row["ignored"].as_bool().unwrap())).collect()
}

fn alive(sim: &Sim, machine: &str) -> bool {
    let over = |phase: Phase| matches!(phase, Phase::Ending | Phase::Gone);
    sim.market.world().machines.iter().any(|there| there.id == machine && !over(there.phase))
}

#[tokio::test]
async fn a_stranger_is_put_out_of_sight_and_taken_over() {
    let (_sim, desk, machine) = with_a_stranger().await;
    assert_eq!(strangers(&desk.json("reconcile").await), [(machine.as_str(), false)]);
    desk.json(&format!("unmanaged ignore runpod {machine}")).await;
    assert_eq!(strangers(&desk.json("unmanaged").await), [(machine.as_str(), true)]);
    let calm = desk.run("unmanaged").await;
    assert!(!calm.out.contains(&machine), "{}", calm.out);
    desk.json(&format!("unmanaged show runpod {machine}")).await;

    let bad = desk.run_with(&["unmanaged", "adopt", "runpod", &machine, "--name", "$(id)"]).await;
    assert_eq!(bad.code, 2, "{}", bad.err);
    let page = desk.json(&format!("unmanaged adopt runpod {machine} --name mine")).await;
    assert_eq!(
        (&page["rentals"][0]["name"], &page["rentals"][0]["remote_id"]),
        (&"mine".into(), &machine.as_str().into())
    );
    assert!(strangers(&desk.json("unmanaged").await).is_empty());
}

#[tokio::test]
async fn spending_looks_into_the_accounts_before_it_says_what_burns() {
    let (sim, desk, machine) = with_a_stranger().await;
    let page = desk.json("spend").await;
    assert_eq!((&page["burning"], &page["burning_unmanaged"]), (&0.into(), &1.into()), "{page:#}");
    let waste = page["waste"].as_array().unwrap();
    let kinds: Vec<&str> = waste.iter().filter_map(|line| line["kind"].as_str()).collect();
    assert_eq!(kinds, ["unmanaged"], "{page:#}");
    assert_eq!(waste[0]["remote_id"], machine.as_str());
    assert!(page["blind"].as_array().unwrap().is_empty(), "{page:#}");

    sim.arm(Fault::new("/v2/pods", Kind::Html));
    let page = desk.json("spend").await;
    assert_eq!(page["burning_unmanaged"], 0, "{page:#}");
    assert!(page["blind"].as_array().unwrap().contains(&"runpod".into()), "{page:#}");
    let text = desk.run("spend").await;
    assert!(text.out.contains("Not looked into") && text.out.contains("runpod"), "{}", text.out);
}

#[tokio::test]
async fn a_stranger_is_ended_by_a_persons_word_only() {
    let (sim, desk, machine) = with_a_stranger().await;
    let asked = desk.run(&format!("unmanaged end runpod {machine}")).await;
    assert_eq!(asked.code, 5, "{}", asked.err);
    assert!(asked.err.contains("--yes"), "{}", asked.err);
    let missing = desk.run("unmanaged end runpod no-such-machine --yes").await;
    assert_eq!(missing.code, 3, "{}", missing.err);
    assert!(alive(&sim, &machine));
    let page = desk.json(&format!("unmanaged end runpod {machine} --yes")).await;
    assert!(strangers(&page).is_empty(), "{page:#}");
    assert!(!alive(&sim, &machine));
}
