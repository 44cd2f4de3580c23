//! Instances: launch, look, and one call for everything else.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, iso};
use super::super::machine::{Machine, Phase, Rates, Service};
use super::super::refusal::Refusal;
use super::super::world::{Volume, World, nano};
use super::super::{Answer, Market, Refused, Shared};
use super::types::{IMAGES, TYPES, Type, cards, disk_price, gpu, has, hour, is_place};
use super::{enter, error, invalid, object, refuse};

/// Fields of a launch.
const FIELDS: [&str; 15] = [
    "instance_type",
    "image",
    "hostname",
    "description",
    "ssh_key_ids",
    "location_code",
    "contract",
    "pricing",
    "startup_script_id",
    "volumes",
    "existing_volumes",
    "os_volume",
    "is_spot",
    "coupon",
    "tags",
];

/// Hours in a month, as the vendor's own programs reckon.
const MONTH: f64 = 730.0;

/// Makes an instance and answers with its id as plain text.
pub async fn launch(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &FIELDS)?;
    let kind = checked(&body)?;
    let place = body["location_code"].as_str().unwrap_or("FIN-03").to_owned();
    let spot = body["is_spot"] == true;
    let mut keys = Vec::new();
    for id in body["ssh_key_ids"].as_array().into_iter().flatten() {
        let stored = world
            .keys
            .iter()
            .find(|k| k.account == caller.account && k.service == Service::Verda && *id == k.id.as_str());
        keys.push(stored.map(|k| k.key.clone()).ok_or_else(|| invalid("Invalid ssh key id"))?);
    }
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "", now).into());
    }
    if !has(kind, &place, spot, &world) {
        return Err(refuse(Refusal::NoCapacity, "", now).into());
    }
    let size = body["os_volume"]["size"].as_u64().and_then(|size| u32::try_from(size).ok()).unwrap_or(50);
    let volume = format!("0d150000-0000-4000-8000-{:012}", world.number());
    world.volumes.push(Volume {
        id: volume.clone(),
        account: caller.account,
        service: Service::Verda,
        name: body["os_volume"]["name"].as_str().unwrap_or("OS").to_owned(),
        size,
        place: place.clone(),
        created: now,
    });
    let disk = nano(f64::from(size) * disk_price() / MONTH);
    let rates = Rates { compute: nano(hour(kind, spot, factor)), disk, disk_stopped: disk };
    let facts = json!({
        "type": kind.name, "place": place, "spot": spot, "os_volume_id": volume,
        "price": hour(kind, spot, factor),
    });
    let machine = machine(&mut world, caller.account, now, kind, (rates, facts, f64::from(size)), body, keys);
    let id = world.launch(machine, now);
    Ok((StatusCode::ACCEPTED, [(header::CONTENT_TYPE, "text/plain")], id).into_response())
}

fn checked(body: &Value) -> Result<&'static Type, Refused> {
    for name in ["instance_type", "image", "hostname", "description"] {
        if body[name].as_str().is_none_or(str::is_empty) {
            return Err(invalid(&format!("{name} should not be empty")));
        }
    }
    if body["location_code"].as_str().is_some_and(|code| !is_place(code)) {
        return Err(invalid("Invalid location code"));
    }
    if !["PAY_AS_YOU_GO", "SPOT", "LONG_TERM"].iter().any(|word| body["contract"] == *word) {
        return Err(invalid("contract must be one of PAY_AS_YOU_GO, SPOT, LONG_TERM"));
    }
    if body["pricing"] != "FIXED_PRICE" {
        return Err(invalid("this market has no floating price"));
    }
    let tags = body["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fits = |tag: &Value| {
        let key = tag["key"].as_str().unwrap_or_default();
        (1..=63).contains(&key.len()) && tag["value"].as_str().is_none_or(|value| value.len() <= 127)
    };
    if tags.len() > 10 || !tags.iter().all(fits) {
        return Err(invalid("tags must have keys of at most 63 and values of at most 127 characters"));
    }
    let kind = TYPES.iter().find(|kind| body["instance_type"] == kind.name);
    let kind = kind.ok_or_else(|| invalid("Invalid instance type"))?;
    if !IMAGES.iter().any(|image| body["image"] == *image) {
        return Err(invalid("Operating system is not valid for this instance type"));
    }
    Ok(kind)
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    kind: &Type,
    (rates, facts, disk): (Rates, Value, f64),
    body: Value,
    keys: Vec<String>,
) -> Machine {
    let number = world.number();
    Machine {
        id: format!("b1f50000-0000-4000-8000-{number:012}"),
        name: body["hostname"].as_str().map(str::to_owned),
        rates,
        cards: cards(kind),
        keys,
        disk_gb: (disk, disk),
        facts,
        request: body,
        ..Machine::made(Service::Verda, account, number, now)
    }
}

