//! What clouds that bill by lines say they billed, machine by machine: lines that are late, stand there twice, are
//! taken back, or are of something else.

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_providers::cloud::{CloudErrorCode, Usage};
use serde_json::{Value, json};

use crate::rent_support::{decimal, error, ok, stage, stage_with};
use crate::support::Say;

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// From the last evening of October to the end of November.
fn november() -> (DateTime<Utc>, DateTime<Utc>) {
    (time("2026-10-31T18:00:00Z"), time("2026-11-30T09:00:00Z"))
}

fn sums(usage: &[Usage]) -> Vec<(&str, Option<&str>, String, Currency)> {
    usage
        .iter()
        .map(|row| (row.remote_id.as_str(), row.token.as_deref(), row.total.to_string(), row.currency))
        .collect()
}

mod digitalocean {
    use super::*;

    const ME: &str = "digitalocean";

    fn invoices(closed: &Value, preview: &Value) -> Say {
        let total = closed.as_array().unwrap().len();
        ok(&json!({"invoices": closed, "invoice_preview": preview, "links": {}, "meta": {"total": total}}))
    }

    fn invoice(uuid: &str, period: &str) -> Value {
        json!({"invoice_uuid": uuid, "invoice_id": "1", "amount": "1.00", "invoice_period": period})
    }

    fn items(rows: &[Value], total: usize) -> Say {
        ok(&json!({"invoice_items": rows, "links": {}, "meta": {"total": total}}))
    }

    fn line(product: &str, id: &str, amount: &str, from: &str, to: &str) -> Value {
        json!({"product": product, "resource_uuid": "", "resource_id": id, "group_description": "", "description": "x",
               "amount": amount, "duration": "2", "duration_unit": "Hours", "start_time": from, "end_time": to})
    }

    fn droplet(id: &str, amount: &str) -> Value {
        line("GPU Droplets", id, amount, "2026-11-02T08:00:00+00:00", "2026-11-02T10:00:00+00:00")
    }

    async fn usage(script: Vec<Say>) -> Result<Vec<Usage>, gpudesk_providers::cloud::CloudError> {
        let (from, to) = november();
        Ok(stage(ME, script).await.cloud.usage(from, to).await?.unwrap())
    }

    #[tokio::test]
    async fn lines_of_a_droplet_are_added_up_over_the_months() {
        let october = [
            line("Droplets", "4711", "3.10", "2026-10-31T20:00:00+00:00", "2026-11-01T00:00:00+00:00"),
            line("Droplets", "4711", "9.99", "2026-10-01T00:00:00+00:00", "2026-10-31T00:00:00+00:00"),
        ];
        let twice = droplet("4711", "6.88");
        let november = [
            twice.clone(),
            twice,
            droplet("4711", "-1.5"),
            line("Droplet Backups", "4711", "0.40", "2026-11-02T08:00:00+00:00", "2026-11-02T10:00:00+00:00"),
            droplet("4712", "0.02"),
            droplet("", "5.00"),
            line("Snapshots", "4711", "8.00", "2026-11-02T08:00:00+00:00", "2026-11-02T10:00:00+00:00"),
            line("Volumes", "9b2c", "8.00", "2026-11-02T08:00:00+00:00", "2026-11-02T10:00:00+00:00"),
            json!({"product": "Taxes", "amount": null}),
        ];
        let list = invoices(
            &json!([invoice("october", "2026-10"), invoice("september", "2026-09")]),
            &invoice("preview", "2026-11"),
        );
        let (from, to) = super::november();
        let at = stage(ME, vec![list, items(&october, 2), items(&november, 9)]).await;
        let used = at.cloud.usage(from, to).await.unwrap().unwrap();
        assert_eq!(
            at.lines(),
            [
                "GET /v2/customers/my/invoices?per_page=200&page=1",
                "GET /v2/customers/my/invoices/october?per_page=200&page=1",
                "GET /v2/customers/my/invoices/preview?per_page=200&page=1",
            ],
            "September is of before"
        );
        // 3.10 + 6.88 once - 1.5 of credit + 0.40: a line of before the time is not in it.
        assert_eq!(
            sums(&used),
            [
                ("4711", None, "8.88".to_owned(), Currency::USD),
                ("4712", None, "0.02".to_owned(), Currency::USD)
            ]
        );
        assert_eq!(
            (used[0].compute, used[0].storage, used[0].traffic),
            (Some(decimal("8.48")), Some(decimal("0.4")), None)
        );
        assert_eq!((used[0].from, used[0].to), (time("2026-10-31T20:00:00Z"), time("2026-11-02T10:00:00Z")));
        assert!(used[0].is_of("4711", "gpudesk-1") && !used[0].is_of("4712", "gpudesk-1"));
        at.assert_key_sent();
    }

