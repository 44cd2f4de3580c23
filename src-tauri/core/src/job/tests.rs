use proptest::prelude::*;

use super::*;
use crate::money::{Currency, RateSheet, RateSource, Rates};
use crate::offer::{Offer, PriceKind};

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn job(text: &str) -> Job {
    text.parse().unwrap()
}

/// The offer of the command line's contract, at Vast.
fn vast() -> Offer {
    serde_json::from_value(serde_json::json!({
        "id": "vast:20817x2-on-demand", "provider": "vast", "cloud": "vast", "source": "live", "name": "31881234",
        "form": "container", "isolation": "shared-host",
        "gpu": {"model": "RTX 4090", "count": 2, "vram_gib": 24.0, "raw_name": "RTX 4090"},
        "price": {"kind": "on-demand", "currency": "USD", "per_hour": "0.7467", "increment_s": 1, "minimum_s": 0,
                  "storage_gb_month": "0.2", "storage_stopped_gb_month": "0.2", "egress_gb": "0.003"},
        "supply": {"state": "in-stock", "count": 1}
    }))
    .unwrap()
}

/// An offer that says its price and nothing else, of a provider without known terms.
fn silent() -> Offer {
    let mut offer = vast();
    offer.provider = "nowhere".to_owned();
    offer.price.increment_s = None;
    offer.price.minimum_s = None;
    offer.price.storage_gb_month = None;
    offer.price.egress_gb = None;
    offer
}

fn usd(offer: &Offer, text: &str) -> Cost {
    cost(offer, &job(text), &Rates::default()).unwrap()
}

fn roubles() -> Rates {
    let sheet = RateSheet {
        source: RateSource::Cbr,
        base: Currency::RUB,
        date: chrono::NaiveDate::from_ymd_opt(2026, 11, 27).unwrap(),
        fetched_at: "2026-11-30T09:00:00Z".parse().unwrap(),
        per_unit: [(Currency::USD, dec("80"))].into(),
    };
    Rates { ecb: None, cbr: Some(sheet) }
}

#[test]
fn a_job_is_read_and_written() {
    let whole = job("48h,500GB,200GB");
    assert_eq!((whole.hours(), whole.disk_gb(), whole.egress_gb()), (dec("48"), dec("500"), dec("200")));
    assert_eq!(whole.to_string(), "48h,500GB,200GB");
    assert_eq!(job("2d, 0.5TB, 200 gb"), job("48h,500GB,200GB"));
    assert_eq!(job("0.5h"), job("30min,0,0"));
    assert_eq!(job("1w").hours(), dec("168"));
    assert_eq!(Job::from_f64(48.0, 500.0, 200.0), Ok(whole));
}

#[test]
fn a_mistake_in_a_job_names_its_part() {
    let error = |text: &str| text.parse::<Job>().unwrap_err();
    assert_eq!((error("48x").part, error("48x").text), ("hours", "48x".to_owned()));
    assert_eq!(error("48h,a lot").part, "disk");
    assert_eq!(error("48h,500GB,200XB").part, "traffic out");
    assert_eq!(error("48h,1,2,3").text, "3");
    assert_eq!(error("0h").problem, "must be more than 0");
    assert_eq!(error("48h,-1GB").part, "disk");
    assert!(error("").to_string().contains("48h,500GB,200GB"));
    assert!(Job::from_f64(f64::NAN, 0.0, 0.0).is_err());
    assert!(Job::from_f64(f64::INFINITY, 0.0, 0.0).is_err());
}

#[test]
fn everything_said_gives_one_figure() {
    // 48 × 0.7467; 500 GB for 48 of the 720 hours Vast takes for a month at 0.2; 200 GB at 0.003.
    let cost = usd(&vast(), "48h,500GB,200GB");
    let parts = cost.usd.parts;
    assert_eq!(parts.compute, Some(dec("35.8416")));
    assert_eq!(parts.storage.unwrap().round_dp(10), dec("6.6666666667"));
    assert_eq!(parts.egress, Some(dec("0.6")));
    assert_eq!(cost.usd.high.round_dp(4), dec("43.1083"));
    assert_eq!(cost.usd.low, cost.usd.high);
    assert_eq!(cost.hours, dec("48"));
    assert_eq!(cost.marks.list(), [Mark::Said; 3]);
    assert!(cost.unknown().is_empty());
}

