use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::naive::{Naive, Row, shown_card};
use super::*;
use crate::job::Job;
use crate::money::{RateSheet, RateSource};
use crate::offer::{
    Disk, Flag, Form, Isolation, Net, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use crate::query::{Edit, Query, parse};

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

fn view<'a>(query: &'a Query) -> View<'a> {
    View {
        query,
        sort: Sort::GpuHour,
        descending: false,
        job: None,
        currency: Currency::USD,
        include_unknown: false,
        include_quarantine: false,
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

fn maybe<T: Clone + std::fmt::Debug + 'static>(values: Vec<T>) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.8, proptest::sample::select(values))
}

fn an_offer() -> impl Strategy<Value = Offer> {
    let text = |values: &[&str]| maybe(values.iter().map(|v| (*v).to_owned()).collect::<Vec<String>>());
    let gpu = (
        text(&["H100 SXM", "H100 PCIe", "H100", "RTX 4090", "A100 80GB SXM", "MI300X", "T4", "H300 SXM"]),
        proptest::sample::select(vec![1u32, 2, 3, 4, 8]),
        proptest::option::weighted(0.1, proptest::sample::select(vec![0.125, 0.25, 0.5])),
        maybe(vec![16.0, 24.0, 80.0, 96.0, 192.0]),
        proptest::option::weighted(
            0.2,
            proptest::sample::select(vec!["NVLink 4", "PCIe 5 x16", "NVSwitch?"]),
        ),
        proptest::sample::select(vec!["frob one", "widget two"]),
    )
        .prop_map(|(model, count, fraction, vram_gib, link, raw)| OfferGpu {
            // The raw names of unknown cards are their own.
            raw_name: if model.as_ref().is_some_and(|m| crate::gpu::card(m).is_some()) {
                "its raw name"
            } else {
                raw
            }
            .to_owned(),
            model,
            count,
            fraction,
            vram_gib,
            link: link.map(|link| link.replace('?', "")),
        });
    let words = (
        proptest::sample::select(Form::ALL),
        proptest::sample::select(Isolation::ALL),
        proptest::sample::select(PriceKind::ALL),
        proptest::sample::select(Source::ALL),
        proptest::sample::select(SupplyState::ALL),
        proptest::option::of(any::<bool>()),
    );
    let names = (
        proptest::sample::select(vec!["vast", "aws", "runpod"]),
        proptest::sample::select(vec!["vast", "aws", "lambda"]),
        text(&["US", "DE", "FI", "RU", "GB", "CH"]),
        text(&["US", "RU", "DE"]),
        text(&["us-east-1", "Sofia, BG", "eu-north1"]),
        text(&["InfiniBand 3200 Gb/s", "EFA", "RoCE"]),
        text(&["12.4", "12.8", "12.10", "odd"]),
        text(&["535.183.01", "570.86.10"]),
    );
    let figures = (
        maybe(vec![4.0, 16.0, 128.5]),
        maybe(vec![62.5, 1024.0]),
        maybe(vec![0.0, 100.0]),
        maybe(vec![500.0, 2000.0]),
        maybe(vec![812.0, 10_000.0]),
        maybe(vec![0.5, 0.875]),
        maybe(vec![3u32, 17]),
    );
    let price = (
        1u32..4000,
        proptest::sample::select(vec![Currency::USD, Currency::EUR, Currency::RUB, "KZT".parse().unwrap()]),
        proptest::option::of(Just("12 months".to_owned())),
        maybe(vec![1u32, 3600]),
        maybe(vec![0u32, 60]),
        maybe(vec!["0.2", "0.08"]),
        maybe(vec!["0.05", "0"]),
    );
    (gpu, words, names, figures, price, proptest::bool::weighted(0.3)).prop_map(
        |(gpu, words, names, figures, price, flagged)| Offer {
            id: String::new(),
            provider: names.0.to_owned(),
            cloud: names.1.to_owned(),
            source: words.3,
            name: "x".to_owned(),
            form: words.0,
            isolation: words.1,
            gpu,
            fabric: names.5,
            vcpu: figures.0,
            ram_gib: figures.1,
            disk: Disk { included_gb: figures.2, max_gb: figures.3 },
            net: Net { down_mbit_s: figures.4, up_mbit_s: figures.4 },
            driver: names.7,
            cuda: names.6,
            reliability: figures.5,
            verified: words.5,
            place: Place { region: names.4, country: names.2, seller: names.3 },
            price: Price {
                kind: words.2,
                currency: price.1,
                // Eighths: exact in binary, also for a third of them.
                per_hour: Decimal::from(price.0) / Decimal::from(8),
                term: price.2,
                increment_s: price.3,
                minimum_s: price.4,
                storage_gb_month: price.5.map(|text| text.parse().unwrap()),
                storage_stopped_gb_month: None,
                egress_gb: price.6.map(|text| text.parse().unwrap()),
                ingress_gb: None,
            },
            supply: Supply { state: words.4, count: figures.6 },
            flags: if flagged {
                vec![Flag::PriceSuspect, Flag::DuplicateOf("other".to_owned())]
            } else {
                Vec::new()
            },
        },
    )
}

