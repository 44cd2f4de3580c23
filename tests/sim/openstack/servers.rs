//! Nova's servers: create, look, shelve and unshelve, stop and start, delete.

use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::clock::iso;
use super::super::kind::{Kind, named};
use super::super::machine::{Machine, Phase};
use super::super::refusal::Refusal;
use super::super::world::{World, nano};
use super::super::{Answer, Market, Refused, Shared, document};
use super::around::{IMAGES, key_of};
use super::clouds::{Cloud, by_id, id_of, known, specs};
use super::{Query, conflict, enter, invalid, missing, network, object, page, refuse};

/// Fields of a server's making.
const FIELDS: [&str; 12] = [
    "name",
    "flavorRef",
    "imageRef",
    "key_name",
    "networks",
    "metadata",
    "tags",
    "user_data",
    "availability_zone",
    "block_device_mapping_v2",
    "security_groups",
    "description",
];

/// What a GB of disk costs for an hour.
const DISK: f64 = 0.000_1;

/// The id of a machine in the market: ids are a region's own.
fn whole(region: &str, id: &str) -> String {
    format!("{region}_{id}")
}

fn bare(machine: &Machine) -> &str {
    machine.id.rsplit_once('_').map_or(machine.id.as_str(), |(_, id)| id)
}

/// The image and the size of a volume that are asked for.
fn disk(cloud: &Cloud, kind: &Kind, body: &Value) -> Result<Option<u64>, Refused> {
    let volume = &body["block_device_mapping_v2"][0];
    let image = if volume.is_object() { &volume["uuid"] } else { &body["imageRef"] };
    let image = IMAGES
        .iter()
        .find(|(id, ..)| *image == *id)
        .ok_or_else(|| invalid("Can not find requested image"))?;
    if volume.is_null() {
        if cloud.from_volume || kind.disk == 0 {
            return Err(invalid("Only volume-backed servers are allowed for flavors with zero disk."));
        }
        return if u64::from(kind.disk) < image.2 {
            Err(invalid("Flavor's disk is too small for requested image."))
        } else {
            Ok(None)
        };
    }
    let size = volume["volume_size"].as_u64().filter(|gib| *gib >= image.2);
    let rules = volume["source_type"] == "image"
        && volume["destination_type"] == "volume"
        && volume["boot_index"] == 0
        && body["imageRef"].is_null();
    match size.filter(|_| rules) {
        Some(size) => Ok(Some(size)),
        None => Err(invalid("Block Device Mapping is Invalid.")),
    }
}

/// Makes a server. That there is no host for it is told by its status, not here.
pub async fn create(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    known(cloud, &region)?;
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, cloud, &headers, true)?;
    let body = object(&body, "server", &FIELDS)?;
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let kind = by_id(cloud, &region, text("flavorRef"))
        .ok_or_else(|| invalid(&format!("Flavor {} could not be found.", text("flavorRef"))))?;
    let volume = disk(cloud, kind, &body)?;
    let key = key_of(&world, cloud, caller.account, text("key_name"));
    let key = key.ok_or_else(|| invalid("Invalid key_name provided."))?;
    let port = body["networks"][0]["port"].as_str().unwrap_or_default().to_owned();
    match network::port(&world, cloud, caller.account, (&region, &port)) {
        None => return Err(invalid(&format!("Port {port} could not be found."))),
        Some(true) => return Err(conflict(&format!("Port {port} is still in use."))),
        Some(false) => {}
    }
    let version = headers.get("openstack-api-version").and_then(|version| version.to_str().ok());
    if !body["tags"].is_null() && version != Some("compute 2.79") {
        return Err(invalid("Additional properties are not allowed ('tags' was unexpected)"));
    }
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "", now).into());
    }
    let full = !kind.has(cloud.service, &region, &world);
    let spot =
        cloud.spot.is_some_and(|tag| body["tags"].as_array().is_some_and(|tags| tags.contains(&tag.into())));
    let number = world.number();
    let id = whole(&region, &format!("4f0b4b56-0000-4000-8000-{number:012}"));
    let mut machine =
        kind.machine((cloud.service, caller.account), (id.clone(), number), (now, factor), (&region, body));
    machine.keys = vec![key];
    machine.facts["port"] = port.into();
    machine.facts["flavor"] = id_of(kind, &region).into();
    machine.facts["spot"] = spot.into();
    if spot {
        machine.rates.compute = machine.rates.compute * 3 / 10;
    }
    if let Some(gib) = volume {
        machine.facts["volume"] = gib.into();
        machine.disk_gb = (gib as f64, gib as f64);
        machine.rates.disk = nano(gib as f64 * DISK);
    }
    if full {
        machine.rates.compute = 0;
        machine.rates.disk = 0;
    }
    world.launch(machine, now);
    if full && let Some(machine) = world.find(cloud.service, caller.account, &id) {
        machine.says = Some("No valid host was found. ".to_owned());
        machine.enter(Phase::Failed, now);
    }
    let bare = id.rsplit_once('_').map_or("", |(_, id)| id);
    let made = json!({ "server": { "id": bare, "links": [], "adminPass": "hush-of-an-administrator",
                                   "OS-DCF:diskConfig": "MANUAL", "security_groups": [{ "name": "default" }] } });
    Ok((StatusCode::ACCEPTED, Json(made)).into_response())
}