#[test]
fn what_nobody_says_widens_the_total_up_to_the_dearest_cloud() {
    // The dearest: 0.20 a GB and month, 0.154 a GB out (see core::terms); a month of 730 hours.
    let cost = usd(&silent(), "73h,100GB,10GB");
    assert_eq!(cost.usd.low, dec("54.5091"));
    assert_eq!(cost.usd.high, dec("54.5091") + dec("2") + dec("1.54"));
    assert_eq!(cost.usd.parts.list(), [Some(dec("54.5091")), None, None]);
    assert_eq!(cost.unknown(), ["storage", "egress"]);
}

#[test]
fn a_part_that_is_not_wanted_is_known_to_cost_nothing() {
    let cost = usd(&silent(), "48h");
    assert_eq!(cost.usd.low, cost.usd.high);
    assert_eq!(cost.usd.parts.list(), [Some(dec("35.8416")), Some(Decimal::ZERO), Some(Decimal::ZERO)]);
}

#[test]
fn an_unknown_billing_step_is_at_most_an_hour() {
    let cost = usd(&silent(), "90min");
    assert_eq!((cost.usd.low, cost.usd.high), (dec("1.12005"), dec("1.4934")));
    assert_eq!(cost.unknown(), ["compute"]);
    assert_eq!(cost.hours, dec("2"));
}

#[test]
fn steps_round_up_and_minimums_hold() {
    let mut offer = vast();
    offer.price.increment_s = Some(600);
    assert_eq!(usd(&offer, "61min").hours, dec("4200") / dec("3600"));
    offer.price.minimum_s = Some(7200);
    assert_eq!(usd(&offer, "61min").hours, dec("2"));
    assert_eq!(usd(&offer, "61min").usd.low, dec("1.4934"));
    assert_eq!(usd(&offer, "3h").hours, dec("3"));
}

#[test]
fn the_general_terms_of_the_provider_fill_in_and_are_marked() {
    // AWS: 0.08 a GB and month of 730 hours, 0.09 a GB out, steps of a second.
    let mut offer = silent();
    offer.provider = "aws".to_owned();
    let cost = usd(&offer, "73h,100GB,10GB");
    assert_eq!(cost.usd.parts.list(), [Some(dec("54.5091")), Some(dec("0.8")), Some(dec("0.9"))]);
    assert_eq!(cost.marks.list(), [Mark::Said, Mark::Assumed, Mark::Assumed]);
    // At least 60 seconds: the rounding is assumed, too.
    let minute = usd(&offer, "0.5min");
    assert_eq!((minute.marks.compute, minute.hours), (Mark::Assumed, dec("60") / dec("3600")));
}

#[test]
fn included_disk_is_free() {
    let mut offer = vast();
    offer.disk.included_gb = Some(400.0);
    assert_eq!(usd(&offer, "72h,500GB").usd.parts.storage, Some(dec("2")));
    assert_eq!(usd(&offer, "72h,300GB").usd.parts.storage, Some(Decimal::ZERO));
    let mut quiet = silent();
    quiet.disk.included_gb = Some(400.0);
    assert_eq!(usd(&quiet, "72h,400GB").unknown(), [""; 0]);
}

#[test]
fn who_reserves_pays_the_term() {
    let mut offer = vast();
    offer.price.kind = PriceKind::Reserved;
    offer.price.term = Some("12 months".to_owned());
    assert_eq!(usd(&offer, "48h").hours, dec("8640"), "twelve of Vast's months of 720 hours");
    offer.price.term = Some("1 year".to_owned());
    offer.provider = "aws".to_owned();
    assert_eq!(usd(&offer, "48h").hours, dec("8760"));
    offer.price.term = None;
    assert_eq!(cost(&offer, &job("48h"), &Rates::default()), None);
}

#[test]
fn a_bid_is_a_floor_and_so_assumed() {
    let mut offer = vast();
    offer.price.kind = PriceKind::Bid;
    assert_eq!(usd(&offer, "48h").marks.compute, Mark::Assumed);
}

