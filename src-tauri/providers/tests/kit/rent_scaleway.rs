//! Renting at Scaleway, and its list of offers: answers by zone, as its specification and recorded answers have them.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::SupplyState;
use gpudesk_core::rental::MachineState;
use gpudesk_providers::cloud::{Access, Cloud, CloudErrorCode, Effect, Launch, Look, Quote, cloud};
use gpudesk_providers::http::Secret;
use gpudesk_providers::scaleway::Scaleway;
use gpudesk_providers::{SourceConfig, SourceErrorCode};
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::rent_support::{PUBLIC_KEY, decimal, launch, offer};
use crate::support::{fetch_with, kit, offer as found};

const SECRET: &str = "11111111-aaaa-4bbb-8ccc-222222222222";
const ID: &str = "4f0b4b56-0000-4000-8000-000000000041";
const REMOTE: &str = "fr-par-2_4f0b4b56-0000-4000-8000-000000000041";
const DISK: &str = "9d000000-0000-4000-8000-000000000007";

fn key() -> Secret {
    Secret::new(
        json!({"secret_key": SECRET, "project_id": "33333333-aaaa-4bbb-8ccc-222222222222"}).to_string(),
    )
}

/// A site whose answer follows from the method and the path with its query.
async fn site(answer: impl Fn(&str, &str) -> (u16, Value) + Send + Sync + 'static) -> MockServer {
    let server = MockServer::start().await;
    let respond = move |request: &Request| {
        assert_eq!(request.headers.get("x-auth-token").unwrap(), SECRET);
        let query = request.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        let (status, mut body) = answer(request.method.as_str(), &format!("{}{query}", request.url.path()));
        let mut response = ResponseTemplate::new(status);
        if let Some(total) = body.as_object_mut().and_then(|body| body.remove("x-total-count")) {
            response = response.insert_header("x-total-count", total.to_string().as_str());
        }
        response.set_body_json(body)
    };
    Mock::given(any()).respond_with(respond).mount(&server).await;
    server
}

fn open(server: &MockServer) -> Box<dyn Cloud> {
    let (http, _) = kit();
    let addresses = [("scaleway".to_owned(), server.uri())].into();
    (cloud("scaleway").unwrap().open)(Access { http, key: key(), addresses }).unwrap()
}

/// Method, path and body of every request so far.
async fn asked(server: &MockServer) -> Vec<(String, String)> {
    let requests = server.received_requests().await.unwrap();
    requests
        .iter()
        .map(|r| (format!("{} {}", r.method, r.url.path()), String::from_utf8_lossy(&r.body).into_owned()))
        .collect()
}

async fn lines(server: &MockServer) -> Vec<String> {
    asked(server).await.into_iter().map(|(line, _)| line).collect()
}

fn kind(gpu: &Value, name: &str, gib: u64, price: f64) -> Value {
    let info = if gpu.is_null() {
        Value::Null
    } else {
        json!({"gpu_manufacturer": "NVIDIA", "gpu_name": name, "gpu_memory": gib * 1_073_741_824})
    };
    json!({"hourly_price": price, "monthly_price": price * 730.0, "gpu": gpu, "gpu_info": info, "mig_profile": null,
           "ncpus": 8, "ram": 51_539_607_552_u64, "arch": "x86_64", "end_of_service": false,
           "volumes_constraint": {"min_size": 0, "max_size": 0}, "network": {"sum_internet_bandwidth": 2_500_000_000_u64}})
}

fn types() -> Value {
    let mut old = kind(&json!(1), "P100", 16, 1.24);
    old["end_of_service"] = json!(true);
    let mut local = kind(&json!(8), "H100-SXM", 80, 23.03);
    local["volumes_constraint"]["max_size"] = json!(400_000_000_000_u64);
    json!({
        "L4-1-24G": kind(&json!(1), "L4", 24, 0.7875),
        "H100-1-80G": kind(&json!(1), "H100-PCIe", 80, 2.73),
        "H100-SXM-8-80G": local,
        "RENDER-S": old,
        "DEV1-S": kind(&Value::Null, "", 0, 0.0088),
        "Q9-1-500G": kind(&json!(1), "Q9", 500, 9.0),
        "BROKEN": 7,
    })
}

