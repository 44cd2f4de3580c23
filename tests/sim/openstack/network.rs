//! Neutron: networks, a router, ports, floating addresses, groups.

use axum::body::Bytes;
use axum::extract::{Path, Query as Asked, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::machine::Phase;
use super::super::world::{Part, World};
use super::super::{Answer, Refused, Shared};
use super::clouds::{Cloud, known};
use super::{Query, enter, filtered, object, page};

/// Ids of what every project has.
const INSIDE: &str = "22220000-0000-4000-8000-000000000001";
const EXTERNAL: &str = "22220000-0000-4000-8000-000000000002";
const ROUTER: &str = "22220000-0000-4000-8000-000000000003";

/// An error as Neutron writes it.
fn error(status: StatusCode, kind: &str, message: &str) -> Refused {
    let body = json!({ "NeutronError": { "type": kind, "message": message, "detail": "" } });
    let response: Response = (status, Json(body)).into_response();
    response.into()
}

fn invalid(message: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, "HTTPBadRequest", message)
}

fn missing(kind: &str, id: &str) -> Refused {
    error(StatusCode::NOT_FOUND, kind, &format!("{id} could not be found"))
}

/// The networks of a region.
pub async fn networks(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    drop(enter(&market, cloud, &headers, false)?);
    let external = if cloud.public_network { "Ext-Net" } else { "external-network" };
    let rows = vec![
        json!({ "id": "22220000-0000-4000-8000-00000000000f", "name": "alone", "router:external": false, "status": "ACTIVE" }),
        json!({ "id": INSIDE, "name": "practice-net", "router:external": false, "status": "ACTIVE" }),
        json!({ "id": EXTERNAL, "name": external, "router:external": true, "status": "ACTIVE" }),
    ];
    Ok(page("networks", filtered(rows, &query), &query))
}

/// The router of a region.
pub async fn routers(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    known(cloud, &region)?;
    drop(enter(&market, cloud, &headers, false)?);
    let rows = vec![
        json!({ "id": ROUTER, "name": "router", "external_gateway_info": { "network_id": EXTERNAL, "enable_snat": true } }),
        json!({ "id": "22220000-0000-4000-8000-00000000000e", "name": "closed", "external_gateway_info": null }),
    ];
    Ok(page("routers", rows, &query))
}

/// The machine on a port.
fn device(world: &World, port: &str) -> String {
    let on = world.machines.iter().find(|m| m.facts["port"] == *port && m.phase != Phase::Gone);
    on.and_then(|machine| machine.id.rsplit_once('_').map(|(_, id)| id.to_owned())).unwrap_or_default()
}

fn parts<'a>(
    world: &'a World,
    cloud: &'a Cloud,
    account: Account,
    (region, kind): (&'a str, &'a str),
) -> impl Iterator<Item = &'a Part> {
    world.parts.iter().filter(move |part| {
        part.service == cloud.service && part.account == account && part.place == region && part.kind == kind
    })
}

/// A port of an account: whether there is a machine on it.
pub fn port(world: &World, cloud: &Cloud, account: Account, (region, id): (&str, &str)) -> Option<bool> {
    let there = parts(world, cloud, account, (region, "port")).any(|part| part.id == id);
    there.then(|| !device(world, id).is_empty())
}

/// The address a port is reached at from outside, if one was bound to it.
pub fn has_address(world: &World, cloud: &Cloud, account: Account, (region, port): (&str, &str)) -> bool {
    parts(world, cloud, account, (region, "floatingip")).any(|part| part.facts["port_id"] == *port)
}

fn shown(world: &World, cloud: &Cloud, part: &Part) -> Value {
    let mut row = part.facts.clone();
    row["id"] = part.id.as_str().into();
    match part.kind.as_str() {
        "port" => {
            let device = device(world, &part.id);
            row["device_owner"] = if device.is_empty() { "" } else { "compute:nova" }.into();
            row["device_id"] = device.into();
        }
        // An address outlives the port it was bound to.
        "floatingip"
            if port(
                world,
                cloud,
                part.account,
                (&part.place, part.facts["port_id"].as_str().unwrap_or_default()),
            )
            .is_none() =>
        {
            row["port_id"] = Value::Null;
        }
        _ => {}
    }
    row
}

