//! Prices over time.

use gpudesk_core::money::Currency;

use crate::support::{at, dec, desk, fetched, offer};

fn said(price: &str) -> Option<String> {
    Some(price.to_owned())
}

#[tokio::test]
async fn only_changes_become_points() {
    let desk = desk().await;
    for (minutes, price) in [(0, "1"), (5, "1"), (10, "1.25"), (15, "1.250"), (20, "1")] {
        desk.replace(&fetched("vast", minutes, vec![offer("a", price)])).await.unwrap();
    }
    assert_eq!(desk.history("a").await, [(0, said("1 USD")), (10, said("1.25 USD")), (20, said("1 USD"))]);
    assert_eq!(desk.history("b").await, []);
}

#[tokio::test]
async fn another_currency_is_another_price() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "90")])).await.unwrap();
    let mut roubles = offer("a", "90");
    roubles.price.currency = Currency::RUB;
    let done = desk.replace(&fetched("vast", 5, vec![roubles])).await.unwrap();
    assert_eq!(done.price_changes, 1);
    assert_eq!(desk.history("a").await, [(0, said("90 USD")), (5, said("90 RUB"))]);
}

#[tokio::test]
async fn an_offer_that_goes_away_ends_its_line_and_may_come_back() {
    let desk = desk().await;
    let other = offer("z", "9");
    desk.replace(&fetched("vast", 0, vec![offer("a", "1"), other.clone()])).await.unwrap();
    desk.replace(&fetched("vast", 5, vec![other.clone()])).await.unwrap();
    assert_eq!(desk.history("a").await, [(0, said("1 USD")), (5, None)]);
    desk.replace(&fetched("vast", 10, vec![other.clone()])).await.unwrap();
    desk.replace(&fetched("vast", 15, vec![offer("a", "1"), other])).await.unwrap();
    assert_eq!(desk.history("a").await, [(0, said("1 USD")), (5, None), (15, said("1 USD"))]);
    assert_eq!(desk.history("z").await, [(0, said("9 USD"))]);
}

#[tokio::test]
async fn history_is_kept_by_feed() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("x", "1")])).await.unwrap();
    desk.replace(&fetched("catalogue/vast", 1, vec![offer("x", "2")])).await.unwrap();
    desk.replace(&fetched("vast", 5, vec![offer("x", "3")])).await.unwrap();
    let history = desk.store.offer_history("x").await.unwrap();
    let feeds: Vec<_> = history.iter().map(|p| (p.feed.0.as_str(), p.point.at)).collect();
    assert_eq!(feeds, [("catalogue/vast", at(1)), ("vast", at(0)), ("vast", at(5))]);
    assert!(history.iter().all(|p| p.offer == "x"));
}

#[tokio::test]
async fn history_never_runs_backwards() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 600, vec![offer("a", "1")])).await.unwrap();
    desk.replace(&fetched("vast", 0, vec![offer("a", "2")])).await.unwrap();
    desk.replace(&fetched("vast", 0, vec![offer("a", "3")])).await.unwrap();
    let points = desk.store.offer_history("a").await.unwrap();
    let prices: Vec<_> = points.iter().map(|p| p.point.price).collect();
    let usd = |price| Some((dec(price), Currency::USD));
    assert_eq!(prices, [usd("1"), usd("2"), usd("3")]);
    assert_eq!(points[0].point.at, at(600));
    assert!(points.is_sorted_by(|a, b| a.point.at < b.point.at), "{points:?}");
}

#[tokio::test]
async fn prices_keep_nine_digits_and_one_that_does_not_fit_leaves_a_gap() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "0.123456789")])).await.unwrap();
    desk.replace(&fetched("vast", 5, vec![offer("a", "99999999999")])).await.unwrap();
    desk.replace(&fetched("vast", 10, vec![offer("a", "0.123456788")])).await.unwrap();
    let expected = [(0, said("0.123456789 USD")), (5, None), (10, said("0.123456788 USD"))];
    assert_eq!(desk.history("a").await, expected);
}

#[tokio::test]
async fn since_a_day_only_what_moved_is_told_by_the_price_that_held_and_the_present_one() {
    let desk = desk().await;
    let list = |a: &str, b: &str| vec![offer("a", a), offer("b", b), offer("c", "8"), offer("still", "5")];
    let mut first = list("1", "1");
    first.push(offer("gone", "6"));
    desk.replace(&fetched("vast", 0, first)).await.unwrap();
    desk.replace(&fetched("vast", 10, list("2", "1"))).await.unwrap();
    desk.replace(&fetched("vast", 20, list("3", "1"))).await.unwrap();
    desk.replace(&fetched("vast", 25, list("9", "1"))).await.unwrap();
    let mut last = list("4", "4");
    last[2].price.currency = Currency::RUB;
    last.push(offer("new", "7"));
    desk.replace(&fetched("vast", 30, last)).await.unwrap();

    let mut points = Vec::new();
    let moved = desk
        .store
        .history_since(at(15), |p| {
            let minutes = (p.point.at - at(0)).num_minutes();
            points.push((p.feed.0, p.offer, minutes, p.point.price.map(|(d, c)| format!("{d} {c}"))));
        })
        .await
        .unwrap();
    let row = |offer: &str, minutes, price: &str| ("vast".to_owned(), offer.to_owned(), minutes, said(price));
    let expected =
        [row("a", 10, "2 USD"), row("a", 30, "4 USD"), row("b", 0, "1 USD"), row("b", 30, "4 USD")];
    assert_eq!(points, expected);
    assert_eq!(moved, 2);
    assert_eq!(desk.store.history_since(at(31), |p| panic!("{p:?}")).await.unwrap(), 0);
}

#[tokio::test]
async fn prices_that_ended_long_ago_are_forgotten_and_those_that_hold_stay() {
    let desk = desk().await;
    for (minutes, price) in [(0, "1"), (5, "2"), (10, "3")] {
        desk.replace(&fetched("vast", minutes, vec![offer("a", price), offer("still", "5")])).await.unwrap();
    }
    assert_eq!(desk.store.forget_prices(at(5)).await.unwrap(), 0, "the first price held until then");
    assert_eq!(desk.store.forget_prices(at(6)).await.unwrap(), 1);
    assert_eq!(desk.history("a").await, [(5, said("2 USD")), (10, said("3 USD"))]);
    assert_eq!(desk.store.forget_prices(at(999)).await.unwrap(), 1);
    assert_eq!(desk.history("a").await, [(10, said("3 USD"))]);
    assert_eq!(desk.history("still").await, [(0, said("5 USD"))]);
}
