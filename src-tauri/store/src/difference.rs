//! The new offers of a feed against the stored ones: what differs is written, what does not is not.

use futures::future::join;
use gpudesk_core::money::to_nanos;
use gpudesk_core::offer::Offer;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::history::end_prices;
use crate::page::{self, Key};
use crate::replace::Replaced;

/// Rows of one statement. More do not go faster.
const BATCH: usize = 200;

/// An offer on its way into the table.
struct Row<'a> {
    offer: &'a Offer,
    /// Nano-units and currency; `None` for a price that does not fit.
    price: Option<(i64, &'a str)>,
    priced_at: i64,
    body: String,
}

impl<'a> Row<'a> {
    fn new(offer: &'a Offer, priced_at: i64) -> Result<Self, sqlx::Error> {
        let body = serde_json::to_string(offer).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let price = to_nanos(offer.price.per_hour).map(|nanos| (nanos, offer.price.currency.code()));
        Ok(Self { offer, price, priced_at, body })
    }
}

/// For offers that are not there yet. After a refused row nothing is kept anyway: OR FAIL tells SQLite that it need
/// not journal the statement in order to undo it alone.
const INSERT: (&str, &str) = ("INSERT OR FAIL", "");
/// For offers that are there.
const UPDATE: (&str, &str) = (
    "INSERT",
    " ON CONFLICT (feed, id) DO UPDATE SET
        per_hour = excluded.per_hour, currency = excluded.currency,
        priced_at = excluded.priced_at, body = excluded.body",
);

/// One comparison inside a write transaction. Changes are collected and written in batches, so that neither list
/// stands in memory a second time.
pub(crate) struct Difference<'c, 'a> {
    connection: &'c mut SqliteConnection,
    feed: i64,
    /// When the new prices begin and the old ones end.
    at: i64,
    new: Vec<Row<'a>>,
    changed: Vec<Row<'a>>,
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
            new: Vec::new(),
            changed: Vec::new(),
            gone: Vec::new(),
            ended: Vec::new(),
            done: Replaced::default(),
        }
    }

    /// Makes the stored offers those of `offers`, which are in order of their ids. Walks both lists side by side.
    pub(crate) async fn write(mut self, mut offers: &[&'a Offer]) -> Result<Replaced, sqlx::Error> {
        let mut after = String::new();
        while let Some(page) = page::next(&mut *self.connection, self.feed, &after).await? {
            for (key, body) in page.keys.iter().zip(page.bodies()) {
                let (before, rest) = offers.split_at(offers.partition_point(|offer| offer.id < key.id));
                self.add(before).await?;
                offers = match rest.split_first() {
                    Some((offer, rest)) if offer.id == key.id => {
                        self.keep(key, body, offer).await?;
                        rest
                    }
                    _ => {
                        self.remove(key).await?;
                        rest
                    }
                };
            }
            let Some(last) = page.keys.into_iter().next_back() else { break };
            after = last.id;
        }
        self.add(offers).await?;
        self.write_new().await?;
        self.write_changed().await?;
        self.delete_gone().await?;
        self.end_prices().await?;
        self.done.rows_written += self.done.added + self.done.changed + self.done.removed;
        Ok(self.done)
    }

    /// New offers. A full batch is written while the next one is made ready: the database has its own thread.
    async fn add(&mut self, offers: &[&'a Offer]) -> Result<(), sqlx::Error> {
        self.done.added += offers.len() as u64;
        for offers in offers.chunks(BATCH) {
            let at = self.at;
            let full = if self.new.len() + offers.len() > BATCH {
                std::mem::take(&mut self.new)
            } else {
                Vec::new()
            };
            let written = write_rows(&mut *self.connection, self.feed, full, INSERT);
            let ready =
                async { offers.iter().map(|offer| Row::new(offer, at)).collect::<Result<Vec<_>, _>>() };
            // In this order: the first is on its way to the database before the second begins.
            let (written, ready) = join(written, ready).await;
            written?;
            self.new.extend(ready?);
        }
        Ok(())
    }

    async fn keep(&mut self, key: &Key, stored: &str, offer: &'a Offer) -> Result<(), sqlx::Error> {
        let mut row = Row::new(offer, key.priced_at)?;
        if row.body == stored {
            return Ok(());
        }
        self.done.changed += 1;
        if row.price != key.per_hour.zip(key.currency.as_deref()) {
            self.done.price_changes += 1;
            row.priced_at = self.at;
            self.end(key).await?;
        }
        self.changed.push(row);
        if self.changed.len() == BATCH { self.write_changed().await } else { Ok(()) }
    }

    async fn remove(&mut self, key: &Key) -> Result<(), sqlx::Error> {
        self.done.removed += 1;
        self.end(key).await?;
        self.gone.push(key.id.clone());
        if self.gone.len() == BATCH { self.delete_gone().await } else { Ok(()) }
    }

    async fn end(&mut self, key: &Key) -> Result<(), sqlx::Error> {
        self.ended.push(key.clone());
        if self.ended.len() == BATCH { self.end_prices().await } else { Ok(()) }
    }

    async fn write_new(&mut self) -> Result<(), sqlx::Error> {
        let rows = std::mem::take(&mut self.new);
        write_rows(&mut *self.connection, self.feed, rows, INSERT).await
    }

    async fn write_changed(&mut self) -> Result<(), sqlx::Error> {
        let rows = std::mem::take(&mut self.changed);
        write_rows(&mut *self.connection, self.feed, rows, UPDATE).await
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

async fn write_rows(
    connection: &mut SqliteConnection,
    feed: i64,
    rows: Vec<Row<'_>>,
    (verb, conflict): (&str, &str),
) -> Result<(), sqlx::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut insert = QueryBuilder::<Sqlite>::new(verb);
    insert.push(" INTO offers (feed, id, per_hour, currency, priced_at, body) ");
    insert.push_values(rows, |mut values, row| {
        let (per_hour, currency) = row.price.unzip();
        values
            .push_bind(feed)
            .push_bind(&row.offer.id)
            .push_bind(per_hour)
            .push_bind(currency)
            .push_bind(row.priced_at)
            .push_bind(row.body);
    });
    insert.push(conflict);
    insert.build().execute(connection).await?;
    Ok(())
}
