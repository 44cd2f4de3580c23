//! Calls against a site that answers in gRPC.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Image, ImageKind, Spec};
use prost::Message;
use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::api::{Wanted, price};
use super::session::Session;
use super::wire::{
    Any, List, Metadata, Named, Operation, Project, ProjectStatus, RpcStatus, ServiceError, Violation,
    Violations,
};
use super::wire_instance::Instance;
use super::wire_offers::{Cost, EstimateResponse, GeneralCost, TotalCost, Unit};
use crate::cloud::{Access, Cloud, CloudErrorCode, Effect, Launch, cloud};
use crate::http::{Http, HttpConfig, Secret};
use crate::source::SourceErrorCode;

const PRIVATE_KEY: &str = include_str!("../../../../tests/sim/nebius/key.pem");

type Clock = Arc<Mutex<DateTime<Utc>>>;

struct Site {
    server: MockServer,
    clock: Clock,
}

/// What a method is answered: a message, or a code with its details.
type Said = Result<Vec<u8>, (i32, ServiceError)>;

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        three.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - three.len()))
    };
    let chunk = |three: &[u8]| -> String {
        let group = group(three);
        (0..=three.len()).map(|n| char::from(DIGITS[(group >> (18 - 6 * n) & 63) as usize])).collect()
    };
    bytes.chunks(3).map(chunk).collect()
}

async fn site(answer: impl Fn(&str) -> Said + Send + Sync + 'static) -> Site {
    let server = MockServer::start().await;
    let respond = move |request: &Request| {
        let path = request.url.path();
        if path == "/oauth2/token/exchange" {
            return ResponseTemplate::new(200)
                .set_body_json(json!({"access_token": "t0ken", "expires_in": 3600}));
        }
        assert_eq!(request.headers.get("authorization").unwrap(), "Bearer t0ken");
        let template =
            |code: i32| ResponseTemplate::new(200).insert_header("grpc-status", code.to_string().as_str());
        match answer(path.trim_start_matches('/')) {
            Ok(message) => {
                let mut body = vec![0];
                body.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
                body.extend_from_slice(&message);
                template(0).set_body_raw(body, "application/grpc")
            }
            Err((code, details)) => {
                let any = Any {
                    type_url: "type.googleapis.com/nebius.common.v1.ServiceError".to_owned(),
                    value: details.encode_to_vec(),
                };
                let status = RpcStatus { code, message: "words".to_owned(), details: vec![any] };
                template(code)
                    .insert_header("grpc-message", "words%20of%20theirs")
                    .insert_header("grpc-status-details-bin", base64(&status.encode_to_vec()).as_str())
                    .set_body_raw(Vec::new(), "application/grpc")
            }
        }
    };
    Mock::given(any()).respond_with(respond).mount(&server).await;
    Site { server, clock: Arc::new(Mutex::new("2026-11-30T09:00:00Z".parse().unwrap())) }
}

impl Site {
    fn access(&self) -> Access {
        let clock = Arc::clone(&self.clock);
        let http = Http::new(HttpConfig::new(Arc::new(move || *clock.lock().unwrap()))).unwrap();
        let key = json!({"service_account_id": "serviceaccount-a", "public_key_id": "publickey-b",
                         "private_key": PRIVATE_KEY, "tenant_id": "tenant-c"});
        let addresses = [("nebius".to_owned(), self.server.uri())].into();
        Access { http, key: Secret::new(key.to_string()), addresses }
    }

    fn session(&self) -> Session {
        Session::new(self.access()).unwrap()
    }

    fn cloud(&self) -> Box<dyn Cloud> {
        (cloud("nebius").unwrap().open)(self.access()).unwrap()
    }

    /// The requests to a path that ends so.
    async fn asked(&self, end: &str) -> Vec<Request> {
        let all = self.server.received_requests().await.unwrap();
        all.into_iter().filter(|request| request.url.path().ends_with(end)).collect()
    }
}

