//! What belongs to the account: environments, key pairs, disks, money.

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Map, Value, json};

use super::super::account::{Account, is_public_key};
use super::super::clock::{Nanos, iso};
use super::super::machine::{Meter, Service};
use super::super::refusal::Refusal;
use super::super::world::{StoredKey, Volume, dollars};
use super::super::{Answer, Refused, Shared};
use super::flavors::REGIONS;
use super::{done, enter, error, invalid, missing, object, page, refuse};

/// What an environment is kept as: a volume of no size.
const ENVIRONMENT: u32 = 0;

fn exists(what: &str) -> Refused {
    error(StatusCode::CONFLICT, "already_exist", &format!("A {what} with this name already exists")).into()
}

/// An environment of an account by its name: its region.
pub fn region_of(world: &super::World, account: Account, name: &str) -> Option<String> {
    let mut all = world.volumes.iter().filter(|v| v.account == account && v.service == Service::Hyperstack);
    all.find(|v| v.size == ENVIRONMENT && v.name == name).map(|v| v.place.clone())
}

fn environment(volume: &Volume) -> Value {
    json!({ "id": volume.created / 1_000_000_000, "name": volume.name, "region": volume.place, "features": {}, "created_at": iso(volume.created) })
}

/// The environments of the account.
pub async fn environments(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs =
        world.volumes.iter().filter(|v| v.account == caller.account && v.service == Service::Hyperstack);
    let rows = theirs.filter(|v| v.size == ENVIRONMENT).map(environment).collect();
    Ok(page("environments", rows, &query))
}

/// Another environment.
pub async fn add_environment(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "region"])?;
    let name =
        body["name"].as_str().filter(|name| !name.is_empty()).ok_or_else(|| invalid("name is required"))?;
    let region =
        REGIONS.iter().find(|(known, _)| body["region"] == *known).ok_or_else(|| missing("Region"))?;
    if region_of(&world, caller.account, name).is_some() {
        return Err(exists("environment"));
    }
    let made = Volume {
        id: format!("{}", world.number()),
        account: caller.account,
        service: Service::Hyperstack,
        name: name.to_owned(),
        size: ENVIRONMENT,
        place: region.0.to_owned(),
        created: now,
    };
    let row = environment(&made);
    world.volumes.push(made);
    Ok(done(json!({ "environment": row })))
}

/// The name of a stored key: its environment and its own.
fn key_name(environment: &str, name: &str) -> String {
    format!("{environment}/{name}")
}

/// The public key under this name in an environment.
pub fn key_of(world: &super::World, account: Account, environment: &str, name: &str) -> Option<String> {
    let wanted = key_name(environment, name);
    let mut all = world.keys.iter().filter(|k| k.account == account && k.service == Service::Hyperstack);
    all.find(|k| k.name == wanted).map(|k| k.key.clone())
}

fn keypair(world: &super::World, key: &StoredKey) -> Value {
    let (environment, name) = key.name.split_once('/').unwrap_or_default();
    json!({
        "id": key.created / 1_000_000_000, "name": name, "public_key": key.key, "fingerprint": "", "created_at": iso(key.created),
        "environment": { "id": 1, "name": environment, "region": region_of(world, key.account, environment) },
    })
}

/// The key pairs of the account.
pub async fn keypairs(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs =
        world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Hyperstack);
    let rows = theirs.map(|key| keypair(&world, key)).collect();
    Ok(page("keypairs", rows, &query))
}

/// Another key pair.
pub async fn add_keypair(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "environment_name", "public_key"])?;
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let (environment, name, key) = (text("environment_name"), text("name"), text("public_key"));
    if region_of(&world, caller.account, environment).is_none() {
        return Err(missing("Environment"));
    }
    if name.is_empty() || !is_public_key(key) {
        return Err(refuse(Refusal::SshKey, "", now).into());
    }
    if key_of(&world, caller.account, environment, name).is_some() {
        return Err(exists("key pair"));
    }
    let stored = StoredKey {
        id: format!("{}", world.number()),
        account: caller.account,
        service: Service::Hyperstack,
        name: key_name(environment, name),
        key: key.to_owned(),
        created: now,
    };
    let row = keypair(&world, &stored);
    world.keys.push(stored);
    Ok(done(json!({ "keypair": row })))
}

/// Disks of their own; this market sells none.
pub async fn volumes(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(page("volumes", Vec::new(), &query))
}

/// Who asks.
pub async fn me(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (_world, caller, _) = enter(&market, &headers, false)?;
    Ok(done(
        json!({ "user": { "email": caller.account.mail(), "name": "Practice", "username": "practice" } }),
    ))
}

/// Money left.
pub async fn credit(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let left = world.balance(caller.account, Service::Hyperstack, now);
    Ok(done(
        json!({ "data": { "credit": dollars(left), "threshold": 10.0, "can_create_instance": left > 0 } }),
    ))
}

/// What was billed for each machine in a time.
pub async fn history(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let time = |name: &str| {
        let text = query.get(name).and_then(Value::as_str)?;
        let time: chrono::NaiveDateTime = text.trim_end_matches('Z').parse().ok()?;
        time.and_utc().timestamp_nanos_opt()
    };
    let from = time("start_date").ok_or_else(|| invalid("start_date is required"))?;
    let to: Nanos = time("end_date").ok_or_else(|| invalid("end_date is required"))?.min(now);
    let theirs =
        world.machines.iter().filter(|m| m.account == caller.account && m.service == Service::Hyperstack);
    let rows: Vec<Value> = theirs
        .map(|machine| {
            let bill = machine.within(Meter::Compute, from, to) + machine.within(Meter::Disk, from, to);
            let id: i64 = machine.id.parse().unwrap_or(0);
            json!({
                "attributes": { "id": format!("b-{id}"), "infrahub_id": id, "resource_name": machine.name, "status": "active" },
                "metrics": { "incurred_bill": dollars(bill), "price_per_hour": dollars(machine.rates.compute), "usage_time": 1.0 },
            })
        })
        .collect();
    Ok(done(json!({ "billing_history_vm": {
        "org_id": 1, "total_count": rows.len(), "billing_history": rows, "pagination": { "page": 1, "pages": 1, "per_page": 100 },
    } })))
}
