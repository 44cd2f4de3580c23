//! Block volumes, which outlive their servers, and addresses.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::machine::{Machine, Phase};
use super::super::world::{Volume, World};
use super::super::{Answer, Shared};
use super::{Query, SERVICE, error, let_in, missing, object};

/// The machine a volume was made with.
fn maker<'a>(world: &'a World, volume: &Volume) -> Option<&'a Machine> {
    world.machines.iter().find(|m| m.service == SERVICE && m.facts["disk"] == volume.id.as_str())
}

fn is_held(world: &World, volume: &Volume) -> bool {
    maker(world, volume).is_some_and(|machine| machine.phase != Phase::Gone)
}

fn tags(world: &World, volume: &Volume) -> Value {
    let tags = maker(world, volume).map(|machine| machine.facts["disk_tags"].clone());
    tags.filter(Value::is_array).unwrap_or_else(|| json!([]))
}

fn shown(world: &World, volume: &Volume) -> Value {
    let references =
        if is_held(world, volume) { json!([{ "id": "r-1", "status": "attached" }]) } else { json!([]) };
    json!({
        "id": volume.id, "name": volume.name, "size": u64::from(volume.size) * 1_000_000_000, "type": "sbs_5k",
        "zone": volume.place, "tags": tags(world, volume), "references": references, "status": "available",
    })
}

/// The volumes of a zone.
pub async fn list(
    State(market): State<Shared>,
    Path(zone): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let tagged = |volume: &&Volume| {
        query
            .get("tags")
            .is_none_or(|tag| tags(&world, volume).as_array().into_iter().flatten().any(|t| t == tag))
    };
    let rows: Vec<Value> = world
        .volumes
        .iter()
        .filter(|v| v.account == caller.account && v.service == SERVICE && v.place == zone)
        .filter(tagged)
        .map(|volume| shown(&world, volume))
        .collect();
    let total = rows.len();
    let page = query.get("page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).max(1);
    let each = query.get("page_size").and_then(|size| size.parse::<usize>().ok()).unwrap_or(50).clamp(1, 100);
    let rows: Vec<Value> = rows.into_iter().skip((page - 1) * each).take(each).collect();
    Ok(Json(json!({ "volumes": rows, "total_count": total })).into_response())
}

/// Name and tags of a volume.
pub async fn change(
    State(market): State<Shared>,
    Path((_zone, id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, true)?;
    let body = object(&body, &["name", "size", "tags", "perf_iops"])?;
    let mine = |v: &&Volume| v.account == caller.account && v.service == SERVICE && v.id == id;
    let Some(volume) = world.volumes.iter().find(mine).cloned() else { return Err(missing("volume", &id)) };
    if let (Some(tags), Some(machine)) = (
        body.get("tags"),
        world.machines.iter_mut().find(|m| m.service == SERVICE && m.facts["disk"] == id.as_str()),
    ) {
        machine.facts["disk_tags"] = tags.clone();
    }
    Ok(Json(shown(&world, &volume)).into_response())
}

/// Deletes a volume that nothing holds.
pub async fn delete(
    State(market): State<Shared>,
    Path((_zone, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, true)?;
    let mine = |v: &Volume| v.account == caller.account && v.service == SERVICE && v.id == id;
    let Some(volume) = world.volumes.iter().find(|v| mine(v)) else { return Err(missing("volume", &id)) };
    if is_held(&world, volume) {
        let more = json!({ "precondition": "resource_not_usable", "message": "the volume is in use" });
        return Err(error(StatusCode::PRECONDITION_FAILED, "precondition_failed", more).into());
    }
    world.volumes.retain(|volume| !mine(volume));
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Addresses: those of machines go with them, and no others are made here.
pub async fn ips(State(market): State<Shared>, Path(_zone): Path<String>, headers: HeaderMap) -> Answer {
    drop(let_in(&market, &headers, false)?);
    Ok(([("x-total-count", "0")], Json(json!({ "ips": [] }))).into_response())
}