fn homes() -> Vec<u8> {
    let project = Project {
        metadata: Some(Metadata {
            id: "project-n".to_owned(),
            name: "north".to_owned(),
            ..Metadata::default()
        }),
        status: Some(ProjectStatus { region: "eu-north1".to_owned() }),
    };
    List { items: vec![project.encode_to_vec()], next_page_token: String::new() }.encode_to_vec()
}

fn subnets() -> Vec<u8> {
    let named = |id: &str, name: &str| {
        let metadata = Metadata { id: id.to_owned(), name: name.to_owned(), ..Metadata::default() };
        Named { metadata: Some(metadata) }.encode_to_vec()
    };
    let items = vec![named("subnet-x", "other"), named("subnet-d", "default-subnet-1")];
    List { items, next_page_token: String::new() }.encode_to_vec()
}

/// A site where a launch comes as far as its order, which is answered so.
async fn ordering(create: impl Fn() -> Said + Send + Sync + 'static) -> Site {
    site(move |method| match method {
        "nebius.iam.v1.ProjectService/List" => Ok(homes()),
        "nebius.vpc.v1.SubnetService/List" => Ok(subnets()),
        "nebius.compute.v1.InstanceService/Create" => create(),
        _ => Err((5, ServiceError::default())),
    })
    .await
}

fn order(kind: &str) -> Launch {
    let offer: Offer = serde_json::from_value(json!({
        "id": "nebius:gpu-h200-sxm/1gpu-16vcpu-200gb@eu-north1", "provider": "nebius", "cloud": "nebius", "source": "live",
        "name": "gpu-h200-sxm/1gpu-16vcpu-200gb", "form": "vm", "isolation": "vm", "gpu": {"count": 1, "raw_name": "gpu-h200-sxm"},
        "place": {"region": "eu-north1"}, "price": {"kind": kind, "currency": "USD", "per_hour": "3.5"}, "supply": {"state": "in-stock"},
    }))
    .unwrap();
    let image = Image {
        id: "ubuntu24.04-cuda13.0".to_owned(),
        title: "the usual one".to_owned(),
        kind: ImageKind::Cuda,
    };
    Launch {
        offer,
        spec: Spec {
            image,
            disk_gb: Some(120),
            ssh_public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 anna@desk".to_owned(),
            ssh_identity: None,
        },
        token: "gpudesk-01jdx3".to_owned(),
        name: "anna-1".to_owned(),
        tags: vec![("gpudesk-until".to_owned(), "2026-11-30T12:00:00Z".to_owned())],
        user_data: String::new(),
        bid_per_hour: None,
        end_at: None,
    }
}

fn made() -> Said {
    Ok(Operation { resource_id: "computeinstance-e00a".to_owned(), status: None }.encode_to_vec())
}

/// The order that was sent.
async fn sent(site: &Site) -> Instance {
    let request = site.asked("InstanceService/Create").await.remove(0);
    assert_eq!(request.headers.get("x-idempotency-key").unwrap(), "gpudesk-01jdx3");
    Instance::decode(&request.body[5..]).unwrap()
}

