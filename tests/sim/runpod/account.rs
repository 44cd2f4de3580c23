//! What belongs to the account: SSH keys, network volumes.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::machine::Service;
use super::super::world::{StoredKey, Volume};
use super::super::{Answer, Shared, document, enter};
use super::strict::{Is, check, unprocessable};
use super::{V2, missing};

/// The account's keys.
pub async fn keys(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V2, false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Runpod);
    let keys: Vec<&str> = theirs.map(|key| key.key.as_str()).collect();
    Ok(Json(json!({ "keys": keys })).into_response())
}

/// Replaces the whole list.
pub async fn replace_keys(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let body = document(&body);
    check("", &body, &[("keys", Is::Texts)], &["keys"])?;
    let keys: Vec<String> = body["keys"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|key| key.as_str().map(str::to_owned))
        .collect();
    if let Some(wrong) = keys.iter().position(|key| !is_public_key(key)) {
        return Err(unprocessable(vec![format!("keys[{wrong}]: does not match the expected pattern")]));
    }
    world.keys.retain(|key| !(key.account == caller.account && key.service == Service::Runpod));
    for key in &keys {
        world.keys.push(StoredKey {
            id: key.clone(),
            account: caller.account,
            service: Service::Runpod,
            name: String::new(),
            key: key.clone(),
            created: now,
        });
    }
    Ok(Json(json!({ "keys": keys })).into_response())
}

fn shown(volume: &Volume) -> Value {
    json!({
        "id": volume.id, "name": volume.name, "size": volume.size, "dataCenter": volume.place, "type": "STANDARD",
    })
}

/// Network volumes.
pub async fn volumes(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V2, false)?;
    let theirs = world.volumes.iter().filter(|v| v.account == caller.account && v.service == Service::Runpod);
    let rows: Vec<Value> = theirs.map(shown).collect();
    Ok(Json(json!({ "networkVolumes": rows })).into_response())
}

/// One of them.
pub async fn volume(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, V2, false)?;
    let found = world.volumes.iter().find(|v| v.account == caller.account && v.id == id);
    Ok(Json(shown(found.ok_or_else(|| missing("network volume"))?)).into_response())
}

/// A new one.
pub async fn add_volume(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, V2, true)?;
    let body = document(&body);
    let fields = [("name", Is::Text), ("size", Is::Whole(10)), ("dataCenter", Is::Text), ("type", Is::Text)];
    check("", &body, &fields, &["name", "size", "dataCenter"])?;
    let volume = Volume {
        id: format!("vol{:07}", world.number()),
        account: caller.account,
        service: Service::Runpod,
        name: body["name"].as_str().unwrap_or_default().to_owned(),
        size: body["size"].as_u64().and_then(|size| u32::try_from(size).ok()).unwrap_or(10),
        place: body["dataCenter"].as_str().unwrap_or_default().to_owned(),
        created: now,
    };
    let row = shown(&volume);
    world.volumes.push(volume);
    Ok((StatusCode::CREATED, Json(row)).into_response())
}

/// One less.
pub async fn remove_volume(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, V2, true)?;
    let before = world.volumes.len();
    world.volumes.retain(|volume| !(volume.account == caller.account && volume.id == id));
    if world.volumes.len() == before {
        return Err(missing("network volume"));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
