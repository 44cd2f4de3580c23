//! The ranking over a small market.

use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::json;

use super::*;
use crate::board::{Ask, Board, BoardBuilder, Choice, FeedMeta, Ranking};
use crate::feed::FeedName;
use crate::job::{self, Besides, Job, Rule, Tariff};
use crate::money::Rates;
use crate::offer::Offer;
use crate::policy::Policy;

pub(super) fn offer(id: &str, model: &str, count: u32, vram: f64, kind: &str, per_hour: &str) -> Offer {
    let provider = id.split(':').next().unwrap();
    serde_json::from_value(json!({
        "id": id, "provider": provider, "cloud": provider, "source": "live", "name": id, "form": "vm",
        "isolation": "vm", "gpu": {"model": model, "count": count, "vram_gib": vram, "raw_name": model},
        "place": {"region": "somewhere", "country": "DE", "seller": "DE"},
        "price": {"kind": kind, "currency": "USD", "per_hour": per_hour, "increment_s": 1, "minimum_s": 0,
                  "storage_gb_month": "0.1", "egress_gb": "0"},
        "supply": {"state": "in-stock"}
    }))
    .unwrap()
}

fn board(offers: &[Offer]) -> Board {
    let mut builder = BoardBuilder::new(Rates::default());
    builder.feed(FeedMeta {
        name: FeedName("test".to_owned()),
        origin: "a test".to_owned(),
        as_of: chrono::DateTime::UNIX_EPOCH,
    });
    offers.iter().for_each(|offer| builder.push(offer));
    builder.build()
}

pub(super) fn weigh(offers: &[Offer], work: &Workload, policy: Option<&Policy>) -> (Board, Ranking) {
    let assumed = Assumptions::default();
    let memory = Memory::of(work, &assumed);
    let evidence = Evidence::default();
    let judge = Judge { work, memory: &memory, assumed: &assumed, evidence: &evidence };
    let board = board(offers);
    let ranking = board.weigh(&Ask { judge, policy, most: 100 });
    (board, ranking)
}

pub(super) fn ids(board: &Board, ranking: &Ranking) -> Vec<String> {
    ranking.choices.iter().map(|choice| board.id(choice.row).unwrap().to_owned()).collect()
}

fn left(ranking: &Ranking) -> Vec<(&'static str, u32)> {
    ranking.left_out.iter().map(|left| (left.why.code(), left.rows)).collect()
}

pub(super) fn small(gib: f64) -> Workload {
    Workload {
        need: Need::Gib(gib),
        amount: Amount::Hours(10.0),
        ..serve(known("bge-m3"), Precision::Bf16, 512, 1)
    }
}

fn slice() -> Offer {
    let mut slice = offer("d:slice", "A100 80GB SXM", 1, 10.0, "on-demand", "0.3");
    slice.form = crate::offer::Form::Fraction;
    slice.gpu.fraction = Some(1.0 / 7.0);
    slice
}

#[test]
fn a_slice_goes_before_a_whole_card_for_8_gb() {
    let offers = [
        offer("a:h100", "H100 SXM", 1, 80.0, "on-demand", "2.5"),
        slice(),
        offer("b:4060", "RTX 4060", 1, 8.0, "on-demand", "0.5"),
        offer("c:t4", "P4", 1, 7.0, "on-demand", "0.1"),
    ];
    let (board, ranking) = weigh(&offers, &small(8.0), None);
    assert_eq!(ids(&board, &ranking), ["d:slice", "b:4060", "a:h100"]);
    assert_eq!(left(&ranking), [("memory", 1)]);
    let short = ranking.left_out[0].clone();
    assert_eq!(short.why, Why::Memory { needs: 8.0, has: 7.0 });
    assert_eq!(board.id(short.nearest.unwrap()), Some("c:t4"));
    // Ten hours at 0.3.
    assert_eq!(ranking.choices[0].high, Some(Decimal::from(3)));
}

#[test]
fn one_row_stands_for_all_that_are_alike() {
    let offers = [
        offer("a:1", "L4", 1, 24.0, "on-demand", "0.7"),
        offer("a:2", "L4", 1, 24.0, "on-demand", "0.6"),
        offer("a:3", "L4", 1, 24.0, "spot", "0.3"),
        offer("b:1", "L4", 1, 24.0, "on-demand", "0.65"),
    ];
    let (board, ranking) = weigh(&offers, &small(8.0), None);
    assert_eq!(ids(&board, &ranking), ["a:2", "b:1"]);
    assert_eq!(left(&ranking), [("interruptible", 1)]);
    let patient = Workload { interruptible: true, ..small(8.0) };
    let (board, ranking) = weigh(&offers, &patient, None);
    assert_eq!(ids(&board, &ranking), ["a:3", "a:2", "b:1"]);
    assert!(ranking.choices[0].run.interruptions.unwrap().high > 0.0);
    assert_eq!(ranking.firm.as_ref().map(|firm| firm.row), Some(ranking.choices[1].row));
    assert!(ranking.choices[0].high > Some(Decimal::from(3)), "lost hours are paid for");
}