#[tokio::test]
async fn a_launch_says_all_that_matters() {
    let site = ordering(made).await;
    let launched = site.cloud().launch(&order("on-demand")).await.unwrap();
    assert_eq!(launched.remote_id, "computeinstance-e00a");
    let sent = sent(&site).await;
    let (about, spec) = (sent.metadata.unwrap(), sent.spec.unwrap());
    assert_eq!((about.parent_id.as_str(), about.name.as_str()), ("project-n", "gpudesk-01jdx3"));
    assert_eq!(about.labels["gpudesk"], "gpudesk-01jdx3");
    assert_eq!(about.labels["gpudesk-until"], "2026-11-30t12-00-00z");
    let size = spec.resources.unwrap();
    assert_eq!((size.platform.as_str(), size.preset.as_str()), ("gpu-h200-sxm", "1gpu-16vcpu-200gb"));
    let net = &spec.network_interfaces[0];
    assert_eq!(net.subnet_id, "subnet-d");
    assert!(net.ip_address.is_some() && net.public_ip_address.is_some(), "both empty, and both there");
    let disk = spec.boot_disk.unwrap().managed_disk.expect("one that ends with its machine").spec.unwrap();
    assert_eq!(
        (disk.size_gibibytes, disk.source_image_family.unwrap().image_family.as_str()),
        (120, "ubuntu24.04-cuda13.0")
    );
    assert!(spec.cloud_init_user_data.contains("AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1"), "there is no other way in");
    assert_eq!(spec.recovery_policy, 1, "a shutdown from inside must not start it again");
    assert_eq!(spec.reservation_policy.unwrap().policy, 1, "no reservation is used up unasked");
    assert!(spec.preemptible.is_none() && spec.follows_spot_price.is_none());
}

#[tokio::test]
async fn a_preemptible_machine_has_a_policy_and_a_kind_of_price() {
    let site = ordering(made).await;
    site.cloud().launch(&order("spot")).await.unwrap();
    let spec = sent(&site).await.spec.unwrap();
    assert_eq!((spec.preemptible.unwrap().on_preemption, spec.recovery_policy), (1, 1));
    assert!(spec.follows_spot_price.is_some());
}

fn lacking(quota: bool) -> ServiceError {
    let violation = Violation { what: "gpu".to_owned(), message: "none left".to_owned() };
    let violations = Some(Violations { violations: vec![violation] });
    if quota {
        ServiceError { quota_failure: violations, ..ServiceError::default() }
    } else {
        ServiceError { not_enough_resources: violations, ..ServiceError::default() }
    }
}

#[tokio::test]
async fn a_refused_launch_is_told_apart_by_its_details() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, Quota, Refused};
    let none = ServiceError::default;
    for (code, details, expected, effect) in [
        (8, lacking(true), Quota, Effect::Nothing),
        (8, lacking(false), NoCapacity, Effect::Nothing),
        (
            8,
            ServiceError { too_many_requests: Some(super::wire::Empty {}), ..none() },
            Http(SourceErrorCode::RateLimited),
            Effect::Nothing,
        ),
        (16, none(), BadKey, Effect::Nothing),
        (7, none(), Forbidden, Effect::Nothing),
        (3, none(), Refused, Effect::Nothing),
        (5, none(), Refused, Effect::Nothing),
        (13, none(), Http(SourceErrorCode::ProviderDown), Effect::Unclear),
    ] {
        let site = ordering(move || Err((code, details.clone()))).await;
        let error = site.cloud().launch(&order("on-demand")).await.unwrap_err();
        assert_eq!((error.code, &error.effect), (expected, &effect), "{code}: {error}");
        assert!(error.detail.contains("words of theirs"), "{error}");
        assert_eq!(site.asked("/Create").await.len(), 1, "never sent twice");
    }
}

#[tokio::test]
async fn a_lack_may_be_told_by_the_operation() {
    let site = ordering(|| {
        let any = Any {
            type_url: "type.googleapis.com/nebius.common.v1.ServiceError".to_owned(),
            value: lacking(false).encode_to_vec(),
        };
        let status = RpcStatus { code: 8, message: "no hosts".to_owned(), details: vec![any] };
        Ok(Operation { resource_id: "computeinstance-e00a".to_owned(), status: Some(status) }.encode_to_vec())
    })
    .await;
    let error = site.cloud().launch(&order("on-demand")).await.unwrap_err();
    assert_eq!((error.code, error.effect), (CloudErrorCode::NoCapacity, Effect::Nothing), "and it is gone");
}

