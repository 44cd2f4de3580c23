//! Accounts and rentals from a terminal: what goes well, and what each bad day says.

use std::net::SocketAddr;
use std::path::Path;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::{GOOD_KEY, POOR_KEY, READ_ONLY_KEY};
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use gpudesk_tests::sim::refusal::Refusal;
use gpudesk_tests::sim::world::{Pace, World};
use serde_json::Value;

use crate::support::{Desk, Ran};

/// A market whose machines cannot be logged in to and change at once.
pub async fn market() -> Sim {
    let world =
        World { pace: Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 }, ..World::default() };
    Sim::start_with(SocketAddr::from(([127, 0, 0, 1], 0)), world, None).await.unwrap()
}

/// A desk with a good account everywhere and the offers of one source.
pub async fn stocked(sim: &Sim, source: &str) -> (Desk, String) {
    let desk = Desk::with(sim, sim.keys());
    let offer = first_offer(&desk, source).await;
    (desk, offer)
}

async fn first_offer(desk: &Desk, source: &str) -> String {
    desk.json(&format!("refresh {source}")).await;
    let list = desk.json(&format!("offers cloud:{source} !spot")).await;
    let offers = list["offers"].as_array().unwrap();
    let fixed = offers.iter().find(|offer| offer["price"]["kind"] == "on-demand").unwrap();
    fixed["id"].as_str().unwrap().to_owned()
}

pub async fn rent(desk: &Desk, offer: &str) -> Ran {
    desk.run_with(&["rent", offer, "--name", "train-a", "--json"]).await
}

pub fn machines(sim: &Sim) -> usize {
    sim.market.world().machines.len()
}

