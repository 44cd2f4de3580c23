//! Prices over time, as changes.

use chrono::{DateTime, Utc};
use futures::TryStreamExt;
use gpudesk_core::feed::FeedName;
use gpudesk_core::money::{Currency, from_nanos};
use rust_decimal::Decimal;
use sqlx::{FromRow, QueryBuilder, Sqlite, Transaction};

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

/// Rows of one INSERT.
const INSERTED: usize = 200;

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

/// A price as the database holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nanos<'a> {
    pub per_hour: i64,
    pub currency: &'a str,
}

struct NewPoint {
    offer: String,
    price: Option<(i64, String)>,
}

/// Collects the points of one answer, all of one moment, and writes them in batches.
pub(crate) struct PointWriter {
    feed: i64,
    at: i64,
    waiting: Vec<NewPoint>,
    written: u64,
}

impl PointWriter {
    pub(crate) fn new(feed: i64, at: i64) -> Self {
        Self { feed, at, waiting: Vec::with_capacity(INSERTED), written: 0 }
    }

    /// Notes a point where the price differs from the one before it; tells whether it does.
    pub(crate) async fn changed(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
        offer: &str,
        before: Option<Nanos<'_>>,
        now: Option<Nanos<'_>>,
    ) -> Result<bool, sqlx::Error> {
        if before == now {
            return Ok(false);
        }
        self.waiting.push(NewPoint {
            offer: offer.to_owned(),
            price: now.map(|price| (price.per_hour, price.currency.to_owned())),
        });
        if self.waiting.len() >= INSERTED {
            self.write(transaction).await?;
        }
        Ok(true)
    }

    /// Writes what is left; gives the number of all points written.
    pub(crate) async fn finish(
        &mut self,
        transaction: &mut Transaction<'_, Sqlite>,
    ) -> Result<u64, sqlx::Error> {
        self.write(transaction).await?;
        Ok(self.written)
    }

    async fn write(&mut self, transaction: &mut Transaction<'_, Sqlite>) -> Result<(), sqlx::Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let (feed, at) = (self.feed, self.at);
        self.written += self.waiting.len() as u64;
        let mut insert =
            QueryBuilder::<Sqlite>::new("INSERT INTO price_points (feed, offer, at, per_hour, currency) ");
        insert.push_values(self.waiting.drain(..), |mut row, point| {
            let (per_hour, currency) = point.price.unzip();
            row.push_bind(feed)
                .push_bind(point.offer)
                .push_bind(at)
                .push_bind(per_hour)
                .push_bind(currency);
        });
        insert.build().execute(&mut **transaction).await?;
        Ok(())
    }
}

#[derive(FromRow)]
struct StoredPoint {
    feed: String,
    offer: String,
    at: i64,
    per_hour: Option<i64>,
    currency: Option<String>,
}

impl TryFrom<StoredPoint> for HistoryPoint {
    type Error = StoreError;

    fn try_from(row: StoredPoint) -> Result<Self, StoreError> {
        let at = from_ms(row.at, "price_points", &row.offer, "at")?;
        let price = row
            .per_hour
            .zip(row.currency)
            .map(|(nanos, currency)| match currency.parse::<Currency>() {
                Ok(currency) => Ok((from_nanos(nanos), currency)),
                Err(error) => Err(StoreError::BadRow {
                    table: "price_points",
                    key: row.offer.clone(),
                    detail: format!("currency: {error}"),
                }),
            })
            .transpose()?;
        Ok(Self { feed: FeedName(row.feed), offer: row.offer, point: PricePoint { at, price } })
    }
}

impl Store {
    /// The price history of the offer `id`, oldest first; by feed where several feeds know the id. Empty where it was
    /// never seen. Two neighbouring points of a feed always differ.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn offer_history(&self, id: &str) -> Result<Vec<HistoryPoint>, StoreError> {
        // CROSS JOIN keeps this order: one look into the key per feed instead of a walk over all points.
        sqlx::query_as::<_, StoredPoint>(
            "SELECT feeds.name AS feed, p.offer, p.at, p.per_hour, p.currency
             FROM feeds CROSS JOIN price_points AS p ON p.feed = feeds.id
             WHERE p.offer = ?1
             ORDER BY feeds.name, p.at",
        )
        .bind(id)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read a price history"))?
        .into_iter()
        .map(HistoryPoint::try_from)
        .collect()
    }

    /// Every point from `since` on, by feed, offer and moment, each offer opened by the last point before `since` where
    /// there is one: its price at that moment. An offer that did not change since then does not appear: its price
    /// then is its price now. Gives the number of points.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn history_since(
        &self,
        since: DateTime<Utc>,
        mut on_point: impl FnMut(HistoryPoint),
    ) -> Result<u64, StoreError> {
        let fail = || self.during("read the price history");
        let mut rows = sqlx::query_as::<_, StoredPoint>(
            "SELECT feeds.name AS feed, p.offer, p.at, p.per_hour, p.currency
             FROM price_points AS p JOIN feeds ON feeds.id = p.feed
             WHERE p.at >= coalesce(
                       (SELECT max(b.at) FROM price_points AS b
                        WHERE b.feed = p.feed AND b.offer = p.offer AND b.at < ?1), ?1)
               AND EXISTS (SELECT 1 FROM price_points AS n
                           WHERE n.feed = p.feed AND n.offer = p.offer AND n.at >= ?1)
             ORDER BY p.feed, p.offer, p.at",
        )
        .bind(to_ms(since))
        .fetch(self.readers());
        let mut points = 0;
        while let Some(row) = rows.try_next().await.map_err(fail())? {
            on_point(HistoryPoint::try_from(row)?);
            points += 1;
        }
        Ok(points)
    }
}
