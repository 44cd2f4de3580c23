//! Charges of each resource: servers and their volumes.

use axum::Json;
use axum::extract::{Query as Asked, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::clock::{Nanos, iso, nanos};
use super::super::machine::{Machine, Meter};
use super::super::{Answer, Shared};
use super::{PROJECT, Query, SERVICE, invalid, let_in};

/// What may be asked by.
const FIELDS: [&str; 8] = [
    "project_ids",
    "organization_id",
    "start_date_after",
    "end_date_before",
    "clamp_to_time_range",
    "page_size",
    "page_token",
    "order_by",
];

/// The charges of a project in a time, cut to the part that lies in it.
pub async fn charges(State(market): State<Shared>, Asked(query): Asked<Query>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = let_in(&market, &headers, false)?;
    if let Some(unknown) = query.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(invalid(unknown));
    }
    let time = |name: &str, usual: Nanos| match query.get(name) {
        None => Ok(usual),
        Some(text) => nanos(text).ok_or_else(|| invalid(name)),
    };
    let (from, to) = (time("start_date_after", 0)?, time("end_date_before", now)?.min(now));
    let project = query.get("project_ids").ok_or_else(|| invalid("project_ids"))?;
    let theirs = world.machines.iter().filter(|m| m.service == SERVICE && m.account == caller.account);
    let rows: Vec<Value> = theirs
        .filter(|_| project == PROJECT)
        .flat_map(|machine| [Meter::Compute, Meter::Disk].map(|meter| charge(machine, meter, (from, to))))
        .flatten()
        .collect();
    let each = query.get("page_size").and_then(|size| size.parse::<usize>().ok()).unwrap_or(50).clamp(1, 100);
    let skip = query.get("page_token").and_then(|token| token.parse::<usize>().ok()).unwrap_or(0);
    let next = (skip + each < rows.len()).then(|| (skip + each).to_string());
    let here: Vec<Value> = rows.into_iter().skip(skip).take(each).collect();
    Ok(Json(json!({ "charges": here, "next_page_token": next })).into_response())
}

fn charge(machine: &Machine, meter: Meter, (from, to): (Nanos, Nanos)) -> Option<Value> {
    let cost = machine.within(meter, from, to);
    let bare = machine.id.split_once('_').map_or(machine.id.as_str(), |(_, id)| id);
    let (id, sku) = match meter {
        Meter::Compute => (json!(bare), "/compute/gpu/run"),
        Meter::Disk => (machine.facts["disk"].clone(), "/storage/block/volume"),
    };
    (cost > 0).then(|| {
        json!({
            "organization_id": "44444444-aaaa-4bbb-8ccc-222222222222", "organization_name": "Practice",
            "project_id": PROJECT, "project_name": "default", "sku": sku, "invoice_id": "", "resource_id": id,
            "resource_name": machine.name,
            "price": { "currency_code": "EUR", "units": cost / 1_000_000_000, "nanos": cost % 1_000_000_000 },
            "start_date": iso(machine.created.max(from)), "end_date": iso(machine.ended.unwrap_or(to).min(to)),
            "updated_at": iso(to),
        })
    })
}
