use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::buy::{Curve, Deal, Figure, Input, Monthly, Resale};
use crate::money::Currency;
use crate::offer::{Form, Isolation, Offer, SupplyState};
use crate::quarantine::{Row, settle};

fn at(hour: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_764_547_200 + hour * 3600, 0).unwrap()
}

fn today() -> NaiveDate {
    "2026-11-30".parse().unwrap()
}

fn cost(price: Option<i64>, running: Option<i64>) -> OwnCost {
    OwnCost {
        currency: Currency::USD,
        price: price.map(Decimal::from),
        bought: None,
        resale: None,
        running: running.map(Decimal::from),
    }
}

fn host(cost: OwnCost) -> OwnHost {
    let place = Place { region: Some("Rack 4".into()), country: Some("DE".into()), seller: None };
    OwnHost { alias: "rack4".into(), cost, place, owner: None, added_at: at(0) }
}

fn cards(name: &str, mib: u64, count: u32) -> Vec<HostCard> {
    (0..count)
        .map(|index| HostCard {
            index,
            id: format!("GPU-{index}"),
            name: name.into(),
            memory_mib: Some(mib),
            divided: false,
            slices: Vec::new(),
        })
        .collect()
}

/// Every card linked to every other by so many strands.
fn switched(count: u32, strands: u32) -> BTreeSet<(u32, u32, u32)> {
    (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b, strands))).collect()
}

fn h100s() -> HostFacts {
    HostFacts {
        cards: cards("NVIDIA H100 80GB HBM3", 81_559, 8),
        links: Some(switched(8, 18)),
        cores: Some(192),
        ram_gib: Some(2015.5),
        ..HostFacts::default()
    }
}

fn divided(name: &str, mib: u64, profiles: &[&str]) -> HostFacts {
    let mut facts = HostFacts { cards: cards(name, mib, 1), ..HostFacts::default() };
    facts.cards[0].divided = true;
    facts.cards[0].slices = (0..)
        .zip(profiles)
        .map(|(n, profile): (u32, _)| HostSlice { id: format!("MIG-{n}"), profile: (*profile).into() })
        .collect();
    facts
}

fn booking(id: i64, units: &[&str], from: i64, to: Option<i64>) -> Booking {
    Booking {
        id,
        host: "rack4".into(),
        token: format!("gpudesk-{id}"),
        units: units.iter().map(|unit| (*unit).into()).collect(),
        begun_at: at(from),
        ended_at: to.map(at),
    }
}

fn made(facts: &HostFacts, health: Health, booked: &[Booking]) -> Vec<Offer> {
    let host = host(cost(Some(240_000), Some(2_128)));
    offers(&host, facts, health, booked, today()).unwrap().into_iter().map(|(offer, _)| offer).collect()
}

fn supply(offers: &[Offer]) -> Vec<(u32, Option<u32>)> {
    offers.iter().map(|offer| (offer.gpu.count, offer.supply.count)).collect()
}

/// The two published cases: $30,000, $266 a month, against $2.50 an hour of a month of 730 hours.
#[test]
fn the_month_of_owning_gives_the_known_break_evens() {
    let share = |resale: &str| {
        let own = OwnCost { resale: Some(resale.parse().unwrap()), ..cost(Some(30_000), Some(266)) };
        let hour = own.per_hour(today()).unwrap();
        (hour / Decimal::new(25, 1) * Decimal::ONE_HUNDRED).round()
    };
    assert_eq!((share("30%@18m"), share("30%@36m")), (Decimal::from(79), Decimal::from(47)));
}

/// The desk has one reckoning of what is lost: an own server costs what renting is compared with.
#[test]
fn a_month_of_an_own_server_is_the_month_of_the_comparison() {
    for resale in ["30%@18m", "12.5%@36m", "60%@12m,30%@24m", "0%@48m"] {
        let curve: Curve = resale.parse().unwrap();
        let own = OwnCost { resale: Some(curve.clone()), ..cost(Some(30_000), Some(266)) };
        let figures = [(Input::Price, 30_000), (Input::Running, 266)];
        let deal = Deal {
            count: 1,
            figures: figures.map(|(input, value)| (input, Figure::sure(Decimal::from(value)))).into(),
            resale: Resale::beside_ours(curve.clone()),
        };
        let bought = Monthly::sold_after(&deal.stated(), curve.stated_months()).total();
        assert_eq!(own.per_month(today()), Ok(bought), "{resale}");
    }
    // The last of two points ends the term: 30,000 less 30 %, over 24 months.
    let two = OwnCost {
        resale: Some("60%@12m,30%@24m".parse().unwrap()),
        bought: Some("2025-11-30".parse().unwrap()),
        ..cost(Some(30_000), Some(266))
    };
    assert_eq!(two.per_month(today()), Ok(Decimal::from(1_141)));
}

