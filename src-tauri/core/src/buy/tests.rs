use std::collections::BTreeMap;

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Cards of 30,000 that cost 266 a month to run, beside a rent of 2.50 an hour.
fn deal(resale: &str, months: u32) -> Deal {
    let figures = BTreeMap::from([
        (Input::Price, Input::Price.usual(dec("30000"))),
        (Input::Running, Input::Running.usual(dec("266"))),
        (Input::Rent, Input::Rent.usual(dec("2.50"))),
        (Input::Term, Input::Term.usual(Decimal::from(months))),
    ]);
    Deal { count: 1, figures, resale: Resale::beside_ours(resale.parse().unwrap()) }
}

fn percent(found: BreakEven) -> Decimal {
    (found.utilisation().unwrap() * Decimal::ONE_HUNDRED).round()
}

/// The published check: $30,000, $266 a month, $2.50 an hour; 79 % of a 730-hour month with 30 % left after 18
/// months, 47 % with 30 % left after 36.
#[test]
fn the_known_checks_hold_to_the_percent() {
    let short = deal("30%@18m", 18);
    let month = Monthly::sold_after(&short.stated(), 18);
    assert_eq!(month.total().round_dp(2), dec("1432.67"), "21,000 over 18 months and 266");
    assert_eq!(month.depreciation.round_dp(2), dec("1166.67"));
    assert_eq!(break_even(&short.stated()).hours().unwrap().round_dp(1), dec("573.1"));
    assert_eq!(percent(break_even(&short.stated())), dec("79"));
    let long = deal("30%@36m", 36);
    assert_eq!(Monthly::sold_after(&long.stated(), 36).total().round_dp(2), dec("849.33"));
    assert_eq!(percent(break_even(&long.stated())), dec("47"));
}

#[test]
fn the_desks_two_curves_are_the_two_checks_apart() {
    let deal = deal("30%@18m", 18);
    let swing = sensitivity(&deal).into_iter().find(|swing| swing.input == Input::Resale).unwrap();
    assert_eq!(swing.values, (dec("0.3"), Curve::mild().share(18)));
    assert_eq!(Curve::mild().share(18).round_dp(6), dec("0.547723"), "the root of 30 %: half of 36 months");
}

#[test]
fn a_curve_goes_through_what_was_stated_and_loses_the_same_share_each_month() {
    let curve: Curve = "30%@18m".parse().unwrap();
    assert_eq!(curve.share(0), Decimal::ONE);
    assert_eq!(curve.share(18), dec("0.3"));
    assert_eq!(curve.share(36).round_dp(8), dec("0.09"), "30 % of 30 %");
    let bent: Curve = "60%@12m, 30%@24m, 0%@48m".parse().unwrap();
    assert_eq!((bent.share(12), bent.share(24), bent.share(48)), (dec("0.6"), dec("0.3"), Decimal::ZERO));
    assert_eq!(bent.share(36), dec("0.15"), "a straight line down to nothing");
    assert_eq!(bent.share(60), Decimal::ZERO, "nothing stays nothing");
    assert_eq!((bent.stated_months(), bent.points().len()), (48, 3));
}

#[test]
fn a_curve_is_said_as_it_is_typed() {
    let said = |text: &str| text.parse::<Curve>().unwrap().to_string();
    assert_eq!(said("30%@18m"), "30%@18m");
    assert_eq!(said(" 12.50 % @ 36 "), "12.5%@36m");
    assert_eq!(said("100%@6M, 30%@24m, 0%@48m"), "100%@6m,30%@24m,0%@48m");
    assert_eq!(Curve::hard().to_string(), "30%@18m");
}

