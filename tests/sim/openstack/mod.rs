//! Clouds that are OpenStack: one Keystone, Nova, Neutron, Glance and Cinder, played as Selectel, VK Cloud, immers.cloud,
//! OVHcloud and a cloud that nobody has heard of. Paths, bodies and errors are those of a real Nova 26; what the clouds
//! add (prices, tags, networks) is as their own pages have it.

mod around;
mod clouds;
mod identity;
mod network;
mod servers;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Extension, Json, Router};
use serde_json::{Value, json};

use super::account::Caller;
use super::clock::Nanos;
use super::machine::Phase;
use super::refusal::Refusal;
use super::seller::{Billing, FROM_ORDER, Paths, RUNNING, STANDING, Seller, Sent};
use super::world::World;
use super::{Market, Refused, Shared, document, enter_at};
pub use clouds::Cloud;
use clouds::{IMMERS, OPENSTACK, OVH, SELECTEL, VK};

/// What a token begins with; the practice key it was given out for follows.
const TOKEN: &str = "practice-token-of-";

/// What a question may carry beside the path.
type Query = std::collections::HashMap<String, String>;

/// A seller with what all of them share. A server that is shut down keeps its cards and their bill, a shelved one pays
/// for its disk only, see `servers`.
fn plain(cloud: &'static Cloud) -> Seller {
    Seller {
        service: cloud.service,
        name: cloud.name,
        addresses: &[],
        key_variable: "",
        sent: Sent::Own(token),
        given: str::to_owned,
        routes: || Router::new(),
        refuse,
        billing: Billing {
            cards: FROM_ORDER,
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: cloud.increment_s,
            prepaid: false,
        },
        user: "ubuntu",
        paths: Paths { list: "/nova/", launch: ("POST", "") },
        shares_port: false,
    }
}

/// Selectel: a service user whose domain is the number of the account.
#[must_use]
pub fn selectel() -> Seller {
    Seller {
        addresses: &["GPUDESK_SELECTEL_URL", "GPUDESK_SELECTEL_PRICES_URL"],
        key_variable: "GPUDESK_SELECTEL_KEY",
        given: |key| {
            json!({ "username": "robot", "password": key, "user_domain_name": "123456", "project_name": "practice" })
                .to_string()
        },
        routes: || routes(&SELECTEL),
        paths: Paths { list: "/nova/", launch: ("POST", "/nova/ru-7/v2.1/servers") },
        ..plain(&SELECTEL)
    }
}

/// VK Cloud: a user and the id of a project.
#[must_use]
pub fn vk() -> Seller {
    Seller {
        addresses: &["GPUDESK_VK_URL", "GPUDESK_VK_PRICES_URL"],
        key_variable: "GPUDESK_VK_KEY",
        given: |key| {
            json!({ "username": "practice@example.com", "password": key, "project_id": "practice" })
                .to_string()
        },
        routes: || routes(&VK),
        paths: Paths { list: "/nova/", launch: ("POST", "/nova/RegionOne/v2.1/servers") },
        ..plain(&VK)
    }
}

/// immers.cloud: an application credential.
#[must_use]
pub fn immers() -> Seller {
    Seller {
        addresses: &["GPUDESK_IMMERS_URL", "GPUDESK_IMMERS_PRICES_URL"],
        key_variable: "GPUDESK_IMMERS_KEY",
        given: |key| {
            json!({ "application_credential_id": "practice", "application_credential_secret": key })
                .to_string()
        },
        routes: || routes(&IMMERS),
        paths: Paths { list: "/nova/", launch: ("POST", "/nova/default/v2.1/servers") },
        ..plain(&IMMERS)
    }
}

/// OVHcloud: a user of one project. The meter starts when a server is active.
#[must_use]
pub fn ovh() -> Seller {
    let rules = plain(&OVH).billing;
    Seller {
        addresses: &["GPUDESK_OVH_URL", "GPUDESK_OVH_PRICES_URL"],
        key_variable: "GPUDESK_OVH_KEY",
        given: |key| {
            json!({ "username": "user-practice", "password": key, "project_id": "practice" }).to_string()
        },
        routes: || routes(&OVH),
        billing: Billing { cards: RUNNING, disk: &[Phase::Running, Phase::Stopping], ..rules },
        paths: Paths { list: "/nova/", launch: ("POST", "/nova/GRA11/v2.1/servers") },
        ..plain(&OVH)
    }
}

