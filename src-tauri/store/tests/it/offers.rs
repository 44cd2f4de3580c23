//! Replacing the offers of a feed.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Flag, PriceKind, Source};
use gpudesk_store::{Answer, Replaced, StoreError};

use crate::support::{answer, at, dec, desk, feed, fetched, many, offer};

#[tokio::test]
async fn an_offer_comes_back_as_it_went_in() {
    let desk = desk().await;
    let full = {
        let mut full = offer("vast:20817x2/on-demand\n\"Ω\"", "0.7467");
        full.source = Source::Catalogue;
        full.gpu.fraction = Some(0.142_857_142_857);
        full.gpu.link = Some("PCIe 4 x16".to_owned());
        full.fabric = Some("InfiniBand 3200 Gb/s".to_owned());
        full.price.kind = PriceKind::Reserved;
        full.price.currency = Currency::RUB;
        full.price.term = Some("12 months\r\n".to_owned());
        full.price.storage_gb_month = Some(dec("0.00000000000000000001"));
        full.price.egress_gb = Some(dec("0"));
        full.flags = vec![Flag::PriceSuspect, Flag::DuplicateOf("vast:1".to_owned())];
        full
    };
    let bare = {
        let mut bare = offer("vast:2", "79228162514264337593543950335");
        bare.gpu.model = None;
        bare.gpu.vram_gib = None;
        (bare.vcpu, bare.ram_gib, bare.driver, bare.cuda) = (None, None, None, None);
        (bare.reliability, bare.verified) = (None, None);
        (bare.disk, bare.net, bare.place) = Default::default();
        bare.price.increment_s = None;
        bare.price.storage_gb_month = None;
        bare.supply.count = None;
        bare
    };
    desk.replace(&fetched("vast", 0, vec![full.clone(), bare.clone()])).await.unwrap();
    let expected = [("vast".to_owned(), bare), ("vast".to_owned(), full)];
    assert_eq!(desk.load().await, expected);
}

#[tokio::test]
async fn the_difference_is_counted_and_only_the_difference_is_written() {
    let desk = desk().await;
    let first =
        desk.replace(&fetched("vast", 0, vec![offer("a", "1"), offer("b", "2"), offer("c", "3")])).await;
    assert_eq!(first.unwrap(), Replaced { added: 3, rows_written: 3, ..Replaced::default() });

    // `a` is gone, `b` is dearer, `c` has less stock, `d` and `0` are new.
    let mut c = offer("c", "3");
    c.supply.count = Some(7);
    let second = vec![offer("d", "4"), c.clone(), offer("b", "2.5"), offer("0", "9")];
    let done = desk.replace(&fetched("vast", 5, second)).await.unwrap();
    let expected = Replaced {
        added: 2,
        removed: 1,
        changed: 2,
        price_changes: 1,
        // Four offers put, one deleted, and two prices that ended.
        rows_written: 7,
        superseded: false,
    };
    assert_eq!(done, expected);
    let offers: Vec<_> = desk.load().await.into_iter().map(|(_, offer)| offer).collect();
    assert_eq!(offers, [offer("0", "9"), offer("b", "2.5"), c, offer("d", "4")]);
    assert_eq!(desk.store.feeds().await.unwrap()[0].price_changes, 1);
}

#[tokio::test]
async fn a_refresh_in_which_nothing_changed_writes_no_offer_row() {
    let desk = desk().await;
    let offers = many(700);
    desk.replace(&fetched("vast", 0, offers.clone())).await.unwrap();
    let mut shuffled = offers;
    shuffled.reverse();
    let done = desk.replace(&fetched("vast", 5, shuffled)).await.unwrap();
    assert_eq!(done, Replaced::default());
    let row = desk.store.feeds().await.unwrap().remove(0);
    assert_eq!((row.as_of, row.offers), (Some(at(5)), 700));
}

