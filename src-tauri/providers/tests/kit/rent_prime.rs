//! Renting at Prime Intellect.

use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::MachineState;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudError, CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::prime::{page, row};
use crate::rent_support::{KEY, PUBLIC_KEY, Stage, decimal, error, launch, offer, ok, stage, stage_with};
use crate::support::Say;

const OFFER: &str = "prime:runpod/NVIDIA-A100-80GB-PCIe/A100_80GB-PCIex2@EUR-IS-1-on-demand";

fn order() -> Launch {
    let mut offer = offer(OFFER, "NVIDIA A100 80GB PCIe", "A100_80GB", 2, "on-demand", "EUR-IS-1");
    offer.cloud = "runpod".to_owned();
    offer.price.per_hour = decimal("3.2912");
    let mut order = launch(offer, "ubuntu_22_cuda_12");
    order.spec.disk_gb = None;
    order
}

fn listed(more: &Value) -> Say {
    let other = row(&json!({"dataCenter": "EUR-IS-2"}));
    page(&[other, row(more)], 2)
}

fn data(rows: &[Value], total: usize) -> Say {
    ok(&json!({ "total_count": total, "offset": 0, "limit": 100, "data": rows }))
}

fn keys() -> Say {
    data(
        &[
            json!({"id": "k1", "publicKey": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ x", "isPrimary": true}),
            json!({"id": "k2", "publicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 old comment\n", "isPrimary": false}),
        ],
        2,
    )
}

fn pod(id: &str, status: &str) -> Value {
    json!({"id": id, "userId": "u", "name": "gpudesk-01jdx3", "providerType": "runpod", "status": status,
           "installationStatus": "FINISHED", "createdAt": "2026-11-30T08:00:00Z", "gpuName": "A100_80GB", "gpuCount": 2,
           "socket": "PCIe", "priceHr": 3.2912, "sshConnection": "root@203.0.113.7 -p 22014", "ip": "203.0.113.7"})
}

async fn launched(script: Vec<Say>) -> (Stage, Result<String, CloudError>) {
    let at = stage("prime", script).await;
    let made = at.cloud.launch(&order()).await.map(|launched| launched.remote_id);
    (at, made)
}

#[tokio::test]
async fn a_launch_copies_the_very_row_it_was_offered_by() {
    let (at, made) = launched(vec![listed(&json!({})), keys(), ok(&pod("7c1", "PROVISIONING"))]).await;
    assert_eq!(made.unwrap(), "7c1");
    assert_eq!(
        at.lines(),
        [
            "GET /api/v1/availability/gpus?gpu_type=A100_80GB&gpu_count=2&page=1&page_size=100",
            "GET /api/v1/ssh_keys/?offset=0&limit=100",
            "POST /api/v1/pods/"
        ],
        "with the slash where the service has one: a redirected order may be lost"
    );
    assert_eq!(
        at.body(2),
        json!({"pod": {"name": "gpudesk-01jdx3", "cloudId": "NVIDIA A100 80GB PCIe", "gpuType": "A100_80GB", "socket": "PCIe",
                       "gpuCount": 2, "image": "ubuntu_22_cuda_12", "sshKeyId": "k2", "maxPrice": 3.2912,
                       "dataCenterId": "EUR-IS-1", "country": "IS", "security": "secure_cloud", "vcpus": 16, "memory": 250,
                       "diskSize": 80},
               "provider": {"type": "runpod"}})
    );
    at.assert_key_sent();
}

#[tokio::test]
async fn a_team_is_named_every_time_and_what_has_no_size_is_left_out() {
    let key = json!({"api_key": KEY, "team_id": "t-9"}).to_string();
    let bare = json!({"disk": {}, "vcpu": {}, "memory": null, "country": null});
    let at = stage_with("prime", &key, vec![listed(&bare), keys(), ok(&pod("7c1", "PROVISIONING"))]).await;
    at.cloud.launch(&order()).await.unwrap();
    let body = at.body(2);
    assert_eq!(body["team"], json!({"teamId": "t-9"}));
    let sent: Vec<&String> = body["pod"].as_object().unwrap().keys().collect();
    for absent in ["diskSize", "vcpus", "memory", "country", "autoRestart", "jupyterPassword"] {
        assert!(!sent.iter().any(|name| *name == absent), "{absent}: null is not the same as nothing");
    }
    at.assert_key_sent();
    let at =
        stage_with("prime", &key, vec![data(&[], 0), ok(&json!({"wallet_id": "w", "balance_usd": 7.5}))])
            .await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!(
        (facts.balance, at.lines()[1].as_str()),
        (Some(decimal("7.5")), "GET /api/v1/billing/wallet?limit=1&offset=0&teamId=t-9")
    );
}

#[tokio::test]
async fn a_key_in_the_wrong_form_names_what_is_missing_and_is_not_repeated() {
    use gpudesk_providers::cloud::{Access, cloud};
    use gpudesk_providers::http::Secret;
    for (key, names) in [
        (r#"{"key": "pit-s3cret"}"#, "api_key"),
        (r#"{"api_key": "pit-s3cret", "team_id": 7}"#, "team_id"),
        (r#"{"api_key": "pit-s3cret""#, "JSON"),
    ] {
        let access = Access {
            http: crate::support::kit().0,
            key: Secret::new(key),
            addresses: std::collections::BTreeMap::new(),
        };
        let error = (cloud("prime").unwrap().open)(access).err().unwrap();
        assert_eq!(error.code, CloudErrorCode::BadKey);
        assert!(error.detail.contains(names) && !format!("{error:?}").contains("s3cret"), "{error:?}");
    }
}

#[tokio::test]
async fn disk_and_image_must_be_the_offers_own() {
    let run = async |order: Launch| {
        let at = stage("prime", vec![listed(&json!({"disk": {"minCount": 80, "defaultCount": 80, "maxCount": 1000, "step": 20, "pricePerUnit": 0.001}})),
                                     keys(), ok(&pod("7c1", "PROVISIONING"))]).await;
        let made = at.cloud.launch(&order).await;
        let body = if made.is_ok() { at.body(2) } else { Value::Null };
        (made.map_err(|error| (error.code, error.hint.unwrap_or_default(), at.lines().len())), body)
    };
    let mut larger = order();
    larger.spec.disk_gb = Some(120);
    assert_eq!(run(larger).await.1["pod"]["diskSize"], 120);
    for gb in [40, 90, 2000] {
        let mut odd = order();
        odd.spec.disk_gb = Some(gb);
        let (code, hint, calls) = run(odd).await.0.unwrap_err();
        assert_eq!((code, calls), (CloudErrorCode::Refused, 1), "{gb}");
        assert!(hint.contains("80 to 1000"), "{hint}");
    }
    let mut other = order();
    other.spec.image.id = "prime_rl".to_owned();
    let (code, hint, _) = run(other).await.0.unwrap_err();
    assert_eq!(code, CloudErrorCode::Refused);
    assert!(hint.contains("ubuntu_22_cuda_12"), "{hint}");
}

#[tokio::test]
async fn what_would_be_charged_at_once_is_not_ordered() {
    let mut prepaid = order();
    prepaid.offer.price.kind = PriceKind::Reserved;
    prepaid.offer.price.term = Some("720 hours".to_owned());
    let at = stage("prime", vec![listed(&json!({}))]).await;
    let refused = at.cloud.launch(&prepaid).await.unwrap_err();
    assert_eq!((refused.code, refused.effect), (CloudErrorCode::Unsupported, Effect::Nothing));
    assert!(refused.detail.contains("720 hours") && at.lines().is_empty());
}

#[tokio::test]
async fn an_unknown_key_is_registered() {
    let made = ok(&json!({"id": "k9", "name": "x", "publicKey": PUBLIC_KEY, "isPrimary": false}));
    let (at, pod) =
        launched(vec![listed(&json!({})), data(&[], 0), made, ok(&pod("7c1", "PROVISIONING"))]).await;
    pod.unwrap();
    assert_eq!(
        (at.lines()[2].as_str(), &at.body(2)["publicKey"]),
        ("POST /api/v1/ssh_keys/", &json!(PUBLIC_KEY))
    );
    assert_eq!(at.body(3)["pod"]["sshKeyId"], "k9");
    let (_, failed) = launched(vec![
        listed(&json!({})),
        data(&[], 0),
        error("400 Bad Request", &json!({"detail": "bad key"})),
    ])
    .await;
    assert_eq!(failed.unwrap_err().code, CloudErrorCode::SshKeyRefused);
    let (_, failed) =
        launched(vec![listed(&json!({})), data(&[], 0), error("500 Internal Server Error", &json!({}))])
            .await;
    assert_eq!(failed.unwrap_err().effect, Effect::Nothing, "no pod was asked for");
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_words_and_effect() {
    use CloudErrorCode::{BadKey, Forbidden, Http, NoCapacity, NoFunds, OfferGone, Quota, Refused};
    let down = Http(SourceErrorCode::ProviderDown);
    let detail = |text: &str| json!({ "detail": text });
    for (answer, code, effect) in [
        (error("400 Bad Request", &detail("No capacity for the requested GPU")), NoCapacity, Effect::Nothing),
        (error("500 Internal Server Error", &detail("GPU is out of stock")), NoCapacity, Effect::Nothing),
        (
            error("503 Service Unavailable", &detail("Requested GPUs are not available")),
            NoCapacity,
            Effect::Nothing,
        ),
        (error("503 Service Unavailable", &detail("Service Unavailable")), down, Effect::Unclear),
        (error("402 Payment Required", &detail("Payment required")), NoFunds, Effect::Nothing),
        (error("400 Bad Request", &detail("Insufficient balance")), NoFunds, Effect::Nothing),
        (error("400 Bad Request", &detail("Quota of pods reached")), Quota, Effect::Nothing),
        (error("401 Unauthorized", &detail("Invalid token")), BadKey, Effect::Nothing),
        (error("403 Forbidden", &detail("missing permission")), Forbidden, Effect::Nothing),
        (error("404 Not Found", &detail("cloud id not found")), OfferGone, Effect::Nothing),
        (
            error(
                "422 Unprocessable Entity",
                &json!({"detail": [{"loc": ["body", "pod", "name"], "msg": "letters only"}]}),
            ),
            Refused,
            Effect::Nothing,
        ),
        (
            error("422 Unprocessable Entity", &json!({"errors": [{"param": "image", "details": "unknown"}]})),
            Refused,
            Effect::Nothing,
        ),
        (error("500 Internal Server Error", &detail("boom")), down, Effect::Unclear),
        (ok(&detail("No capacity")), NoCapacity, Effect::Nothing),
        (ok(&detail("odd")), Refused, Effect::Unclear),
        (
            ok(&json!({"name": "gpudesk-01jdx3", "status": "PROVISIONING"})),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
        (
            Say::http("200 OK", &[], "<html><title>x</title></html>"),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
        (
            Say::http("307 Temporary Redirect", &["location: /api/v1/pods"], ""),
            Http(SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
    ] {
        let (at, made) = launched(vec![listed(&json!({})), keys(), answer]).await;
        let failed = made.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 3, "never sent twice");
    }
    let words = error(
        "422 Unprocessable Entity",
        &json!({"detail": [{"loc": ["body", "pod", "name"], "msg": "letters only"}]}),
    );
    let (_, made) = launched(vec![listed(&json!({})), keys(), words]).await;
    assert!(made.unwrap_err().detail.contains("body.pod.name: letters only"));
    let (_, made) = launched(vec![page(&[row(&json!({"gpuCount": 1}))], 1)]).await;
    assert_eq!(made.unwrap_err().code, OfferGone);
}

#[tokio::test]
async fn a_quote_is_for_the_disk_that_is_wanted() {
    let quote = async |say: Say, gb: Option<u32>| {
        stage("prime", vec![say]).await.cloud.quote(&order().offer, gb).await
    };
    let Quote::Stands(now) = quote(listed(&json!({})), Some(1000)).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!((now.price.per_hour, now.id.as_str()), (decimal("3.42"), OFFER), "3.28 + 1000 x 0.00014");
    let Quote::Stands(now) = quote(listed(&json!({})), None).await.unwrap() else { panic!("it stands") };
    assert_eq!(now.price.per_hour, decimal("3.2912"));
    for (say, gb) in [
        (listed(&json!({"stockStatus": "Unavailable"})), None),
        (listed(&json!({"prices": {"onDemand": null, "currency": "USD"}})), None),
        (listed(&json!({"isSpot": true})), None),
        (listed(&json!({})), Some(5000)),
        (page(&[], 0), None),
    ] {
        assert!(matches!(quote(say, gb).await.unwrap(), Quote::Gone { .. }));
    }
}

#[tokio::test]
async fn only_a_whole_list_proves_an_absence() {
    let listing = async |script: Vec<Say>| stage("prime", script).await.cloud.list().await;
    let pods = |from: usize, count: usize| -> Vec<Value> {
        (from..from + count).map(|n| pod(&format!("p{n}"), "ACTIVE")).collect()
    };
    let whole = listing(vec![data(&pods(0, 2), 2)]).await.unwrap();
    assert_eq!((whole.machines.len(), whole.complete), (2, true));
    assert_eq!(whole.machines[0].token.as_deref(), Some("gpudesk-01jdx3"));
    let two = listing(vec![data(&pods(0, 100), 130), data(&pods(100, 30), 130)]).await.unwrap();
    assert_eq!((two.machines.len(), two.complete), (130, true));
    let moved = listing(vec![data(&pods(0, 100), 101), data(&pods(99, 1), 101), data(&pods(99, 1), 101)])
        .await
        .unwrap();
    assert_eq!((moved.machines.len(), moved.complete), (100, false), "one slipped through between the pages");
    let down = error("500 Internal Server Error", &json!({}));
    for script in [
        vec![data(&pods(0, 100), 130), data(&pods(0, 100), 130)],
        vec![data(&pods(0, 100), 130), data(&[], 130)],
        vec![data(&pods(0, 100), 130), down.clone(), down.clone(), down.clone(), down],
        vec![data(&[], 3)],
        vec![data(&[json!({"status": "ACTIVE"})], 1)],
        vec![data(&[json!(7)], 1)],
    ] {
        let odd = listing(script).await.unwrap();
        assert!(!odd.complete && !odd.unreadable.is_empty());
    }
    assert!(listing(vec![data(&[], 0)]).await.unwrap().complete, "an empty account");
    let unsaid = ok(&json!({"data": [pod("p1", "ACTIVE")]}));
    assert!(listing(vec![unsaid]).await.unwrap().complete, "a short page without a total is the last");
    for say in [ok(&json!({"data": null})), ok(&json!({})), ok(&json!({"detail": "later"}))] {
        assert!(listing(vec![say]).await.is_err());
    }
}

#[tokio::test]
async fn a_pod_is_looked_at_and_ended_by_its_id() {
    let look = async |say: Say| stage("prime", vec![say]).await.cloud.look("7c1").await;
    let Look::There(machine) = look(ok(&pod("7c1", "ACTIVE"))).await.unwrap() else { panic!("it is there") };
    assert_eq!((machine.state, machine.ssh[0].port), (MachineState::Running, 22014));
    assert_eq!(look(error("404 Not Found", &json!({"detail": "x"}))).await.unwrap(), Look::Absent);
    assert!(look(ok(&pod("other", "ACTIVE"))).await.is_err());
    assert!(look(ok(&json!({"detail": "odd"}))).await.is_err());
    let end = async |script: Vec<Say>| {
        let at = stage("prime", script).await;
        let ended = at.cloud.end("7c1").await;
        assert_eq!(at.lines()[0], "DELETE /api/v1/pods/7c1");
        ended
    };
    end(vec![ok(&json!({"status": "DELETING"}))]).await.unwrap();
    end(vec![error("404 Not Found", &json!({"detail": "x"}))]).await.unwrap();
    let odd = || error("400 Bad Request", &json!({"detail": "pod is terminated"}));
    end(vec![odd(), ok(&pod("7c1", "TERMINATED"))]).await.unwrap();
    assert_eq!(end(vec![odd(), ok(&pod("7c1", "ACTIVE"))]).await.unwrap_err().code, CloudErrorCode::Refused);
    assert!(
        end(vec![ok(&json!({"detail": "not now"}))]).await.is_err(),
        "a success that says that it is none"
    );
    let at = stage("prime", vec![odd()]).await;
    assert_eq!(at.cloud.stop("7c1").await.unwrap_err().code, CloudErrorCode::Unsupported);
    assert_eq!(at.cloud.end("../disks/1").await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
    assert!(at.lines().is_empty());
}

#[tokio::test]
async fn wallet_history_and_loose_disks_are_read() {
    let at = stage("prime", vec![data(&[], 0), error("403 Forbidden", &json!({"detail": "Billing"}))]).await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!(facts.balance, None, "not told is not zero");
    assert_eq!(facts.missing, ["Billing: read"]);
    let at = stage("prime", vec![error("401 Unauthorized", &json!({"detail": "Invalid token"}))]).await;
    assert_eq!(at.cloud.check().await.unwrap_err().code, CloudErrorCode::BadKey);
    let billed = |id: &str, kind: &str, made: &str, over: Value| {
        json!({"id": id, "name": "n", "providerType": "runpod", "type": kind, "createdAt": made, "terminatedAt": over,
               "gpuName": "A100_80GB", "gpuCount": 1, "priceHr": 1.64, "userId": "u", "totalBilledPrice": 0.82})
    };
    let rows = [
        billed("p1", "Instance", "2026-11-30T08:00:00Z", json!("2026-11-30T08:30:00Z")),
        billed("p2", "Instance", "2026-11-30T08:00:00Z", json!(null)),
        billed("d1", "Disk", "2026-11-30T08:00:00Z", json!(null)),
        billed("p0", "Instance", "2026-11-01T08:00:00Z", json!("2026-11-02T08:00:00Z")),
    ];
    let at = stage("prime", vec![data(&rows, 4)]).await;
    let (from, to) = ("2026-11-30T00:00:00Z".parse().unwrap(), "2026-11-30T09:00:00Z".parse().unwrap());
    let used = at.cloud.usage(from, to).await.unwrap().unwrap();
    let shown: Vec<_> = used.iter().map(|used| (used.remote_id.as_str(), used.total, used.to)).collect();
    assert_eq!(
        shown,
        [("p1", decimal("0.82"), "2026-11-30T08:30:00Z".parse().unwrap()), ("p2", decimal("0.82"), to)]
    );
    let disks = [
        json!({"id": "d1", "name": "data", "size": 100, "priceHr": 0.01, "pods": [], "clusters": [], "status": "ACTIVE"}),
        json!({"id": "d2", "name": "used", "size": 100, "priceHr": 0.01, "pods": ["p2"], "status": "ACTIVE"}),
        json!({"id": "d3", "name": "gone", "size": 100, "priceHr": 0.01, "pods": [], "status": "TERMINATED"}),
    ];
    let at = stage("prime", vec![data(&disks, 3)]).await;
    let left = at.cloud.leftovers().await.unwrap();
    assert_eq!((left.len(), left[0].remote_id.as_str(), left[0].per_month), (1, "d1", Some(decimal("7.3"))));
    let at = stage("prime", vec![data(&disks[..1], 3), data(&[], 3)]).await;
    assert!(at.cloud.leftovers().await.is_err(), "part of a list is no list of what is left");
}
