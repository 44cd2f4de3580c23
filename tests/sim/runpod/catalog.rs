//! The catalogue: cards with stock, data centres, templates.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::super::world::World;
use super::super::{Answer, Shared, enter};
use super::prices::{CARDS, Card, DATA_CENTERS};
use super::{V2, bad, missing};

type Asked = HashMap<String, String>;

/// Stock of a card at a place for a count: not every card is everywhere, and more at once are rarer.
fn level(card: &Card, place: usize, count: u32, world: &World) -> &'static str {
    let id = DATA_CENTERS.get(place).map_or("", |(id, _)| *id);
    let gone = world.sold_out.contains(card.id) || world.sold_out.contains(&format!("{}/{id}", card.id));
    let here = (place + card.gb as usize).is_multiple_of(2) || count <= 2;
    match count {
        _ if gone || !here || count > card.most => "NONE",
        8.. => "LOW",
        _ => "HIGH",
    }
}

fn shown(card: &Card, factor: f64, asked: &Asked, world: &World) -> Value {
    let mut row = json!({
        "id": card.id, "name": card.name, "pool": null, "manufacturer": "NVIDIA", "memory": card.gb,
        "secure": card.secure > 0.0, "community": card.community.is_some(),
        "price": { "secure": card.secure * factor, "community": card.community.unwrap_or(0.0) * factor },
        "maxCount": { "secure": card.most, "community": card.most.min(4) },
    });
    if asked.get("include").is_some_and(|include| include == "AVAILABILITY") {
        let count = asked.get("count").and_then(|count| count.parse().ok()).unwrap_or(1);
        let places: Vec<Value> = DATA_CENTERS
            .iter()
            .enumerate()
            .filter(|_| card.secure > 0.0)
            .map(|(n, (id, _))| json!({ "id": id, "name": id, "availability": level(card, n, count, world) }))
            .filter(|place| place["availability"] != "NONE")
            .collect();
        let best =
            places.iter().map(|place| place["availability"].clone()).next().unwrap_or_else(|| json!("NONE"));
        row["availability"] = best;
        if !places.is_empty() {
            row["dataCenters"] = places.into();
        }
        row["cudaVersions"] = json!([{ "version": "12.8", "available": true }]);
    }
    row
}

/// Every card.
pub async fn gpus(State(market): State<Shared>, Query(asked): Query<Asked>, headers: HeaderMap) -> Answer {
    let factor = market.factor();
    let (world, _, _) = enter(&market, &headers, V2, false)?;
    if asked.contains_key("include") && !asked.contains_key("product") {
        return Err(bad("include=AVAILABILITY requires product"));
    }
    let rows: Vec<Value> = CARDS
        .iter()
        .filter(|card| match asked.get("cloud").map(String::as_str) {
            Some("SECURE") => card.secure > 0.0,
            Some("COMMUNITY") => card.community.is_some(),
            _ => true,
        })
        .map(|card| shown(card, factor, &asked, &world))
        .collect();
    Ok(Json(json!({ "gpus": rows })).into_response())
}

/// One card.
pub async fn gpu(
    State(market): State<Shared>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Answer {
    let factor = market.factor();
    let (world, _, _) = enter(&market, &headers, V2, false)?;
    let card = CARDS.iter().find(|card| card.id == id).ok_or_else(|| missing("GPU type"))?;
    Ok(Json(shown(card, factor, &asked, &world)).into_response())
}

fn center(place: usize, asked: &Asked, world: &World) -> Option<Value> {
    let (id, _) = DATA_CENTERS.get(place)?;
    let region = if id.starts_with("EU") { "EUROPE" } else { "NORTH_AMERICA" };
    let compliance =
        if region == "EUROPE" { json!(["GDPR", "ISO_IEC_27001"]) } else { json!(["SOC_2_TYPE_2"]) };
    let mut row = json!({
        "id": id, "name": id, "region": region, "globalNetwork": true, "networkVolumeTypes": ["STANDARD"],
        "compliance": compliance,
    });
    if asked.get("include").is_some_and(|include| include.contains("GPU_AVAILABILITY")) {
        let cards: Vec<Value> = CARDS
            .iter()
            .filter(|card| card.secure > 0.0)
            .map(|card| json!({ "id": card.id, "name": card.name, "availability": level(card, place, 1, world) }))
            .collect();
        row["gpuAvailability"] = cards.into();
    }
    Some(row)
}

/// Every data centre.
pub async fn centers(State(market): State<Shared>, Query(asked): Query<Asked>, headers: HeaderMap) -> Answer {
    let (world, _, _) = enter(&market, &headers, V2, false)?;
    let rows: Vec<Value> = (0..DATA_CENTERS.len())
        .filter_map(|place| center(place, &asked, &world))
        .filter(|row| {
            asked.get("regions").is_none_or(|wanted| wanted.split(',').any(|one| row["region"] == one))
        })
        .collect();
    Ok(Json(json!({ "dataCenters": rows })).into_response())
}

/// One data centre.
pub async fn center_of(
    State(market): State<Shared>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Answer {
    let (world, _, _) = enter(&market, &headers, V2, false)?;
    let place =
        DATA_CENTERS.iter().position(|(known, _)| *known == id).ok_or_else(|| missing("data center"))?;
    Ok(Json(center(place, &asked, &world)).into_response())
}

/// Templates: none are kept here.
pub async fn templates(State(market): State<Shared>, headers: HeaderMap) -> Answer {
    drop(enter(&market, &headers, V2, false)?);
    Ok(Json(json!({ "templates": [] })).into_response())
}