#[tokio::test]
async fn differences_are_found_across_pages_and_batches() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, many(1_500))).await.unwrap();
    let mut offers = many(1_500);
    offers.retain(|offer| !offer.id.ends_with('7'));
    for offer in offers.iter_mut().filter(|offer| offer.id.ends_with('3')) {
        offer.price.per_hour = dec("9");
    }
    offers.extend((0..600).map(|n| offer(&format!("a{n:05}+"), "3")));
    let done = desk.replace(&fetched("vast", 5, offers.clone())).await.unwrap();
    assert_eq!((done.added, done.removed, done.changed, done.price_changes), (600, 150, 150, 150));
    offers.sort_by(|a, b| a.id.cmp(&b.id));
    let stored: Vec<_> = desk.load().await.into_iter().map(|(_, offer)| offer).collect();
    assert!(stored == offers);
}

#[tokio::test]
async fn many_new_offers_may_stand_before_a_stored_one() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("z", "1")])).await.unwrap();
    let mut offers = many(20_000);
    offers.push(offer("z", "1"));
    let done = desk.replace(&fetched("vast", 5, offers)).await.unwrap();
    assert_eq!(done, Replaced { added: 20_000, rows_written: 20_000, ..Replaced::default() });
    assert_eq!(desk.ids("vast").await.len(), 20_001);
}

#[tokio::test]
async fn the_same_id_in_two_feeds_is_two_offers() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("x", "1")])).await.unwrap();
    desk.replace(&fetched("catalogue/vast", 0, vec![offer("x", "2"), offer("y", "2")])).await.unwrap();
    let feeds: Vec<_> =
        desk.load().await.into_iter().map(|(feed, o)| (feed, o.id, o.price.per_hour)).collect();
    let row = |feed: &str, id: &str, price| (feed.to_owned(), id.to_owned(), dec(price));
    assert_eq!(
        feeds,
        [row("catalogue/vast", "x", "2"), row("catalogue/vast", "y", "2"), row("vast", "x", "1")]
    );

    desk.replace(&fetched("catalogue/vast", 5, vec![offer("y", "2")])).await.unwrap();
    assert_eq!(desk.ids("vast").await, ["x"]);
}

#[tokio::test]
async fn an_empty_answer_never_replaces_offers_unasked() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "1")])).await.unwrap();
    let before = desk.store.feeds().await.unwrap();
    let empty = fetched("vast", 5, Vec::new());
    let error = desk.replace(&empty).await.unwrap_err();
    assert!(matches!(error, StoreError::SuspiciousAnswer { stored: 1, offered: 0, .. }), "{error:?}");
    assert_eq!(desk.ids("vast").await, ["a"]);
    assert_eq!(desk.store.feeds().await.unwrap(), before);

    let asked = Answer { allow_shrink: true, ..answer(&empty) };
    assert_eq!(desk.store.replace(&asked).await.unwrap().removed, 1);
    assert_eq!(desk.ids("vast").await, [""; 0]);
}

#[tokio::test]
async fn an_answer_that_lost_most_of_a_large_feed_is_suspicious() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, many(100))).await.unwrap();
    let error = desk.replace(&fetched("vast", 5, many(19))).await.unwrap_err();
    assert!(matches!(error, StoreError::SuspiciousAnswer { stored: 100, offered: 19, .. }), "{error:?}");
    assert_eq!(desk.ids("vast").await.len(), 100);
    desk.replace(&fetched("vast", 6, many(20))).await.unwrap();
    desk.replace(&fetched("vast", 7, many(1))).await.unwrap();
    assert_eq!(desk.ids("vast").await.len(), 1, "a small feed may sell out");
}

#[tokio::test]
async fn a_first_answer_may_be_empty() {
    let desk = desk().await;
    assert_eq!(desk.replace(&fetched("vast", 0, Vec::new())).await.unwrap(), Replaced::default());
    assert_eq!(desk.store.feeds().await.unwrap()[0].as_of, Some(at(0)));
}

