//! A refresh: ask sources in parallel, store each feed as it answers, swap the board.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, Utc};
use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_providers::catalogue::is_shipped_version;
use gpudesk_providers::{FeedAnswer, FeedOutcome, Fetch, OfferSource};
use gpudesk_store::Answer;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::desk::{Busy, Desk};
use crate::rates::RATES;
use crate::report::{Done, FeedReport};
use crate::{DeskError, Event};

/// How far an answer is believed that has less than is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It is probably broken.
    Careful,
    /// A person asked for it and wants to know what is there; a list that breaks off is still none.
    Asked,
    /// It is the person's own: whatever it says is meant.
    Own,
}

impl Desk {
    /// Fetches the named sources, or all; each feed is stored as soon as it answers, and the failure of one is only
    /// its own. Sources asked for by name may come back smaller than before: a person wants to know what is there.
    ///
    /// # Errors
    /// [`DeskError::UnknownSource`] before anything is fetched. What goes wrong with a feed is in its report.
    pub async fn refresh(&self, names: &[String]) -> Result<Vec<FeedReport>, DeskError> {
        let trust = if names.is_empty() { Trust::Careful } else { Trust::Asked };
        let reports = self.fetch(names, trust).await?;
        self.settle_board().await?;
        Ok(reports)
    }

    /// One source, because its time has come.
    pub(crate) async fn refresh_due(&self, name: &'static str) {
        let fetched = self.fetch(&[name.to_owned()], Trust::Careful).await;
        if let Err(error) = fetched {
            tracing::error!(source = name, "{}: {}", error.what(), error.detail());
        }
    }

    async fn fetch(&self, names: &[String], trust: Trust) -> Result<Vec<FeedReport>, DeskError> {
        let net = self.net_settings().await?;
        let config = self.config().sources(&net);
        let mut sources = self.all_sources(&config).await?;
        let known: Vec<&'static str> = sources.iter().map(|s| s.name()).chain([RATES]).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(DeskError::UnknownSource { name: name.clone(), known });
        }
        let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
        sources.retain(|source| wanted(source.name()));