#[test]
fn a_curve_that_cannot_be_names_the_word() {
    for (text, word) in [
        ("", "``"),
        ("30%", "`30%`"),
        ("30@18m", "`30@18m`"),
        ("@18m", "`@18m`"),
        ("30%@x", "`30%@x`"),
        ("x%@18m", "`x%@18m`"),
        ("101%@18m", "`101%@18m`"),
        ("130%@18m", "`130%@18m`"),
        ("-1%@18m", "`-1%@18m`"),
        ("30%@0m", "`30%@0m`"),
        ("30%@241m", "`30%@241m`"),
        ("30%@18m,20%@18m", "`20%@18m`"),
        ("30%@18m,40%@36m", "`40%@36m`"),
        ("NaN%@18m", "`NaN%@18m`"),
    ] {
        let error = text.parse::<Curve>().unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}

#[test]
fn capital_costs_what_a_loan_of_it_would() {
    // A loan of 1,200 at 12 % a year, paid back in 12 even payments, is 106.62 a month.
    let mut deal = deal("0%@12m", 12);
    deal.figures.insert(Input::Price, Figure::sure(dec("1200")));
    deal.figures.insert(Input::Running, Figure::sure(Decimal::ZERO));
    deal.figures.insert(Input::Capital, Figure::sure(dec("0.12")));
    let month = Monthly::sold_after(&deal.stated(), 12);
    assert_eq!(month.total().round_dp(2), dec("106.62"));
    assert_eq!(month.capital.round_dp(2), dec("6.62"), "100 of it is the loss");
}

#[test]
fn power_is_watts_by_the_site_by_the_hours_of_a_month() {
    let mut deal = deal("30%@18m", 18);
    for (input, value) in
        [(Input::Watts, "700"), (Input::Draw, "1"), (Input::Pue, "1.5"), (Input::Kwh, "0.10")]
    {
        deal.figures.insert(input, Figure::sure(dec(value)));
    }
    deal.count = 8;
    let month = Monthly::sold_after(&deal.stated(), 18);
    assert_eq!(month.power.round_dp(2), dec("613.20"), "8 × 0.7 kW × 1.5 × 730 h × 0.10");
    assert_eq!(month.running, dec("2128"), "266 for each of eight");
}

#[test]
fn place_and_people_are_shared_by_all_cards() {
    let mut one = deal("30%@18m", 18);
    one.figures.insert(Input::Place, Figure::sure(dec("800")));
    let eight = Deal { count: 8, ..one.clone() };
    let needed = |deal: &Deal| break_even(&deal.stated()).needed.unwrap();
    assert_eq!((needed(&one) - needed(&eight)).round_dp(6), dec("280"), "700 less a card, at 2.50");
}

#[test]
fn no_use_and_full_use_divide_by_nothing() {
    let deal = deal("30%@18m", 18);
    assert_eq!(owned_per_hour(&deal.stated(), Decimal::ZERO), None);
    assert_eq!(reserved_per_hour(dec("2"), Decimal::ZERO), None);
    assert_eq!(owned_per_hour(&deal.stated(), Decimal::ONE).unwrap().round_dp(4), dec("1.9626"));
    assert_eq!(reserved_per_hour(dec("2"), dec("0.5")), Some(dec("4")));
    assert_eq!(months_to_break_even(&deal.stated(), Decimal::ZERO), None);
}

#[test]
fn what_never_pays_says_why() {
    let deal = deal("30%@18m", 18);
    let found = break_even(&deal.stated().with(Input::Rent, Decimal::ONE));
    assert_eq!(found.hours(), Err(NoBreakEven::BeyondAMonth));
    assert_eq!(found.needed.unwrap().round_dp(2), dec("1432.67"));
    assert_eq!(
        break_even(&deal.stated().with(Input::Rent, Decimal::ZERO)).utilisation(),
        Err(NoBreakEven::RentIsNothing)
    );
}

#[test]
fn months_of_use_end_where_the_break_even_says() {
    let deal = deal("30%@18m", 18);
    let least = break_even(&deal.stated()).utilisation().unwrap();
    assert_eq!(months_to_break_even(&deal.stated(), least + dec("0.0001")), Some(18));
    assert_eq!(months_to_break_even(&deal.stated(), least - dec("0.0001")), None);
    let full = months_to_break_even(&deal.stated(), Decimal::ONE).unwrap();
    assert!(full < 18, "{full}: used all the time it pays earlier");
}

#[test]
fn what_is_outside_its_bounds_is_refused() {
    assert!(Input::Price.checked(dec("-1")).is_err());
    assert!(Input::Term.checked(Decimal::ZERO).is_err());
    assert!(Input::Capital.checked(dec("1.01")).is_err());
    assert!(Input::Pue.checked(dec("0.9")).is_err());
    assert_eq!(Input::Rent.checked(Decimal::ZERO), Ok(Decimal::ZERO), "a rent of nothing has an answer");
}

/// A figure of so many hundredths, and up to a quarter either way of it.
fn open(hundredths: std::ops::Range<i64>) -> impl Strategy<Value = Figure> {
    (hundredths, 0i64..25, 0i64..25).prop_map(|(value, less, more)| {
        let value = Decimal::new(value, 2);
        let part = |percent: i64| value * Decimal::new(percent, 2);
        Figure { value, low: value - part(less), high: value + part(more) }
    })
}

prop_compose! {
    fn any_deal()(
        price in open(100..10_000_000),
        running in open(0..200_000),
        watts in open(5_000..140_000),
        kwh in open(1..60),
        people in open(0..2_000_000),
        rent in open(5..2_000),
        capital in 0i64..40,
        term in 1u32..60,
        longer in 0u32..12,
        share in 0i64..=100,
        age in 1u32..60,
        count in 1u32..64,
    ) -> Deal {
        let capital = Decimal::new(capital, 2);
        let figures = BTreeMap::from([
            (Input::Price, price),
            (Input::Running, running),
            (Input::Watts, watts),
            (Input::Draw, Input::Draw.usual(Decimal::ONE)),
            (Input::Pue, Input::Pue.usual(dec("1.54"))),
            (Input::Kwh, kwh),
            (Input::People, people),
            (Input::Rent, rent),
            (Input::Capital, Figure { value: capital, low: Decimal::ZERO, high: capital + dec("0.1") }),
            (Input::Term, Figure {
                value: Decimal::from(term), low: Decimal::from(term), high: Decimal::from(term + longer),
            }),
        ]);
        let stated = Curve::through(age, Decimal::new(share, 2));
        Deal { count, figures, resale: Resale::beside_ours(stated) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_band_holds_the_break_even_of_every_assignment(
        deal in any_deal(),
        ends in prop::collection::vec(0u8..3, 10),
        side in 0u8..3,
        used in 1i64..=100,
    ) {
        let used = Decimal::new(used, 2);
        let case = deal.figures.iter().zip(ends).fold(deal.stated(), |case, ((input, figure), end)| {
            case.with(*input, [figure.low, figure.value, figure.high][usize::from(end)])
        });
        let case = case.on([Side::Least, Side::Stated, Side::Most][usize::from(side)]);
        let band = band(&deal, Some(used));
        let slack = dec("0.000001");
        let needed = break_even(&case).needed.unwrap();
        prop_assert!(band.low.needed.unwrap() <= needed + slack);
        prop_assert!(needed <= band.high.needed.unwrap() + slack);
        if let Some(months) = months_to_break_even(&case, used) {
            prop_assert!(band.months_low.is_some_and(|low| low <= months));
        } else {
            prop_assert_eq!(band.months_high, None);
        }
    }

    #[test]
    fn dearer_hardware_never_lowers_the_break_even(deal in any_deal(), more in 1i64..100_000) {
        let price = deal.stated().figure(Input::Price);
        let dearer = deal.stated().with(Input::Price, price + Decimal::new(more, 2));
        prop_assert!(break_even(&dearer).needed >= break_even(&deal.stated()).needed);
    }

    #[test]
    fn more_resale_never_raises_it(deal in any_deal()) {
        let needed = |side| break_even(&deal.stated().on(side)).needed.unwrap();
        let slack = dec("0.000001");
        prop_assert!(needed(Side::Most) <= needed(Side::Stated) + slack);
        prop_assert!(needed(Side::Stated) <= needed(Side::Least) + slack);
    }

    #[test]
    fn a_dearer_rent_never_raises_it_and_dearer_money_never_lowers_it(deal in any_deal(), more in 1i64..100) {
        let (stated, more) = (deal.stated(), Decimal::new(more, 2));
        let needed = |case: &Case<'_>| break_even(case).needed.unwrap();
        let rent = stated.clone().with(Input::Rent, stated.figure(Input::Rent) + more);
        prop_assert!(needed(&rent) <= needed(&stated));
        let capital = stated.clone().with(Input::Capital, stated.figure(Input::Capital) + more);
        prop_assert!(needed(&capital) + dec("0.000001") >= needed(&stated));
    }

    #[test]
    fn an_hour_that_is_used_costs_less_the_more_are_used(deal in any_deal(), used in 1i64..100) {
        let per_hour = |hundredths| owned_per_hour(&deal.stated(), Decimal::new(hundredths, 2)).unwrap();
        prop_assert!(per_hour(used + 1) <= per_hour(used));
    }

    #[test]
    fn what_moves_it_most_comes_first(deal in any_deal()) {
        let swings: Vec<Decimal> = sensitivity(&deal)
            .iter()
            .map(|swing| (swing.break_even.0.needed.unwrap() - swing.break_even.1.needed.unwrap()).abs())
            .collect();
        prop_assert!(swings.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn a_curve_never_rises_and_stays_a_share(share in 0i64..=100, age in 1u32..=240, month in 0u32..300) {
        let curve = Curve::through(age, Decimal::new(share, 2));
        let (now, later) = (curve.share(month), curve.share(month + 1));
        prop_assert!(Decimal::ZERO <= later && later <= now && now <= Decimal::ONE);
    }
}