fn status(machine: &Machine) -> (&str, Option<&str>) {
    if let Some(word) = machine.word.as_deref() {
        return (word, None);
    }
    let shelved = machine.facts["shelved"] == true;
    match machine.phase {
        Phase::Made => ("BUILD", Some("scheduling")),
        Phase::Loading if machine.starts == 0 => ("BUILD", Some("spawning")),
        Phase::Loading if shelved => ("SHELVED_OFFLOADED", Some("unshelving")),
        Phase::Loading => ("SHUTOFF", Some("powering-on")),
        Phase::Running | Phase::Offline => ("ACTIVE", None),
        Phase::Stopping if shelved => ("ACTIVE", Some("shelving")),
        Phase::Stopping => ("ACTIVE", Some("powering-off")),
        Phase::Stopped | Phase::Waiting if shelved => ("SHELVED_OFFLOADED", None),
        Phase::Stopped | Phase::Waiting => ("SHUTOFF", None),
        // Taken back.
        Phase::Paused => ("EXPIRED", None),
        Phase::Failed => ("ERROR", None),
        Phase::Ending => ("ACTIVE", Some("deleting")),
        Phase::Gone => ("DELETED", None),
    }
}

fn server(market: &Market, cloud: &Cloud, world: &World, machine: &Machine) -> Value {
    let (status, task) = status(machine);
    let request = &machine.request;
    let region = machine.facts["place"].as_str().unwrap_or_default();
    let kind = named(cloud.kinds, machine.facts["kind"].as_str().unwrap_or_default());
    let flavor = kind.map(|kind| {
        json!({ "original_name": kind.name, "vcpus": kind.vcpus, "ram": kind.memory * 1024, "disk": kind.disk,
                "ephemeral": 0, "swap": 0, "extra_specs": specs(cloud, kind) })
    });
    let mut row = json!({
        "id": bare(machine), "name": request["name"], "status": status, "OS-EXT-STS:task_state": task,
        "OS-EXT-STS:vm_state": "active", "OS-EXT-AZ:availability_zone": "nova", "created": iso(machine.created),
        "OS-SRV-USG:launched_at": null, "addresses": {}, "accessIPv4": "", "accessIPv6": "",
        "metadata": request["metadata"], "tags": if request["tags"].is_null() { json!([]) } else { request["tags"].clone() },
        "flavor": flavor, "image": request["imageRef"].as_str().map_or(json!(""), |id| json!({ "id": id })),
        "key_name": request["key_name"], "locked": false, "tenant_id": "practice", "user_id": "u1", "config_drive": "",
    });
    if let Some(at) = machine.started {
        row["OS-SRV-USG:launched_at"] = iso(at).trim_end_matches('Z').into();
    }
    if machine.phase == Phase::Failed {
        row["fault"] = json!({ "code": 500, "created": iso(machine.created), "message": machine.says });
    }
    if machine.is_up() {
        let (host, port) = market.address_of(machine);
        let one = |addr: &str, kind: &str| json!({ "addr": addr, "version": 4, "OS-EXT-IPS:type": kind });
        row["addresses"] = if cloud.public_network {
            json!({ "Ext-Net": [one(&host, "fixed")] })
        } else {
            let mut all = vec![one("10.20.0.5", "fixed")];
            let on = machine.facts["port"].as_str().unwrap_or_default();
            if network::has_address(world, cloud, machine.account, (region, on)) {
                all.push(one(&host, "floating"));
            }
            json!({ "practice-net": all })
        };
        // Not a field of Nova's: its machines answer at port 22, which a practice market cannot have.
        if machine.port.is_some() {
            row["practice_ssh_port"] = port.into();
        }
    }
    row
}

