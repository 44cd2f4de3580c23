//! Renting at Vast.ai, with every odd answer its users have met.

use gpudesk_core::rental::{MachineState, Notice};
use gpudesk_providers::cloud::{CloudErrorCode, Effect, Launch, Look, Quote};
use serde_json::{Value, json};

use crate::rent_support::{KEY, PUBLIC_KEY, decimal, error, launch, offer, ok, stage};
use crate::support::{Say, now};

fn order(kind: &str) -> Launch {
    launch(
        offer(&format!("vast:20817x2-{kind}"), "31881234", "RTX 4090", 2, kind, "Sofia, BG"),
        "vastai/base-image",
    )
}

fn instance(id: u64, more: &Value) -> Value {
    let mut instance = json!({
        "id": id, "label": format!("gpudesk-{id}"), "actual_status": "running", "cur_state": "running",
        "next_state": "running", "intended_status": "running", "status_msg": null, "is_bid": false,
        "public_ipaddr": "203.0.113.9\n", "ports": {"22/tcp": [{"HostIp": "0.0.0.0", "HostPort": "20000"}]},
        "ssh_host": "ssh5.vast.ai", "ssh_port": 10600, "image_runtype": "ssh ssh_direc ssh_proxy", "gpu_name": "RTX 4090",
        "num_gpus": 2, "geolocation": "Sofia, BG", "dph_base": 0.7467, "dph_total": 0.76,
        "disk_space": 50.0, "start_date": 1_796_000_000.25, "end_date": 1_797_000_000.0, "jupyter_token": "s3cret",
    });
    for (field, value) in more.as_object().unwrap() {
        instance[field] = value.clone();
    }
    instance
}

#[tokio::test]
async fn a_launch_sends_exactly_what_was_ordered() {
    let made = json!({"success": true, "new_contract": 20_941_234, "instance_api_key": "s3cret"});
    let at = stage("vast", vec![ok(&made)]).await;
    assert_eq!(at.cloud.launch(&order("on-demand")).await.unwrap().remote_id, "20941234");
    assert_eq!(at.lines(), ["PUT /api/v0/asks/31881234/"]);
    let body = json!({
        "client_id": "me", "image": "vastai/base-image", "disk": 50, "label": "gpudesk-01jdx3", "runtype": "ssh_direct",
        "env": {"GPUDESK_TOKEN": "gpudesk-01jdx3", "GPUDESK_UNTIL": "2026-11-30T12:00:00Z"}, "cancel_unavail": true,
    });
    assert_eq!(at.body(0), body, "no price: that would make it a bid");
    at.assert_key_sent();
}

#[tokio::test]
async fn a_bid_always_names_its_price() {
    let made = json!({"success": true, "new_contract": 7});
    let at = stage("vast", vec![ok(&made)]).await;
    at.cloud.launch(&order("bid")).await.unwrap();
    let higher = Launch { bid_per_hour: Some(decimal("0.62")), ..order("bid") };
    at.cloud.launch(&higher).await.unwrap();
    assert_eq!((&at.body(0)["price"], &at.body(1)["price"]), (&json!(0.5), &json!(0.62)));
    assert_eq!(at.body(0)["cancel_unavail"], true, "for bids the server's default is a stopped instance");
    let absurd = Launch { bid_per_hour: Some(decimal("129")), ..order("bid") };
    assert_eq!(at.cloud.launch(&absurd).await.unwrap_err().code, CloudErrorCode::Refused);
    assert_eq!(at.lines().len(), 2, "an impossible bid is not sent");
}

#[tokio::test]
async fn an_error_that_made_an_instance_says_so() {
    let low = json!({"success": false, "error": "invalid_price", "msg": "bid too low", "new_contract": 99});
    for answer in [error("400 Bad Request", &low), ok(&low), error("500 Internal Server Error", &low)] {
        let at = stage("vast", vec![answer]).await;
        let failed = at.cloud.launch(&order("bid")).await.unwrap_err();
        assert_eq!(failed.effect, Effect::Made { remote_id: "99".to_owned() });
        assert_eq!(at.lines().len(), 1);
    }
}

