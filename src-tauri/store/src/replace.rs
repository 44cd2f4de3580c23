//! A refresh: what a feed answered against what is stored, in one transaction.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::slice::Iter;

use chrono::{DateTime, Duration, Utc};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::to_nanos;
use gpudesk_core::offer::Offer;
use sqlx::{FromRow, QueryBuilder, Sqlite, Transaction};

use crate::feeds::{StoredFeed, find_or_add};
use crate::history::{Nanos, PointWriter};
use crate::time::to_ms;
use crate::{Store, StoreError, quarantine};

/// Stored rows compared at a time.
const COMPARED: i64 = 2_000;
/// Rows of one INSERT. Five values each; more rows do not go faster.
const INSERTED: usize = 200;
/// A feed with more offers than this may not shrink to less than a fifth of itself unasked. Small feeds may:
/// a cloud with a dozen machines sells out.
const SMALL_FEED: u64 = 50;
/// An answer that was fetched earlier than the stored one is dropped: another process was faster. If the difference
/// is larger than any fetch takes, the clock was set back, and the answer counts.
const LONGEST_FETCH: Duration = Duration::hours(1);

const DOING: &str = "store the answer of a feed";

/// What one fetch brought, and the circumstances.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The offers, the rows kept out and the counts.
    pub fetched: &'a Fetched,
    /// What to send next time so that the source can say "unchanged"; `None` forgets the stored one.
    pub version: Option<&'a str>,
    /// When the fetch began.
    pub tried_at: DateTime<Utc>,
    /// How long it took.
    pub seconds: f64,
    /// Whether an answer that is empty or has lost most of its offers is accepted: only when a person asked for it.
    pub allow_shrink: bool,
}

/// What [`Store::replace`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Offers that are new.
    pub added: u64,
    /// Offers that are gone.
    pub removed: u64,
    /// Offers that stayed and differ in anything.
    pub changed: u64,
    /// Offers that stayed and whose price or currency differs.
    pub price_changes: u64,
    /// Rows inserted, updated or deleted, those of the quarantine and the history included; the feed's own row is
    /// not counted. 0 when nothing changed.
    pub rows_written: u64,
    /// Another process stored a later answer in the meantime: this one was dropped, nothing was written.
    pub superseded: bool,
}

impl Store {
    /// Replaces the offers and quarantined rows of one feed by those of an answer, in one transaction: after a
    /// crash, a full disk or any error the old ones stand. Only differences are written; each difference in price
    /// becomes a point of history, also the first price of a new offer and the end of one that is gone.
    ///
    /// # Errors
    /// - [`StoreError::SuspiciousAnswer`] unless `allow_shrink`: no offers where some are stored, or less than a
    ///   fifth of more than 50. Sources answer so when they are broken; the stored offers are kept. The caller
    ///   records it with [`Store::record_failure`], as any other failed try.
    /// - [`StoreError::DuplicateOffer`]: an id stands twice in the answer.
    /// - The database cannot be written.
    pub async fn replace(&self, answer: &Answer<'_>) -> Result<Replaced, StoreError> {
        let fetched = answer.fetched;
        let offers = sorted(fetched)?;
        let mut transaction = self.begin_write(DOING).await?;
        let feed =
            find_or_add(&mut transaction, &fetched.feed, answer.tried_at).await.map_err(self.during(DOING))?;
        if is_superseded(&feed, answer.tried_at) {
            return Ok(Replaced { superseded: true, ..Replaced::default() });
        }
        if !answer.allow_shrink {
            refuse_suspicious(&fetched.feed, feed.offers, offers.len())?;
        }
        let at = history_moment(&feed, fetched.as_of);
        let done = write(&mut transaction, feed.id, at, &offers, answer).await.map_err(self.during(DOING))?;
        transaction.commit().await.map_err(self.during(DOING))?;
        Ok(done)
    }
}

/// The offers by id, as the database has them. Refuses an answer that holds an id twice.
fn sorted(fetched: &Fetched) -> Result<Vec<&Offer>, StoreError> {
    let mut offers: Vec<&Offer> = fetched.offers.iter().collect();
    offers.sort_unstable_by(|a, b| a.id.cmp(&b.id));
    let twice = offers.windows(2).find_map(|pair| match pair {
        [a, b] if a.id == b.id => Some(a.id.clone()),
        _ => None,
    });
    match twice {
        Some(id) => Err(StoreError::DuplicateOffer { feed: fetched.feed.clone(), id }),
        None => Ok(offers),
    }
}