fn estimate(costs: &[(&str, &str)], currency: &str) -> Said {
    let cost = |(unit, cost): &(&str, &str)| TotalCost {
        unit: Some(Unit { unit: (*unit).to_owned() }),
        general: Some(GeneralCost { total: Some(Cost { cost: (*cost).to_owned() }) }),
    };
    let total_costs = costs.iter().map(cost).collect();
    Ok(EstimateResponse { total_costs, currency: currency.to_owned() }.encode_to_vec())
}

#[tokio::test]
async fn a_price_is_the_hours_and_zero_is_none() {
    let wanted = Wanted {
        project: "project-n".to_owned(),
        platform: "gpu-h200-sxm".to_owned(),
        preset: "1gpu".to_owned(),
        preemptible: false,
    };
    for (answer, expected) in [
        (estimate(&[("month", "2520"), ("hour", "3.5")], "usd"), Some("3.5 USD")),
        (estimate(&[("hour", "12.9000")], "ils"), Some("12.9 ILS")),
        (estimate(&[("hour", "0")], "usd"), None),
        (estimate(&[("hour", "-1")], "usd"), None),
        (estimate(&[("month", "2520")], "usd"), None),
        (estimate(&[("hour", "much")], "usd"), None),
        (Err((3, ServiceError::default())), None),
    ] {
        let site = site(move |_| answer.clone()).await;
        let told = price(&site.session(), "offers", &wanted).await.unwrap();
        assert_eq!(told.map(|(cost, currency)| format!("{cost} {currency}")).as_deref(), expected);
    }
    let site = site(|_| Err((7, ServiceError::default()))).await;
    let refused = price(&site.session(), "offers", &wanted).await.unwrap_err();
    assert_eq!(refused.code, CloudErrorCode::Forbidden, "a right that is missing is no missing price");
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_again_before_its_end() {
    let site = site(|_| Ok(homes())).await;
    let session = site.session();
    let homes = async || super::api::homes(&session, "account").await.unwrap();
    assert_eq!(homes().await[0].region, "eu-north1");
    homes().await;
    assert_eq!(site.asked("/exchange").await.len(), 1);
    *site.clock.lock().unwrap() += TimeDelta::minutes(59);
    homes().await;
    let asked = site.asked("/exchange").await;
    assert_eq!(asked.len(), 2);
    let form = String::from_utf8_lossy(&asked[0].body).into_owned();
    assert!(form.contains("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"), "{form}");
    assert!(!form.contains("PRIVATE"), "the key itself stays here");
}

#[tokio::test]
async fn a_key_whose_private_half_is_none_is_refused_without_repeating_it() {
    let site = site(|_| Ok(homes())).await;
    let key =
        json!({"service_account_id": "a", "public_key_id": "b", "private_key": "hush", "tenant_id": "c"});
    let access = Access { key: Secret::new(key.to_string()), ..site.access() };
    let error = Session::new(access).err().unwrap();
    assert_eq!(error.code, CloudErrorCode::BadKey);
    assert!(error.detail.contains("private_key") && !format!("{error:?}").contains("hush"), "{error:?}");
}

#[tokio::test]
async fn a_list_that_is_not_grpc_or_does_not_end_proves_nothing() {
    let instance = |id: &str| {
        let metadata = Metadata { id: id.to_owned(), ..Metadata::default() };
        Instance { metadata: Some(metadata), ..Instance::default() }.encode_to_vec()
    };
    let rows = List { items: vec![instance("a"), instance("b")], next_page_token: String::new() };
    let endless = List { next_page_token: "again".to_owned(), ..rows.clone() };
    let broken = List { items: vec![instance("a"), vec![0xff]], next_page_token: String::new() };
    for (list, complete) in [(rows, true), (endless, false), (broken, false)] {
        let site = site(move |method| match method {
            "nebius.iam.v1.ProjectService/List" => Ok(homes()),
            _ => Ok(list.encode_to_vec()),
        })
        .await;
        let listing = site.cloud().list().await.unwrap();
        assert_eq!(listing.complete, complete, "{:?}", listing.unreadable);
    }
}