fn market(_: &str, path: &str) -> (u16, Value) {
    let stock = json!({"L4-1-24G": {"availability": "scarce"}, "H100-1-80G": {"availability": "shortage"},
                       "H100-SXM-8-80G": {"availability": "available"}});
    let here = ["fr-par-2", "fr-par-3", "pl-waw-2"].iter().any(|zone| path.contains(zone));
    match path {
        _ if path.contains("/it-mil-1/") => {
            (404, json!({"type": "unknown_resource", "message": "no such zone"}))
        }
        _ if path.contains("/availability") => (200, json!({"servers": stock})),
        _ if path.contains("/products/servers") && here => {
            (200, json!({"servers": types(), "x-total-count": 7}))
        }
        _ => (200, json!({"servers": {}, "x-total-count": 0})),
    }
}

async fn offers(server: &MockServer) -> Result<gpudesk_core::feed::Fetched, gpudesk_providers::SourceError> {
    let mut config = SourceConfig::default();
    config.set_address("scaleway", &server.uri());
    let (http, _) = kit();
    fetch_with(&Scaleway::new(&config), &http, Some(&key())).await
}

#[tokio::test]
async fn types_become_offers_by_zone_in_euros() {
    let fetched = offers(&site(market).await).await.unwrap();
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (21, 12, 3));
    let l4 = found(&fetched, "scaleway:L4-1-24G@fr-par-2");
    assert_eq!((l4.price.per_hour, &l4.price.currency), (decimal("0.7875"), &Currency::EUR));
    assert_eq!((l4.gpu.model.as_deref(), l4.gpu.vram_gib, l4.ram_gib), (Some("L4"), Some(24.0), Some(48.0)));
    assert_eq!(
        (l4.net.up_mbit_s, l4.disk.max_gb, l4.disk.included_gb),
        (Some(2500.0), None, None),
        "no disk in the price"
    );
    assert_eq!((l4.supply.state, l4.price.increment_s), (SupplyState::InStock, Some(60)), "scarce is there");
    assert_eq!((l4.place.country.as_deref(), l4.place.seller.as_deref()), (Some("FR"), Some("FR")));
    assert_eq!(l4.price.storage_gb_month, Some(decimal("0.08614")));
    let dear = found(&fetched, "scaleway:L4-1-24G@fr-par-3");
    assert_eq!(dear.price.storage_gb_month, Some(decimal("0.12921")), "half as much again in this zone");
    let pcie = found(&fetched, "scaleway:H100-1-80G@pl-waw-2");
    assert_eq!((pcie.gpu.model.as_deref(), pcie.supply.state), (Some("H100 PCIe"), SupplyState::OutOfStock));
    assert_eq!(pcie.place.country.as_deref(), Some("PL"));
    let sxm = found(&fetched, "scaleway:H100-SXM-8-80G@fr-par-2");
    assert_eq!(
        (sxm.gpu.model.as_deref(), sxm.gpu.vram_gib, sxm.disk.max_gb),
        (Some("H100 SXM"), Some(80.0), Some(400.0))
    );
    let unknown = found(&fetched, "scaleway:Q9-1-500G@fr-par-2");
    assert_eq!(
        (unknown.supply.state, unknown.gpu.model.as_deref()),
        (SupplyState::Unknown, None),
        "no word of its stock"
    );
    assert!(fetched.offers.iter().all(|offer| offer.name != "RENDER-S"), "at the end of its service");
}