async fn listed(
    (market, cloud): (&Shared, &'static Cloud),
    (region, kind, name): (&str, &str, &str),
    query: &Query,
    headers: &HeaderMap,
) -> Answer {
    known(cloud, region)?;
    let (world, caller, _) = enter(market, cloud, headers, false)?;
    let mut rows: Vec<Value> =
        parts(&world, cloud, caller.account, (region, kind)).map(|part| shown(&world, cloud, part)).collect();
    if kind == "port" {
        rows.push(json!({ "id": "22220000-0000-4000-8000-00000000000a", "name": "", "network_id": INSIDE,
                          "device_id": ROUTER, "device_owner": "network:router_interface" }));
    }
    Ok(page(name, filtered(rows, query), query))
}

/// The ports.
pub async fn ports(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    listed((&market, cloud), (&region, "port", "ports"), &query, &headers).await
}

/// The floating addresses.
pub async fn addresses(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    listed((&market, cloud), (&region, "floatingip", "floatingips"), &query, &headers).await
}

/// The groups. Their names are not unique.
pub async fn groups(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    listed((&market, cloud), (&region, "group", "security_groups"), &query, &headers).await
}

fn add(
    world: &mut World,
    cloud: &Cloud,
    account: Account,
    (region, kind): (&str, &str),
    facts: Value,
) -> Value {
    let number = world.number();
    let part = Part {
        id: format!("33330000-0000-4000-8000-{number:012}"),
        account,
        service: cloud.service,
        kind: kind.to_owned(),
        place: region.to_owned(),
        facts,
    };
    let row = shown(world, cloud, &part);
    world.parts.push(part);
    row
}

/// Another port.
pub async fn add_port(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    known(cloud, &region)?;
    let (mut world, caller, _) = enter(&market, cloud, &headers, true)?;
    let body = object(&body, "port", &["name", "network_id", "security_groups"])?;
    let network = body["network_id"].as_str().unwrap_or_default();
    if network != INSIDE && !(cloud.public_network && network == EXTERNAL) {
        return Err(missing("NetworkNotFound", network));
    }
    for group in body["security_groups"].as_array().into_iter().flatten() {
        if !parts(&world, cloud, caller.account, (&region, "group")).any(|part| *group == part.id.as_str()) {
            return Err(missing("SecurityGroupNotFound", &group.to_string()));
        }
    }
    let row = add(&mut world, cloud, caller.account, (&region, "port"), body);
    Ok((StatusCode::CREATED, Json(json!({ "port": row }))).into_response())
}

/// Another floating address, bound to a port at once.
pub async fn add_address(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    known(cloud, &region)?;
    let (mut world, caller, _) = enter(&market, cloud, &headers, true)?;
    let mut body = object(&body, "floatingip", &["floating_network_id", "port_id", "description"])?;
    if body["floating_network_id"] != EXTERNAL || cloud.public_network {
        return Err(invalid("Network is not a valid external network"));
    }
    let to = body["port_id"].as_str().unwrap_or_default().to_owned();
    if port(&world, cloud, caller.account, (&region, &to)).is_none() {
        return Err(missing("PortNotFound", &to));
    }
    body["floating_ip_address"] = "203.0.113.7".into();
    let row = add(&mut world, cloud, caller.account, (&region, "floatingip"), body);
    Ok((StatusCode::CREATED, Json(json!({ "floatingip": row }))).into_response())
}

/// Another group; nothing gets in by it.
pub async fn add_group(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    known(cloud, &region)?;
    let (mut world, caller, _) = enter(&market, cloud, &headers, true)?;
    let mut body = object(&body, "security_group", &["name", "description"])?;
    body["security_group_rules"] = json!([{ "direction": "egress", "ethertype": "IPv4", "protocol": null,
        "port_range_min": null, "port_range_max": null, "remote_ip_prefix": null }]);
    let row = add(&mut world, cloud, caller.account, (&region, "group"), body);
    Ok((StatusCode::CREATED, Json(json!({ "security_group": row }))).into_response())
}

/// Another rule of a group.
pub async fn add_rule(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path(region): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    known(cloud, &region)?;
    let (mut world, caller, _) = enter(&market, cloud, &headers, true)?;
    const FIELDS: [&str; 7] = [
        "security_group_id",
        "direction",
        "ethertype",
        "protocol",
        "port_range_min",
        "port_range_max",
        "remote_ip_prefix",
    ];
    let mut rule = object(&body, "security_group_rule", &FIELDS)?;
    let group = rule["security_group_id"].take();
    let part = world.parts.iter_mut().find(|part| {
        part.account == caller.account
            && part.kind == "group"
            && group == part.id.as_str()
            && part.place == region
    });
    let part = part.ok_or_else(|| missing("SecurityGroupNotFound", &group.to_string()))?;
    let rules = part.facts["security_group_rules"].as_array_mut().ok_or_else(|| invalid("no rules"))?;
    if rules.contains(&rule) {
        return Err(error(
            StatusCode::CONFLICT,
            "SecurityGroupRuleExists",
            "Security group rule already exists.",
        ));
    }
    rules.push(rule.clone());
    Ok((StatusCode::CREATED, Json(json!({ "security_group_rule": rule }))).into_response())
}

fn remove(
    market: &Shared,
    cloud: &'static Cloud,
    headers: &HeaderMap,
    (region, kind, id): (&str, &str, &str),
) -> Answer {
    known(cloud, region)?;
    let (mut world, caller, _) = enter(market, cloud, headers, true)?;
    let found = world.parts.iter().position(|part| {
        part.service == cloud.service && part.account == caller.account && part.kind == kind && part.id == id
    });
    let at = found.ok_or_else(|| missing("NotFound", id))?;
    world.parts.remove(at);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Takes a port away.
pub async fn delete_port(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    remove(&market, cloud, &headers, (&region, "port", &id))
}

/// Gives an address back.
pub async fn delete_address(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    Path((region, id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    remove(&market, cloud, &headers, (&region, "floatingip", &id))
}