    #[tokio::test]
    async fn a_month_that_has_its_invoice_is_not_taken_from_the_preview_as_well() {
        let closed = invoices(&json!([invoice("final", "2026-11")]), &invoice("preview", "2026-11"));
        let used = usage(vec![closed, items(&[droplet("4711", "6.90")], 1)]).await.unwrap();
        assert_eq!(sums(&used), [("4711", None, "6.9".to_owned(), Currency::USD)]);
    }

    #[tokio::test]
    async fn nothing_billed_yet_is_no_row_and_part_of_a_bill_is_none() {
        let fresh = || invoices(&json!([]), &invoice("preview", "2026-11"));
        assert_eq!(usage(vec![fresh(), items(&[], 0)]).await.unwrap(), []);
        assert_eq!(usage(vec![invoices(&json!([]), &Value::Null)]).await.unwrap(), []);
        let torn = usage(vec![fresh(), items(&[droplet("4711", "1")], 2)]).await;
        assert!(torn.unwrap_err().detail.contains("1 of 2"));
        for odd in [droplet("4711", "much"), json!(7), json!({"product": "Droplets", "resource_id": "4711"})]
        {
            assert!(usage(vec![fresh(), items(&[odd], 1)]).await.is_err());
        }
        let nameless = invoices(&json!([{"amount": "1"}]), &Value::Null);
        assert!(usage(vec![nameless]).await.is_err());
        let words = "You are missing the required permission billing:read";
        let no = error("403 Forbidden", &json!({"id": "Forbidden", "message": words}));
        assert_eq!(usage(vec![no]).await.unwrap_err().code, CloudErrorCode::Forbidden);
    }
}

mod vultr {
    use super::*;

    const ME: &str = "vultr";

    fn list(name: &str, rows: &Value) -> Say {
        let total = rows.as_array().map_or(0, Vec::len);
        ok(&json!({name: rows, "meta": {"total": total, "links": {"next": "", "prev": ""}}}))
    }

    fn line(label: &str, total: &Value, from: &str) -> Value {
        json!({"description": format!("198.51.100.9 (184320 MB) [{label}]"), "product": "Vultr Cloud GPU", "start_date": from,
               "end_date": "2026-11-03 00:00:00+00:00", "units": 2, "unit_type": "hours", "unit_price": 1.671, "total": total})
    }

    async fn usage(script: Vec<Say>) -> Result<Vec<Usage>, gpudesk_providers::cloud::CloudError> {
        let (from, to) = november();
        Ok(stage(ME, script).await.cloud.usage(from, to).await?.unwrap())
    }

