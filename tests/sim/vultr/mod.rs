//! Vultr: plans of virtual machines and of bare metal, regions and stock without a key, and the machines of an account.

mod account;
mod billing;
mod machines;
mod plans;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, Seller, Sent};
use super::world::World;
use super::{Market, Refused, Shared, document, enter_at};

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Vultr,
        name: "vultr",
        addresses: &["GPUDESK_VULTR_URL"],
        key_variable: "GPUDESK_VULTR_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse,
        // From the order to the end, on or off alike, by begun hours.
        billing: Billing {
            cards: &[
                Phase::Made,
                Phase::Loading,
                Phase::Running,
                Phase::Stopping,
                Phase::Stopped,
                Phase::Waiting,
                Phase::Paused,
                Phase::Offline,
                Phase::Failed,
            ],
            disk: &[],
            disk_stopped: &[],
            increment_s: 3_600,
            prepaid: false,
        },
        user: "root",
        paths: Paths { list: "/v2/instances", launch: ("POST", "/v2/instances") },
        shares_port: false,
    }
}

fn routes() -> Router<Shared> {
    Router::new()
        .route("/v2/plans", get(plans::plans))
        .route("/v2/plans-metal", get(plans::metal))
        .route("/v2/regions", get(plans::regions))
        .route("/v2/regions/{id}/availability", get(plans::availability))
        .route("/v2/account", get(account::account))
        .route("/v2/billing/pending-charges", get(billing::pending))
        .route("/v2/billing/invoices", get(billing::invoices))
        .route("/v2/billing/invoices/{id}/items", get(billing::items))
        .route("/v2/ssh-keys", get(account::keys).post(account::add_key))
        .route("/v2/blocks", get(account::blocks))
        .route("/v2/reserved-ips", get(account::reserved))
        .route("/v2/snapshots", get(account::snapshots))
        .route("/v2/instances", get(machines::vms).post(machines::launch_vm))
        .route("/v2/instances/{id}", get(machines::vm).patch(machines::update_vm).delete(machines::delete_vm))
        .route("/v2/instances/{id}/halt", post(machines::halt_vm))
        .route("/v2/instances/{id}/start", post(machines::start_vm))
        .route("/v2/bare-metals", get(machines::metals).post(machines::launch_metal))
        .route(
            "/v2/bare-metals/{id}",
            get(machines::metal).patch(machines::update_metal).delete(machines::delete_metal),
        )
        .route("/v2/bare-metals/{id}/halt", post(machines::halt_metal))
        .route("/v2/bare-metals/{id}/start", post(machines::start_metal))
}

fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (Service::Vultr, "/v2"), headers, write)
}

/// An error: `{"error":…,"status":…}`.
fn error(status: StatusCode, words: &str) -> Response {
    (status, Json(json!({ "error": words, "status": status.as_u16() }))).into_response()
}

fn invalid(words: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, words).into()
}

fn missing(what: &str) -> Refused {
    error(StatusCode::NOT_FOUND, &format!("Invalid {what}")).into()
}

fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, words) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, "Invalid API token."),
        Refusal::Forbidden => (StatusCode::FORBIDDEN, "The user of this key is missing the ACL for that."),
        Refusal::NoFunds | Refusal::AccountNotReady => {
            (StatusCode::FORBIDDEN, "Please add a payment method to your account.")
        }
        Refusal::Quota => (StatusCode::BAD_REQUEST, "You have reached the maximum number of active servers."),
        Refusal::NoCapacity => (StatusCode::BAD_REQUEST, "Plan is not available in the selected region."),
        Refusal::SshKey => (StatusCode::BAD_REQUEST, "Invalid SSH key."),
        Refusal::TooMany | Refusal::DailyQuota => (StatusCode::TOO_MANY_REQUESTS, "Rate limit exceeded."),
        Refusal::Internal | Refusal::Gateway => (StatusCode::INTERNAL_SERVER_ERROR, "Internal server error."),
        Refusal::Retired => (StatusCode::NOT_FOUND, "Not found."),
    };
    error(status, words)
}

/// One page of a list; the next one is named by a token.
fn page(name: &str, rows: Vec<Value>, query: &Map<String, Value>) -> Response {
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let size = text("per_page").and_then(|text| text.parse().ok()).unwrap_or(100_usize).clamp(1, 500);
    let from: usize =
        text("cursor").and_then(|text| text.strip_prefix("bmV4dA==")?.parse().ok()).unwrap_or(0);
    let total = rows.len();
    let here: Vec<Value> = rows.into_iter().skip(from).take(size).collect();
    let next =
        if from + here.len() < total { format!("bmV4dA=={}", from + here.len()) } else { String::new() };
    Json(json!({ name: here, "meta": { "total": total, "links": { "next": next, "prev": "" } } }))
        .into_response()
}

/// The body of a request that must be a JSON object of known fields.
fn object(body: &Bytes, fields: &[&str]) -> Result<Value, Refused> {
    let body = document(body);
    let Some(object) = body.as_object() else { return Err(invalid("Invalid JSON.")) };
    match object.keys().find(|name| !fields.contains(&name.as_str())) {
        Some(unknown) => Err(invalid(&format!("Unknown parameter {unknown}"))),
        None => Ok(body),
    }
}
