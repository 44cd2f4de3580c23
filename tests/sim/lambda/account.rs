//! What belongs to the account: keys, filesystems, the audit log.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Json, response::Response};
use serde_json::{Value, json};

use super::super::account::{Account, is_public_key};
use super::super::clock::iso;
use super::super::machine::Service;
use super::super::refusal::{self, Refusal, lambda_error};
use super::super::world::{StoredKey, Volume};
use super::super::{Answer, Refused, Shared, enter};
use super::types::region;
use super::{V1, data, invalid, missing, object};

fn shown_key(key: &StoredKey) -> Value {
    json!({ "id": key.id, "name": key.name, "public_key": key.key })
}

/// The account's keys.
pub async fn keys(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V1, false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Lambda);
    let rows: Vec<Value> = theirs.map(shown_key).collect();
    Ok(data(rows).into_response())
}

/// Another key; without one, the service would make a pair, which nobody here should want.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V1, true)?;
    let body = object(&body)?;
    let name = body["name"].as_str().filter(|name| !name.is_empty() && name.chars().count() <= 64);
    let name = name.ok_or_else(|| invalid("name must have 1 to 64 characters."))?.to_owned();
    let Some(key) = body["public_key"].as_str() else {
        return Err(invalid("This market makes no key pairs: send public_key."));
    };
    if !is_public_key(key) {
        return Err(refusal::answer(Refusal::SshKey, V1, now).into());
    }
    let same = |k: &StoredKey| k.account == caller.account && k.service == Service::Lambda && k.name == name;
    if world.keys.iter().any(same) {
        return Err(duplicate("SSH key name is already in use."));
    }
    let stored = StoredKey {
        id: format!("ddf9a910ceb744a0bb95{:012x}", world.number()),
        account: caller.account,
        service: Service::Lambda,
        name,
        key: key.to_owned(),
        created: now,
    };
    let row = shown_key(&stored);
    world.keys.push(stored);
    Ok(data(row).into_response())
}

fn duplicate(message: &str) -> Refused {
    lambda_error(StatusCode::BAD_REQUEST, "global/duplicate", message, None).into()
}

/// One key less.
pub async fn remove_key(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, V1, true)?;
    let before = world.keys.len();
    world.keys.retain(|k| !(k.account == caller.account && k.service == Service::Lambda && k.id == id));
    if world.keys.len() == before {
        return Err(missing("SSH key"));
    }
    Ok(data(json!({})).into_response())
}

fn shown_filesystem(volume: &Volume) -> Value {
    json!({
        "id": volume.id, "name": volume.name, "mount_point": format!("/lambda/nfs/{}", volume.name),
        "created": iso(volume.created), "is_in_use": false, "region": region(&volume.place), "bytes_used": 0,
        "created_by": { "id": "9f2a", "email": volume.account.mail(), "status": "active" },
    })
}

/// Filesystems.
pub async fn filesystems(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V1, false)?;
    let theirs = world.volumes.iter().filter(|v| v.account == caller.account && v.service == Service::Lambda);
    let rows: Vec<Value> = theirs.map(shown_filesystem).collect();
    Ok(data(rows).into_response())
}

/// A new one.
pub async fn add_filesystem(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V1, true)?;
    let body = object(&body)?;
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let (Some(name), Some(place)) = (text("name"), text("region").or_else(|| text("region_name"))) else {
        return Err(invalid("name and region are required."));
    };
    let volume = Volume {
        id: format!("398578a2336b49079e74{:012x}", world.number()),
        account: caller.account,
        service: Service::Lambda,
        name,
        size: 0,
        place,
        created: now,
    };
    let row = shown_filesystem(&volume);
    world.volumes.push(volume);
    Ok(data(row).into_response())
}

/// One less.
pub async fn remove_filesystem(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, V1, true)?;
    let mine = |v: &Volume| v.account == caller.account && v.service == Service::Lambda && v.id == id;
    if !world.volumes.iter().any(mine) {
        return Err(missing("filesystem"));
    }
    world.volumes.retain(|volume| !mine(volume));
    Ok(data(json!({ "deleted_ids": [id] })).into_response())
}

/// Who did what when, newest first.
pub async fn events(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V1, false)?;
    let rows: Vec<Value> = world
        .deeds
        .iter()
        .filter(|deed| deed.account == caller.account)
        .filter(|deed| world.machines.iter().any(|m| m.id == deed.machine && m.service == Service::Lambda))
        .rev()
        .map(|deed| {
            json!({
                "event_id": format!("{:032x}", deed.at), "event_time": iso(deed.at), "service_name": "cloud",
                "resource_name": "instance", "action": deed.action, "catalog_version": "2025-09-06",
                "resource_lrns": [format!("lrn:cloud:instance:{}", deed.machine)],
                "actor_lrn": identity(deed.account), "resource_owner_lrn": null, "request_api_key_lrn": null,
                "additional_details": { "instance_lrn": format!("lrn:cloud:instance:{}", deed.machine) },
            })
        })
        .collect();
    let answer: Response = Json(json!({ "data": rows, "page_token": null })).into_response();
    Ok(answer)
}

fn identity(account: Account) -> String {
    format!("lrn:cloud:identity:{:032}", account.number())
}
