//! Prime Intellect: offers of many suppliers, pods and what belongs to them, as its description and its own client
//! have it.

mod account;
mod offers;
mod pods;

use std::sync::MutexGuard;

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, patch, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, RUNNING, Seller, Sent};
use super::world::World;
use super::{Market, Refused, Shared, enter_at};

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Prime,
        name: "prime",
        addresses: &["GPUDESK_PRIME_URL"],
        key_variable: "GPUDESK_PRIME_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse,
        // Provisioning is free; a failed installation is billed all the same; the disk is inside the rate of a pod.
        billing: Billing {
            cards: &[Phase::Running, Phase::Stopping, Phase::Offline, Phase::Failed],
            disk: RUNNING,
            disk_stopped: &[],
            increment_s: 1,
            prepaid: true,
        },
        user: "root",
        paths: Paths { list: "/api/v1/pods/", launch: ("POST", "/api/v1/pods/") },
        shares_port: false,
    }
}

fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/availability/gpus", get(offers::gpus))
        .route("/api/v1/availability/multi-node", get(offers::none))
        .route("/api/v1/availability/disks", get(offers::none))
        .route("/api/v1/pods/", get(pods::list).post(pods::create))
        .route("/api/v1/pods", any(async || Redirect::temporary("/api/v1/pods/")))
        .route("/api/v1/pods/status", get(pods::status))
        .route("/api/v1/pods/history", get(pods::history))
        .route("/api/v1/pods/{id}", get(pods::one).delete(pods::delete))
        .route("/api/v1/ssh_keys/", get(account::keys).post(account::add_key))
        .route("/api/v1/ssh_keys", any(async || Redirect::temporary("/api/v1/ssh_keys/")))
        .route("/api/v1/ssh_keys/{id}", patch(account::primary).delete(account::remove_key))
        .route("/api/v1/disks/", get(account::disks))
        .route("/api/v1/billing/wallet", get(account::wallet))
        .route("/api/v1/disks", post(async || StatusCode::METHOD_NOT_ALLOWED))
}

/// An error as the real service writes most of them.
fn detail(status: StatusCode, detail: &str) -> Response {
    (status, Json(json!({ "detail": detail }))).into_response()
}

/// An error as the description has them.
fn unprocessable(param: &str, details: &str) -> Refused {
    let body = json!({ "errors": [{ "param": param, "details": details }] });
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response().into()
}

fn missing(what: &str) -> Refused {
    detail(StatusCode::NOT_FOUND, &format!("{what} not found")).into()
}

fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    match why {
        Refusal::BadKey => detail(StatusCode::UNAUTHORIZED, "Authorization failed"),
        Refusal::Forbidden | Refusal::AccountNotReady => {
            detail(StatusCode::FORBIDDEN, "The API key lacks the permission for this operation")
        }
        Refusal::NoFunds => detail(StatusCode::PAYMENT_REQUIRED, "Insufficient funds in the wallet"),
        Refusal::Quota => detail(StatusCode::BAD_REQUEST, "Quota of running pods reached"),
        Refusal::NoCapacity => {
            detail(StatusCode::BAD_REQUEST, "Requested GPU configuration is no longer available")
        }
        Refusal::TooMany | Refusal::DailyQuota => {
            detail(StatusCode::TOO_MANY_REQUESTS, "Rate limit exceeded")
        }
        Refusal::SshKey => detail(StatusCode::BAD_REQUEST, "Invalid public key"),
        Refusal::Internal | Refusal::Gateway => {
            detail(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
        Refusal::Retired => detail(StatusCode::GONE, "This endpoint has been retired"),
    }
}

fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (Service::Prime, "/api/v1"), headers, write)
}

/// Which part of a list is wanted.
#[derive(Deserialize)]
struct Window {
    #[serde(default)]
    offset: usize,
    #[serde(default = "hundred")]
    limit: usize,
}

fn hundred() -> usize {
    100
}

/// A part of a list, with its size.
fn window(rows: Vec<Value>, window: &Window) -> Response {
    let total = rows.len();
    let limit = window.limit.clamp(1, 100);
    let part: Vec<Value> = rows.into_iter().skip(window.offset).take(limit).collect();
    Json(json!({ "total_count": total, "offset": window.offset, "limit": limit, "data": part }))
        .into_response()
}
