//! Virtual machines. Stop, start, hibernate and restore are GETs that change something.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::Nanos;
use super::super::machine::{Machine, Phase, Rates, Service};
use super::super::refusal::Refusal;
use super::super::world::{World, nano};
use super::super::{Answer, Market, Refused, Shared};
use super::account::{key_of, region_of};
use super::flavors::{DISK, FLAVORS, Flavor, cards, hour, left, shown};
use super::{done, enter, error, invalid, missing, object, page, refuse};

/// Fields of a launch.
const FIELDS: [&str; 15] = [
    "name",
    "environment_name",
    "image_name",
    "volume_name",
    "flavor_name",
    "flavor",
    "key_name",
    "count",
    "assign_floating_ip",
    "enable_port_randomization",
    "labels",
    "security_rules",
    "user_data",
    "callback_url",
    "create_bootable_volume",
];

/// The images of every region.
const IMAGES: [&str; 2] =
    ["Ubuntu Server 22.04 LTS R550 CUDA 12.4", "Ubuntu Server 22.04 LTS R550 CUDA 12.4 with Docker"];

/// Makes a machine. The name is given once.
pub async fn launch(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &FIELDS)?;
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let name = text("name");
    if name.is_empty() || name.len() > 50 {
        return Err(invalid("name must have 1 to 50 characters"));
    }
    if world.of(Service::Hyperstack, caller.account).any(|m| m.name.as_deref() == Some(name)) {
        let words = "A virtual machine with this name already exists";
        return Err(error(StatusCode::CONFLICT, "already_exist", words).into());
    }
    let environment = text("environment_name");
    let region = region_of(&world, caller.account, environment).ok_or_else(|| missing("Environment"))?;
    let flavor = FLAVORS.iter().find(|flavor| flavor.name == text("flavor_name") && flavor.region == region);
    let flavor = flavor.ok_or_else(|| missing("Flavor"))?;
    let key = key_of(&world, caller.account, environment, text("key_name"));
    let key = key.ok_or_else(|| missing("Key pair"))?;
    if !IMAGES.contains(&text("image_name")) {
        return Err(missing("Image"));
    }
    if body["count"] != 1 {
        return Err(invalid("This market makes one machine at a time"));
    }
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "", now).into());
    }
    if left(flavor, &world) == 0 {
        return Err(refuse(Refusal::NoCapacity, "", now).into());
    }
    let machine = machine(&mut world, caller.account, now, (flavor, factor), body, key);
    let id = world.launch(machine, now);
    let row = world.machines.iter().find(|m| m.id == id).map(|machine| instance(&market, machine));
    Ok(done(json!({ "instances": [row] })))
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (flavor, factor): (&Flavor, f64),
    body: Value,
    key: String,
) -> Machine {
    let number = world.number();
    let disk = f64::from(flavor.disk);
    Machine {
        id: (700_000 + number).to_string(),
        name: body["name"].as_str().map(str::to_owned),
        rates: Rates { compute: nano(hour(flavor, factor)), disk: 0, disk_stopped: 0 },
        cards: cards(flavor),
        keys: vec![key],
        disk_gb: (disk, disk),
        facts: json!({ "flavor": flavor.name, "region": flavor.region, "shown": shown(flavor), "hibernated": false }),
        request: body,
        ..Machine::made(Service::Hyperstack, account, number, now)
    }
}

fn instance(market: &Market, machine: &Machine) -> Value {
    let hibernated = machine.facts["hibernated"] == true;
    let status = match machine.phase {
        Phase::Made => "CREATING",
        Phase::Loading if machine.starts == 0 => "BUILD",
        Phase::Loading if hibernated => "RESTORING",
        Phase::Loading => "STARTING",
        Phase::Running | Phase::Offline => "ACTIVE",
        Phase::Stopping if hibernated => "HIBERNATING",
        Phase::Stopping => "ACTIVE",
        Phase::Stopped | Phase::Waiting | Phase::Paused if hibernated => "HIBERNATED",
        Phase::Stopped | Phase::Waiting | Phase::Paused => "SHUTOFF",
        Phase::Failed => "ERROR",
        Phase::Ending => "DELETING",
        Phase::Gone => "DELETED",
    };
    let status = machine.word.as_deref().unwrap_or(status);
    let request = &machine.request;
    let mut row = json!({
        "id": machine.id.parse::<i64>().unwrap_or(0), "name": machine.name, "status": status, "power_state": "RUNNING",
        "vm_state": "active", "floating_ip": null, "floating_ip_status": null, "fixed_ip": "10.0.0.5",
        "requires_public_ip": request["assign_floating_ip"], "port_randomization": request["enable_port_randomization"] != false,
        "port_randomization_status": null, "flavor": machine.facts["shown"], "image": { "name": request["image_name"] },
        "environment": { "id": 1, "name": request["environment_name"], "region": machine.facts["region"] },
        "keypair": { "name": request["key_name"] }, "labels": request["labels"], "locked": false, "security_rules": [],
        "volume_attachments": [], "contract_id": null, "created_at": stamp(machine.created),
    });
    // It is active before it has its address.
    if machine.is_up() && request["assign_floating_ip"] == true {
        let (host, port) = market.address_of(machine);
        row["floating_ip"] = host.into();
        row["floating_ip_status"] = "ATTACHED".into();
        // Not a field of Hyperstack's: its machines answer at port 22, which a practice market cannot have.
        if machine.port.is_some() {
            row["practice_ssh_port"] = port.into();
        }
    }
    row
}

