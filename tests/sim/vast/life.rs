//! Instances: look, list, stop, start, bid, end.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::super::clock::Nanos;
use super::super::machine::{Phase, Service};
use super::super::refusal::vast_error;
use super::super::world::nano;
use super::super::{Answer, Refused, Shared, document, enter};
use super::matches_only;
use super::show::instance;

/// Rows of a page.
const PAGE: usize = 25;

fn missing() -> Refused {
    vast_error(StatusCode::NOT_FOUND, "no_such_instance", "Instance not found").into()
}

fn done() -> Response {
    Json(json!({ "success": true })).into_response()
}

/// One instance; `null` when it is gone.
pub async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", false)?;
    let row = world.find(Service::Vast, caller.account, &id).map(|machine| instance(&market, machine, now));
    Ok(Json(json!({ "instances": row })).into_response())
}

/// All instances in one answer, the older way.
pub async fn all(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, "/api/v0/", false)?;
    let rows: Vec<Value> =
        world.of(Service::Vast, caller.account).map(|machine| instance(&market, machine, now)).collect();
    Ok(Json(json!({ "success": true, "instances": rows })).into_response())
}

/// A page of instances.
pub async fn page(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, "/api/v0/", false)?;
    let filters = text_of(&query, "select_filters");
    let after: u64 = text(&query, "after_token").and_then(|token| token.parse().ok()).unwrap_or(0);
    let limit = text(&query, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(PAGE).min(PAGE);
    let mut labels: Map<String, Value> = Map::new();
    let mut rows: Vec<Value> = world
        .of(Service::Vast, caller.account)
        .inspect(|machine| {
            let label = machine.name.clone().unwrap_or_default();
            let count = labels.get(&label).and_then(Value::as_u64).unwrap_or(0);
            labels.insert(label, (count + 1).into());
        })
        .map(|machine| instance(&market, machine, now))
        .filter(|row| matches_only(row, &filters))
        .collect();
    let total = rows.len();
    rows.retain(|row| row["id"].as_u64().is_some_and(|id| id > after));
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row["id"].to_string());
    Ok(Json(json!({
        "success": true, "instances_found": rows.len(), "total_instances": total, "label_counts": labels,
        "next_token": next, "instances": rows,
    }))
    .into_response())
}

/// A parameter of the query as text.
pub fn text<'a>(query: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    query.get(name).and_then(Value::as_str)
}

/// A parameter of the query that is JSON itself.
pub fn text_of(query: &Map<String, Value>, name: &str) -> Value {
    text(query, name).and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
}

/// Stop, start, a new label.
pub async fn change(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", true)?;
    let body = document(&body);
    let found = world.find(Service::Vast, caller.account, &id).filter(|m| caller.may_touch(&m.id));
    let machine = found.ok_or_else(missing)?;
    if let Some(label) = body["label"].as_str() {
        machine.name = Some(label.to_owned());
    }
    let low = machine.bid.is_some_and(|bid| bid < min_bid(&machine.facts));
    match body["state"].as_str() {
        Some("stopped") => world.stop(&id, now),
        // A bid under the market goes on waiting.
        Some("running") if low => {}
        Some("running") => world.start(&id, now),
        Some(other) => {
            return Err(vast_error(
                StatusCode::BAD_REQUEST,
                "invalid_args",
                &format!("invalid state {other}"),
            )
            .into());
        }
        None => {}
    }
    Ok(done())
}

fn min_bid(facts: &Value) -> i64 {
    nano(facts["min_bid"].as_f64().unwrap_or_default())
}

/// The end.
pub async fn destroy(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", true)?;
    let found = world.find(Service::Vast, caller.account, &id).filter(|m| caller.may_touch(&m.id));
    found.ok_or_else(missing)?;
    world.end(&id, now);
    Ok(Json(json!({ "success": true, "msg": "Instance destroyed successfully." })).into_response())
}

/// Another bid: the machine goes on, or is paused, by it.
pub async fn bid(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", true)?;
    let price = document(&body)["price"].as_f64().filter(|price| (0.001..=32.0).contains(price));
    let Some(price) = price else {
        return Err(vast_error(StatusCode::BAD_REQUEST, "invalid_args", "price is out of range").into());
    };
    let machine = world.find(Service::Vast, caller.account, &id).ok_or_else(missing)?;
    rebid(machine, nano(price), now);
    Ok(done())
}

fn rebid(machine: &mut super::super::machine::Machine, price: i64, now: Nanos) {
    machine.bid = Some(price);
    machine.rates.compute = price;
    let enough = price >= min_bid(&machine.facts);
    match machine.phase {
        Phase::Running if !enough => machine.enter(Phase::Paused, now),
        Phase::Paused | Phase::Stopped if enough => {
            machine.wanted = true;
            machine.enter(Phase::Running, now);
        }
        _ => machine.meter(now),
    }
}

/// The container starts anew, the cards stay.
pub async fn reboot(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/", true)?;
    world.find(Service::Vast, caller.account, &id).ok_or_else(missing)?;
    world.restart(&id, now);
    Ok(done())
}
