use rust_decimal::Decimal;

use super::*;
use crate::feed::ReasonCode;
use crate::meter::Meter;
use crate::money::Currency;
use crate::offer::{Form, PriceKind};

/// One H100 SXM at 2.40 dollars.
fn offer(id: &str, per_hour: &str) -> Offer {
    serde_json::from_value(serde_json::json!({
        "id": id, "provider": "nebius", "cloud": "nebius", "source": "live", "name": id, "form": "vm",
        "isolation": "vm", "gpu": {"model": "H100 SXM", "count": 1, "vram_gib": 80.0, "raw_name": "H100"},
        "place": {"country": "FI"},
        "price": {"kind": "on-demand", "currency": "USD", "per_hour": per_hour},
        "supply": {"state": "unknown"}
    }))
    .unwrap()
}

fn card(model: &str, vram_gib: f64, per_hour: &str) -> Offer {
    let mut offer = offer(&format!("x:{model}"), per_hour);
    offer.gpu.model = Some(model.to_owned());
    offer.gpu.vram_gib = Some(vram_gib);
    offer
}

fn row(line: u32, offers: Vec<Offer>) -> Row {
    Row::Offers { origin: format!("test.csv line {line}"), offers }
}

fn code(offer: &Offer) -> Option<ReasonCode> {
    judge(offer).map(|reason| reason.code)
}

#[test]
fn a_price_is_read_or_refused_with_its_reason() {
    let code = |text: &str| price(text).map_err(|reason| reason.code);
    assert_eq!(code("2.40"), Ok("2.4".parse().unwrap()));
    assert_eq!(code(" 1e-1 "), Ok("0.1".parse().unwrap()));
    for missing in ["", "  ", "null", "None", "-"] {
        assert_eq!(code(missing), Err(ReasonCode::PriceMissing), "{missing}");
    }
    for impossible in ["0", "0.00", "-1.5", "NaN", "inf", "free", "1,234.5", "2.40 USD"] {
        assert_eq!(code(impossible), Err(ReasonCode::PriceImpossible), "{impossible}");
    }
    assert_eq!(price("0.0").unwrap_err().detail, "price is 0");
    let hostile = price(&"<b>".repeat(1000)).unwrap_err().detail;
    assert!(hostile.chars().count() < 80, "{hostile}");
}

#[test]
fn months_and_cents_taken_for_hours_and_dollars_are_seen_without_neighbours() {
    assert_eq!(code(&offer("a", "2.40")), None);
    for absurd in ["1752", "240", "0.024", "0.00329"] {
        assert_eq!(code(&offer("a", absurd)), Some(ReasonCode::PriceAbsurd), "{absurd}");
    }
    // 0.40 for an RTX 4090, by the month, in cents, divided by 100.
    for (price, wrong) in [("0.40", false), ("292", true), ("40", true), ("0.004", true)] {
        assert_eq!(code(&card("RTX 4090", 24.0, price)).is_some(), wrong, "{price}");
    }
}

#[test]
fn months_and_hundredths_are_seen_in_any_currency_of_which_a_rate_is_roughly_known() {
    // About 2.40 dollars for an H100, then the same in hundredths, by the month, and divided by them.
    for (currency, fair) in [("RUB", 200.0), ("CNY", 17.0), ("INR", 204.0), ("JPY", 360.0), ("KZT", 1200.0)] {
        let judged = |price: f64| {
            let mut offer = offer("a", &format!("{price:.4}"));
            offer.price.currency = currency.parse().unwrap();
            code(&offer)
        };
        assert_eq!(judged(fair), None, "{currency}");
        // Dear and cheap sellers are both within it.
        assert_eq!(judged(fair * 6.0).or(judged(fair / 6.0)), None, "{currency}");
        for wrong in [fair * 100.0, fair * 730.0, fair / 100.0, fair / 730.0] {
            assert_eq!(judged(wrong), Some(ReasonCode::PriceAbsurd), "{wrong} {currency}");
        }
    }
}

#[test]
fn a_price_of_tokens_is_within_what_any_list_asks() {
    let judged = |input: &str, output: &str, currency: &str| {
        let mut offer = offer("a", "1");
        offer.gpu.model = None;
        offer.gpu.count = 0;
        offer.gpu.vram_gib = None;
        offer.form = Form::Serverless;
        offer.price.currency = currency.parse().unwrap();
        offer.price.meter =
            Some(Meter::Tokens { input: input.parse().unwrap(), output: output.parse().unwrap() });
        code(&offer)
    };
    // o1-pro, a small embedding model, Llama 3.3 70B; the last also in roubles.
    for (input, output, currency) in
        [("150", "600", "USD"), ("0.01", "0", "USD"), ("0.13", "0.38", "USD"), ("12", "35", "RUB")]
    {
        assert_eq!(judged(input, output, currency), None, "{input} {output} {currency}");
    }
    // A price multiplied by a million twice, one of a single token, one of kopecks times a million.
    for (input, output, currency) in
        [("130000", "380000", "USD"), ("0.00000013", "0.00000038", "USD"), ("12000000", "35000000", "RUB")]
    {
        assert_eq!(judged(input, output, currency), Some(ReasonCode::PriceAbsurd), "{input} {currency}");
    }
}

