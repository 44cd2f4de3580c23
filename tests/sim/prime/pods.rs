//! Pods: create, look, delete. No stop is public.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, iso};
use super::super::machine::{Cards, Machine, Phase, Rates, Service};
use super::super::refusal::{self, Refusal};
use super::super::world::{World, dollars, nano};
use super::super::{Answer, Market, Refused, Shared, document};
use super::offers::{IMAGES, ROWS, Row, has, per_hour, security};
use super::{Window, detail, enter, missing, unprocessable, window};

/// Fields of the pod of an order; no other is taken.
const FIELDS: [&str; 18] = [
    "name",
    "cloudId",
    "gpuType",
    "socket",
    "gpuCount",
    "diskSize",
    "vcpus",
    "memory",
    "maxPrice",
    "image",
    "customTemplateId",
    "dataCenterId",
    "country",
    "security",
    "envVars",
    "sshKeyId",
    "autoRestart",
    "prepaidForHr",
];

/// Makes a pod.
pub async fn create(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    let body = document(&body);
    let pod = &body["pod"];
    let row = checked(&body)?;
    let keys = match pod["sshKeyId"].as_str() {
        // The supplier's own key, with which nobody can log in.
        None => Vec::new(),
        Some(id) => {
            let theirs = |k: &&super::super::world::StoredKey| {
                k.account == caller.account && k.service == Service::Prime && k.id == id
            };
            vec![world.keys.iter().find(theirs).map(|k| k.key.clone()).ok_or_else(|| missing("SSH key"))?]
        }
    };
    let disk = row.disk.map_or(0.0, |(usual, _, _)| pod["diskSize"].as_f64().unwrap_or_else(|| usual.into()));
    let rate = per_hour(row, factor, disk);
    let refuse = |why| Refused::from(refusal::of(Service::Prime, why, "/api/v1/pods/", now));
    if pod["maxPrice"].as_f64().is_some_and(|most| most + 1e-9 < rate) {
        return Err(detail(StatusCode::BAD_REQUEST, "The price is above max_price").into());
    }
    if world.balance(caller.account, Service::Prime, now) < nano(rate) {
        return Err(refuse(Refusal::NoFunds));
    }
    if !has(row, &world) {
        return Err(refuse(Refusal::NoCapacity));
    }
    let machine = machine(&mut world, caller.account, now, (row, rate, disk), body.clone(), keys);
    let id = world.launch(machine, now);
    let made = world.find(Service::Prime, caller.account, &id).ok_or_else(|| missing("Pod"))?;
    Ok(Json(pod_of(&market, made)).into_response())
}

fn checked(body: &Value) -> Result<&'static Row, Refused> {
    let pod = body["pod"].as_object().ok_or_else(|| unprocessable("pod", "field required"))?;
    if let Some(unknown) = pod.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(unprocessable(&format!("pod.{unknown}"), "extra fields not permitted"));
    }
    let pod = &body["pod"];
    for name in ["cloudId", "gpuType", "socket"] {
        pod[name].as_str().ok_or_else(|| unprocessable(&format!("pod.{name}"), "field required"))?;
    }
    for name in ["diskSize", "vcpus", "memory"] {
        if pod.get(name).is_some_and(|size| size.as_u64().is_none_or(|size| size == 0)) {
            return Err(unprocessable(&format!("pod.{name}"), "must be greater than 0"));
        }
    }
    if pod.get("maxPrice").is_some_and(|price| !price.is_number()) {
        return Err(detail(StatusCode::BAD_REQUEST, "Missing field: max_price").into());
    }
    let named = |name: &str| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && name.contains(|c: char| c.is_ascii_alphabetic())
    };
    if pod["name"].as_str().is_some_and(|name| !named(name)) {
        return Err(unprocessable("pod.name", "letters, digits and dashes only"));
    }
    if pod["image"].as_str().is_some_and(|image| !IMAGES.contains(&image)) {
        return Err(unprocessable("pod.image", "not available for this configuration"));
    }
    let supplier = body["provider"]["type"].as_str();
    let supplier = supplier.ok_or_else(|| unprocessable("provider.type", "field required"))?;
    let same = |row: &&Row| {
        row.supplier == supplier
            && pod["cloudId"] == row.id
            && pod["gpuType"] == row.gpu
            && pod["socket"] == row.socket
            && pod["gpuCount"] == row.count
            && pod.get("dataCenterId").and_then(Value::as_str) == row.center
            && pod.get("security").is_none_or(|word| *word == security(row))
    };
    let row = ROWS.iter().find(same).ok_or_else(|| missing("Configuration"))?;
    if row.prepaid.is_some() && !pod["prepaidForHr"].is_number() {
        return Err(unprocessable("pod.prepaidForHr", "field required"));
    }
    if row.disk.is_none() && pod.get("diskSize").is_some() {
        return Err(unprocessable("pod.diskSize", "cannot be chosen here"));
    }
    Ok(row)
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    (row, rate, disk): (&Row, f64, f64),
    body: Value,
    keys: Vec<String>,
) -> Machine {
    let number = world.number();
    Machine {
        id: format!("7c1f0b6e4d2a49f58e13{number:012}"),
        name: body["pod"]["name"].as_str().map(str::to_owned),
        rates: Rates { compute: nano(rate), disk: 0, disk_stopped: 0 },
        cards: Cards {
            name: row.driver.0.to_owned(),
            count: row.count,
            memory_mib: row.driver.1,
            watts: 400,
        },
        keys,
        disk_gb: (disk, 0.0),
        facts: json!({
            "supplier": row.supplier, "cloudId": row.id, "gpuType": row.gpu, "socket": row.socket, "gpuCount": row.count,
            "isSpot": row.spot, "vcpus": row.vcpus, "memory": row.ram,
        }),
        request: body,
        ..Machine::made(Service::Prime, account, number, now)
    }
}

