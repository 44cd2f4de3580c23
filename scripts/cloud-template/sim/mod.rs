//! __Title__ as the practice market plays it. REPLACE the made-up paths and shapes by those of the vendor's description,
//! its odd answers included.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::account::is_public_key;
use super::clock::Nanos;
use super::machine::{Cards, Machine, Phase, Rates, Service};
use super::refusal::{self, Refusal};
use super::seller::{Billing, FROM_ORDER, Paths, RUNNING, STANDING, Seller, Sent};
use super::world::nano;
use super::{Answer, Market, Refused, Shared, document, enter_at};

const SERVICE: Service = Service::__Type__;

/// The path in whose form it refuses.
const V1: &str = "/v1";

/// Rows of one page.
const PAGE: usize = 50;

/// Name, card, GB, cards, dollars an hour, place.
const TYPES: [(&str, &str, u32, u32, f64, &str); 3] = [
    ("l4x1", "L4", 24, 1, 0.70, "fra-1"),
    ("h100x1", "H100 SXM", 80, 1, 2.49, "fra-1"),
    ("h100x8", "H100 SXM", 80, 8, 19.92, "lon-1"),
];

/// Fields of a launch.
const FIELDS: [&str; 6] = ["type", "region", "name", "image", "ssh_key", "tags"];

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: SERVICE,
        name: "__name__",
        addresses: &["GPUDESK___NAME___URL"],
        key_variable: "GPUDESK___NAME___KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse,
        billing: Billing {
            cards: RUNNING,
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: 60,
            prepaid: false,
        },
        user: "root",
        paths: Paths { list: "/v1/machines", launch: ("POST", "/v1/machines") },
        shares_port: false,
    }
}

fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/types", get(types))
        .route("/v1/machines", get(list).post(launch))
        .route("/v1/machines/{id}", get(one).delete(end))
        .route("/v1/machines/{id}/{action}", post(act))
}

fn error(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({ "code": code, "message": message }))).into_response()
}

fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, code) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, "unauthorized"),
        Refusal::Forbidden | Refusal::AccountNotReady => (StatusCode::FORBIDDEN, "forbidden"),
        Refusal::NoFunds => (StatusCode::PAYMENT_REQUIRED, "no_funds"),
        Refusal::Quota => (StatusCode::BAD_REQUEST, "quota_exceeded"),
        Refusal::NoCapacity => (StatusCode::CONFLICT, "out_of_stock"),
        Refusal::SshKey => (StatusCode::UNPROCESSABLE_ENTITY, "bad_key"),
        Refusal::TooMany | Refusal::DailyQuota => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
        Refusal::Internal | Refusal::Gateway => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        Refusal::Retired => (StatusCode::GONE, "retired"),
    };
    error(status, code, &format!("{why:?}"))
}

fn invalid(message: &str) -> Refused {
    error(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message).into()
}

fn missing() -> Refused {
    error(StatusCode::NOT_FOUND, "not_found", "no such machine").into()
}

fn row((name, gpu, gb, count, price, region): (&str, &str, u32, u32, f64, &str), factor: f64) -> Value {
    json!({
        "id": name, "gpu": gpu, "gpu_count": count, "gpu_memory_gb": gb, "vcpus": 16 * count, "ram_gb": 120 * count,
        "disk_gb": 500, "per_hour": format!("{:.4}", price * factor), "region": region, "available": true,
    })
}

async fn types(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let factor = market.factor();
    let (world, ..) = enter_at(&market, (SERVICE, V1), &headers, false)?;
    let rows = TYPES.into_iter().map(|kind| {
        let mut row = row(kind, factor);
        row["available"] = json!(!world.sold_out.contains(kind.0));
        row
    });
    Ok(Json(json!({ "types": rows.collect::<Vec<_>>() })).into_response())
}