/// Rows of two feeds, some quarantined. No provider is both live and in the catalogue: that has its own test.
fn a_market() -> impl Strategy<Value = Vec<Row>> {
    let row = (an_offer(), proptest::bool::weighted(0.1), any::<bool>());
    proptest::collection::vec(row, 0..60).prop_map(|rows| {
        let with_id = |(index, (mut offer, quarantined, early)): (usize, (Offer, bool, bool))| {
            offer.id = format!("{}:{}", offer.provider, (index * 7919) % 1000);
            if offer.source == Source::Catalogue {
                offer.source = Source::Own;
            }
            let as_of = now() - TimeDelta::minutes(if early { 300 } else { 5 });
            Row { offer, quarantined, as_of }
        };
        rows.into_iter().enumerate().map(with_id).collect()
    })
}

fn build(rows: &[Row]) -> Board {
    let mut builder = BoardBuilder::new(rates());
    for minutes in [5, 300] {
        let meta = feed(&format!("feed {minutes}"), minutes);
        let as_of = meta.as_of;
        builder.feed(meta);
        for row in rows.iter().filter(|row| row.as_of == as_of) {
            if row.quarantined { builder.push_quarantined(&row.offer) } else { builder.push(&row.offer) }
        }
    }
    builder.build()
}

fn a_line() -> impl Strategy<Value = String> {
    let words = vec![
        "h100",
        "h100-sxm",
        "gpu=H100",
        "4090",
        "-t4",
        "raw:frob",
        "-raw:widget",
        "x8",
        "x1",
        "count>=3",
        "count:2..4",
        "vram>=80",
        "vram<96",
        "vram-total>=160",
        "bandwidth>=2tb/s",
        "tflops>500",
        "price<10",
        "price>=5",
        "price<100rub",
        "hour<50eur",
        "total<500",
        "ram>62.5",
        "vcpu>=16",
        "disk>=500",
        "down>=1gbps",
        "reliability>=50%",
        "age<2h",
        "cuda>=12.8",
        "driver:570",
        "country:de,fi",
        "-country:ru",
        "country:unknown",
        "zone:eea",
        "zone:eu,uk",
        "zone:ru+seller",
        "-zone:us",
        "seller:ru",
        "-seller:us",
        "form:vm,bare-metal",
        "cloud:vast",
        "-cloud:aws",
        "provider:runpod",
        "spot",
        "-spot",
        "kind:bid,reserved",
        "vendor:amd",
        "region:sofia",
        "-region:us",
        "nvlink",
        "-nvlink",
        "link:nvlink",
        "-link:pcie",
        "fabric",
        "ib",
        "-ib",
        "source:live",
        "isolation:vm",
        "-isolation:vm",
        "instock",
        "-supply:none",
        "supply:unknown",
        "verified",
        "-verified",
    ];
    proptest::collection::vec(proptest::sample::select(words), 0..4).prop_map(|words| words.join(" "))
}