/// Status, status of the installation, its progress.
fn words(machine: &Machine) -> (&str, Option<&'static str>, Option<u32>) {
    let told = match machine.phase {
        Phase::Made => ("PROVISIONING", Some("PENDING"), None),
        Phase::Loading => ("ACTIVE", Some("ACTIVE"), Some(40)),
        Phase::Running | Phase::Stopping => ("ACTIVE", Some("FINISHED"), Some(100)),
        Phase::Failed => ("ACTIVE", Some("ERROR"), Some(40)),
        Phase::Stopped | Phase::Paused | Phase::Waiting => ("STOPPED", None, None),
        Phase::Offline => ("UNKNOWN", None, None),
        Phase::Ending => ("DELETING", None, None),
        Phase::Gone => ("TERMINATED", None, None),
    };
    match &machine.word {
        Some(word) => (word, told.1, told.2),
        None => told,
    }
}

fn pod_of(market: &Market, machine: &Machine) -> Value {
    let facts = &machine.facts;
    let (status, installation, progress) = words(machine);
    let (host, port) = market.address_of(machine);
    let up = machine.is_up();
    json!({
        "id": machine.id, "userId": format!("user-{}", machine.account.number()), "teamId": machine.request["team"]["teamId"],
        "walletId": "wallet-1", "name": machine.name, "type": "HOSTED", "providerType": facts["supplier"], "status": status,
        "installationStatus": installation, "installationFailure": machine.says, "installationProgress": progress,
        "createdAt": iso(machine.created), "updatedAt": iso(machine.created), "terminatedAt": machine.ended.map(iso),
        "gpuName": facts["gpuType"], "gpuCount": facts["gpuCount"], "socket": facts["socket"],
        "priceHr": dollars(machine.rates.compute), "stoppedPriceHr": 0.0, "provisioningPriceHr": 0.0,
        "environmentType": machine.request["pod"]["image"], "customTemplateId": null, "clusterId": null,
        // A list around nothing stands for nothing until there is a way in.
        "sshConnection": if up { json!(format!("root@{host} -p {port}")) } else { json!([null]) },
        "ip": if up { json!(host) } else { json!([null]) },
        "primePortMapping": if up {
            json!([{ "internal": "22", "external": port.to_string(), "protocol": "TCP", "usedBy": "SSH", "description": null }])
        } else {
            json!([])
        },
        "resources": {
            "memory": facts["memory"], "disk": (machine.disk_gb.0 > 0.0).then_some(machine.disk_gb.0), "shared_disk": null,
            "vcpus": facts["vcpus"],
        },
        "attachedResources": [], "isSpot": facts["isSpot"], "autoRestart": false,
    })
}

/// A page of pods.
pub async fn list(State(market): State<Shared>, Query(part): Query<Window>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, false)?;
    let rows = world.of(Service::Prime, caller.account).map(|machine| pod_of(&market, machine)).collect();
    Ok(window(rows, &part))
}

/// One pod.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, false)?;
    let machine = world.find(Service::Prime, caller.account, &id).ok_or_else(|| missing("Pod"))?;
    Ok(Json(pod_of(&market, machine)).into_response())
}

/// The statuses of the pods that are named, one `pod_ids` each.
pub async fn status(State(market): State<Shared>, RawQuery(query): RawQuery, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter(&market, &headers, false)?;
    let query = query.unwrap_or_default();
    let ids = query.split('&').filter_map(|part| part.strip_prefix("pod_ids="));
    let mut rows = Vec::new();
    for id in ids {
        let Some(machine) = world.find(Service::Prime, caller.account, id) else { continue };
        let mut row = pod_of(&market, machine);
        row["podId"] = row["id"].clone();
        rows.push(row);
    }
    Ok(Json(json!({ "data": if rows.is_empty() { Value::Null } else { rows.into() } })).into_response())
}

/// The end.
pub async fn delete(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, true)?;
    world.find(Service::Prime, caller.account, &id).ok_or_else(|| missing("Pod"))?;
    world.end(&id, now);
    Ok(Json(json!({ "status": "DELETING" })).into_response())
}

/// What was billed for each pod, the newest first.
pub async fn history(State(market): State<Shared>, Query(part): Query<Window>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let theirs = world.machines.iter().filter(|m| m.service == Service::Prime && m.account == caller.account);
    let rows = theirs
        .rev()
        .map(|machine| {
            let facts = &machine.facts;
            json!({
                "id": machine.id, "name": machine.name, "providerType": facts["supplier"], "provisionedBy": caller.account.mail(),
                "type": "Instance", "createdAt": iso(machine.created), "terminatedAt": machine.ended.map(iso),
                "gpuName": facts["gpuType"], "gpuCount": facts["gpuCount"], "socket": facts["socket"],
                "priceHr": dollars(machine.rates.compute), "userId": format!("user-{}", machine.account.number()),
                "teamId": null, "totalBilledPrice": dollars(machine.bill(None, now)),
            })
        })
        .collect();
    Ok(window(rows, &part))
}
