//! What belongs to the account: keys, network disks, the wallet.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::clock::{Nanos, iso};
use super::super::machine::Service;
use super::super::refusal::{self, Refusal};
use super::super::world::{StoredKey, Volume, dollars};
use super::super::{Answer, Shared, document};
use super::{Window, enter, missing, unprocessable, window};

fn shown(key: &StoredKey) -> Value {
    json!({
        "id": key.id, "userId": format!("user-{}", key.account.number()), "name": key.name, "publicKey": key.key,
        "isPrimary": false, "isUserKey": true, "createdAt": iso(key.created), "updatedAt": iso(key.created),
    })
}

/// A page of keys.
pub async fn keys(State(market): State<Shared>, Query(part): Query<Window>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Prime);
    let rows = theirs.map(shown).collect();
    Ok(window(rows, &part))
}

/// Another key.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = document(&body);
    let (Some(name), Some(key)) = (body["name"].as_str(), body["publicKey"].as_str()) else {
        return Err(unprocessable("name, publicKey", "field required"));
    };
    if !is_public_key(key) {
        return Err(refusal::of(Service::Prime, Refusal::SshKey, "/api/v1/ssh_keys/", now).into());
    }
    let stored = StoredKey {
        id: format!("2b6d1c0e9a7f4d35b8c4{:012}", world.number()),
        account: caller.account,
        service: Service::Prime,
        name: name.to_owned(),
        key: key.to_owned(),
        created: now,
    };
    let row = shown(&stored);
    world.keys.push(stored);
    Ok(Json(row).into_response())
}

/// Makes a key the primary one.
pub async fn primary(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, true)?;
    let theirs = |k: &StoredKey| k.account == caller.account && k.service == Service::Prime && k.id == id;
    if !world.keys.iter().any(theirs) {
        return Err(missing("SSH key"));
    }
    Ok(Json(json!({ "message": "updated", "updated_fields": { "isPrimary": true } })).into_response())
}

/// One key less.
pub async fn remove_key(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, true)?;
    let before = world.keys.len();
    world.keys.retain(|k| !(k.account == caller.account && k.service == Service::Prime && k.id == id));
    if world.keys.len() == before { Err(missing("SSH key")) } else { Ok(Json(json!({})).into_response()) }
}

/// Network disks, none of them attached.
pub async fn disks(State(market): State<Shared>, Query(part): Query<Window>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs = world.volumes.iter().filter(|v| v.account == caller.account && v.service == Service::Prime);
    let row = |volume: &Volume| {
        json!({
            "id": volume.id, "name": volume.name, "createdAt": iso(volume.created), "status": "ACTIVE",
            "providerType": "hyperstack", "size": volume.size, "priceHr": f64::from(volume.size) * 0.0001,
            "userId": format!("user-{}", volume.account.number()), "pods": [], "clusters": [],
        })
    };
    let rows = theirs.map(row).collect();
    Ok(window(rows, &part))
}

/// The wallet. It speaks in snake case.
pub async fn wallet(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let balance = dollars(world.balance(caller.account, Service::Prime, now));
    let theirs = world.machines.iter().filter(|m| m.service == Service::Prime && m.account == caller.account);
    let rows: Vec<Value> = theirs
        .map(|machine| billed(&machine.id, machine.created, dollars(machine.bill(None, now)), now))
        .collect();
    Ok(Json(json!({
        "wallet_id": format!("wallet-{}", caller.account.number()), "team_id": null, "balance_usd": balance, "currency": "USD",
        "total_billings": rows.len(), "recent_billings": rows,
    }))
    .into_response())
}

fn billed(id: &str, since: Nanos, amount: f64, now: Nanos) -> Value {
    json!({
        "id": format!("bill-{id}"), "created_at": iso(since), "updated_at": iso(now), "last_billed_at": iso(now),
        "amount_usd": amount, "currency": "USD", "resource_type": "Instance", "resource_id": id,
    })
}