/// Any other cloud.
#[must_use]
pub fn openstack() -> Seller {
    Seller {
        addresses: &["GPUDESK_OPENSTACK_URL", "GPUDESK_OPENSTACK_PRICES_URL"],
        key_variable: "GPUDESK_OPENSTACK_KEY",
        given: |key| {
            json!({ "auth_url": "https://keystone.example:5000/v3", "application_credential_id": "practice",
                    "application_credential_secret": key })
            .to_string()
        },
        routes: || routes(&OPENSTACK),
        paths: Paths { list: "/nova/", launch: ("POST", "/nova/RegionOne/v2.1/servers") },
        ..plain(&OPENSTACK)
    }
}

fn routes(cloud: &'static Cloud) -> Router<Shared> {
    let nova = Router::new()
        .route("/flavors/detail", get(clouds::flavors))
        .route("/limits", get(around::limits))
        .route("/os-keypairs", get(around::keypairs).post(around::add_keypair))
        .route("/servers", post(servers::create))
        .route("/servers/detail", get(servers::list))
        .route("/servers/{id}", get(servers::one).delete(servers::delete))
        .route("/servers/{id}/action", post(servers::act))
        .route("/servers/{id}/os-instance-actions", get(servers::actions));
    let neutron = Router::new()
        .route("/networks", get(network::networks))
        .route("/routers", get(network::routers))
        .route("/ports", get(network::ports).post(network::add_port))
        .route("/ports/{id}", delete(network::delete_port))
        .route("/floatingips", get(network::addresses).post(network::add_address))
        .route("/floatingips/{id}", delete(network::delete_address))
        .route("/security-groups", get(network::groups).post(network::add_group))
        .route("/security-group-rules", post(network::add_rule));
    let cinder = Router::new()
        .route("/volumes/detail", get(around::volumes))
        .route("/snapshots/detail", get(around::snapshots));
    Router::new()
        .route(cloud.identity, post(identity::tokens))
        .route("/nova/{region}/", get(identity::versions))
        .nest("/nova/{region}/v2.1", nova)
        .nest("/neutron/{region}/v2.0", neutron)
        .route("/glance/{region}/v2/images", get(around::images))
        .nest("/cinder/{region}/v3/practice", cinder)
        .route("/prices.csv", get(clouds::sheet))
        .route("/v1/order/catalog/public/cloud", get(clouds::catalogue))
        .layer(Extension(cloud))
}

/// The practice key of a token.
fn token(headers: &HeaderMap) -> Option<String> {
    let sent = headers.get("x-auth-token")?.to_str().ok()?;
    Some(sent.strip_prefix(TOKEN)?.to_owned())
}

fn enter<'a>(
    market: &'a Market,
    cloud: &Cloud,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (cloud.service, "/nova"), headers, write)
}

/// An error as Nova and Cinder write it: one key that names the class.
fn error(status: StatusCode, class: &str, message: &str) -> Response {
    (status, Json(json!({ class: { "code": status.as_u16(), "message": message } }))).into_response()
}

fn invalid(message: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, "badRequest", message).into()
}

fn missing(what: &str, id: &str) -> Refused {
    error(StatusCode::NOT_FOUND, "itemNotFound", &format!("{what} {id} could not be found.")).into()
}

fn conflict(message: &str) -> Refused {
    error(StatusCode::CONFLICT, "conflictingRequest", message).into()
}

