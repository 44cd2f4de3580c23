//! The desk: the engine's one handle. Cheap to clone; every clone is the same desk.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, NaiveDate, Utc};
use gpudesk_core::feed::{FeedName, Reason};
use gpudesk_core::money::Rates;
use gpudesk_providers::catalogue;
use gpudesk_providers::http::{Http, HttpConfig};
use gpudesk_providers::{OfferSource, SourceConfig};
use gpudesk_store::{FeedRow, HistoryPoint, ModelDay, QuarantinePage, Store};
use tokio::sync::{Notify, OwnedMutexGuard, broadcast, watch};

use crate::accounts::AccessCache;
use crate::config::{DeskConfig, NetSettings};
use crate::connect::Connect;
use crate::guard::{Measured, Rings};
use crate::leftovers::Leftovers;
use crate::notices::NoticeConfig;
use crate::own::OwnSource;
use crate::rates::RATES;
use crate::refresh::Trust;
use crate::rental::Book;
use crate::snapshot::Slot;
use crate::{DeskError, Event};

/// Where the person's settings stand in the store.
const SETTINGS: &str = "settings";
/// Which shipped price lists the store has taken.
const SHIPPED: &str = "shipped-lists";
/// Events kept for a listener that is slow; one that is slower misses some and reads everything anew.
const EVENTS: usize = 256;

/// The engine's handle.
#[derive(Clone)]
pub struct Desk(Arc<Inner>);

pub(crate) struct Inner {
    config: DeskConfig,
    store: Store,
    http: Mutex<Option<(NetSettings, Http)>>,
    pub(crate) slot: watch::Sender<Slot>,
    pub(crate) stale: AtomicBool,
    pub(crate) watching: AtomicBool,
    pub(crate) wake: Notify,
    pub(crate) building: tokio::sync::Mutex<()>,
    pub(crate) boards: AtomicU32,
    fetching: Mutex<BTreeMap<&'static str, Fetching>>,
    events: broadcast::Sender<Event>,
    pub(crate) access: AccessCache,
    connect: Connect,
    pub(crate) book: Book,
    pub(crate) measured: Measured,
    pub(crate) rings: Rings,
    pub(crate) leftovers: Leftovers,
    pub(crate) notice_problem: Mutex<Option<String>>,
    pub(crate) notice_config: Mutex<Option<NoticeConfig>>,
}

/// One source's turn: the lock keeps two fetches apart, the count says whether one is under way.
#[derive(Clone, Default)]
struct Fetching {
    turn: Arc<tokio::sync::Mutex<()>>,
    under_way: u32,
}

/// A source of offers or rates, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceInfo {
    /// `vast`, `catalogue`, `rates`.
    pub name: &'static str,
    /// Shown name.
    pub title: &'static str,
    /// Feeds it may bring.
    pub feeds: Vec<FeedName>,
    /// Whether it is being fetched now.
    pub busy: bool,
    /// Whether it tells nothing before there is an account, and there is none.
    pub needs_account: bool,
}

impl Desk {
    /// Opens the desk: the database, the price lists that ship with the app where there are no newer ones, and, in
    /// the background, the board.
    ///
    /// # Errors
    /// When the database cannot be opened or written; it is then left as it is.
    pub async fn open(config: DeskConfig) -> Result<Self, DeskError> {
        let store = Store::open(&config.database()).await?;
        let connect = Connect::new(&config);
        let desk = Self(Arc::new(Inner {
            connect,
            config,
            store,
            http: Mutex::new(None),
            slot: watch::Sender::new(Slot::Loading),
            stale: AtomicBool::new(true),
            watching: AtomicBool::new(false),
            wake: Notify::new(),
            building: tokio::sync::Mutex::new(()),
            boards: AtomicU32::new(0),
            fetching: Mutex::new(BTreeMap::new()),
            events: broadcast::Sender::new(EVENTS),
            access: AccessCache::default(),
            book: Book::default(),
            measured: Measured::default(),
            rings: Rings::default(),
            leftovers: Leftovers::default(),
            notice_problem: Mutex::default(),
            notice_config: Mutex::default(),
        }));
        desk.stock_shipped_lists().await?;
        let loading = desk.clone();
        tokio::spawn(async move { loading.settle_board().await });
        Ok(desk)
    }

