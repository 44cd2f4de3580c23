//! A pod of Prime Intellect from the order to the end.

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::{POOR_KEY, READ_ONLY_KEY};
use gpudesk_tests::sim::machine::Service;
use serde_json::{Value, json};

use crate::seller::{ask as asked, ask_as};
use crate::support::{PUBLIC_KEY, market, pass};

async fn ask(sim: &Sim, method: &str, path: &str, body: Value) -> (u16, Value) {
    asked(sim, Service::Prime, method, path, body).await
}

async fn order(sim: &Sim) -> Value {
    let body = json!({ "name": "anna", "publicKey": PUBLIC_KEY });
    let (_, key) = ask(sim, "POST", "/api/v1/ssh_keys/", body).await;
    json!({
        "pod": {
            "name": "gpudesk-7f3c", "cloudId": "NVIDIA A100 80GB PCIe", "gpuType": "A100_80GB", "socket": "PCIe",
            "gpuCount": 2, "diskSize": 80, "maxPrice": 3.2912, "image": "ubuntu_22_cuda_12", "dataCenterId": "EUR-IS-1",
            "country": "IS", "security": "secure_cloud", "sshKeyId": key["id"],
        },
        "provider": { "type": "runpod" },
    })
}

#[tokio::test]
async fn a_pod_lives_and_is_billed_with_its_disk() {
    let sim = market().await;
    let (status, made) = ask(&sim, "POST", "/api/v1/pods/", order(&sim).await).await;
    assert_eq!(
        (status, &made["status"], &made["priceHr"]),
        (200, &json!("PROVISIONING"), &json!(3.2912)),
        "{made}"
    );
    assert_eq!(made["sshConnection"], json!([null]));
    let id = made["id"].as_str().unwrap();
    let path = format!("/api/v1/pods/{id}");
    pass(&sim, 1);
    let (_, early) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!((&early["status"], &early["installationStatus"]), (&json!("ACTIVE"), &json!("ACTIVE")));
    pass(&sim, 2);
    let (_, up) = ask(&sim, "GET", &path, Value::Null).await;
    assert_eq!(up["installationStatus"], "FINISHED");
    assert!(up["sshConnection"].as_str().unwrap().starts_with("root@203.0.113.7 -p "));
    let (_, status) =
        ask(&sim, "GET", &format!("/api/v1/pods/status?pod_ids={id}&pod_ids=x"), Value::Null).await;
    assert_eq!(status["data"][0]["podId"], id);
    assert_eq!(
        ask(&sim, "GET", "/api/v1/pods/status?pod_ids=x", Value::Null).await.1,
        json!({ "data": null })
    );
    pass(&sim, 3_600);
    assert_eq!(ask(&sim, "DELETE", &path, Value::Null).await, (200, json!({ "status": "DELETING" })));
    pass(&sim, 1);
    assert_eq!(ask(&sim, "GET", &path, Value::Null).await.0, 404);
    let (_, history) = ask(&sim, "GET", "/api/v1/pods/history?limit=5", Value::Null).await;
    let billed = history["data"][0]["totalBilledPrice"].as_f64().unwrap();
    assert!((3.29..3.30).contains(&billed), "{billed}");
    let (_, wallet) = ask(&sim, "GET", "/api/v1/billing/wallet", Value::Null).await;
    assert!((496.70..496.71).contains(&wallet["balance_usd"].as_f64().unwrap()), "{wallet}");
}

#[tokio::test]
async fn an_order_must_be_the_very_row() {
    let sim = market().await;
    let good = order(&sim).await;
    for (name, value, status) in [
        ("quantity", json!(2), 422),
        ("vcpus", json!(null), 422),
        ("diskSize", json!(0), 422),
        ("maxPrice", json!(null), 400),
        ("maxPrice", json!(3.0), 400),
        ("name", json!("12 34"), 422),
        ("image", json!("windows"), 422),
        ("gpuCount", json!(4), 404),
        ("dataCenterId", json!("EUR-IS-2"), 404),
        ("security", json!("community_cloud"), 404),
        ("sshKeyId", json!("nobody's"), 404),
    ] {
        let mut body = good.clone();
        body["pod"][name] = value;
        assert_eq!(ask(&sim, "POST", "/api/v1/pods/", body).await.0, status, "{name}");
    }
    assert_eq!(ask(&sim, "POST", "/api/v1/pods", good.clone()).await.0, 307, "without its slash");
    let poor = ask_as(&sim, Service::Prime, POOR_KEY, "POST", "/api/v1/pods/", without_key(&good)).await;
    assert_eq!(poor.0, 402);
    let reader = ask_as(&sim, Service::Prime, READ_ONLY_KEY, "POST", "/api/v1/pods/", good).await;
    assert_eq!(reader.0, 403);
}

fn without_key(order: &Value) -> Value {
    let mut order = order.clone();
    order["pod"].as_object_mut().unwrap().remove("sshKeyId");
    order
}

#[tokio::test]
async fn lists_come_in_pages() {
    let sim = market().await;
    let page =
        async |query: &str| ask(&sim, "GET", &format!("/api/v1/availability/gpus{query}"), Value::Null).await;
    let (_, all) = page("").await;
    let total = all["totalCount"].as_u64().unwrap();
    assert_eq!(all["items"].as_array().unwrap().len() as u64, total);
    let (_, last) = page("?page=2&page_size=10").await;
    assert_eq!(last["items"].as_array().unwrap().len() as u64, total - 10);
    assert_eq!(page("?page=9&page_size=10").await.1["items"], json!([]));
    assert_eq!(page("?page_size=500").await.0, 422);
    assert_eq!(page("?gpu_type=X9000").await.0, 422);
    let (_, pair) = page("?gpu_type=A100_80GB&gpu_count=2").await;
    assert_eq!(pair["items"].as_array().unwrap().len(), 1);
}