#[tokio::test]
async fn an_id_that_stands_twice_is_refused() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "1")])).await.unwrap();
    let twice = fetched("vast", 5, vec![offer("b", "1"), offer("c", "1"), offer("b", "2")]);
    let error = desk.replace(&twice).await.unwrap_err();
    assert!(matches!(&error, StoreError::DuplicateOffer { id, .. } if id == "b"), "{error:?}");
    assert_eq!(desk.ids("vast").await, ["a"]);
}

#[tokio::test]
async fn a_row_the_database_refuses_undoes_the_whole_answer() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "1"), offer("b", "1")])).await.unwrap();
    let error = desk.replace(&fetched("vast", 5, vec![offer("", "1"), offer("b", "2")])).await.unwrap_err();
    assert!(error.to_string().contains("CHECK constraint failed"), "{error}");
    assert_eq!(desk.ids("vast").await, ["a", "b"]);
    assert_eq!(desk.history("b").await, [(0, Some("1 USD".to_owned()))]);
    let done = desk.replace(&fetched("vast", 10, vec![offer("a", "1"), offer("b", "2")])).await.unwrap();
    assert_eq!((done.added, done.price_changes), (0, 1));
}

#[tokio::test]
async fn an_answer_fetched_before_the_stored_one_is_dropped() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 10, vec![offer("a", "2")])).await.unwrap();
    let before = desk.store.feeds().await.unwrap();
    let slow = fetched("vast", 9, vec![offer("a", "1"), offer("b", "1")]);
    let done = desk.replace(&slow).await.unwrap();
    assert_eq!(done, Replaced { superseded: true, ..Replaced::default() });
    assert_eq!(desk.store.feeds().await.unwrap(), before);
    assert_eq!(desk.ids("vast").await, ["a"]);
}

#[tokio::test]
async fn a_clock_that_was_set_back_does_not_stop_refreshes() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 600, vec![offer("a", "2")])).await.unwrap();
    let done = desk.replace(&fetched("vast", 0, vec![offer("a", "1")])).await.unwrap();
    assert_eq!(done.price_changes, 1);
    assert_eq!(desk.store.feeds().await.unwrap()[0].as_of, Some(at(0)));
}

#[tokio::test]
async fn an_old_price_list_fetched_now_counts() {
    let desk = desk().await;
    desk.replace(&fetched("catalogue/aws", 0, vec![offer("a", "2")])).await.unwrap();
    desk.store.record_unchanged(&feed("catalogue/aws"), at(60), None).await.unwrap();
    // The list's own date lies before the last look at the old one.
    let list = fetched("catalogue/aws", 30, vec![offer("a", "3")]);
    let done = desk.store.replace(&Answer { tried_at: at(61), ..answer(&list) }).await.unwrap();
    assert_eq!(done.price_changes, 1);
    assert_eq!(desk.store.feeds().await.unwrap()[0].as_of, Some(at(30)));
}

#[tokio::test]
async fn an_offer_this_version_cannot_read_is_left_out_and_mended_by_the_next_answer() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, vec![offer("a", "1"), offer("b", "2"), offer("c", "3")])).await.unwrap();
    let mut other = desk.raw().await;
    sqlx::query("UPDATE offers SET body = '{\"id\":\"b\"}' WHERE id = 'b'")
        .execute(&mut other)
        .await
        .unwrap();
    let mut ids = Vec::new();
    let loaded = desk.store.load(|_, offer, _| ids.push(offer.id)).await.unwrap();
    assert_eq!(ids, ["a", "c"]);
    assert_eq!(loaded.offers, 2);
    let [bad] = loaded.unreadable.as_slice() else { panic!("{loaded:?}") };
    assert_eq!((bad.feed.0.as_str(), bad.id.as_str()), ("vast", "b"));
    assert!(bad.detail.contains("missing field"), "{bad:?}");

    let done =
        desk.replace(&fetched("vast", 5, vec![offer("a", "1"), offer("b", "2"), offer("c", "3")])).await;
    assert_eq!(done.unwrap(), Replaced { changed: 1, rows_written: 1, ..Replaced::default() });
    assert_eq!(desk.ids("vast").await, ["a", "b", "c"]);
}
