//! The desk on a real database in a folder of its own, with a clock that is moved by hand.
#![cfg(test)]

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use gpudesk_core::feed::FeedName;
use gpudesk_core::money::to_nanos;
use gpudesk_engine::{Clock, Desk, DeskConfig, DeskError, Done, Event, Keep, NewAccount};
use gpudesk_providers::http::Secret;
use gpudesk_providers::{FeedOutcome, Fetch, OfferSource, SourceError, SourceErrorCode};
use tempfile::TempDir;

/// A clock that stands still until it is moved.
struct HandClock(Mutex<DateTime<Utc>>);

impl HandClock {
    fn at(text: &str) -> Arc<Self> {
        Arc::new(Self(Mutex::new(text.parse().unwrap())))
    }

    fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for HandClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

async fn open(home: &Path, clock: &Arc<HandClock>) -> Desk {
    let mut config = DeskConfig::new(home.to_path_buf());
    config.clock = Arc::clone(clock) as Arc<dyn Clock>;
    Desk::open(config).await.unwrap()
}

/// A price list of one cloud with one 8× H100 SXM machine, and where it was written.
fn list(folder: &TempDir, price: &str) -> std::path::PathBuf {
    let path = folder.path().join("nebius.csv");
    let text = format!(
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n\
         gpu-h100-sxm_8gpu-128vcpu-1600gb,H100,8,128,1600,{price},eu-north1,,\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

async fn import(desk: &Desk, path: &Path) -> gpudesk_core::feed::FeedName {
    let mut reports = desk.import_skypilot(vec![path.to_path_buf()]).await.unwrap();
    let report = reports.pop().unwrap();
    assert!(
        matches!(report.result, Ok(Done::Stored { rows_read: 1, rows_used: 1, .. })),
        "{:?}",
        report.result
    );
    report.feed
}

#[tokio::test]
async fn a_fresh_desk_has_the_shipped_lists_and_takes_them_once() {
    let home = TempDir::new().unwrap();
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    let offers = desk.snapshot().await.unwrap().board.len();
    assert!(offers > 2_000, "{offers} offers");
    let first: Vec<_> =
        desk.feeds().await.unwrap().into_iter().map(|f| (f.name, f.as_of, f.tried_at)).collect();
    assert!(first.iter().any(|(name, _, _)| name.0 == "catalogue/azure"));
    drop(desk);

    clock.advance(Duration::hours(1));
    let again = open(home.path(), &clock).await;
    let second: Vec<_> =
        again.feeds().await.unwrap().into_iter().map(|f| (f.name, f.as_of, f.tried_at)).collect();
    assert_eq!(first, second, "the second start wrote nothing");
    assert_eq!(again.snapshot().await.unwrap().board.len(), offers);
}

#[tokio::test]
async fn what_was_read_later_stands_before_what_shipped() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    let feed = import(&desk, &list(&lists, "23.60")).await;
    drop(desk);
    let desk = open(home.path(), &clock).await;
    let feeds = desk.feeds().await.unwrap();
    let kept = feeds.iter().find(|row| row.name == feed).unwrap();
    assert_eq!(kept.offers, 1);
    assert!(kept.origin.as_deref().unwrap().contains("nebius.csv"), "{:?}", kept.origin);
}

#[tokio::test]
async fn what_another_program_writes_comes_onto_the_board() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let window = open(home.path(), &clock).await;
    let terminal = open(home.path(), &clock).await;
    let ours = window.snapshot().await.unwrap().board.len();
    let mut events = window.events();
    let mut boards = move || {
        std::iter::from_fn(|| events.try_recv().ok())
            .filter(|event| matches!(event, Event::BoardChanged { .. }))
            .count()
    };
    window.follow_other_programs().await.unwrap();
    assert_eq!(boards(), 0, "nobody wrote anything");

    let feed = import(&terminal, &list(&lists, "23.60")).await;
    window.follow_other_programs().await.unwrap();
    let shown = window.snapshot().await.unwrap();
    assert_eq!(boards(), 1);
    assert_ne!(shown.board.len(), ours);
    assert_eq!(shown.feed(&feed.0).unwrap().offers, 1);

    window.follow_other_programs().await.unwrap();
    assert_eq!(boards(), 0, "it is shown by now");
}

#[tokio::test]
async fn a_watch_tells_of_each_better_offer_once() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    desk.snapshot().await.unwrap();
    desk.add_watch("h100 x8 cloud:nebius price<3").await.unwrap();
    let mut events = desk.events();
    let mut hits = move || {
        std::iter::from_fn(|| events.try_recv().ok())
            .filter_map(|event| match event {
                Event::WatchHit { usd, title, .. } => Some((to_nanos(usd).unwrap(), title)),
                _ => None,
            })
            .collect::<Vec<_>>()
    };

