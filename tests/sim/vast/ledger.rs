//! Money at Vast: the user, charges, invoices, price rises.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::super::clock::{Nanos, SECOND, seconds};
use super::super::machine::{Machine, Meter, Service};
use super::super::refusal::vast_error;
use super::super::world::dollars;
use super::super::{Answer, Refused, Shared, document, enter};
use super::life::{text, text_of};

/// Who the key belongs to, and the credit.
pub async fn user(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, "/api/v0/", false)?;
    let credit = dollars(world.balance(caller.account, Service::Vast, now));
    let name = caller.account.mail();
    Ok(Json(json!({
        "id": caller.account.number(), "key_id": 1, "email": name, "username": name, "fullname": "Practice",
        "balance": 0.0, "credit": credit, "ssh_key": "", "sid": "practice", "autobill_amount": null,
        "billed_expected": 0.0, "has_billing": false, "can_pay": true,
    }))
    .into_response())
}

/// Charges of a time, one row an instance.
pub async fn charges(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (world, caller, now) = enter(&market, &headers, "/api/v0/", false)?;
    let filters = text_of(&query, "select_filters");
    let day = |bound: &str| filters["day"][bound].as_f64().map(|s| (s * SECOND as f64) as Nanos);
    let (Some(from), Some(to)) = (day("gte"), day("lte")) else {
        return Err(vast_error(StatusCode::BAD_REQUEST, "invalid_args", "day filter is required").into());
    };
    // A day counts whole.
    let to = (to + 86_400 * SECOND).min(now);
    let mut rows: Vec<Value> = Vec::new();
    let theirs = |m: &&Machine| m.service == Service::Vast && m.account == caller.account;
    for machine in world.machines.iter().filter(theirs) {
        let parts = [("gpu", Meter::Compute), ("disk", Meter::Disk)];
        let items: Vec<(&str, i64)> =
            parts.into_iter().map(|(kind, meter)| (kind, machine.within(meter, from, to))).collect();
        let amount: i64 = items.iter().map(|(_, amount)| amount).sum();
        if amount == 0 {
            continue;
        }
        let (start, end) = (machine.created.max(from), machine.ended.unwrap_or(to).min(to));
        let bounds = [seconds(start).floor(), seconds(end).ceil()];
        let items: Vec<Value> = items
            .into_iter()
            .filter(|(_, amount)| *amount > 0)
            .map(|(kind, amount)| {
                json!({
                    "start": bounds[0], "end": bounds[1], "type": kind, "source": null,
                    "amount": thousandths(amount), "metadata": {}, "items": [],
                })
            })
            .collect();
        rows.push(json!({
            "start": bounds[0], "end": bounds[1], "type": "instance", "source": format!("instance-{}", machine.id),
            "amount": thousandths(amount), "metadata": { "label": machine.name }, "items": items,
        }));
    }
    let total = rows.len();
    let limit = text(&query, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(500_usize).min(500);
    let after: usize = text(&query, "after_token").and_then(|token| token.parse().ok()).unwrap_or(0);
    let rows: Vec<Value> = rows.into_iter().skip(after).take(limit).collect();
    let next = (after + rows.len() < total).then(|| (after + rows.len()).to_string());
    Ok(Json(json!({
        "success": true, "count": rows.len(), "total": total, "next_token": next, "results": rows,
    }))
    .into_response())
}

/// Dollars with three decimals.
fn thousandths(nano: i64) -> f64 {
    (dollars(nano) * 1e3).round() / 1e3
}

/// Top-ups; a missing range is a failure with status 200.
pub async fn invoices(
    State(market): State<Shared>,
    Query(query): Query<Map<String, Value>>,
    headers: HeaderMap,
) -> Answer {
    let (_world, caller, _) = enter(&market, &headers, "/api/v0/", false)?;
    if text_of(&query, "select_filters").is_null() {
        return Ok(Json(json!({ "success": false, "error": "invalid_args", "msg": "range is required" }))
            .into_response());
    }
    let cents = caller.account.paid_in() / 10_000_000;
    Ok(Json(json!({
        "success": true, "count": 1, "total": 1, "next_token": null,
        "results": [{ "type": "credit", "amount_cents": cents, "amount": dollars(caller.account.paid_in()) }],
    }))
    .into_response())
}

/// Rises the hosts propose.
pub async fn rises(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    let (world, caller, _) = enter(&market, &headers, "/api/v0/", false)?;
    let rows: Vec<Value> = world
        .of(Service::Vast, caller.account)
        .filter_map(|machine| {
            let rise = machine.rise?;
            let end = seconds(machine.created) + machine.facts["duration"].as_f64().unwrap_or_default();
            Some(json!({
                "id": machine.number, "pending_price_increase_id": machine.number,
                "instance_id": machine.id.parse::<u64>().unwrap_or_default(),
                "current_dph_base": dollars(machine.rates.compute), "new_dph_base": dollars(rise),
                "effective_date": end,
            }))
        })
        .collect();
    Ok(Json(json!({ "success": true, "pending_price_increases": rows })).into_response())
}

/// Takes a rise: it holds from now on.
pub async fn accept_rise(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    decide(&market, &headers, &body, true)
}

/// Refuses a rise.
pub async fn reject_rise(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    decide(&market, &headers, &body, false)
}

fn decide(market: &Shared, headers: &HeaderMap, body: &Bytes, accept: bool) -> Result<Response, Refused> {
    let (mut world, caller, now) = enter(market, headers, "/api/v0/", true)?;
    let id = document(body)["pending_price_increase_id"].as_u64();
    let found = world.machines.iter_mut().find(|m| {
        m.service == Service::Vast && m.account == caller.account && id == Some(u64::from(m.number))
    });
    let Some((machine, rise)) = found.and_then(|machine| machine.rise.take().map(|rise| (machine, rise)))
    else {
        return Err(vast_error(StatusCode::NOT_FOUND, "invalid_args", "no such price increase").into());
    };
    if accept {
        machine.rates.compute = rise;
        machine.meter(now);
    }
    Ok(Json(json!({ "success": true })).into_response())
}
