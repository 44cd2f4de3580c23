//! Pods: create, look, act.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::{Account, is_public_key};
use super::super::clock::Nanos;
use super::super::machine::{Cards, Machine, Rates, Service};
use super::super::refusal::{self, Refusal, problem};
use super::super::world::{World, nano};
use super::super::{Answer, Refused, Shared, document, enter};
use super::prices::{CARDS, Card, DATA_CENTERS};
use super::show::{actions, pod};
use super::strict::{Is, check, unprocessable};
use super::{V2, bad, missing};

/// Hours in the month of a storage price; its pages do not say, this is the usual reckoning.
const MONTH_HOURS: f64 = 730.0;
/// GB of container disk where none is asked for.
const USUAL_DISK: f64 = 50.0;

const NONE_FREE: &str = "There are no longer any instances available with the requested specifications.";

const FIELDS: [(&str, Is); 16] = [
    ("name", Is::Text),
    ("image", Is::Text),
    ("templateId", Is::Text),
    ("args", Is::Other),
    ("disk", Is::Whole(1)),
    ("env", Is::Env),
    ("ports", Is::Texts),
    ("registry", Is::Other),
    ("cloud", Is::Text),
    ("cpu", Is::Other),
    ("gpu", Is::Other),
    ("dataCenterIds", Is::Texts),
    ("globalNetworking", Is::Bool),
    ("mounts", Is::Other),
    ("startJupyter", Is::Bool),
    ("startSsh", Is::Bool),
];

/// Makes a pod.
pub async fn create(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let body = document(&body);
    let card = checked(&body)?;
    let Some(count) = body["gpu"]["count"].as_u64().and_then(|n| u32::try_from(n).ok()) else {
        // Leaving it out is answered as if nothing were free.
        return Err(bad(NONE_FREE));
    };
    let secure = body["cloud"] != "COMMUNITY";
    let price = if secure { Some(card.secure).filter(|price| *price > 0.0) } else { card.community };
    let place = place(&body, card, &world);
    let (Some(price), Some(place)) = (price.filter(|_| count <= card.most), place) else {
        return Err(bad(NONE_FREE));
    };
    let per_hour = nano(price * factor) * i64::from(count);
    if world.balance(caller.account, Service::Runpod, now) < per_hour {
        return Err(refusal::answer(Refusal::NoFunds, V2, now).into());
    }
    let machine = machine(&mut world, caller.account, now, (card, count, per_hour), body, &place);
    let id = world.launch(machine, now);
    let shown = world.find(Service::Runpod, caller.account, &id).map(|machine| pod(&market, machine, now));
    Ok((StatusCode::CREATED, Json(shown)).into_response())
}

/// Checks the whole body; the card it asks for.
fn checked(body: &Value) -> Result<&'static Card, Refused> {
    check("", body, &FIELDS, &["name"])?;
    if !body["image"].is_string() && !body["templateId"].is_string() {
        return Err(unprocessable(vec!["image: is required".to_owned()]));
    }
    if body["gpu"].is_null() {
        return Err(bad("one of gpu and cpu is required"));
    }
    let gpu = [
        ("id", Is::Text),
        ("count", Is::Whole(1)),
        ("allowedCudaVersions", Is::Texts),
        ("minCudaVersion", Is::Text),
    ];
    check("gpu.", &body["gpu"], &gpu, &["id"])?;
    if !body["gpu"]["allowedCudaVersions"].is_null() && !body["gpu"]["minCudaVersion"].is_null() {
        return Err(bad("allowedCudaVersions and minCudaVersion exclude each other"));
    }
    if let Some(cloud) = body["cloud"].as_str().filter(|cloud| !["SECURE", "COMMUNITY"].contains(cloud)) {
        return Err(unprocessable(vec![format!("cloud: {cloud} is none of SECURE, COMMUNITY")]));
    }
    let mounts = &body["mounts"];
    if !mounts.is_null() {
        check("mounts.", mounts, &[("persistent", Is::Other), ("network", Is::Other)], &[])?;
        if !mounts["persistent"].is_null() {
            let parts = [("size", Is::Whole(10)), ("path", Is::Text)];
            check("mounts.persistent.", &mounts["persistent"], &parts, &["size", "path"])?;
        }
        if !mounts["persistent"].is_null() && !mounts["network"].is_null() {
            return Err(bad("persistent and network mounts exclude each other"));
        }
    }
    CARDS.iter().find(|card| body["gpu"]["id"] == card.id).ok_or_else(|| bad(NONE_FREE))
}

