//! Renting at RunPod, with every odd answer its users have met.

use gpudesk_core::rental::Notice;
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::{Say, now};

const CARD: &str = "NVIDIA GeForce RTX 4090";

fn order(site: &str, count: u32) -> Launch {
    let id = format!("runpod:{CARD}x{count}-{site}");
    launch(offer(&id, CARD, CARD, count, "on-demand", site.split_once('-').unwrap().1), "runpod/pytorch:1")
}

fn pod(id: &str, more: &Value) -> Value {
    let mut pod = json!({
        "id": id, "name": format!("gpudesk-{id}"), "status": "RUNNING", "actions": ["stop", "terminate"], "image": "x", "args": "",
        "disk": 20, "mounts": {"persistent": {"size": 30, "path": "/workspace"}}, "ports": ["22/tcp"], "env": {}, "registry": null,
        "gpu": {"id": CARD, "count": 1}, "cloud": "SECURE", "dataCenterId": "EU-SE-1", "cudaVersion": "12.8",
        "ssh": {"direct": {"host": "203.0.113.4", "port": 31022, "username": "root", "command": "ssh"}, "proxy": null},
        "template": null, "cost": 0.44, "locked": false, "globalNetworking": {"enabled": false}, "runtime": {},
        "createdAt": "2026-11-30T08:00:00Z", "startedAt": null,
    });
    for (field, value) in more.as_object().unwrap() {
        pod[field] = value.clone();
    }
    pod
}

fn problem(status: &str, detail: &str) -> Say {
    error(status, &json!({"title": "Bad Request", "status": 400, "detail": detail}))
}