/// A time without its zone, as the service writes it.
fn stamp(at: Nanos) -> String {
    chrono::DateTime::from_timestamp_nanos(at).format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Every machine, page by page.
pub async fn list(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let wanted = query.get("search").and_then(Value::as_str).unwrap_or_default();
    let theirs = world.of(Service::Hyperstack, caller.account);
    let found = theirs.filter(|m| m.name.as_deref().unwrap_or_default().contains(wanted) || m.id == wanted);
    Ok(page("instances", found.map(|machine| instance(&market, machine)).collect(), &query))
}

/// One machine.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, false)?;
    let machine =
        world.find(Service::Hyperstack, caller.account, &id).ok_or_else(|| missing("Virtual machine"))?;
    Ok(done(json!({ "instance": instance(&market, machine) })))
}

fn not_allowed(words: &str) -> Refused {
    error(StatusCode::CONFLICT, "not_allowed", words).into()
}

/// The end.
pub async fn delete(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let machine =
        world.find(Service::Hyperstack, caller.account, &id).ok_or_else(|| missing("Virtual machine"))?;
    if machine.phase == Phase::Ending {
        return Err(not_allowed("The virtual machine is being deleted"));
    }
    world.end(&id, now);
    Ok(done(json!({})))
}

/// Brings a machine to stand: `hibernated` frees its cards, a plain stop is billed on in full.
fn halt(world: &mut World, account: Account, id: &str, hibernated: bool, now: Nanos) -> Result<(), Refused> {
    let machine = world.find(Service::Hyperstack, account, id).ok_or_else(|| missing("Virtual machine"))?;
    let flavor = FLAVORS.iter().find(|flavor| machine.facts["flavor"] == flavor.name);
    if hibernated && flavor.is_some_and(|flavor| !flavor.hibernates) {
        return Err(invalid("This flavor does not support hibernation"));
    }
    if machine.phase != Phase::Running {
        return Err(not_allowed("Only an active virtual machine can be stopped"));
    }
    machine.facts["hibernated"] = hibernated.into();
    machine.rates.disk_stopped =
        if hibernated { nano(machine.disk_gb.0 * DISK) } else { machine.rates.compute };
    world.stop(id, now);
    Ok(())
}

/// A plain stop.
pub async fn stop(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    halt(&mut world, caller.account, &id, false, now)?;
    Ok(done(json!({})))
}

/// A stop that frees the cards.
pub async fn hibernate(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    halt(&mut world, caller.account, &id, true, now)?;
    Ok(done(json!({})))
}

fn wake(world: &mut World, account: Account, id: &str, hibernated: bool, now: Nanos) -> Result<(), Refused> {
    let machine = world.find(Service::Hyperstack, account, id).ok_or_else(|| missing("Virtual machine"))?;
    if machine.phase != Phase::Stopped || (machine.facts["hibernated"] == true) != hibernated {
        return Err(not_allowed("Not possible in its present state"));
    }
    let flavor = FLAVORS.iter().find(|flavor| machine.facts["flavor"] == flavor.name);
    if hibernated && flavor.is_some_and(|flavor| left(flavor, world) == 0) {
        return Err(refuse(Refusal::NoCapacity, "", now).into());
    }
    world.start(id, now);
    Ok(())
}

/// Starts what was shut down.
pub async fn start(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    wake(&mut world, caller.account, &id, false, now)?;
    Ok(done(json!({})))
}

/// Brings back what hibernates.
pub async fn restore(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    wake(&mut world, caller.account, &id, true, now)?;
    Ok(done(json!({})))
}