/// The first wanted data centre that has the card, or any where none is wanted.
fn place(body: &Value, card: &Card, world: &World) -> Option<String> {
    let free = |place: &str| {
        !world.sold_out.contains(card.id) && !world.sold_out.contains(&format!("{}/{place}", card.id))
    };
    let wanted: Vec<&str> =
        body["dataCenterIds"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    DATA_CENTERS
        .iter()
        .map(|(id, _)| *id)
        .filter(|id| wanted.is_empty() || wanted.contains(id))
        .find(|id| free(id))
        .map(str::to_owned)
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (card, count, compute): (&Card, u32, i64),
    body: Value,
    place: &str,
) -> Machine {
    let number = world.number();
    let disk = body["disk"].as_f64().unwrap_or(USUAL_DISK);
    let volume = body["mounts"]["persistent"]["size"].as_f64().unwrap_or(0.0);
    let keys = match body["env"]["PUBLIC_KEY"].as_str() {
        Some(keys) => {
            keys.lines().map(str::trim).filter(|key| is_public_key(key)).map(str::to_owned).collect()
        }
        None if body["startSsh"] == true => world
            .keys
            .iter()
            .filter(|key| key.account == account && key.service == Service::Runpod)
            .map(|key| key.key.clone())
            .collect(),
        None => Vec::new(),
    };
    Machine {
        id: format!("pod{:010x}", 0xa0_0000_0000_u64 + u64::from(number)),
        name: body["name"].as_str().map(str::to_owned),
        rates: Rates {
            compute,
            disk: nano(0.10 * (disk + volume) / MONTH_HOURS),
            disk_stopped: nano(0.20 * volume / MONTH_HOURS),
        },
        cards: Cards { name: card.id.to_owned(), count, memory_mib: card.gb * 1_024 - 12, watts: 450 },
        keys,
        disk_gb: (disk, volume),
        request: body,
        facts: json!({ "place": place, "locked": false }),
        ..Machine::made(Service::Runpod, account, number, now)
    }
}

/// Every pod.
pub async fn list(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, V2, false)?;
    let rows: Vec<Value> =
        world.of(Service::Runpod, caller.account).map(|machine| pod(&market, machine, now)).collect();
    Ok(Json(json!({ "pods": rows })).into_response())
}

/// One pod.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, false)?;
    let machine = world.find(Service::Runpod, caller.account, &id).ok_or_else(|| missing("pod"))?;
    Ok(Json(pod(&market, machine, now)).into_response())
}

/// A new name, locked or not.
pub async fn change(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let body = document(&body);
    let fields = [
        ("name", Is::Text),
        ("locked", Is::Bool),
        ("globalNetworking", Is::Bool),
        ("mounts", Is::Other),
        ("templateId", Is::Text),
        ("args", Is::Other),
        ("disk", Is::Whole(1)),
        ("env", Is::Env),
        ("image", Is::Text),
        ("ports", Is::Texts),
        ("registry", Is::Other),
    ];
    check("", &body, &fields, &[])?;
    let machine = world.find(Service::Runpod, caller.account, &id).ok_or_else(|| missing("pod"))?;
    if let Some(name) = body["name"].as_str() {
        machine.name = Some(name.to_owned());
    }
    if let Some(locked) = body["locked"].as_bool() {
        machine.facts["locked"] = locked.into();
    }
    Ok(Json(pod(&market, machine, now)).into_response())
}

/// Start, stop, restart, terminate.
pub async fn action(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let body = document(&body);
    check("", &body, &[("action", Is::Text)], &["action"])?;
    let action = body["action"].as_str().unwrap_or_default().to_owned();
    let (busy, empty) = (world.sold_out.contains(&id), world.sold_out.contains(&format!("{id}/zero")));
    let found = world.find(Service::Runpod, caller.account, &id).filter(|m| caller.may_touch(&m.id));
    let machine = found.ok_or_else(|| missing("pod"))?;
    if !["start", "stop", "restart", "terminate"].contains(&action.as_str()) {
        return Err(unprocessable(vec![format!("action: {action} is unknown")]));
    }
    let locked = machine.facts["locked"] == true && action != "start";
    if locked || !actions(machine).contains(&action.as_str()) {
        let why = if locked { "the pod is locked" } else { "not allowed in the pod's current state" };
        return Err(problem(StatusCode::CONFLICT, why, &[]).into());
    }
    match action.as_str() {
        "stop" => world.stop(&id, now),
        "start" if busy => {
            return Err(bad("There are not enough free GPUs on the host machine to start this pod."));
        }
        "start" => {
            if empty {
                // It comes back without its cards.
                machine.cards.count = 0;
                machine.rates.compute = 0;
            }
            world.start(&id, now);
        }
        "restart" => world.restart(&id, now),
        _ => {
            world.end(&id, now);
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
    let shown = world.find(Service::Runpod, caller.account, &id).map(|machine| pod(&market, machine, now));
    Ok(Json(shown).into_response())
}

/// The end.
pub async fn terminate(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let found = world.find(Service::Runpod, caller.account, &id).filter(|m| caller.may_touch(&m.id));
    found.ok_or_else(|| missing("pod"))?;
    world.end(&id, now);
    Ok(StatusCode::NO_CONTENT.into_response())
}