#[test]
fn the_dearest_and_the_cheapest_real_prices_stand() {
    // AWS GovCloud's T4 in its largest machine, a community P40 and RTX 4060 Ti, a GTX 1650 of salad.
    for (model, vram, price) in [
        ("T4", 16.0, "6.702"),
        ("P40", 24.0, "0.07"),
        ("RTX 4060 Ti 16GB", 16.0, "0.04"),
        ("GTX 1650", 4.0, "0.02"),
    ] {
        assert_eq!(code(&card(model, vram, price)), None, "{model}");
    }
    // Yuan are no dollars: AWS in China asks 43.218 for a T4.
    let mut yen = card("T4", 16.0, "99999999999");
    yen.price.currency = "JPY".parse().unwrap();
    assert_eq!(code(&yen), Some(ReasonCode::PriceAbsurd), "beyond what is kept of a price");
    let mut yuan = card("T4", 16.0, "43.218");
    yuan.price.currency = Currency::CNY;
    assert_eq!(code(&yuan), None);
    // Sums in a currency of which nothing is known are left to the other offers.
    let mut tugriks = card("T4", 16.0, "100000");
    tugriks.price.currency = "MNT".parse().unwrap();
    assert_eq!(code(&tugriks), None);
}

#[test]
fn a_bid_floor_may_be_next_to_nothing_but_not_nothing() {
    let mut bid = offer("a", "0.001");
    assert_eq!(code(&bid), Some(ReasonCode::PriceAbsurd));
    bid.price.kind = PriceKind::Bid;
    assert_eq!(code(&bid), None);
    bid.price.per_hour = Decimal::ZERO;
    assert_eq!(code(&bid), Some(ReasonCode::PriceImpossible));
}

#[test]
fn a_pod_slice_has_no_band() {
    let mut pod = card("TPU v5p", 95.0, "51609.6");
    pod.gpu.count = 6144;
    assert_eq!(code(&pod), None);
}

#[test]
fn a_slice_is_judged_by_the_memory_it_has() {
    let mut slice = card("A10", 4.0, "0.454");
    slice.gpu.fraction = Some(1.0 / 6.0);
    assert_eq!(code(&slice), None);
    slice.gpu.fraction = Some(1.5);
    assert_eq!(code(&slice), Some(ReasonCode::CountImpossible));
}

#[test]
fn there_is_at_least_one_card_and_no_machine_has_a_thousand() {
    let mut many = offer("a", "2400");
    many.gpu.count = 1000;
    assert_eq!(code(&many), Some(ReasonCode::CountImpossible));
    many.form = Form::Cluster;
    assert_eq!(code(&many), None);
    many.gpu.count = 0;
    assert_eq!(code(&many), Some(ReasonCode::CountImpossible));
}

#[test]
fn memory_that_the_card_cannot_have_is_seen() {
    let judged = |model: &str, vram: f64| code(&card(model, vram, "2.40"));
    assert_eq!(judged("H100 SXM", 200.0), Some(ReasonCode::VramContradictsModel));
    assert_eq!(
        judge(&card("H100 SXM", 200.0, "2.40")).unwrap().detail,
        "200 GiB of VRAM on H100 SXM with 80"
    );
    assert_eq!(judged("RTX 4090", 96.0), Some(ReasonCode::VramContradictsModel));
    assert_eq!(judged("H100 SXM", f64::NAN), Some(ReasonCode::VramContradictsModel));
    assert_eq!(judged("H100 SXM", 0.0), Some(ReasonCode::VramContradictsModel));
    assert_eq!(judged("H100 SXM", 80.0), None);
    // Memory chips of a gaming card can be replaced, and a part of a card can be sold under its name.
    assert_eq!(judged("RTX 4080", 32.0), None);
    assert_eq!(judged("H100 SXM", 40.0), None);
}

#[test]
fn the_counts_sum_whatever_comes() {
    let settled = settle([
        row(2, vec![offer("a", "2.40"), offer("a-spot", "1.20")]),
        row(3, vec![offer("b", "0")]),
        Row::NotGpu,
        Row::bad("test.csv line 5", ReasonCode::Unreadable, "3 fields instead of 9"),
        row(6, Vec::new()),
        row(7, vec![offer("c", "2.40"), offer("c-spot", "0")]),
    ]);
    assert_eq!((settled.rows_read, settled.rows_used, settled.rows_not_gpu), (6, 2, 1));
    let ids: Vec<&str> = settled.offers.iter().map(|offer| offer.id.as_str()).collect();
    assert_eq!(ids, ["a", "a-spot", "c"]);
    let reasons: Vec<(&str, ReasonCode)> =
        settled.quarantined.iter().map(|q| (q.origin.as_str(), q.reason.code)).collect();
    assert_eq!(
        reasons,
        [
            ("test.csv line 5", ReasonCode::Unreadable),
            ("test.csv line 6", ReasonCode::PriceMissing),
            ("test.csv line 3", ReasonCode::PriceImpossible),
        ]
    );
    assert_eq!(
        settled.notes,
        ["rows used without one of their prices: 1 (first: test.csv line 7: price is 0)"]
    );
}

