//! How machines were used: by the minute for the guard, by the hour for good.

use std::collections::BTreeMap;

use gpudesk_core::activity::{Activity, Minute};
use sqlx::FromRow;

use crate::{Store, StoreError};

/// Minutes that are kept: two days.
const KEPT_MINUTES: i64 = 2 * 24 * 60;

/// How a machine was used over some hours.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// Minutes in which it worked.
    pub working: u32,
    /// Minutes in which it did nothing.
    pub idle: u32,
    /// Minutes in which only memory of a card was held.
    pub parked: u32,
    /// Minutes that could not be judged.
    pub unknown: u32,
    /// Mean use of its cards, percent.
    pub util_percent: Option<f64>,
    /// The most memory of a card that was in use, percent.
    pub vram_percent: Option<f64>,
}

#[derive(FromRow)]
struct StoredMinute {
    minute: i64,
    samples: i64,
    state: String,
    why: String,
    util: Option<f64>,
    vram: Option<f64>,
}

impl Store {
    /// Keeps a judged minute of a machine, once: two programs that watch one machine write it down once.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_activity(&self, rental: &str, minute: &Minute) -> Result<(), StoreError> {
        const DOING: &str = "store how a machine was used";
        let mut transaction = self.begin_write(DOING).await?;
        let done = sqlx::query("INSERT OR IGNORE INTO activity VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            .bind(rental)
            .bind(minute.minute)
            .bind(minute.samples.max(1))
            .bind(minute.activity.word())
            .bind(minute.why.word())
            .bind(minute.util_percent)
            .bind(minute.vram_percent)
            .execute(&mut *transaction)
            .await
            .map_err(self.during(DOING))?;
        if done.rows_affected() > 0 {
            let is = |activity| i64::from(minute.activity == activity);
            sqlx::query(
                "INSERT INTO activity_hours VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (rental, hour) DO UPDATE SET
                     working = working + excluded.working, idle = idle + excluded.idle,
                     parked = parked + excluded.parked, unknown = unknown + excluded.unknown,
                     util_sum = util_sum + excluded.util_sum,
                     util_minutes = util_minutes + excluded.util_minutes,
                     vram = max(coalesce(vram, excluded.vram), coalesce(excluded.vram, vram))",
            )
            .bind(rental)
            .bind(minute.minute.div_euclid(60))
            .bind(is(Activity::Working))
            .bind(is(Activity::Idle))
            .bind(is(Activity::Parked))
            .bind(is(Activity::Unknown))
            .bind(minute.util_percent.unwrap_or(0.0))
            .bind(i64::from(minute.util_percent.is_some()))
            .bind(minute.vram_percent)
            .execute(&mut *transaction)
            .await
            .map_err(self.during(DOING))?;
            sqlx::query("DELETE FROM activity WHERE rental = ?1 AND minute < ?2")
                .bind(rental)
                .bind(minute.minute - KEPT_MINUTES)
                .execute(&mut *transaction)
                .await
                .map_err(self.during(DOING))?;
        }
        transaction.commit().await.map_err(self.during(DOING))
    }

    /// Judged minutes of a machine from one on, oldest first.
    ///
    /// # Errors
    /// When the database or a minute cannot be read.
    pub async fn activity_since(&self, rental: &str, minute: i64) -> Result<Vec<Minute>, StoreError> {
        let rows: Vec<StoredMinute> = sqlx::query_as(
            "SELECT minute, samples, state, why, util, vram FROM activity
             WHERE rental = ?1 AND minute >= ?2 ORDER BY minute",
        )
        .bind(rental)
        .bind(minute)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read how a machine was used"))?;
        rows.into_iter()
            .map(|row| {
                let bad = |error: String| StoreError::BadRow {
                    table: "activity",
                    key: format!("{rental} {}", row.minute),
                    detail: error,
                };
                Ok(Minute {
                    minute: row.minute,
                    samples: u32::try_from(row.samples).unwrap_or(u32::MAX),
                    activity: row.state.parse().map_err(|error| bad(format!("state: {error}")))?,
                    why: row.why.parse().map_err(|error| bad(format!("why: {error}")))?,
                    util_percent: row.util,
                    vram_percent: row.vram,
                })
            })
            .collect()
    }

    /// How machines were used from one hour since 1970 until just before another, by rental.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn usage_of_hours(&self, from: i64, to: i64) -> Result<BTreeMap<String, Usage>, StoreError> {
        type Sums = (String, i64, i64, i64, i64, f64, i64, Option<f64>);
        let rows: Vec<Sums> = sqlx::query_as(
            "SELECT rental, sum(working), sum(idle), sum(parked), sum(unknown), sum(util_sum), sum(util_minutes),
                    max(vram)
             FROM activity_hours WHERE hour >= ?1 AND hour < ?2 GROUP BY rental",
        )
        .bind(from)
        .bind(to)
        .fetch_all(self.readers())
        .await
        .map_err(self.during("read how machines were used"))?;
        let count = |minutes: i64| u32::try_from(minutes).unwrap_or(u32::MAX);
        let usage = |(rental, working, idle, parked, unknown, sum, minutes, vram): Sums| {
            let mean = (minutes > 0).then(|| sum / f64::from(count(minutes)));
            let usage = Usage {
                working: count(working),
                idle: count(idle),
                parked: count(parked),
                unknown: count(unknown),
                util_percent: mean,
                vram_percent: vram,
            };
            (rental, usage)
        };
        Ok(rows.into_iter().map(usage).collect())
    }
}
