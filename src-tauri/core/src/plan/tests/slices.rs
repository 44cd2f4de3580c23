//! Slices of own cards among the options. Shares are those of NVIDIA's table (`mig-profiles.csv`).

use rust_decimal::Decimal;

use super::market::{ids, offer, small, weigh};
use super::*;
use crate::board::{Choice, Ranking};
use crate::offer::{Form, Offer, Source, SupplyState};

fn own(id: &str, model: &str, vram: f64, per_hour: &str) -> Offer {
    let mut own = offer(id, model, 1, vram, "on-demand", per_hour);
    (own.form, own.source) = (Form::Own, Source::Own);
    own
}

/// The profile that each choice is a slice of, or none; and its total.
fn slices(ranking: &Ranking) -> Vec<(Option<&'static str>, Decimal)> {
    let choice = |choice: &Choice| (choice.slice.map(|slice| slice.profile), choice.high.unwrap());
    ranking.choices.iter().map(choice).collect()
}

/// `1g.10gb` of an H100 of 80 GB is 1 of 7 compute slices and an eighth of the memory, `1g.20gb` a seventh and a
/// quarter, `3g.40gb` three sevenths and a half; `1g.6gb` of an A30 is a quarter of both.
#[test]
fn a_slice_of_an_own_card_is_an_option_at_the_larger_of_its_shares() {
    let h100 = own("own:rack4:1x", "H100 SXM", 80.0, "7");
    let seventy = Decimal::from(70);
    for (needs, profile, per_card, total) in
        [(8.0, "1g.10gb", 7, "9.99999"), (9.6, "1g.20gb", 4, "17.5"), (30.0, "3g.40gb", 2, "35")]
    {
        let (board, ranking) = weigh(std::slice::from_ref(&h100), &small(needs), None);
        let total: Decimal = total.parse().unwrap();
        assert_eq!(slices(&ranking), [(Some(profile), total), (None, seventy)], "{needs} GiB");
        assert_eq!(ranking.choices[0].slice.unwrap().per_card, per_card);
        assert_eq!(ids(&board, &ranking), ["own:rack4:1x", "own:rack4:1x"]);
        assert_eq!((ranking.total, ranking.considered), (2, 1));
        assert!(!ranking.choices[0].is_same(&ranking.choices[1]));
    }
    let (_, ranking) = weigh(std::slice::from_ref(&h100), &small(39.0), None);
    assert_eq!(slices(&ranking), [(None, seventy)], "only the whole card is left");
    let (_, ranking) = weigh(&[own("own:a30:1x", "A30", 24.0, "4")], &small(5.0), None);
    assert_eq!(slices(&ranking), [(Some("1g.6gb"), Decimal::TEN), (None, Decimal::from(40))]);
}

#[test]
fn a_slice_of_an_own_card_goes_before_a_whole_one_for_8_gb() {
    let offers = [
        own("own:rack4:1x", "H100 SXM", 80.0, "3.5"),
        offer("a:h100", "H100 SXM", 1, 80.0, "on-demand", "2"),
    ];
    let (board, ranking) = weigh(&offers, &small(8.0), None);
    assert_eq!(ids(&board, &ranking), ["own:rack4:1x", "a:h100", "own:rack4:1x"]);
    assert_eq!(ranking.choices[0].slice.map(|slice| slice.profile), Some("1g.10gb"));
    assert!(ranking.choices[1].slice.is_none() && ranking.choices[2].slice.is_none());
}

/// A rented card is paid for whole, several cards are no part of one, and what is not to be had is none.
#[test]
fn no_slice_is_proposed_of_what_the_team_cannot_cut() {
    let mut taken = own("own:rack4:1x", "H100 SXM", 80.0, "7");
    taken.supply.state = SupplyState::OutOfStock;
    let mut two = own("own:rack5:2x", "H100 SXM", 80.0, "14");
    two.gpu.count = 2;
    let offers = [
        offer("a:h100", "H100 SXM", 1, 80.0, "on-demand", "2.5"),
        own("own:desk:1x", "RTX 4090", 24.0, "1"),
        taken,
        two,
    ];
    let (_, ranking) = weigh(&offers, &small(8.0), None);
    assert_eq!(ranking.choices.len(), 3);
    assert!(ranking.choices.iter().all(|choice| choice.slice.is_none()), "{ranking:?}");
}

/// A seventh of the compute takes seven times as long; at a seventh of the cost that is the same price.
#[test]
fn a_slice_works_at_its_share_of_the_speed() {
    let work = Workload {
        task: Task::Batch,
        amount: Amount::Tokens(1e10),
        ..serve(known("bge-m3"), Precision::Bf16, 512, 32)
    };
    let h100 = own("own:rack4:1x", "H100 SXM", 80.0, "7");
    let hours = |work: &Workload| -> Vec<(Option<&'static str>, f64)> {
        let (_, ranking) = weigh(std::slice::from_ref(&h100), work, None);
        let mut found: Vec<_> = ranking
            .choices
            .iter()
            .map(|choice| (choice.slice.map(|slice| slice.profile), choice.run.hours.unwrap().high))
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found
    };
    let found = hours(&work);
    let [(None, whole), (Some("1g.10gb"), seventh)] = found[..] else { panic!("{found:?}") };
    assert!((seventh / whole - 7.0).abs() < 1e-9, "{found:?}");
    // Where time is short, several slices would be needed: the whole card is proposed alone.
    let hurried = Workload { deadline_h: Some(whole * 2.0), ..work };
    assert_eq!(hours(&hurried).len(), 1);
}
