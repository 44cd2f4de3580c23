//! The market of each day by GPU: what the 30-day lines are drawn from.

use chrono::NaiveDate;
use sqlx::{FromRow, QueryBuilder, Sqlite};

use crate::{Store, StoreError};

/// Rows of one INSERT.
const INSERTED: usize = 200;

/// What one GPU cost on one day. Prices are nano-USD of one card-hour.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ModelDay {
    /// Name of the GPU, as the board groups by it.
    pub gpu: String,
    /// The day, in UTC.
    pub day: NaiveDate,
    /// The lowest price.
    pub lowest: i64,
    /// The median price.
    pub median: i64,
    /// Offers it was taken from.
    pub offers: u32,
}

impl Store {
    /// Stores days; a GPU and day that is already there is overwritten: the last look of a day stands.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_model_days(&self, days: &[ModelDay]) -> Result<(), StoreError> {
        const DOING: &str = "store the market of a day";
        let mut transaction = self.begin_write(DOING).await?;
        for batch in days.chunks(INSERTED) {
            let mut insert =
                QueryBuilder::<Sqlite>::new("INSERT INTO model_days (gpu, day, lowest, median, offers) ");
            insert.push_values(batch, |mut row, day| {
                row.push_bind(&day.gpu)
                    .push_bind(day.day)
                    .push_bind(day.lowest)
                    .push_bind(day.median)
                    .push_bind(day.offers);
            });
            insert.push(
                " ON CONFLICT (gpu, day) DO UPDATE SET
                    lowest = excluded.lowest, median = excluded.median, offers = excluded.offers",
            );
            insert.build().execute(&mut *transaction).await.map_err(self.during(DOING))?;
        }
        transaction.commit().await.map_err(self.during(DOING))
    }

    /// All days from `since` on, by GPU and day. A day on which nobody looked is missing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn model_days(&self, since: NaiveDate) -> Result<Vec<ModelDay>, StoreError> {
        sqlx::query_as(
            "SELECT gpu, day, lowest, median, offers FROM model_days WHERE day >= ?1 ORDER BY gpu, day",
        )
        .bind(since)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read the market of past days"))
    }
}