#[test]
fn roubles_need_a_rate() {
    let mut offer = silent();
    offer.price.currency = Currency::RUB;
    offer.price.per_hour = dec("160");
    assert_eq!(cost(&offer, &job("48h"), &Rates::default()), None);
    let total = cost(&offer, &job("48h,0,10GB"), &roubles()).unwrap();
    assert_eq!((total.own.low, total.usd.low), (dec("7680"), dec("96")));
    assert_eq!(total.own.high, dec("7680") + dec("123.2"), "the dearest traffic, 1.54 USD, in roubles");
    assert_eq!(total.usd.high, dec("97.54"));
}

#[test]
fn terms_in_another_currency_are_converted() {
    let mut offer = silent();
    offer.provider = "aws".to_owned();
    offer.price.currency = Currency::RUB;
    let total = cost(&offer, &job("1h,0,10GB"), &roubles()).unwrap();
    assert_eq!(total.own.parts.egress, Some(dec("72")), "0.9 USD");
}

fn money() -> impl Strategy<Value = Decimal> {
    (1i64..100_000_000, 3u32..7).prop_map(|(digits, scale)| Decimal::new(digits, scale))
}

fn an_offer() -> impl Strategy<Value = Offer> {
    (
        (money(), proptest::option::of(money()), proptest::option::of(money())),
        proptest::option::of(proptest::sample::select(vec![1u32, 60, 600, 3600])),
        proptest::option::of(0u32..7200),
        proptest::option::of(0.0f64..1000.0),
        proptest::sample::select(vec!["vast", "aws", "runpod", "lambda", "nowhere"]),
        any::<bool>(),
    )
        .prop_map(|((per_hour, storage, egress), increment, minimum, included, provider, rouble)| {
            let mut offer = vast();
            offer.provider = provider.to_owned();
            offer.price.per_hour = per_hour;
            offer.price.storage_gb_month = storage;
            offer.price.egress_gb = egress;
            offer.price.increment_s = increment;
            offer.price.minimum_s = minimum;
            offer.disk.included_gb = included;
            offer.price.currency = if rouble { Currency::RUB } else { Currency::USD };
            offer
        })
}

proptest! {
    #[test]
    fn with_nothing_unknown_the_ends_meet_at_the_sum_of_the_parts(
        offer in an_offer(), hours in 1u32..100_000, disk in 0u32..5000, egress in 0u32..5000,
    ) {
        let job = Job::new(Decimal::new(hours.into(), 2), disk.into(), egress.into()).unwrap();
        let cost = cost(&offer, &job, &roubles()).unwrap();
        for amounts in [cost.usd, cost.own] {
            prop_assert!(amounts.low <= amounts.high);
            let sum: Decimal = amounts.parts.list().into_iter().flatten().sum();
            if cost.unknown().is_empty() {
                prop_assert_eq!(amounts.low, amounts.high);
                prop_assert_eq!(sum, amounts.high);
            } else {
                prop_assert!(sum <= amounts.high);
            }
        }
    }

    #[test]
    fn the_short_form_for_ordering_is_the_same_upper_end(
        offer in an_offer(), hours in 1u32..100_000, disk in 0u32..5000, egress in 0u32..5000,
    ) {
        use rust_decimal::prelude::ToPrimitive;
        let job = Job::new(Decimal::new(hours.into(), 2), disk.into(), egress.into()).unwrap();
        let high_end = Frame::new(&Tariff::from(&offer), &job, &roubles()).unwrap().high_end().unwrap();
        let float = |amount: Option<Decimal>| amount.and_then(|amount| amount.to_f64());
        let price = &offer.price;
        let rest = high_end.rest(float(price.storage_gb_month), float(price.egress_gb), offer.disk.included_gb);
        let short = price.per_hour.to_f64().unwrap() * high_end.per_hour + rest;
        let whole = cost(&offer, &job, &roubles()).unwrap().usd.high.to_f64().unwrap();
        prop_assert!((short - whole).abs() <= whole * 1e-12, "{} {}", short, whole);
    }

    #[test]
    fn a_job_is_read_back(hours in 1u32..100_000, disk in 0u32..5000, egress in 0u32..5000) {
        let job = Job::new(Decimal::new(hours.into(), 2), Decimal::new(disk.into(), 1), egress.into()).unwrap();
        prop_assert_eq!(job.to_string().parse::<Job>(), Ok(job));
    }
}
