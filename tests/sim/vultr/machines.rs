//! Machines of both kinds: launch, look, halt, start, delete.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, iso};
use super::super::machine::{Machine, Phase, Rates, Service};
use super::super::refusal::Refusal;
use super::super::world::{World, nano};
use super::super::{Answer, Market, Shared};
use super::plans::{PLANS, Plan, cards, has, hour, is_region};
use super::{enter, invalid, missing, object, page, refuse};

/// Fields of a launch of either kind.
const FIELDS: [&str; 20] = [
    "region",
    "plan",
    "os_id",
    "image_id",
    "app_id",
    "snapshot_id",
    "iso_id",
    "script_id",
    "label",
    "tags",
    "hostname",
    "sshkey_id",
    "user_data",
    "enable_ipv6",
    "attach_vpc",
    "firewall_group_id",
    "backups",
    "activation_email",
    "user_scheme",
    "ddos_protection",
];

/// Of which exactly one may be given.
const SOURCES: [&str; 5] = ["os_id", "image_id", "app_id", "snapshot_id", "iso_id"];

/// Whose calls these are.
const VM: bool = false;
const METAL: bool = true;

fn kind(metal: bool) -> &'static str {
    if metal { "baremetal-id" } else { "instance-id" }
}

fn envelope(metal: bool) -> &'static str {
    if metal { "bare_metal" } else { "instance" }
}

fn launch(market: &Market, metal: bool, headers: &HeaderMap, body: &Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(market, headers, true)?;
    let body = object(body, &FIELDS)?;
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let region = text("region").to_owned();
    if !is_region(&region) {
        return Err(missing("region"));
    }
    let plan = PLANS.iter().find(|plan| plan.id == text("plan") && plan.metal == metal);
    let plan = plan.ok_or_else(|| invalid("Invalid plan."))?;
    let sources = SOURCES.iter().filter(|name| !body[**name].is_null()).count();
    if sources != 1 {
        return Err(invalid("Exactly one of os_id, image_id, app_id, snapshot_id or iso_id is required."));
    }
    if body["os_id"].is_number() && body["os_id"] != 1_743 {
        return Err(invalid("Invalid os_id."));
    }
    let mut keys = Vec::new();
    for id in body["sshkey_id"].as_array().into_iter().flatten() {
        let stored = world
            .keys
            .iter()
            .find(|k| k.account == caller.account && k.service == Service::Vultr && *id == k.id.as_str());
        keys.push(stored.map(|k| k.key.clone()).ok_or_else(|| invalid("Invalid SSH key."))?);
    }
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "", now).into());
    }
    if !has(plan, &region, &world) {
        return Err(refuse(Refusal::NoCapacity, "", now).into());
    }
    let machine = machine(&mut world, caller.account, now, (plan, hour(plan, factor)), body, keys);
    let id = world.launch(machine, now);
    let row = world.machines.iter().find(|m| m.id == id).map(|machine| instance(market, machine));
    Ok((StatusCode::ACCEPTED, Json(json!({ envelope(metal): row }))).into_response())
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (plan, price): (&Plan, f64),
    body: Value,
    keys: Vec<String>,
) -> Machine {
    let number = world.number();
    Machine {
        id: format!("cb676a46-66fd-4dfb-b839-{number:012}"),
        name: body["label"].as_str().map(str::to_owned),
        rates: Rates { compute: nano(price), disk: 0, disk_stopped: 0 },
        cards: cards(plan),
        keys,
        facts: json!({ "plan": plan.id, "metal": plan.metal, "region": body["region"] }),
        request: body,
        ..Machine::made(Service::Vultr, account, number, now)
    }
}

fn instance(market: &Market, machine: &Machine) -> Value {
    let (status, power, server) = match machine.phase {
        Phase::Made => ("pending", "running", "none"),
        Phase::Loading => ("active", "running", "installingbooting"),
        Phase::Running | Phase::Stopping => ("active", "running", "ok"),
        Phase::Stopped | Phase::Waiting => ("active", "stopped", "ok"),
        Phase::Offline => ("active", "running", "locked"),
        Phase::Failed | Phase::Paused => ("suspended", "stopped", "ok"),
        Phase::Ending | Phase::Gone => ("pending", "stopped", "none"),
    };
    let status = machine.word.as_deref().unwrap_or(status);
    let request = &machine.request;
    let mut row = json!({
        "id": machine.id, "label": machine.name, "tags": request["tags"], "status": status, "main_ip": "0.0.0.0",
        "region": machine.facts["region"], "plan": machine.facts["plan"], "date_created": iso(machine.created),
        "default_password": "practice", "os": "Ubuntu 22.04 LTS x64", "os_id": request["os_id"], "image_id": request["image_id"],
        "hostname": request["hostname"], "user_scheme": "root", "features": [],
    });
    if machine.facts["metal"] != true {
        row["power_status"] = power.into();
        row["server_status"] = server.into();
        row["internal_ip"] = "".into();
    }
    if machine.phase != Phase::Made {
        let (host, port) = market.address_of(machine);
        row["main_ip"] = host.into();
        // Not a field of Vultr's: its machines answer at port 22, which a practice market cannot have.
        if machine.port.is_some() {
            row["practice_ssh_port"] = port.into();
        }
    }
    row
}