#[tokio::test]
async fn a_lost_page_and_a_wrong_key_are_errors() {
    let lost = site(|_, _| {
        (200, json!({"servers": {"L4-1-24G": kind(&json!(1), "L4", 24, 0.7875)}, "x-total-count": 150}))
    })
    .await;
    assert_eq!(offers(&lost).await.unwrap_err().code, SourceErrorCode::BadAnswer);
    let wrong = site(|_, _| (401, json!({"type": "denied_authentication", "method": "api_key"}))).await;
    assert_eq!(offers(&wrong).await.unwrap_err().code, SourceErrorCode::ProviderRefused);
    let (http, _) = kit();
    let access = Access { http, key: Secret::new(r#"{"secret_key": "hush"}"#), addresses: [].into() };
    let error = (cloud("scaleway").unwrap().open)(access).err().unwrap();
    assert_eq!(error.code, CloudErrorCode::BadKey);
    assert!(error.detail.contains("project_id") && !format!("{error:?}").contains("hush"), "{error:?}");
}

fn order() -> Launch {
    let offer = offer("scaleway:L4-1-24G@fr-par-2", "L4-1-24G", "L4", 1, "on-demand", "fr-par-2");
    let mut order = launch(offer, "ubuntu_noble_gpu_os_13_nvidia");
    order.spec.disk_gb = Some(150);
    order
}

fn server(state: &str) -> Value {
    json!({"id": ID, "name": "gpudesk-01jdx3", "state": state, "tags": ["gpudesk", "gpudesk-01jdx3"], "commercial_type": "L4-1-24G",
           "public_ips": [], "zone": "fr-par-2", "protected": false,
           "volumes": {"0": {"id": DISK, "volume_type": "sbs_volume", "boot": true, "state": "available"}}})
}

#[tokio::test]
async fn a_launch_is_made_given_its_key_and_powered_on() {
    let at = site(|method, path| match (method, path) {
        ("POST", path) if path.ends_with("/servers") => (201, json!({"server": server("stopped")})),
        _ => (200, json!({"task": {"id": "t"}})),
    })
    .await;
    assert_eq!(open(&at).launch(&order()).await.unwrap().remote_id, REMOTE);
    let asked = asked(&at).await;
    let made: Value = serde_json::from_str(&asked[0].1).unwrap();
    assert_eq!(
        made,
        json!({
            "name": "gpudesk-01jdx3", "commercial_type": "L4-1-24G", "project": "33333333-aaaa-4bbb-8ccc-222222222222",
            "image": "ubuntu_noble_gpu_os_13_nvidia", "dynamic_ip_required": true, "protected": false,
            "volumes": {"0": {"name": "gpudesk-01jdx3", "size": 150_000_000_000_u64, "volume_type": "sbs_volume", "boot": true}},
            "tags": ["gpudesk", "gpudesk-01jdx3", "gpudesk:until=2026-11-30T12:00:00Z", "AUTHORIZED_KEY=ssh-ed25519_AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1_anna@desk"],
        })
    );
    assert_eq!(asked[1].0, format!("PATCH /instance/v1/zones/fr-par-2/servers/{ID}/user_data/cloud-init"));
    assert!(asked[1].1.starts_with("#cloud-config\n") && asked[1].1.contains(PUBLIC_KEY), "{}", asked[1].1);
    assert_eq!(asked[2].0, format!("POST /instance/v1/zones/fr-par-2/servers/{ID}/action"));
    assert_eq!(asked[2].1, r#"{"action":"poweron"}"#);
}

/// A launch whose making, user data and power-on are answered so.
async fn failing(
    make: (u16, Value),
    data: u16,
    power: (u16, Value),
    undo: u16,
) -> (gpudesk_providers::cloud::CloudError, Vec<String>) {
    let at = site(move |method, path| match (method, path) {
        ("POST", path) if path.ends_with("/servers") => make.clone(),
        ("POST", _) => power.clone(),
        ("PATCH", _) => (data, json!({"type": "invalid_arguments", "message": "x"})),
        ("DELETE", _) => (undo, json!({})),
        _ => (200, json!({"server": server("stopped")})),
    })
    .await;
    let error = open(&at).launch(&order()).await.unwrap_err();
    (error, lines(&at).await)
}

#[tokio::test]
async fn what_a_failed_power_on_leaves_behind_is_taken_back() {
    let made = || (201, json!({"server": server("stopped")}));
    let stock =
        || (400, json!({"type": "out_of_stock", "message": "resource is out of stock", "resource": "L4"}));
    let (error, asked) = failing(made(), 204, stock(), 204).await;
    assert_eq!((error.code, error.effect), (CloudErrorCode::NoCapacity, Effect::Nothing));
    assert_eq!(
        asked[asked.len() - 2..],
        [
            format!("DELETE /instance/v1/zones/fr-par-2/servers/{ID}"),
            format!("DELETE /block/v1/zones/fr-par-2/volumes/{DISK}"),
        ]
    );
    let (error, _) = failing(made(), 204, stock(), 500).await;
    assert_eq!(
        error.effect,
        Effect::Made { remote_id: REMOTE.to_owned() },
        "what could not be taken back is named"
    );
    let (error, asked) = failing(made(), 400, stock(), 204).await;
    assert_eq!((error.code, error.effect), (CloudErrorCode::Refused, Effect::Nothing));
    assert!(!asked.iter().any(|line| line.ends_with("/action")), "no power without a key");
    let (error, asked) = failing(made(), 204, (500, json!({"message": "x"})), 204).await;
    assert_eq!(error.effect, Effect::Made { remote_id: REMOTE.to_owned() }, "it may be starting");
    assert!(!asked.iter().any(|line| line.starts_with("DELETE")));
}

#[tokio::test]
async fn a_refused_launch_is_told_apart_by_type_and_words() {
    use CloudErrorCode::{BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let none = || (200, json!({}));
    for (status, body, code, effect) in [
        (
            403,
            json!({"type": "quotas_exceeded", "details": [{"resource": "L4", "quota": 0, "current": 0}]}),
            Quota,
            Effect::Nothing,
        ),
        (
            400,
            json!({"type": "invalid_request_error", "message": "x", "fields": {"volumes": ["Quota exceeded for this resource."]}}),
            Quota,
            Effect::Nothing,
        ),
        (503, json!({"type": "out_of_stock", "message": "x"}), NoCapacity, Effect::Nothing),
        (401, json!({"type": "denied_authentication"}), BadKey, Effect::Nothing),
        (
            403,
            json!({"type": "permissions_denied", "message": "insufficient permissions"}),
            Forbidden,
            Effect::Nothing,
        ),
        (
            412,
            json!({"type": "precondition_failed", "message": "billing: no payment method"}),
            NoFunds,
            Effect::Nothing,
        ),
        (
            412,
            json!({"type": "precondition_failed", "message": "resource is in another state"}),
            Conflict,
            Effect::Nothing,
        ),
        (400, json!({"type": "invalid_arguments", "message": "image"}), Refused, Effect::Nothing),
        (404, json!({"type": "not_found", "resource": "image"}), Refused, Effect::Nothing),
        (500, json!({"message": "internal"}), Http(SourceErrorCode::ProviderDown), Effect::Unclear),
        (201, json!({"server": {}}), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let words = body.to_string();
        let (error, asked) = failing((status, body), 204, none(), 204).await;
        assert_eq!((error.code, &error.effect), (code, &effect), "{words}");
        assert_eq!(asked.len(), 1, "never sent twice: {words}");
    }
}

#[tokio::test]
async fn every_zone_is_listed_and_a_failed_one_costs_the_proof_only() {
    let at = site(|_, path| {
        if path.contains("/fr-par-2/") {
            (200, json!({"servers": [server("running")], "x-total-count": 1}))
        } else {
            (200, json!({"servers": [], "x-total-count": 0}))
        }
    })
    .await;
    let listing = open(&at).list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (true, 1));
    assert_eq!(
        (listing.machines[0].remote_id.as_str(), listing.machines[0].token.as_deref()),
        (REMOTE, Some("gpudesk-01jdx3"))
    );
    assert_eq!(lines(&at).await.len(), 10);
    for (status, body, why) in [
        (500, json!({}), "a zone is down"),
        (200, json!({"servers": [], "x-total-count": 3}), "a page is lost"),
        (200, json!({"servers": [{"state": "running"}], "x-total-count": 1}), "a row that cannot be read"),
        (200, json!({"servers": []}), "no count"),
        (200, json!({"message": "try later"}), "an odd envelope"),
    ] {
        let at = site(move |_, path| {
            if path.contains("/pl-waw-1/") {
                (status, body.clone())
            } else {
                (200, json!({"servers": [], "x-total-count": 0}))
            }
        })
        .await;
        assert!(!open(&at).list().await.unwrap().complete, "{why}");
    }
    let wrong = site(|_, _| (401, json!({"type": "denied_authentication"}))).await;
    assert_eq!(open(&wrong).list().await.unwrap_err().code, CloudErrorCode::BadKey);
}

#[tokio::test]
async fn an_end_marks_the_disk_and_the_look_after_it_deletes_it() {
    let running = site(|method, _| match method {
        "GET" => (200, json!({"server": server("running")})),
        _ => (200, json!({})),
    })
    .await;
    open(&running).end(REMOTE).await.unwrap();
    let asked_of = asked(&running).await;
    assert_eq!(asked_of[2].0, format!("PATCH /block/v1/zones/fr-par-2/volumes/{DISK}"));
    assert_eq!(
        serde_json::from_str::<Value>(&asked_of[2].1).unwrap(),
        json!({"tags": ["gpudesk", format!("gpudesk-end-{ID}")]})
    );
    assert_eq!(asked_of[1].1, r#"{"action":"terminate"}"#);

    let gone = site(|method, path| match (method, path) {
        ("GET", path) if path.contains("/volumes") => {
            assert!(path.contains(&format!("tags=gpudesk-end-{ID}")));
            (200, json!({"volumes": [{"id": DISK, "references": []}], "total_count": 1}))
        }
        ("DELETE", _) => (204, Value::Null),
        _ => (404, json!({"type": "not_found"})),
    })
    .await;
    assert_eq!(open(&gone).look(REMOTE).await.unwrap(), Look::Absent);
    assert_eq!(
        lines(&gone).await.last().unwrap(),
        &format!("DELETE /block/v1/zones/fr-par-2/volumes/{DISK}")
    );

    let busy = site(|method, path| match (method, path) {
        ("GET", path) if path.contains("/volumes") => {
            (200, json!({"volumes": [{"id": DISK}], "total_count": 1}))
        }
        ("DELETE", _) => (412, json!({"type": "precondition_failed", "message": "in use"})),
        _ => (404, json!({"type": "not_found"})),
    })
    .await;
    let Look::There(machine) = open(&busy).look(REMOTE).await.unwrap() else { panic!("its disk is there") };
    assert_eq!(machine.state, MachineState::Ending);
}

#[tokio::test]
async fn an_end_of_what_stands_deletes_server_and_disk_and_of_what_is_gone_nothing() {
    let stands = site(|method, _| match method {
        "GET" => (200, json!({"server": server("stopped")})),
        _ => (204, Value::Null),
    })
    .await;
    open(&stands).end(REMOTE).await.unwrap();
    assert_eq!(
        lines(&stands).await[1..],
        [
            format!("DELETE /instance/v1/zones/fr-par-2/servers/{ID}"),
            format!("DELETE /block/v1/zones/fr-par-2/volumes/{DISK}"),
        ]
    );
    let gone = site(|_, path| {
        if path.contains("/block/") {
            (200, json!({"volumes": [], "total_count": 0}))
        } else {
            (404, json!({"type": "not_found"}))
        }
    })
    .await;
    open(&gone).end(REMOTE).await.unwrap();
    let mut locked = server("running");
    locked["protected"] = json!(true);
    let held = site(move |_, _| (200, json!({"server": locked.clone()}))).await;
    assert_eq!(open(&held).end(REMOTE).await.unwrap_err().code, CloudErrorCode::Conflict);
    let idle = site(|_, _| (200, json!({}))).await;
    for bad in ["nozone", "a/b_c", ""] {
        assert_eq!(open(&idle).end(bad).await.unwrap_err().code, CloudErrorCode::NoSuchMachine, "{bad}");
    }
}

#[tokio::test]
async fn a_stop_powers_off_and_a_start_may_find_no_card() {
    let at = site(|_, _| (202, json!({"task": {}}))).await;
    let cloud = open(&at);
    cloud.stop(REMOTE).await.unwrap();
    assert_eq!(asked(&at).await[0].1, r#"{"action":"poweroff"}"#, "never stop_in_place, which is billed on");
    assert!(cloud.terms().stop.ends_compute && cloud.terms().stop.start_may_wait);
    assert_eq!(cloud.terms().stop.guest_shutdown_ends_compute, Some(false));
    let full = site(|_, _| (400, json!({"type": "out_of_stock", "resource": "L4"}))).await;
    assert_eq!(open(&full).start(REMOTE).await.unwrap_err().code, CloudErrorCode::NoCapacity);
    let busy = site(|_, _| (409, json!({"type": "transient_state", "current_state": "starting"}))).await;
    assert_eq!(open(&busy).stop(REMOTE).await.unwrap_err().code, CloudErrorCode::Conflict);
}

#[tokio::test]
async fn a_quote_needs_the_type_in_stock_in_its_zone() {
    let at = site(market).await;
    let Quote::Stands(now) = open(&at).quote(&order().offer, None).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!(now.price.per_hour, decimal("0.7875"));
    for (name, zone) in [("H100-1-80G", "fr-par-2"), ("L4-1-24G", "nl-ams-1"), ("RENDER-S", "fr-par-2")] {
        let gone = offer(&format!("scaleway:{name}@{zone}"), name, "x", 1, "on-demand", zone);
        assert!(matches!(open(&at).quote(&gone, None).await.unwrap(), Quote::Gone { .. }), "{name} {zone}");
    }
}

#[tokio::test]
async fn volumes_and_addresses_without_a_machine_are_left_over() {
    let at = site(|_, path| match path {
        _ if !path.contains("fr-par-1") => (200, json!({"volumes": [], "ips": [], "x-total-count": 0})),
        _ if path.contains("/volumes") => (200, json!({"volumes": [
            {"id": "v1", "name": "gpudesk-01jdx3", "size": 150_000_000_000_u64, "references": []},
            {"id": "v2", "name": "in use", "size": 1, "references": [{"id": "r"}]},
        ], "total_count": 2})),
        _ => (200, json!({"ips": [{"id": "i1", "address": "203.0.113.7", "server": null},
                                  {"id": "i2", "address": "203.0.113.8", "server": {"id": "s"}}], "x-total-count": 2})),
    }).await;
    let left = open(&at).leftovers().await.unwrap();
    let ids: Vec<&str> = left.iter().map(|one| one.remote_id.as_str()).collect();
    assert_eq!(ids, ["fr-par-1_v1", "fr-par-1_i1"]);
    assert_eq!((left[0].size_gb, left[0].per_month), (Some(decimal("150")), Some(decimal("12.921"))));
}

#[tokio::test]
async fn its_tags_go_out_whole_with_the_key_that_one_of_them_lets_in() {
    let at = site(|_, _| {
        let mut server = server("running");
        server["tags"] = json!([
            "gpudesk",
            "gpudesk-01jdx3",
            "gpudesk:until=2026-11-30T12:00:00Z",
            "AUTHORIZED_KEY=ssh-ed25519_AAAA_anna",
            "team"
        ]);
        (200, json!({ "server": server }))
    })
    .await;
    let until = [("until".to_owned(), "2026-11-30T20:00:00Z".to_owned())];
    open(&at).retag(REMOTE, &until).await.unwrap();
    let path = format!("/instance/v1/zones/fr-par-2/servers/{ID}");
    assert_eq!(lines(&at).await, [format!("GET {path}"), format!("PATCH {path}")]);
    let sent: Value = serde_json::from_str(&asked(&at).await[1].1).unwrap();
    let tags = [
        "gpudesk",
        "gpudesk-01jdx3",
        "AUTHORIZED_KEY=ssh-ed25519_AAAA_anna",
        "team",
        "gpudesk:until=2026-11-30T20:00:00Z",
    ];
    assert_eq!(sent, json!({ "tags": tags }));
    let untold = site(|_, _| {
        let mut server = server("running");
        server["tags"] = Value::Null;
        (200, json!({ "server": server }))
    })
    .await;
    assert_eq!(open(&untold).retag(REMOTE, &until).await.unwrap_err().code, CloudErrorCode::Refused);
    assert_eq!(lines(&untold).await.len(), 1, "nothing is written back that was not read");
    let gone = site(|_, _| (404, json!({"type": "not_found", "resource": "instance_server"}))).await;
    assert_eq!(open(&gone).retag(REMOTE, &until).await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
}