fn is_superseded(feed: &StoredFeed, tried_at: DateTime<Utc>) -> bool {
    let later_by = feed.succeeded_at.map_or(0, |stored| stored - to_ms(tried_at));
    later_by > 0 && later_by <= LONGEST_FETCH.num_milliseconds()
}

fn refuse_suspicious(feed: &FeedName, stored: i64, offered: usize) -> Result<(), StoreError> {
    let (stored, offered) = (u64::try_from(stored).unwrap_or(0), offered as u64);
    let emptied = offered == 0 && stored > 0;
    let collapsed = stored > SMALL_FEED && offered * 5 < stored;
    if emptied || collapsed {
        return Err(StoreError::SuspiciousAnswer { feed: feed.clone(), stored, offered });
    }
    Ok(())
}

/// When the prices of this answer begin. Later than any point the feed has, even if the source's own date or a clock
/// went back: a history is read in order.
fn history_moment(feed: &StoredFeed, as_of: DateTime<Utc>) -> i64 {
    feed.history_at.map_or(to_ms(as_of), |newest| to_ms(as_of).max(newest.saturating_add(1)))
}

async fn write(
    transaction: &mut Transaction<'_, Sqlite>,
    feed: i64,
    at: i64,
    offers: &[&Offer],
    answer: &Answer<'_>,
) -> Result<Replaced, sqlx::Error> {
    let fetched = answer.fetched;
    let mut difference = Difference::new(feed, at);
    difference.compare(transaction, offers).await?;
    difference.flush(transaction).await?;
    let points = difference.points.finish(transaction).await?;
    let mut done = difference.done;
    let quarantine_rows = quarantine::replace(transaction, feed, &fetched.quarantined).await?;
    done.rows_written = done.added + done.removed + done.changed + points + quarantine_rows;
    let notes = serde_json::to_string(&fetched.notes).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query(
        "UPDATE feeds SET
             origin = ?2, as_of = ?3, version = ?4, tried_at = max(tried_at, ?5), succeeded_at = ?5, seconds = ?6,
             failing_since = NULL, error = NULL, offers = ?7, rows_read = ?8, rows_used = ?9, rows_not_gpu = ?10,
             quarantined = ?11, price_changes = ?12, notes = ?13, history_at = coalesce(?14, history_at)
         WHERE id = ?1",
    )
    .bind(feed)
    .bind(&fetched.origin)
    .bind(to_ms(fetched.as_of))
    .bind(answer.version)
    .bind(to_ms(answer.tried_at))
    .bind(answer.seconds)
    .bind(count(offers.len() as u64))
    .bind(count(fetched.rows_read))
    .bind(count(fetched.rows_used))
    .bind(count(fetched.rows_not_gpu))
    .bind(count(fetched.quarantined.len() as u64))
    .bind(count(done.price_changes))
    .bind(notes)
    .bind((points > 0).then_some(at))
    .execute(&mut **transaction)
    .await?;
    Ok(done)
}

/// SQLite's integers are signed; no count of rows reaches the last bit.
fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

#[derive(FromRow)]
struct StoredOffer {
    id: String,
    per_hour: Option<i64>,
    currency: Option<String>,
    body: String,
}

impl StoredOffer {
    fn price(&self) -> Option<Nanos<'_>> {
        Some(Nanos { per_hour: self.per_hour?, currency: self.currency.as_deref()? })
    }
}

fn price_of(offer: &Offer) -> Option<Nanos<'_>> {
    to_nanos(offer.price.per_hour)
        .map(|per_hour| Nanos { per_hour, currency: offer.price.currency.code() })
}

/// An offer on its way into the table.
struct Put<'a> {
    offer: &'a Offer,
    body: String,
}

/// Collects what differs and writes it in batches, so that neither the old nor the new list stands in memory twice.
struct Difference<'a> {
    feed: i64,
    puts: Vec<Put<'a>>,
    gone: Vec<String>,
    points: PointWriter,
    done: Replaced,
}

impl<'a> Difference<'a> {
    fn new(feed: i64, at: i64) -> Self {
        Self {
            feed,
            puts: Vec::with_capacity(INSERTED),
            gone: Vec::new(),
            points: PointWriter::new(feed, at),
            done: Replaced::default(),
        }
    }