#[tokio::test]
async fn a_launch_sends_exactly_what_was_ordered() {
    let at =
        stage("runpod", vec![error("201 Created", &pod("abc", &json!({"status": "PROVISIONING"})))]).await;
    assert_eq!(at.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap().remote_id, "abc");
    assert_eq!(at.lines(), ["POST /v2/pods"]);
    let body = json!({
        "name": "gpudesk-01jdx3", "image": "runpod/pytorch:1", "gpu": {"id": CARD, "count": 1}, "cloud": "SECURE",
        "dataCenterIds": ["EU-SE-1"], "disk": 20, "mounts": {"persistent": {"size": 30, "path": "/workspace"}},
        "ports": ["22/tcp"], "startSsh": true,
        "env": {"PUBLIC_KEY": PUBLIC_KEY, "GPUDESK_TOKEN": "gpudesk-01jdx3", "GPUDESK_UNTIL": "2026-11-30T12:00:00Z"},
    });
    assert_eq!(at.body(0), body);
    at.assert_key_sent();
    at.cloud.launch(&order("community-SE", 2)).await.unwrap();
    let body = at.body(1);
    assert_eq!(
        (&body["cloud"], &body["gpu"]["count"]),
        (&json!("COMMUNITY"), &json!(2)),
        "the cloud of the price shown"
    );
    assert!(body.get("dataCenterIds").is_none(), "community machines have none");
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_words_code_and_effect() {
    use CloudErrorCode::{BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, Quota, Refused};
    for (answer, code, effect) in [
        (problem("400 Bad Request", "There are no instances available"), NoCapacity, Effect::Nothing),
        (
            problem(
                "400 Bad Request",
                "There are no longer any instances available with the requested specifications.",
            ),
            NoCapacity,
            Effect::Nothing,
        ),
        (problem("400 Bad Request", "Not enough free GPUs on the host"), NoCapacity, Effect::Nothing),
        (
            problem("400 Bad Request", "allowedCudaVersions and minCudaVersion exclude each other"),
            Refused,
            Effect::Nothing,
        ),
        (problem("400 Bad Request", "not enough balance"), NoFunds, Effect::Nothing),
        (problem("403 Forbidden", "spend limit reached"), Quota, Effect::Nothing),
        (problem("401 Unauthorized", "x"), BadKey, Effect::Nothing),
        (problem("402 Payment Required", "x"), NoFunds, Effect::Nothing),
        (problem("403 Forbidden", "x"), Forbidden, Effect::Nothing),
        (problem("404 Not Found", "template"), Refused, Effect::Nothing),
        (problem("409 Conflict", "x"), Conflict, Effect::Nothing),
        (problem("422 Unprocessable Entity", "additional property"), Refused, Effect::Nothing),
        (problem("410 Gone", "v1 has ended"), Http(SourceErrorCode::Gone), Effect::Nothing),
        (problem("500 Internal Server Error", "x"), Http(SourceErrorCode::ProviderDown), Effect::Unclear),
        // There are none, and some that said 5xx made a pod all the same: it is looked for first.
        (
            problem(
                "503 Service Unavailable",
                "There are no longer any instances available with the requested specifications.",
            ),
            NoCapacity,
            Effect::Unclear,
        ),
        (
            problem("500 Internal Server Error", "There are no instances currently available"),
            NoCapacity,
            Effect::Unclear,
        ),
        (
            problem("503 Service Unavailable", "not enough resources to serve the request"),
            Http(SourceErrorCode::ProviderDown),
            Effect::Unclear,
        ),
        (error("201 Created", &json!({"name": "no id"})), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
        (Say::http("201 Created", &[], "not JSON"), Http(SourceErrorCode::BadAnswer), Effect::Unclear),
    ] {
        let at = stage("runpod", vec![answer]).await;
        let failed = at.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 1, "a POST that may have made a pod is never repeated");
    }
}

#[tokio::test]
async fn too_many_calls_wait_as_long_as_they_are_told() {
    let busy = Say::http("429 Too Many Requests", &["retry-after: 17"], "{}");
    let at = stage("runpod", vec![busy.clone(), ok(&json!({}))]).await;
    at.cloud.start("abc").await.unwrap();
    assert_eq!(at.time.waits(), [17_000]);
    // An order is not repeated here: whoever sends it again looks first.
    let at = stage("runpod", vec![busy]).await;
    let failed = at.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap_err();
    assert_eq!((at.lines().len(), failed.effect), (1, Effect::Nothing));
    assert_eq!(failed.retry_at, Some(now() + chrono::TimeDelta::seconds(17)));
}

#[tokio::test]
async fn what_cannot_be_launched_is_not_sent() {
    let at = stage("runpod", vec![ok(&json!({}))]).await;
    let mut small = order("secure-EU-SE-1", 1);
    small.spec.disk_gb = Some(29);
    let script = Launch { user_data: "echo".to_owned(), ..order("secure-EU-SE-1", 1) };
    let mut foreign = order("secure-EU-SE-1", 1);
    foreign.offer.id = "runpod:1x_RTX4090_SECURE".to_owned();
    for wrong in [small, script, foreign] {
        assert_eq!(at.cloud.launch(&wrong).await.unwrap_err().code, CloudErrorCode::Refused);
    }
    assert!(at.lines().is_empty());
}

#[tokio::test]
async fn the_list_has_members_of_clusters_and_follows_a_cursor() {
    let whole = json!({"pods": [pod("a", &json!({})), pod("b", &json!({"gpu": {"id": CARD, "count": 0}}))]});
    let at = stage("runpod", vec![ok(&whole)]).await;
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (true, 2));
    assert_eq!(at.lines(), ["GET /v2/pods?includeClusterPods=true"]);
    assert_eq!(listing.machines[1].notices, [Notice::NoGpu]);
    let first = json!({"pods": [pod("a", &json!({}))], "nextCursor": "c/1"});
    let last = json!({"pods": [pod("b", &json!({}))], "nextCursor": null});
    let at = stage("runpod", vec![ok(&first), ok(&last)]).await;
    let listing = at.cloud.list().await.unwrap();
    assert_eq!((listing.complete, listing.machines.len()), (true, 2));
    assert_eq!(at.lines()[1], "GET /v2/pods?includeClusterPods=true&cursor=c%2F1");
}

#[tokio::test]
async fn a_list_that_was_not_read_whole_proves_nothing() {
    let first = json!({"pods": [pod("a", &json!({}))], "nextCursor": "c"});
    for script in [
        vec![ok(&first)],
        vec![ok(&first), problem("400 Bad Request", "unknown parameter")],
        vec![ok(&json!({"pods": [pod("a", &json!({})), {"status": "RUNNING"}]}))],
    ] {
        let listing = stage("runpod", script).await.cloud.list().await.unwrap();
        assert_eq!((listing.complete, listing.machines.len()), (false, 1));
        assert!(!listing.unreadable.is_empty(), "and says why");
    }
    for nothing in [json!({}), json!({"pods": null}), json!({"message": "no"})] {
        assert!(stage("runpod", vec![ok(&nothing)]).await.cloud.list().await.is_err(), "{nothing}");
    }
}

