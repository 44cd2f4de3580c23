//! What belongs to the account: its rights and money, keys, and things that stay without a machine.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::account::is_public_key;
use super::super::clock::iso;
use super::super::machine::Service;
use super::super::refusal::Refusal;
use super::super::world::{StoredKey, dollars};
use super::super::{Answer, Shared};
use super::{enter, invalid, object, page, refuse};

/// Who asks, what the key may do, and the money: credit is below zero.
pub async fn account(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let mut rights = vec!["subscriptions_view", "billing"];
    if caller.may_write {
        rights.extend(["subscriptions", "provisioning"]);
    }
    let theirs = world.machines.iter().filter(|m| m.account == caller.account && m.service == Service::Vultr);
    let pending: i64 = theirs.map(|machine| machine.bill(None, now)).sum();
    Ok(Json(json!({ "account": {
        "name": "Practice", "email": caller.account.mail(), "acls": rights, "balance": -dollars(caller.account.paid_in()),
        "pending_charges": dollars(pending), "last_payment_date": "2026-11-01T00:00:00+00:00", "last_payment_amount": -10.0,
    } }))
    .into_response())
}

fn shown(key: &StoredKey) -> Value {
    json!({ "id": key.id, "name": key.name, "ssh_key": key.key, "date_created": iso(key.created) })
}

/// The account's keys.
pub async fn keys(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Vultr);
    Ok(page("ssh_keys", theirs.map(shown).collect(), &query))
}

/// Another key.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "ssh_key"])?;
    let name =
        body["name"].as_str().filter(|name| !name.is_empty()).ok_or_else(|| invalid("name is required"))?;
    let key = body["ssh_key"].as_str().unwrap_or_default();
    if !is_public_key(key) {
        return Err(refuse(Refusal::SshKey, "", now).into());
    }
    let stored = StoredKey {
        id: format!("3b8066a7-b438-455a-9688-{:012}", world.number()),
        account: caller.account,
        service: Service::Vultr,
        name: name.to_owned(),
        key: key.to_owned(),
        created: now,
    };
    let row = shown(&stored);
    world.keys.push(stored);
    Ok((StatusCode::CREATED, Json(json!({ "ssh_key": row }))).into_response())
}

/// Disks; this market sells none.
pub async fn blocks(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(page("blocks", Vec::new(), &query))
}

/// Reserved addresses; this market sells none.
pub async fn reserved(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(page("reserved_ips", Vec::new(), &query))
}

/// Snapshots; this market makes none.
pub async fn snapshots(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(page("snapshots", Vec::new(), &query))
}
