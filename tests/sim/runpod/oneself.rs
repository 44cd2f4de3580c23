//! GraphQL's `myself`: credit, limit, what burns now, and the pods as the old clients know them.

use serde_json::{Value, json};

use super::super::Market;
use super::super::account::Caller;
use super::super::machine::{Machine, Phase, Service};
use super::super::world::dollars;

/// Who asks.
pub fn myself(market: &Market, caller: &Caller) -> Value {
    let now = market.clock.now();
    let world = market.world();
    let burning: i64 = world.of(Service::Runpod, caller.account).map(Machine::burning).sum();
    let pods: Vec<Value> = world
        .of(Service::Runpod, caller.account)
        .map(|machine| {
            let up = machine.is_up();
            let (host, port) = market.address_of(machine);
            let ports = json!([{ "ip": host, "isIpPublic": true, "privatePort": 22, "publicPort": port, "type": "tcp" }]);
            json!({
                "id": machine.id, "name": machine.name, "imageName": machine.request["image"],
                "desiredStatus": match machine.phase {
                    Phase::Stopped | Phase::Paused | Phase::Waiting => "EXITED",
                    Phase::Ending | Phase::Gone => "TERMINATED",
                    _ => "RUNNING",
                },
                "costPerHr": dollars(machine.rates.compute), "gpuCount": machine.cards.count,
                "podType": "RESERVED", "containerDiskInGb": machine.disk_gb.0, "volumeInGb": machine.disk_gb.1,
                "machine": { "gpuDisplayName": machine.cards.name, "podHostId": format!("{}-1", machine.id) },
                "runtime": up.then(|| json!({ "uptimeInSeconds": 1, "ports": ports, "gpus": [] })),
            })
        })
        .collect();
    json!({
        "id": format!("user_{}", caller.account.number()), "email": caller.account.mail(), "pubKey": "",
        "clientBalance": dollars(world.balance(caller.account, Service::Runpod, now)),
        "currentSpendPerHr": dollars(burning), "spendLimit": 80, "pods": pods, "networkVolumes": [],
    })
}
