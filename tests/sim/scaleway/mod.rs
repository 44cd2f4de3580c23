//! Scaleway: Instances zone by zone with their block volumes, as the published specification has them.

mod billing;
mod servers;
mod types;
mod volumes;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, Seller, Sent};
use super::{Market, Refused, Shared, World, document, enter_at};

const SERVICE: Service = Service::Scaleway;

/// The project of the practice keys.
pub const PROJECT: &str = "33333333-aaaa-4bbb-8ccc-222222222222";

/// What a question may carry beside the path.
type Query = std::collections::HashMap<String, String>;

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: SERVICE,
        name: "scaleway",
        addresses: &["GPUDESK_SCALEWAY_URL"],
        key_variable: "GPUDESK_SCALEWAY_KEY",
        sent: Sent::Header("x-auth-token"),
        given: |key| json!({ "secret_key": key, "project_id": PROJECT }).to_string(),
        routes,
        refuse,
        // Powered on, start and standby included; the disk from its making on.
        billing: Billing {
            cards: &[
                Phase::Loading,
                Phase::Running,
                Phase::Stopping,
                Phase::Paused,
                Phase::Offline,
                Phase::Failed,
            ],
            disk: &[Phase::Made, Phase::Loading, Phase::Running, Phase::Stopping],
            disk_stopped: &[Phase::Stopped, Phase::Waiting, Phase::Paused, Phase::Offline, Phase::Failed],
            increment_s: 60,
            prepaid: false,
        },
        user: "root",
        paths: Paths { list: "/instance/v1/zones/", launch: ("POST", "/instance/v1/zones/") },
        shares_port: false,
    }
}

/// The routes.
pub fn routes() -> Router<Shared> {
    let zone = Router::new()
        .route("/products/servers", get(types::types))
        .route("/products/servers/availability", get(types::availability))
        .route("/servers", get(servers::list).post(servers::create))
        .route("/servers/{id}", get(servers::one).patch(servers::update).delete(servers::delete))
        .route("/servers/{id}/action", post(servers::act))
        .route("/servers/{id}/user_data/{key}", patch(servers::user_data))
        .route("/ips", get(volumes::ips));
    Router::new()
        .nest("/instance/v1/zones/{zone}", zone)
        .route("/billing/v2beta1/charges", get(billing::charges))
        .route("/block/v1/zones/{zone}/volumes", get(volumes::list))
        .route("/block/v1/zones/{zone}/volumes/{id}", patch(volumes::change).delete(volumes::delete))
}

fn let_in<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (SERVICE, "/instance/v1"), headers, write)
}

/// An error in this service's form.
fn error(status: StatusCode, kind: &str, more: Value) -> Response {
    let mut body = json!({ "type": kind, "message": kind.replace('_', " ") });
    if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
        body.extend(more);
    }
    (status, Json(body)).into_response()
}

fn invalid(argument: &str) -> Refused {
    let details = json!({ "details": [{ "argument_name": argument, "reason": "constraint" }] });
    error(StatusCode::BAD_REQUEST, "invalid_arguments", details).into()
}

fn missing(what: &str, id: &str) -> Refused {
    error(StatusCode::NOT_FOUND, "not_found", json!({ "resource": what, "resource_id": id })).into()
}

/// The refusals.
#[must_use]
pub fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    match why {
        Refusal::BadKey => error(
            StatusCode::UNAUTHORIZED,
            "denied_authentication",
            json!({ "method": "api_key", "reason": "not_found" }),
        ),
        Refusal::Forbidden => error(
            StatusCode::FORBIDDEN,
            "permissions_denied",
            json!({ "message": "insufficient permissions", "details": [{ "resource": "compute_instances", "action": "write" }] }),
        ),
        Refusal::NoFunds | Refusal::AccountNotReady => error(
            StatusCode::PRECONDITION_FAILED,
            "precondition_failed",
            json!({ "message": "billing: a valid payment method is needed" }),
        ),
        Refusal::Quota => error(
            StatusCode::FORBIDDEN,
            "quotas_exceeded",
            json!({ "details": [{ "resource": "compute_instances_type_l4_1_24g", "quota": 0, "current": 0 }] }),
        ),
        Refusal::NoCapacity => {
            error(StatusCode::SERVICE_UNAVAILABLE, "out_of_stock", json!({ "resource": "instance" }))
        }
        Refusal::SshKey => {
            error(StatusCode::BAD_REQUEST, "invalid_arguments", json!({ "message": "ssh key" }))
        }
        Refusal::TooMany | Refusal::DailyQuota => {
            let mut response = error(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", json!({}));
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(7));
            response
        }
        // Not every answer is JSON.
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "internal server error").into_response()
        }
        Refusal::Retired => error(StatusCode::GONE, "resource_expired", json!({})),
    }
}

/// The body of a request that must be a JSON object of known fields.
fn object(body: &Bytes, known: &[&str]) -> Result<Map<String, Value>, Refused> {
    let Value::Object(body) = document(body) else { return Err(invalid("body")) };
    match body.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(invalid(unknown)),
        None => Ok(body),
    }
}

/// Headers of an answer.
type Headers = [(&'static str, String); 2];

/// The rows of one page, and the head that says how many there are in all.
fn page<T>(rows: Vec<T>, query: &Query) -> Result<(Vec<T>, Headers), Refused> {
    let number = |name: &str, usual: usize| match query.get(name) {
        None => Ok(usual),
        Some(text) => text.parse().ok().filter(|n| *n > 0).ok_or_else(|| invalid(name)),
    };
    let (each, page) = (number("per_page", 50)?, number("page", 1)?);
    if each > 100 {
        return Err(invalid("per_page"));
    }
    let total = rows.len();
    // The links lack the prefix of the API: whoever follows them gets lost.
    let head = [
        ("x-total-count", total.to_string()),
        ("link", format!("</servers?page={}&per_page={each}&>; rel=\"next\"", page + 1)),
    ];
    Ok((rows.into_iter().skip((page - 1) * each).take(each).collect(), head))
}
