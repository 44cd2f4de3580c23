//! Renting at Vultr.

use gpudesk_core::offer::Form;
use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::Say;

const ID: &str = "cb676a46-66fd-4dfb-b839-443f2e6c0b60";
const PLAN: &str = "vcg-l40s-16c-180g-48vram";

fn order() -> Launch {
    launch(offer(&format!("vultr:{PLAN}@fra-on-demand"), PLAN, "NVIDIA_L40S", 1, "on-demand", "fra"), "1743")
}

fn metal_order() -> Launch {
    let plan = "vbm-112c-2048gb-8-h100-gpu";
    let mut offer = offer(&format!("vultr:{plan}@sea-on-demand"), plan, plan, 8, "on-demand", "sea");
    offer.form = Form::BareMetal;
    launch(offer, "docker")
}

fn list(name: &str, rows: &Value) -> Say {
    let total = rows.as_array().map_or(0, Vec::len);
    ok(&json!({name: rows, "meta": {"total": total, "links": {"next": "", "prev": ""}}}))
}

fn keys() -> Say {
    list(
        "ssh_keys",
        &json!([{"id": "k0", "name": "gpudesk-x", "ssh_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x"},
                             {"id": "k1", "name": "anna's", "ssh_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 old\n"}]),
    )
}

fn instance(status: &str, power: &str, server: &str) -> Value {
    json!({"id": ID, "label": "gpudesk-01jdx3", "tags": ["gpudesk", "gpudesk-01jdx3"], "status": status, "power_status": power,
           "server_status": server, "main_ip": "198.51.100.9", "region": "fra", "plan": PLAN, "default_password": "s3cret"})
}

fn made() -> Say {
    Say::http("202 Accepted", &[], json!({"instance": instance("pending", "running", "none")}).to_string())
}

fn fail(status: &str, words: &str) -> Say {
    let number: u32 = status[..3].parse().unwrap();
    error(status, &json!({"error": words, "status": number}))
}

fn no_content() -> Say {
    Say::http("204 No Content", &[], "")
}

#[tokio::test]
async fn a_launch_uses_the_key_the_account_has_already_by_its_material() {
    let at = stage("vultr", vec![keys(), made()]).await;
    let order = Launch { user_data: "#cloud-config\n".to_owned(), ..order() };
    assert_eq!(at.cloud.launch(&order).await.unwrap().remote_id, ID);
    assert_eq!(at.lines(), ["GET /v2/ssh-keys?per_page=500", "POST /v2/instances"]);
    let body = json!({
        "region": "fra", "plan": PLAN, "os_id": 1743, "label": "gpudesk-01jdx3", "hostname": "gpudesk-01jdx3",
        "tags": ["gpudesk", "gpudesk-01jdx3", "gpudesk_until_2026-11-30T12-00-00Z"], "sshkey_id": ["k1"],
        "activation_email": false, "user_data": "I2Nsb3VkLWNvbmZpZwo=",
    });
    assert_eq!(at.body(1), body);
    at.assert_key_sent();
}

