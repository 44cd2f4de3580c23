//! The market by card.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Instant;

use chrono::Duration;
use gpudesk_core::board::{Group, Page, Sort};
use gpudesk_core::gpu::Card;
use gpudesk_core::money::from_nanos;
use gpudesk_engine::Desk;
use rust_decimal::prelude::ToPrimitive;

use super::market::{ask_sorted, facet, millis};
use super::rows;
use crate::desk::ApiError;
use crate::market::{DayPoint, GpuGroup, GroupsPage, MarketPageRequest};

/// Days of a card's line.
const DAYS: i64 = 30;

type Order = fn(&Group, &Group, bool) -> Ordering;

/// What groups can be ordered by. A group that does not say comes last in both directions.
const ORDERS: &[(&str, Order)] = &[
    ("offers", |a, b, down| by(Some(a.offers), Some(b.offers), down)),
    ("clouds", |a, b, down| by(Some(a.clouds.len()), Some(b.clouds.len()), down)),
    ("gpu-hour", |a, b, down| by(a.from, b.from, down)),
    ("median", |a, b, down| by(a.median, b.median, down)),
    ("spot", |a, b, down| by(a.spot_from, b.spot_from, down)),
    ("vram-size", |a, b, down| by(fact(a, Card::vram_gib), fact(b, Card::vram_gib), down)),
    ("bandwidth-size", |a, b, down| by(fact(a, Card::bandwidth_gb_s), fact(b, Card::bandwidth_gb_s), down)),
    ("model", |a, b, down| by(Some(a.name.to_lowercase()), Some(b.name.to_lowercase()), down)),
];

/// A figure of the card as something that has an order: the table's figures are finite.
fn fact(group: &Group, figure: fn(Card) -> Option<f64>) -> Option<i64> {
    group.card.and_then(figure).and_then(|figure| (figure * 1000.0).round().to_i64())
}

fn by<T: Ord>(a: Option<T>, b: Option<T>, descending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if descending => b.cmp(&a),
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// The market by card. Its sort keys are those the api lists for groups; ties go by name.
///
/// # Errors
/// `query-invalid` for a line that does not parse, `request-invalid` for a sort key or job that makes no sense.
pub async fn market_groups(desk: &Desk, request: MarketPageRequest) -> Result<GroupsPage, ApiError> {
    let key = request.view.sort.as_str();
    let Some((_, order)) = ORDERS.iter().find(|(word, _)| *word == key) else {
        let known: Vec<&str> = ORDERS.iter().map(|(word, _)| *word).collect();
        return Err(ApiError::new(
            "request-invalid",
            format!("sort key `{key}`"),
            "cards are not sorted by that",
        )
        .with_hint(format!("Known keys: {}.", known.join(", "))));
    };
    let asked = ask_sorted(desk, &request.view, Sort::default()).await?;
    let began = Instant::now();
    let board = &asked.snapshot.board;
    let mut market = board.groups(&asked.view());
    let down = request.view.descending;
    market.groups.sort_by(|a, b| order(a, b, down).then_with(|| a.name.cmp(&b.name)));
    let took_ms = millis(began);
    let around = if request.facets { board.page(&asked.view(), 0, 0, true) } else { Page::default() };
    let since = (asked.now - Duration::days(DAYS)).date_naive();
    let mut days: HashMap<String, Vec<DayPoint>> = HashMap::new();
    for day in desk.model_days(since).await? {
        days.entry(day.gpu).or_default().push(DayPoint {
            day: day.day.to_string(),
            from: from_nanos(day.lowest).to_f64().unwrap_or_default(),
            median: from_nanos(day.median).to_f64().unwrap_or_default(),
        });
    }
    let groups = market
        .groups
        .into_iter()
        .skip(request.offset as usize)
        .take(request.limit as usize)
        .map(|group| GpuGroup {
            vendor: group.card.and_then(Card::vendor).map(str::to_owned),
            vram_gib: group.card.and_then(Card::vram_gib),
            bandwidth_gb_s: group.card.and_then(Card::bandwidth_gb_s),
            bf16_tflops: group.card.and_then(Card::bf16_tflops),
            link: group.card.and_then(Card::link).map(|link| link.text.to_owned()),
            from: group.from.map(rows::rounded),
            median: group.median.map(rows::rounded),
            spot_from: group.spot_from.map(rows::rounded),
            offers: group.offers,
            in_stock: group.in_stock,
            clouds: group.clouds.iter().map(|cloud| rows::provider_title(cloud)).collect(),
            days: days.remove(&group.name).unwrap_or_default(),
            word: group.word,
            gpu: group.name,
        })
        .collect();
    Ok(GroupsPage {
        board: asked.snapshot.number,
        as_of: rows::time(asked.now),
        currency: market.currency.to_string(),
        fx: rows::fx(board.rates(), market.currency),
        total: market.total,
        all: market.all,
        took_ms,
        groups,
        policies: asked.kept(&around.policies),
        facets: around.facets.into_iter().map(facet).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_comes_last_in_both_directions() {
        let mut values = [None, Some(2), Some(1)];
        values.sort_by(|a, b| by(*a, *b, false));
        assert_eq!(values, [Some(1), Some(2), None]);
        values.sort_by(|a, b| by(*a, *b, true));
        assert_eq!(values, [Some(2), Some(1), None]);
    }
}
