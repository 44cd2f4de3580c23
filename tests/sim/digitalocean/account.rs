//! What belongs to the account: keys, what is owed, volumes.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::clock::SECOND;
use super::super::refusal::Refusal;
use super::super::world::{StoredKey, dollars};
use super::super::{Answer, Shared, lock};
use super::{Query, SERVICE, let_in, object, page, refuse, unprocessable};

/// How often the list of keys may be asked for in a minute.
const KEY_LISTS: usize = 10;

/// Who it is.
pub async fn account(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (_world, caller, _) = let_in(&market, &headers, false)?;
    let account = json!({
        "email": caller.account.mail(), "name": "Practice", "uuid": format!("{:032}", caller.account.number()),
        "status": "active", "status_message": "", "droplet_limit": 25, "floating_ip_limit": 5, "email_verified": true,
    });
    Ok(Json(json!({ "account": account })).into_response())
}

fn shown(key: &StoredKey) -> Value {
    json!({ "id": key.id.parse::<u64>().unwrap_or_default(), "name": key.name, "public_key": key.key, "fingerprint": "3b:16:e4" })
}

/// The account's keys, of which the list may be asked for ten times a minute.
pub async fn keys(State(market): State<Shared>, Asked(query): Asked<Query>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = let_in(&market, &headers, false)?;
    let asked = lock(&market.requests)
        .iter()
        .filter(|one| {
            one.service == SERVICE && one.at > now - 60 * SECOND && one.request == "GET /v2/account/keys"
        })
        .count();
    if asked > KEY_LISTS {
        return Err(refuse(Refusal::TooMany, "/v2", now).into());
    }
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == SERVICE);
    page("ssh_keys", theirs.map(shown).collect(), &query)
}

/// Another key.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let body = object(&body, &["name", "public_key"])?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (name, key) = (text("name"), text("public_key"));
    if !is_public_key(&key) || name.is_empty() {
        return Err(refuse(Refusal::SshKey, "/v2", now).into());
    }
    if world.keys.iter().any(|k| k.account == caller.account && k.service == SERVICE && k.key == key) {
        return Err(unprocessable("SSH Key is already in use on your account"));
    }
    let id = (512_000 + world.number()).to_string();
    let stored = StoredKey { id, account: caller.account, service: SERVICE, name, key, created: now };
    let row = shown(&stored);
    world.keys.push(stored);
    Ok((StatusCode::CREATED, Json(json!({ "ssh_key": row }))).into_response())
}

/// What is owed, as texts.
pub async fn balance(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = let_in(&market, &headers, false)?;
    let theirs = world.machines.iter().filter(|m| m.service == SERVICE && m.account == caller.account);
    let used = dollars(theirs.map(|m| m.bill(None, now)).sum());
    Ok(Json(json!({
        "month_to_date_balance": format!("{used:.2}"), "account_balance": "0.00",
        "month_to_date_usage": format!("{used:.2}"), "generated_at": "2026-11-30T08:00:00Z",
    }))
    .into_response())
}

/// Volumes.
pub async fn volumes(State(market): State<Shared>, Asked(query): Asked<Query>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let rows = world
        .volumes
        .iter()
        .filter(|v| v.account == caller.account && v.service == SERVICE)
        .map(|v| json!({ "id": v.id, "name": v.name, "size_gigabytes": v.size, "droplet_ids": [], "region": { "slug": v.place } }))
        .collect();
    page("volumes", rows, &query)
}

/// Snapshots: none are ever made here.
pub async fn snapshots(
    State(market): State<Shared>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    drop(let_in(&market, &headers, false)?);
    page("snapshots", Vec::new(), &query)
}

/// Reserved addresses: none are ever made here.
pub async fn reserved(
    State(market): State<Shared>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    drop(let_in(&market, &headers, false)?);
    page("reserved_ips", Vec::new(), &query)
}
