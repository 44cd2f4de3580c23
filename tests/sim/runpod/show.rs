//! A pod as v2 shows it.

use serde_json::{Value, json};

use super::super::Market;
use super::super::clock::{Nanos, SECOND, iso};
use super::super::machine::{Machine, Phase};
use super::super::world::dollars;

/// The pod.
pub fn pod(market: &Market, machine: &Machine, now: Nanos) -> Value {
    let request = &machine.request;
    let status = machine.word.clone().unwrap_or_else(|| status(machine.phase).to_owned());
    let up = machine.is_up();
    let (host, port) = market.address_of(machine);
    let direct = (up && has_ssh(request)).then(|| {
        json!({ "host": host, "port": port, "username": "root", "command": format!("ssh root@{host} -p {port}") })
    });
    // With real machines on loopback there is no proxy: the name is a real one, of somebody else.
    let proxy = (up && machine.port.is_none()).then(|| {
        let user = format!("{}-{:08x}", machine.id, machine.number);
        json!({ "host": "ssh.runpod.io", "port": 22, "username": user, "command": format!("ssh {user}@ssh.runpod.io") })
    });
    let running = matches!(machine.phase, Phase::Made | Phase::Loading | Phase::Running | Phase::Stopping);
    let cost = if running { dollars(machine.rates.compute) } else { 0.0 };
    let runtime = up.then(|| runtime(machine, &host, port, now));
    let empty = json!([]);
    json!({
        "id": machine.id, "name": machine.name, "status": status, "actions": actions(machine),
        "image": request["image"].as_str().unwrap_or_default(), "args": request["args"].as_str().unwrap_or_default(),
        "disk": machine.disk_gb.0 as i64,
        "mounts": if request["mounts"].is_null() { json!({}) } else { request["mounts"].clone() },
        "ports": if request["ports"].is_null() { &empty } else { &request["ports"] },
        "env": if request["env"].is_null() { json!({}) } else { request["env"].clone() },
        "registry": null, "gpu": { "id": request["gpu"]["id"], "count": machine.cards.count },
        "cloud": request["cloud"].as_str().unwrap_or("SECURE"),
        "dataCenterId": (machine.phase != Phase::Made).then_some(&machine.facts["place"]),
        "cudaVersion": up.then_some("12.8"), "ssh": { "direct": direct, "proxy": proxy },
        "template": request["templateId"].as_str(), "cost": cost, "locked": machine.facts["locked"],
        "globalNetworking": { "enabled": false }, "runtime": runtime,
        "createdAt": iso(machine.created), "startedAt": machine.started.map(iso),
    })
}

fn has_ssh(request: &Value) -> bool {
    request["ports"].as_array().into_iter().flatten().any(|port| port == "22/tcp")
}

fn runtime(machine: &Machine, host: &str, port: u16, now: Nanos) -> Value {
    let since = machine.started.unwrap_or(now);
    if now - since < SECOND {
        return json!({});
    }
    let cards: Vec<Value> =
        (0..machine.cards.count).map(|_| json!({ "util": 37, "memoryUtil": 12 })).collect();
    json!({
        "uptime": (now - since) / SECOND, "gpus": cards, "cpu": { "util": 4 }, "memory": { "util": 7 },
        "ports": [
            { "private": 22, "public": port, "type": "tcp", "ip": host },
            { "private": 8888, "public": null, "type": "http", "ip": "100.65.0.1" },
        ],
    })
}

fn status(phase: Phase) -> &'static str {
    match phase {
        Phase::Made => "PROVISIONING",
        Phase::Loading => "STARTING",
        Phase::Running | Phase::Stopping | Phase::Offline => "RUNNING",
        Phase::Stopped | Phase::Waiting | Phase::Paused => "EXITED",
        Phase::Failed => "ERROR",
        Phase::Ending | Phase::Gone => "TERMINATED",
    }
}

/// What the service would accept now.
pub fn actions(machine: &Machine) -> Vec<&'static str> {
    match machine.phase {
        Phase::Made => vec!["start", "terminate"],
        Phase::Loading => vec!["stop", "terminate"],
        Phase::Running | Phase::Offline => vec!["stop", "restart", "terminate"],
        Phase::Stopping | Phase::Failed => vec!["terminate"],
        Phase::Stopped | Phase::Waiting | Phase::Paused => vec!["start", "terminate"],
        Phase::Ending | Phase::Gone => Vec::new(),
    }
}