#[tokio::test]
async fn look_stop_start_and_end_keep_to_the_documented_calls() {
    let at = stage("runpod", vec![ok(&pod("abc", &json!({"locked": true})))]).await;
    let Look::There(machine) = at.cloud.look("abc").await.unwrap() else { panic!("it is there") };
    assert_eq!((machine.ssh[0].port, &machine.notices[..]), (31022, &[Notice::Locked][..]));
    at.cloud.stop("abc").await.unwrap();
    at.cloud.start("abc").await.unwrap();
    assert_eq!(at.lines(), ["GET /v2/pods/abc", "POST /v2/pods/abc/action", "POST /v2/pods/abc/action"]);
    assert_eq!((at.body(1), at.body(2)), (json!({"action": "stop"}), json!({"action": "start"})));
    let at =
        stage("runpod", vec![Say::Bytes(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_vec())])
            .await;
    at.cloud.end("abc").await.unwrap();
    assert_eq!(at.lines(), ["DELETE /v2/pods/abc"]);
    let gone = || problem("404 Not Found", "pod not found");
    assert_eq!(stage("runpod", vec![gone()]).await.cloud.look("abc").await.unwrap(), Look::Absent);
    stage("runpod", vec![gone()]).await.cloud.end("abc").await.unwrap();
    assert_eq!(
        stage("runpod", vec![gone()]).await.cloud.stop("abc").await.unwrap_err().code,
        CloudErrorCode::NoSuchMachine
    );
    let member = problem("409 Conflict", "Pod belongs to a cluster");
    let failed = stage("runpod", vec![member]).await.cloud.end("abc").await.unwrap_err();
    assert_eq!(failed.code, CloudErrorCode::Conflict);
    assert!(failed.hint.unwrap().contains("cluster"));
    assert!(stage("runpod", vec![ok(&pod("other", &json!({})))]).await.cloud.look("abc").await.is_err());
}

fn gpu(more: &Value) -> Value {
    let mut gpu = json!({
        "id": CARD, "name": "RTX 4090", "pool": "ADA_24", "manufacturer": "NVIDIA", "memory": 24, "secure": true, "community": true,
        "price": {"secure": 0.69, "community": 0.34}, "maxCount": {"secure": 8, "community": 4}, "availability": "LOW",
        "dataCenters": [{"id": "EU-SE-1", "name": "x", "availability": "LOW"}, {"id": "US-DE-1", "name": "y", "availability": "NONE"}],
    });
    for (field, value) in more.as_object().unwrap() {
        gpu[field] = value.clone();
    }
    gpu
}

#[tokio::test]
async fn a_quote_asks_for_the_count_in_the_cloud_and_place_of_the_offer() {
    let at = stage("runpod", vec![ok(&json!({"gpus": [gpu(&json!({}))]}))]).await;
    let Quote::Stands(now) = at.cloud.quote(&order("secure-EU-SE-1", 2).offer, None).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!(
        (now.price.per_hour, now.id.as_str()),
        (decimal("1.38"), "runpod:NVIDIA GeForce RTX 4090x2-secure-EU-SE-1")
    );
    let Quote::Stands(now) = at.cloud.quote(&order("community-SE", 2).offer, None).await.unwrap() else {
        panic!("it stands")
    };
    assert_eq!(now.price.per_hour, decimal("0.68"), "the other cloud has its own price");
    let call = "GET /v2/catalog/gpus?include=AVAILABILITY&product=POD&count=2";
    assert_eq!(
        at.lines(),
        [format!("{call}&cloud=SECURE"), format!("{call}&cloud=COMMUNITY&countryCodes=SE")]
    );
    for (site, count) in [("secure-US-DE-1", 1), ("secure-EU-RO-1", 1), ("community-SE", 8)] {
        let quote = at.cloud.quote(&order(site, count).offer, None).await.unwrap();
        assert!(matches!(quote, Quote::Gone { .. }), "{site} {count}");
    }
    for gone in [json!({"secure": false}), json!({"dataCenters": null}), json!({"id": "NVIDIA L4"})] {
        let at = stage("runpod", vec![ok(&json!({"gpus": [gpu(&gone)]}))]).await;
        let quote = at.cloud.quote(&order("secure-EU-SE-1", 1).offer, None).await.unwrap();
        assert!(matches!(quote, Quote::Gone { .. }), "{gone}");
    }
}