/// A machine that is on its way out is no longer told of.
fn theirs(world: &World, account: Account, metal: bool) -> impl Iterator<Item = &Machine> {
    world
        .of(Service::Vultr, account)
        .filter(move |m| m.phase != Phase::Ending && (m.facts["metal"] == true) == metal)
}

fn list(market: &Market, metal: bool, headers: &HeaderMap, query: &Map<String, Value>) -> Answer {
    let (world, caller, _) = enter(market, headers, false)?;
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let rows = theirs(&world, caller.account, metal)
        .filter(|m| text("label").is_none_or(|label| m.name.as_deref() == Some(label)))
        .map(|machine| instance(market, machine))
        .collect();
    Ok(page(if metal { "bare_metals" } else { "instances" }, rows, query))
}

fn one(market: &Market, metal: bool, headers: &HeaderMap, id: &str) -> Answer {
    let (world, caller, _) = enter(market, headers, false)?;
    let machine =
        theirs(&world, caller.account, metal).find(|m| m.id == id).ok_or_else(|| missing(kind(metal)))?;
    Ok(Json(json!({ envelope(metal): instance(market, machine) })).into_response())
}

fn act(
    market: &Market,
    metal: bool,
    headers: &HeaderMap,
    id: &str,
    what: fn(&mut World, &str, Nanos),
) -> Answer {
    let (mut world, caller, now) = enter(market, headers, true)?;
    if !theirs(&world, caller.account, metal).any(|m| m.id == id) {
        return Err(missing(kind(metal)));
    }
    what(&mut world, id, now);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Other details: what is left out stays.
fn update(market: &Market, metal: bool, headers: &HeaderMap, id: &str, body: &Bytes) -> Answer {
    let (mut world, caller, _) = enter(market, headers, true)?;
    let body = object(body, &["label", "tags"])?;
    let texts = |tags: &Vec<Value>| tags.iter().all(Value::is_string);
    if !body["tags"].is_null() && !body["tags"].as_array().is_some_and(texts) {
        return Err(invalid("Invalid tags."));
    }
    if !theirs(&world, caller.account, metal).any(|m| m.id == id) {
        return Err(missing(kind(metal)));
    }
    let machine = world.find(Service::Vultr, caller.account, id).ok_or_else(|| missing(kind(metal)))?;
    if body["tags"].is_array() {
        machine.request["tags"] = body["tags"].clone();
    }
    if let Some(label) = body["label"].as_str() {
        machine.name = Some(label.to_owned());
    }
    let row = instance(market, machine);
    Ok((StatusCode::ACCEPTED, Json(json!({ envelope(metal): row }))).into_response())
}

/// Makes a machine of this kind.
pub async fn launch_vm(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    launch(&market, VM, &headers, &body)
}

/// Every machine of this kind.
pub async fn vms(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    list(&market, VM, &headers, &query)
}

/// One machine of this kind.
pub async fn vm(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    one(&market, VM, &headers, &id)
}

/// The end.
pub async fn delete_vm(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    act(&market, VM, &headers, &id, World::end)
}

/// Other details.
pub async fn update_vm(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    update(&market, VM, &headers, &id, &body)
}

/// A power cut; the bill goes on.
pub async fn halt_vm(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    act(&market, VM, &headers, &id, World::stop)
}

/// Power again.
pub async fn start_vm(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    act(&market, VM, &headers, &id, World::start)
}

/// Makes a machine of this kind.
pub async fn launch_metal(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    launch(&market, METAL, &headers, &body)
}

/// Every machine of this kind.
pub async fn metals(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    list(&market, METAL, &headers, &query)
}

/// One machine of this kind.
pub async fn metal(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    one(&market, METAL, &headers, &id)
}

/// The end.
pub async fn delete_metal(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    act(&market, METAL, &headers, &id, World::end)
}

/// Other details.
pub async fn update_metal(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    update(&market, METAL, &headers, &id, &body)
}

/// A power cut; the bill goes on.
pub async fn halt_metal(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    act(&market, METAL, &headers, &id, World::stop)
}

/// Power again.
pub async fn start_metal(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    act(&market, METAL, &headers, &id, World::start)
}