#[test]
fn cards_that_share_gradients_need_a_link() {
    // 70 B in full: 16 bytes each, more than any card.
    let work = train(known("Llama 3.1 70B"), Method::Full, 2048);
    let offers = [
        offer("a:h200", "H200 SXM", 16, 141.0, "on-demand", "60"),
        offer("b:pcie", "RTX PRO 6000 Blackwell Server", 32, 96.0, "on-demand", "50"),
        offer("c:few", "H200 SXM", 8, 141.0, "on-demand", "30"),
    ];
    let (board, ranking) = weigh(&offers, &work, None);
    assert_eq!(ids(&board, &ranking), ["a:h200"]);
    assert_eq!(left(&ranking), [("memory", 1), ("no-link", 1)]);
}

#[test]
fn a_deadline_is_kept_or_the_offer_is_out() {
    let fast = offer("a:h100", "H100 SXM", 8, 80.0, "on-demand", "40");
    let slow = offer("b:a100", "A100 80GB SXM", 8, 80.0, "on-demand", "8");
    let work = Workload { amount: Amount::Tokens(1e9), ..train(known("Llama 3.1 8B"), Method::Lora, 2048) };
    let (board, ranking) = weigh(&[fast.clone(), slow.clone()], &work, None);
    let hours: Vec<Span> = ranking.choices.iter().map(|choice| choice.run.hours.unwrap()).collect();
    assert_eq!(ids(&board, &ranking), ["b:a100", "a:h100"]);
    // 4 to 6 operations for each of 8.03e9 parameters and 1e9 tokens, at 30 to 46 % of 8 · 312 TFLOPS.
    let expected = Span::new(
        4.0 * 8.030_261_248e18 / (0.46 * 8.0 * 312e12 * 3600.0),
        6.0 * 8.030_261_248e18 / (0.30 * 8.0 * 312e12 * 3600.0),
    );
    assert!(
        (hours[0].low - expected.low).abs() < 1e-6 && (hours[0].high - expected.high).abs() < 1e-6,
        "{hours:?}"
    );
    let hurried = Workload { deadline_h: Some(hours[0].low * 1.1), ..work.clone() };
    let (board, ranking) = weigh(&[fast.clone(), slow.clone()], &hurried, None);
    assert_eq!(ids(&board, &ranking), ["a:h100", "b:a100"], "what may be late comes after what is not");
    assert_eq!(ranking.choices[1].run.standing, Standing::MayBeLate);
    let impossible = Workload { deadline_h: Some(hours[1].low / 2.0), ..work };
    let (_, ranking) = weigh(&[fast, slow], &impossible, None);
    assert_eq!(left(&ranking), [("late", 2)]);
}

#[test]
fn a_pile_is_spread_over_machines_where_time_is_short() {
    let work = Workload {
        task: Task::Batch,
        amount: Amount::Tokens(1e10),
        deadline_h: Some(10.0),
        ..serve(known("bge-m3"), Precision::Bf16, 512, 32)
    };
    let (_, ranking) = weigh(&[offer("a:l4", "L4", 1, 24.0, "on-demand", "0.7")], &work, None);
    let run = ranking.choices[0].run;
    // 2 · 0.568e9 · 1e10 operations at 30 % of 121 TFLOPS take 86.9 h on one card.
    assert_eq!(run.fit.machines, 9);
    assert!(run.hours.unwrap().high <= 10.0);
    assert_eq!(run.standing, Standing::InTime);
}

#[test]
fn data_alone_bounds_the_work_and_what_is_not_done_is_said() {
    let work = Workload {
        amount: Amount::Data(50.0),
        deadline_h: Some(96.0),
        ..train(known("Llama 3.1 70B"), Method::Qlora, 2048)
    };
    let (_, ranking) = weigh(&[offer("a:h200", "H200 SXM", 1, 141.0, "on-demand", "4")], &work, None);
    let run = ranking.choices[0].run;
    assert_eq!((run.standing, run.hours), (Standing::Unfinished, Some(Span::exact(96.0))));
    assert!(run.share.low > 0.0 && run.share.high < 1.0, "{run:?}");
}

