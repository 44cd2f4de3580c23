//! Renting at DigitalOcean, and its list of offers. Shapes and odd answers as its own specification and examples have
//! them.

use gpudesk_core::offer::{PriceKind, SupplyState};
use gpudesk_core::rental::MachineState;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use gpudesk_providers::digitalocean::DigitalOcean;
use gpudesk_providers::http::Secret;
use gpudesk_providers::{OfferSource, SourceConfig, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{KEY, PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::{RawServer, Say, fetch_with, kit, offer as found};

const ME: &str = "digitalocean";

fn size(slug: &str, model: &str, count: u32, vram: u32, price: f64, regions: &Value) -> Value {
    json!({"slug": slug, "memory": 245_760, "vcpus": 24, "disk": 720, "transfer": 15.0, "price_hourly": price,
           "price_monthly": price * 744.0, "regions": regions, "available": true, "description": "GPU",
           "networking_throughput": 10_000,
           "disk_info": [{"type": "local", "size": {"amount": 720, "unit": "gib"}}, {"type": "scratch", "size": {"amount": 5120, "unit": "gib"}}],
           "gpu_info": {"count": count, "model": model, "vram": {"amount": vram, "unit": "gib"}}})
}

fn sizes() -> Vec<Value> {
    let mut closed = size("gpu-l40sx1-48gb", "nvidia_l40s", 1, 48, 1.57, &json!(["tor1"]));
    closed["available"] = json!(false);
    let mut textual = size("gpu-4000adax1-20gb", "nvidia_rtx4000_ada", 1, 20, 0.76, &json!(["atl1"]));
    textual["price_hourly"] = json!("0.76");
    let mut free = size("gpu-h100x1-80gb", "nvidia_h100", 1, 80, 0.0, &json!(["nyc2"]));
    free["price_hourly"] = Value::Null;
    vec![
        json!({"slug": "s-1vcpu-1gb", "memory": 1024, "vcpus": 1, "disk": 25, "price_hourly": 0.00744, "price_monthly": 5.0,
               "regions": ["ams3"], "available": true, "description": "Basic"}),
        size("gpu-h200x1-141gb", "nvidia_h200", 1, 141, 3.44, &json!(["nyc2", "atl1", "mars1"])),
        size("gpu-h100x8-640gb", "nvidia_h100", 8, 640, 23.92, &json!(["tor1"])),
        size("gpu-mi300x8-1536gb", "amd_mi300x", 8, 1536, 15.92, &json!([])),
        size("gpu-mi300x8-1536gb-contracted", "amd_mi300x", 8, 1536, 11.92, &json!(["atl1"])),
        size("gpu-6000adax1-48gb", "nvidia_rtx6000_ada", 1, 48, 1.57, &json!(["tor1"])),
        closed,
        textual,
        free,
        json!(7),
    ]
}

fn page(key: &str, rows: &[Value], total: usize, next: bool) -> Say {
    let links =
        if next { json!({"pages": {"next": "https://api.digitalocean.com/v2/x?page=2"}}) } else { json!({}) };
    ok(&json!({key: rows, "links": links, "meta": {"total": total}}))
}

fn all(key: &str, rows: &[Value]) -> Say {
    page(key, rows, rows.len(), false)
}

async fn offers(script: Vec<Say>) -> Result<gpudesk_core::feed::Fetched, gpudesk_providers::SourceError> {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address(ME, server.url.as_str());
    let (http, _) = kit();
    fetch_with(&DigitalOcean::new(&config), &http, Some(&Secret::new(KEY))).await
}

#[tokio::test]
async fn sizes_become_offers_by_region_over_all_pages() {
    let sizes = sizes();
    let script = vec![
        page("sizes", &sizes[..4], sizes.len() - 1, true),
        page("sizes", &sizes[4..], sizes.len() - 1, false),
    ];
    let fetched = offers(script).await.unwrap();
    assert_eq!(
        (fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu, fetched.quarantined.len()),
        (10, 7, 1, 2)
    );
    let h200 = found(&fetched, "digitalocean:gpu-h200x1-141gb@atl1");
    assert_eq!((h200.price.per_hour, h200.place.country.as_deref()), (decimal("3.44"), Some("US")));
    assert_eq!((h200.gpu.vram_gib, h200.ram_gib), (Some(141.0), Some(240.0)));
    assert_eq!((h200.price.increment_s, h200.price.minimum_s), (Some(1), Some(60)));
    assert_eq!((h200.disk.included_gb, h200.net.up_mbit_s), (Some(720.0), Some(10_000.0)));
    let unknown = found(&fetched, "digitalocean:gpu-h200x1-141gb@mars1");
    assert_eq!(unknown.place.country, None, "a region nobody knows has no country");
    let h100 = found(&fetched, "digitalocean:gpu-h100x8-640gb@tor1");
    assert_eq!(h100.gpu.vram_gib, Some(80.0), "the memory is told for all cards together");
    assert_eq!((h100.per_gpu_hour(), h100.place.country.as_deref()), (decimal("2.99"), Some("CA")));
    let sold_out = found(&fetched, "digitalocean:gpu-mi300x8-1536gb@none");
    assert_eq!((sold_out.supply.state, sold_out.gpu.vram_gib), (SupplyState::OutOfStock, Some(192.0)));
    assert_eq!(sold_out.gpu.model.as_deref(), Some("MI300X"));
    let contract = found(&fetched, "digitalocean:gpu-mi300x8-1536gb-contracted@atl1");
    assert_eq!(contract.price.kind, PriceKind::Reserved);
    let closed = found(&fetched, "digitalocean:gpu-l40sx1-48gb@tor1");
    assert_eq!((closed.supply.state, closed.gpu.model.as_deref()), (SupplyState::OutOfStock, Some("L40S")));
    let textual = found(&fetched, "digitalocean:gpu-4000adax1-20gb@atl1");
    assert_eq!(
        (textual.price.per_hour, textual.gpu.model.as_deref()),
        (decimal("0.76"), Some("RTX 4000 Ada"))
    );
    assert_eq!(
        found(&fetched, "digitalocean:gpu-6000adax1-48gb@tor1").gpu.model.as_deref(),
        Some("RTX 6000 Ada")
    );
}

#[tokio::test]
async fn a_lost_page_is_an_error_and_a_repeated_one_costs_nothing() {
    let sizes = sizes();
    let lost = vec![page("sizes", &sizes[..4], sizes.len(), true), page("sizes", &[], sizes.len(), false)];
    assert_eq!(offers(lost).await.unwrap_err().code, SourceErrorCode::BadAnswer);
    let repeated = vec![page("sizes", &sizes[..8], 8, true), page("sizes", &sizes[4..8], 8, false)];
    assert_eq!(offers(repeated).await.unwrap().rows_read, 8);
    let down = offers(vec![ok(&json!({"id": "server_error", "message": "words"}))]).await.unwrap_err();
    assert_eq!(down.code, SourceErrorCode::BadAnswer, "an error in a 200 is no empty list");
    assert!(DigitalOcean::new(&SourceConfig::default()).needs_key());
}

fn order() -> Launch {
    let offer = offer(
        "digitalocean:gpu-h200x1-141gb@nyc2",
        "gpu-h200x1-141gb",
        "nvidia_h200",
        1,
        "on-demand",
        "nyc2",
    );
    launch(offer, "gpu-base")
}

fn key(id: u64, text: &str) -> Value {
    json!({"id": id, "fingerprint": "3b:16", "public_key": text, "name": "k"})
}

fn droplet(id: u64, status: &str) -> Value {
    json!({"id": id, "name": "gpudesk-01jdx3", "status": status, "locked": false, "tags": ["gpudesk", "gpudesk-01jdx3"],
           "networks": {"v4": [], "v6": []}, "region": {"slug": "nyc2"}, "created_at": "2026-11-30T08:00:00Z",
           "size": {"slug": "gpu-h200x1-141gb", "price_hourly": 3.44}, "size_slug": "gpu-h200x1-141gb",
           "gpu_info": {"count": 1, "model": "nvidia_h200", "vram": {"amount": 141, "unit": "gib"}}})
}

fn accepted() -> Say {
    let links =
        json!({"actions": [{"id": 7, "rel": "create", "href": "https://api.digitalocean.com/v2/actions/7"}]});
    Say::http(
        "202 Accepted",
        &["content-type: application/json"],
        json!({"droplet": droplet(41, "new"), "links": links}).to_string(),
    )
}

fn fail(status: &str, message: &str) -> Say {
    error(status, &json!({"id": "unprocessable_entity", "message": message, "request_id": "r-1"}))
}

#[tokio::test]
async fn a_launch_names_region_image_key_and_mark() {
    let keys = all(
        "ssh_keys",
        &[key(5, "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x"), key(6, &format!("{PUBLIC_KEY} old"))],
    );
    let at = stage(ME, vec![keys, accepted()]).await;
    assert_eq!(at.cloud.launch(&order()).await.unwrap().remote_id, "41");
    assert_eq!(at.lines(), ["GET /v2/account/keys?per_page=200&page=1", "POST /v2/droplets"]);
    assert_eq!(
        at.body(1),
        json!({
            "name": "gpudesk-01jdx3", "region": "nyc2", "size": "gpu-h200x1-141gb", "image": "gpu-h100x1-base", "ssh_keys": [6],
            "tags": ["gpudesk", "gpudesk-01jdx3", "gpudesk:until:2026-11-30t12:00:00z"],
        })
    );
    at.assert_key_sent();
}

#[tokio::test]
async fn the_image_follows_the_card_unless_one_is_named() {
    for (raw, count, asked, expected) in [
        ("nvidia_h100", 8, "gpu-base", json!("gpu-h100x8-base")),
        ("amd_mi300x", 8, "gpu-base", json!("gpu-amd-base")),
        ("amd_mi300x", 1, "ubuntu-24-04-x64", json!("ubuntu-24-04-x64")),
        ("nvidia_l40s", 1, "188842345", json!(188_842_345)),
    ] {
        let keys = all("ssh_keys", &[key(6, PUBLIC_KEY)]);
        let at = stage(ME, vec![keys, accepted()]).await;
        let offer = offer("digitalocean:x@tor1", "x", raw, count, "on-demand", "tor1");
        at.cloud.launch(&launch(offer, asked)).await.unwrap();
        assert_eq!(at.body(1)["image"], expected, "{raw} {asked}");
    }
}

#[tokio::test]
async fn a_key_is_registered_once_and_found_again_when_somebody_was_faster() {
    let made = error("201 Created", &json!({"ssh_key": key(9, PUBLIC_KEY)}));
    let at = stage(ME, vec![all("ssh_keys", &[]), made, accepted()]).await;
    at.cloud.launch(&order()).await.unwrap();
    assert_eq!(at.body(1)["public_key"], PUBLIC_KEY);
    assert_eq!(at.body(2)["ssh_keys"], json!([9]));
    let raced = vec![
        all("ssh_keys", &[]),
        fail("422 Unprocessable Entity", "SSH Key is already in use on your account"),
        all("ssh_keys", &[key(8, PUBLIC_KEY)]),
        accepted(),
    ];
    let at = stage(ME, raced).await;
    at.cloud.launch(&order()).await.unwrap();
    assert_eq!(at.body(3)["ssh_keys"], json!([8]));
    let bad = vec![
        all("ssh_keys", &[]),
        fail("422 Unprocessable Entity", "Key invalid type"),
        all("ssh_keys", &[]),
    ];
    let failed = stage(ME, bad).await.cloud.launch(&order()).await.unwrap_err();
    assert_eq!((failed.code, failed.effect), (CloudErrorCode::SshKeyRefused, Effect::Nothing));
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_its_words() {
    use CloudErrorCode::{AccountNotReady, BadKey, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    let unprocessable = "422 Unprocessable Entity";
    for (answer, code, effect) in [
        (fail(unprocessable, "Size is not available in this region."), NoCapacity, Effect::Nothing),
        (
            fail(unprocessable, "creating this/these droplet(s) will exceed your droplet limit"),
            Quota,
            Effect::Nothing,
        ),
        (fail(unprocessable, "Size is not enabled for your account"), AccountNotReady, Effect::Nothing),
        (fail(unprocessable, "Name is invalid"), Refused, Effect::Nothing),
        (
            fail("403 Forbidden", "You are not authorized to perform this operation"),
            Forbidden,
            Effect::Nothing,
        ),
        (fail("403 Forbidden", "please update your billing information"), NoFunds, Effect::Nothing),
        (fail("401 Unauthorized", "Unable to authenticate you"), BadKey, Effect::Nothing),
        (fail("404 Not Found", "The image you specified was not found"), Refused, Effect::Nothing),
        (fail("503 Service Unavailable", "no capacity for this size"), NoCapacity, Effect::Unclear),
        (fail("500 Internal Server Error", "Server Error"), down, Effect::Unclear),
        (ok(&json!({"links": {}})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
        (
            Say::http("200 OK", &[], "<html><title>Sign in</title></html>"),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
    ] {
        let at = stage(ME, vec![all("ssh_keys", &[key(6, PUBLIC_KEY)]), answer]).await;
        let failed = at.cloud.launch(&order()).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 2, "never sent twice");
    }
    let mut anywhere = order();
    anywhere.offer.place.region = None;
    let at = stage(ME, vec![accepted()]).await;
    assert_eq!(at.cloud.launch(&anywhere).await.unwrap_err().code, NoCapacity);
    assert!(at.lines().is_empty(), "without a region it could be made in any country");
}

#[tokio::test]
async fn machines_with_cards_are_asked_for_beside_what_bears_our_tag() {
    let gpus = page("droplets", &[droplet(41, "active"), droplet(42, "off")], 3, true);
    let script = vec![
        gpus,
        page("droplets", &[droplet(43, "new")], 3, false),
        all("droplets", &[droplet(41, "active")]),
    ];
    let at = stage(ME, script).await;
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (true, 3));
    assert_eq!(
        at.lines(),
        [
            "GET /v2/droplets?type=gpus&per_page=200&page=1",
            "GET /v2/droplets?type=gpus&per_page=200&page=2",
            "GET /v2/droplets?tag_name=gpudesk&per_page=200&page=1",
        ]
    );
    assert_eq!(listing.machines[0].token.as_deref(), Some("gpudesk-01jdx3"));
}

#[tokio::test]
async fn a_list_that_is_not_whole_proves_nothing() {
    let none = || all("droplets", &[]);
    for (first, why) in [
        (page("droplets", &[droplet(41, "active")], 2, false), "a page is lost"),
        (
            page("droplets", &[droplet(41, "active"), droplet(41, "active")], 2, false),
            "a row stands twice for another",
        ),
        (all("droplets", &[json!({"status": "active"})]), "a row that cannot be read"),
        (ok(&json!({"droplets": [], "links": {}})), "no count"),
    ] {
        let listing = stage(ME, vec![first, none()]).await.cloud.list().await.unwrap();
        assert!(!listing.complete, "{why}");
    }
    assert!(stage(ME, vec![none(), none()]).await.cloud.list().await.unwrap().complete, "none at all");
    assert!(stage(ME, vec![ok(&json!({})), none()]).await.cloud.list().await.is_err());
    assert!(stage(ME, vec![ok(&json!({"droplets": null})), none()]).await.cloud.list().await.is_err());
}

#[tokio::test]
async fn a_look_tells_absent_from_failed() {
    let gone =
        stage(ME, vec![fail("404 Not Found", "The resource you were accessing could not be found.")]).await;
    assert_eq!(gone.cloud.look("41").await.unwrap(), Look::Absent);
    let at = stage(ME, vec![ok(&json!({"droplet": droplet(41, "active")}))]).await;
    let Look::There(machine) = at.cloud.look("41").await.unwrap() else { panic!("it is there") };
    assert_eq!(
        (machine.state, machine.ssh.len()),
        (MachineState::Running, 0),
        "without an address there is no way in"
    );
    let other = stage(ME, vec![ok(&json!({"droplet": droplet(42, "active")}))]).await;
    assert!(other.cloud.look("41").await.is_err());
    assert_eq!(other.cloud.look("x/../1").await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
}

#[tokio::test]
async fn a_stop_asks_the_machine_first_and_then_cuts_its_power() {
    let active = || ok(&json!({"droplet": droplet(41, "active")}));
    let actions = |rows: Value| ok(&json!({"actions": rows, "links": {}, "meta": {"total": 1}}));
    let done = || error("201 Created", &json!({"action": {"id": 9, "status": "in-progress"}}));
    let first = stage(
        ME,
        vec![active(), actions(json!([{"id": 3, "type": "create", "status": "completed"}])), done()],
    )
    .await;
    first.cloud.stop("41").await.unwrap();
    assert_eq!(first.body(2), json!({"type": "shutdown"}));
    let tried = json!([{"id": 3, "type": "create", "status": "completed"}, {"id": 4, "type": "shutdown", "status": "completed"}]);
    let second = stage(ME, vec![active(), actions(tried), done()]).await;
    second.cloud.stop("41").await.unwrap();
    assert_eq!(second.body(2), json!({"type": "power_off"}));
    let off = stage(ME, vec![ok(&json!({"droplet": droplet(41, "off")}))]).await;
    off.cloud.stop("41").await.unwrap();
    assert_eq!(off.lines().len(), 1, "it is off already");
    let start = stage(ME, vec![ok(&json!({"droplet": droplet(41, "off")})), done()]).await;
    start.cloud.start("41").await.unwrap();
    assert_eq!(start.body(1), json!({"type": "power_on"}));
    let busy = vec![
        active(),
        actions(json!([])),
        fail("422 Unprocessable Entity", "Droplet already has a pending event."),
    ];
    assert_eq!(stage(ME, busy).await.cloud.stop("41").await.unwrap_err().code, CloudErrorCode::Conflict);
    let stop = stage(ME, vec![active()]).await.cloud.terms().stop;
    assert!(stop.exists && !stop.ends_compute, "powered off is billed in full");
}

#[tokio::test]
async fn an_end_of_what_is_gone_is_done() {
    for answer in [Say::http("204 No Content", &[], ""), fail("404 Not Found", "not found")] {
        let at = stage(ME, vec![answer]).await;
        at.cloud.end("41").await.unwrap();
        assert_eq!(at.lines(), ["DELETE /v2/droplets/41"]);
    }
    let failed =
        stage(ME, vec![fail("500 Internal Server Error", "x")]).await.cloud.end("41").await.unwrap_err();
    assert_eq!(failed.effect, Effect::Unclear);
}

#[tokio::test]
async fn a_quote_needs_the_size_in_the_region() {
    let sizes = sizes();
    let listed = || page("sizes", &sizes, sizes.len() - 1, false);
    let at = stage(ME, vec![listed()]).await;
    let Quote::Stands(now) = at.cloud.quote(&order().offer, None).await.unwrap() else { panic!("it stands") };
    assert_eq!(now.price.per_hour, decimal("3.44"));
    for (name, region) in [("gpu-h200x1-141gb", "fra1"), ("gpu-l40sx1-48gb", "tor1"), ("gpu-x", "tor1")] {
        let gone = offer(&format!("digitalocean:{name}@{region}"), name, "x", 1, "on-demand", region);
        let at = stage(ME, vec![listed()]).await;
        assert!(matches!(at.cloud.quote(&gone, None).await.unwrap(), Quote::Gone { .. }), "{name} {region}");
    }
}

#[tokio::test]
async fn what_is_owed_is_no_balance_and_what_stays_is_told() {
    let account = json!({"account": {"email": "anna@example.com", "status": "active", "droplet_limit": 25}});
    let balance =
        json!({"month_to_date_balance": "23.44", "account_balance": "12.23", "month_to_date_usage": "11.21"});
    let none = || all("droplets", &[]);
    let facts = stage(ME, vec![none(), ok(&account), ok(&balance)]).await.cloud.check().await.unwrap();
    assert_eq!((facts.who.as_deref(), facts.balance), (Some("anna@example.com"), None));
    assert!(facts.remarks.iter().any(|remark| remark.contains("23.44 owed")), "{:?}", facts.remarks);
    let narrow = vec![
        none(),
        fail("403 Forbidden", "You are missing the required permission account:read"),
        ok(&balance),
    ];
    let facts = stage(ME, narrow).await.cloud.check().await.unwrap();
    assert_eq!((facts.who, facts.missing), (None, vec!["account:read".to_owned()]));
    let wrong = stage(ME, vec![fail("401 Unauthorized", "Unable to authenticate you")]).await;
    assert_eq!(wrong.cloud.check().await.unwrap_err().code, CloudErrorCode::BadKey);
    let script = vec![
        all(
            "volumes",
            &[
                json!({"id": "v1", "name": "data", "size_gigabytes": 100, "droplet_ids": []}),
                json!({"id": "v2", "name": "used", "size_gigabytes": 100, "droplet_ids": [4711]}),
            ],
        ),
        all("snapshots", &[json!({"id": "s1", "name": "before", "size_gigabytes": 2.34})]),
        all(
            "reserved_ips",
            &[
                json!({"ip": "45.55.96.47", "droplet": null}),
                json!({"ip": "45.55.96.48", "droplet": {"id": 1}}),
            ],
        ),
    ];
    let left = stage(ME, script).await.cloud.leftovers().await.unwrap();
    let ids: Vec<&str> = left.iter().map(|one| one.remote_id.as_str()).collect();
    assert_eq!(ids, ["v1", "s1", "45.55.96.47"], "what a machine has is no waste");
    assert_eq!(
        (left[0].size_gb, left[1].size_gb, left[2].size_gb),
        (Some(decimal("100")), Some(decimal("2.34")), None)
    );
    let costs: Vec<_> = left.iter().map(|one| one.per_month).collect();
    assert_eq!(
        costs,
        [None, Some(decimal("0.1404")), None],
        "2.34 GB at 0.06; the others' prices are not known"
    );
}
