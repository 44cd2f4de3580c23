//! What stands around servers: quotas, key pairs, images, volumes.

use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::refusal::Refusal;
use super::super::world::{StoredKey, World};
use super::super::{Answer, Shared};
use super::clouds::{Cloud, known};
use super::{Query, conflict, enter, filtered, object, page, refuse};

/// The images, the same in every region: id, name, GiB they need.
pub const IMAGES: [(&str, &str, u64); 4] = [
    ("11110000-0000-4000-8000-000000000001", "Ubuntu 24.04 LTS 64-bit", 5),
    ("11110000-0000-4000-8000-000000000002", "Ubuntu 22.04 LTS Machine Learning 64-bit", 20),
    ("11110000-0000-4000-8000-000000000003", "Debian 12 64-bit", 5),
    ("11110000-0000-4000-8000-000000000004", "Ubuntu 24.04 LTS NVIDIA arm64", 5),
];

/// Used and most.
pub async fn limits(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, cloud, &headers, false)?;
    let used = world.of(cloud.service, caller.account).count();
    let absolute = json!({
        "maxTotalInstances": 200, "totalInstancesUsed": used, "maxTotalCores": -1, "totalCoresUsed": used * 8,
        "maxTotalRAMSize": -1, "totalRAMUsed": 0,
    });
    Ok(Json(json!({ "limits": { "rate": [], "absolute": absolute } })).into_response())
}

/// The key of this name. A user's keys are the same in every region of this market.
pub fn key_of(
    world: &World,
    cloud: &Cloud,
    account: super::super::account::Account,
    name: &str,
) -> Option<String> {
    let mut theirs = world.keys.iter().filter(|key| key.account == account && key.service == cloud.service);
    theirs.find(|key| key.name == name).map(|key| key.key.clone())
}

fn shown(key: &StoredKey) -> Value {
    json!({ "keypair": { "name": key.name, "public_key": key.key, "fingerprint": "aa:bb", "type": "ssh" } })
}

/// The key pairs.
pub async fn keypairs(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, _) = enter(&market, cloud, &headers, false)?;
    let theirs =
        world.keys.iter().filter(|key| key.account == caller.account && key.service == cloud.service);
    Ok(Json(json!({ "keypairs": theirs.map(shown).collect::<Vec<_>>() })).into_response())
}

/// Another one.
pub async fn add_keypair(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, cloud, &headers, true)?;
    let body = object(&body, "keypair", &["name", "public_key", "type"])?;
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let (name, key) = (text("name"), text("public_key"));
    if name.is_empty() || !is_public_key(key) || body["type"] != "ssh" {
        return Err(refuse(Refusal::SshKey, "", now).into());
    }
    if key_of(&world, cloud, caller.account, name).is_some() {
        return Err(conflict(&format!("Key pair '{name}' already exists.")));
    }
    let stored = StoredKey {
        id: format!("{}", world.number()),
        account: caller.account,
        service: cloud.service,
        name: name.to_owned(),
        key: key.to_owned(),
        created: now,
    };
    let row = shown(&stored);
    world.keys.push(stored);
    Ok((StatusCode::CREATED, Json(row)).into_response())
}

/// The images of a region.
pub async fn images(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    drop(enter(&market, cloud, &headers, false)?);
    let rows = IMAGES.iter().map(|(id, name, gib)| {
        let arch = if name.ends_with("arm64") { "aarch64" } else { "x86_64" };
        json!({
            "id": id, "name": name, "status": "active", "visibility": "public", "min_disk": gib, "min_ram": 0,
            "size": 5_000_000_000_u64, "os_hidden": false, "architecture": arch, "created_at": "2026-06-01T00:00:00Z",
            "os_distro": if name.starts_with("Debian") { "debian" } else { "ubuntu" }, "protected": false,
        })
    });
    Ok(page("images", filtered(rows.collect(), &query), &query))
}

/// The volumes of a region: those of servers, which go with them.
pub async fn volumes(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    let (world, caller, _) = enter(&market, cloud, &headers, false)?;
    let here = world.of(cloud.service, caller.account).filter(|machine| machine.facts["place"] == *region);
    let rows = here.filter(|machine| machine.facts["volume"].is_number()).map(|machine| {
        json!({ "id": format!("{}-v", machine.number), "name": "", "size": machine.facts["volume"], "status": "in-use",
                "attachments": [{ "server_id": machine.id }] })
    });
    Ok(page("volumes", rows.collect(), &query))
}

/// Snapshots; this market makes none.
pub async fn snapshots(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    drop(enter(&market, cloud, &headers, false)?);
    Ok(page("snapshots", Vec::new(), &query))
}
