//! Droplets: create, look, act, destroy.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::iso;
use super::super::kind::{Kind, named};
use super::super::machine::{Machine, Phase};
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::{Answer, Market, Refused, Shared};
use super::sizes::{KINDS, gpu_info, shown};
use super::{Query, SERVICE, error, let_in, missing, object, page, refuse, unprocessable};

/// Fields of the making of one Droplet.
const FIELDS: [&str; 14] = [
    "name",
    "region",
    "size",
    "image",
    "ssh_keys",
    "backups",
    "backup_policy",
    "ipv6",
    "monitoring",
    "tags",
    "user_data",
    "volumes",
    "vpc_uuid",
    "with_droplet_agent",
];

fn tag_fits(tag: &Value) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_');
    tag.as_str().is_some_and(|tag| (1..=255).contains(&tag.len()) && tag.chars().all(allowed))
}

fn checked<'a>(
    body: &Map<String, Value>,
    world: &World,
    account: Account,
) -> Result<(&'a Kind, String, Vec<String>), Refused> {
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let name = text("name");
    if name.is_empty() || name.len() > 255 || !name.chars().all(plain) {
        return Err(unprocessable("Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)"));
    }
    let Some(kind) = named(&KINDS, text("size")) else {
        return Err(unprocessable("You specified an invalid size for Droplet creation."));
    };
    if body.get("image").is_none_or(|image| !image.is_string() && !image.is_u64()) {
        return Err(unprocessable("You specified an invalid image for Droplet creation."));
    }
    if text("user_data").len() > 64 * 1024 {
        return Err(unprocessable("user_data must be at most 64 KiB"));
    }
    if !body.get("tags").and_then(Value::as_array).into_iter().flatten().all(tag_fits) {
        return Err(unprocessable("Tags may only contain letters, numbers, colons, dashes and underscores"));
    }
    let mut keys = Vec::new();
    for wanted in body.get("ssh_keys").and_then(Value::as_array).into_iter().flatten() {
        let stored = world.keys.iter().find(|k| {
            k.account == account
                && k.service == SERVICE
                && wanted.as_u64().is_some_and(|id| k.id == id.to_string())
        });
        let Some(stored) = stored else {
            return Err(unprocessable("invalid key identifiers for Droplet creation."));
        };
        keys.push(stored.key.clone());
    }
    // Without a region it is made in any of those that have it.
    let place = match text("region") {
        "" => kind
            .places
            .iter()
            .map(|(place, _)| *place)
            .find(|place| kind.has(SERVICE, place, world))
            .unwrap_or(""),
        place => place,
    };
    Ok((kind, place.to_owned(), keys))
}

/// Makes a Droplet: accepted, not done.
pub async fn create(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let body = object(&body, &FIELDS)?;
    let (kind, place, keys) = checked(&body, &world, caller.account)?;
    if caller.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds, "/v2", now).into());
    }
    if !kind.has(SERVICE, &place, &world) {
        return Err(refuse(Refusal::NoCapacity, "/v2", now).into());
    }
    let number = world.number();
    let id = (448_000_000 + number).to_string();
    let mut machine = kind.machine(
        (SERVICE, caller.account),
        (id.clone(), number),
        (now, factor),
        (&place, Value::Object(body)),
    );
    machine.keys = keys;
    machine.facts["actions"] =
        json!([{ "id": u64::from(number) * 100, "type": "create", "status": "completed" }]);
    world.launch(machine, now);
    let row =
        world.find(SERVICE, caller.account, &id).map(|machine| droplet(&market, machine)).unwrap_or_default();
    let links = json!({ "actions": [{ "id": u64::from(number) * 100, "rel": "create", "href": "https://api.digitalocean.com/v2/actions/1" }] });
    Ok((StatusCode::ACCEPTED, Json(json!({ "droplet": row, "links": links }))).into_response())
}

fn is_busy(machine: &Machine) -> bool {
    matches!(machine.phase, Phase::Made | Phase::Loading | Phase::Stopping)
}

