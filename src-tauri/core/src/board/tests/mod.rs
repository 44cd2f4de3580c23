//! What the board says of small markets made by hand; random ones are in `agreement`.

mod agreement;
mod market;
mod naive;

use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;

use super::*;
use crate::money::{RateSheet, RateSource};
use crate::offer::{Isolation, Offer, PriceKind, Source, SupplyState};
use crate::policy::{Certificate, OnBreach, Policy};
use crate::query::{Query, parse};

fn now() -> DateTime<Utc> {
    "2026-11-30T09:00:00Z".parse().unwrap()
}

/// Rates that are powers of two, so that conversion is exact in binary and in decimal.
fn rates() -> Rates {
    let sheet = |source, base, rates: &[(Currency, &str)]| RateSheet {
        source,
        base,
        date: chrono::NaiveDate::from_ymd_opt(2026, 11, 27).unwrap(),
        fetched_at: now(),
        per_unit: rates.iter().map(|(currency, rate)| (*currency, rate.parse().unwrap())).collect(),
    };
    Rates {
        ecb: Some(sheet(RateSource::Ecb, Currency::EUR, &[(Currency::USD, "0.5")])),
        cbr: Some(sheet(RateSource::Cbr, Currency::RUB, &[(Currency::USD, "64"), (Currency::EUR, "128")])),
    }
}

fn feed(name: &str, minutes: i64) -> FeedMeta {
    FeedMeta {
        name: FeedName(name.to_owned()),
        origin: format!("{name} of the test"),
        as_of: now() - TimeDelta::minutes(minutes),
    }
}

fn plain_offer(id: &str) -> Offer {
    serde_json::from_value(serde_json::json!({
        "id": id, "provider": "vast", "cloud": "vast", "source": "live", "name": id, "form": "container",
        "isolation": "shared-host", "gpu": {"model": "RTX 4090", "count": 1, "vram_gib": 24.0, "raw_name": "RTX 4090"},
        "price": {"kind": "on-demand", "currency": "USD", "per_hour": "0.5"},
        "supply": {"state": "unknown"}
    }))
    .unwrap()
}

fn board_of(offers: &[Offer]) -> Board {
    let mut builder = BoardBuilder::new(rates());
    builder.feed(feed("vast", 5));
    offers.iter().for_each(|offer| builder.push(offer));
    builder.build()
}

/// Those that come with the desk, and one that asks for what hangs on the region and the isolation.
fn policies() -> &'static [Policy] {
    static POLICIES: LazyLock<Vec<Policy>> = LazyLock::new(|| {
        let mut policies = Policy::built_in();
        policies.push(Policy {
            name: "attested".to_owned(),
            title: "Attested".to_owned(),
            place: Vec::new(),
            seller: Vec::new(),
            certificates: vec![Certificate::Fz152],
            isolation: vec![Isolation::Vm],
            on_breach: OnBreach::Warn,
        });
        policies
    });
    &POLICIES
}

fn view<'a>(query: &'a Query) -> View<'a> {
    View {
        query,
        sort: Sort::GpuHour,
        descending: false,
        job: None,
        currency: Currency::USD,
        include_unknown: false,
        include_quarantine: false,
        policies: policies(),
        now: now(),
    }
}

fn ids(board: &Board, rows: &[u32]) -> Vec<String> {
    rows.iter().map(|row| board.id(*row).unwrap().to_owned()).collect()
}

fn found(board: &Board, line: &str) -> Vec<String> {
    let query = parse(line).unwrap();
    ids(board, &board.page(&view(&query), 0, 100, false).rows)
}

fn priced(id: &str, per_hour: &str, count: u32) -> Offer {
    let mut offer = plain_offer(id);
    offer.price.per_hour = per_hour.parse().unwrap();
    offer.gpu.count = count;
    offer
}

#[test]
fn rows_come_by_price_of_a_card_and_ties_by_id() {
    let board =
        board_of(&[priced("d", "3", 1), priced("b", "4", 2), priced("a", "2", 1), priced("c", "8", 8)]);
    assert_eq!(found(&board, ""), ["c", "a", "b", "d"]);
    let query = Query::default();
    let page = board.page(&View { descending: true, ..view(&query) }, 0, 100, false);
    assert_eq!(ids(&board, &page.rows), ["d", "a", "b", "c"], "ties by id in both directions");
    let page = board.page(&view(&query), 1, 2, false);
    assert_eq!(ids(&board, &page.rows), ["a", "b"]);
    assert_eq!((page.total, page.all), (4, 4));
    assert!(board.page(&view(&query), 9, 2, false).rows.is_empty());
}