fn instance(market: &Market, machine: &Machine) -> Value {
    let status = match machine.phase {
        Phase::Made => "ordered",
        Phase::Loading => "provisioning",
        Phase::Running | Phase::Stopping => "running",
        Phase::Stopped | Phase::Waiting => "offline",
        Phase::Paused | Phase::Gone => "discontinued",
        Phase::Offline => "unknown",
        Phase::Failed => "error",
        Phase::Ending => "deleting",
    };
    let status = machine.word.as_deref().unwrap_or(status);
    let kind = TYPES.iter().find(|kind| machine.facts["type"] == kind.name);
    // The service writes keys in lower case.
    let tags: Vec<Value> = machine.request["tags"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|tag| {
            let key = tag["key"].as_str().unwrap_or_default().to_lowercase();
            json!({ "id": "7a000000-0000-4000-8000-000000000000", "key": key, "value": tag["value"] })
        })
        .collect();
    let mut row = json!({
        "id": machine.id, "hostname": machine.name, "description": machine.request["description"], "status": status,
        "ip": null, "location": machine.facts["place"], "instance_type": machine.facts["type"],
        "image": machine.request["image"], "price_per_hour": machine.facts["price"], "is_spot": machine.facts["spot"],
        "contract": machine.request["contract"], "pricing": machine.request["pricing"],
        "os_volume_id": machine.facts["os_volume_id"], "volume_ids": [machine.facts["os_volume_id"]],
        "ssh_key_ids": machine.request["ssh_key_ids"], "startup_script_id": machine.request["startup_script_id"],
        "created_at": iso(machine.created), "tags": tags, "gpu": kind.map(gpu), "jupyter_token": "practice",
        "storage": { "description": "dynamic" },
    });
    if machine.is_up() {
        let (host, port) = market.address_of(machine);
        row["ip"] = host.into();
        // Not a field of Verda's: its machines answer at port 22, which a practice market cannot have.
        if machine.port.is_some() {
            row["practice_ssh_port"] = port.into();
        }
    }
    row
}

/// Every instance.
pub async fn list(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let rows: Vec<Value> =
        world.of(Service::Verda, caller.account).map(|machine| instance(&market, machine)).collect();
    Ok(Json(rows).into_response())
}

fn missing() -> Refused {
    error(StatusCode::NOT_FOUND, "not_found", "Invalid instance id").into()
}

/// One instance.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, false)?;
    let machine = world.find(Service::Verda, caller.account, &id).ok_or_else(missing)?;
    Ok(Json(instance(&market, machine)).into_response())
}

/// One call for everything: 202 as a whole, and a list of what became of each instance.
pub async fn act(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["id", "action", "volume_ids", "delete_permanently"])?;
    let ids: Vec<String> = match &body["id"] {
        Value::String(id) => vec![id.clone()],
        Value::Array(ids) => ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect(),
        _ => return Err(invalid("id must be a text or a list")),
    };
    let action = body["action"].as_str().unwrap_or_default();
    if !["start", "boot", "shutdown", "force_shutdown", "delete", "discontinue"].contains(&action) {
        return Err(invalid("action must be a valid action"));
    }
    let mut items = Vec::new();
    for id in &ids {
        let done = one_action(&mut world, caller.account, id, action, &body, now);
        items.push(match done {
            Ok(()) => json!({ "action": action, "instanceId": id, "status": "success", "statusCode": 202 }),
            Err((status, words)) => {
                json!({ "action": action, "instanceId": id, "status": "error", "error": words, "statusCode": status })
            }
        });
    }
    let whole = if items.iter().all(|item| item["statusCode"] == 202) {
        StatusCode::ACCEPTED
    } else {
        StatusCode::MULTI_STATUS
    };
    Ok((whole, Json(items)).into_response())
}

fn one_action(
    world: &mut World,
    account: Account,
    id: &str,
    action: &str,
    body: &Value,
    now: Nanos,
) -> Result<(), (u16, &'static str)> {
    let machine = world.find(Service::Verda, account, id).ok_or((404, "Invalid instance id"))?;
    let volume = machine.facts["os_volume_id"].clone();
    match (action, machine.phase) {
        ("delete" | "discontinue", Phase::Ending | Phase::Gone) => {
            Err((403, "Can't discontinue a discontinued instance"))
        }
        ("delete" | "discontinue", Phase::Loading) => Err((403, "Can't discontinue a provisioning instance")),
        ("delete" | "discontinue", _) => {
            world.end(id, now);
            // Without a list the disk goes to the trash, which this market empties at once; an empty list keeps it.
            let goes = match &body["volume_ids"] {
                Value::Array(ids) => ids.contains(&volume),
                _ => true,
            };
            if goes {
                world.volumes.retain(|one| volume != one.id.as_str());
            }
            Ok(())
        }
        ("shutdown" | "force_shutdown", Phase::Running) => {
            world.stop(id, now);
            Ok(())
        }
        ("start" | "boot", Phase::Stopped) => {
            world.start(id, now);
            Ok(())
        }
        _ => Err((403, "The action is not possible in this state")),
    }
}
