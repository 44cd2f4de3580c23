//! Instances: create, look, restart, delete. There is no stop.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, iso, nanos};
use super::super::machine::{Machine, Phase, Rates, Service};
use super::super::refusal::{self, Refusal};
use super::super::world::{Timers, World, dollars};
use super::super::{Answer, Market, Refused, Shared};
use super::types::{TYPES, Type, cards, cents, configuration, has};
use super::{done, enter, invalid, missing, object};

/// Fields of a creation.
const FIELDS: &[&str] = &[
    "cloud",
    "region",
    "shade_instance_type",
    "shade_cloud",
    "name",
    "os",
    "template_id",
    "launch_configuration",
    "volume_ids",
    "ssh_key_id",
    "auto_delete",
    "alert",
    "volume_mount",
    "tags",
    "envs",
];

/// Makes an instance. The cloud behind is asked later.
pub async fn create(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, FIELDS)?;
    let kind = checked(&body)?;
    // Without a key of its own the account's managed one is installed, with which nobody can log in.
    let keys = match body["ssh_key_id"].as_str() {
        None => Vec::new(),
        Some(id) => {
            let theirs = |k: &&super::super::world::StoredKey| {
                k.account == caller.account && k.service == Service::Shadeform && k.id == id
            };
            let stored = world.keys.iter().find(theirs).map(|k| k.key.clone());
            vec![stored.ok_or_else(|| invalid("ssh key not found"))?]
        }
    };
    let refuse = |why| Refused::from(refusal::of(Service::Shadeform, why, "/v1", now));
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds));
    }
    if !has(kind, body["region"].as_str().unwrap_or_default(), &world) {
        return Err(refuse(Refusal::NoCapacity));
    }
    let machine = machine(&mut world, caller.account, now, (kind, factor), body, keys);
    let id = world.launch(machine, now);
    Ok(Json(json!({ "id": id, "cloud_assigned_id": "13b057d7-e266-4869-985f-760fe75a78b3" })).into_response())
}

fn checked(body: &Value) -> Result<&'static Type, Refused> {
    let text = |name: &str| body[name].as_str().filter(|text| !text.is_empty());
    for name in ["cloud", "region", "shade_instance_type", "name"] {
        text(name).ok_or_else(|| invalid(&format!("{name} is required")))?;
    }
    if !body["shade_cloud"].is_boolean() && !body["shade_cloud"].is_null() {
        return Err(invalid("shade_cloud must be a boolean"));
    }
    let texts = |list: &Value| list.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    if body.get("tags").is_some_and(|tags| !texts(tags)) {
        return Err(invalid("tags must be a list of texts"));
    }
    if body["volume_ids"].as_array().is_some_and(|ids| ids.len() > 1) {
        return Err(invalid("only one volume can be mounted"));
    }
    thresholds(&body["auto_delete"])?;
    thresholds(&body["alert"])?;
    launch_configuration(&body["launch_configuration"])?;
    let kind = TYPES
        .iter()
        .find(|kind| body["cloud"] == kind.cloud && body["shade_instance_type"] == kind.name)
        .ok_or_else(|| missing("instance type"))?;
    if !kind.regions.iter().any(|(region, _, _)| body["region"] == *region) {
        return Err(missing("region"));
    }
    match text("os") {
        Some(os) if !kind.os.contains(&os) => Err(invalid("os is not available for this instance type")),
        _ => Ok(kind),
    }
}

/// Date with an offset, dollars as text; null is neither.
fn thresholds(set: &Value) -> Result<(), Refused> {
    for (name, value) in set.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        let text = value.as_str().unwrap_or_default();
        let right = match name.as_str() {
            "date_threshold" => nanos(text).is_some(),
            "spend_threshold" => text.parse::<f64>().is_ok_and(f64::is_finite),
            _ => false,
        };
        if !right {
            return Err(invalid(&format!("{name} is not valid")));
        }
    }
    Ok(())
}

/// Thresholds as they read back: what was sent as null is not there.
fn told(set: &Value) -> Value {
    let mut set = set.clone();
    if let Some(fields) = set.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
        if fields.is_empty() {
            return Value::Null;
        }
    }
    set
}

/// Takes a timer, and keeps it unless this market loses timers. A date that has passed is now.
fn set_timer(machine: &mut Machine, set: &Value, timers: Timers, now: Nanos) {
    let set = if timers == Timers::Lost { Value::Null } else { told(set) };
    machine.timer = set["date_threshold"].as_str().and_then(nanos).map(|at| at.max(now));
    machine.facts["auto_delete"] = set;
}