#[test]
fn unknown_values_come_last_in_both_directions() {
    let mut silent = priced("a", "1", 1);
    silent.gpu.vram_gib = None;
    silent.gpu.model = None;
    let board = board_of(&[silent, priced("b", "1", 1), priced("c", "2", 1)]);
    let query = Query::default();
    for (descending, wanted) in [(false, ["b", "c", "a"]), (true, ["c", "b", "a"])] {
        let page = board.page(&View { sort: Sort::PerVram, descending, ..view(&query) }, 0, 9, false);
        assert_eq!(ids(&board, &page.rows), wanted);
    }
}

#[test]
fn a_row_without_a_rate_has_no_place_among_prices_but_keeps_its_own() {
    let mut rouble = priced("a", "60", 1);
    rouble.price.currency = Currency::RUB;
    let offers = [rouble, priced("b", "1", 1)];
    let mut builder = BoardBuilder::new(Rates::default());
    builder.feed(feed("vast", 5));
    offers.iter().for_each(|offer| builder.push(offer));
    let board = builder.build();
    assert_eq!(found(&board, ""), ["b", "a"]);
    assert_eq!(found(&board, "price<100"), ["b"]);
    assert_eq!(found(&board, "price<100rub"), ["a"]);
    // 60 roubles are 0.9375 dollars at 64.
    assert_eq!(found(&board_of(&offers), "price<100"), ["a", "b"]);
    assert_eq!(found(&board_of(&offers), "price<0.95"), ["a"]);
}

#[test]
fn an_id_is_found_and_the_good_row_before_the_quarantined_one() {
    let mut builder = BoardBuilder::new(rates());
    builder.feed(feed("vast", 5));
    builder.push_quarantined(&priced("twice", "700", 1));
    builder.push(&priced("twice", "1", 1));
    builder.push(&priced("once", "1", 1));
    let board = builder.build();
    let twice = board.find("twice").unwrap();
    assert!(!board.is_quarantined(twice));
    assert_eq!(board.offer(twice).unwrap().price.per_hour, Decimal::ONE);
    assert_eq!(board.id(board.find("once").unwrap()), Some("once"));
    assert_eq!(board.find("never"), None);
    assert_eq!((board.len(), board.quarantined()), (3, 1));
    assert_eq!(found(&board, ""), ["once", "twice"]);
    let query = Query::default();
    let all = View { include_quarantine: true, ..view(&query) };
    assert_eq!(board.page(&all, 0, 9, false).total, 3);
}

#[test]
fn a_live_feed_displaces_the_catalogue_of_the_same_provider() {
    let mut catalogue = priced("vast:old", "1", 1);
    catalogue.source = Source::Catalogue;
    let mut other = catalogue.clone();
    other.id = "aws:x".to_owned();
    other.provider = "aws".to_owned();
    let mut builder = BoardBuilder::new(rates());
    builder.feed(feed("catalogue/vast", 5000));
    builder.push(&catalogue);
    builder.feed(feed("catalogue/aws", 5000));
    builder.push(&other);
    builder.feed(feed("vast", 5));
    builder.push(&priced("vast:new", "1", 1));
    let board = builder.build();
    assert_eq!(found(&board, ""), ["aws:x", "vast:new"]);
    assert_eq!(board.left_out(), 1);
    assert_eq!(board.feed_of(board.find("aws:x").unwrap()).unwrap().name.0, "catalogue/aws");
    assert_eq!(found(&board, "age<1h"), ["vast:new"]);
    // Nothing live: the catalogue is all there is.
    let mut builder = BoardBuilder::new(rates());
    builder.feed(feed("catalogue/vast", 5000));
    builder.push(&catalogue);
    builder.feed(feed("vast", 5));
    builder.push_quarantined(&priced("vast:bad", "1", 1));
    assert_eq!(found(&builder.build(), ""), ["vast:old"]);
}

