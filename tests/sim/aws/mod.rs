//! AWS: EC2's Query interface with its XML, and what a desk needs of STS, Systems Manager, the Price List and Service
//! Quotas. One address answers for every service and region; the signature says which are meant.

mod around;
mod catalogue;
mod instances;
mod prices;
mod run;
mod said;
mod signed;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::json;

use super::machine::{Phase, Service};
use super::seller::{Billing, FROM_ORDER, Paths, STANDING, Seller, Sent};
use super::{Answer, Shared, enter_at};
use said::{Fields, Said};

/// The entry among those who sell.
#[must_use]
pub fn seller() -> Seller {
    Seller {
        service: Service::Aws,
        name: "aws",
        addresses: &["GPUDESK_AWS_URL"],
        key_variable: "GPUDESK_AWS_KEY",
        sent: Sent::Own(signed::key),
        given: |key| {
            json!({ "access_key_id": key, "secret_access_key": signed::secret(key), "region": "us-east-1" })
                .to_string()
        },
        routes: || Router::new().route("/", post(call)),
        refuse: said::refuse,
        // While it runs, by the second; the disk until the machine ends.
        billing: Billing {
            cards: &[Phase::Running, Phase::Offline],
            disk: FROM_ORDER,
            disk_stopped: STANDING,
            increment_s: 1,
            prepaid: false,
        },
        user: "ubuntu",
        paths: Paths { list: "/DescribeInstances", launch: ("POST", "/RunInstances") },
        shares_port: false,
    }
}

/// Actions that change nothing.
fn only_asks(action: &str) -> bool {
    ["Describe", "Get"].iter().any(|begin| action.starts_with(begin))
}

/// A request whose action stands in its body, as method and path that tell what it is: `GET /DescribeInstances`.
pub async fn told_apart(request: Request) -> (Request, Option<(&'static str, String)>) {
    let (parts, body) = request.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let action = action(&parts.headers, &whole);
    let request = Request::from_parts(parts, Body::from(whole));
    let told = action.map(|action| (if only_asks(&action) { "GET" } else { "POST" }, format!("/{action}")));
    (request, told)
}

fn action(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    let target = headers.get("x-amz-target").and_then(|target| target.to_str().ok());
    match target.and_then(|target| target.rsplit_once('.')) {
        Some((_, action)) => Some(action.to_owned()),
        None => Fields::read(body).text("Action").map(str::to_owned),
    }
}

/// Every call.
async fn call(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let action = action(&headers, &body).unwrap_or_default();
    let path = format!("/{action}");
    let scope = signed::scope(&headers).unwrap_or_default();
    let fields = Fields::read(&body);
    // A key that may only look is let in, and told what it may not do where the service does.
    let (mut world, caller, now) = enter_at(&market, (Service::Aws, &path), &headers, false)?;
    if !signed::holds(&headers, &body) {
        return Err(
            Said::new(403, "SignatureDoesNotMatch", "The request signature does not match.").refused()
        );
    }
    let region = scope.region;
    let at = Place { market: &market, region: &region, now, account: caller.account };
    if scope.service != "pricing" && !catalogue::is_on(&region) {
        return Err(Said::new(
            401,
            "AuthFailure",
            "AWS was not able to validate the provided access credentials",
        )
        .refused());
    }
    if !only_asks(&action) {
        if !caller.may_write {
            return Err(
                super::refusal::of(Service::Aws, super::refusal::Refusal::Forbidden, &path, now).into()
            );
        }
        if fields.text("DryRun") == Some("true") {
            let words = "Request would have succeeded, but DryRun flag is set.";
            return Err(Said::new(412, "DryRunOperation", words).refused());
        }
    }
    if let Some(field) = fields.unknown(&action) {
        let words = format!("The parameter {field} is not recognized");
        return Err(Said::new(400, "UnknownParameter", &words).refused());
    }
    match action.as_str() {
        "GetCallerIdentity" => Ok(around::identity(&at)),
        "GetProducts" => Ok(prices::products(&at, &body)),
        "GetParameter" => around::parameter(&at, &body),
        "GetServiceQuota" => around::quota(&body),
        "DescribeRegions" => Ok(catalogue::regions()),
        "DescribeInstanceTypes" => catalogue::types(&at, &fields),
        "DescribeInstanceTypeOfferings" => Ok(catalogue::offerings(&at, &fields)),
        "DescribeSpotPriceHistory" => Ok(prices::spot(&at, &fields)),
        "DescribeImages" => around::images(&fields),
        "DescribeSubnets" => Ok(around::subnets(&at, &fields)),
        "DescribeKeyPairs" => Ok(around::keys(&at, &world, &fields)),
        "ImportKeyPair" => around::import(&at, &mut world, &fields),
        "DescribeSecurityGroups" => Ok(around::groups(&at, &world, &fields)),
        "CreateSecurityGroup" => around::make_group(&at, &mut world, &fields),
        "AuthorizeSecurityGroupIngress" => around::authorize(&at, &mut world, &fields),
        "DescribeInstances" => instances::describe(&at, &world, &fields),
        "DescribeAddresses" => Ok(instances::addresses()),
        "DescribeVolumes" => Ok(instances::volumes(&at, &world)),
        "RunInstances" => run::run(&at, &mut world, &fields),
        "CreateTags" => instances::tag(&at, &mut world, &fields),
        "StopInstances" => instances::stop(&at, &mut world, &fields),
        "StartInstances" => instances::start(&at, &mut world, &fields),
        "TerminateInstances" => instances::terminate(&at, &mut world, &fields),
        other => {
            let words = format!("The action {other} is not valid for this web service.");
            Err(Said::new(400, "InvalidAction", &words).refused())
        }
    }
}

/// Where and for whom something is asked.
struct Place<'a> {
    market: &'a Shared,
    region: &'a str,
    now: super::clock::Nanos,
    account: super::account::Account,
}
