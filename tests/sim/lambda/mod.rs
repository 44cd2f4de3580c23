//! Lambda: types, instances and what belongs to them, as version 1.10.0 of its specification has it.

mod account;
mod instances;
mod types;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::machine::{Phase, Service};
use super::refusal::{self, lambda_error};
use super::seller::{Billing, Paths, RUNNING, Seller, Sent};
use super::{Refused, Shared, document};

/// A path in whose form Lambda refuses.
const V1: &str = "/api/v1/instance-types";

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Lambda,
        name: "lambda",
        addresses: &["GPUDESK_LAMBDA_URL"],
        key_variable: "GPUDESK_LAMBDA_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse: refusal::lambda,
        // From active until terminate is called; that an `unhealthy` one is free is said nowhere.
        billing: Billing {
            cards: &[Phase::Running, Phase::Stopping, Phase::Offline],
            disk: RUNNING,
            disk_stopped: &[Phase::Failed, Phase::Waiting, Phase::Paused, Phase::Stopped],
            increment_s: 60,
            prepaid: false,
        },
        user: "ubuntu",
        paths: Paths { list: "/api/v1/instances", launch: ("POST", "/api/v1/instance-operations/launch") },
        shares_port: true,
    }
}

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/instance-types", get(types::types))
        .route("/api/v1/regions", get(types::regions))
        .route("/api/v1/images", get(types::images))
        .route("/api/v1/instances", get(instances::list))
        .route("/api/v1/instances/{id}", get(instances::one).post(instances::rename))
        .route("/api/v1/instance-operations/launch", post(instances::launch))
        .route("/api/v1/instance-operations/terminate", post(instances::terminate))
        .route("/api/v1/instance-operations/restart", post(instances::restart))
        .route("/api/v1/ssh-keys", get(account::keys).post(account::add_key))
        .route("/api/v1/ssh-keys/{id}", delete(account::remove_key))
        .route("/api/v1/file-systems", get(account::filesystems))
        .route("/api/v1/filesystems", post(account::add_filesystem))
        .route("/api/v1/filesystems/{id}", delete(account::remove_filesystem))
        .route("/api/v1/audit-events", get(account::events))
}

/// A success.
fn data(data: impl serde::Serialize) -> Json<Value> {
    Json(json!({ "data": data }))
}

fn invalid(message: &str) -> Refused {
    lambda_error(StatusCode::BAD_REQUEST, "global/invalid-parameters", message, None).into()
}

fn missing(what: &str) -> Refused {
    let message = format!("Specified {what} does not exist.");
    lambda_error(StatusCode::NOT_FOUND, "global/object-does-not-exist", &message, None).into()
}

/// The body of a request that must be a JSON object.
fn object(body: &Bytes) -> Result<Value, Refused> {
    let body = document(body);
    if body.is_object() { Ok(body) } else { Err(invalid("Request body was not an object.")) }
}