#[tokio::test]
async fn the_balance_comes_from_graphql_and_its_end_costs_only_the_balance() {
    let me =
        json!({"data": {"myself": {"clientBalance": 10.25, "currentSpendPerHr": 0.02, "spendLimit": 80}}});
    let at = stage("runpod", vec![ok(&json!({"pods": []})), ok(&me)]).await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!((facts.balance, facts.burning_per_hour), (Some(decimal("10.25")), Some(decimal("0.02"))));
    assert_eq!((facts.spend_limit_per_hour, facts.may_read), (Some(decimal("80")), Some(true)));
    assert_eq!(at.lines(), ["GET /v2/pods", "POST /graphql"]);
    at.assert_key_sent();
    for ended in
        [problem("410 Gone", "ended"), ok(&json!({"errors": [{"message": "no"}], "data": {"myself": null}}))]
    {
        let at = stage("runpod", vec![ok(&json!({"pods": []})), ended]).await;
        let facts = at.cloud.check().await.unwrap();
        assert_eq!((facts.balance, facts.remarks.len()), (None, 1));
    }
    let at = stage("runpod", vec![problem("401 Unauthorized", "x")]).await;
    assert_eq!(at.cloud.check().await.unwrap_err().code, CloudErrorCode::BadKey);
}

#[tokio::test]
async fn bills_are_added_up_by_pod_and_volumes_stay_behind() {
    let hour = |start: &str, end: &str, total: f64| json!({"startTime": start, "endTime": end, "podId": "abc", "totalAmount": total, "gpuAmount": 0.4, "cpuAmount": 0.0, "diskAmount": 0.01});
    let records = [
        hour("2026-11-30T07:00:00Z", "2026-11-30T08:00:00Z", 0.41),
        hour("2026-11-30T08:00:00Z", "2026-11-30T09:00:00Z", 0.41),
    ];
    let at = stage("runpod", vec![ok(&json!({"records": records, "metadata": {}}))]).await;
    let used = at.cloud.usage(now() - chrono::TimeDelta::hours(2), now()).await.unwrap().unwrap();
    assert_eq!(
        at.lines(),
        ["GET /v2/billing/pods?startTime=2026-11-30T07:00:00Z&endTime=2026-11-30T09:00:00Z&bucketSize=hour"]
    );
    assert_eq!(
        (used.len(), used[0].total, used[0].compute, used[0].storage),
        (1, decimal("0.82"), Some(decimal("0.8")), Some(decimal("0.02")))
    );
    let volumes = json!({"networkVolumes": [
        {"id": "v1", "name": "data", "size": 1200, "dataCenter": "EU-SE-1", "type": "STANDARD"},
        {"id": "v2", "name": "fast", "size": 100, "dataCenter": "EU-SE-1", "type": "HIGH_PERFORMANCE"}]});
    let at = stage("runpod", vec![ok(&volumes)]).await;
    let left = at.cloud.leftovers().await.unwrap();
    assert_eq!(left[0].per_month, Some(decimal("80")), "1000 GB at 0.07 and 200 at 0.05");
    assert_eq!(
        (left[1].per_month, left[1].size_gb),
        (None, Some(decimal("100"))),
        "the faster tier's price is not told"
    );
}

#[tokio::test]
async fn a_problem_under_status_200_is_one() {
    let problem = |status: u16, detail: &str| {
        let body = json!({"type": "about:blank", "title": "Bad Request", "status": status, "detail": detail});
        Say::http("200 OK", &["content-type: application/problem+json"], body.to_string())
    };
    let full = stage("runpod", vec![problem(400, "There are no instances available")]).await;
    let failed = full.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap_err();
    assert_eq!((failed.code, failed.effect), (CloudErrorCode::NoCapacity, Effect::Nothing));
    let broken = stage("runpod", vec![problem(500, "oh")]).await;
    assert_eq!(broken.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap_err().effect, Effect::Unclear);
}

#[tokio::test]
async fn the_reason_is_found_where_the_errors_are_a_list() {
    let body = json!({"title": "Bad Request", "detail": null, "errors": [{"message": "no capacity"}]});
    let at = stage("runpod", vec![error("400 Bad Request", &body)]).await;
    let failed = at.cloud.launch(&order("secure-EU-SE-1", 1)).await.unwrap_err();
    assert_eq!(failed.code, CloudErrorCode::NoCapacity, "{failed}");
}
