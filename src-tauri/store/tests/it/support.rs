//! Stores in temporary folders, and offers to put into them.

use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::feed::{FeedName, Fetched, Quarantined, Reason, ReasonCode};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_store::{Answer, Replaced, Store, StoreError};
use rust_decimal::Decimal;
use sqlx::SqliteConnection;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;

/// A store of its own; the folder goes with it.
pub struct Desk {
    pub folder: TempDir,
    pub store: Store,
}

impl Desk {
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("gpudesk.db")
    }

    /// A connection past the store, for looking and for breaking things.
    pub async fn raw(&self) -> SqliteConnection {
        raw(&self.path()).await
    }

    pub async fn load(&self) -> Vec<(String, Offer)> {
        let mut offers = Vec::new();
        let loaded =
            self.store.load(|feed, offer, _| offers.push((feed.name.0.clone(), offer))).await.unwrap();
        assert_eq!(loaded.unreadable, []);
        assert_eq!(loaded.offers, offers.len() as u64);
        offers
    }

    pub async fn ids(&self, feed: &str) -> Vec<String> {
        self.load().await.into_iter().filter(|(name, _)| name == feed).map(|(_, offer)| offer.id).collect()
    }

    pub async fn replace(&self, fetched: &Fetched) -> Result<Replaced, StoreError> {
        self.store.replace(&answer(fetched)).await
    }

    /// The points of one offer as `(minutes after nine, price)`.
    pub async fn history(&self, offer: &str) -> Vec<(i64, Option<String>)> {
        self.store
            .offer_history(offer)
            .await
            .unwrap()
            .into_iter()
            .map(|p| ((p.point.at - at(0)).num_minutes(), p.point.price.map(|(d, c)| format!("{d} {c}"))))
            .collect()
    }
}

pub async fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("gpudesk.db")).await.unwrap();
    Desk { folder, store }
}

pub async fn raw(path: &std::path::Path) -> SqliteConnection {
    use sqlx::ConnectOptions;
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.unwrap()
}

/// Nine o'clock and some minutes.
pub fn at(minutes: i64) -> DateTime<Utc> {
    "2026-11-30T09:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::minutes(minutes)
}

pub fn feed(name: &str) -> FeedName {
    FeedName(name.to_owned())
}

pub fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub fn offer(id: &str, per_hour: &str) -> Offer {
    Offer {
        id: id.to_owned(),
        provider: "vast".to_owned(),
        cloud: "vast".to_owned(),
        source: Source::Live,
        name: "31881234".to_owned(),
        form: Form::Container,
        isolation: Isolation::SharedHost,
        gpu: OfferGpu {
            model: Some("RTX 4090".to_owned()),
            count: 2,
            fraction: None,
            vram_gib: Some(24.0),
            link: None,
            raw_name: "RTX 4090".to_owned(),
        },
        fabric: None,
        vcpu: Some(16.0),
        ram_gib: Some(62.9),
        disk: Disk { included_gb: None, max_gb: Some(812.0) },
        net: Net { down_mbit_s: Some(812.0), up_mbit_s: None },
        driver: Some("570.86.10".to_owned()),
        cuda: Some("12.8".to_owned()),
        reliability: Some(0.9931),
        verified: Some(true),
        place: Place { region: Some("Sofia, BG".to_owned()), country: Some("BG".to_owned()), seller: None },
        price: Price {
            kind: PriceKind::OnDemand,
            currency: Currency::USD,
            per_hour: dec(per_hour),
            term: None,
            increment_s: Some(1),
            minimum_s: None,
            storage_gb_month: Some(dec("0.2")),
            storage_stopped_gb_month: None,
            egress_gb: None,
            ingress_gb: None,
            meter: None,
            page: None,
        },
        supply: Supply { state: SupplyState::InStock, count: Some(1) },
        flags: Vec::new(),
    }
}

/// An answer of `name` at nine and some minutes.
pub fn fetched(name: &str, minutes: i64, offers: Vec<Offer>) -> Fetched {
    let rows = offers.len() as u64;
    Fetched {
        feed: feed(name),
        origin: format!("{name}, test"),
        as_of: at(minutes),
        offers,
        quarantined: Vec::new(),
        rows_read: rows,
        rows_used: rows,
        rows_not_gpu: 0,
        notes: Vec::new(),
    }
}

/// Fetched at its own `as_of`, in a second and a half.
pub fn answer(fetched: &Fetched) -> Answer<'_> {
    Answer { fetched, version: None, tried_at: fetched.as_of, seconds: 1.5, allow_shrink: false }
}

/// `count` offers `a000`, `a001`, … at 1.5 an hour.
pub fn many(count: usize) -> Vec<Offer> {
    (0..count).map(|n| offer(&format!("a{n:05}"), "1.5")).collect()
}

pub fn kept_out(origin: &str, offer: Option<Offer>) -> Quarantined {
    Quarantined {
        reason: Reason { code: ReasonCode::PriceImpossible, detail: "price is 0".to_owned() },
        origin: origin.to_owned(),
        offer,
    }
}