    /// Puts the price lists that ship with the app where a provider has none, or has those of an older version.
    async fn stock_shipped_lists(&self) -> Result<(), DeskError> {
        let version = catalogue::shipped_version();
        let mark = serde_json::Value::String(version.clone()).to_string();
        if self.store().setting(SHIPPED).await?.as_ref() == Some(&mark) {
            return Ok(());
        }
        let lists = tokio::task::spawn_blocking(catalogue::shipped)
            .await
            .map_err(|error| DeskError::Task(error.to_string()))?;
        let feeds = self.store().feeds().await?;
        let fetched = |name: &FeedName| {
            feeds.iter().any(|feed| {
                feed.name == *name
                    && feed.as_of.is_some()
                    && !feed.version.as_deref().is_some_and(catalogue::is_shipped_version)
            })
        };
        for list in lists.iter().filter(|list| !fetched(&list.feed)) {
            self.keep(list, Some(&version), self.now(), 0.0, Trust::Asked).await.result?;
        }
        // Last, so that a crash before it only means doing it again.
        Ok(self.store().set_setting(SHIPPED, &mark).await?)
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// How it was opened.
    #[must_use]
    pub fn config(&self) -> &DeskConfig {
        &self.0.config
    }

    pub(crate) fn ways(&self) -> &Connect {
        &self.0.connect
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    /// The desk's clock.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.0.config.clock.now()
    }

    /// Whether this desk goes on watching by itself: [`Desk::start`] was called.
    #[must_use]
    pub fn is_watching(&self) -> bool {
        self.0.watching.load(Ordering::Acquire)
    }

    /// Listens to what happens from now on.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.0.events.subscribe()
    }

    pub(crate) fn tell(&self, event: Event) {
        // Nobody listening is not an error.
        let _ = self.0.events.send(event);
    }

    /// Version of the database's schema.
    #[must_use]
    pub fn schema_version(&self) -> i64 {
        self.0.store.schema_version()
    }