    #[tokio::test]
    async fn a_line_names_its_machine_by_the_label() {
        let invoices = json!([
            {"id": 202_611, "date": "2026-11-01 00:00:00+00:00", "description": "Invoice #202611", "amount": 5.25, "balance": 10.25},
            {"id": 202_610, "date": "2026-10-01 00:00:00+00:00", "description": "Invoice #202610", "amount": 5.25, "balance": 10.25},
        ]);
        let october = json!([
            line("gpudesk-01jdx3", &json!(1.67), "2026-10-31 23:00:00"),
            line("gpudesk-01jdx3", &json!(44.5), "2026-10-02 00:00:00+00:00"),
            {"description": "Load Balancer (gpudesk-01jdx3)", "product": "Load Balancer", "total": 10},
        ]);
        let again = line("gpudesk-01jdx3", &json!(22.09), "2026-11-02 22:00:00+00:00");
        let pending = json!([
            // Taken into the invoice already.
            line("gpudesk-01jdx3", &json!(1.67), "2026-10-31 23:00:00"),
            again,
            again,
            line("gpudesk-01jdx3", &json!("-2.09"), "2026-11-02 23:00:00+00:00"),
            line("anna's [old] box", &json!(7), "2026-11-02 22:00:00+00:00"),
            line("nobody's", &json!(9), "2026-11-02 22:00:00+00:00"),
            line("twin", &json!(9), "2026-11-02 22:00:00+00:00"),
        ]);
        let machine =
            |id: &str, label: &str| json!({"id": id, "label": label, "status": "active", "region": "fra"});
        let machines =
            json!([machine("a1", "anna's [old] box"), machine("t1", "twin"), machine("t2", "twin")]);
        let script = vec![
            list("billing_invoices", &invoices),
            list("invoice_items", &october),
            list("pending_charges", &pending),
            list("instances", &machines),
            list("bare_metals", &json!([])),
        ];
        let (from, to) = november();
        let at = stage(ME, script).await;
        let used = at.cloud.usage(from, to).await.unwrap().unwrap();
        assert_eq!(
            at.lines(),
            [
                "GET /v2/billing/invoices?per_page=500",
                "GET /v2/billing/invoices/202611/items?per_page=500",
                "GET /v2/billing/pending-charges?per_page=500",
                "GET /v2/instances?per_page=500",
                "GET /v2/bare-metals?per_page=500",
            ]
        );
        // All lines of October that end in November are of this time: 1.67 + 44.5 + 22.09 once - 2.09.
        assert_eq!(
            sums(&used),
            [
                ("a1", None, "7".to_owned(), Currency::USD),
                ("", Some("gpudesk-01jdx3"), "66.17".to_owned(), Currency::USD),
            ],
            "of two of one label nobody knows which"
        );
        assert_eq!(used[1].from, time("2026-10-02T00:00:00Z"));
        assert!(used[1].is_of("cb676a46", "gpudesk-01jdx3") && !used[1].is_of("", "gpudesk-01jdx4"));
        assert!(used[0].is_of("a1", "gpudesk-01jdx3"));
    }

    #[tokio::test]
    async fn our_own_need_no_list_and_part_of_a_bill_is_none() {
        let none = || list("billing_invoices", &json!([]));
        let ours = json!([line("gpudesk-01jdx3", &json!(3.342), "2026-11-02 22:00:00+00:00")]);
        let used = usage(vec![none(), list("pending_charges", &ours)]).await.unwrap();
        assert_eq!(sums(&used), [("", Some("gpudesk-01jdx3"), "3.342".to_owned(), Currency::USD)]);
        assert_eq!(usage(vec![none(), list("pending_charges", &json!([]))]).await.unwrap(), []);
        let torn =
            ok(&json!({"pending_charges": ours, "meta": {"total": 2, "links": {"next": "", "prev": ""}}}));
        assert!(usage(vec![none(), torn]).await.is_err());
        let unpriced = json!([line("gpudesk-01jdx3", &Value::Null, "2026-11-02 22:00:00+00:00")]);
        assert!(usage(vec![none(), list("pending_charges", &unpriced)]).await.is_err());
        let no = error("403 Forbidden", &json!({"error": "missing ACL", "status": 403}));
        assert_eq!(usage(vec![no]).await.unwrap_err().code, CloudErrorCode::Forbidden);
    }
}

mod scaleway {
    use super::*;

    const SERVER: &str = "4f0b4b56-0000-4000-8000-000000000041";
    const PROJECT: &str = "33333333-aaaa-4bbb-8ccc-222222222222";

    fn charge(id: &str, name: Option<&str>, price: &Value) -> Value {
        json!({"organization_id": "o", "project_id": PROJECT, "sku": "/compute/x", "resource_id": id, "resource_name": name,
               "price": price, "start_date": "2026-11-02T08:00:00Z", "end_date": "2026-11-02T10:00:00Z"})
    }