/// The servers of a region.
pub async fn list(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    let (world, caller, _) = enter(&market, cloud, &headers, false)?;
    // A name is a pattern there, found anywhere.
    let wanted = query.get("name").map(String::as_str).unwrap_or_default();
    let here = world.of(cloud.service, caller.account).filter(|machine| machine.facts["place"] == *region);
    let found = here.filter(|machine| machine.name.as_deref().unwrap_or_default().contains(wanted));
    let rows = found.map(|machine| server(&market, cloud, &world, machine)).collect();
    Ok(page("servers", rows, &query))
}

/// One server.
pub async fn one(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = enter(&market, cloud, &headers, false)?;
    let found = world.find(cloud.service, caller.account, &whole(&region, &id)).cloned();
    let machine = found.ok_or_else(|| missing("Instance", &id))?;
    Ok(Json(json!({ "server": server(&market, cloud, &world, &machine) })).into_response())
}

/// The end.
pub async fn delete(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, now) = enter(&market, cloud, &headers, true)?;
    let here = whole(&region, &id);
    world.find(cloud.service, caller.account, &here).ok_or_else(|| missing("Instance", &id))?;
    world.end(&here, now);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// An action: one key that names it.
pub async fn act(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, cloud, &headers, true)?;
    let body = document(&body);
    let action = body.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.keys().next());
    let action = action.ok_or_else(|| invalid("There is no such action: None"))?.clone();
    let here = whole(&region, &id);
    let machine = world.find(cloud.service, caller.account, &here).ok_or_else(|| missing("Instance", &id))?;
    let shelved = machine.facts["shelved"] == true;
    let allowed = match action.as_str() {
        "shelve" => machine.phase == Phase::Running || (machine.phase == Phase::Stopped && !shelved),
        "os-stop" => machine.phase == Phase::Running,
        "unshelve" => matches!(machine.phase, Phase::Stopped | Phase::Waiting) && shelved,
        "os-start" => (machine.phase == Phase::Stopped && !shelved) || machine.phase == Phase::Paused,
        _ => return Err(invalid(&format!("There is no such action: {action}"))),
    };
    if !allowed {
        let words = format!("Cannot '{action}' instance {id} while it is in vm_state {:?}", machine.phase);
        return Err(conflict(&words));
    }
    match action.as_str() {
        "shelve" => {
            machine.facts["shelved"] = true.into();
            machine.rates.disk_stopped = machine.rates.disk.max(nano(DISK));
            if machine.phase == Phase::Stopped {
                machine.meter(now);
            }
            world.stop(&here, now);
        }
        // The cards are kept, and so is their bill.
        "os-stop" => {
            machine.facts["shelved"] = false.into();
            machine.rates.disk_stopped = machine.rates.compute + machine.rates.disk;
            world.stop(&here, now);
        }
        "os-start" => {
            if machine.phase == Phase::Paused {
                machine.enter(Phase::Stopped, now);
            }
            world.start(&here, now);
        }
        _ => world.start(&here, now),
    }
    Ok(StatusCode::ACCEPTED.into_response())
}

/// What was done with a server: only here it is told that an unshelve found no host.
pub async fn actions(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = enter(&market, cloud, &headers, false)?;
    let found = world.find(cloud.service, caller.account, &whole(&region, &id));
    let machine = found.ok_or_else(|| missing("Instance", &id))?;
    let last = match machine.phase {
        Phase::Waiting => json!({ "action": "unshelve", "message": "Error" }),
        _ => json!({ "action": "shelve", "message": null }),
    };
    Ok(Json(json!({ "instanceActions": [last, { "action": "create", "message": null }] })).into_response())
}
