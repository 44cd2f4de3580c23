//! `PUT /asks/{id}/`: an offer becomes an instance, once.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::account::{Account, box_key};
use super::super::clock::Nanos;
use super::super::machine::{Cards, Machine, Rates, Service};
use super::super::refusal::{self, Refusal, vast_error};
use super::super::world::{World, nano};
use super::super::{Answer, Refused, Shared, document, enter};
use super::{MONTH_HOURS, offers};

/// Most characters of a start script.
const ONSTART: usize = 4_048;

/// Rents.
pub async fn rent(
    State(market): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter(&market, &headers, "/api/v0/asks/", true)?;
    let body = document(&body);
    let ask: u64 = id.parse().map_err(|_| gone(StatusCode::NOT_FOUND, 0))?;
    if world.taken.contains(&ask) {
        return Err(gone(StatusCode::GONE, ask).into());
    }
    let disk = body["disk"].as_f64().unwrap_or(8.0);
    let bid = body["price"].as_f64();
    let row = offers(factor, bid.is_some(), disk, &world)
        .into_iter()
        .find(|row| row["id"] == ask)
        .ok_or_else(|| gone(StatusCode::NOT_FOUND, ask))?;
    check(&body, disk, &row)?;
    let per_hour = bid.unwrap_or_else(|| row["dph_base"].as_f64().unwrap_or_default());
    if world.balance(caller.account, Service::Vast, now) < nano(per_hour) {
        return Err(refusal::answer(Refusal::NoFunds, "/api/v0/asks/", now).into());
    }
    let too_low = bid.is_some_and(|bid| bid < row["min_bid"].as_f64().unwrap_or_default());
    let machine = machine(&mut world, caller.account, now, row, body, too_low);
    world.taken.insert(ask);
    let id = world.launch(machine, now);
    let contract: u64 = id.parse().unwrap_or_default();
    if too_low {
        // The instance exists and its disk is billed, although the answer is an error.
        let body = json!({
            "success": false, "error": "invalid_price", "msg": "bid is below the minimum; instance created stopped",
            "ask_id": ask, "new_contract": contract,
        });
        return Ok((StatusCode::BAD_REQUEST, Json(body)).into_response());
    }
    Ok(Json(json!({ "success": true, "new_contract": contract, "instance_api_key": box_key(&id) }))
        .into_response())
}

fn gone(status: StatusCode, ask: u64) -> Response {
    let body = json!({ "success": false, "error": "no_such_ask", "msg": "no such ask", "ask_id": ask });
    (status, Json(body)).into_response()
}

fn check(body: &Value, disk: f64, row: &Value) -> Result<(), Refused> {
    let wrong = |msg: &str| Refused::from(vast_error(StatusCode::BAD_REQUEST, "invalid_args", msg));
    if !body["image"].is_string() && !body["template_hash_id"].is_string() {
        return Err(wrong("image is required"));
    }
    if body["onstart"].as_str().is_some_and(|script| script.chars().count() > ONSTART) {
        return Err(wrong("onstart is longer than 4048 characters"));
    }
    if body["label"].as_str().is_some_and(|label| label.chars().count() > 256) {
        return Err(wrong("label is longer than 256 characters"));
    }
    if disk < 8.0 || disk > row["disk_space"].as_f64().unwrap_or(f64::MAX) {
        return Err(wrong("disk is out of the offered range"));
    }
    if body["price"].as_f64().is_some_and(|price| !(0.001..=128.0).contains(&price)) {
        return Err(vast_error(StatusCode::BAD_REQUEST, "invalid_price", "price is out of range").into());
    }
    Ok(())
}

fn machine(
    world: &mut World,
    account: Account,
    now: Nanos,
    row: Value,
    body: Value,
    too_low: bool,
) -> Machine {
    let number = world.number();
    let disk = body["disk"].as_f64().unwrap_or(8.0);
    let bid = body["price"].as_f64().map(nano);
    let storage = nano(row["storage_cost"].as_f64().unwrap_or_default() * disk / MONTH_HOURS);
    let base = nano(row["dph_base"].as_f64().unwrap_or_default());
    let keys = world
        .keys
        .iter()
        .filter(|key| key.account == account && key.service == Service::Vast)
        .map(|key| key.key.clone())
        .collect();
    let name = row["gpu_name"].as_str().unwrap_or_default();
    Machine {
        id: (20_941_000 + number).to_string(),
        name: body["label"].as_str().map(str::to_owned),
        wanted: !too_low && body["target_state"] != "stopped",
        bid,
        rates: Rates { compute: bid.unwrap_or(base), disk: storage, disk_stopped: storage },
        cards: Cards {
            name: driver_name(name),
            count: row["num_gpus"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(1),
            memory_mib: row["gpu_ram"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
            watts: 450,
        },
        keys,
        disk_gb: (disk, disk),
        request: body,
        facts: row,
        ..Machine::made(Service::Vast, account, number, now)
    }
}

/// A card's name as the driver spells it.
fn driver_name(name: &str) -> String {
    match name {
        "A100 SXM4" => "NVIDIA A100-SXM4-80GB".to_owned(),
        "H100 SXM" => "NVIDIA H100 80GB HBM3".to_owned(),
        "H200" => "NVIDIA H200".to_owned(),
        other => format!("NVIDIA GeForce {other}"),
    }
}