    /// Walks the stored offers and `offers` side by side, both in order of their ids.
    async fn compare(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        offers: &[&'a Offer],
    ) -> Result<(), sqlx::Error> {
        let mut offers = offers.iter().peekable();
        let mut after = String::new();
        loop {
            let stored: Vec<StoredOffer> = sqlx::query_as(
                "SELECT id, per_hour, currency, body FROM offers WHERE feed = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
            )
            .bind(self.feed)
            .bind(&after)
            .bind(COMPARED)
            .fetch_all(&mut **transaction)
            .await?;
            for row in &stored {
                self.settle(transaction, row, &mut offers).await?;
            }
            match stored.into_iter().next_back() {
                Some(last) => after = last.id,
                None => break,
            }
        }
        for offer in offers {
            self.add(transaction, offer).await?;
        }
        Ok(())
    }

    /// Decides about one stored offer and about the new ones that come before it.
    async fn settle(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        stored: &StoredOffer,
        offers: &mut Peekable<Iter<'_, &'a Offer>>,
    ) -> Result<(), sqlx::Error> {
        while let Some(offer) = offers.peek().copied() {
            match offer.id.as_str().cmp(&stored.id) {
                Ordering::Less => {
                    self.add(transaction, offer).await?;
                    offers.next();
                }
                Ordering::Equal => {
                    self.keep(transaction, stored, offer).await?;
                    offers.next();
                    return Ok(());
                }
                Ordering::Greater => break,
            }
        }
        self.remove(transaction, stored).await
    }

    async fn add(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        offer: &'a Offer,
    ) -> Result<(), sqlx::Error> {
        self.done.added += 1;
        self.points.changed(transaction, &offer.id, None, price_of(offer)).await?;
        self.put(transaction, offer, to_body(offer)?).await
    }

    async fn keep(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        stored: &StoredOffer,
        offer: &'a Offer,
    ) -> Result<(), sqlx::Error> {
        let body = to_body(offer)?;
        if body == stored.body {
            return Ok(());
        }
        self.done.changed += 1;
        if self.points.changed(transaction, &offer.id, stored.price(), price_of(offer)).await? {
            self.done.price_changes += 1;
        }
        self.put(transaction, offer, body).await
    }

    async fn remove(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        stored: &StoredOffer,
    ) -> Result<(), sqlx::Error> {
        self.done.removed += 1;
        self.points.changed(transaction, &stored.id, stored.price(), None).await?;
        self.gone.push(stored.id.clone());
        Ok(())
    }

    async fn put(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        offer: &'a Offer,
        body: String,
    ) -> Result<(), sqlx::Error> {
        self.puts.push(Put { offer, body });
        if self.puts.len() >= INSERTED { self.write_puts(transaction).await } else { Ok(()) }
    }

    async fn write_puts(&mut self, transaction: &mut Transaction<'_, Sqlite>) -> Result<(), sqlx::Error> {
        if self.puts.is_empty() {
            return Ok(());
        }
        let feed = self.feed;
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO offers (feed, id, per_hour, currency, body) ");
        insert.push_values(self.puts.drain(..), |mut row, put| {
            let price = price_of(put.offer);
            row.push_bind(feed)
                .push_bind(put.offer.id.clone())
                .push_bind(price.map(|price| price.per_hour))
                .push_bind(price.map(|price| price.currency.to_owned()))
                .push_bind(put.body);
        });
        insert.push(
            " ON CONFLICT (feed, id) DO UPDATE SET
                per_hour = excluded.per_hour, currency = excluded.currency, body = excluded.body",
        );
        insert.build().execute(&mut **transaction).await?;
        Ok(())
    }

    /// Writes what is still collected.
    async fn flush(&mut self, transaction: &mut Transaction<'_, Sqlite>) -> Result<(), sqlx::Error> {
        self.write_puts(transaction).await?;
        if !self.gone.is_empty() {
            let gone = serde_json::to_string(&self.gone).map_err(|error| sqlx::Error::Encode(error.into()))?;
            sqlx::query("DELETE FROM offers WHERE feed = ?1 AND id IN (SELECT value FROM json_each(?2))")
                .bind(self.feed)
                .bind(gone)
                .execute(&mut **transaction)
                .await?;
        }
        Ok(())
    }
}

fn to_body(offer: &Offer) -> Result<String, sqlx::Error> {
    serde_json::to_string(offer).map_err(|error| sqlx::Error::Encode(error.into()))
}
