//! Stored offers, many at a time. The driver hands every row from its thread to ours, which costs more than reading
//! it; so SQLite joins the rows of a page into one.

use serde::Deserialize;
use sqlx::SqliteConnection;

/// Offers of one page: about 100 KiB of text.
const OFFERS: i64 = 256;

/// What is stored beside an offer's body.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Key {
    pub id: String,
    pub per_hour: Option<i64>,
    pub currency: Option<String>,
    pub priced_at: i64,
}

/// Stored offers in order of their ids, and their bodies in the same order.
pub(crate) struct Page {
    pub keys: Vec<Key>,
    bodies: String,
}

impl Page {
    /// The JSON texts of the offers: one a line, as JSON keeps a line break inside a text escaped.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &str> {
        self.bodies.lines()
    }
}

/// The first page of the offers of `feed` whose ids come after `after`; `None` behind the last one.
pub(crate) async fn next(
    connection: &mut SqliteConnection,
    feed: i64,
    after: &str,
) -> Result<Option<Page>, sqlx::Error> {
    // Both aggregates see the rows as the inner query yields them, which is in order of the key.
    let (keys, bodies) = sqlx::query_as::<_, (String, Option<String>)>(
        "SELECT json_group_array(json_array(id, per_hour, currency, priced_at)), group_concat(body, char(10))
         FROM (SELECT id, per_hour, currency, priced_at, body FROM offers
               WHERE feed = ?1 AND id > ?2 ORDER BY id LIMIT ?3)",
    )
    .bind(feed)
    .bind(after)
    .bind(OFFERS)
    .fetch_one(connection)
    .await?;
    let Some(bodies) = bodies else { return Ok(None) };
    let keys = serde_json::from_str(&keys).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Some(Page { keys, bodies }))
}