    fn euros(units: i64, nanos: i64) -> Value {
        json!({"currency_code": "EUR", "units": units, "nanos": nanos})
    }

    fn page(rows: &[Value], next: Option<&str>) -> Say {
        ok(&json!({"charges": rows, "next_page_token": next}))
    }

    async fn at(script: Vec<Say>) -> crate::rent_support::Stage {
        let key = json!({"secret_key": "11111111-aaaa-4bbb-8ccc-222222222222", "project_id": PROJECT});
        stage_with("scaleway", &key.to_string(), script).await
    }

    async fn usage(script: Vec<Say>) -> Result<Vec<Usage>, gpudesk_providers::cloud::CloudError> {
        let (from, to) = november();
        Ok(at(script).await.cloud.usage(from, to).await?.unwrap())
    }

    #[tokio::test]
    async fn charges_are_added_up_by_resource_and_currency() {
        let twice = charge(SERVER, None, &euros(1, 575_000_000));
        let first = [twice.clone(), charge(SERVER, None, &euros(0, -75_000_000)), twice];
        let second = [
            charge("9d000000", Some("gpudesk-01jdx3"), &json!({"currency_code": "EUR", "nanos": 35_400_000})),
            charge(SERVER, None, &json!({"currency_code": "USD", "units": "2"})),
            charge("", None, &euros(1, 0)),
            charge("", Some("gpudesk-01jdx3"), &euros(0, 10_000_000)),
        ];
        let at = at(vec![page(&first, Some("n/2")), page(&second, None)]).await;
        let (from, to) = november();
        let used = at.cloud.usage(from, to).await.unwrap().unwrap();
        let asked = format!(
            "GET /billing/v2beta1/charges?project_ids={PROJECT}&start_date_after=2026-10-31T18%3A00%3A00Z\
             &end_date_before=2026-11-30T09%3A00%3A00Z&clamp_to_time_range=true&page_size=100"
        );
        assert_eq!(at.lines(), [asked.clone(), format!("{asked}&page_token=n%2F2")]);
        let mut sums = sums(&used);
        sums.sort();
        assert_eq!(
            sums,
            [
                ("", Some("gpudesk-01jdx3"), "0.01".to_owned(), Currency::EUR),
                (SERVER, None, "1.5".to_owned(), Currency::EUR),
                (SERVER, None, "2".to_owned(), Currency::USD),
                ("9d000000", Some("gpudesk-01jdx3"), "0.0354".to_owned(), Currency::EUR),
            ]
        );
        let ours = |row: &&Usage| row.is_of(&format!("fr-par-2_{SERVER}"), "gpudesk-01jdx3");
        assert_eq!(used.iter().filter(ours).count(), 4, "the machine by its bare id, the rest by the mark");
        assert!(!used.iter().any(|row| row.is_of("fr-par-2_another", "gpudesk-01jdx4")));
    }

    #[tokio::test]
    async fn a_list_that_does_not_end_or_cannot_be_read_is_no_bill() {
        assert_eq!(usage(vec![page(&[], None)]).await.unwrap(), []);
        assert!(usage(vec![page(&[], Some("a")), page(&[], Some("a"))]).await.is_err());
        for price in [
            Value::Null,
            json!({"units": 1}),
            json!({"currency_code": "EUR"}),
            json!({"currency_code": "EUR", "units": "x"}),
            json!({"currency_code": "??", "units": 1}),
        ] {
            assert!(usage(vec![page(&[charge(SERVER, None, &price)], None)]).await.is_err(), "{price}");
        }
        assert!(usage(vec![ok(&json!({"charges": null}))]).await.is_err());
        let no = error(
            "403 Forbidden",
            &json!({"type": "permissions_denied", "message": "insufficient permissions"}),
        );
        assert_eq!(usage(vec![no]).await.unwrap_err().code, CloudErrorCode::Forbidden);
    }
}