pub fn says(ran: &Ran, code: i32, words: &str) {
    assert_eq!(ran.code, code, "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains(words), "`{words}` is not in: {}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

/// All files of a desk.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[tokio::test]
async fn a_key_is_checked_kept_and_never_shown() {
    let sim = market().await;
    let desk = Desk::at(&sim);
    let wrong = desk.run_typing(&["accounts", "add", "vast", "--keep", "file"], "no-such-key-1234\n").await;
    says(&wrong, 4, "invalid_user_key");
    assert!(!format!("{}{}", wrong.out, wrong.err).contains("no-such-key-1234"), "{}", wrong.err);
    assert!(desk.json("accounts").await["accounts"].as_array().unwrap().is_empty(), "nothing was kept");

    let typed = format!("  {GOOD_KEY}\r\n");
    let added =
        desk.run_typing(&["accounts", "add", "lambda/team", "--keep", "file", "--json"], &typed).await;
    assert_eq!(added.code, 0, "{}", added.err);
    let account = added.json();
    assert_eq!(
        (&account["name"], &account["state"], &account["key_in"]),
        (&"lambda/team".into(), &"ok".into(), &"file".into())
    );
    assert!(desk.count("cloud:lambda").await > 0, "what only an account is offered was fetched behind it");
    let checked = desk.run("accounts check").await;
    assert_eq!(checked.code, 0, "{}", checked.err);
    for shown in [&added, &checked, &desk.run("accounts --json").await] {
        assert!(
            !shown.out.contains(GOOD_KEY) && !shown.err.contains(GOOD_KEY),
            "{}\n{}",
            shown.out,
            shown.err
        );
    }
    for file in files(desk.home()) {
        let holds = std::fs::read(&file).unwrap().windows(GOOD_KEY.len()).any(|w| w == GOOD_KEY.as_bytes());
        assert_eq!(holds, file.ends_with("keys.json"), "{}", file.display());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let keys = desk.home().join("keys.json");
        assert_eq!(std::fs::metadata(&keys).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o644)).unwrap();
        says(&desk.run("accounts").await, 2, "chmod 600");
        std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    assert_eq!(desk.run("accounts remove lambda/team").await.code, 0);
    assert!(desk.json("accounts").await["accounts"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn without_a_keyring_a_key_is_not_kept_in_silence() {
    let sim = market().await;
    let desk = Desk::at(&sim);
    let ran = desk.run_typing(&["accounts", "add", "vast"], GOOD_KEY).await;
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("--keep file"), "{}", ran.err);
    assert!(desk.json("accounts").await["accounts"].as_array().unwrap().is_empty());
    let list = desk.json("accounts").await;
    assert_eq!(list["keyring"]["works"], false);
    assert!(list["keyring"]["problem"].is_string());
}

#[tokio::test]
async fn a_key_that_cannot_be_checked_is_kept_on_a_persons_word_only() {
    let desk = Desk::offline();
    let refused = desk.run_typing(&["accounts", "add", "vast", "--keep", "file"], GOOD_KEY).await;
    says(&refused, 4, "--unchecked");
    let kept = desk
        .run_typing(&["accounts", "add", "vast", "--keep", "file", "--unchecked", "--json"], GOOD_KEY)
        .await;
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert_eq!(kept.json()["state"], "never");
}

#[tokio::test]
async fn what_cannot_be_a_key_or_an_account_is_named() {
    let sim = market().await;
    let desk = Desk::at(&sim);
    let add = |key: &'static str| desk.run_typing(&["accounts", "add", "vast", "--keep", "file"], key);
    says(&add("").await, 2, "is empty");
    says(&add("abc\ndef").await, 2, "line break");
    // Nobody was asked: what is missing is the person's to add.
    for (provider, key, lacks) in [
        ("aws", r#"{"access_key_id": "AKIAEXAMPLE"}"#, "secret_access_key"),
        ("openstack", r#"{"auth_url": "https://k.example/v3", "username": "anna"}"#, "password"),
        ("verda", "one-text", "client_id"),
    ] {
        says(&desk.run_typing(&["accounts", "add", provider, "--keep", "file"], key).await, 2, lacks);
    }
    says(&desk.run("accounts check runpod").await, 3, "no account");
    says(&desk.run("accounts remove vast").await, 3, "no account");
    says(&desk.run_typing(&["accounts", "add", "hetzner"], "k").await, 3, "hetzner");
    says(&desk.run_typing(&["accounts", "add", "vast/-x"], "k").await, 2, "alias");
}

#[tokio::test]
async fn each_refusal_of_a_launch_makes_nothing_and_names_the_next_step() {
    for (source, launches) in
        [("vast", "/api/v0/asks"), ("runpod", "/v2/pods"), ("lambda", "/api/v1/instance-operations/launch")]
    {
        let sim = market().await;
        let (desk, offer) = stocked(&sim, source).await;
        for why in [Refusal::NoFunds, Refusal::Quota, Refusal::SshKey, Refusal::Forbidden] {
            sim.arm(Fault::new(launches, Kind::Refuse { why }));
            let ran = rent(&desk, &offer).await;
            assert_eq!(ran.code, 4, "{source} {why:?}: {}\n{}", ran.out, ran.err);
            let error: Value = serde_json::from_str(ran.err.lines().last().unwrap()).unwrap();
            assert!(error["hint"].is_string(), "{source} {why:?} names no next step: {error}");
            sim.disarm();
        }
        assert_eq!(machines(&sim), 0, "{source}");
        let page = desk.json("rentals").await;
        assert!(page["rentals"].as_array().unwrap().is_empty(), "{source}: {page}");
    }
}

#[tokio::test]
async fn keys_that_may_not_and_accounts_that_cannot_are_told_apart() {
    let sim = market().await;
    for (key, words) in [(READ_ONLY_KEY, "permi"), (POOR_KEY, "0.")] {
        let desk = Desk::with(&sim, vec![("GPUDESK_VAST_KEY", key.to_owned())]);
        let offer = first_offer(&desk, "vast").await;
        says(&rent(&desk, &offer).await, 4, words);
    }
    assert_eq!(machines(&sim), 0);
}

#[tokio::test]
async fn a_price_that_rose_is_asked_about_and_never_taken_in_silence() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "vast").await;
    sim.set_factor(1.5);
    says(&rent(&desk, &offer).await, 5, "the price is");
    assert_eq!(machines(&sim), 0);
    let low = desk.run_with(&["rent", &offer, "--yes", "--max-price", "0.0001"]).await;
    says(&low, 5, "was allowed");
    let yes = desk.run_with(&["rent", &offer, "--yes", "--name", "b", "--json"]).await;
    assert_eq!(yes.code, 0, "{}", yes.err);
    assert_eq!(machines(&sim), 1);
}

#[tokio::test]
async fn an_offer_that_is_gone_has_its_nearest_beside_it() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "vast").await;
    sim.arm(Fault::new("/api/v0/asks", Kind::Refuse { why: Refusal::NoCapacity }));
    let ran = rent(&desk, &offer).await;
    says(&ran, 3, "gone");
    assert!(!ran.json()["nearest"].as_array().unwrap().is_empty(), "{}", ran.out);
    says(&desk.run("rent vast:1x1-on-demand").await, 3, "not on the board");
    says(&desk.run("show nobody").await, 3, "nobody");
}

#[tokio::test]
async fn a_machine_lives_from_one_command_to_the_next() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "vast").await;
    let rented = rent(&desk, &offer).await;
    assert_eq!(rented.code, 0, "{}", rented.err);
    let rental = rented.json();
    assert_eq!((&rental["name"], &rental["provider"]), (&"train-a".into(), &"vast".into()));
    assert_eq!(rental["token"], format!("gpudesk-{}", rental["id"].as_str().unwrap().to_lowercase()));
    assert_eq!(machines(&sim), 1);

    let shown = desk.json("show train-a").await;
    assert_eq!(shown["id"], rental["id"]);
    assert!(shown["remote_id"].is_string());
    assert_eq!(shown["rings"][2]["on"], false, "a command that ends guards nothing");
    let page = desk.json("rentals").await;
    assert_eq!(page["burning_machines"], 1);
    says(&desk.run("accounts remove vast").await, 5, "train-a");
    let longer = desk.json("extend train-a --hours 2").await;
    assert!(longer["lease"]["until"].as_str() > rental["lease"]["until"].as_str());

    says(&desk.run("end train-a").await, 5, "--yes");
    let ended = desk.run("end train-a --yes --json").await;
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert_eq!((&ended.json()["state"], &ended.json()["over"]), (&"ended".into(), &true.into()));
    assert!(sim.market.world().machines.iter().all(|machine| machine.phase == Phase::Gone));
    assert!(desk.json("rentals").await["rentals"].as_array().unwrap().is_empty());
    let story = desk.json("events train-a").await;
    let events: Vec<&str> =
        story.as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(
        events.contains(&"placed") && events.contains(&"end-asked") && events.contains(&"gone"),
        "{events:?}"
    );
    assert!(story.as_array().unwrap().iter().all(|event| event["text"].as_str() != Some("")));
}

#[tokio::test]
async fn an_answer_that_was_lost_makes_no_second_machine() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "vast").await;
    sim.arm(Fault::new("/api/v0/asks", Kind::LostAfter).times(1));
    let ran = rent(&desk, &offer).await;
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = desk.json("reconcile").await;
    assert!(report["unmanaged"].as_array().unwrap().is_empty(), "{report}");
    let shown = desk.json("show train-a").await;
    assert!(shown["remote_id"].is_string(), "found by its mark: {shown}");
    assert_eq!(machines(&sim), 1);
}

/// The practice market's offers at Vast.ai last twenty days.
#[tokio::test]
async fn a_lease_beyond_the_end_of_the_offer_is_refused() {
    let sim = market().await;
    let (desk, offer) = stocked(&sim, "vast").await;
    let ran = desk.run_with(&["rent", &offer, "--name", "train-a", "--hours", "504", "--json"]).await;
    says(&ran, 5, "the offer ends at");
    assert_eq!(machines(&sim), 0);
}
