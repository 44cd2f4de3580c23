//! Fifty rentals of one account under watch: how often its provider is asked, and what that costs this computer.

use std::collections::BTreeMap;
use std::time::Duration;

use gpudesk_core::rental::State;
use gpudesk_engine::Desk;
use gpudesk_tests::sim::Asked;
use gpudesk_tests::sim::clock::{Nanos, SECOND};

use crate::stage::{PROVIDERS, Stage};

const RENTALS: u32 = 50;

/// A stage with fifty machines, all of them ours and ready. They are copies of one, so that no stock runs out.
async fn fifty(provider: &'static str) -> (Stage, Desk) {
    let stage = Stage::at(provider).await;
    let desk = stage.desk().await;
    let first = stage.ready(&desk, "first").await;
    {
        let mut world = stage.sim.market.world();
        let id = first.remote_id.unwrap();
        let model = world.machines.iter().find(|machine| machine.id == id).unwrap().clone();
        for n in 1..RENTALS {
            let mut machine = model.clone();
            machine.number = 1_000 + n;
            machine.id = match provider {
                "vast" => (30_000_000 + n).to_string(),
                _ => format!("{}{n:03}", model.id),
            };
            machine.name = Some(format!("copy-{n}"));
            for bearing in ["env", "tags"] {
                if let Some(request) = machine.request.as_object_mut() {
                    request.remove(bearing);
                }
            }
            world.machines.push(machine);
        }
    }
    desk.reconcile().await.unwrap();
    for stranger in desk.unmanaged().await.unwrap() {
        desk.adopt(provider, &stranger.machine.remote_id, "").await.unwrap();
    }
    for _ in 0..200 {
        stage.time.pass(Duration::from_millis(500));
        desk.tend().await.unwrap();
    }
    let ready = desk.rentals(false).await.unwrap().iter().filter(|r| r.state == State::Ready).count();
    assert_eq!(ready, RENTALS as usize, "{provider}");
    (stage, desk)
}

/// As the desk does by itself: a look at what is due each two seconds, a comparison each minute.
async fn watch(stage: &Stage, desk: &Desk, seconds: u64) {
    let until = stage.time.truth() + chrono::TimeDelta::seconds(i64::try_from(seconds).unwrap());
    let mut compared = stage.time.truth();
    while stage.time.truth() < until {
        desk.tend().await.unwrap();
        if stage.time.truth() - compared >= chrono::TimeDelta::seconds(60) {
            desk.reconcile().await.unwrap();
            compared = stage.time.truth();
        }
        stage.time.pass(Duration::from_secs(2));
    }
}

/// The shortest time between two requests of one kind, and the most of all kinds in any minute.
fn rates(provider: &str, requests: &[Asked]) -> (BTreeMap<&'static str, Duration>, usize) {
    let mut last: BTreeMap<&'static str, Nanos> = BTreeMap::new();
    let mut least: BTreeMap<&'static str, Duration> = BTreeMap::new();
    for Asked { at, request, .. } in requests {
        let kind = match provider {
            "vast" if request.starts_with("GET /api/v1/instances/") => "list",
            "vast" if request.starts_with("GET /api/v0/instances/pending") => "rises",
            "vast" if request.starts_with("GET /api/v0/instances/") => "read",
            _ => "any",
        };
        if let Some(before) = last.insert(kind, *at) {
            let apart = Duration::from_nanos(u64::try_from(at - before).unwrap());
            let known = least.entry(kind).or_insert(apart);
            *known = apart.min(*known);
        }
    }
    let within =
        |from: Nanos| requests.iter().filter(|asked| (from..from + 60 * SECOND).contains(&asked.at)).count();
    (least, requests.iter().map(|asked| within(asked.at)).max().unwrap_or(0))
}

/// Vast: 2 s between reads, 1 s between lists; RunPod: 60 a minute; Lambda: 1 s between any two
/// (the pages are named where the adapters keep their pace).
#[tokio::test]
async fn fifty_rentals_are_watched_within_each_providers_published_rate() {
    for provider in PROVIDERS {
        let (stage, desk) = fifty(provider).await;
        let before = stage.sim.asked().len();
        watch(&stage, &desk, 600).await;
        let requests = stage.sim.asked().split_off(before);
        let (least, most) = rates(provider, &requests);
        println!(
            "{provider}: {} requests in 10 minutes, {most} in a minute at most, apart {least:?}",
            requests.len()
        );
        let apart = |kind: &str| least.get(kind).copied().unwrap_or(Duration::MAX);
        match provider {
            "vast" => {
                assert!(apart("read") >= Duration::from_secs(2), "{least:?}");
                assert!(apart("list") >= Duration::from_secs(1), "{least:?}");
            }
            "runpod" => assert!(most <= 60, "{most}"),
            _ => assert!(apart("any") >= Duration::from_secs(1), "{least:?}"),
        }
    }
}

/// Seconds of processor time this process has used.
#[cfg(target_os = "linux")]
fn used() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second.
    fields[11..13].iter().map(|field| field.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// The processor time of fifty watched rentals, the practice market's own share included: an upper bound.
#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "a measurement; alone, by `cargo test --test faults -- --ignored --nocapture fifty`"]
async fn fifty_watched_rentals_cost_little() {
    for provider in PROVIDERS {
        let (stage, desk) = fifty(provider).await;
        let before = used();
        watch(&stage, &desk, 1_800).await;
        let share = (used() - before) / 1_800.0 * 100.0;
        println!("{provider}: {share:.2} % of one processor");
        assert!(share < 2.0, "{provider}: {share:.2} %");
    }
}
