//! Rows that are kept out of the table, each with its reason.

use std::collections::HashMap;

use futures::TryStreamExt;
use gpudesk_core::feed::{FeedName, Quarantined};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::{Store, StoreError};

/// Rows of one INSERT.
const INSERTED: usize = 200;

/// A part of the list of quarantined rows.
#[derive(Debug, Clone, PartialEq)]
pub struct QuarantinePage {
    /// All rows, also those outside this part.
    pub total: u64,
    /// The rows with their feeds.
    pub rows: Vec<(FeedName, Quarantined)>,
}

/// Makes the stored rows of `feed` those of `rows`; what is already there is not written again. Gives the number of
/// rows written and deleted.
pub(crate) async fn replace(
    connection: &mut SqliteConnection,
    feed: i64,
    rows: &[Quarantined],
) -> Result<u64, sqlx::Error> {
    // Rows have no key of their own, and the same one may stand twice: counted by their text.
    let mut stored: HashMap<String, Vec<i64>> = HashMap::new();
    {
        let mut known = sqlx::query_as::<_, (i64, String)>("SELECT id, body FROM quarantine WHERE feed = ?1")
            .bind(feed)
            .fetch(&mut *connection);
        while let Some((id, body)) = known.try_next().await? {
            stored.entry(body).or_default().push(id);
        }
    }
    let mut new = Vec::new();
    for row in rows {
        let body = serde_json::to_string(row).map_err(|error| sqlx::Error::Encode(error.into()))?;
        if stored.get_mut(&body).and_then(Vec::pop).is_none() {
            new.push(body);
        }
    }
    let gone: Vec<i64> = stored.into_values().flatten().collect();
    let written = (new.len() + gone.len()) as u64;
    if !gone.is_empty() {
        let gone = serde_json::to_string(&gone).map_err(|error| sqlx::Error::Encode(error.into()))?;
        sqlx::query("DELETE FROM quarantine WHERE id IN (SELECT value FROM json_each(?1))")
            .bind(gone)
            .execute(&mut *connection)
            .await?;
    }
    for batch in new.chunks(INSERTED) {
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO quarantine (feed, body) ");
        insert.push_values(batch, |mut row, body| {
            row.push_bind(feed).push_bind(body);
        });
        insert.build().execute(&mut *connection).await?;
    }
    Ok(written)
}

fn parse(id: i64, body: &str) -> Result<Quarantined, StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::BadRow {
        table: "quarantine",
        key: id.to_string(),
        detail: format!("body: {error}"),
    })
}

impl Store {
    /// All quarantined rows, by feed, in the order they were found.
    ///
    /// # Errors
    /// When the database or a row cannot be read.
    pub async fn load_quarantine(
        &self,
        mut on_row: impl FnMut(&FeedName, Quarantined),
    ) -> Result<u64, StoreError> {
        let mut rows = sqlx::query_as::<_, (i64, String, String)>(
            "SELECT q.id, feeds.name, q.body FROM quarantine AS q JOIN feeds ON feeds.id = q.feed
             ORDER BY feeds.name, q.id",
        )
        .fetch(self.readers());
        let mut count = 0;
        while let Some((id, feed, body)) =
            rows.try_next().await.map_err(self.during("read the quarantine"))?
        {
            on_row(&FeedName(feed), parse(id, &body)?);
            count += 1;
        }
        Ok(count)
    }

    /// A part of the quarantined rows of one feed or of all, by feed, in the order they were found.
    ///
    /// # Errors
    /// When the database or a row cannot be read.
    pub async fn quarantine_page(
        &self,
        feed: Option<&FeedName>,
        offset: u32,
        limit: u32,
    ) -> Result<QuarantinePage, StoreError> {
        const DOING: &str = "list the quarantine";
        let name = feed.map(|feed| feed.0.as_str());
        let mut snapshot = self.readers().begin().await.map_err(self.during(DOING))?;
        let total: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM quarantine AS q JOIN feeds ON feeds.id = q.feed
             WHERE ?1 IS NULL OR feeds.name = ?1",
        )
        .bind(name)
        .fetch_one(&mut *snapshot)
        .await
        .map_err(self.during(DOING))?;
        let rows = sqlx::query_as::<_, (i64, String, String)>(
            "SELECT q.id, feeds.name, q.body FROM quarantine AS q JOIN feeds ON feeds.id = q.feed
             WHERE ?1 IS NULL OR feeds.name = ?1
             ORDER BY feeds.name, q.id LIMIT ?2 OFFSET ?3",
        )
        .bind(name)
        .bind(limit)
        .bind(offset)
        .fetch_all(&mut *snapshot)
        .await
        .map_err(self.during(DOING))?
        .into_iter()
        .map(|(id, feed, body)| Ok((FeedName(feed), parse(id, &body)?)))
        .collect::<Result<_, StoreError>>()?;
        Ok(QuarantinePage { total: u64::try_from(total).unwrap_or(0), rows })
    }
}
