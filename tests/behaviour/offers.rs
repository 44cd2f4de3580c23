//! What a cloud offers.

use std::collections::BTreeSet;

use gpudesk_core::offer::{Flag, PriceKind, SupplyState};
use gpudesk_core::place;
use gpudesk_providers::cloud::{CloudErrorCode, Quote};
use gpudesk_tests::sim::account::TEAM_KEY;
use gpudesk_tests::sim::fault::{Fault, Kind};
use rust_decimal::Decimal;

use crate::stage::{disk, everywhere};

#[tokio::test]
async fn offers_are_there_and_whole() {
    everywhere(async |at| {
        let name = at.name();
        let mut ids = BTreeSet::new();
        let offers = at.offers().await;
        assert!(!offers.is_empty(), "{name}");
        for offer in offers {
            let said = format!("{offer:?}");
            assert_eq!(offer.provider, name, "{said}");
            assert!(ids.insert(offer.id.clone()), "{name}: twice {}", offer.id);
            assert!(offer.id.starts_with(&format!("{name}:")), "{said}");
            assert!(offer.price.per_hour > Decimal::ZERO, "{said}");
            assert!(offer.gpu.count > 0 && !offer.gpu.raw_name.is_empty(), "{said}");
            // A card the table lacks is kept under the provider's own name, and says so.
            assert!(offer.gpu.model.is_some() || offer.flags.contains(&Flag::ModelUnknown), "{said}");
            assert!(offer.gpu.vram_gib.is_none_or(|gib| (1.0..=400.0).contains(&gib)), "{said}");
            assert!(offer.place.country.is_some() || offer.flags.contains(&Flag::CountryUnknown), "{said}");
            let known = offer.place.country.as_deref().is_none_or(|code| place::country(code).is_some());
            assert!(known, "{said}");
            assert!(offer.supply.count != Some(0) || offer.supply.state != SupplyState::InStock, "{said}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_row_is_counted() {
    everywhere(async |at| {
        for feed in at.fetch(Some(TEAM_KEY)).await {
            let feed = feed.unwrap();
            let told = feed.rows_used + feed.rows_not_gpu + feed.quarantined.len() as u64;
            assert_eq!(feed.rows_read, told, "{}: {}", at.name(), feed.origin);
        }
    })
    .await;
}

#[tokio::test]
async fn offers_that_need_a_key_say_so() {
    everywhere(async |at| {
        let terms = at.cloud().terms().clone();
        assert_eq!(terms.key.offers_need_it, at.needs_key(), "{}", at.name());
        if !at.needs_key() {
            let feeds = at.fetch(None).await;
            assert!(
                feeds.iter().any(|feed| feed.as_ref().is_ok_and(|f| !f.offers.is_empty())),
                "{}",
                at.name()
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_price_is_asked_again_before_it_is_paid() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let offer = at.offer(PriceKind::OnDemand).await;
        at.sim.set_factor(1.5);
        match cloud.quote(&offer, disk(&*cloud)).await.unwrap() {
            Quote::Stands(now) => {
                assert_eq!(now.id, offer.id, "{}", at.name());
                assert!(now.price.per_hour > offer.price.per_hour, "{}: {:?}", at.name(), now.price);
            }
            Quote::Gone { words } => panic!("{}: {words}", at.name()),
        }
    })
    .await;
}

#[tokio::test]
async fn an_offer_that_ends_tells_when_as_soon_as_it_is_quoted() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let offer = at.offer(PriceKind::OnDemand).await;
        let Quote::Stands(offer) = cloud.quote(&offer, disk(&*cloud)).await.unwrap() else {
            panic!("{}: gone", at.name());
        };
        let ends_at = cloud.ends_at(&offer);
        assert_eq!(ends_at.is_some(), cloud.terms().offers_end, "{}", at.name());
        assert!(ends_at.is_none_or(|end| end > at.now()), "{}: {ends_at:?}", at.name());
    })
    .await;
}

#[tokio::test]
async fn an_offer_nobody_has_is_gone() {
    everywhere(async |at| {
        let cloud = at.cloud();
        let mut offer = at.offer(PriceKind::OnDemand).await;
        offer.id = format!("{}:no-such-offer", at.name());
        offer.name = "no-such-offer".to_owned();
        offer.gpu.raw_name = "no-such-card".to_owned();
        match cloud.quote(&offer, disk(&*cloud)).await {
            Ok(Quote::Gone { words }) => assert!(!words.is_empty(), "{}", at.name()),
            Ok(Quote::Stands(offer)) => panic!("{}: stands: {offer:?}", at.name()),
            Err(error) => assert!(
                matches!(error.code, CloudErrorCode::OfferGone | CloudErrorCode::Refused),
                "{}: {error}",
                at.name()
            ),
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_none_brings_no_offers() {
    for kind in [Kind::Html, Kind::Truncated, Kind::Empty, Kind::Status { status: 500, retry_after: None }] {
        everywhere(async |at| {
            at.sim.arm(Fault::new("/", kind.clone()).at(at.seller.service));
            let feeds = at.fetch(Some(TEAM_KEY)).await;
            assert!(
                !feeds.is_empty() && feeds.iter().all(Result::is_err),
                "{}: {kind:?}: {feeds:?}",
                at.name()
            );
        })
        .await;
    }
}