fn droplet(market: &Market, machine: &Machine) -> Value {
    let status = match machine.phase {
        // A start of one that was off keeps the word until it is up.
        Phase::Made | Phase::Loading if machine.starts == 0 => "new",
        Phase::Stopped | Phase::Waiting | Phase::Paused | Phase::Made | Phase::Loading => "off",
        _ => "active",
    };
    let kind = named(&KINDS, machine.facts["kind"].as_str().unwrap_or_default());
    let size = kind.map(|kind| shown(kind, market.factor(), &[])).unwrap_or_default();
    let (host, port) = market.address_of(machine);
    // The private address stands first; a fresh machine has none at all.
    let networks = if machine.starts == 0 && !machine.is_up() {
        json!({ "v4": [], "v6": [] })
    } else {
        json!({ "v4": [
            { "ip_address": "10.128.192.124", "netmask": "255.255.0.0", "gateway": "nil", "type": "private" },
            { "ip_address": host, "netmask": "255.255.255.0", "gateway": "203.0.113.1", "type": "public" },
        ], "v6": [] })
    };
    let mut row = json!({
        "id": machine.id.parse::<u64>().unwrap_or_default(), "name": machine.name, "status": machine.word.as_deref().unwrap_or(status),
        "locked": is_busy(machine), "created_at": iso(machine.created), "features": ["monitoring"], "backup_ids": [],
        "snapshot_ids": [], "volume_ids": [], "networks": networks, "vpc_uuid": "760e09ef-dc84-11e8-981e-3cfdfeaae000",
        "region": { "slug": machine.facts["place"], "name": machine.facts["place"], "available": true, "features": [], "sizes": [] },
        "image": { "slug": machine.request["image"] }, "size_slug": machine.facts["kind"], "size": size,
        "memory": size["memory"], "vcpus": size["vcpus"], "disk": size["disk"],
        "tags": machine.request.get("tags").cloned().unwrap_or_else(|| json!([])),
    });
    if let Some(kind) = kind.filter(|kind| kind.cards > 0) {
        row["gpu_info"] = gpu_info(kind);
    }
    // Not a field of DigitalOcean's: its machines answer at port 22, which a practice market cannot have.
    if machine.port.is_some() {
        row["practice_ssh_port"] = port.into();
    }
    row
}

/// Droplets: only those without cards unless others are asked for.
pub async fn list(State(market): State<Shared>, Asked(query): Asked<Query>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let (tag, kind) = (query.get("tag_name"), query.get("type").map(String::as_str));
    if tag.is_some() && kind.is_some() {
        return Err(
            error(StatusCode::BAD_REQUEST, "bad_request", "type cannot be combined with tag_name").into()
        );
    }
    let wanted = |machine: &&Machine| match (tag, kind) {
        (Some(tag), _) => machine.request["tags"].as_array().into_iter().flatten().any(|one| one == tag),
        (None, kind) => (machine.cards.count > 0) == (kind == Some("gpus")),
    };
    let rows = world
        .of(SERVICE, caller.account)
        .filter(|machine| machine.phase != Phase::Ending)
        .filter(wanted)
        .map(|machine| droplet(&market, machine))
        .collect();
    page("droplets", rows, &query)
}

fn found<'a>(world: &'a mut World, account: Account, id: &str) -> Result<&'a mut Machine, Refused> {
    world.find(SERVICE, account, id).filter(|machine| machine.phase != Phase::Ending).ok_or_else(missing)
}

/// One Droplet.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, false)?;
    let machine = found(&mut world, caller.account, &id)?;
    Ok(Json(json!({ "droplet": droplet(&market, machine) })).into_response())
}

/// The end: nothing is answered, and from then on there is no such Droplet.
pub async fn destroy(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    found(&mut world, caller.account, &id)?;
    world.end(&id, now);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// What was done with a Droplet.
pub async fn actions(
    State(market): State<Shared>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, false)?;
    let machine = found(&mut world, caller.account, &id)?;
    let mut rows = machine.facts["actions"].as_array().cloned().unwrap_or_default();
    rows.reverse();
    page("actions", rows, &query)
}

/// Power.
pub async fn act(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let body = object(&body, &["type", "name"])?;
    let kind = body.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let machine = found(&mut world, caller.account, &id)?;
    if is_busy(machine) {
        return Err(unprocessable("Droplet already has a pending event."));
    }
    let off = matches!(machine.phase, Phase::Stopped | Phase::Waiting);
    match (kind.as_str(), off) {
        ("shutdown" | "power_off", true) => return Err(unprocessable("Droplet is already powered off.")),
        ("power_on", false) => return Err(unprocessable("Droplet is already powered on.")),
        ("shutdown" | "power_off" | "power_on" | "reboot" | "power_cycle", _) => {}
        _ => return Err(unprocessable("The action type is not known")),
    }
    let done = machine.facts["actions"].as_array().map_or(0, Vec::len) as u64;
    let action = json!({
        "id": u64::from(machine.number) * 100 + done, "type": kind, "status": "in-progress", "resource_type": "droplet",
    });
    let mut kept = action.clone();
    kept["status"] = "completed".into();
    if let Some(actions) = machine.facts["actions"].as_array_mut() {
        actions.push(kept);
    }
    match kind.as_str() {
        "shutdown" | "power_off" => world.stop(&id, now),
        "power_on" => world.start(&id, now),
        _ => world.restart(&id, now),
    }
    Ok((StatusCode::CREATED, Json(json!({ "action": action }))).into_response())
}
