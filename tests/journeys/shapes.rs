//! The whole shape of an offer and of a rental as JSON: every key the contract names, each of its type. A question
//! mark behind a type allows null, where a provider may say nothing.

use std::net::SocketAddr;
use std::path::Path;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::world::{Pace, World};
use serde_json::{Value, json};

use crate::support::Desk;

fn offers() -> Value {
    json!({
        "as_of": "text", "currency": "text", "fx": {"source": "text", "date": "text"},
        "total": "number", "took_ms": "number", "offers": [offer()],
    })
}

fn offer() -> Value {
    json!({
        "id": "text", "provider": "text", "cloud": "text", "source": "text", "name": "text", "form": "text",
        "isolation": "text?",
        "gpu": {
            "model": "text?", "vendor": "text?", "count": "number", "fraction": "number?", "vram_gib": "number?",
            "vram_total_gib": "number?", "bandwidth_gb_s": "number?", "bf16_tflops": "number?", "link": "text?",
            "link_gb_s": "number?", "raw_name": "text",
        },
        "fabric": "text?", "vcpu": "number?", "ram_gib": "number?",
        "disk": {"included_gb": "number?", "max_gb": "number?"},
        "net": {"down_mbit_s": "number?", "up_mbit_s": "number?"},
        "driver": "text?", "cuda": "text?", "reliability": "number?", "verified": "truth?",
        "place": {"region": "text?", "country": "text?", "zones": ["text"], "seller": "text?"},
        "price": {
            "kind": "text", "currency": "text", "per_hour": "money", "per_gpu_hour": "money",
            "per_gpu_hour_usd": "money?", "term": "text?", "increment_s": "number?", "minimum_s": "number?",
            "storage_gb_month": "money?", "storage_stopped_gb_month": "money?", "egress_gb": "money?",
            "ingress_gb": "money?",
        },
        "total": {
            "usd": "money", "hours": "number",
            "parts": {"compute": "money?", "storage": "money?", "egress": "money?"}, "unknown": ["text"],
        },
        "supply": {"state": "text", "count": "number?"}, "seen_at": "text", "flags": ["text"],
    })
}

fn rental() -> Value {
    json!({
        "id": "text", "name": "text", "provider": "text", "remote_id": "text?", "state": "text", "token": "text",
        "offer": {}, "owner": "text?", "project": "text?",
        "ssh": {"host": "text", "port": "number", "user": "text", "alias": "text"},
        "requested_at": "text", "ready_at": "text?", "rate": {"per_hour": "money?", "currency": "text"},
        "cost_so_far": {
            "amount": "money", "currency": "text", "parts": {"compute": "money", "storage": "money"},
        },
        "verified": {"ok": "truth", "differs": []},
        "lease": {"until": "text?", "max_spend": "money?", "idle_minutes": "number?", "on_expiry": "text"},
        "rings": [{"ring": "text", "on": "truth", "why": "text"}],
    })
}

/// What is wrong with a value of that shape, by the path of each.
fn check(path: &str, shape: &Value, value: &Value, wrong: &mut Vec<String>) {
    match (shape, value) {
        (Value::Object(shape), Value::Object(value)) => {
            for (key, inner) in shape {
                match value.get(key) {
                    Some(value) => check(&format!("{path}.{key}"), inner, value, wrong),
                    None => wrong.push(format!("{path}.{key} is not there")),
                }
            }
        }
        (Value::Array(shape), Value::Array(list)) => {
            for (at, value) in list.iter().enumerate() {
                if let Some(inner) = shape.first() {
                    check(&format!("{path}[{at}]"), inner, value, wrong);
                }
            }
        }
        (Value::String(word), value) => {
            let (word, may_be_null) =
                word.strip_suffix('?').map_or((word.as_str(), false), |word| (word, true));
            let fits = match word {
                "text" => value.as_str().is_some_and(|text| !text.is_empty()),
                "money" => value.as_str().is_some_and(is_money),
                "number" => value.is_number(),
                _ => value.is_boolean(),
            };
            if !(fits || may_be_null && value.is_null()) {
                wrong.push(format!("{path} is {value}, no {word}"));
            }
        }
        _ => wrong.push(format!("{path} is {value}")),
    }
}

/// A plain decimal without exponent, sign of its own or the tail of a binary number.
fn is_money(text: &str) -> bool {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(rest) && rest.len() <= 9
}

fn wrong(shape: &Value, value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    check("", shape, value, &mut wrong);
    wrong
}