    /// The person's settings as they were stored; `None` before the first time.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn settings(&self) -> Result<Option<String>, DeskError> {
        Ok(self.store().setting(SETTINGS).await?)
    }

    /// Stores the person's settings, a JSON document.
    ///
    /// # Errors
    /// When it is not JSON of the right shape, or cannot be stored.
    pub async fn set_settings(&self, json: &str) -> Result<(), DeskError> {
        let net: NetSettings =
            serde_json::from_str(json).map_err(|error| DeskError::Settings(error.to_string()))?;
        // A proxy or CA that cannot work is refused while the person still looks at it.
        self.connect(&net)?;
        self.store().set_setting(SETTINGS, json).await?;
        self.tell(Event::SettingsChanged);
        Ok(())
    }

    pub(crate) async fn net_settings(&self) -> Result<NetSettings, DeskError> {
        match self.settings().await? {
            Some(text) => serde_json::from_str(&text).map_err(|error| DeskError::Settings(error.to_string())),
            None => Ok(NetSettings::default()),
        }
    }

    pub(crate) fn connect(&self, net: &NetSettings) -> Result<Http, DeskError> {
        let clock = Arc::clone(&self.0.config.clock);
        let mut config = HttpConfig::new(Arc::new(move || clock.now()));
        config.proxy = Some(net.proxy.trim().to_owned()).filter(|proxy| !proxy.is_empty());
        config.ca_file = Some(net.ca_file.trim()).filter(|file| !file.is_empty()).map(Into::into);
        Ok(Http::new(config)?)
    }

    /// The HTTP kit for the settings in force. One kit serves until they change: it carries each provider's pace.
    pub(crate) async fn http(&self) -> Result<Http, DeskError> {
        let net = self.net_settings().await?;
        let mut kept = self.0.http.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, http)) = kept.as_ref()
            && *of == net
        {
            return Ok(http.clone());
        }
        let http = self.connect(&net)?;
        *kept = Some((net, http.clone()));
        Ok(http)
    }

    pub(crate) fn is_busy(&self, source: &str) -> bool {
        let fetching = self.0.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        fetching.get(source).is_some_and(|fetch| fetch.under_way > 0)
    }

    /// The sources there are.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub async fn sources(&self) -> Result<Vec<SourceInfo>, DeskError> {
        let config = self.config().sources(&self.net_settings().await?);
        let accounts = self.account_names().await?;
        let mut sources: Vec<SourceInfo> = self
            .all_sources(&config)
            .await?
            .iter()
            .map(|s| SourceInfo {
                name: s.name(),
                title: s.title(),
                feeds: s.feeds(),
                busy: self.is_busy(s.name()),
                needs_account: s.needs_key() && !accounts.iter().any(|name| name.provider() == s.name()),
            })
            .collect();
        let banks = ["rates/ecb", "rates/cbr"].map(|name| FeedName(name.to_owned()));
        sources.push(SourceInfo {
            name: RATES,
            title: "Exchange rates",
            feeds: banks.to_vec(),
            busy: self.is_busy(RATES),
            needs_account: false,
        });
        Ok(sources)
    }

    /// Every source of offers: those of the registry, and the team's own servers.
    pub(crate) async fn all_sources(
        &self,
        config: &SourceConfig,
    ) -> Result<Vec<Box<dyn OfferSource>>, DeskError> {
        let mut sources = (self.config().registry)(config);
        let own = OwnSource::new(self).await?;
        if !own.feeds().is_empty() {
            sources.push(Box::new(own));
        }
        Ok(sources)
    }

    /// How each feed fares.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn feeds(&self) -> Result<Vec<FeedRow>, DeskError> {
        Ok(self.store().feeds().await?)
    }

    /// The price history of one offer, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn history(&self, offer: &str) -> Result<Vec<HistoryPoint>, DeskError> {
        Ok(self.store().offer_history(offer).await?)
    }

    /// The market of each day since `since`, by card.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn model_days(&self, since: NaiveDate) -> Result<Vec<ModelDay>, DeskError> {
        Ok(self.store().model_days(since).await?)
    }

    /// Rows kept out of the table.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn quarantine(
        &self,
        feed: Option<&FeedName>,
        offset: u32,
        limit: u32,
    ) -> Result<QuarantinePage, DeskError> {
        Ok(self.store().quarantine_page(feed, offset, limit).await?)
    }

    /// Why an offer is in quarantine; `None` where it is not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn quarantine_reason(&self, offer: &str) -> Result<Option<Reason>, DeskError> {
        let mut reason = None;
        self.store()
            .load_quarantine(|_, row| {
                if row.offer.is_some_and(|kept_out| kept_out.id == offer) {
                    reason.get_or_insert(row.reason);
                }
            })
            .await?;
        Ok(reason)
    }

    /// The newest sheet of each bank.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn rates(&self) -> Result<Rates, DeskError> {
        Ok(self.store().rates().await?)
    }

    /// The SSH client of this machine, in its own words.
    pub async fn ssh_client(&self) -> Option<String> {
        gpudesk_remote::find_client("ssh").await.map(|client| client.version)
    }
}

/// A source that is being fetched: one fetch at a time, and listeners are told when it begins and ends.
pub(crate) struct Busy {
    desk: Desk,
    source: &'static str,
    _turn: OwnedMutexGuard<()>,
}

impl Busy {
    /// Waits for the source's turn.
    pub async fn new(desk: &Desk, source: &'static str) -> Self {
        let turn = {
            let mut fetching = desk.0.fetching.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(&fetching.entry(source).or_default().turn)
        };
        let turn = turn.lock_owned().await;
        Self::count(desk, source, true);
        desk.tell_source(source);
        Self { desk: desk.clone(), source, _turn: turn }
    }

    fn count(desk: &Desk, source: &'static str, begins: bool) {
        let mut fetching = desk.0.fetching.lock().unwrap_or_else(PoisonError::into_inner);
        let under_way = &mut fetching.entry(source).or_default().under_way;
        *under_way = if begins { *under_way + 1 } else { under_way.saturating_sub(1) };
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        Self::count(&self.desk, self.source, false);
        self.desk.tell_source(self.source);
    }
}

impl Inner {
    pub(crate) fn next_board(&self) -> u32 {
        self.boards.fetch_add(1, Ordering::Relaxed) + 1
    }
}