fn launch_configuration(set: &Value) -> Result<(), Refused> {
    let one = match set["type"].as_str() {
        None => set.is_null(),
        Some("script") => {
            set["script_configuration"]["base64_script"].is_string() && set["docker_configuration"].is_null()
        }
        Some("docker") => {
            set["docker_configuration"]["image"].is_string() && set["script_configuration"].is_null()
        }
        Some(_) => false,
    };
    if one { Ok(()) } else { Err(invalid("launch_configuration needs exactly one configuration")) }
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (kind, factor): (&Type, f64),
    body: Value,
    keys: Vec<String>,
) -> Machine {
    let (number, timers) = (world.number(), world.timers);
    let os = body["os"].as_str().or(kind.os.first().copied()).unwrap_or_default().to_owned();
    let mut machine = Machine {
        id: format!("d290f1ee-6c54-4b01-90e6-{number:012}"),
        name: body["name"].as_str().map(str::to_owned),
        // A cent is ten million nano-dollars; the disk is included.
        rates: Rates { compute: cents(kind, factor) * 10_000_000, disk: 0, disk_stopped: 0 },
        cards: cards(kind),
        keys,
        facts: json!({
            "cloud": kind.cloud, "type": kind.name, "region": body["region"], "cents": cents(kind, factor), "os": os,
            "configuration": configuration(kind), "tags": body["tags"], "alert": told(&body["alert"]),
        }),
        request: body,
        ..Machine::made(Service::Shadeform, account, number, now)
    };
    let set = machine.request["auto_delete"].clone();
    set_timer(&mut machine, &set, timers, now);
    machine
}

fn instance(market: &Market, machine: &Machine, now: Nanos) -> Value {
    let facts = &machine.facts;
    let (status, details) = match machine.phase {
        Phase::Made => ("creating", ""),
        Phase::Loading => ("pending", "downloading"),
        Phase::Failed => ("error", machine.says.as_deref().unwrap_or("the cloud could not start it")),
        Phase::Ending => ("deleting", ""),
        Phase::Gone => ("deleted", ""),
        _ => ("active", ""),
    };
    let status = machine.word.as_deref().unwrap_or(status);
    let up = machine.is_up();
    let (host, port) = market.address_of(machine);
    let mut configuration = facts["configuration"].clone();
    configuration["os"] = facts["os"].clone();
    json!({
        "id": machine.id, "cloud": facts["cloud"], "region": facts["region"], "shade_instance_type": facts["type"],
        "cloud_instance_type": "gpu", "cloud_assigned_id": "13b057d7-e266-4869-985f-760fe75a78b3", "shade_cloud": true,
        "name": machine.name, "configuration": configuration, "ip": if up { host } else { String::new() },
        "ssh_user": "shadeform", "ssh_port": up.then_some(port), "status": status, "status_details": details,
        "cost_estimate": format!("{:.4}", dollars(machine.bill(None, now))), "hourly_price": facts["cents"],
        "tags": if facts["tags"].is_array() { facts["tags"].clone() } else { json!([]) },
        "active_at": machine.started.map(iso), "created_at": iso(machine.created), "deleted_at": "0001-01-01T00:00:00Z",
        "boot_time": { "min_boot_in_sec": 180, "max_boot_in_sec": 420 },
    })
}

/// Everything that is not deleted. The timers are not told here.
pub async fn list(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let theirs = world.of(Service::Shadeform, caller.account);
    let rows: Vec<Value> = theirs.map(|machine| instance(&market, machine, now)).collect();
    Ok(Json(json!({ "instances": rows })).into_response())
}

fn find<'a>(world: &'a mut World, account: Account, id: &str) -> Result<&'a mut Machine, Refused> {
    world.find(Service::Shadeform, account, id).ok_or_else(|| missing("instance"))
}

/// One instance, with its timers.
pub async fn info(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, false)?;
    let machine = find(&mut world, caller.account, &id)?;
    let mut row = instance(&market, machine, now);
    for name in ["auto_delete", "alert"] {
        row[name] = machine.facts[name].clone();
    }
    row["ssh_key_id"] = machine.request["ssh_key_id"].clone();
    row["volume_ids"] = json!([]);
    Ok(Json(row).into_response())
}

/// Other details: what is left out stays, what is null is removed.
pub async fn update(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "auto_delete", "alert", "tags"])?;
    thresholds(&body["auto_delete"])?;
    thresholds(&body["alert"])?;
    let timers = world.timers;
    let machine = find(&mut world, caller.account, &id)?;
    for (name, value) in body.as_object().into_iter().flatten() {
        match name.as_str() {
            "name" => machine.name = value.as_str().map(str::to_owned),
            "auto_delete" => set_timer(machine, value, timers, now),
            "alert" => machine.facts["alert"] = told(value),
            other => machine.facts[other] = value.clone(),
        }
    }
    Ok(done())
}

/// Boots anew; the status stays as it is.
pub async fn restart(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    find(&mut world, caller.account, &id)?;
    world.restart(&id, now);
    Ok(done())
}

/// The end.
pub async fn delete(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    find(&mut world, caller.account, &id)?;
    world.end(&id, now);
    Ok(done())
}
