//! The simulator's own paths, by which it is told what to do.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::fault::Fault;
use super::world::{Pace, Timers};
use super::{Shared, lock};

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/_sim/faults", post(arm).delete(disarm))
        .route("/_sim/prices", post(set_prices))
        .route("/_sim/requests", get(requests))
        .route("/_sim/clock", get(clock).post(set_clock))
        .route("/_sim/pace", post(set_pace))
        .route("/_sim/stock", post(set_stock))
        .route("/_sim/timers", post(set_timers))
        .route("/_sim/machines", get(machines))
        .route("/_sim/machines/{id}", post(befall))
}

async fn arm(State(market): State<Shared>, Json(fault): Json<Fault>) -> Json<Value> {
    lock(&market.faults).push(fault);
    Json(json!({ "armed": lock(&market.faults).len() }))
}

async fn disarm(State(market): State<Shared>) -> Json<Value> {
    lock(&market.faults).clear();
    Json(json!({ "armed": 0 }))
}

async fn set_prices(State(market): State<Shared>, Json(request): Json<Value>) -> Json<Value> {
    if let Some(factor) = request["factor"].as_f64() {
        *lock(&market.factor) = factor;
    }
    Json(json!({ "factor": market.factor() }))
}

async fn requests(State(market): State<Shared>) -> Json<Vec<String>> {
    Json(lock(&market.requests).iter().map(|asked| asked.request.clone()).collect())
}

async fn clock(State(market): State<Shared>) -> Json<Value> {
    Json(json!({ "now": market.clock.date() }))
}

async fn set_clock(State(market): State<Shared>, Json(request): Json<Value>) -> Json<Value> {
    if let Ok(date) = serde_json::from_value(request["set"].clone()) {
        market.clock.set(date);
    }
    if let Some(seconds) = request["advance"].as_f64().filter(|s| s.is_finite() && *s >= 0.0) {
        market.clock.advance(Duration::from_secs_f64(seconds));
    }
    Json(json!({ "now": market.clock.date() }))
}

async fn set_pace(
    State(market): State<Shared>,
    Json(request): Json<Value>,
) -> Result<Json<Pace>, (StatusCode, String)> {
    let mut world = market.world();
    let mut pace = json!(world.pace);
    if let (Some(pace), Some(wanted)) = (pace.as_object_mut(), request.as_object()) {
        pace.extend(wanted.clone());
    }
    world.pace =
        serde_json::from_value(pace).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    Ok(Json(world.pace))
}

async fn set_stock(State(market): State<Shared>, Json(request): Json<Value>) -> Json<Value> {
    let mut world = market.world();
    let names = request["sold_out"].as_array().into_iter().flatten();
    world.sold_out = names.filter_map(|name| name.as_str().map(str::to_owned)).collect();
    Json(json!({ "sold_out": world.sold_out }))
}

async fn set_timers(
    State(market): State<Shared>,
    Json(request): Json<Value>,
) -> Result<Json<Value>, (StatusCode, String)> {
    let timers: Timers = serde_json::from_value(request["timers"].clone())
        .map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    market.world().timers = timers;
    Ok(Json(json!({ "timers": timers })))
}

async fn machines(State(market): State<Shared>) -> Json<Vec<Value>> {
    let world = market.world();
    let now = market.clock.now();
    let rows = world.machines.iter().map(|machine| {
        json!({
            "id": machine.id, "service": machine.service, "account": machine.account, "name": machine.name,
            "phase": machine.phase, "bill_nano": machine.bill(None, now), "spans": machine.spans,
            "created": machine.created, "started": machine.started, "ended": machine.ended, "port": machine.port,
        })
    });
    Json(rows.collect())
}

async fn befall(
    State(market): State<Shared>,
    Path(id): Path<String>,
    Json(what): Json<Value>,
) -> Result<Json<Value>, (StatusCode, String)> {
    let now = market.clock.now();
    market.world().befall(&id, &what, now).map_err(|message| (StatusCode::BAD_REQUEST, message))?;
    Ok(Json(json!({ "done": what["do"] })))
}
