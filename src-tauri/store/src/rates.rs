//! Exchange rates by bank and day.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use gpudesk_core::money::{RateHistory, RateSheet, RateSource, Rates};
use sqlx::FromRow;

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

#[derive(FromRow)]
struct StoredSheet {
    source: String,
    day: NaiveDate,
    base: String,
    fetched_at: i64,
    per_unit: String,
}

impl TryFrom<StoredSheet> for RateSheet {
    type Error = StoreError;

    fn try_from(row: StoredSheet) -> Result<Self, StoreError> {
        let key = format!("{} {}", row.source, row.day);
        let bad = |detail: String| StoreError::BadRow { table: "rates", key: key.clone(), detail };
        let source = [RateSource::Ecb, RateSource::Cbr]
            .into_iter()
            .find(|source| source.name() == row.source)
            .ok_or_else(|| bad(format!("source: no bank `{}`", row.source)))?;
        let per_unit: BTreeMap<_, _> =
            serde_json::from_str(&row.per_unit).map_err(|error| bad(format!("per_unit: {error}")))?;
        Ok(Self {
            source,
            base: row.base.parse().map_err(|error| bad(format!("base: {error}")))?,
            date: row.day,
            fetched_at: from_ms(row.fetched_at, "rates", &key, "fetched_at")?,
            per_unit,
        })
    }
}

impl Store {
    /// Stores the rates of one bank and day; a later sheet of the same day (a correction) overwrites it, an earlier
    /// one does not.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_rates(&self, sheet: &RateSheet) -> Result<(), StoreError> {
        const DOING: &str = "store exchange rates";
        let per_unit = serde_json::to_string(&sheet.per_unit)
            .map_err(|error| StoreError::Sql { doing: DOING, source: sqlx::Error::Encode(error.into()) })?;
        sqlx::query(
            "INSERT INTO rates (source, day, base, fetched_at, per_unit) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (source, day) DO UPDATE SET
                 base = excluded.base, fetched_at = excluded.fetched_at, per_unit = excluded.per_unit
             WHERE excluded.fetched_at >= rates.fetched_at",
        )
        .bind(sheet.source.name())
        .bind(sheet.date)
        .bind(sheet.base.code())
        .bind(to_ms(sheet.fetched_at))
        .bind(per_unit)
        .execute(self.writer())
        .await
        .map_err(self.during(DOING))?;
        Ok(())
    }

    /// The newest sheet of each bank; none where none was ever stored.
    ///
    /// # Errors
    /// When the database or a sheet cannot be read.
    pub async fn rates(&self) -> Result<Rates, StoreError> {
        self.rates_on(NaiveDate::MAX).await
    }

    /// The sheets that held on the days from `first` to `last`: those of these days, of each bank the newest before them,
    /// and where it has none so old the oldest after them.
    ///
    /// # Errors
    /// When the database or a sheet cannot be read.
    pub async fn rate_history(&self, first: NaiveDate, last: NaiveDate) -> Result<RateHistory, StoreError> {
        let sheets = sqlx::query_as::<_, StoredSheet>(
            "SELECT source, day, base, fetched_at, per_unit FROM rates
             WHERE day BETWEEN ?1 AND ?2
                OR (source, day) IN (SELECT source, max(day) FROM rates WHERE day < ?1 GROUP BY source)
                OR (source, day) IN (SELECT source, min(day) FROM rates WHERE day > ?2 GROUP BY source)",
        )
        .bind(first)
        .bind(last)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read exchange rates"))?;
        let mut history = RateHistory::default();
        for sheet in sheets {
            history.put(RateSheet::try_from(sheet)?);
        }
        Ok(history)
    }

    /// The sheets that held on `date`: the newest of each bank that is not younger (banks publish no sheet on
    /// weekends and holidays, the last one holds on).
    ///
    /// # Errors
    /// When the database or a sheet cannot be read.
    pub async fn rates_on(&self, date: NaiveDate) -> Result<Rates, StoreError> {
        // Four digits of a year sort as text; NaiveDate's own end does not have four.
        let date = date.min(NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or(date));
        let sheets = sqlx::query_as::<_, StoredSheet>(
            "SELECT source, max(day) AS day, base, fetched_at, per_unit FROM rates
             WHERE day <= ?1 GROUP BY source",
        )
        .bind(date)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read exchange rates"))?;
        let mut rates = Rates::default();
        for sheet in sheets {
            let sheet = RateSheet::try_from(sheet)?;
            match sheet.source {
                RateSource::Ecb => rates.ecb = Some(sheet),
                RateSource::Cbr => rates.cbr = Some(sheet),
            }
        }
        Ok(rates)
    }
}