#[test]
fn a_wrong_shape_is_seen() {
    let shape = json!({"a": "money?", "b": [{"c": "text"}]});
    assert!(wrong(&shape, &json!({"a": null, "b": [{"c": "x"}], "more": 1})).is_empty());
    for value in [
        json!({"b": []}),
        json!({"a": 1.5, "b": []}),
        json!({"a": "0.07876485000000001", "b": []}),
        json!({"a": "1e3", "b": []}),
        json!({"a": "1", "b": [{"c": ""}]}),
        json!({"a": "1", "b": null}),
    ] {
        assert_eq!(wrong(&shape, &value).len(), 1, "{value}");
    }
}

#[tokio::test]
async fn offers_of_every_source_have_the_whole_shape() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::with(&sim, sim.keys());
    desk.json("refresh").await;
    for query in ["cloud:vast", "cloud:runpod", "cloud:lambda source:live", "source:catalogue", "spot", ""] {
        let line = format!("offers {query} --job 48h,500GB,200GB --include-unknown --include-quarantine");
        let answer = desk.json(&line).await;
        assert!(!answer["offers"].as_array().unwrap().is_empty(), "{query}");
        let mut shape = offers();
        // A total needs a rate; without one it is null.
        let without: Vec<&Value> =
            answer["offers"].as_array().unwrap().iter().filter(|offer| offer["total"].is_null()).collect();
        assert!(without.iter().all(|offer| offer["price"]["per_gpu_hour_usd"].is_null()), "{query}");
        if !without.is_empty() {
            shape["offers"][0].as_object_mut().unwrap().remove("total");
        }
        assert_eq!(wrong(&shape, &answer), Vec::<String>::new(), "{query}");
    }
    let plain = desk.json("offers --limit 1").await;
    assert!(plain["offers"][0].get("total").is_none(), "a total is there with a job only");
}

#[tokio::test]
async fn a_rental_that_is_ready_has_the_whole_shape_and_so_has_one_that_is_over() {
    let machines = tempfile::tempdir().unwrap();
    let pace = Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 };
    let world = World { pace, ..World::default() };
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
    let sim = Sim::start_with(nowhere, world, Some(machines.path().to_owned())).await.unwrap();
    let desk = Desk::with(&sim, sim.keys());
    desk.json("refresh vast").await;
    let offers = desk.json("offers cloud:vast on-demand instock --limit 1").await;
    let id = offers["offers"][0]["id"].as_str().unwrap().to_owned();
    let order = ["rent", &id, "--name", "train-a", "--owner", "ann", "--project", "llm", "--max-spend", "20"];
    let order: Vec<&str> = order.into_iter().chain(["--idle", "30m", "--yes", "--wait", "--json"]).collect();
    let rented = desk.run_with(&order).await;
    assert_eq!(rented.code, 0, "{}", rented.err);
    let shown = desk.json("show train-a").await;
    let listed = desk.json("rentals").await;
    for value in [&rented.json(), &shown, &listed["rentals"][0]] {
        assert_eq!(value["state"], "ready", "{value:#}");
        assert_eq!(wrong(&rental(), value), Vec::<String>::new());
        let mut of_a_rental = offer();
        of_a_rental.as_object_mut().unwrap().remove("total");
        assert_eq!(wrong(&of_a_rental, &value["offer"]), Vec::<String>::new());
        let rings: Vec<&str> =
            value["rings"].as_array().unwrap().iter().map(|ring| ring["ring"].as_str().unwrap()).collect();
        assert_eq!(rings, ["provider", "box", "desk"]);
    }
    let over = desk.json("end train-a --yes").await;
    let mut without_address = rental();
    without_address.as_object_mut().unwrap().remove("ssh");
    assert_eq!(wrong(&without_address, &over), Vec::<String>::new());
    assert_eq!((&over["state"], &over["ssh"]), (&"ended".into(), &Value::Null));
}

/// The shapes above name the keys of the contract's own text, where it lies beside the checkout.
#[test]
fn the_shapes_are_those_of_the_contract() {
    let base = std::env::var_os("GPUDESK_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), Into::into);
    let Ok(text) = std::fs::read_to_string(base.join("cli.md")) else {
        eprintln!("skipped, needs ../shared/cli.md");
        return;
    };
    for (title, shape) in [("## An offer, as JSON", offers()), ("## A rental, as JSON", rental())] {
        let block = text.split_once(title).unwrap().1.split("```").nth(1).unwrap().trim_start_matches("json");
        let example: Value = serde_json::from_str(block).unwrap();
        assert_eq!(keys(&example), keys(&shape), "{title}");
    }
}

/// Every path of a document, those below an empty object left out.
fn keys(value: &Value) -> Vec<String> {
    fn walk(path: &str, value: &Value, keys: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    keys.push(format!("{path}.{key}"));
                    walk(&format!("{path}.{key}"), value, keys);
                }
            }
            Value::Array(list) => list.iter().take(1).for_each(|value| walk(path, value, keys)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk("", value, &mut found);
    found.sort();
    found
}