fn a_sort() -> impl Strategy<Value = Sort> {
    proptest::sample::select(Sort::words().collect::<Vec<_>>()).prop_map(|word| word.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn an_offer_comes_back_from_the_board_as_it_went(rows in a_market()) {
        let board = build(&rows);
        prop_assert_eq!(board.len() as usize, rows.len());
        for row in &rows {
            let found = board.find(&row.offer.id).unwrap();
            prop_assert_eq!(&board.offer(found).unwrap(), &row.offer);
            prop_assert_eq!(board.is_quarantined(found), row.quarantined);
            prop_assert_eq!(board.feed_of(found).unwrap().as_of, row.as_of);
        }
        prop_assert_eq!(board.offer(board.len()), None);
    }

    #[test]
    fn a_page_agrees_with_the_naive_evaluator(
        rows in a_market(), line in a_line(), sort in a_sort(), descending: bool, include_unknown: bool,
        include_quarantine: bool, with_job: bool, offset in 0usize..20, limit in 0usize..20,
    ) {
        let board = build(&rows);
        let rates = rates();
        let naive = Naive { rows: &rows, rates: &rates };
        let query = parse(&line).unwrap();
        let job: Job = "48h,500GB,200GB".parse().unwrap();
        let view = View {
            sort, descending, include_unknown, include_quarantine, job: with_job.then_some(&job), ..view(&query)
        };
        let page = board.page(&view, 0, usize::MAX, true);
        let matching = naive.matching(&view);

        let mut expected: Vec<&str> = matching.iter().map(|row| row.offer.id.as_str()).collect();
        expected.sort_unstable();
        let mut got = ids(&board, &page.rows);
        got.sort_unstable();
        prop_assert_eq!(got, expected);
        prop_assert_eq!(page.total as usize, matching.len());

        let window = board.page(&view, offset, limit, false);
        let end = (offset + limit).min(page.rows.len());
        prop_assert_eq!(&window.rows[..], page.rows.get(offset..end).unwrap_or_default());

        // In order, the unknown last, ties by id.
        let values: Vec<(Option<Decimal>, &str)> = page.rows.iter().map(|found| {
            let id = board.id(*found).unwrap();
            let row = rows.iter().find(|row| row.offer.id == id).unwrap();
            (naive.sort_value(row, &view), row.offer.id.as_str())
        }).collect();
        if !matches!(sort, Sort::Place | Sort::Provider | Sort::Model) {
            for pair in values.windows(2) {
                let [(a, a_id), (b, b_id)] = pair else { unreachable!() };
                match (a, b) {
                    (Some(a), Some(b)) => {
                        let (low, high) = if descending { (b, a) } else { (a, b) };
                        prop_assert!(*low <= high * "1.000000001".parse::<Decimal>().unwrap(), "{low} {high}");
                        prop_assert!(a != b || a_id < b_id, "{a_id} {b_id}");
                    }
                    (None, Some(_)) => prop_assert!(false, "an unknown value before a known one"),
                    (Some(_), None) => {}
                    (None, None) => prop_assert!(a_id < b_id),
                }
            }
        }

        let largest = matching.iter().filter_map(|row| row.offer.vram_total_gib()).reduce(f64::max);
        prop_assert_eq!(page.max_vram_total, largest);
        let clouds: BTreeSet<&str> = matching.iter().map(|row| row.offer.cloud.as_str()).collect();
        prop_assert_eq!(page.clouds as usize, clouds.len());
    }

    #[test]
    fn facets_agree_with_the_naive_evaluator(
        rows in a_market(), line in a_line(), include_unknown: bool, include_quarantine: bool,
    ) {
        let board = build(&rows);
        let rates = rates();
        let naive = Naive { rows: &rows, rates: &rates };
        let query = parse(&line).unwrap();
        let view = View { include_unknown, include_quarantine, ..view(&query) };
        let page = board.page(&view, 0, 10, true);
        let keys: Vec<&str> = page.facets.iter().map(|facet| facet.key).collect();
        prop_assert_eq!(
            keys,
            ["gpu", "vram", "form", "zone", "link", "fabric", "cloud", "kind", "seller", "source", "supply"]
        );
        for facet in &page.facets {
            for value in &facet.values {
                let expected = naive.facet(&view, facet.key, &value.value);
                prop_assert_eq!(value.count, expected, "{} {:?} in `{}`", facet.key, value, line);
            }
            if facet.key != "vram" && facet.key != "zone" {
                let listed: u32 = facet.values.iter().map(|value| value.count).sum();
                let lifted = query.edit(&Edit::Clear { key: facet.key.to_owned() }).unwrap();
                let total = board.page(&View { query: &lifted, ..view }, 0, 0, false).total;
                prop_assert_eq!(listed, total, "every row has one value of {}", facet.key);
            }
        }
    }

    #[test]
    fn choosing_a_value_leaves_as_many_rows_as_its_facet_said(rows in a_market(), line in a_line()) {
        let board = build(&rows);
        let query = parse(&line).unwrap();
        let page = board.page(&view(&query), 0, 0, true);
        for facet in page.facets {
            let lifted = query.edit(&Edit::Clear { key: facet.key.to_owned() }).unwrap();
            for value in facet.values {
                let toggle = Edit::Toggle { key: facet.key.to_owned(), value: value.value.clone() };
                let chosen = lifted.edit(&toggle).unwrap();
                let total = board.page(&view(&chosen), 0, 0, false).total;
                prop_assert_eq!(total, value.count, "{} {} in `{}`", facet.key, value.value, line);
            }
        }
    }

    #[test]
    fn groups_agree_with_the_rows_of_their_word(rows in a_market(), line in a_line()) {
        let board = build(&rows);
        let rates = rates();
        let query = parse(&line).unwrap();
        let groups = board.groups(&view(&query));
        prop_assert_eq!(groups.total, board.page(&view(&query), 0, 0, false).total);
        prop_assert!(groups.groups.is_sorted_by_key(|group| (group.from.is_none(), group.from)));
        let naive = Naive { rows: &rows, rates: &rates };
        for group in &groups.groups {
            let matching = naive.matching(&view(&query));
            let own = matching.iter().map(|row| &row.offer).filter(|offer| {
                shown_card(offer) == group.name
            });
            let own: Vec<&Offer> = own.collect();
            prop_assert_eq!(group.offers as usize, own.len());
            let is_firm = |offer: &&&Offer| offer.gpu.fraction.is_none() && offer.price.kind != PriceKind::Bid;
            let usd = |offer: &&Offer| rates.convert(offer.per_gpu_hour(), offer.price.currency, Currency::USD);
            let mut prices: Vec<Decimal> = own.iter().filter(is_firm).filter_map(usd).collect();
            if prices.is_empty() {
                prices = own.iter().filter_map(usd).collect();
            }
            prices.sort_unstable();
            let near = |a: Option<Decimal>, b: Option<Decimal>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() <= Decimal::new(2, 9),
                (a, b) => a == b,
            };
            prop_assert!(near(group.from, prices.first().copied()), "{:?} {:?}", group.from, prices);
            let median = match prices.len() {
                0 => None,
                n if n % 2 == 1 => Some(prices[n / 2]),
                n => Some((prices[n / 2 - 1] + prices[n / 2]) / Decimal::TWO),
            };
            prop_assert!(near(group.median, median), "{:?} {:?}", group.median, prices);
            let stocked = own.iter().filter(|offer| offer.supply.state == SupplyState::InStock).count();
            prop_assert_eq!(group.in_stock as usize, stocked);
        }
    }
}
