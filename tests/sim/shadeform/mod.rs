//! Shadeform: types of many clouds, instances and what belongs to them, as the vendor's own description has it.

mod account;
mod instances;
mod types;

use std::sync::MutexGuard;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, RUNNING, Seller, Sent};
use super::world::World;
use super::{Market, Refused, Shared, document, enter_at};

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Shadeform,
        name: "shadeform",
        addresses: &["GPUDESK_SHADEFORM_URL"],
        key_variable: "GPUDESK_SHADEFORM_KEY",
        sent: Sent::Header("x-api-key"),
        given: str::to_owned,
        routes,
        refuse,
        // From active until the status is deleting; the disk is inside.
        billing: Billing {
            cards: &[Phase::Running, Phase::Stopping, Phase::Offline],
            disk: RUNNING,
            disk_stopped: &[],
            increment_s: 1,
            prepaid: false,
        },
        user: "shadeform",
        paths: Paths { list: "/v1/instances", launch: ("POST", "/v1/instances/create") },
        shares_port: false,
    }
}

fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/instances", get(instances::list))
        .route("/v1/instances/types", get(types::types))
        .route("/v1/instances/create", post(instances::create))
        .route("/v1/instances/{id}/info", get(instances::info))
        .route("/v1/instances/{id}/update", post(instances::update))
        .route("/v1/instances/{id}/restart", post(instances::restart))
        .route("/v1/instances/{id}/delete", post(instances::delete))
        .route("/v1/clusters", get(account::clusters))
        .route("/v1/clusters/types", get(account::cluster_types))
        .route("/v1/sshkeys", get(account::keys))
        .route("/v1/sshkeys/add", post(account::add_key))
        .route("/v1/sshkeys/{id}/info", get(account::key))
        .route("/v1/sshkeys/{id}/delete", post(account::remove_key))
        .route("/v1/volumes", get(account::volumes))
        .route("/v1/volumes/types", get(account::volume_types))
}

/// Its errors: free text under `error` or `message`, and for a few a fixed code.
fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, body) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, json!({ "message": "Invalid API key" })),
        Refusal::Forbidden | Refusal::AccountNotReady => {
            (StatusCode::FORBIDDEN, json!({ "message": "API key does not belong to this workspace" }))
        }
        Refusal::NoFunds => {
            (StatusCode::BAD_REQUEST, json!({ "error": "Insufficient balance in the wallet" }))
        }
        Refusal::Quota => (StatusCode::BAD_REQUEST, json!({ "error": "Instance quota exceeded" })),
        Refusal::NoCapacity => (
            StatusCode::CONFLICT,
            json!({ "error_code": "OUT_OF_STOCK", "error": "The instance type is out of stock" }),
        ),
        Refusal::TooMany | Refusal::DailyQuota => {
            (StatusCode::TOO_MANY_REQUESTS, json!({ "message": "Too many requests" }))
        }
        Refusal::SshKey => (StatusCode::BAD_REQUEST, json!({ "error": "invalid public key" })),
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, json!({ "message": "Internal server error" }))
        }
        Refusal::Retired => (StatusCode::NOT_FOUND, json!({ "message": "Not found" })),
    };
    (status, Json(body)).into_response()
}

fn invalid(error: &str) -> Refused {
    (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response().into()
}

fn missing(what: &str) -> Refused {
    (StatusCode::NOT_FOUND, Json(json!({ "error": format!("{what} not found") }))).into_response().into()
}

/// A success without a word.
fn done() -> Response {
    StatusCode::OK.into_response()
}

/// The body of a request that must be a JSON object of these fields.
fn object(body: &Bytes, fields: &[&str]) -> Result<Value, Refused> {
    let body = document(body);
    let sent = body.as_object().ok_or_else(|| invalid("request body is no JSON object"))?;
    match sent.keys().find(|name| !fields.contains(&name.as_str())) {
        Some(unknown) => Err(invalid(&format!("unknown field {unknown}"))),
        None => Ok(body),
    }
}

fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (Service::Shadeform, "/v1"), headers, write)
}
