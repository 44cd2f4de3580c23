//! Verda: types, stock, instances, disks and keys, as its own client programs speak with it.

mod account;
mod instances;
mod types;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, FROM_ORDER, Paths, STANDING, Seller, Sent};
use super::world::World;
use super::{Caller, Market, Refused, Shared, document, enter_at};

/// What a token begins with; the practice key it was given out for follows.
const TOKEN: &str = "practice-token-of-";

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Verda,
        name: "verda",
        addresses: &["GPUDESK_VERDA_URL"],
        key_variable: "GPUDESK_VERDA_KEY",
        sent: Sent::Own(token),
        given: |key| json!({ "client_id": "practice", "client_secret": key }).to_string(),
        routes,
        refuse,
        // A machine that is shut down keeps its card and is billed in full; its disk is billed wherever it is.
        billing: Billing {
            cards: &[
                Phase::Made,
                Phase::Loading,
                Phase::Running,
                Phase::Stopping,
                Phase::Stopped,
                Phase::Waiting,
                Phase::Offline,
            ],
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: 1,
            prepaid: true,
        },
        user: "root",
        paths: Paths { list: "/v1/instances", launch: ("POST", "/v1/instances") },
        shares_port: false,
    }
}

/// The practice key of a token.
fn token(headers: &HeaderMap) -> Option<String> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    Some(sent.strip_prefix("Bearer ")?.strip_prefix(TOKEN)?.to_owned())
}

fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/oauth2/token", post(account::token))
        .route("/v1/balance", get(account::balance))
        .route("/v1/ssh-keys", get(account::keys).post(account::add_key))
        .route("/v1/scripts", get(account::scripts).post(account::add_script))
        .route("/v1/volumes", get(account::volumes))
        .route("/v1/volumes/trash", get(account::trash))
        .route("/v1/volume-types", get(types::volume_types))
        .route("/v1/locations", get(types::locations))
        .route("/v1/instance-types", get(types::types))
        .route("/v1/instance-availability", get(types::availability))
        .route("/v1/instance-availability/{name}", get(types::one_availability))
        .route("/v1/instances", get(instances::list).post(instances::launch).put(instances::act))
        .route("/v1/instances/{id}", get(instances::one))
}

/// Lets someone in who has a token.
fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (Service::Verda, "/v1"), headers, write)
}

/// An error: `{"code":…,"message":…}`.
fn error(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(json!({ "code": code, "message": message }))).into_response()
}

fn invalid(message: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, "invalid_request", message).into()
}

fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, code, message) = match why {
        Refusal::BadKey => {
            (StatusCode::UNAUTHORIZED, "unauthorized_request", "Access token is missing or invalid")
        }
        Refusal::Forbidden | Refusal::AccountNotReady => {
            (StatusCode::FORBIDDEN, "forbidden_action", "This client is not permitted to do that")
        }
        Refusal::NoFunds => (StatusCode::PAYMENT_REQUIRED, "insufficient_funds", "Not enough funds"),
        Refusal::Quota => {
            (StatusCode::FORBIDDEN, "forbidden_action", "The GPU quota of the project is used up")
        }
        Refusal::NoCapacity => (
            StatusCode::SERVICE_UNAVAILABLE,
            "service_unavailable",
            "Not enough resources to deploy the instance type in this location",
        ),
        Refusal::SshKey => (StatusCode::BAD_REQUEST, "invalid_request", "key must be a valid SSH public key"),
        Refusal::TooMany | Refusal::DailyQuota => {
            let mut response = (StatusCode::TOO_MANY_REQUESTS, "Too Many Requests").into_response();
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from(3));
            return response;
        }
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Something went wrong")
        }
        Refusal::Retired => (StatusCode::NOT_FOUND, "not_found", "Not found"),
    };
    error(status, code, message)
}

/// The body of a request that must be a JSON object of known fields.
fn object(body: &Bytes, fields: &[&str]) -> Result<Value, Refused> {
    let body = document(body);
    let Some(object) = body.as_object() else { return Err(invalid("body must be an object")) };
    match object.keys().find(|name| !fields.contains(&name.as_str())) {
        Some(unknown) => Err(invalid(&format!("property {unknown} should not exist"))),
        None => Ok(body),
    }
}
