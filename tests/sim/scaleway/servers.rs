//! Servers: create (which does not start them), act, look, delete.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::iso;
use super::super::kind::{Kind, named};
use super::super::machine::{Machine, Phase};
use super::super::refusal::Refusal;
use super::super::world::{Volume, World};
use super::super::{Answer, Market, Refused, Shared};
use super::types::KINDS;
use super::{PROJECT, Query, SERVICE, error, invalid, let_in, missing, object, page, refuse};

/// Fields of the making of a server.
const FIELDS: [&str; 17] = [
    "name",
    "dynamic_ip_required",
    "routed_ip_enabled",
    "commercial_type",
    "image",
    "volumes",
    "enable_ipv6",
    "public_ip",
    "public_ips",
    "boot_type",
    "organization",
    "project",
    "tags",
    "security_group",
    "placement_group",
    "admin_password_encryption_ssh_key_id",
    "protected",
];

/// The least disk of an image for cards.
const LEAST_DISK: u64 = 125_000_000_000;

/// Nano-euros of a GB for an hour.
const DISK_RATE: i64 = 118_000;

/// The id of a machine in the market: ids are a zone's own.
fn whole(zone: &str, id: &str) -> String {
    format!("{zone}_{id}")
}

fn bare(machine: &Machine) -> &str {
    machine.id.split_once('_').map_or(machine.id.as_str(), |(_, id)| id)
}

fn checked(zone: &str, body: &Map<String, Value>) -> Result<(&'static Kind, u64), Refused> {
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("name").is_empty() {
        return Err(invalid("name"));
    }
    if text("project") != PROJECT && text("organization").is_empty() {
        return Err(invalid("project"));
    }
    if text("image").is_empty() {
        return Err(invalid("image"));
    }
    let kind = named(&KINDS, text("commercial_type"))
        .filter(|kind| kind.places.iter().any(|(place, _)| *place == zone))
        .ok_or_else(|| invalid("commercial_type"))?;
    let disk = body.get("volumes").map(|volumes| &volumes["0"]).unwrap_or(&Value::Null);
    let size =
        disk["size"].as_u64().filter(|size| *size >= LEAST_DISK).ok_or_else(|| invalid("volumes.0.size"))?;
    if disk["volume_type"] != "sbs_volume" {
        return Err(invalid("volumes.0.volume_type"));
    }
    Ok((kind, size))
}

/// Makes a server, which stands until it is powered on.
pub async fn create(
    State(market): State<Shared>,
    Path(zone): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let body = object(&body, &FIELDS)?;
    let (kind, size) = checked(&zone, &body)?;
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "", now).into());
    }
    let number = world.number();
    let id = whole(&zone, &format!("4f0b4b56-0000-4000-8000-{number:012x}"));
    let disk = format!("9d000000-0000-4000-8000-{number:012x}");
    let gb = size / 1_000_000_000;
    let name = body["volumes"]["0"]["name"].as_str().unwrap_or("volume").to_owned();
    let mut machine = kind.machine(
        (SERVICE, caller.account),
        (id.clone(), number),
        (now, factor),
        (&zone, Value::Object(body)),
    );
    machine.wanted = false;
    machine.facts["disk"] = disk.clone().into();
    machine.disk_gb = (gb as f64, 0.0);
    machine.rates.disk = i64::try_from(gb).unwrap_or(0) * DISK_RATE;
    machine.rates.disk_stopped = machine.rates.disk;
    // A tag may let a key in at every boot.
    machine.keys = tags(&machine)
        .iter()
        .filter_map(|tag| tag.strip_prefix("AUTHORIZED_KEY="))
        .map(|key| key.replacen('_', " ", 2))
        .collect();
    world.volumes.push(Volume {
        id: disk,
        account: caller.account,
        service: SERVICE,
        name,
        size: u32::try_from(gb).unwrap_or(0),
        place: zone.clone(),
        created: now,
    });
    world.launch(machine, now);
    let row = world.find(SERVICE, caller.account, &id).map(|m| server(&market, m)).unwrap_or_default();
    Ok((StatusCode::CREATED, Json(json!({ "server": row }))).into_response())
}

fn tags(machine: &Machine) -> Vec<String> {
    let tags = machine.request["tags"].as_array().into_iter().flatten();
    tags.filter_map(|tag| tag.as_str().map(str::to_owned)).collect()
}

fn state(machine: &Machine) -> &str {
    if let Some(word) = machine.word.as_deref() {
        return word;
    }
    match machine.phase {
        Phase::Made | Phase::Loading | Phase::Waiting => "starting",
        Phase::Running | Phase::Offline => "running",
        Phase::Stopping | Phase::Ending => "stopping",
        Phase::Stopped | Phase::Gone => "stopped",
        // Shut down from inside.
        Phase::Paused => "stopped in place",
        Phase::Failed => "locked",
    }
}

fn server(market: &Market, machine: &Machine) -> Value {
    let zone = &machine.facts["place"];
    let (host, port) = market.address_of(machine);
    let ips = if machine.is_up() {
        json!([
            { "id": "i6", "address": "2001:db8::9", "family": "inet6", "dynamic": true },
            { "id": "i4", "address": host, "family": "inet", "dynamic": true },
        ])
    } else {
        json!([])
    };
    let mut row = json!({
        "id": bare(machine), "name": machine.name, "state": state(machine), "state_detail": "", "zone": zone,
        "project": PROJECT, "organization": PROJECT, "commercial_type": machine.facts["kind"], "tags": tags(machine),
        "creation_date": iso(machine.created), "modification_date": iso(machine.created), "public_ip": null,
        "public_ips": ips, "dynamic_ip_required": true, "routed_ip_enabled": true, "arch": "x86_64", "maintenances": [],
        "protected": machine.request["protected"] == true, "boot_type": "local",
        "allowed_actions": ["poweron", "poweroff", "terminate", "reboot", "stop_in_place", "backup"],
        "image": { "name": machine.request["image"] },
        "volumes": { "0": { "id": machine.facts["disk"], "volume_type": "sbs_volume", "boot": true, "state": "available", "zone": zone } },
    });
    // Not a field of Scaleway's: its machines answer at port 22, which a practice market cannot have.
    if machine.port.is_some() {
        row["practice_ssh_port"] = port.into();
    }
    row
}

