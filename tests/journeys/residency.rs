//! Residency policies from a terminal: the query, the verdict, the launch and its override.

use std::net::SocketAddr;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::world::{Pace, World};
use serde_json::Value;

use crate::support::Desk;

/// A market, a desk with accounts, and the offers of Lambda: an American company with regions in several countries.
async fn stocked() -> (Sim, Desk) {
    let world =
        World { pace: Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 }, ..World::default() };
    let sim = Sim::start_with(SocketAddr::from(([127, 0, 0, 1], 0)), world, None).await.unwrap();
    let desk = Desk::with(&sim, sim.keys());
    desk.json("refresh lambda").await;
    (sim, desk)
}

async fn first(desk: &Desk, query: &str) -> Value {
    desk.json(&format!("offers cloud:lambda source:live {query} --limit 1")).await["offers"][0].clone()
}

#[tokio::test]
async fn the_query_line_keeps_what_a_policy_allows_and_minus_shows_what_it_hides() {
    let (_sim, desk) = stocked().await;
    // A Russian seller with one region at home and one abroad.
    let list = desk.home().join("yandex.csv");
    let rows = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n\
                gpu-a100,A100,1,28,119,4.20,ru-central1,,\ngpu-a100,A100,1,28,119,4.40,kz1,,\n";
    std::fs::write(&list, rows).unwrap();
    desk.json(&format!("import skypilot {}", list.display())).await;
    let all = desk.count("").await;
    for policy in ["gdpr", "152-fz"] {
        let (kept, hidden) =
            (desk.count(&format!("policy:{policy}")).await, desk.count(&format!("!policy:{policy}")).await);
        assert_eq!(kept + hidden, all, "{policy}");
        assert!(kept > 0 && hidden > 0, "{policy}: {kept} of {all}");
    }
    assert_eq!((desk.count("policy:152-fz").await, desk.count("seller:ru").await), (1, 2));
    assert_eq!(desk.count("policy:gdpr !zone:eea").await, 0);
    let unknown = desk.run("offers policy:gdrp").await;
    assert_eq!(unknown.code, 2, "{}", unknown.err);
    assert!(unknown.err.contains("did you mean `gdpr`?"), "{}", unknown.err);
}

#[tokio::test]
async fn a_policy_of_ones_own_is_kept_used_and_given_up() {
    let (_sim, desk) = stocked().await;
    let set = "policies set eu-only --title Europe --place EU --seller EU,US";
    let list = desk.json(set).await;
    let own = &list["policies"][2];
    assert_eq!((&own["name"], &own["built_in"]), (&"eu-only".into(), &false.into()));
    assert_eq!(own["place"], serde_json::json!(["EU"]));
    let german = first(&desk, "policy:eu-only").await;
    assert_eq!(german["place"]["country"], "DE");
    for (line, code, words) in [
        ("policies set gdpr --place US", 2, "comes with the desk"),
        ("policies set odd --place Europe", 2, "`Europe` names no area"),
        ("policies set odd --certificates iso-1", 2, "iso-27001"),
        ("policies set odd", 2, "asks for nothing"),
        ("policies set Odd! --place EU", 2, "cannot be the name"),
        ("policies use nobody --project p", 3, "Known policies: 152-fz, gdpr, eu-only"),
        ("policies remove gdpr", 2, "comes with the desk"),
    ] {
        let ran = desk.run(line).await;
        assert_eq!(ran.code, code, "{line}: {}", ran.err);
        assert!(ran.err.contains(words), "{line}: {}", ran.err);
    }
    desk.json("policies use eu-only --project clients").await;
    let used = desk.run("policies remove eu-only").await;
    assert_eq!(used.code, 4, "{}", used.err);
    assert!(used.err.contains("clients"), "{}", used.err);
    desk.json("policies unuse --project Clients").await;
    let left = desk.json("policies remove eu-only").await;
    assert_eq!(left["policies"].as_array().unwrap().len(), 2);
    assert_eq!(desk.run("offers policy:eu-only").await.code, 2, "it is no word any more");
}

#[tokio::test]
async fn a_launch_is_held_to_its_projects_policy_and_overridden_in_writing_only() {
    let (sim, desk) = stocked().await;
    desk.json("policies use gdpr --project clients").await;
    let offer = first(&desk, "country:us").await["id"].as_str().unwrap().to_owned();
    let checked = desk.run(&format!("policies check {offer} --policy GDPR --json")).await;
    assert_eq!(checked.code, 5, "{}", checked.err);
    let codes: Vec<Value> = checked.json()[0]["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reason| reason["code"].clone())
        .collect();
    assert_eq!(codes, ["place-elsewhere", "seller-not-covered"]);
    let rent = ["rent", &offer, "--name", "a", "--project", "Clients", "--yes", "--json"];
    let refused = desk.run_with(&rent).await;
    assert_eq!(refused.code, 5, "{}", refused.err);
    let error: Value = serde_json::from_str(refused.err.lines().last().unwrap()).unwrap();
    assert_eq!(error["code"], "policy-blocked");
    assert!(
        error["detail"].as_str().unwrap().contains("it stands in US and may stand in EEA only"),
        "{error}"
    );
    assert!(error["hint"].as_str().unwrap().contains("--override-policy"), "{error}");
    assert!(sim.market.world().machines.is_empty());
    let mut anyway = rent.to_vec();
    anyway.extend(["--override-policy", "synthetic data only"]);
    let rented = desk.run_with(&anyway).await;
    assert_eq!(rented.code, 0, "{}", rented.err);
    let policy = &rented.json()["policy"];
    assert_eq!((&policy["policy"], &policy["verdict"]), (&"gdpr".into(), &"blocked".into()));
    assert_eq!(policy["overridden"], "synthetic data only");
    let story = desk.json("events a").await;
    let overridden = story.as_array().unwrap().iter().find(|event| event["event"] == "override").unwrap();
    assert!(overridden["text"].as_str().unwrap().contains("synthetic data only"), "{overridden}");
}
