//! The bill: what is pending this month, and the invoices of those that are over. Lines name machines by their labels.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use chrono::SecondsFormat;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, SECOND};
use super::super::machine::Service;
use super::super::month::{Month, date};
use super::super::world::{World, dollars};
use super::super::{Answer, Shared};
use super::{enter, missing, page};

fn time(at: Nanos) -> String {
    date(at).to_rfc3339_opts(SecondsFormat::Secs, false).replace('T', " ")
}

/// The number of the invoice of a month.
fn number(month: &Month) -> i64 {
    i64::from(month.year) * 100 + i64::from(month.month)
}

/// The lines of a month: what each machine cost in it, in cents.
fn lines(world: &World, account: Account, month: &Month, now: Nanos) -> Vec<Value> {
    let theirs = world.machines.iter().filter(|m| m.service == Service::Vultr && m.account == account);
    theirs
        .filter_map(|machine| {
            let (cost, (from, to)) = (month.cost(machine, now), month.part(machine, now));
            let metal = machine.facts["metal"] == true;
            let label = machine.name.as_deref().unwrap_or_default();
            (cost > 0).then(|| {
                json!({
                    "description": format!("203.0.113.7 (184320 MB) [{label}]"),
                    "product": if metal { "Vultr Bare Metal" } else { "Vultr Cloud GPU" },
                    "start_date": time(from), "end_date": time(to), "units": (to - from + 3_600 * SECOND - 1) / (3_600 * SECOND),
                    "unit_type": "hours", "unit_price": dollars(machine.rates.compute),
                    "total": (dollars(cost) * 100.0).round() / 100.0,
                })
            })
        })
        .collect()
}

/// What is not billed yet.
pub async fn pending(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let running = Month::all(&world, Service::Vultr, caller.account, now).pop();
    let rows = running.map(|month| lines(&world, caller.account, &month, now)).unwrap_or_default();
    Ok(page("pending_charges", rows, &query))
}

/// The invoices: one on the first of each month, of the month before.
pub async fn invoices(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let mut months = Month::all(&world, Service::Vultr, caller.account, now);
    months.pop();
    let row = |month: &Month| {
        let lines = lines(&world, caller.account, month, now);
        let amount: f64 = lines.iter().filter_map(|line| line["total"].as_f64()).sum();
        let number = number(month);
        json!({
            "id": number, "date": time(month.to), "description": format!("Invoice #{number}"), "amount": amount,
            "balance": amount,
        })
    };
    Ok(page("billing_invoices", months.iter().rev().map(row).collect(), &query))
}

/// The lines of one invoice.
pub async fn items(
    State(market): State<Shared>,
    Path(asked): Path<i64>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, false)?;
    let mut months = Month::all(&world, Service::Vultr, caller.account, now);
    months.pop();
    let month = months.iter().find(|month| number(month) == asked).ok_or_else(|| missing("invoice-id"))?;
    Ok(page("invoice_items", lines(&world, caller.account, month, now), &query))
}
