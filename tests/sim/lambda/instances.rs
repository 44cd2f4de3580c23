//! Instances: launch, look, restart, terminate. There is no stop.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::Nanos;
use super::super::machine::{Machine, Phase, Rates, Service};
use super::super::refusal::{self, Refusal, lambda_error};
use super::super::world::World;
use super::super::{Answer, Market, Refused, Shared, enter};
use super::types::{FAMILIES, REGIONS, TYPES, Type, cards, cents, has, region, shown};
use super::{V1, data, invalid, missing, object};

/// Fields of a launch.
const FIELDS: [&str; 11] = [
    "region_name",
    "instance_type_name",
    "ssh_key_names",
    "file_system_names",
    "file_system_mounts",
    "hostname",
    "name",
    "image",
    "user_data",
    "tags",
    "firewall_rulesets",
];

/// Makes an instance.
pub async fn launch(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, V1, true)?;
    let body = object(&body)?;
    let kind = checked(&body)?;
    let place = body["region_name"].as_str().unwrap_or_default().to_owned();
    let key = body["ssh_key_names"][0].as_str().unwrap_or_default();
    let stored = world
        .keys
        .iter()
        .find(|k| k.account == caller.account && k.service == Service::Lambda && k.name == key)
        .map(|k| k.key.clone());
    let Some(key) = stored else { return Err(missing("SSH key")) };
    if caller.account == Account::Poor {
        return Err(refusal::answer(Refusal::NoFunds, V1, now).into());
    }
    if !has(kind, &place, &world) {
        return Err(refusal::answer(Refusal::NoCapacity, V1, now).into());
    }
    let machine = machine(&mut world, caller.account, now, (kind, factor), body, key);
    let id = world.launch(machine, now);
    Ok(data(json!({ "instance_ids": [id] })).into_response())
}

fn checked(body: &Value) -> Result<&'static Type, Refused> {
    if let Some(unknown) =
        body.as_object().into_iter().flatten().map(|(k, _)| k).find(|k| !FIELDS.contains(&k.as_str()))
    {
        return Err(invalid(&format!("Unknown field {unknown}.")));
    }
    if body["ssh_key_names"].as_array().is_none_or(|names| names.len() != 1) {
        return Err(invalid("ssh_key_names must have exactly one name."));
    }
    if body["name"].as_str().is_some_and(|name| name.chars().count() > 64) {
        return Err(invalid("name must be at most 64 characters."));
    }
    for tag in body["tags"].as_array().into_iter().flatten() {
        let key = tag["key"].as_str().unwrap_or_default();
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | ':');
        let fits = key.len() >= 2
            && key.len() <= 55
            && key.starts_with(|c: char| c.is_ascii_lowercase())
            && key.chars().all(allowed);
        if !fits || tag["value"].as_str().is_none_or(|value| value.chars().count() > 128) {
            return Err(invalid(
                "tags must match ^[a-z][a-z0-9-:]+$ and have values of at most 128 characters.",
            ));
        }
    }
    let family = body["image"]["family"].as_str();
    if family.is_some_and(|family| !FAMILIES.iter().any(|(known, _)| *known == family)) {
        return Err(missing("image"));
    }
    if !REGIONS.iter().any(|(known, _)| body["region_name"] == *known) {
        return Err(missing("region"));
    }
    TYPES.iter().find(|kind| body["instance_type_name"] == kind.name).ok_or_else(|| missing("instance type"))
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (kind, factor): (&Type, f64),
    body: Value,
    key: String,
) -> Machine {
    let number = world.number();
    Machine {
        id: format!("0920582c7ff041399e34{number:012x}"),
        name: body["name"].as_str().map(str::to_owned),
        // A cent is ten million nano-dollars; the disk is included.
        rates: Rates { compute: cents(kind, factor) * 10_000_000, disk: 0, disk_stopped: 0 },
        cards: cards(kind),
        keys: vec![key],
        facts: json!({ "type": kind.name, "region": body["region_name"], "shown": shown(kind, factor) }),
        request: body,
        ..Machine::made(Service::Lambda, account, number, now)
    }
}

