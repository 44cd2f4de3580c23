//! DigitalOcean: sizes, Droplets and what belongs to them, as its published specification has it.

mod account;
mod billing;
mod droplets;
mod sizes;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Map, Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, Seller, Sent};
use super::{Market, Refused, Shared, World, document, enter_at};

const SERVICE: Service = Service::Digitalocean;

/// What a question may carry beside the path.
type Query = std::collections::HashMap<String, String>;

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: SERVICE,
        name: "digitalocean",
        addresses: &["GPUDESK_DIGITALOCEAN_URL"],
        key_variable: "GPUDESK_DIGITALOCEAN_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse,
        // From the order to the destruction, powered off or not; the disk is in the price.
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
            increment_s: 1,
            prepaid: false,
        },
        user: "root",
        paths: Paths { list: "/v2/droplets", launch: ("POST", "/v2/droplets") },
        shares_port: false,
    }
}

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/v2/sizes", get(sizes::sizes))
        .route("/v2/regions", get(sizes::regions))
        .route("/v2/account", get(account::account))
        .route("/v2/account/keys", get(account::keys).post(account::add_key))
        .route("/v2/customers/my/balance", get(account::balance))
        .route("/v2/customers/my/invoices", get(billing::invoices))
        .route("/v2/customers/my/invoices/{uuid}", get(billing::items))
        .route("/v2/volumes", get(account::volumes))
        .route("/v2/snapshots", get(account::snapshots))
        .route("/v2/reserved_ips", get(account::reserved))
        .route("/v2/droplets", get(droplets::list).post(droplets::create))
        .route("/v2/droplets/{id}", get(droplets::one).delete(droplets::destroy))
        .route("/v2/droplets/{id}/actions", post(droplets::act).get(droplets::actions))
}

fn let_in<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (SERVICE, "/v2"), headers, write)
}

/// An error in this service's form.
fn error(status: StatusCode, id: &str, message: &str) -> Response {
    (status, Json(json!({ "id": id, "message": message, "request_id": "practice" }))).into_response()
}

fn unprocessable(message: &str) -> Refused {
    error(StatusCode::UNPROCESSABLE_ENTITY, "unprocessable_entity", message).into()
}

fn missing() -> Refused {
    error(StatusCode::NOT_FOUND, "not_found", "The resource you were accessing could not be found.").into()
}

/// The refusals.
#[must_use]
pub fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, id, message) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, "Unauthorized", "Unable to authenticate you"),
        Refusal::Forbidden => {
            (StatusCode::FORBIDDEN, "Forbidden", "You are not authorized to perform this operation")
        }
        Refusal::NoFunds => (
            StatusCode::FORBIDDEN,
            "Forbidden",
            "Your account has a past due balance, please update your billing information",
        ),
        Refusal::Quota => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "unprocessable_entity",
            "creating this/these droplet(s) will exceed your droplet limit",
        ),
        Refusal::NoCapacity => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "unprocessable_entity",
            "Size is not available in this region.",
        ),
        Refusal::AccountNotReady => {
            (StatusCode::UNPROCESSABLE_ENTITY, "unprocessable_entity", "Size is not enabled for your account")
        }
        Refusal::SshKey => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "unprocessable_entity",
            "Key invalid, key should be an OpenSSH public key",
        ),
        Refusal::TooMany | Refusal::DailyQuota => {
            (StatusCode::TOO_MANY_REQUESTS, "too_many_requests", "API rate limit exceeded.")
        }
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Unexpected server-side error")
        }
        Refusal::Retired => (StatusCode::GONE, "gone", "This endpoint has been retired"),
    };
    let mut response = error(status, id, message);
    if status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(7));
        response.headers_mut().insert("ratelimit-remaining", HeaderValue::from(0));
    }
    response
}

/// The body of a request that must be a JSON object of known fields.
fn object(body: &Bytes, known: &[&str]) -> Result<Map<String, Value>, Refused> {
    let Value::Object(body) = document(body) else {
        return Err(
            error(StatusCode::BAD_REQUEST, "bad_request", "The request body must be an object").into()
        );
    };
    match body.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(unprocessable(&format!("{unknown} is not a known attribute"))),
        None => Ok(body),
    }
}

/// One page of a list.
fn page(key: &str, rows: Vec<Value>, query: &Query) -> Result<Response, Refused> {
    paged(key, rows, query).map(|page| Json(page).into_response())
}

/// The same, still to be added to.
fn paged(key: &str, rows: Vec<Value>, query: &Query) -> Result<Value, Refused> {
    let number = |name: &str, usual: usize| match query.get(name) {
        None => Ok(usual),
        Some(text) => text.parse().ok().filter(|n| *n > 0).ok_or_else(|| unprocessable("bad page")),
    };
    let (each, page) = (number("per_page", 20)?, number("page", 1)?);
    if each > 200 {
        return Err(unprocessable("per_page must be at most 200"));
    }
    let total = rows.len();
    let here: Vec<Value> = rows.into_iter().skip((page - 1) * each).take(each).collect();
    // Where everything fits, there are no links at all.
    let links = if page * each < total {
        let next = format!("https://api.digitalocean.com/v2/{key}?page={}&per_page={each}", page + 1);
        json!({ "pages": { "next": next } })
    } else {
        json!({})
    };
    Ok(json!({ key: here, "links": links, "meta": { "total": total } }))
}
