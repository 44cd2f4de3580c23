//! Hyperstack: flavors, stock, the price book, environments, key pairs and virtual machines, as the vendor's own
//! description has them.

mod account;
mod flavors;
mod machines;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, FROM_ORDER, Paths, Seller, Sent};
use super::world::World;
use super::{Market, Refused, Shared, document, enter_at};

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Hyperstack,
        name: "hyperstack",
        addresses: &["GPUDESK_HYPERSTACK_URL"],
        key_variable: "GPUDESK_HYPERSTACK_KEY",
        sent: Sent::Header("api_key"),
        given: str::to_owned,
        routes,
        refuse,
        // What is made, hibernates, comes back or is broken is free. What a standing machine costs depends on how it was
        // brought to stand, see `machines`.
        billing: Billing {
            cards: &[Phase::Running, Phase::Offline],
            disk: FROM_ORDER,
            disk_stopped: &[Phase::Stopped, Phase::Waiting],
            increment_s: 60,
            prepaid: true,
        },
        user: "ubuntu",
        paths: Paths { list: "/v1/core/virtual-machines", launch: ("POST", "/v1/core/virtual-machines") },
        shares_port: false,
    }
}

fn routes() -> Router<Shared> {
    let machine = "/v1/core/virtual-machines/{id}";
    Router::new()
        .route("/v1/core/flavors", get(flavors::flavors))
        .route("/v1/core/stocks", get(flavors::stocks))
        .route("/v1/core/regions", get(flavors::regions))
        .route("/v1/pricebook", get(flavors::prices))
        .route("/v1/core/environments", get(account::environments).post(account::add_environment))
        .route("/v1/core/keypairs", get(account::keypairs).post(account::add_keypair))
        .route("/v1/core/volumes", get(account::volumes))
        .route("/v1/auth/me", get(account::me))
        .route("/v1/billing/user-credit/credit", get(account::credit))
        .route("/v1/billing/billing/history/virtual-machine", get(account::history))
        .route("/v1/core/virtual-machines", get(machines::list).post(machines::launch))
        .route(machine, get(machines::one).delete(machines::delete))
        .route(&format!("{machine}/stop"), get(machines::stop))
        .route(&format!("{machine}/start"), get(machines::start))
        .route(&format!("{machine}/hibernate"), get(machines::hibernate))
        .route(&format!("{machine}/hibernate-restore"), get(machines::restore))
}

fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (Service::Hyperstack, "/v1"), headers, write)
}

/// An error: `{"status":false,"message":…,"error_reason":…}`.
fn error(status: StatusCode, reason: &str, message: &str) -> Response {
    (status, Json(json!({ "status": false, "message": message, "error_reason": reason }))).into_response()
}

fn invalid(message: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, "bad_request", message).into()
}

fn missing(what: &str) -> Refused {
    error(StatusCode::NOT_FOUND, "not_found", &format!("{what} does not exist")).into()
}

fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let bad = StatusCode::BAD_REQUEST;
    let (status, reason, message) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, "unauthorized", "Unauthorized"),
        Refusal::Forbidden | Refusal::AccountNotReady => {
            (StatusCode::FORBIDDEN, "forbidden", "Your role does not permit this action")
        }
        Refusal::NoFunds => (bad, "bad_request", "Insufficient balance to create the virtual machine"),
        Refusal::Quota => (bad, "bad_request", "GPU quota exceeded for this environment"),
        Refusal::NoCapacity => (bad, "bad_request", "The flavor is out of stock in this region"),
        Refusal::SshKey => (bad, "bad_request", "The public key is not valid"),
        Refusal::TooMany | Refusal::DailyQuota => {
            return (StatusCode::TOO_MANY_REQUESTS, Json(json!({ "message": "Too many requests" })))
                .into_response();
        }
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Internal server error")
        }
        Refusal::Retired => (StatusCode::NOT_FOUND, "not_found", "Not found"),
    };
    error(status, reason, message)
}

/// A success.
fn done(more: Value) -> Response {
    let mut body = json!({ "status": true, "message": "ok" });
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    Json(body).into_response()
}

/// One page of a list: `page` from 1, `pageSize` of them, 20 unless asked otherwise.
fn page(name: &str, rows: Vec<Value>, query: &Map<String, Value>) -> Response {
    let number = |name: &str, usual: usize| {
        query
            .get(name)
            .and_then(Value::as_str)
            .and_then(|text| text.parse().ok())
            .filter(|n| *n > 0)
            .unwrap_or(usual)
    };
    let (page, size) = (number("page", 1), number("pageSize", 20).min(100));
    let count = rows.len();
    let here: Vec<Value> = rows.into_iter().skip((page - 1) * size).take(size).collect();
    done(json!({ name: here, "count": count, "page": page, "page_size": size }))
}

/// The body of a request that must be a JSON object of known fields.
fn object(body: &Bytes, fields: &[&str]) -> Result<Value, Refused> {
    let body = document(body);
    let Some(object) = body.as_object() else { return Err(invalid("The body must be a JSON object")) };
    match object.keys().find(|name| !fields.contains(&name.as_str())) {
        Some(unknown) => Err(invalid(&format!("Unknown field {unknown}"))),
        None => Ok(body),
    }
}
