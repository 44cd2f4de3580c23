//! What belongs to the workspace: keys, volumes, clusters.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::machine::Service;
use super::super::refusal::{self, Refusal};
use super::super::world::{StoredKey, Volume};
use super::super::{Answer, Shared};
use super::{done, enter, invalid, missing, object};

fn shown(key: &StoredKey) -> Value {
    json!({ "id": key.id, "name": key.name, "public_key": key.key, "is_default": false })
}

/// The keys, the managed one first.
pub async fn keys(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let managed = json!({
        "id": "00000000-0000-4000-8000-000000000000", "name": "Shadeform Managed Key",
        "public_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7managedbyshadeform managed", "is_default": true,
    });
    let theirs = world.keys.iter().filter(|k| k.account == caller.account && k.service == Service::Shadeform);
    let rows: Vec<Value> = std::iter::once(managed).chain(theirs.map(shown)).collect();
    Ok(Json(json!({ "ssh_keys": rows })).into_response())
}

/// One key.
pub async fn key(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs =
        |k: &&StoredKey| k.account == caller.account && k.service == Service::Shadeform && k.id == id;
    let key = world.keys.iter().find(theirs).ok_or_else(|| missing("ssh key"))?;
    Ok(Json(shown(key)).into_response())
}

/// Another key, under a name nobody has.
pub async fn add_key(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = object(&body, &["name", "public_key"])?;
    let (Some(name), Some(key)) = (body["name"].as_str(), body["public_key"].as_str()) else {
        return Err(invalid("name and public_key are required"));
    };
    if !is_public_key(key) {
        return Err(refusal::of(Service::Shadeform, Refusal::SshKey, "/v1", now).into());
    }
    let same =
        |k: &StoredKey| k.account == caller.account && k.service == Service::Shadeform && k.name == name;
    if world.keys.iter().any(same) {
        return Err(invalid("ssh key name must be unique"));
    }
    let id = format!("78a0dd5a-dbb1-4568-b55c-{:012}", world.number());
    world.keys.push(StoredKey {
        id: id.clone(),
        account: caller.account,
        service: Service::Shadeform,
        name: name.to_owned(),
        key: key.to_owned(),
        created: now,
    });
    Ok(Json(json!({ "id": id })).into_response())
}

/// One key less.
pub async fn remove_key(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, true)?;
    let before = world.keys.len();
    world.keys.retain(|k| !(k.account == caller.account && k.service == Service::Shadeform && k.id == id));
    if world.keys.len() == before { Err(missing("ssh key")) } else { Ok(done()) }
}

/// Volumes, none of them mounted.
pub async fn volumes(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let theirs =
        world.volumes.iter().filter(|v| v.account == caller.account && v.service == Service::Shadeform);
    let row = |volume: &Volume| {
        json!({
            "id": volume.id, "cloud": "denvr", "cloud_assigned_id": "1", "region": volume.place, "name": volume.name,
            "fixed_size": true, "size_in_gb": volume.size, "cost_estimate": "0.1", "supports_multi_mount": false,
            "mounted_by": "",
        })
    };
    let rows: Vec<Value> = theirs.map(row).collect();
    Ok(Json(json!({ "volumes": rows })).into_response())
}

/// What volumes cost: dollars as text, without the leading zero.
pub async fn volume_types(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    let row = json!({
        "cloud": "denvr", "region": "houston-usa-1", "supports_multi_mount": false, "fixed_size": true,
        "price_per_gb_per_hour": ".000097",
    });
    Ok(Json(json!({ "volume_types": [row] })).into_response())
}

/// Clusters: there are none.
pub async fn clusters(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(Json(json!({ "clusters": [] })).into_response())
}

/// Types of clusters: here the availability is one object.
pub async fn cluster_types(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, false)?);
    Ok(Json(json!({ "cluster_types": [] })).into_response())
}