/// The refusals, in the form of Keystone where there is no token.
fn refuse(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (forbidden, bad) = (StatusCode::FORBIDDEN, StatusCode::BAD_REQUEST);
    match why {
        Refusal::BadKey => {
            let message = "The request you have made requires authentication.";
            let body = json!({ "error": { "code": 401, "message": message, "title": "Unauthorized" } });
            (StatusCode::UNAUTHORIZED, Json(body)).into_response()
        }
        Refusal::Forbidden => error(
            forbidden,
            "forbidden",
            "Policy doesn't allow os_compute_api:servers:create to be performed.",
        ),
        Refusal::NoFunds | Refusal::AccountNotReady => {
            error(forbidden, "forbidden", "Project is blocked: the balance of the account is negative")
        }
        Refusal::Quota => error(
            forbidden,
            "forbidden",
            "Quota exceeded for instances: Requested 1, but already used 6 of 6 instances",
        ),
        Refusal::NoCapacity => {
            error(bad, "badRequest", "No valid host was found. There are not enough hosts available.")
        }
        Refusal::SshKey => {
            error(bad, "badRequest", "Keypair data is invalid: failed to generate fingerprint")
        }
        Refusal::TooMany | Refusal::DailyQuota => {
            let mut response =
                error(StatusCode::TOO_MANY_REQUESTS, "overLimit", "This request was rate-limited.");
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(7));
            response
        }
        Refusal::Internal | Refusal::Gateway => error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "computeFault",
            "Unexpected API Error. Please report this at http://bugs.launchpad.net/nova/ and attach the Nova API log if possible.",
        ),
        Refusal::Retired => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The object under `name` of a request, of known fields only.
fn object(body: &Bytes, name: &str, fields: &[&str]) -> Result<Value, Refused> {
    let mut body = document(body);
    let inner = body.get_mut(name).map(Value::take).unwrap_or_default();
    let Some(object) = inner.as_object() else {
        return Err(invalid(&format!("Invalid input for field/attribute {name}. Value: None.")));
    };
    match object.keys().find(|field| !fields.contains(&field.as_str())) {
        Some(unknown) => Err(invalid(&format!(
            "Invalid input for field/attribute {name}. Additional properties are not allowed ('{unknown}' was unexpected)"
        ))),
        None => Ok(inner),
    }
}

/// One page of a list: `limit` of them behind the `marker`, and a link to the next as Nova writes it, by its own idea of
/// its host. Filters by a field's whole text have been applied before.
fn page(name: &str, rows: Vec<Value>, query: &Query) -> Response {
    let limit = query.get("limit").and_then(|text| text.parse().ok()).unwrap_or(1_000_usize).clamp(1, 1_000);
    let id = |row: &Value| row["id"].as_str().map(str::to_owned);
    let from = match query.get("marker") {
        None => 0,
        Some(marker) => match rows.iter().position(|row| id(row).as_ref() == Some(marker)) {
            Some(at) => at + 1,
            None => {
                return error(StatusCode::BAD_REQUEST, "badRequest", &format!("marker [{marker}] not found"));
            }
        },
    };
    let more = rows.len() > from + limit;
    let here: Vec<Value> = rows.into_iter().skip(from).take(limit).collect();
    let mut body = json!({ name: here });
    if more && let Some(last) = here_last(&body, name) {
        let mut kept: Vec<String> = query
            .iter()
            .filter(|(name, _)| !matches!(name.as_str(), "marker" | "limit"))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        kept.push(format!("limit={limit}&marker={last}"));
        let href = format!("http://10.0.0.1:8774/{name}?{}", kept.join("&"));
        if name == "images" {
            body["next"] = href.trim_start_matches("http://10.0.0.1:8774").into();
        } else {
            body[format!("{name}_links")] = json!([{ "rel": "next", "href": href }]);
        }
    }
    Json(body).into_response()
}

fn here_last(body: &Value, name: &str) -> Option<String> {
    body[name].as_array()?.last()?["id"].as_str().map(str::to_owned)
}

/// Rows whose fields are exactly as a question has them.
fn filtered(rows: Vec<Value>, query: &Query) -> Vec<Value> {
    let asked = |name: &str| !matches!(name, "limit" | "marker");
    rows.into_iter()
        .filter(|row| {
            query.iter().filter(|(name, _)| asked(name)).all(|(name, value)| match &row[name] {
                Value::String(text) => text == value,
                Value::Null => value.is_empty(),
                Value::Bool(flag) => value == if *flag { "true" } else { "false" },
                _ => false,
            })
        })
        .collect()
}
