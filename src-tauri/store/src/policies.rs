//! Residency policies of the team's own, and which policy holds for which project.

use chrono::{DateTime, Utc};
use gpudesk_core::policy::Policy;

use crate::time::to_ms;
use crate::{Store, StoreError};

/// Which policy holds for a project.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ProjectPolicy {
    /// The project as it was typed; empty = launches that name none.
    pub project: String,
    /// The policy's name.
    pub policy: String,
}

/// Projects are the same whatever their letters' case: a slip of the hand evades no policy.
fn key(project: &str) -> String {
    project.trim().to_lowercase()
}

impl Store {
    /// The team's own policies, by name.
    ///
    /// # Errors
    /// When the database or a policy cannot be read.
    pub async fn policies(&self) -> Result<Vec<Policy>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT name, body FROM policies ORDER BY name")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the policies"))?;
        rows.into_iter()
            .map(|(name, body)| {
                serde_json::from_str(&body).map_err(|error| StoreError::BadRow {
                    table: "policies",
                    key: name,
                    detail: format!("body: {error}"),
                })
            })
            .collect()
    }

    /// Stores a policy, over the one of the same name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_policy(&self, policy: &Policy, at: DateTime<Utc>) -> Result<(), StoreError> {
        let body = serde_json::to_string(policy)
            .map_err(|error| StoreError::NotJson { key: policy.name.clone(), detail: error.to_string() })?;
        sqlx::query("INSERT OR REPLACE INTO policies (name, changed_at, body) VALUES (?1, ?2, ?3)")
            .bind(&policy.name)
            .bind(to_ms(at))
            .bind(body)
            .execute(self.writer())
            .await
            .map_err(self.during("store a policy"))?;
        Ok(())
    }

    /// Forgets a policy that no project is under; `false` where there is none of that name, or a project is.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_policy(&self, name: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "DELETE FROM policies
             WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM project_policies WHERE policy = ?1)",
        )
        .bind(name)
        .execute(self.writer())
        .await
        .map_err(self.during("remove a policy"))?;
        Ok(done.rows_affected() > 0)
    }

    /// Every project that is under a policy, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn project_policies(&self) -> Result<Vec<ProjectPolicy>, StoreError> {
        sqlx::query_as("SELECT project, policy FROM project_policies ORDER BY key")
            .fetch_all(self.readers())
            .await
            .map_err(self.during("read the projects' policies"))
    }

    /// The name of the policy that holds for a project.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn project_policy(&self, project: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT policy FROM project_policies WHERE key = ?1")
            .bind(key(project))
            .fetch_optional(self.readers())
            .await
            .map_err(self.during("read a project's policy"))
    }

    /// Puts a project under a policy, or, with `None`, under none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_project_policy(&self, project: &str, policy: Option<&str>) -> Result<(), StoreError> {
        let query = match policy {
            Some(policy) => sqlx::query(
                "INSERT OR REPLACE INTO project_policies (key, project, policy) VALUES (?1, ?2, ?3)",
            )
            .bind(key(project))
            .bind(project.trim())
            .bind(policy),
            None => sqlx::query("DELETE FROM project_policies WHERE key = ?1").bind(key(project)),
        };
        query.execute(self.writer()).await.map_err(self.during("store a project's policy"))?;
        Ok(())
    }
}