async fn launch(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = enter_at(&market, (SERVICE, V1), &headers, true)?;
    let body = document(&body);
    if body.as_object().is_none_or(|fields| fields.keys().any(|field| !FIELDS.contains(&field.as_str()))) {
        return Err(invalid("an unknown field, or no object"));
    }
    let refuse = |why| Refused::from(refusal::of(SERVICE, why, V1, now));
    let key = body["ssh_key"].as_str().unwrap_or_default().to_owned();
    if !is_public_key(&key) {
        return Err(refuse(Refusal::SshKey));
    }
    let kind = TYPES.into_iter().find(|kind| body["type"] == kind.0 && body["region"] == kind.5);
    let Some(kind) = kind else { return Err(invalid("no such type in this region")) };
    if world.sold_out.contains(kind.0) {
        return Err(refuse(Refusal::NoCapacity));
    }
    let per_hour = nano(kind.4 * factor);
    if world.balance(caller.account, SERVICE, now) < per_hour {
        return Err(refuse(Refusal::NoFunds));
    }
    let number = world.number();
    let machine = Machine {
        id: format!("__name__-{number:08}"),
        name: body["name"].as_str().map(str::to_owned),
        rates: Rates { compute: per_hour, disk: 0, disk_stopped: 0 },
        cards: Cards {
            name: format!("NVIDIA {}", kind.1),
            count: kind.3,
            memory_mib: kind.2 * 1024,
            watts: 300,
        },
        keys: vec![key],
        disk_gb: (500.0, 0.0),
        facts: row(kind, factor),
        request: body,
        ..Machine::made(SERVICE, caller.account, number, now)
    };
    let id = world.launch(machine, now);
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

fn shown(market: &Market, machine: &Machine) -> Value {
    let status = match machine.phase {
        Phase::Made => "pending",
        Phase::Loading | Phase::Waiting => "booting",
        Phase::Running => "running",
        Phase::Stopping => "stopping",
        Phase::Stopped | Phase::Paused => "stopped",
        Phase::Offline | Phase::Failed => "failed",
        Phase::Ending | Phase::Gone => "ending",
    };
    let mut row = json!({
        "id": machine.id, "name": machine.name, "status": machine.word.as_deref().unwrap_or(status),
        "type": machine.facts,
    });
    if machine.is_up() {
        let (host, port) = market.address_of(machine);
        row["ip"] = json!(host);
        row["practice_ssh_port"] = json!(machine.port.map(|_| port));
    }
    row
}

#[derive(Deserialize)]
struct After {
    after: Option<String>,
}

async fn list(State(market): State<Shared>, Query(query): Query<After>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter_at(&market, (SERVICE, V1), &headers, false)?;
    let all: Vec<&Machine> = world.of(SERVICE, caller.account).collect();
    let from = query.after.and_then(|id| all.iter().position(|m| m.id == id)).map_or(0, |at| at + 1);
    let page: Vec<&&Machine> = all.iter().skip(from).take(PAGE).collect();
    let next = page.last().filter(|_| from + page.len() < all.len()).map(|m| m.id.clone());
    let rows: Vec<Value> = page.iter().map(|machine| shown(&market, machine)).collect();
    Ok(Json(json!({ "machines": rows, "next": next })).into_response())
}

async fn one(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, _) = enter_at(&market, (SERVICE, V1), &headers, false)?;
    let machine = world.find(SERVICE, caller.account, &id).ok_or_else(missing)?;
    Ok(Json(shown(&market, machine)).into_response())
}

async fn act(State(market): State<Shared>, Path((id, action)): Path<(String, String)>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter_at(&market, (SERVICE, V1), &headers, true)?;
    world.find(SERVICE, caller.account, &id).ok_or_else(missing)?;
    match action.as_str() {
        "stop" => world.stop(&id, now),
        "start" => world.start(&id, now),
        _ => return Err(missing()),
    }
    Ok(StatusCode::ACCEPTED.into_response())
}

async fn end(State(market): State<Shared>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (mut world, caller, now) = enter_at(&market, (SERVICE, V1), &headers, true)?;
    world.find(SERVICE, caller.account, &id).ok_or_else(missing)?;
    world.end(&id, now);
    Ok(StatusCode::ACCEPTED.into_response())
}
