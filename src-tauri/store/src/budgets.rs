//! Budgets, and which of their thresholds were told.

use chrono::{DateTime, Utc};
use gpudesk_core::spend::Budget;

use crate::time::to_ms;
use crate::{Store, StoreError};

impl Store {
    /// The budgets, by name.
    ///
    /// # Errors
    /// When the database or a budget cannot be read.
    pub async fn budgets(&self) -> Result<Vec<Budget>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT name, body FROM budgets ORDER BY name")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the budgets"))?;
        rows.into_iter()
            .map(|(name, body)| {
                serde_json::from_str(&body).map_err(|error| StoreError::BadRow {
                    table: "budgets",
                    key: name,
                    detail: format!("body: {error}"),
                })
            })
            .collect()
    }

    /// Stores a budget, over the one of the same name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_budget(&self, budget: &Budget, at: DateTime<Utc>) -> Result<(), StoreError> {
        let body = serde_json::to_string(budget)
            .map_err(|error| StoreError::NotJson { key: budget.name.clone(), detail: error.to_string() })?;
        sqlx::query("INSERT OR REPLACE INTO budgets (name, changed_at, body) VALUES (?1, ?2, ?3)")
            .bind(&budget.name)
            .bind(to_ms(at))
            .bind(body)
            .execute(self.writer())
            .await
            .map_err(self.during("store a budget"))?;
        Ok(())
    }

    /// Forgets a budget; `false` where there is none of that name. What was told of it stays: one that is made anew
    /// tells nothing twice in a period.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_budget(&self, name: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM budgets WHERE name = ?1")
            .bind(name)
            .execute(self.writer())
            .await
            .map_err(self.during("remove a budget"))?;
        Ok(done.rows_affected() > 0)
    }

    /// The thresholds of a budget that were told in a period.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn budget_marks(&self, budget: &str, period: DateTime<Utc>) -> Result<Vec<u16>, StoreError> {
        sqlx::query_scalar("SELECT threshold FROM budget_marks WHERE budget = ?1 AND period = ?2")
            .bind(budget)
            .bind(to_ms(period))
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the thresholds that were told"))
    }

    /// Writes down that a threshold of a period is told; `false` where it was already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn mark_budget(
        &self,
        budget: &str,
        period: DateTime<Utc>,
        threshold: u16,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query("INSERT OR IGNORE INTO budget_marks VALUES (?1, ?2, ?3, ?4)")
            .bind(budget)
            .bind(to_ms(period))
            .bind(threshold)
            .bind(to_ms(at))
            .execute(self.writer())
            .await
            .map_err(self.during("mark a budget's threshold"))?;
        Ok(done.rows_affected() > 0)
    }
}