#[test]
fn the_market_by_card_has_lowest_and_median() {
    let mut spot = priced("s", "0.2", 1);
    spot.price.kind = PriceKind::Spot;
    let mut bid = priced("bid", "0.01", 1);
    bid.price.kind = PriceKind::Bid;
    let mut slice = priced("slice", "0.05", 1);
    slice.gpu.fraction = Some(0.25);
    let mut stocked = priced("stocked", "6", 4);
    stocked.supply.state = SupplyState::InStock;
    stocked.cloud = "salad".to_owned();
    let mut unknown = priced("u", "9", 1);
    unknown.gpu.model = None;
    unknown.gpu.raw_name = "Frobnicator".to_owned();
    let board = board_of(&[priced("a", "0.5", 1), priced("b", "2", 2), spot, bid, slice, stocked, unknown]);
    let query = Query::default();
    let groups = board.groups(&view(&query));
    assert_eq!((groups.total, groups.all, groups.currency), (7, 7, Currency::USD));
    let [card, raw] = groups.groups.as_slice() else { panic!("{:?}", groups.groups) };
    assert_eq!((card.name.as_str(), card.offers, card.in_stock), ("RTX 4090", 6, 1));
    let dec = |text: &str| text.parse::<Decimal>().unwrap();
    assert_eq!((card.from, card.spot_from), (Some(dec("0.2")), Some(dec("0.2"))));
    // 0.2, 0.5, 1, 1.5: neither the bid nor the slice.
    assert_eq!(card.median, Some(dec("0.75")));
    assert_eq!(card.clouds, ["salad", "vast"]);
    assert_eq!(found(&board, &card.word).len(), 6);
    assert_eq!((raw.name.as_str(), raw.from, raw.median), ("Frobnicator", Some(dec("9")), Some(dec("9"))));
    assert_eq!(found(&board, &raw.word), ["u"]);
    let only_bids = parse("bid").unwrap();
    assert_eq!(board.groups(&view(&only_bids)).groups[0].from, Some(dec("0.01")));
    let in_roubles = board.groups(&View { currency: Currency::RUB, ..view(&query) });
    assert_eq!((in_roubles.currency, in_roubles.groups[0].from), (Currency::RUB, Some(dec("12.8"))));
}

#[test]
fn data_bars_know_the_largest() {
    let board = board_of(&[priced("a", "1", 8), priced("b", "1", 2)]);
    let query = parse("x2").unwrap();
    let page = board.page(&view(&query), 0, 9, false);
    assert_eq!((page.max_vram_total, page.max_bandwidth), (Some(48.0), Some(1008.0)));
    assert_eq!(board.page(&view(&Query::default()), 0, 9, false).max_vram_total, Some(192.0));
}

#[test]
fn a_price_beyond_nano_units_is_kept() {
    let board = board_of(&[priced("a", "123456789012345678", 1), priced("b", "1", 1)]);
    let offer = board.offer(board.find("a").unwrap()).unwrap();
    assert_eq!(offer.price.per_hour, "123456789012345678".parse().unwrap());
}

#[test]
fn serverless_offers_appear_only_where_they_are_asked_for() {
    let hourly = plain_offer("vast:hourly");
    let mut tokens = plain_offer("openrouter:tokens");
    tokens.form = crate::offer::Form::Serverless;
    tokens.gpu = serde_json::from_value(serde_json::json!({"count": 0, "raw_name": "vendor/model"})).unwrap();
    let meter = crate::meter::Meter::Tokens { input: Decimal::new(1, 2), output: Decimal::new(2, 2) };
    tokens.price.meter = Some(meter);
    tokens.price.per_hour = meter.per_hour().unwrap();
    tokens.price.page = Some("https://seller.example/model".to_owned());
    let board = board_of(&[hourly, tokens.clone()]);
    assert_eq!(found(&board, ""), ["vast:hourly"], "tokens would be the cheapest of all");
    assert_eq!(found(&board, "-form:serverless"), ["vast:hourly"]);
    assert_eq!(found(&board, "form:serverless"), ["openrouter:tokens"]);
    assert_eq!(found(&board, "form:serverless,container").len(), 2);
    let query = Query::default();
    let page = board.page(&view(&query), 0, 10, true);
    assert_eq!((page.total, page.all), (1, 1));
    let facet = |key: &str| page.facets.iter().find(|facet| facet.key == key).unwrap();
    let counts: Vec<_> = facet("form").values.iter().map(|v| (v.value.as_str(), v.count)).collect();
    assert_eq!(counts, [("container", 1), ("serverless", 1)], "the form itself says that there are some");
    assert_eq!(facet("gpu").values.len(), 1);
    assert_eq!(board.groups(&view(&query)).groups.len(), 1);
    assert_eq!(board.offer(board.find("openrouter:tokens").unwrap()), Some(tokens), "and comes back whole");
}