#[test]
fn an_unknown_part_of_the_cost_is_no_zero() {
    assert_eq!(cost(None, Some(266)).per_hour(today()), Err(CostUnknown::Price));
    assert_eq!(cost(Some(30_000), None).per_hour(today()), Err(CostUnknown::Running));
    assert_eq!(
        cost(Some(7_300), Some(730)).per_month(today()).unwrap().round_dp(2),
        Decimal::new(101_389, 2)
    );
}

#[test]
fn past_the_months_of_its_resale_value_only_running_costs() {
    let mut own = cost(Some(30_000), Some(730));
    own.bought = Some("2025-05-30".parse().unwrap());
    assert!(own.per_month("2026-11-29".parse().unwrap()).unwrap() > Decimal::from(1_800));
    assert_eq!(own.per_month(today()), Ok(Decimal::from(730)));
    assert_eq!(own.per_hour(today()), Ok(Decimal::ONE));
}

#[test]
fn a_resale_value_that_an_earlier_version_stored_is_read_and_written_anew() {
    let point = r#"{"currency":"EUR","price":"30000","bought":null,"resale":{"percent":"12.5","months":300},"running":null}"#;
    let own: OwnCost = serde_json::from_str(point).unwrap();
    assert_eq!(own.resale().to_string(), "12.5%@300m");
    let own = OwnCost { resale: Some("60%@12m,30%@24m".parse().unwrap()), ..own };
    let written = serde_json::to_string(&own).unwrap();
    assert!(written.contains(r#""resale":"60%@12m,30%@24m""#), "{written}");
    assert_eq!(serde_json::from_str::<OwnCost>(&written).unwrap(), own);
}

#[test]
fn only_names_that_are_no_option_and_nothing_to_a_shell_are_aliases() {
    for good in ["rack4", "gpu_1", "a.b-c", "_x", "10.0.0.7"] {
        assert!(is_alias(good), "{good}");
    }
    for bad in
        ["", "-oProxyCommand=x", "a b", "a\nb", "$(id)", "a;b", "a*", "имя", "a/b", "u@h", &"x".repeat(65)]
    {
        assert!(!is_alias(bad), "{bad:?}");
    }
}

#[test]
fn a_server_is_offered_whole_and_in_parts_that_cost_as_much_together() {
    let offers = made(&h100s(), Health::Ok, &[]);
    assert_eq!(supply(&offers), [(1, Some(8)), (2, Some(4)), (4, Some(2)), (8, Some(1))]);
    let whole = &offers[3];
    assert_eq!((whole.id.as_str(), whole.form), ("own:rack4:8x", Form::Own));
    assert_eq!(whole.gpu.model.as_deref(), Some("H100 SXM"));
    assert_eq!(whole.gpu.vram_gib, Some(80.0));
    assert_eq!((whole.vcpu, whole.ram_gib), (Some(192.0), Some(2015.5)));
    assert_eq!(whole.isolation, Isolation::DedicatedHost);
    // What was read agrees with the table, whose words say more.
    assert_eq!(whole.gpu.link, None);
    // 240,000 × 0.7 / 18 + 2,128 a month.
    assert_eq!(whole.price.per_hour, Decimal::new(15_700_456_621, 9));
    assert_eq!((offers[0].price.per_hour * Decimal::from(8)).round_dp(6), whole.price.per_hour.round_dp(6));
    assert_eq!((offers[0].vcpu, offers[0].ram_gib), (None, None));
}

#[test]
fn what_is_booked_is_not_free_and_an_ill_server_has_nothing() {
    let taken = booking(1, &["GPU-0", "GPU-1", "GPU-2"], 0, None);
    let offers = made(&h100s(), Health::Ok, std::slice::from_ref(&taken));
    assert_eq!(supply(&offers), [(1, Some(5)), (2, Some(2)), (4, Some(1)), (8, Some(0))]);
    assert_eq!(offers[3].supply.state, SupplyState::OutOfStock);
    for health in Health::ALL.iter().filter(|health| **health != Health::Ok) {
        let offers = made(&h100s(), *health, &[]);
        assert!(offers.iter().all(|offer| offer.supply.state == SupplyState::OutOfStock), "{health}");
    }
}

#[test]
fn links_are_promised_only_where_they_were_read() {
    let link = |name: &str, mib, count, links: Option<BTreeSet<_>>| {
        let facts = HostFacts { cards: cards(name, mib, count), links, ..HostFacts::default() };
        made(&facts, Health::Ok, &[]).last().unwrap().gpu.link.clone()
    };
    // A board of HBM cards without its switch; two consumer cards with a bridge; none; not told.
    assert_eq!(link("NVIDIA H100 80GB HBM3", 81_559, 2, Some(BTreeSet::new())).as_deref(), Some("PCIe"));
    assert_eq!(link("NVIDIA GeForce RTX 5090", 32_607, 2, Some(switched(2, 4))).as_deref(), Some("NVLink"));
    assert_eq!(link("NVIDIA GeForce RTX 5090", 32_607, 2, Some(BTreeSet::new())), None);
    assert_eq!(link("NVIDIA H100 80GB HBM3", 81_559, 2, None), None);
    assert_eq!(link("NVIDIA H100 80GB HBM3", 81_559, 1, Some(BTreeSet::new())), None);
}

#[test]
fn cards_with_a_link_are_booked_together() {
    let mut facts = h100s();
    facts.cards.truncate(4);
    facts.links = Some([(0, 2, 4), (1, 3, 4)].into());
    let want = Want::Cards { name: "NVIDIA H100 80GB HBM3".into(), count: 2 };
    assert_eq!(pick(&facts, &[], &want).unwrap(), ["GPU-0", "GPU-2"]);
    let first = booking(1, &["GPU-0"], 0, None);
    assert_eq!(pick(&facts, std::slice::from_ref(&first), &want).unwrap(), ["GPU-1", "GPU-3"]);
    let both = [first, booking(2, &["GPU-1", "GPU-3"], 0, None)];
    assert_eq!(pick(&facts, &both, &want), None);
}

/// Shares of an H100 of 80 GB by NVIDIA's own profiles (mig-parted's list): sevenths of compute, eighths of memory.
#[test]
fn slices_are_offered_by_the_table_of_profiles() {
    let facts = divided("NVIDIA H100 80GB HBM3", 81_559, &["3g.40gb", "3g.40gb"]);
    let offers = made(&facts, Health::Ok, &[booking(1, &["MIG-0"], 0, None)]);
    assert_eq!(offers.len(), 1, "a divided card cannot be had whole");
    let slice = &offers[0];
    assert_eq!((slice.id.as_str(), slice.form), ("own:rack4:mig-3g.40gb", Form::Fraction));
    assert_eq!((slice.gpu.fraction, slice.gpu.vram_gib), (Some(3.0 / 7.0), Some(40.0)));
    assert_eq!(slice.supply.count, Some(1));
    // Two of them have all of its memory: each costs half the card.
    assert_eq!(slice.price.per_hour.round_dp(4), Decimal::new(78_502, 4));
    let share = facts.cards[0].share(&facts.cards[0].slices[0]);
    assert_eq!(share.bandwidth, Some(0.5));
    let seventh = divided("NVIDIA A100-SXM4-80GB", 81_920, &["1g.10gb+me"]);
    let share = seventh.cards[0].share(&seventh.cards[0].slices[0]);
    assert_eq!(
        (share.compute, share.memory_gib, share.bandwidth),
        (Some(1.0 / 7.0), Some(10.0), Some(0.125))
    );
    let strange = divided("NVIDIA H100 80GB HBM3", 81_559, &["1c.3g.40gb"]);
    assert!(made(&strange, Health::Ok, &[]).is_empty(), "what the table does not know has no price");
}

#[test]
fn a_card_that_was_booked_before_it_was_divided_stays_booked() {
    let facts = divided("NVIDIA H100 80GB HBM3", 81_559, &["1g.10gb"]);
    let want = Want::Slice { name: "NVIDIA H100 80GB HBM3".into(), profile: "1g.10gb".into() };
    assert_eq!(pick(&facts, &[booking(1, &["GPU-0"], 0, None)], &want), None);
    assert_eq!(pick(&facts, &[], &want).unwrap(), ["MIG-0"]);
}

#[test]
fn the_offers_of_servers_with_other_cards_have_ids_of_their_own() {
    let mut facts = h100s();
    facts.cards.truncate(1);
    facts.cards.extend(cards("NVIDIA L4", 23_034, 3).into_iter().skip(1));
    let ids: Vec<String> = made(&facts, Health::Ok, &[]).into_iter().map(|offer| offer.id).collect();
    assert_eq!(
        ids,
        ["own:rack4:nvidia-h100-80gb-hbm3:1x", "own:rack4:nvidia-l4:1x", "own:rack4:nvidia-l4:2x"]
    );
}

#[test]
fn no_market_judges_what_a_server_of_ones_own_costs() {
    let written_off = OwnCost { bought: Some("2020-01-01".parse().unwrap()), ..cost(Some(1), Some(1)) };
    let offers = offers(&host(written_off), &h100s(), Health::Ok, &[], today()).unwrap();
    let offers: Vec<Offer> = offers.into_iter().map(|(offer, _)| offer).collect();
    let settled = settle([Row::Offers { origin: "rack4".into(), offers }]);
    assert_eq!((settled.offers.len(), settled.quarantined.len()), (4, 0));
}

#[test]
fn use_is_counted_by_card_and_hour() {
    let facts = h100s();
    let past = [
        booking(1, &["GPU-0", "GPU-1"], -10, Some(5)),
        booking(2, &["GPU-7"], 5, None),
        booking(3, &["GPU-3"], 20, Some(30)),
    ];
    // 2 cards for 5 hours and 1 for 5, of 8 for 10.
    assert_eq!(utilisation(&facts, &past, at(0), at(10)), Some(15.0 / 80.0));
    assert_eq!(utilisation(&facts, &past, at(0), at(0)), None);
    assert_eq!(utilisation(&HostFacts::default(), &past, at(0), at(10)), None);
    let slices = divided("NVIDIA H100 80GB HBM3", 81_559, &["1g.10gb", "1g.10gb"]);
    let one = [booking(1, &["MIG-1"], 0, None)];
    assert_eq!(utilisation(&slices, &one, at(0), at(7)), Some(1.0 / 7.0));
}

proptest! {
    /// Whatever is booked in which order, no unit is ever given to two, and what is offered as free can be taken.
    #[test]
    fn nobody_gets_what_another_has(counts in proptest::collection::vec(1_u32..5, 1..12), links in any::<u32>()) {
        let mut facts = h100s();
        facts.links = Some(switched(8, 1).into_iter().enumerate().filter(|(n, _)| links >> (n % 32) & 1 == 1).map(|(_, l)| l).collect());
        let mut booked: Vec<Booking> = Vec::new();
        for (n, count) in (0..).zip(counts) {
            let want = Want::Cards { name: "NVIDIA H100 80GB HBM3".into(), count };
            let free = 8 - booked.iter().map(|b| b.units.len()).sum::<usize>();
            match pick(&facts, &booked, &want) {
                Some(units) => {
                    prop_assert_eq!(units.len(), count as usize);
                    prop_assert!(units.iter().all(|unit| booked.iter().all(|b| !b.units.contains(unit))));
                    let distinct: BTreeSet<&String> = units.iter().collect();
                    prop_assert_eq!(distinct.len(), units.len());
                    booked.push(booking(n, &units.iter().map(String::as_str).collect::<Vec<_>>(), 0, None));
                }
                None => prop_assert!(free < count as usize),
            }
            let one = made(&facts, Health::Ok, &booked).first().and_then(|offer| offer.supply.count);
            let left = 8 - booked.iter().map(|b| b.units.len()).sum::<usize>();
            prop_assert_eq!(one, Some(u32::try_from(left).unwrap()));
        }
    }
}
