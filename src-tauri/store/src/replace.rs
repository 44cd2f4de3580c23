//! A refresh: what a feed answered against what is stored, in one transaction.

use chrono::{DateTime, Duration, Utc};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::offer::Offer;
use sqlx::SqliteConnection;

use crate::difference::Difference;
use crate::feeds::{StoredFeed, find_or_add};
use crate::time::to_ms;
use crate::{Store, StoreError, quarantine};

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
    /// is a change of history, also the first price of a new offer and the end of one that is gone.
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
        let feed = find_or_add(&mut transaction, &fetched.feed, answer.tried_at)
            .await
            .map_err(self.during(DOING))?;
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
    connection: &mut SqliteConnection,
    feed: i64,
    at: i64,
    offers: &[&Offer],
    answer: &Answer<'_>,
) -> Result<Replaced, sqlx::Error> {
    let fetched = answer.fetched;
    let mut done = Difference::new(&mut *connection, feed, at).write(offers).await?;
    let moved = done.rows_written > 0;
    done.rows_written += quarantine::replace(connection, feed, &fetched.quarantined).await?;
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
    .bind(moved.then_some(at))
    .execute(connection)
    .await?;
    Ok(done)
}

/// SQLite's integers are signed; no count of rows reaches the last bit.
fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
