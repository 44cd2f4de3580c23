//! The new offers of a feed against the stored ones: what differs is written, what does not is not.

use gpudesk_core::money::to_nanos;
use gpudesk_core::offer::Offer;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::history::end_prices;
use crate::page::{self, Key};
use crate::replace::Replaced;

/// Rows of one statement. More do not go faster.
const BATCH: usize = 200;

/// A row on its way into the table.
struct Row<'a> {
    offer: &'a Offer,
    price: Option<(i64, &'a str)>,
    priced_at: i64,
    body: String,
}

/// One comparison inside a write transaction. Changes are collected and written in batches, so that neither list
/// stands in memory a second time.
pub(crate) struct Difference<'c, 'a> {
    connection: &'c mut SqliteConnection,
    feed: i64,
    /// When the new prices begin and the old ones end.
    at: i64,
    rows: Vec<Row<'a>>,
    gone: Vec<String>,
    ended: Vec<Key>,
    done: Replaced,
}

impl<'c, 'a> Difference<'c, 'a> {
    pub(crate) fn new(connection: &'c mut SqliteConnection, feed: i64, at: i64) -> Self {
        Self {
            connection,
            feed,
            at,
            rows: Vec::with_capacity(BATCH),
            gone: Vec::new(),
            ended: Vec::new(),
            done: Replaced::default(),
        }
    }

    /// Makes the stored offers those of `offers`, which are in order of their ids. Walks both lists side by side.
    pub(crate) async fn write(mut self, offers: &[&'a Offer]) -> Result<Replaced, sqlx::Error> {
        let mut offers = offers.iter().peekable();
        let mut after = String::new();
        while let Some(page) = page::next(&mut *self.connection, self.feed, &after).await? {
            for (key, body) in page.keys.iter().zip(page.bodies()) {
                while let Some(offer) = offers.next_if(|offer| offer.id < key.id) {
                    self.add(offer).await?;
                }
                match offers.next_if(|offer| offer.id == key.id) {
                    Some(offer) => self.keep(key, body, offer).await?,
                    None => self.remove(key).await?,
                }
            }
            let Some(last) = page.keys.into_iter().next_back() else { break };
            after = last.id;
        }
        for offer in offers {
            self.add(offer).await?;
        }
        self.write_rows().await?;
        self.delete_gone().await?;
        self.end_prices().await?;
        self.done.rows_written += self.done.added + self.done.changed + self.done.removed;
        Ok(self.done)
    }

    async fn add(&mut self, offer: &'a Offer) -> Result<(), sqlx::Error> {
        self.done.added += 1;
        let row = Row { offer, price: price_of(offer), priced_at: self.at, body: to_body(offer)? };
        self.put(row).await
    }

    async fn keep(&mut self, key: &Key, stored: &str, offer: &'a Offer) -> Result<(), sqlx::Error> {
        let body = to_body(offer)?;
        if body == stored {
            return Ok(());
        }
        self.done.changed += 1;
        let price = price_of(offer);
        let mut priced_at = key.priced_at;
        if price != key.per_hour.zip(key.currency.as_deref()) {
            self.done.price_changes += 1;
            self.end(key).await?;
            priced_at = self.at;
        }
        self.put(Row { offer, price, priced_at, body }).await
    }

    async fn remove(&mut self, key: &Key) -> Result<(), sqlx::Error> {
        self.done.removed += 1;
        self.end(key).await?;
        self.gone.push(key.id.clone());
        if self.gone.len() == BATCH { self.delete_gone().await } else { Ok(()) }
    }

    async fn put(&mut self, row: Row<'a>) -> Result<(), sqlx::Error> {
        self.rows.push(row);
        if self.rows.len() == BATCH { self.write_rows().await } else { Ok(()) }
    }

    async fn end(&mut self, key: &Key) -> Result<(), sqlx::Error> {
        self.ended.push(key.clone());
        if self.ended.len() == BATCH { self.end_prices().await } else { Ok(()) }
    }

    async fn write_rows(&mut self) -> Result<(), sqlx::Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let feed = self.feed;
        let mut insert = QueryBuilder::<Sqlite>::new(
            "INSERT INTO offers (feed, id, per_hour, currency, priced_at, body) ",
        );
        insert.push_values(self.rows.drain(..), |mut values, row| {
            let (per_hour, currency) = row.price.unzip();
            values
                .push_bind(feed)
                .push_bind(&row.offer.id)
                .push_bind(per_hour)
                .push_bind(currency)
                .push_bind(row.priced_at)
                .push_bind(row.body);
        });
        insert.push(
            " ON CONFLICT (feed, id) DO UPDATE SET
                per_hour = excluded.per_hour, currency = excluded.currency,
                priced_at = excluded.priced_at, body = excluded.body",
        );
        insert.build().execute(&mut *self.connection).await?;
        Ok(())
    }

    async fn delete_gone(&mut self) -> Result<(), sqlx::Error> {
        if self.gone.is_empty() {
            return Ok(());
        }
        let gone = serde_json::to_string(&self.gone).map_err(|error| sqlx::Error::Encode(error.into()))?;
        self.gone.clear();
        sqlx::query("DELETE FROM offers WHERE feed = ?1 AND id IN (SELECT value FROM json_each(?2))")
            .bind(self.feed)
            .bind(gone)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn end_prices(&mut self) -> Result<(), sqlx::Error> {
        self.done.rows_written += end_prices(self.connection, self.feed, self.at, &self.ended).await?;
        self.ended.clear();
        Ok(())
    }
}

fn price_of(offer: &Offer) -> Option<(i64, &str)> {
    Some((to_nanos(offer.price.per_hour)?, offer.price.currency.code()))
}

fn to_body(offer: &Offer) -> Result<String, sqlx::Error> {
    serde_json::to_string(offer).map_err(|error| sqlx::Error::Encode(error.into()))
}