#[test]
fn a_card_of_unknown_speed_is_held_until_the_deadline_where_only_data_bounds_the_work() {
    let work = Workload {
        amount: Amount::Data(50.0),
        deadline_h: Some(96.0),
        ..train(known("Llama 3.1 70B"), Method::Qlora, 2048)
    };
    let mut mystery = offer("a:gen2", "", 1, 80.0, "on-demand", "800");
    mystery.gpu.model = None;
    let (_, ranking) = weigh(std::slice::from_ref(&mystery), &work, None);
    let run = ranking.choices[0].run;
    assert_eq!(
        (run.standing, run.hours, run.share),
        (Standing::Unfinished, Some(Span::exact(96.0)), Span::new(0.0, 1.0))
    );
    let counted = Workload { amount: Amount::Tokens(1e9), ..work };
    assert_eq!(left(&weigh(&[mystery], &counted, None).1), [("speed-unknown", 1)]);
}

#[test]
fn without_a_rate_a_total_stays_in_its_own_currency_and_comes_after_the_others() {
    let mut roubles = offer("ru:l4", "L4", 1, 24.0, "on-demand", "1");
    roubles.price.currency = crate::money::Currency::RUB;
    let dollars = offer("a:l4", "L4", 1, 24.0, "on-demand", "5");
    let (board, ranking) = weigh(&[roubles.clone(), dollars.clone()], &small(8.0), None);
    assert_eq!(ids(&board, &ranking), ["a:l4", "ru:l4"]);
    let total = |ranking: &Ranking| {
        let last = ranking.choices.last().unwrap();
        (last.currency.to_string(), last.low, last.high)
    };
    assert_eq!(total(&ranking), ("RUB".to_owned(), Decimal::TEN, Some(Decimal::TEN)));
    roubles.price.storage_gb_month = None;
    let with_disk = Workload { disk_gb: 100.0, ..small(8.0) };
    let (_, ranking) = weigh(&[roubles, dollars], &with_disk, None);
    assert_eq!(total(&ranking), ("RUB".to_owned(), Decimal::TEN, None));
}

#[test]
fn a_policy_leaves_out_what_it_forbids_with_its_reason() {
    let mut russian = offer("ru:l4", "L4", 1, 24.0, "on-demand", "0.9");
    russian.place.country = Some("RU".to_owned());
    russian.place.seller = Some("RU".to_owned());
    let german = offer("a:l4", "L4", 1, 24.0, "on-demand", "0.5");
    let policy = Policy::built_in().into_iter().find(|policy| policy.name == "152-fz").unwrap();
    let (board, ranking) = weigh(&[german, russian], &small(8.0), Some(&policy));
    assert_eq!(ids(&board, &ranking), ["ru:l4"]);
    assert_eq!(ranking.left_out[0].why, Why::Policy("place-elsewhere"));
}

#[test]
fn tokens_of_the_model_are_a_way_and_those_of_others_are_none() {
    let tokens = |id: &str, raw: &str, input: &str| {
        let mut offer = offer(id, "", 0, 1.0, "on-demand", "1");
        offer.form = crate::offer::Form::Serverless;
        (offer.gpu.model, offer.gpu.vram_gib, offer.gpu.raw_name) = (None, None, raw.to_owned());
        let meter = json!({"unit": "tokens", "input": input, "output": "1.1"});
        offer.price.meter = Some(serde_json::from_value(meter).unwrap());
        offer
    };
    let offers = [
        tokens("t:70b", "meta-llama/llama-3.1-70b-instruct", "0.1"),
        tokens("t:8b", "meta-llama/llama-3.1-8b-instruct", "0.01"),
    ];
    let work = Workload {
        task: Task::Batch,
        amount: Amount::Tokens(11e6),
        ..serve(known("Llama 3.1 70B"), Precision::Bf16, 2048, 8)
    };
    let (board, ranking) = weigh(&offers, &work, None);
    assert_eq!(ids(&board, &ranking), ["t:70b"]);
    assert_eq!(left(&ranking), [("other-model", 1)]);
    // Ten million read at 0.1 and one written at 1.1.
    assert_eq!(ranking.choices[0].high.unwrap().round_dp(6), Decimal::new(21, 1));
    let untold = Workload { task: Task::Realtime, amount: Amount::Hours(730.0), ..work };
    let (_, ranking) = weigh(&offers, &untold, None);
    assert_eq!(left(&ranking), [("other-model", 1), ("tokens-unknown", 1)]);
}