#[test]
fn of_two_rows_with_one_id_the_first_stays() {
    let settled = settle([
        row(2, vec![offer("a", "2.40")]),
        row(3, vec![offer("a", "2.40")]),
        row(4, vec![offer("a", "2.50")]),
    ]);
    assert_eq!(settled.offers.len(), 1);
    let details: Vec<&str> = settled.quarantined.iter().map(|q| q.reason.detail.as_str()).collect();
    assert_eq!(
        details,
        [
            "the very same as test.csv line 2",
            "the same offer as test.csv line 2 at 2.5 USD an hour instead of 2.4 USD an hour",
        ]
    );
    let flags = &settled.quarantined[0].offer.as_ref().unwrap().flags;
    assert_eq!(flags, &[Flag::DuplicateOf("a".to_owned())]);
}

#[test]
fn a_bad_row_does_not_make_a_good_one_its_duplicate() {
    let settled = settle([row(2, vec![offer("a", "0")]), row(3, vec![offer("a", "2.40")])]);
    assert_eq!(settled.offers.len(), 1);
    assert_eq!(settled.quarantined[0].reason.code, ReasonCode::PriceImpossible);
}

/// So many H100s around 2.40, and one at another price.
fn among(peers: usize, odd: &str) -> Settled {
    let usual = (0..peers).map(|n| row(n as u32, vec![offer(&format!("usual {n}"), "2.40")]));
    settle(usual.chain([row(99, vec![offer("odd", odd)])]))
}

#[test]
fn a_price_is_measured_by_its_neighbours() {
    assert_eq!(among(6, "119").quarantined, []);
    let far = among(6, "120");
    assert_eq!(far.quarantined[0].reason.code, ReasonCode::PriceAbsurd);
    assert_eq!(
        far.quarantined[0].reason.detail,
        "120 USD an hour for 1× H100 SXM, the median here is 2.40 USD a card"
    );
    assert_eq!(among(3, "119").quarantined, [], "four prices have no median worth the name");
    let flagged = |odd: &str| among(6, odd).offers.last().unwrap().flags.contains(&Flag::PriceSuspect);
    assert!(flagged("60") && flagged("0.09") && !flagged("12") && !flagged("0.20"));
}

#[test]
fn prices_of_other_currencies_slices_and_bids_are_no_measure() {
    let mut rows: Vec<Row> = (0..6).map(|n| row(n, vec![offer(&format!("usual {n}"), "2.40")])).collect();
    let mut rouble = offer("rouble", "200");
    rouble.price.currency = Currency::RUB;
    let mut bid = offer("bid", "0.02");
    bid.price.kind = PriceKind::Bid;
    rows.push(row(10, vec![rouble, bid]));
    assert_eq!(settle(rows).quarantined, []);
}

#[test]
fn flags_follow_from_the_offer() {
    let mut strange = offer("a", "2.40");
    strange.place.country = None;
    strange.gpu.model = None;
    strange.gpu.raw_name = "Frobnicator".to_owned();
    let part = card("H100 SXM", 40.0, "1.20");
    let settled = settle([row(2, vec![strange.clone()]), row(3, vec![strange]), row(4, vec![part])]);
    assert_eq!(settled.offers[0].flags, [Flag::CountryUnknown, Flag::ModelUnknown]);
    assert_eq!(settled.offers[1].flags, [Flag::VramContradictsModel]);
    assert_eq!(
        settled.notes,
        [
            "cards not in the GPU table, kept as named: Frobnicator",
            "offers whose country cannot be proved: 1"
        ]
    );
}

#[test]
fn a_feed_takes_the_counts_over() {
    let now = "2026-11-30T09:00:00Z".parse().unwrap();
    let fetched = settle([row(2, vec![offer("a", "2.40")]), Row::NotGpu]).into_fetched(
        FeedName("catalogue/x".to_owned()),
        "the test",
        now,
    );
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (2, 1, 1));
    assert_eq!((fetched.as_of, fetched.origin.as_str()), (now, "the test"));
}

#[test]
fn tokens_are_judged_by_their_price_alone() {
    let mut tokens = offer("openrouter:m", "900");
    tokens.gpu = serde_json::from_value(serde_json::json!({"count": 0, "raw_name": "vendor/model"})).unwrap();
    tokens.price.meter =
        Some(crate::meter::Meter::Tokens { input: Decimal::from(15), output: Decimal::from(75) });
    assert_eq!(code(&tokens), None, "no card, and dearer than any card");
    let mut free = tokens.clone();
    free.price.per_hour = Decimal::ZERO;
    assert_eq!(code(&free), Some(ReasonCode::PriceImpossible));
    let settled = settle([row(1, vec![tokens])]);
    assert!(!settled.offers[0].flags.contains(&Flag::ModelUnknown), "there is no card to be known");
    assert!(!settled.notes.iter().any(|note| note.contains("vendor/model")), "{:?}", settled.notes);
    assert_eq!(code(&offer("a", "900")), Some(ReasonCode::PriceAbsurd), "a card at that price");
}
