//! What belongs to the account: tokens, money, keys, first scripts, disks.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::account::{Account, holder, is_public_key};
use super::super::clock::iso;
use super::super::machine::{Phase, Service};
use super::super::refusal::Refusal;
use super::super::world::{StoredKey, dollars};
use super::super::{Answer, Shared};
use super::types::disk_price;
use super::{TOKEN, enter, error, invalid, object, refuse};

/// Gives a token out for a client.
pub async fn token(State(market): State<Shared>, body: Bytes) -> Answer {
    let body = object(&body, &["grant_type", "client_id", "client_secret", "refresh_token"])?;
    if body["grant_type"] != "client_credentials" {
        return Err(invalid("grant_type must be client_credentials"));
    }
    let key = body["client_secret"].as_str().unwrap_or_default();
    let known = holder(key, &market.world()).is_some();
    if !known || body["client_id"].as_str().is_none_or(str::is_empty) {
        return Err(error(
            StatusCode::UNAUTHORIZED,
            "unauthorized_request",
            "Invalid client id or client secret",
        )
        .into());
    }
    Ok(Json(json!({
        "access_token": format!("{TOKEN}{key}"), "refresh_token": "practice-refresh", "expires_in": 3600,
        "scope": "cloud-api-v1", "token_type": "Bearer",
    }))
    .into_response())
}

/// Money left.
pub async fn balance(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let left = dollars(world.balance(caller.account, Service::Verda, now));
    Ok(Json(json!({ "amount": left, "currency": "usd" })).into_response())
}

/// The text that answers something made: its id, and nothing else.
fn made(id: &str) -> Response {
    (StatusCode::CREATED, [(header::CONTENT_TYPE, "text/plain")], id.to_owned()).into_response()
}

/// The account's keys.
pub async fn keys(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Verda);
    let rows: Vec<Value> = theirs
        .map(|k| json!({ "id": k.id, "name": k.name, "key": k.key, "fingerprint": "", "created_at": iso(k.created) }))
        .collect();
    Ok(Json(rows).into_response())
}

/// Another key.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "key"])?;
    let Some(name) = body["name"].as_str().filter(|name| !name.is_empty()) else {
        return Err(invalid("name should not be empty"));
    };
    let key = body["key"].as_str().unwrap_or_default();
    if !is_public_key(key) {
        return Err(refuse(Refusal::SshKey, "", now).into());
    }
    let id = format!("6c7d0000-0000-4000-8000-{:012}", world.number());
    let (name, key) = (name.to_owned(), key.to_owned());
    world.keys.push(StoredKey {
        id: id.clone(),
        account: caller.account,
        service: Service::Verda,
        name,
        key,
        created: now,
    });
    Ok(made(&id))
}

/// The account's first scripts. This market keeps none between two launches.
pub async fn scripts(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(Json(json!([])).into_response())
}

/// Another first script.
pub async fn add_script(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, _, _) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "script"])?;
    if body["name"].as_str().is_none_or(str::is_empty) || body["script"].as_str().is_none_or(str::is_empty) {
        return Err(invalid("name and script should not be empty"));
    }
    Ok(made(&format!("5c000000-0000-4000-8000-{:012}", world.number())))
}

/// The disks of the account.
pub async fn volumes(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let owner = |id: &str| {
        let theirs = world.machines.iter().filter(|m| m.phase != Phase::Gone);
        theirs.filter(|m| m.facts["os_volume_id"] == id).map(|m| m.id.clone()).next()
    };
    let mine = |account: Account| move |v: &&super::super::world::Volume| v.account == account;
    let rows: Vec<Value> = world
        .volumes
        .iter()
        .filter(mine(caller.account))
        .filter(|volume| volume.service == Service::Verda)
        .map(|volume| {
            let holder = owner(&volume.id);
            json!({
                "id": volume.id, "name": volume.name, "size": volume.size, "type": "NVMe",
                "status": if holder.is_some() { "attached" } else { "detached" }, "created_at": iso(volume.created),
                "instance_id": holder, "location": volume.place, "is_os_volume": true, "currency": "usd",
                "monthly_price": (f64::from(volume.size) * disk_price() * 100.0).round() / 100.0,
            })
        })
        .collect();
    Ok(Json(rows).into_response())
}

/// Deleted disks; here they are gone at once.
pub async fn trash(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(Json(json!([])).into_response())
}
