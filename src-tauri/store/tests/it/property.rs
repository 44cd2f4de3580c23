//! Whatever happens to a feed, its offers are those of the last good answer, and its history tells no price twice.

use std::collections::BTreeMap;

use gpudesk_core::offer::Offer;
use gpudesk_store::{Failure, Store, StoreError};
use proptest::prelude::*;

use crate::support::{Desk, answer, at, desk, feed, fetched, offer};

#[derive(Debug, Clone)]
enum Step {
    /// An answer of one of two feeds: prices by offer number.
    Answer { feed: bool, prices: BTreeMap<u8, u8> },
    /// The source fails.
    Fail { feed: bool },
    /// The source says that nothing has changed.
    Unchanged { feed: bool },
    /// The program ends and starts again.
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (any::<bool>(), prop::collection::btree_map(0..12_u8, 1..4_u8, 0..12))
            .prop_map(|(feed, prices)| Step::Answer { feed, prices }),
        1 => any::<bool>().prop_map(|feed| Step::Fail { feed }),
        1 => any::<bool>().prop_map(|feed| Step::Unchanged { feed }),
        1 => Just(Step::Reopen),
    ]
}

fn name(feed: bool) -> &'static str {
    if feed { "vast" } else { "catalogue/vast" }
}

fn offers(prices: &BTreeMap<u8, u8>) -> Vec<Offer> {
    prices.iter().map(|(n, price)| offer(&format!("offer {n:02}"), &price.to_string())).collect()
}

type Lines = BTreeMap<(bool, u8), Vec<Option<u8>>>;

/// What the history of every offer has to be: a point wherever what is seen differs from what was seen before.
fn note(lines: &mut Lines, feed: bool, prices: &BTreeMap<u8, u8>) {
    for n in 0..12 {
        let line = lines.entry((feed, n)).or_default();
        let seen = prices.get(&n).copied();
        if line.last().copied().flatten() != seen {
            line.push(seen);
        }
    }
}

async fn check(desk: &Desk, last: &BTreeMap<bool, BTreeMap<u8, u8>>, lines: &Lines) {
    let mut expected = Vec::new();
    for (feed, prices) in last {
        expected.extend(offers(prices).into_iter().map(|offer| (name(*feed).to_owned(), offer)));
    }
    assert_eq!(desk.load().await, expected);
    for ((in_feed, n), line) in lines {
        let history = desk.store.offer_history(&format!("offer {n:02}")).await.unwrap();
        let points: Vec<_> =
            history.into_iter().filter(|p| p.feed == feed(name(*in_feed))).map(|p| p.point).collect();
        assert!(points.is_sorted_by(|a, b| a.at < b.at && a.price != b.price), "{points:?}");
        let prices: Vec<_> = points.iter().map(|p| p.price.map(|(d, _)| d.to_string())).collect();
        let expected: Vec<_> = line.iter().map(|price| price.map(|p| p.to_string())).collect();
        assert_eq!(prices, expected);
    }
}

async fn run(steps: Vec<Step>) {
    let mut desk = desk().await;
    let (mut last, mut lines) = (BTreeMap::new(), Lines::new());
    for (minute, step) in (0..).zip(steps) {
        match step {
            Step::Answer { feed, prices } => {
                let done = desk.store.replace(&answer(&fetched(name(feed), minute, offers(&prices)))).await;
                let stored = last.get(&feed).map_or(0, BTreeMap::len);
                if prices.is_empty() && stored > 0 {
                    assert!(matches!(done, Err(StoreError::SuspiciousAnswer { .. })), "{done:?}");
                } else {
                    let same = last.get(&feed) == Some(&prices) || (prices.is_empty() && stored == 0);
                    assert_eq!(done.unwrap().rows_written == 0, same);
                    note(&mut lines, feed, &prices);
                    last.insert(feed, prices);
                }
            }
            Step::Fail { feed: failing } => {
                let (code, what, detail) = ("network".to_owned(), "read".to_owned(), "refused".to_owned());
                let failure = Failure { code, what, detail, hint: None, retry_at: None };
                desk.store.record_failure(&feed(name(failing)), at(minute), &failure).await.unwrap();
            }
            Step::Unchanged { feed: unchanged } => {
                let done = desk.store.record_unchanged(&feed(name(unchanged)), at(minute), None).await;
                assert_eq!(done.is_ok(), last.contains_key(&unchanged), "{done:?}");
            }
            Step::Reopen => {
                desk.store.close().await;
                desk.store = Store::open(&desk.path()).await.unwrap();
            }
        }
    }
    check(&desk, &last, &lines).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn offers_are_the_last_good_answer_and_history_has_no_equal_neighbours(
        steps in prop::collection::vec(step(), 1..20),
    ) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(run(steps));
    }
}
