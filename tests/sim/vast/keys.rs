//! Public keys: of the account, and of one instance.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::clock::iso;
use super::super::machine::Service;
use super::super::refusal::vast_error;
use super::super::world::StoredKey;
use super::super::{Answer, Refused, Shared, document, enter};

fn key_of(body: &Bytes) -> Result<String, Refused> {
    let body = document(body);
    let key = body["ssh_key"].as_str().filter(|key| is_public_key(key));
    key.map(str::to_owned)
        .ok_or_else(|| vast_error(StatusCode::BAD_REQUEST, "invalid_args", "Invalid SSH key format").into())
}

fn missing() -> Refused {
    vast_error(StatusCode::NOT_FOUND, "no_such_instance", "Instance not found").into()
}

/// The account's keys.
pub async fn all(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, "/api/v0/", false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Vast);
    let rows: Vec<Value> = theirs
        .map(|key| {
            json!({
                "id": key.id.parse::<u32>().unwrap_or_default(), "user_id": caller.account.number(),
                "key": key.key, "public_key": key.key, "created_at": iso(key.created), "deleted_at": null,
            })
        })
        .collect();
    Ok(Json(rows).into_response())
}

/// A new key of the account, for machines rented from now on.
pub async fn add(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", true)?;
    let key = key_of(&body)?;
    let id = world.number();
    world.keys.push(StoredKey {
        id: id.to_string(),
        account: caller.account,
        service: Service::Vast,
        name: String::new(),
        key: key.clone(),
        created: now,
    });
    Ok(Json(json!({
        "success": true,
        "key": {
            "id": id, "user_id": caller.account.number(), "public_key": key, "created_at": iso(now),
            "deleted_at": null,
        },
    }))
    .into_response())
}

/// One key less.
pub async fn remove(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, "/api/v0/", true)?;
    let before = world.keys.len();
    world.keys.retain(|k| !(k.id == id && k.account == caller.account && k.service == Service::Vast));
    if world.keys.len() == before {
        return Err(vast_error(StatusCode::BAD_REQUEST, "invalid_args", "no such key").into());
    }
    Ok(Json(json!({ "success": true })).into_response())
}

/// The keys of an instance, as JSON inside a text.
pub async fn of_instance(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, "/api/v0/", false)?;
    let machine = world.find(Service::Vast, caller.account, &id).ok_or_else(missing)?;
    let keys: Vec<Value> = (1..)
        .zip(&machine.keys)
        .map(|(n, key)| json!({ "id": n, "name": format!("key {n}"), "public_key": key }))
        .collect();
    Ok(Json(json!({ "success": true, "ssh_keys": Value::from(keys).to_string() })).into_response())
}

/// Lets a key into an instance.
pub async fn attach(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, "/api/v0/", true)?;
    let key = key_of(&body)?;
    let machine = world.find(Service::Vast, caller.account, &id).ok_or_else(missing)?;
    if machine.keys.contains(&key) {
        return Err(vast_error(StatusCode::BAD_REQUEST, "invalid_args", "SSH key is already attached").into());
    }
    machine.keys.push(key);
    drop(world);
    // The machine's own server hears of it now, not with the next call.
    drop(market.world());
    Ok(Json(json!({ "success": true, "msg": "SSH key attached successfully" })).into_response())
}

/// Takes a key out of an instance.
pub async fn detach(
    State(market): State<Shared>,
    Path((id, key)): Path<(String, usize)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, "/api/v0/", true)?;
    let machine = world.find(Service::Vast, caller.account, &id).ok_or_else(missing)?;
    if key == 0 || key > machine.keys.len() {
        return Err(vast_error(StatusCode::NOT_FOUND, "invalid_args", "no such key").into());
    }
    machine.keys.remove(key - 1);
    Ok(Json(json!({ "success": true, "msg": "SSH key removed from instance." })).into_response())
}
