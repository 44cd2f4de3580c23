//! Invoices: one a month, the running month's as a preview, with a line for each Droplet.

use axum::Json;
use axum::extract::{Path, Query as Asked, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use chrono::SecondsFormat;
use serde_json::{Value, json};

use super::super::account::Account;
use super::super::clock::{Nanos, SECOND};
use super::super::month::{Month, date};
use super::super::world::{World, dollars};
use super::super::{Answer, Shared};
use super::{Query, SERVICE, let_in, missing, page, paged};

fn time(at: Nanos) -> String {
    date(at).to_rfc3339_opts(SecondsFormat::Secs, false)
}

fn uuid(month: &Month, account: Account) -> String {
    format!("22737513-0ea7-4206-8ceb-{:06}{:04}{:02}", account.number(), month.year, month.month)
}

/// The lines of a month: what each Droplet cost in it, in cents.
fn lines(world: &World, account: Account, month: &Month, now: Nanos) -> Vec<Value> {
    let theirs = world.machines.iter().filter(|m| m.service == SERVICE && m.account == account);
    theirs
        .filter_map(|machine| {
            let (cost, (from, to)) = (month.cost(machine, now), month.part(machine, now));
            let hours = (to - from) / (3_600 * SECOND);
            (cost > 0).then(|| {
                json!({
                    "product": "Droplets", "resource_uuid": "", "resource_id": machine.id, "group_description": "",
                    "description": machine.name, "amount": format!("{:.2}", dollars(cost)), "duration": hours.to_string(),
                    "duration_unit": "Hours", "start_time": time(from), "end_time": time(to), "project_name": "practice",
                })
            })
        })
        .collect()
}

/// The invoices of the months that are over, the newest first, and beside them the preview of the running one.
pub async fn invoices(
    State(market): State<Shared>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = let_in(&market, &headers, false)?;
    let row = |month: &Month| {
        let amounts = lines(&world, caller.account, month, now);
        let amounts = amounts.iter().filter_map(|line| line["amount"].as_str()?.parse::<f64>().ok());
        json!({
            "invoice_uuid": uuid(month, caller.account), "invoice_id": "123456789",
            "amount": format!("{:.2}", amounts.sum::<f64>()), "invoice_period": format!("{:04}-{:02}", month.year, month.month),
        })
    };
    let mut months = Month::all(&world, SERVICE, caller.account, now);
    let running = months.pop();
    let mut preview = running.as_ref().map(row).unwrap_or_default();
    preview["updated_at"] = time(now).into();
    let closed = months.iter().rev().map(row).collect();
    let mut page = paged("invoices", closed, &query)?;
    page["invoice_preview"] = preview;
    Ok(Json(page).into_response())
}

/// The lines of one invoice, the preview's as well.
pub async fn items(
    State(market): State<Shared>,
    Path(asked): Path<String>,
    Asked(query): Asked<Query>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = let_in(&market, &headers, false)?;
    let months = Month::all(&world, SERVICE, caller.account, now);
    let month = months.iter().find(|month| uuid(month, caller.account) == asked).ok_or_else(missing)?;
    page("invoice_items", lines(&world, caller.account, month, now), &query)
}