        let mut tasks = JoinSet::new();
        if wanted(RATES) {
            let desk = self.clone();
            tasks.spawn(async move {
                let _busy = Busy::new(&desk, RATES).await;
                desk.refresh_rates(&config, trust).await
            });
        }
        for source in sources {
            let desk = self.clone();
            tasks.spawn(async move {
                let _busy = Busy::new(&desk, source.name()).await;
                desk.refresh_source(source.as_ref(), trust).await
            });
        }
        let mut reports = Vec::new();
        while let Some(task) = tasks.join_next().await {
            match task {
                Ok(done) => reports.extend(done),
                Err(error) => return Err(DeskError::Task(error.to_string())),
            }
        }
        reports.sort_by(|a, b| a.feed.cmp(&b.feed));
        Ok(reports)
    }

    async fn refresh_source(&self, source: &dyn OfferSource, trust: Trust) -> Vec<FeedReport> {
        let trust = if source.is_own() { Trust::Own } else { trust };
        let began = self.now();
        let whole = FeedName(source.name().to_owned());
        let prepared = async {
            let versions = self.store().feeds().await?.into_iter().filter(|feed| feed.offers > 0);
            // A list that shipped with the app has no version its source would know.
            let versions: BTreeMap<_, _> = versions
                .filter_map(|feed| feed.version.map(|version| (feed.name, version)))
                .filter(|(_, version)| !is_shipped_version(version))
                .collect();
            let key = self.key_of_source(source.name()).await;
            let http = self.http().await?.for_one_reading();
            Ok::<_, DeskError>((http, versions, self.store().rates().await?, key))
        };
        let (http, versions, rates, key) = match prepared.await {
            Ok(prepared) => prepared,
            Err(error) => return vec![self.failed(whole, 0.0, error).await],
        };
        if source.needs_key() && key.is_none() {
            let not_asked = |feed| FeedReport { feed, seconds: 0.0, result: Ok(Done::NoAccount) };
            return source.feeds().into_iter().map(not_asked).collect();
        }
        let now = || self.now();
        // The source hands over feeds while it still fetches others: storing must not hold it up.
        let (send, mut receive) = mpsc::unbounded_channel::<FeedOutcome>();
        let fetching = async move {
            let cx = Fetch { http: &http, now: &now, versions: &versions, rates: &rates, key: key.as_ref() };
            let mut out = |outcome| {
                // The receiver lives until the sender is dropped, so this cannot fail.
                let _ = send.send(outcome);
            };
            source.fetch(&cx, &mut out).await;
        };
        let storing = async {
            let mut reports = Vec::new();
            while let Some(outcome) = receive.recv().await {
                reports.push(self.take(outcome, began, trust).await);
            }
            reports
        };
        tokio::join!(fetching, storing).1
    }

    async fn take(&self, outcome: FeedOutcome, began: DateTime<Utc>, trust: Trust) -> FeedReport {
        let FeedOutcome { feed, seconds, result } = outcome;
        match result {
            Err(error) => self.failed(feed, seconds, error.into()).await,
            Ok(FeedAnswer::Unchanged { version }) => {
                match self.store().record_unchanged(&feed, self.now(), version.as_deref()).await {
                    Ok(()) => {
                        self.board_is_stale();
                        FeedReport { feed, seconds, result: Ok(Done::Unchanged) }
                    }
                    Err(error) => FeedReport { feed, seconds, result: Err(error.into()) },
                }
            }
            Ok(FeedAnswer::Fetched { fetched, version }) => {
                self.keep(&fetched, version.as_deref(), began, seconds, trust).await
            }
        }
    }

    /// Refuses a list that ends in the middle of a row, or of which most cannot be used, where it would replace a
    /// longer one: also where a person asked for it by name, who expects fewer offers and not a broken answer.
    async fn refuse_broken(&self, fetched: &Fetched) -> Result<(), DeskError> {
        let (offered, bad) = (fetched.offers.len() as u64, fetched.quarantined.len() as u64);
        let torn = torn_at(fetched);
        if torn.is_none() && bad <= offered {
            return Ok(());
        }
        let feeds = self.store().feeds().await?;
        let stored = feeds.iter().find(|feed| feed.name == fetched.feed).map_or(0, |feed| feed.offers);
        let feed = fetched.feed.clone();
        match (torn, fetched.quarantined.first()) {
            (Some(at), _) if offered < stored => {
                Err(DeskError::Torn { feed, at: at.to_owned(), offered, stored })
            }
            (_, Some(first)) if bad > offered && offered * 2 < stored => Err(DeskError::MostlyBad {
                feed,
                read: fetched.rows_read,
                bad,
                example: format!("{}: {}", first.origin, first.reason.detail),
                stored,
            }),
            _ => Ok(()),
        }
    }

    /// Stores one answer and tells that the board is stale.
    pub(crate) async fn keep(
        &self,
        fetched: &Fetched,
        version: Option<&str>,
        tried_at: DateTime<Utc>,
        seconds: f64,
        trust: Trust,
    ) -> FeedReport {
        let began = Instant::now();
        if trust != Trust::Own
            && let Err(error) = self.refuse_broken(fetched).await
        {
            return self.failed(fetched.feed.clone(), seconds, error).await;
        }
        let answer = Answer { fetched, version, tried_at, seconds, allow_shrink: trust != Trust::Careful };
        match self.store().replace(&answer).await {
            Ok(replaced) => {
                self.board_is_stale();
                let seconds = seconds + began.elapsed().as_secs_f64();
                FeedReport {
                    feed: fetched.feed.clone(),
                    seconds,
                    result: Ok(Done::stored(fetched, replaced)),
                }
            }
            Err(error) => self.failed(fetched.feed.clone(), seconds, error.into()).await,
        }
    }

    /// Writes down that a feed failed; its offers stay. What the database itself refuses cannot be written there.
    pub(crate) async fn failed(&self, feed: FeedName, seconds: f64, error: DeskError) -> FeedReport {
        tracing::warn!(feed = %feed, code = error.code(), "{}: {}", error.what(), error.detail());
        if error.is_of(&feed) {
            if let Err(second) = self.store().record_failure(&feed, self.now(), &error.failure()).await {
                tracing::error!(feed = %feed, "the failure could not be recorded: {second}");
            }
            self.board_is_stale();
        }
        FeedReport { feed, seconds, result: Err(error) }
    }

    pub(crate) fn tell_source(&self, source: &str) {
        self.tell(Event::SourceChanged { source: source.to_owned() });
    }
}

/// Where a list of lines breaks off: its last line, if that is the one that cannot be read.
fn torn_at(fetched: &Fetched) -> Option<&str> {
    let last = fetched.quarantined.iter().rev().find(|row| row.reason.code == ReasonCode::Unreadable)?;
    // The header is line 1.
    last.origin.ends_with(&format!(" line {}", fetched.rows_read + 1)).then_some(last.origin.as_str())
}