#[test]
fn why_not_is_told_of_a_row_with_every_reason() {
    let offers =
        [offer("a:spot", "RTX 4060", 1, 8.0, "spot", "0.1"), offer("b:l4", "L4", 1, 24.0, "on-demand", "1")];
    let (work, assumed, evidence) = (small(12.0), Assumptions::default(), Evidence::default());
    let memory = Memory::of(&work, &assumed);
    let judge = Judge { work: &work, memory: &memory, assumed: &assumed, evidence: &evidence };
    let board = board(&offers);
    let ask = Ask { judge, policy: None, most: 10 };
    let why = board.weigh_row(&ask, board.find("a:spot").unwrap()).unwrap_err();
    assert_eq!(why, [Why::Interruptible, Why::Memory { needs: 12.0, has: 8.0 }]);
    assert!(board.weigh_row(&ask, board.find("b:l4").unwrap()).is_ok());
}

fn highs(offers: &[Offer], hours: f64, disk_gb: f64) -> Vec<(u32, Decimal)> {
    let work = Workload { amount: Amount::Hours(hours), disk_gb, interruptible: true, ..small(8.0) };
    let (_, ranking) = weigh(offers, &work, None);
    let mut highs: Vec<(u32, Decimal)> =
        ranking.choices.iter().map(|choice: &Choice| (choice.row, choice.high.unwrap())).collect();
    highs.sort_unstable();
    highs
}

fn offers() -> impl Strategy<Value = Vec<Offer>> {
    let one = (
        1u32..9,
        1u32..100_000,
        any::<bool>(),
        prop::option::of(0u32..7200),
        prop::option::of(0u32..100_000),
    );
    prop::collection::vec(one, 1..8).prop_map(|list| {
        let offers = list.into_iter().enumerate().map(|(index, (count, price, spot, step, minimum))| {
            let price = Decimal::new(i64::from(price), 4).to_string();
            let kind = if spot { "spot" } else { "on-demand" };
            let mut offer = offer(&format!("p{index}:x"), "L4", count, 24.0, kind, &price);
            (offer.price.increment_s, offer.price.minimum_s) = (step, minimum);
            if index % 3 == 0 {
                offer.price.storage_gb_month = None;
            }
            offer
        });
        offers.collect()
    })
}

proptest! {
    #[test]
    fn more_hours_never_cost_less(offers in offers(), hours in 0.1..400.0f64, more in 0.0..400.0f64, disk in 0.0..900.0f64) {
        let (few, many) = (highs(&offers, hours, disk), highs(&offers, hours + more, disk));
        prop_assert_eq!(few.len(), many.len());
        for (few, many) in few.iter().zip(&many) {
            prop_assert!(few.0 == many.0 && few.1 <= many.1, "{few:?} {many:?}");
        }
    }

    #[test]
    fn a_cheaper_identical_offer_never_ranks_lower(offers in offers(), which in any::<prop::sample::Index>(), off in 1u32..99) {
        let original = which.get(&offers).clone();
        let mut cheaper = original.clone();
        cheaper.id = "z:cheaper".to_owned();
        cheaper.provider = "z".to_owned();
        let mut same = original.clone();
        same.id = "y:same".to_owned();
        same.provider = "y".to_owned();
        cheaper.price.per_hour = original.price.per_hour * Decimal::from(100 - off) / Decimal::ONE_HUNDRED;
        let all: Vec<Offer> = offers.into_iter().chain([same, cheaper]).collect();
        let work = Workload { interruptible: true, disk_gb: 100.0, ..small(8.0) };
        let (board, ranking) = weigh(&all, &work, None);
        let place = |id: &str| ids(&board, &ranking).iter().position(|known| known == id).unwrap();
        prop_assert!(place("z:cheaper") < place("y:same"));
    }

    #[test]
    fn what_rows_are_ordered_by_is_the_exact_total(offers in offers(), hours in 0.1..400.0f64, disk in 0.0..900.0f64) {
        use rust_decimal::prelude::ToPrimitive;
        for offer in offers {
            let job = Job::from_f64(hours, disk, 10.0).unwrap();
            let exact = job::cost(&offer, &job, &Rates::default()).unwrap().usd.high.to_f64().unwrap();
            let rule = Rule::new(&Tariff::from(&offer), &Rates::default()).unwrap();
            let said = Besides {
                storage: offer.price.storage_gb_month.and_then(|price| price.to_f64()),
                egress: offer.price.egress_gb.and_then(|price| price.to_f64()),
                included_gb: offer.disk.included_gb,
            };
            let about = rule.high(hours, offer.price.per_hour.to_f64().unwrap(), disk, 10.0, &said);
            prop_assert!((exact - about).abs() <= exact.abs() * 1e-6 + 1e-6, "{exact} {about}");
        }
    }
}