#[tokio::test]
async fn bare_metal_has_calls_of_its_own() {
    for name in ["bare_metal", "baremetal"] {
        let stored = json!({"ssh_key": {"id": "k9", "name": "x", "ssh_key": PUBLIC_KEY}});
        let script = vec![
            list("ssh_keys", &json!([])),
            Say::http("201 Created", &[], stored.to_string()),
            Say::http(
                "202 Accepted",
                &[],
                json!({name: {"id": ID, "status": "pending", "main_ip": "0.0.0.0"}}).to_string(),
            ),
        ];
        let at = stage("vultr", script).await;
        assert_eq!(at.cloud.launch(&metal_order()).await.unwrap().remote_id, ID);
        assert_eq!(at.lines()[2], "POST /v2/bare-metals");
        assert_eq!(at.body(1)["ssh_key"], PUBLIC_KEY);
        let body = at.body(2);
        assert_eq!(
            (&body["image_id"], &body["os_id"], &body["sshkey_id"]),
            (&json!("docker"), &Value::Null, &json!(["k9"]))
        );
    }
    // An id of bare metal is not known among the virtual machines.
    let unknown = || fail("404 Not Found", "Invalid instance-id");
    let metal = ok(&json!({"bare_metal": {"id": ID, "status": "active", "main_ip": "198.51.100.9"}}));
    let at = stage("vultr", vec![unknown(), metal]).await;
    let Look::There(machine) = at.cloud.look(ID).await.unwrap() else { panic!("it is there") };
    assert_eq!((machine.state, machine.ssh.len()), (MachineState::Running, 1));
    let at = stage("vultr", vec![unknown(), no_content()]).await;
    at.cloud.end(ID).await.unwrap();
    assert_eq!(at.lines(), [format!("DELETE /v2/instances/{ID}"), format!("DELETE /v2/bare-metals/{ID}")]);
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_status_words_and_effect() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    let bad = "400 Bad Request";
    for (answer, code, effect) in [
        (fail(bad, "Plan is not available in the selected region."), NoCapacity, Effect::Nothing),
        (fail(bad, "You have reached the maximum monthly fee limit"), Quota, Effect::Nothing),
        (
            fail("403 Forbidden", "You have reached the maximum number of active virtual machines"),
            Quota,
            Effect::Nothing,
        ),
        (fail("403 Forbidden", "Please add a payment method"), NoFunds, Effect::Nothing),
        (fail("412 Precondition Failed", "Your balance is too low"), NoFunds, Effect::Nothing),
        (fail("401 Unauthorized", "Invalid API token."), BadKey, Effect::Nothing),
        (fail("403 Forbidden", "Unauthorized IP address"), Forbidden, Effect::Nothing),
        (fail(bad, "Invalid os_id"), Refused, Effect::Nothing),
        (fail("404 Not Found", "Invalid region"), Refused, Effect::Nothing),
        (fail("500 Internal Server Error", "oh"), down, Effect::Unclear),
        (Say::http("502 Bad Gateway", &[], "<html><title>502</title></html>"), down, Effect::Unclear),
        (ok(&json!({})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let at = stage("vultr", vec![keys(), answer]).await;
        let failed = at.cloud.launch(&order()).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 2, "never sent twice");
        if [BadKey, Forbidden].contains(&failed.code) {
            assert!(failed.hint.unwrap().contains("access control list"), "a key may be tied to addresses");
        }
    }
}

#[tokio::test]
async fn a_preemptible_machine_cannot_be_ordered() {
    let mut order = metal_order();
    order.offer.price.kind = gpudesk_core::offer::PriceKind::Spot;
    let at = stage("vultr", vec![keys()]).await;
    assert_eq!(at.cloud.launch(&order).await.unwrap_err().code, CloudErrorCode::Unsupported);
    assert!(matches!(at.cloud.quote(&order.offer, None).await.unwrap(), Quote::Gone { .. }));
    assert!(at.lines().is_empty());
    assert!(!at.cloud.terms().rents(order.offer.price.kind));
}

#[tokio::test]
async fn a_halt_saves_nothing() {
    let at = stage("vultr", vec![no_content()]).await;
    at.cloud.stop(ID).await.unwrap();
    at.cloud.start(ID).await.unwrap();
    assert_eq!(
        at.lines(),
        [format!("POST /v2/instances/{ID}/halt"), format!("POST /v2/instances/{ID}/start")]
    );
    let stop = at.cloud.terms().stop;
    assert!(stop.exists && !stop.ends_compute);
    let cut = stage("vultr", vec![Say::http("500 Oh", &[], "oh")]).await;
    assert_eq!(cut.cloud.stop(ID).await.unwrap_err().effect, Effect::Unclear);
    assert_eq!(cut.lines().len(), 1, "never sent twice");
}

#[tokio::test]
async fn an_end_of_what_is_gone_is_done() {
    let at = stage("vultr", vec![no_content()]).await;
    at.cloud.end(ID).await.unwrap();
    assert_eq!(at.lines(), [format!("DELETE /v2/instances/{ID}")]);
    let gone = stage("vultr", vec![fail("404 Not Found", "Invalid instance-id")]).await;
    gone.cloud.end(ID).await.unwrap();
    assert_eq!(gone.cloud.look(ID).await.unwrap(), Look::Absent);
    let refused = stage("vultr", vec![fail("400 Bad Request", "locked")]).await;
    assert_eq!(refused.cloud.end(ID).await.unwrap_err().code, CloudErrorCode::Refused);
}

#[tokio::test]
async fn both_lists_are_read_to_their_end_and_a_lost_page_proves_nothing() {
    let page = |name: &str, rows: &Value, total: u32, next: &str| {
        ok(&json!({name: rows, "meta": {"total": total, "links": {"next": next, "prev": ""}}}))
    };
    let row = |id: &str| {
        let mut row = instance("active", "running", "ok");
        row["id"] = json!(id);
        row
    };
    let none = || list("bare_metals", &json!([]));
    let read = async |script: Vec<Say>| {
        let at = stage("vultr", script).await;
        let listing = at.cloud.list().await.unwrap();
        (listing.machines.len(), listing.complete)
    };
    let metal = json!([{"id": "m", "status": "active", "label": "gpudesk-9"}]);
    let two = || page("instances", &json!([row("a")]), 2, "n1");
    assert_eq!(
        read(vec![two(), page("instances", &json!([row("b")]), 2, ""), list("bare_metals", &metal)]).await,
        (3, true)
    );
    assert_eq!(read(vec![two(), page("instances", &json!([]), 2, ""), none()]).await, (1, false), "lost");
    assert_eq!(
        read(vec![two(), page("instances", &json!([row("a")]), 2, ""), none()]).await,
        (1, false),
        "twice"
    );
    assert_eq!(
        read(vec![two(), page("instances", &json!([row("b")]), 2, "n1"), none()]).await,
        (2, false),
        "in a circle"
    );
    assert_eq!(read(vec![list("instances", &json!([])), none()]).await, (0, true));
    let odd = stage("vultr", vec![ok(&json!({"meta": {}}))]).await;
    assert!(odd.cloud.list().await.is_err(), "no list is not an empty one");
    let half = stage("vultr", vec![list("instances", &json!([])), fail("403 Forbidden", "no")]).await;
    assert!(half.cloud.list().await.is_err(), "one of the two lists is not both");
}

#[tokio::test]
async fn a_quote_needs_the_plan_in_the_stock_of_the_region() {
    let plans = |hour: &Value| {
        list("plans", &json!([{"id": PLAN, "hourly_cost": hour, "type": "vcg", "locations": ["fra"]}]))
    };
    let stock = |plans: Value| ok(&json!({"available_plans": plans}));
    let at = stage("vultr", vec![plans(&json!(1.7)), stock(json!([PLAN]))]).await;
    let Quote::Stands(now) = at.cloud.quote(&order().offer, None).await.unwrap() else { panic!("it stands") };
    assert_eq!(now.price.per_hour, decimal("1.7"));
    assert_eq!(at.lines()[1], "GET /v2/regions/fra/availability");
    for script in [
        vec![list("plans", &json!([]))],
        vec![plans(&json!(1.7)), stock(json!([]))],
        vec![plans(&json!(0)), stock(json!([PLAN]))],
    ] {
        let at = stage("vultr", script).await;
        assert!(matches!(at.cloud.quote(&order().offer, None).await.unwrap(), Quote::Gone { .. }));
    }
}

#[tokio::test]
async fn the_account_says_what_its_key_may_do() {
    let account = |acls: Value| {
        ok(
            &json!({"account": {"name": "a", "email": "anna@example.com", "acls": acls, "balance": -120.5, "pending_charges": 57.03}}),
        )
    };
    let all = json!(["subscriptions_view", "subscriptions", "provisioning", "billing", "dns"]);
    let facts = stage("vultr", vec![account(all)]).await.cloud.check().await.unwrap();
    assert_eq!((facts.may_read, facts.may_write, facts.missing.len()), (Some(true), Some(true), 0));
    assert_eq!((facts.balance, facts.who.as_deref()), (None, Some("anna@example.com")));
    assert_eq!(facts.remarks, ["120.5 USD of credit", "57.03 USD of this month are not billed yet"]);
    let view = account(json!(["subscriptions_view"]));
    let facts = stage("vultr", vec![view]).await.cloud.check().await.unwrap();
    assert_eq!((facts.may_read, facts.may_write), (Some(true), Some(false)));
    assert_eq!(facts.missing, ["subscriptions", "provisioning", "billing"]);
    let untold = ok(&json!({"account": {"balance": 12}}));
    let facts = stage("vultr", vec![untold]).await.cloud.check().await.unwrap();
    assert_eq!(
        (facts.may_read, facts.may_write, facts.remarks.len()),
        (None, None, 0),
        "a debt is no credit"
    );
}

#[tokio::test]
async fn what_stays_without_a_machine_is_told() {
    let script = vec![
        list(
            "blocks",
            &json!([{"id": "b1", "cost": 10, "size_gb": 100, "attached_to_instance": "", "label": "data"},
                               {"id": "b2", "cost": 10, "size_gb": 100, "attached_to_instance": ID}]),
        ),
        list(
            "reserved_ips",
            &json!([{"id": "r1", "subnet": "198.51.100.1", "label": "", "instance_id": ""}]),
        ),
        list("snapshots", &json!([{"id": "s1", "description": "before", "size": 42_949_672_960_u64}])),
    ];
    let left = stage("vultr", script).await.cloud.leftovers().await.unwrap();
    let told: Vec<_> =
        left.iter().map(|one| (one.what.as_str(), one.name.as_deref(), one.per_month)).collect();
    assert_eq!(
        told,
        [
            ("volume", Some("data"), Some(decimal("10"))),
            ("reserved address", Some("198.51.100.1"), None),
            ("snapshot", Some("before"), None)
        ]
    );
    assert_eq!(left[2].size_gb, Some(decimal("42.94967296")));
}