    import(&desk, &list(&lists, "40.00")).await;
    assert_eq!(hits(), [], "5.00 a card-hour is not under 3");

    clock.advance(Duration::minutes(1));
    import(&desk, &list(&lists, "23.60")).await;
    assert_eq!(hits(), [(2_950_000_000, "8× H100 SXM · Nebius".to_owned())]);

    clock.advance(Duration::minutes(1));
    import(&desk, &list(&lists, "23.60")).await;
    assert_eq!(hits(), [], "nothing new");

    clock.advance(Duration::minutes(1));
    import(&desk, &list(&lists, "23.90")).await;
    assert_eq!(hits(), [], "dearer is no news");

    clock.advance(Duration::minutes(1));
    import(&desk, &list(&lists, "20.00")).await;
    assert_eq!(hits(), [(2_500_000_000, "8× H100 SXM · Nebius".to_owned())]);
    let (watch, sight) = desk.watches().await.unwrap().pop().unwrap();
    assert_eq!(watch.best_usd, Some(2_500_000_000));
    assert_eq!(sight.unwrap().matches, 1);
}

#[tokio::test]
async fn the_change_of_a_price_is_told_from_what_was_seen() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    // A list is as old as its file.
    let listed = |price| {
        let path = list(&lists, price);
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(clock.now().into()).unwrap();
        path
    };
    import(&desk, &listed("20.00")).await;
    let id = |desk: &Desk| {
        let desk = desk.clone();
        async move {
            let snapshot = desk.snapshot().await.unwrap();
            let found = (0..snapshot.board.len()).find_map(|row| {
                let offer = snapshot.board.offer(row)?;
                (offer.provider == "nebius"
                    && offer.gpu.count == 8
                    && offer.place.country.as_deref() == Some("FI"))
                .then_some(offer.id)
            });
            (snapshot.change_30d(found.as_deref().unwrap()), found.unwrap())
        }
    };
    assert_eq!(id(&desk).await.0, None, "one price is no change");
    clock.advance(Duration::hours(23));
    import(&desk, &listed("20.00")).await;
    assert_eq!(id(&desk).await.0, None, "seen again too soon");
    clock.advance(Duration::hours(1));
    import(&desk, &listed("20.00")).await;
    assert_eq!(id(&desk).await.0, Some(0.0), "seen again after a day");
    clock.advance(Duration::days(2));
    import(&desk, &listed("15.00")).await;
    let (change, id) = id(&desk).await;
    assert_eq!(change, Some(-25.0));
    assert_eq!(desk.history(&id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused_and_the_old_ones_stay() {
    let home = TempDir::new().unwrap();
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    desk.set_settings(r#"{"proxy":"","later":1}"#).await.unwrap();
    for wrong in ["{", r#"{"proxy":5}"#, r#"{"ca_file":"/nonexistent/ca.pem"}"#] {
        let error = desk.set_settings(wrong).await.unwrap_err();
        assert_eq!(error.code(), "settings-invalid", "{wrong}: {error}");
    }
    assert_eq!(desk.settings().await.unwrap().as_deref(), Some(r#"{"proxy":"","later":1}"#));
}

#[tokio::test]
async fn a_source_that_does_not_exist_is_named_before_anything_is_fetched() {
    let home = TempDir::new().unwrap();
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    let error = desk.refresh(&["vats".to_owned()]).await.unwrap_err();
    assert!(
        matches!(&error, DeskError::UnknownSource { name, known } if name == "vats" && known.contains(&"vast"))
    );
    assert_eq!(error.code(), "not-found");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_fails_alone() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    let html = lists.path().join("aws.csv");
    std::fs::write(&html, "<!doctype html><title>404</title>").unwrap();
    let good = list(&lists, "23.60");
    let gone = lists.path().join("gone.csv");
    let reports = desk.import_skypilot(vec![html, good, gone]).await.unwrap();
    let codes: Vec<&str> =
        reports.iter().map(|report| report.result.as_ref().map_or_else(|e| e.code(), |_| "kept")).collect();
    assert_eq!(codes, ["request-invalid", "kept", "not-found"]);
}

#[tokio::test]
async fn a_list_that_breaks_off_replaces_no_longer_one() {
    let (home, lists) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let desk = open(home.path(), &clock).await;
    let header =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
    let row = |n: u32| format!("gpu_{n}x_h100,H100,{n},{n},{n},{n}.50,us-east-1,,\n");
    let whole = format!("{header}{}{}{}", row(1), row(2), row(4));
    let path = lists.path().join("lambda.csv");
    std::fs::write(&path, &whole).unwrap();
    let kept = |desk: &Desk| {
        let desk = desk.clone();
        async move {
            let feeds = desk.feeds().await.unwrap();
            let feed = feeds.into_iter().find(|feed| feed.name.0 == "catalogue/lambda").unwrap();
            (feed.offers, feed.error.map(|error| error.code))
        }
    };
    desk.import_skypilot(vec![path.clone()]).await.unwrap();
    assert_eq!(kept(&desk).await, (3, None));

    // Cut inside the last row: two rows can be read, three are known.
    clock.advance(Duration::minutes(1));
    std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    let report = desk.import_skypilot(vec![path.clone()]).await.unwrap().pop().unwrap();
    let error = report.result.unwrap_err();
    assert_eq!(error.code(), "bad-answer");
    assert!(error.detail().contains("lambda.csv line 4"), "{}", error.detail());
    assert_eq!(kept(&desk).await, (3, Some("bad-answer".to_owned())));

    // A whole list that is shorter is what it says.
    clock.advance(Duration::minutes(1));
    std::fs::write(&path, format!("{header}{}", row(1))).unwrap();
    desk.import_skypilot(vec![path]).await.unwrap();
    assert_eq!(kept(&desk).await, (1, None));
}

/// A source that is too busy and says for how long.
struct Busy;

#[async_trait]
impl OfferSource for Busy {
    fn name(&self) -> &'static str {
        "busy"
    }

    fn title(&self) -> &'static str {
        "Busy"
    }

    fn feeds(&self) -> Vec<FeedName> {
        vec![FeedName("busy".to_owned())]
    }

    fn poll_every(&self) -> std::time::Duration {
        std::time::Duration::from_secs(60)
    }

    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send)) {
        let mut error = SourceError::new(SourceErrorCode::RateLimited, "Busy offers", "HTTP 429");
        error.retry_at = Some((cx.now)() + Duration::hours(2));
        out(FeedOutcome { feed: FeedName("busy".to_owned()), seconds: 0.0, result: Err(error) });
    }
}

#[tokio::test]
async fn the_time_that_a_source_asks_for_is_kept_with_its_feed() {
    let home = TempDir::new().unwrap();
    let clock = HandClock::at("2026-11-30T09:00:00Z");
    let mut config = DeskConfig::new(home.path().to_path_buf());
    config.clock = Arc::clone(&clock) as Arc<dyn Clock>;
    config.registry = |_| vec![Box::new(Busy)];
    let desk = Desk::open(config).await.unwrap();
    let report = desk.refresh(&["busy".to_owned()]).await.unwrap().remove(0);
    assert!(report.result.is_err());
    let feeds = desk.feeds().await.unwrap();
    let failure = feeds.iter().find(|feed| feed.name.0 == "busy").unwrap().error.clone().unwrap();
    assert_eq!(failure.retry_at, Some(clock.now() + Duration::hours(2)));
    assert_eq!(
        failure.hint.as_deref(),
        Some("It may be asked again from 2026-11-30 11:00:00 UTC on."),
        "and told"
    );
}

#[tokio::test]
async fn a_key_that_lacks_a_part_is_named_before_anybody_is_asked() {
    let home = TempDir::new().unwrap();
    let desk = open(home.path(), &HandClock::at("2026-11-30T09:00:00Z")).await;
    for (provider, key, problem) in [
        ("aws", r#"{"access_key_id": "AKIAEXAMPLE"}"#, "the key lacks `secret_access_key`"),
        (
            "openstack",
            r#"{"auth_url": "https://k.example/v3", "username": "anna"}"#,
            "the key lacks `password`",
        ),
        ("vast", "  ", "the key is empty"),
    ] {
        let new = NewAccount {
            provider: provider.to_owned(),
            alias: String::new(),
            key: Secret::new(key),
            keep: Keep::Session,
            address: String::new(),
            proxy: String::new(),
            ca_file: String::new(),
            unchecked: true,
        };
        let error = desk.account_add(new).await.unwrap_err();
        assert_eq!((error.code(), error.detail().as_str()), ("key-invalid", problem));
        assert_eq!(error.what(), format!("account `{provider}`"));
        assert!(error.hint().is_some(), "what it should be");
    }
}
