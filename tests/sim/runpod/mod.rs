//! RunPod: REST v2 as its specification has it, and the GraphQL of prices and of oneself.

mod account;
mod billing;
mod catalog;
mod oneself;
mod pods;
mod prices;
mod show;
mod strict;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{get, post};

use super::machine::Service;
use super::refusal::{self, problem};
use super::seller::{Billing, FROM_ORDER, Paths, STANDING, Seller, Sent};
use super::{Refused, Shared};

/// The path in whose form v2 refuses.
const V2: &str = "/v2";

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Runpod,
        name: "runpod",
        addresses: &["GPUDESK_RUNPOD_URL", "GPUDESK_RUNPOD_GRAPHQL_URL"],
        key_variable: "GPUDESK_RUNPOD_KEY",
        sent: Sent::Bearer,
        given: str::to_owned,
        routes,
        refuse: refusal::runpod,
        // A pod from its order on, the volume at the higher rate while it stands.
        billing: Billing {
            cards: FROM_ORDER,
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: 1,
            prepaid: true,
        },
        user: "root",
        paths: Paths { list: "/v2/pods", launch: ("POST", "/v2/pods") },
        shares_port: true,
    }
}

/// The routes.
pub fn routes() -> Router<Shared> {
    let rest = Router::new()
        .route("/v2/pods", get(pods::list).post(pods::create))
        .route("/v2/pods/{id}", get(pods::one).patch(pods::change).delete(pods::terminate))
        .route("/v2/pods/{id}/action", post(pods::action))
        .route("/v2/catalog/gpus", get(catalog::gpus))
        .route("/v2/catalog/gpus/{id}", get(catalog::gpu))
        .route("/v2/catalog/datacenters", get(catalog::centers))
        .route("/v2/catalog/datacenters/{id}", get(catalog::center_of))
        .route("/v2/catalog/templates", get(catalog::templates))
        .route("/v2/templates", get(catalog::templates))
        .route("/v2/account/ssh-keys", get(account::keys).put(account::replace_keys))
        .route("/v2/network-volumes", get(account::volumes).post(account::add_volume))
        .route("/v2/network-volumes/{id}", get(account::volume).delete(account::remove_volume))
        .route("/v2/billing", get(billing::all))
        .route("/v2/billing/pods", get(billing::pods))
        .layer(from_fn(rate_limit));
    Router::new()
        .route("/graphql", post(prices::graphql))
        .merge(rest)
        .route("/v1/{*rest}", get(retired).post(retired))
}

/// Every authorised answer tells the limit.
async fn rate_limit(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() != StatusCode::UNAUTHORIZED {
        let headers = response.headers_mut();
        headers.insert(
            "RateLimit-Policy",
            HeaderValue::from_static("\"minute\";q=60;w=60, \"hour\";q=3000;w=3600"),
        );
        headers.insert("RateLimit", HeaderValue::from_static("\"minute\";r=41;t=17, \"hour\";r=2100;t=1900"));
    }
    response
}

/// The version before.
async fn retired(State(_): State<Shared>) -> Response {
    problem(StatusCode::GONE, "this API version has been retired", &[])
}

fn missing(what: &str) -> Refused {
    problem(StatusCode::NOT_FOUND, &format!("{what} not found"), &[]).into()
}

fn bad(detail: &str) -> Refused {
    problem(StatusCode::BAD_REQUEST, detail, &[]).into()
}