fn instance(market: &Market, machine: &Machine) -> Value {
    let request = &machine.request;
    let status = match machine.phase {
        Phase::Made | Phase::Loading => "booting",
        Phase::Offline | Phase::Failed => "unhealthy",
        Phase::Paused => "preempted",
        Phase::Ending => "terminating",
        Phase::Gone => "terminated",
        Phase::Running | Phase::Stopping | Phase::Stopped | Phase::Waiting => "active",
    };
    let status = machine.word.as_deref().unwrap_or(status);
    let place = machine.facts["region"].as_str().unwrap_or_default();
    let free = json!({ "available": true });
    let ends = match machine.phase {
        Phase::Ending => json!({
            "available": false, "reason_code": "vm-is-terminating", "reason_description": "Instance is terminating.",
        }),
        _ => free.clone(),
    };
    let list = |name: &str| if request[name].is_array() { request[name].clone() } else { json!([]) };
    let mut row = json!({
        "id": machine.id, "status": status, "ssh_key_names": list("ssh_key_names"),
        "file_system_names": list("file_system_names"), "region": region(place),
        "instance_type": machine.facts["shown"],
        "actions": { "migrate": free, "rebuild": free, "restart": free, "cold_reboot": free, "terminate": ends },
    });
    // What is not there is absent, never null.
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            row[name] = value;
        }
    };
    put("name", machine.name.clone().map(Value::from));
    put("hostname", request.get("hostname").cloned());
    put("tags", request.get("tags").cloned());
    put("file_system_mounts", request.get("file_system_mounts").cloned());
    if machine.is_up() {
        let (host, port) = market.address_of(machine);
        put("ip", Some(host.into()));
        put("private_ip", Some("10.19.60.24".into()));
        put("jupyter_token", Some("practice".into()));
        put("jupyter_url", Some("https://jupyter.example.com/?token=practice".into()));
        // Not a field of Lambda's: its machines answer at port 22, which a practice market cannot have.
        put("practice_ssh_port", machine.port.map(|_| port.into()));
    }
    row
}

/// Every instance; one just made is not in the list yet.
pub async fn list(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V1, false)?;
    let rows: Vec<Value> = world
        .of(Service::Lambda, caller.account)
        .filter(|machine| machine.phase != Phase::Made)
        .map(|machine| instance(&market, machine))
        .collect();
    Ok(data(rows).into_response())
}

/// One instance.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, V1, false)?;
    let machine = world.find(Service::Lambda, caller.account, &id).ok_or_else(|| missing("instance"))?;
    Ok(data(instance(&market, machine)).into_response())
}

/// Another name.
pub async fn rename(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, V1, true)?;
    let body = object(&body)?;
    let machine = world.find(Service::Lambda, caller.account, &id).ok_or_else(|| missing("instance"))?;
    machine.name = body["name"].as_str().map(str::to_owned);
    Ok(data(instance(&market, machine)).into_response())
}

fn ids(body: &Value) -> Result<Vec<String>, Refused> {
    let ids: Option<Vec<String>> = body["instance_ids"]
        .as_array()
        .map(|ids| ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect());
    ids.filter(|ids| !ids.is_empty()).ok_or_else(|| invalid("instance_ids must name at least one instance."))
}

/// The end. A machine already on its way out answers an error that says nothing.
pub async fn terminate(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V1, true)?;
    let ids = ids(&object(&body)?)?;
    for id in &ids {
        let machine = world.find(Service::Lambda, caller.account, id).ok_or_else(|| missing("instance"))?;
        if machine.phase == Phase::Ending {
            return Err(lambda_error(
                StatusCode::BAD_REQUEST,
                "global/unknown",
                "An unknown error occurred.",
                None,
            )
            .into());
        }
    }
    let mut rows = Vec::new();
    for id in &ids {
        world.end(id, now);
        rows.extend(world.machines.iter().filter(|m| m.id == *id).map(|machine| instance(&market, machine)));
    }
    Ok(data(json!({ "terminated_instances": rows })).into_response())
}

/// Boots anew; disk and bill go on.
pub async fn restart(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V1, true)?;
    let ids = ids(&object(&body)?)?;
    let mut rows: Vec<Value> = Vec::new();
    for id in &ids {
        world.restart(id, now);
        let machine = world.find(Service::Lambda, caller.account, id).ok_or_else(|| missing("instance"))?;
        rows.push(instance(&market, machine));
    }
    let answer: Map<String, Value> = [("restarted_instances".to_owned(), rows.into())].into_iter().collect();
    Ok(data(answer).into_response())
}
