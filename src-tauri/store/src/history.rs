//! Prices over time, as changes.

use chrono::{DateTime, Utc};
use futures::TryStreamExt;
use gpudesk_core::feed::FeedName;
use gpudesk_core::money::{Currency, from_nanos};
use rust_decimal::Decimal;
use sqlx::{FromRow, QueryBuilder, Sqlite, SqliteConnection};

use crate::page::Key;
use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

const TABLE: &str = "price_history";

/// Prices forgotten in one transaction.
const FORGOTTEN: i64 = 5000;

/// From a moment on the offer cost this, until the next point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePoint {
    /// When it began.
    pub at: DateTime<Utc>,
    /// The whole offer for an hour, in the provider's currency; `None`: the offer was gone.
    pub price: Option<(Decimal, Currency)>,
}

/// A point with the offer it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPoint {
    /// The feed the offer came by.
    pub feed: FeedName,
    /// The offer's id.
    pub offer: String,
    /// Moment and price.
    pub point: PricePoint,
}

/// Writes that the prices beside the stored offers `ended` hold no more from `until` on. Gives the number of rows
/// written: an offer whose price did not fit has nothing to end.
pub(crate) async fn end_prices(
    connection: &mut SqliteConnection,
    feed: i64,
    until: i64,
    ended: &[Key],
) -> Result<u64, sqlx::Error> {
    let prices: Vec<_> = ended
        .iter()
        .filter_map(|key| Some((&key.id, key.priced_at, key.per_hour?, key.currency.as_deref()?)))
        .collect();
    if prices.is_empty() {
        return Ok(0);
    }
    let mut insert = QueryBuilder::<Sqlite>::new(
        "INSERT INTO price_history (feed, offer, since, until, per_hour, currency) ",
    );
    insert.push_values(&prices, |mut row, (offer, since, per_hour, currency)| {
        row.push_bind(feed)
            .push_bind(*offer)
            .push_bind(since)
            .push_bind(until)
            .push_bind(per_hour)
            .push_bind(*currency);
    });
    insert.build().execute(connection).await?;
    Ok(prices.len() as u64)
}

/// A price and when it held: a row of `price_history`, or the present price with no end.
#[derive(FromRow)]
struct StoredPrice {
    feed: String,
    offer: String,
    since: i64,
    #[sqlx(default)]
    until: Option<i64>,
    per_hour: i64,
    currency: String,
}

/// A price that held once, and the one that holds now.
#[derive(FromRow)]
struct StoredMove {
    #[sqlx(flatten)]
    then: StoredPrice,
    priced_at: i64,
    present: i64,
}

/// Turns prices with their ends, by feed, offer and time, into points: one where each begins, and one without a
/// price where an end is not the beginning of the next.
#[derive(Default)]
struct Points {
    last: Option<StoredPrice>,
}

impl Points {
    /// Takes the next price; gives the points it leads to.
    fn push(&mut self, next: StoredPrice) -> Result<impl Iterator<Item = HistoryPoint>, StoreError> {
        let begin = point(&next, next.since, Some(price(&next)?))?;
        let joins = self.last.as_ref().is_some_and(|last| {
            last.until == Some(next.since) && last.offer == next.offer && last.feed == next.feed
        });
        let end = if joins { None } else { self.finish()? };
        self.last = Some(next);
        Ok(end.into_iter().chain([begin]))
    }

    /// The end of the last price, where it has one.
    fn finish(&mut self) -> Result<Option<HistoryPoint>, StoreError> {
        self.last.take().and_then(|last| Some(point(&last, last.until?, None))).transpose()
    }
}

fn point(row: &StoredPrice, at: i64, price: Option<(Decimal, Currency)>) -> Result<HistoryPoint, StoreError> {
    let at = from_ms(at, TABLE, &row.offer, "since or until")?;
    Ok(HistoryPoint {
        feed: FeedName(row.feed.clone()),
        offer: row.offer.clone(),
        point: PricePoint { at, price },
    })
}

