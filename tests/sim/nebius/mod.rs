//! Nebius: tokens over HTTP and everything else by gRPC, as the public definitions have it. The practice key stands in
//! the id of an authorized key whose private half everybody has.

mod catalogue;
mod instances;
#[rustfmt::skip]
pub mod proto;
mod rpc;
mod tokens;

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::json;

use super::account::Caller;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;
use super::seller::{Billing, Paths, Seller, Sent};
use super::{Market, Refused, Shared, World, enter_at};

pub use rpc::bend;

const SERVICE: Service = Service::Nebius;

/// The tenant of the practice keys.
pub const TENANT: &str = "tenant-practice";

/// Projects and the region of each.
pub const PROJECTS: [(&str, &str); 3] = [
    ("project-e00north", "eu-north1"),
    ("project-u00central", "us-central1"),
    ("project-e01west", "eu-west1"),
];

/// The private half of the practice keys.
pub const PRIVATE_KEY: &str = include_str!("key.pem");

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: SERVICE,
        name: "nebius",
        addresses: &["GPUDESK_NEBIUS_URL", "GPUDESK_NEBIUS_AUTH_URL"],
        key_variable: "GPUDESK_NEBIUS_KEY",
        sent: Sent::Own(tokens::holder),
        given: |key| {
            json!({
                "service_account_id": "serviceaccount-practice", "public_key_id": key, "private_key": PRIVATE_KEY,
                "tenant_id": TENANT,
            })
            .to_string()
        },
        routes,
        refuse,
        // From the start to the complete stop; the disk from its making to its deletion.
        billing: Billing {
            cards: &[Phase::Running, Phase::Stopping, Phase::Offline],
            disk: &[Phase::Made, Phase::Loading, Phase::Running, Phase::Stopping],
            disk_stopped: super::seller::STANDING,
            increment_s: 1,
            prepaid: false,
        },
        user: "ubuntu",
        paths: Paths {
            list: "/nebius.compute.v1.InstanceService/List",
            launch: ("POST", "/nebius.compute.v1.InstanceService/Create"),
        },
        shares_port: false,
    }
}

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/oauth2/token/exchange", post(tokens::exchange))
        .route("/nebius.iam.v1.ProjectService/List", post(catalogue::projects))
        .route("/nebius.vpc.v1.SubnetService/List", post(catalogue::subnets))
        .route("/nebius.compute.v1.PlatformService/List", post(catalogue::platforms))
        .route("/nebius.billing.v1.CalculatorService/EstimateBatch", post(catalogue::estimate))
        .route("/nebius.capacity.v1.ResourceAdviceService/List", post(catalogue::advice))
        .route("/nebius.compute.v1.DiskService/List", post(catalogue::disks))
        .route("/nebius.compute.v1.InstanceService/List", post(instances::list))
        .route("/nebius.compute.v1.InstanceService/Get", post(instances::get))
        .route("/nebius.compute.v1.InstanceService/Create", post(instances::create))
        .route("/nebius.compute.v1.InstanceService/Start", post(instances::start))
        .route("/nebius.compute.v1.InstanceService/Stop", post(instances::stop))
        .route("/nebius.compute.v1.InstanceService/Delete", post(instances::delete))
}

fn let_in<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    write: bool,
) -> Result<(std::sync::MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (SERVICE, "/nebius."), headers, write)
}

/// The refusals: of tokens as JSON, of everything else as a gRPC status with its details.
#[must_use]
pub fn refuse(why: Refusal, path: &str, _now: Nanos) -> Response {
    if path.starts_with("/oauth2") {
        let (status, error) = match why {
            Refusal::TooMany | Refusal::DailyQuota => (StatusCode::TOO_MANY_REQUESTS, "slow_down"),
            Refusal::Internal | Refusal::Gateway => (StatusCode::INTERNAL_SERVER_ERROR, "server_error"),
            _ => (StatusCode::UNAUTHORIZED, "invalid_grant"),
        };
        return (status, axum::Json(json!({ "error": error }))).into_response();
    }
    let none = proto::ServiceError::default();
    match why {
        Refusal::BadKey => rpc::refuse(16, "invalid token", &none),
        Refusal::Forbidden => rpc::refuse(7, "Permission denied", &none),
        Refusal::NoFunds => rpc::refuse(9, "billing account is suspended", &none),
        Refusal::AccountNotReady => rpc::refuse(9, "tenant is suspended", &none),
        Refusal::Quota => {
            let violation = proto::QuotaFailureViolation {
                quota: "compute.instance.gpu.h200".to_owned(),
                message: "quota exceeded".to_owned(),
                limit: "0".to_owned(),
                requested: "1".to_owned(),
            };
            let quota_failure = Some(proto::QuotaFailure { violations: vec![violation] });
            rpc::refuse(8, "Quota limit exceeded", &proto::ServiceError { quota_failure, ..none })
        }
        Refusal::NoCapacity => {
            let violation = proto::NotEnoughResourcesViolation {
                resource_type: "gpu".to_owned(),
                message: "no hosts of this platform are free".to_owned(),
                requested: "1".to_owned(),
            };
            let not_enough_resources = Some(proto::NotEnoughResources { violations: vec![violation] });
            rpc::refuse(8, "Not enough resources", &proto::ServiceError { not_enough_resources, ..none })
        }
        Refusal::SshKey => rpc::refuse(3, "cloud_init_user_data: invalid", &none),
        Refusal::TooMany | Refusal::DailyQuota => {
            let too_many_requests = Some(proto::TooManyRequests { violation: "calls".to_owned() });
            rpc::refuse(8, "too many requests", &proto::ServiceError { too_many_requests, ..none })
        }
        Refusal::Internal | Refusal::Gateway => rpc::refuse(13, "internal", &none),
        Refusal::Retired => rpc::refuse(12, "unimplemented", &none),
    }
}
