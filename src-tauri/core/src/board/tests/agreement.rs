//! The board and the plain evaluator give the same answers about random markets.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::market::{a_line, a_market, a_sort, build};
use super::naive::{Naive, shown_card};
use super::{ids, rates, view};
use crate::board::{Sort, View};
use crate::job::Job;
use crate::money::Currency;
use crate::offer::{Offer, PriceKind, SupplyState};
use crate::policy::Subject;
use crate::query::{Edit, parse};

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

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
            ["gpu", "vram", "form", "zone", "link", "fabric", "cloud", "kind", "seller", "source", "supply", "policy"]
        );
        let lifted = query.edit(&Edit::Clear { key: "policy".to_owned() }).unwrap();
        let others = naive.matching(&View { query: &lifted, ..view });
        for kept in &page.policies {
            let policy = view.policies.iter().find(|policy| policy.name == kept.policy).unwrap();
            let mut hidden: BTreeMap<&str, u32> = BTreeMap::new();
            for row in &others {
                let judgement = policy.judge(&Subject::of(&row.offer));
                if let Some(first) = judgement.breaches().next() {
                    *hidden.entry(first.code()).or_default() += 1;
                }
            }
            let counted: BTreeMap<&str, u32> = kept.hidden.iter().copied().collect();
            prop_assert_eq!(counted, hidden, "{} in `{}`", kept.policy, line);
            let all: u32 = kept.hidden.iter().map(|(_, rows)| rows).sum::<u32>() + kept.rows;
            prop_assert_eq!(all as usize, others.len(), "{}", kept.policy);
        }
        for facet in &page.facets {
            for value in &facet.values {
                let expected = naive.facet(&view, facet.key, &value.value);
                prop_assert_eq!(value.count, expected, "{} {:?} in `{}`", facet.key, value, line);
            }
            if !["vram", "zone", "policy"].contains(&facet.key) {
                let listed: u32 = facet.values.iter().map(|value| value.count).sum();
                let lifted = query.edit(&Edit::Clear { key: facet.key.to_owned() }).unwrap();
                let mut total = board.page(&View { query: &lifted, ..view }, 0, 0, false).total;
                if facet.key == "form" {
                    // Only this facet tells of rows that are not seen unasked.
                    total += naive.facet(&view, "form", "serverless");
                }
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
