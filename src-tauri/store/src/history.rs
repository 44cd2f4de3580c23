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

/// A price of an offer, and when it held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastPrice {
    /// The feed the offer came by.
    pub feed: FeedName,
    /// The offer's id.
    pub offer: String,
    /// When it was first seen at this price.
    pub since: DateTime<Utc>,
    /// When it was first seen at another price or not at all; `None`: it holds. If the next price begins later than
    /// this, the offer was gone in between.
    pub until: Option<DateTime<Utc>>,
    /// The whole offer for an hour.
    pub per_hour: Decimal,
    /// In the provider's currency.
    pub currency: Currency,
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

#[derive(FromRow)]
struct StoredPrice {
    feed: String,
    offer: String,
    since: i64,
    until: Option<i64>,
    per_hour: i64,
    currency: String,
}

impl TryFrom<StoredPrice> for PastPrice {
    type Error = StoreError;

    fn try_from(row: StoredPrice) -> Result<Self, StoreError> {
        const TABLE: &str = "price_history";
        let currency = row.currency.parse::<Currency>().map_err(|error| StoreError::BadRow {
            table: TABLE,
            key: row.offer.clone(),
            detail: format!("currency: {error}"),
        })?;
        Ok(Self {
            since: from_ms(row.since, TABLE, &row.offer, "since")?,
            until: row.until.map(|ms| from_ms(ms, TABLE, &row.offer, "until")).transpose()?,
            per_hour: from_nanos(row.per_hour),
            currency,
            feed: FeedName(row.feed),
            offer: row.offer,
        })
    }
}

impl Store {
    /// Every price the offer `id` was seen at, oldest first; by feed where several feeds know the id. Empty where it
    /// was never seen. Prices that follow each other without a gap differ.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn offer_history(&self, id: &str) -> Result<Vec<PastPrice>, StoreError> {
        // CROSS JOIN keeps this order: one look into each key per feed instead of a walk over all rows.
        sqlx::query_as::<_, StoredPrice>(
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
        .map_err(self.during("read a price history"))?
        .into_iter()
        .map(PastPrice::try_from)
        .collect()
    }

    /// Hands over all prices of every offer whose price changed or that went away after `since`, by feed, offer and
    /// time: those that held at `since` or later, the one that holds now included. An offer that does not appear has
    /// had its present price for as long as it was seen since then. Gives the number of prices.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn history_since(
        &self,
        since: DateTime<Utc>,
        mut on_price: impl FnMut(PastPrice),
    ) -> Result<u64, StoreError> {
        let fail = || self.during("read the price history");
        let mut rows = sqlx::query_as::<_, StoredPrice>(
            "WITH moved AS (SELECT * FROM price_history WHERE until > ?1)
             SELECT feeds.name AS feed, all_prices.offer, all_prices.since, until, per_hour, currency
             FROM (SELECT feed, offer, since, until, per_hour, currency FROM moved
                   UNION ALL
                   SELECT o.feed, o.id, o.priced_at, NULL, o.per_hour, o.currency
                   FROM (SELECT DISTINCT feed, offer FROM moved) AS m
                   JOIN offers AS o ON o.feed = m.feed AND o.id = m.offer
                   WHERE o.per_hour IS NOT NULL) AS all_prices
             JOIN feeds ON feeds.id = all_prices.feed
             ORDER BY 1, 2, 3",
        )
        .bind(to_ms(since))
        .fetch(self.readers());
        let mut prices = 0;
        while let Some(row) = rows.try_next().await.map_err(fail())? {
            on_price(PastPrice::try_from(row)?);
            prices += 1;
        }
        Ok(prices)
    }
}
