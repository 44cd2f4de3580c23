//! What holds of the bill of every cloud that tells one: an amount is the same in every form, what cannot be read is an
//! error and no smaller bill, and what comes twice is billed once.

use gpudesk_providers::cloud::{CloudError, Usage};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::rent_support::{decimal, ok, stage};
use crate::support::Say;

/// A cloud, and its bill of one machine that cost so much.
type Told = (&'static str, fn(&Value) -> Vec<Say>);

/// Every cloud whose bill has its amounts in one field. Scaleway's are units and billionths with their currency.
const CLOUDS: [Told; 6] = [
    ("vast", |amount| vec![vast(&[contract(7, amount)], None, None)]),
    ("runpod", |amount| vec![runpod(&[hour("07", amount)])]),
    ("prime", |amount| vec![prime(&[pod("p1", amount)], 1)]),
    ("hyperstack", |amount| vec![hyperstack(&[machine(4711, amount, 1.9)], 1, None)]),
    ("digitalocean", |amount| vec![invoices(), digitalocean(&[droplet(amount)], 1, false)]),
    ("vultr", |amount| {
        vec![vultr("billing_invoices", &[], 0, ""), vultr("pending_charges", &[line(amount)], 1, "")]
    }),
];

fn contract(id: u32, amount: &Value) -> Value {
    json!({"start": 1_790_000_000, "end": 1_799_000_000, "type": "instance", "source": format!("instance-{id}"),
           "amount": amount, "metadata": {}, "items": []})
}

fn vast(rows: &[Value], total: Option<u32>, next: Option<&str>) -> Say {
    ok(&json!({"success": true, "results": rows, "total": total, "next_token": next}))
}

fn hour(begun: &str, amount: &Value) -> Value {
    json!({"startTime": format!("2026-11-30T{begun}:00:00Z"), "endTime": format!("2026-11-30T{begun}:59:59Z"),
           "podId": "abc", "totalAmount": amount, "gpuAmount": 1.1, "cpuAmount": 0, "diskAmount": 0.1})
}

fn runpod(records: &[Value]) -> Say {
    ok(&json!({"records": records, "metadata": {}}))
}

fn pod(id: &str, amount: &Value) -> Value {
    json!({"id": id, "type": "Instance", "createdAt": "2026-11-30T07:00:00Z", "totalBilledPrice": amount})
}

fn prime(rows: &[Value], total: usize) -> Say {
    ok(&json!({"total_count": total, "offset": 0, "limit": 100, "data": rows}))
}

fn machine(id: u32, amount: &Value, per_hour: f64) -> Value {
    json!({"attributes": {"id": format!("b-{id}"), "infrahub_id": id, "resource_name": "x", "status": "ACTIVE"},
           "metrics": {"incurred_bill": amount, "price_per_hour": per_hour, "usage_time": 2}})
}

fn hyperstack(rows: &[Value], pages: u32, total: Option<u32>) -> Say {
    ok(&json!({"billing_history_vm": {"org_id": 1, "total_count": total, "billing_history": rows,
                                      "pagination": {"page": 1, "pages": pages, "per_page": 100}}}))
}

fn invoices() -> Say {
    ok(
        &json!({"invoices": [], "invoice_preview": {"invoice_uuid": "preview", "invoice_period": "2026-11"}, "links": {},
               "meta": {"total": 0}}),
    )
}

fn droplet(amount: &Value) -> Value {
    json!({"product": "GPU Droplets", "resource_id": "4711", "description": "x", "amount": amount,
           "start_time": "2026-11-30T07:00:00Z", "end_time": "2026-11-30T08:00:00Z"})
}

fn digitalocean(rows: &[Value], total: u32, more: bool) -> Say {
    let next = "https://api.digitalocean.com/v2/x?page=2";
    let links = if more { json!({"pages": {"next": next}}) } else { json!({}) };
    ok(&json!({"invoice_items": rows, "links": links, "meta": {"total": total}}))
}

fn line(amount: &Value) -> Value {
    json!({"description": "198.51.100.9 (184320 MB) [gpudesk-01jdx3]", "product": "Vultr Cloud GPU",
           "start_date": "2026-11-30 07:00:00+00:00", "end_date": "2026-11-30 08:00:00+00:00", "total": amount})
}

fn vultr(name: &str, rows: &[Value], total: u32, next: &str) -> Say {
    ok(&json!({name: rows, "meta": {"total": total, "links": {"next": next, "prev": ""}}}))
}

async fn usage(cloud: &str, script: Vec<Say>) -> Result<Vec<Usage>, CloudError> {
    let (from, to) = ("2026-11-30T00:00:00Z".parse().unwrap(), "2026-11-30T09:00:00Z".parse().unwrap());
    Ok(stage(cloud, script).await.cloud.usage(from, to).await?.unwrap())
}

/// What a cloud billed in all, and in how many rows.
async fn billed(cloud: &str, script: Vec<Say>) -> (usize, Decimal) {
    let rows = usage(cloud, script).await.unwrap();
    (rows.len(), rows.iter().map(|row| row.total).sum())
}

#[tokio::test]
async fn an_amount_is_the_same_in_every_form() {
    for (cloud, bill) in CLOUDS {
        for form in [
            json!(1.2),
            json!("1.2"),
            json!("1.20"),
            json!("$1.20"),
            json!("1.20 USD"),
            json!("USD 1.20"),
            json!("12e-1"),
            json!(0.1 + 1.1),
        ] {
            assert_eq!(billed(cloud, bill(&form)).await, (1, decimal("1.2")), "{cloud}: {form}");
        }
        assert_eq!(billed(cloud, bill(&json!("$1,234.56"))).await, (1, decimal("1234.56")), "{cloud}");
        assert_eq!(
            billed(cloud, bill(&json!(f64::EPSILON / 4.0))).await,
            (1, Decimal::ZERO),
            "{cloud}: a binary tail"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error_and_no_smaller_bill() {
    for (cloud, bill) in CLOUDS {
        for form in
            [json!("€1.20"), json!("1.20 EUR"), json!("1,234"), json!("free"), json!([1]), Value::Null]
        {
            assert!(usage(cloud, bill(&form)).await.is_err(), "{cloud}: {form}");
        }
    }
    let nameless = json!({"attributes": {"id": "b-1"}, "metrics": {"incurred_bill": 1.2}});
    let rows = [machine(4711, &json!(1.2), 1.9), nameless];
    assert!(usage("hyperstack", vec![hyperstack(&rows, 1, None)]).await.is_err());
}

/// A page that comes again instead of the next, with what it may say of the number of rows.
fn again(cloud: &str, total: u32, later: &Value) -> Vec<Say> {
    let first = json!(1.2);
    match cloud {
        "vast" => vec![
            vast(&[contract(7, &first)], Some(total), Some("a")),
            vast(&[contract(7, later)], Some(total), Some("b")),
        ],
        "hyperstack" => vec![
            hyperstack(&[machine(4711, &first, 1.9)], 3, Some(total)),
            hyperstack(&[machine(4711, later, 1.9)], 3, Some(total)),
        ],
        "digitalocean" => {
            vec![
                invoices(),
                digitalocean(&[droplet(&first)], total, true),
                digitalocean(&[droplet(later)], total, true),
            ]
        }
        "vultr" => vec![
            vultr("billing_invoices", &[], 0, ""),
            vultr("pending_charges", &[line(&first)], total, "a"),
            vultr("pending_charges", &[line(later)], total, ""),
        ],
        other => panic!("{other} has no pages here"),
    }
}

#[tokio::test]
async fn a_page_that_comes_again_is_billed_once_and_stands_for_no_other() {
    for cloud in ["vast", "hyperstack", "digitalocean", "vultr"] {
        assert_eq!(billed(cloud, again(cloud, 1, &json!(1.2))).await, (1, decimal("1.2")), "{cloud}");
        assert!(usage(cloud, again(cloud, 2, &json!(1.2))).await.is_err(), "{cloud}: a row is missing");
    }
    // Where a row names what it bills, it is the same row though more has been billed by now.
    for cloud in ["vast", "hyperstack"] {
        assert_eq!(billed(cloud, again(cloud, 1, &json!(1.3))).await, (1, decimal("1.2")), "{cloud}");
    }
    // Elsewhere nothing says which of the two holds.
    for cloud in ["digitalocean", "vultr"] {
        for total in [1, 2] {
            let told = usage(cloud, again(cloud, total, &json!(1.3))).await;
            assert!(told.is_err(), "{cloud}, {total}: {told:?}");
        }
    }
    // A machine with a credit is one of which the bill is not known; the others are.
    let rows = [machine(4711, &json!(5), 1.9), machine(4711, &json!(-1), 1.8), machine(4712, &json!(2), 1.9)];
    assert_eq!(billed("hyperstack", vec![hyperstack(&rows, 1, Some(3))]).await, (1, decimal("2")));
    let grown = vec![
        hyperstack(&[machine(4711, &json!(1.2), 1.9)], 2, None),
        hyperstack(&[machine(4711, &json!(1.3), 1.9)], 2, None),
    ];
    assert!(usage("hyperstack", grown).await.is_err(), "once or twice, nobody says");
    let twice = [pod("p1", &json!(1.2)), pod("p1", &json!(1.2))];
    assert!(usage("prime", vec![prime(&twice, 2)]).await.is_err(), "one of two pods is missing");
}

#[tokio::test]
async fn the_number_of_pages_is_not_taken_on_trust() {
    let row = |id: u32| machine(id, &json!(1.2), 1.9);
    let short = vec![hyperstack(&[row(4711)], 2, None)];
    assert_eq!(billed("hyperstack", short).await, (1, decimal("1.2")), "too many pages");
    let few = vec![hyperstack(&[row(4711)], 1, Some(2)), hyperstack(&[row(4712)], 1, Some(2))];
    assert_eq!(billed("hyperstack", few).await, (2, decimal("2.4")), "too few pages");
    let full: Vec<Value> = (1..=100).map(row).collect();
    assert!(usage("hyperstack", vec![hyperstack(&full, 2, None)]).await.is_err(), "what is on page 2?");
    let ended = vec![hyperstack(&full, 2, None), hyperstack(&[], 2, None)];
    assert_eq!(billed("hyperstack", ended).await, (100, decimal("120")));
    let endless: Vec<Say> = (1..=51).map(|id| hyperstack(&[row(id)], 99, None)).collect();
    assert!(usage("hyperstack", endless).await.is_err(), "part of a bill is no bill");
}

#[tokio::test]
async fn equal_charges_of_different_things_are_two() {
    let price = json!(1.2);
    let hours = [hour("07", &price), hour("08", &price), hour("08", &price)];
    assert_eq!(
        billed("runpod", vec![runpod(&hours)]).await,
        (1, decimal("2.4")),
        "two hours, one told twice"
    );
    let mut untimed = hour("07", &price);
    untimed["startTime"] = Value::Null;
    assert_eq!(billed("runpod", vec![runpod(&[untimed.clone(), untimed])]).await, (1, decimal("2.4")));
    let machines = [machine(4711, &price, 1.9), machine(4712, &price, 1.9), machine(4711, &price, 0.5)];
    assert_eq!(
        billed("hyperstack", vec![hyperstack(&machines, 1, Some(3))]).await,
        (3, decimal("3.6")),
        "one of them at two prices"
    );
    let contracts =
        vec![vast(&[contract(7, &price)], Some(2), Some("a")), vast(&[contract(8, &price)], Some(2), None)];
    assert_eq!(billed("vast", contracts).await, (2, decimal("2.4")));
}