fn price(row: &StoredPrice) -> Result<(Decimal, Currency), StoreError> {
    let currency = Currency::try_from(row.currency.clone()).map_err(|error| StoreError::BadRow {
        table: TABLE,
        key: row.offer.clone(),
        detail: format!("currency: {error}"),
    })?;
    Ok((from_nanos(row.per_hour), currency))
}

impl Store {
    /// The price history of the offer `id`, oldest first; by feed where several feeds know the id. Empty where it was
    /// never seen. Two neighbouring points of a feed always differ; the last one has no price where the offer is
    /// gone.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn offer_history(&self, id: &str) -> Result<Vec<HistoryPoint>, StoreError> {
        // CROSS JOIN keeps this order: one look into each key per feed instead of a walk over all rows.
        let rows = sqlx::query_as::<_, StoredPrice>(
            "SELECT feeds.name AS feed, h.offer, h.since, h.until, h.per_hour, h.currency
             FROM feeds CROSS JOIN price_history AS h ON h.feed = feeds.id AND h.offer = ?1
             UNION ALL
             SELECT feeds.name, o.id, o.priced_at, NULL, o.per_hour, o.currency
             FROM feeds CROSS JOIN offers AS o ON o.feed = feeds.id AND o.id = ?1
             WHERE o.per_hour IS NOT NULL
             ORDER BY 1, 3",
        )
        .bind(id)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read a price history"))?;
        let mut points = Points::default();
        let mut history = Vec::with_capacity(rows.len() + 1);
        for row in rows {
            history.extend(points.push(row)?);
        }
        history.extend(points.finish()?);
        Ok(history)
    }

    /// Deletes the prices that ended before `before`, a few at a time so that nobody waits long to write. Gives their
    /// number.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn forget_prices(&self, before: DateTime<Utc>) -> Result<u64, StoreError> {
        const DOING: &str = "forget old prices";
        let mut forgotten = 0;
        loop {
            let mut transaction = self.begin_write(DOING).await?;
            let done = sqlx::query(
                "DELETE FROM price_history WHERE (feed, offer, since) IN
                     (SELECT feed, offer, since FROM price_history WHERE until < ?1 LIMIT ?2)",
            )
            .bind(to_ms(before))
            .bind(FORGOTTEN)
            .execute(&mut *transaction)
            .await
            .map_err(self.during(DOING))?
            .rows_affected();
            transaction.commit().await.map_err(self.during(DOING))?;
            if done == 0 {
                return Ok(forgotten);
            }
            forgotten += done;
        }
    }

    /// Hands over two points of every offer whose price has changed at `since` or later: the price that held at
    /// `since` (the first one, where the offer is younger) and the present one, by feed and offer. Offers that are
    /// gone or are sold in another currency now do not appear; any other has had its present price for as long as
    /// it was seen since then. Gives the number of offers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn history_since(
        &self,
        since: DateTime<Utc>,
        mut on_point: impl FnMut(HistoryPoint),
    ) -> Result<u64, StoreError> {
        let fail = || self.during("read the price history");
        // Beside min(), SQLite takes the other columns from the row that holds the minimum.
        let mut rows = sqlx::query_as::<_, StoredMove>(
            "WITH opening AS (SELECT feed, offer, min(since) AS since, per_hour, currency
                              FROM price_history WHERE until >= ?1 GROUP BY feed, offer)
             SELECT feeds.name AS feed, h.offer, h.since, h.per_hour, h.currency,
                    o.priced_at, o.per_hour AS present
             FROM opening AS h
             JOIN offers AS o ON o.feed = h.feed AND o.id = h.offer AND o.currency = h.currency
             JOIN feeds ON feeds.id = h.feed
             WHERE o.per_hour IS NOT NULL
             ORDER BY 1, 2",
        )
        .bind(to_ms(since))
        .fetch(self.readers());
        let mut moved = 0;
        while let Some(row) = rows.try_next().await.map_err(fail())? {
            on_point(point(&row.then, row.then.since, Some(price(&row.then)?))?);
            let now = StoredPrice { since: row.priced_at, per_hour: row.present, ..row.then };
            on_point(point(&now, now.since, Some(price(&now)?))?);
            moved += 1;
        }
        Ok(moved)
    }
}
