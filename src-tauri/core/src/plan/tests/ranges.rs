//! A range holds the value of every assignment of what is assumed, and nothing is divided by nothing.

use proptest::prelude::*;

use super::*;

/// Every assumption at some place of its range.
fn pointed(at: &[f64]) -> Assumptions {
    let mut assumed = Assumptions::default();
    for (name, at) in Name::ALL.iter().zip(at) {
        let span = name.basis().span;
        let value = span.low + (span.high - span.low) * at;
        assumed.set(*name, Span::exact(value), Origin::Edited).unwrap();
    }
    assumed
}

fn places() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..=1.0f64, Name::ALL.len())
}

fn works() -> impl Strategy<Value = Workload> {
    let shape = (0..models().len()).prop_map(|index| models()[index].clone());
    let task = prop::sample::select(Task::ALL);
    let method = prop::sample::select(Method::ALL);
    let precision = prop::sample::select(Precision::ALL);
    (shape, task, method, precision, 1u32..20_000, 1u32..64).prop_map(
        |(shape, task, method, precision, context, concurrency)| {
            let method = task.trains().then_some(method);
            let agreed = Workload::agree(task, method, Some(precision))
                .or_else(|_| Workload::agree(task, None, None))
                .unwrap();
            Workload {
                task,
                method: agreed.0,
                amount: Amount::Tokens(1e9),
                ..serve(shape, agreed.1, context, concurrency)
            }
        },
    )
}

fn machines() -> impl Strategy<Value = Machine> {
    (1u32..17, 8.0..200.0f64, 50.0..2500.0f64, 200.0..8000.0f64, prop::option::of(any::<bool>())).prop_map(
        |(cards, vram, tflops, bandwidth, linked)| Machine {
            cards,
            vram_gib: Some(vram),
            tflops: Some(Span::new(tflops, tflops * 1.3)),
            fp8_tflops: None,
            bandwidth_gb_s: Some(Span::exact(bandwidth)),
            is_linked: linked,
            is_cluster: false,
            has_fabric: false,
        },
    )
}

proptest! {
    #[test]
    fn memory_of_any_assignment_lies_within(work in works(), at in places(), cards in 1u32..9) {
        let all = Memory::of(&work, &Assumptions::default());
        let one = Memory::of(&work, &pointed(&at));
        let (all, one) = (all.per_card(cards, 1), one.per_card(cards, 1));
        prop_assert!(all.contains(one.low) && (one.high.is_infinite() || all.contains(one.high)), "{all:?} {one:?}");
    }

    #[test]
    fn speed_of_any_assignment_lies_within(work in works(), machine in machines(), at in places()) {
        let all = tokens_per_s(&work, &machine, 1, &Assumptions::default());
        let one = tokens_per_s(&work, &machine, 1, &pointed(&at));
        if let (Some(all), Some(one)) = (all, one) {
            prop_assert!(one.low > 0.0 && all.contains(one.low) && all.contains(one.high), "{all:?} {one:?}");
        } else {
            prop_assert_eq!(all.is_none(), one.is_none());
        }
    }

    #[test]
    fn interruptions_of_any_assignment_lie_within(
        work in (0.0..500.0f64, 1.0..2.0f64),
        rate in (0.0..0.2f64, 0.0..0.2f64),
        restart in (0.0..1.0f64, 0.0..1.0f64),
        checkpoint_h in 0.05..10.0f64,
        deadline in 1.0..800.0f64,
        at in (0.0..=1.0f64, 0.0..=1.0f64, 0.0..=1.0f64),
    ) {
        let spans = [
            Span::new(work.0, work.0 * work.1),
            Span::new(rate.0, rate.0 + rate.1),
            Span::new(restart.0, restart.0 + restart.1),
        ];
        let pick = |span: Span, at: f64| Span::exact(span.low + (span.high - span.low) * at);
        let terms = |rate, restart_h| Terms { rate, restart_h, checkpoint_h };
        let all = terms(spans[1], spans[2]);
        let one = terms(pick(spans[1], at.1), pick(spans[2], at.2));
        let work = pick(spans[0], at.0);
        let (ran, ran_one) = (interrupted(spans[0], &all), interrupted(work, &one));
        prop_assert!(ran.hours.contains(ran_one.hours.low), "{ran:?} {ran_one:?}");
        prop_assert!(ran.times.contains(ran_one.times.low), "{ran:?} {ran_one:?}");
        prop_assert!(ran_one.hours.low >= work.low * (1.0 - 1e-9), "never faster: {ran_one:?}");
        let (chance, chance_one) = (done_in_time(spans[0], deadline, &all), done_in_time(work, deadline, &one));
        prop_assert!(chance.low <= chance_one.low + 1e-6 && chance_one.high <= chance.high + 1e-6,
            "{chance:?} {chance_one:?}");
        prop_assert!((0.0..=1.0).contains(&chance.low) && (0.0..=1.0).contains(&chance.high));
    }

    #[test]
    fn more_cards_never_need_more_of_each(work in works(), cards in 1u32..64) {
        let memory = Memory::of(&work, &Assumptions::default());
        prop_assert!(memory.per_card(cards + 1, 1).low <= memory.per_card(cards, 1).low);
        prop_assert!(memory.per_card(cards, 2).low <= memory.per_card(cards, 1).low);
    }
}