#[tokio::test]
async fn a_failed_launch_is_told_apart_by_code_and_effect() {
    let fail = |code: &str, msg: &str| json!({"success": false, "error": code, "msg": msg});
    for (answer, code, effect) in [
        (
            error("410 Gone", &fail("no_such_ask", "error 410/3907")),
            CloudErrorCode::OfferGone,
            Effect::Nothing,
        ),
        (
            error("404 Not Found", &fail("invalid_args", "error 404/3603: no_such_ask")),
            CloudErrorCode::OfferGone,
            Effect::Nothing,
        ),
        (
            error("404 Not Found", &fail("auth_error", "Invalid user key")),
            CloudErrorCode::BadKey,
            Effect::Nothing,
        ),
        (error("401 Unauthorized", &fail("auth_error", "no")), CloudErrorCode::BadKey, Effect::Nothing),
        (error("403 Forbidden", &fail("", "no permission")), CloudErrorCode::Forbidden, Effect::Nothing),
        (error("400 Bad Request", &fail("invalid_price", "low")), CloudErrorCode::BidTooLow, Effect::Nothing),
        (
            error("400 Bad Request", &fail("no_ssh_key_for_vm", "x")),
            CloudErrorCode::SshKeyRefused,
            Effect::Nothing,
        ),
        (error("400 Bad Request", &fail("invalid_args", "disk")), CloudErrorCode::Refused, Effect::Nothing),
        (
            error("400 Bad Request", &fail("x", "Your account lacks credit")),
            CloudErrorCode::NoFunds,
            Effect::Nothing,
        ),
        (ok(&fail("no_such_ask", "taken")), CloudErrorCode::OfferGone, Effect::Nothing),
        (
            ok(&json!({"success": true})),
            CloudErrorCode::Http(gpudesk_providers::SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
        (
            Say::http("200 OK", &[], "gateway"),
            CloudErrorCode::Http(gpudesk_providers::SourceErrorCode::BadAnswer),
            Effect::Unclear,
        ),
        (
            error("502 Bad Gateway", &json!({})),
            CloudErrorCode::Http(gpudesk_providers::SourceErrorCode::ProviderDown),
            Effect::Unclear,
        ),
    ] {
        let at = stage("vast", vec![answer]).await;
        let failed = at.cloud.launch(&order("on-demand")).await.unwrap_err();
        assert_eq!((failed.code, &failed.effect), (code, &effect), "{failed}");
        assert_eq!(at.lines().len(), 1, "never sent twice");
        assert!(!failed.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn what_cannot_be_launched_is_not_sent() {
    let at = stage("vast", vec![ok(&json!({}))]).await;
    let long = Launch { user_data: "x".repeat(4049), ..order("on-demand") };
    assert_eq!(at.cloud.launch(&long).await.unwrap_err().code, CloudErrorCode::Refused);
    let mut odd = order("on-demand");
    odd.offer.name = "../users".to_owned();
    assert_eq!(at.cloud.launch(&odd).await.unwrap_err().code, CloudErrorCode::OfferGone);
    assert_eq!(at.cloud.look("../../users").await.unwrap_err().code, CloudErrorCode::NoSuchMachine);
    assert!(at.lines().is_empty());
}

#[tokio::test]
async fn the_key_is_let_into_one_instance_and_letting_it_in_twice_is_no_error() {
    let done = ok(&json!({"success": true, "msg": "SSH key attached successfully"}));
    let twice = error(
        "400 Bad Request",
        &json!({"success": false, "error": "invalid_args", "msg": "key already attached"}),
    );
    let bad =
        error("400 Bad Request", &json!({"success": false, "error": "invalid_args", "msg": "not a key"}));
    let at = stage("vast", vec![done, twice, bad]).await;
    let spec = order("on-demand").spec;
    at.cloud.admit("7", &spec).await.unwrap();
    at.cloud.admit("7", &spec).await.unwrap();
    assert_eq!(at.cloud.admit("7", &spec).await.unwrap_err().code, CloudErrorCode::SshKeyRefused);
    assert_eq!(at.lines()[0], "POST /api/v0/instances/7/ssh/");
    assert_eq!(at.body(0), json!({"ssh_key": PUBLIC_KEY}));
}

#[tokio::test]
async fn every_page_is_read() {
    let first = json!({"success": true, "instances": [instance(1, &json!({}))], "next_token": "a+b=", "total_instances": 2});
    let second = json!({"success": true, "instances": [instance(2, &json!({"label": null}))],
                        "next_token": null, "total_instances": 2});
    let rises = json!({"success": true, "count": 1, "truncated": false, "pending_price_increases": [
        {"pending_price_increase_id": 999, "contract_id": 2, "new_gpu_costpersec": 0.0002, "contract_end_date": 1_797_000_000.0}]});
    let at = stage("vast", vec![ok(&first), ok(&second), ok(&rises)]).await;
    let listing = at.cloud.list().await.unwrap();
    assert!(listing.complete);
    let seen: Vec<_> = listing.machines.iter().map(|m| (m.remote_id.as_str(), m.token.as_deref())).collect();
    assert_eq!(seen, [("1", Some("gpudesk-1")), ("2", None)]);
    assert_eq!(
        at.lines()[..2],
        ["GET /api/v1/instances/?limit=25", "GET /api/v1/instances/?limit=25&after_token=a%2Bb%3D"]
    );
    let from = Some("2026-12-11T14:40:00Z".parse().unwrap());
    assert_eq!(listing.machines[1].notices, [Notice::PriceRise { per_hour: decimal("0.72"), from }]);
    assert_eq!(listing.machines[0].per_hour, Some(decimal("0.7467")));
    assert!(!format!("{listing:?}").contains("s3cret"));
}

#[tokio::test]
async fn a_list_that_was_not_read_whole_proves_nothing() {
    let page = |rows: Value, next: Value, total: u64| {
        ok(&json!({"instances": rows, "next_token": next, "total_instances": total}))
    };
    let down = || error("400 Bad Request", &json!({"error": "invalid_token", "msg": "bad token"}));
    let not_there = || error("404 Not Found", &json!({}));
    for (script, machines) in [
        (vec![page(json!([instance(1, &json!({}))]), json!("t"), 2), down(), not_there()], 1),
        (vec![page(json!([instance(1, &json!({})), {"label": "no id"}]), Value::Null, 2), not_there()], 1),
        (vec![page(json!([instance(1, &json!({}))]), Value::Null, 3), not_there()], 1),
        (vec![page(json!([]), json!("same"), 0), page(json!([]), json!("same"), 0)], 0),
        // Pages moved under the reader: one row came twice, so another may not have come at all.
        (
            vec![
                page(json!([instance(1, &json!({}))]), json!("t"), 2),
                page(json!([instance(1, &json!({}))]), Value::Null, 2),
                not_there(),
            ],
            1,
        ),
    ] {
        let listing = stage("vast", script).await.cloud.list().await.unwrap();
        assert_eq!(
            (listing.complete, listing.machines.len(), listing.unreadable.len()),
            (false, machines, 1)
        );
    }
    let at = stage("vast", vec![ok(&json!({"success": true}))]).await;
    assert!(at.cloud.list().await.is_err(), "no list at all is not an empty one");
    let at = stage("vast", vec![ok(&json!({"success": false, "msg": "no"}))]).await;
    assert!(at.cloud.list().await.is_err());
}

#[tokio::test]
async fn a_look_tells_gone_from_unknown() {
    let at = stage("vast", vec![ok(&json!({"instances": instance(7, &json!({"actual_status": "frozen"}))}))])
        .await;
    let Look::There(machine) = at.cloud.look("7").await.unwrap() else { panic!("it is there") };
    assert_eq!(machine.state, MachineState::Running);
    assert_eq!(machine.notices, [Notice::StillBilled { word: "frozen".to_owned() }]);
    assert_eq!(machine.word, "frozen/running/running/running");
    assert_eq!(at.lines(), ["GET /api/v0/instances/7/"]);
    let absent = json!({"success": false, "error": "no_such_instance", "msg": "Instance with that ID does not exist."});
    for gone in [
        ok(&json!({"instances": null})),
        error("404 Not Found", &json!({})),
        error("404 Not Found", &absent),
        ok(&absent),
    ] {
        assert_eq!(stage("vast", vec![gone]).await.cloud.look("7").await.unwrap(), Look::Absent);
    }
    for unclear in [
        ok(&json!({"success": true})),
        ok(&json!({"instances": {"label": "no id"}})),
        ok(&json!({"instances": instance(8, &json!({}))})),
        error("404 Not Found", &json!({"success": false, "error": "auth_error", "msg": "Invalid user key"})),
        error("403 Forbidden", &json!({})),
    ] {
        assert!(stage("vast", vec![unclear]).await.cloud.look("7").await.is_err());
    }
}

#[tokio::test]
async fn stop_start_and_end_are_asked_for_in_the_documented_way() {
    let at = stage("vast", vec![ok(&json!({"success": true}))]).await;
    at.cloud.stop("7").await.unwrap();
    at.cloud.start("7").await.unwrap();
    at.cloud.end("7").await.unwrap();
    assert_eq!(
        at.lines(),
        ["PUT /api/v0/instances/7/", "PUT /api/v0/instances/7/", "DELETE /api/v0/instances/7/"]
    );
    assert_eq!((at.body(0), at.body(1)), (json!({"state": "stopped"}), json!({"state": "running"})));
    let gone =
        error("404 Not Found", &json!({"success": false, "error": "not_found", "msg": "Instance not found"}));
    stage("vast", vec![gone.clone()]).await.cloud.end("7").await.unwrap();
    assert_eq!(
        stage("vast", vec![gone]).await.cloud.stop("7").await.unwrap_err().code,
        CloudErrorCode::NoSuchMachine
    );
    let no = ok(&json!({"success": false, "error": "x", "msg": "host is busy"}));
    assert!(stage("vast", vec![no]).await.cloud.end("7").await.is_err(), "200 may carry a refusal");
    let other_key = error("404 Not Found", &json!({"error": "auth_error", "msg": "Invalid user key"}));
    let failed = stage("vast", vec![other_key]).await.cloud.end("7").await.unwrap_err();
    assert_eq!(failed.code, CloudErrorCode::BadKey, "a bad key has ended nothing");
}

#[tokio::test]
async fn an_end_that_comes_too_early_is_asked_again() {
    let early = Say::http("429 Too Many Requests", &[], "API requests too frequent endpoint threshold=3.0");
    let at = stage("vast", vec![early, ok(&json!({"success": true}))]).await;
    at.cloud.end("7").await.unwrap();
    assert_eq!((at.lines().len(), at.time.waits().iter().sum::<u128>()), (2, 3000));
}

#[tokio::test]
async fn a_quote_finds_the_machine_under_whatever_ask_it_has_now() {
    let ask = |id: u64, machine: u64, price: f64| {
        json!({"id": id, "machine_id": machine, "gpu_name": "RTX 4090", "num_gpus": 2, "gpu_ram": 24564, "dph_base": price,
               "disk_space": 812.4, "verification": "verified", "rentable": true, "is_bid": false, "geolocation": "Sofia, BG"})
    };
    let found = json!({"offers": [ask(1, 555, 0.1), ask(41, 20817, 0.8), ask(42, 20817, 0.7)]});
    let at = stage("vast", vec![ok(&found)]).await;
    let old = order("on-demand").offer;
    let Quote::Stands(now) = at.cloud.quote(&old, Some(50)).await.unwrap() else { panic!("it stands") };
    assert_eq!((now.id, now.name.as_str(), now.price.per_hour), (old.id.clone(), "42", decimal("0.7")));
    let body = at.body(0);
    assert_eq!(body["machine_id"], json!({"eq": 20817}));
    assert_eq!(
        (&body["type"], &body["num_gpus"], &body["allocated_storage"]),
        (&json!("on-demand"), &json!({"eq": 2}), &json!(50))
    );
    assert_eq!(body["limit"], 5000, "without one the server gives 64 rows");
    assert!(
        matches!(at.cloud.quote(&old, Some(900)).await.unwrap(), Quote::Gone { words } if words.contains("812"))
    );
    let at = stage("vast", vec![ok(&json!({"offers": [ask(1, 555, 0.1)]}))]).await;
    assert!(matches!(at.cloud.quote(&old, None).await.unwrap(), Quote::Gone { .. }));
    let verified: Vec<_> = (0..2).map(|number| at.body(number)["verified"]["eq"].clone()).collect();
    assert_eq!(verified, [json!(true), json!(false)], "the search takes one value at a time");
}

#[tokio::test]
async fn the_account_and_its_charges_are_read() {
    let at =
        stage("vast", vec![ok(&json!({"id": 1, "email": "a@b.example", "balance": 0.0, "credit": 12.5}))])
            .await;
    let facts = at.cloud.check().await.unwrap();
    assert_eq!((facts.who.as_deref(), facts.balance), (Some("a@b.example"), Some(decimal("12.5"))));
    let row = json!({"start": 1_790_000_000, "end": 1_799_000_000, "type": "instance", "source": "instance-7", "amount": 38.421,
        "metadata": {}, "items": [{"type": "gpu", "amount": 37.344}, {"type": "disk", "amount": 1.0}, {"type": "bwd", "amount": 0.07},
        {"type": "bwu", "amount": 0.007}]});
    let first = json!({"success": true, "results": [row], "next_token": "t"});
    let last = json!({"success": true, "results": [], "next_token": null});
    let at = stage("vast", vec![ok(&first), ok(&last)]).await;
    let day = now() - chrono::TimeDelta::days(1);
    let used = at.cloud.usage(day, now()).await.unwrap().unwrap();
    assert_eq!(used.len(), 1);
    assert_eq!(
        (used[0].remote_id.as_str(), used[0].total, used[0].traffic),
        ("7", decimal("38.421"), Some(decimal("0.077")))
    );
    assert_eq!(
        (used[0].from, used[0].to),
        (day, now()),
        "the row covers the contract, the amounts the days asked for"
    );
    assert!(at.lines()[1].ends_with("&after_token=t"));
    let refused = ok(&json!({"success": false, "msg": "Must provide both 'day' gte and lte"}));
    assert!(
        stage("vast", vec![refused]).await.cloud.usage(day, now()).await.is_err(),
        "200 may carry a refusal"
    );
}

#[tokio::test]
async fn a_port_that_is_not_published_costs_no_other() {
    let published = json!([{"HostIp": "0.0.0.0", "HostPort": "20000"}]);
    for ports in [
        json!({"22/tcp": published, "8080/tcp": null}),
        json!({"22/tcp": published, "8080/tcp": {}}),
        json!({"22/tcp": [null, {"HostPort": 20000}], "1/udp": "x"}),
        json!({"22/tcp": [{"HostPort": null}, {"HostIp": "::", "HostPort": "20000"}]}),
    ] {
        let at =
            stage("vast", vec![ok(&json!({"instances": instance(7, &json!({ "ports": ports }))}))]).await;
        let Look::There(machine) = at.cloud.look("7").await.unwrap() else { panic!("{ports}") };
        let direct: Vec<_> = machine.ssh.iter().filter(|way| !way.proxy).map(|way| way.port).collect();
        assert_eq!(direct, [20_000], "{ports}");
    }
}

#[tokio::test]
async fn numbers_and_flags_mean_the_same_in_every_form() {
    for id in [json!(20_941_234), json!(20_941_234.0), json!("20941234")] {
        let at = stage("vast", vec![ok(&json!({"success": true, "new_contract": id}))]).await;
        assert_eq!(at.cloud.launch(&order("on-demand")).await.unwrap().remote_id, "20941234", "{id}");
        let low = json!({"success": false, "error": "invalid_price", "new_contract": id});
        let at = stage("vast", vec![error("400 Bad Request", &low)]).await;
        let failed = at.cloud.launch(&order("bid")).await.unwrap_err();
        assert_eq!(failed.effect, Effect::Made { remote_id: "20941234".to_owned() }, "{id}");
    }
    for no in [json!(false), json!(0), json!("false"), json!("0")] {
        let at = stage("vast", vec![ok(&json!({"success": no, "error": "no_such_ask"}))]).await;
        let failed = at.cloud.launch(&order("on-demand")).await.unwrap_err();
        assert_eq!((failed.code, failed.effect), (CloudErrorCode::OfferGone, Effect::Nothing), "{no}");
        let at = stage("vast", vec![ok(&json!({"success": no, "msg": "locked"}))]).await;
        assert!(at.cloud.end("7").await.is_err(), "{no}");
    }
}