/// The servers of a zone.
pub async fn list(
    State(market): State<Shared>,
    Path(zone): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let named = |m: &&Machine| query.get("name").is_none_or(|name| m.name.as_deref() == Some(name));
    let rows: Vec<Value> = world
        .of(SERVICE, caller.account)
        .filter(|machine| machine.facts["place"] == zone.as_str())
        .filter(named)
        .map(|machine| server(&market, machine))
        .collect();
    let (rows, head) = page(rows, &query)?;
    Ok((head, Json(json!({ "servers": rows }))).into_response())
}

fn found<'a>(
    world: &'a mut World,
    account: Account,
    zone: &str,
    id: &str,
) -> Result<&'a mut Machine, Refused> {
    world.find(SERVICE, account, &whole(zone, id)).ok_or_else(|| missing("instance_server", id))
}

/// One server.
pub async fn one(
    State(market): State<Shared>,
    Path((zone, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, false)?;
    let machine = found(&mut world, caller.account, &zone, &id)?;
    Ok(Json(json!({ "server": server(&market, machine) })).into_response())
}

/// Other details: what is left out stays.
pub async fn update(
    State(market): State<Shared>,
    Path((zone, id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, true)?;
    let body = object(&body, &["name", "tags", "protected"])?;
    let texts = |tags: &Value| tags.as_array().is_some_and(|tags| tags.iter().all(Value::is_string));
    if !body.get("tags").is_none_or(texts) {
        return Err(invalid("tags"));
    }
    let machine = found(&mut world, caller.account, &zone, &id)?;
    for (name, value) in body {
        if name == "name" {
            machine.name = value.as_str().map(str::to_owned);
        }
        machine.request[name] = value;
    }
    Ok(Json(json!({ "server": server(&market, machine) })).into_response())
}

/// What cloud-init finds at the first boot, as plain text.
pub async fn user_data(
    State(market): State<Shared>,
    Path((zone, id, key)): Path<(String, String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, true)?;
    let machine = found(&mut world, caller.account, &zone, &id)?;
    let text = String::from_utf8_lossy(&body).into_owned();
    let plain = headers
        .get("content-type")
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| v.starts_with("text/plain"));
    if !plain || key != "cloud-init" {
        return Err(invalid("user_data"));
    }
    // The keys of a cloud-config, each on a line of its own.
    let keys = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let keys = keys.map(|key| key.trim_matches('"').to_owned()).filter(|key| key.starts_with("ssh-"));
    if machine.starts == 0 {
        machine.keys.extend(keys);
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Deletes a server that stands, and nothing but it.
pub async fn delete(
    State(market): State<Shared>,
    Path((zone, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let machine = found(&mut world, caller.account, &zone, &id)?;
    if machine.phase != Phase::Stopped {
        let more = json!({ "message": "instance should be powered off" });
        return Err(error(StatusCode::BAD_REQUEST, "invalid_request_error", more).into());
    }
    world.end(&whole(&zone, &id), now);
    if let Some(machine) = world.machines.iter_mut().find(|m| m.id == whole(&zone, &id)) {
        machine.enter(Phase::Gone, now);
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Power, and the end.
pub async fn act(
    State(market): State<Shared>,
    Path((zone, id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let body = object(&body, &["action", "name", "volumes", "disable_ipv6"])?;
    let action = body.get("action").and_then(Value::as_str).unwrap_or_default().to_owned();
    let machine = found(&mut world, caller.account, &zone, &id)?;
    let (phase, word) = (machine.phase, state(machine).to_owned());
    let kind = named(&KINDS, machine.facts["kind"].as_str().unwrap_or_default());
    let busy = || error(StatusCode::CONFLICT, "transient_state", json!({ "current_state": word }));
    let wrong =
        || error(StatusCode::BAD_REQUEST, "invalid_request_error", json!({ "message": "not in this state" }));
    let whole = whole(&zone, &id);
    match (action.as_str(), phase) {
        (_, Phase::Stopping | Phase::Ending) => return Err(busy().into()),
        ("poweron", Phase::Stopped) => {
            if !kind.is_some_and(|kind| kind.has(SERVICE, &zone, &world)) {
                return Err(refuse(Refusal::NoCapacity, "", now).into());
            }
            world.start(&whole, now);
        }
        ("poweron", Phase::Paused) => world.restart(&whole, now),
        ("poweroff", Phase::Running | Phase::Offline | Phase::Paused) => {
            world.stop(&whole, now);
        }
        ("poweroff" | "stop_in_place" | "reboot", Phase::Made | Phase::Loading) => return Err(busy().into()),
        ("reboot", Phase::Running) => world.restart(&whole, now),
        ("terminate", _) => world.end(&whole, now),
        ("poweron" | "poweroff" | "reboot" | "stop_in_place" | "backup", _) => return Err(wrong().into()),
        _ => return Err(invalid("action")),
    }
    let task = json!({ "task": { "id": "t-1", "description": action, "status": "pending", "progress": 0 } });
    Ok((StatusCode::ACCEPTED, Json(task)).into_response())
}
